"""Reads the LongMemEval layout (Wu et al. 2024): each question brings its own haystack of sessions."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Self

from pydantic import BaseModel, Field, model_validator

from ...stores.records import Role
from .conversations import BadDataset, Conversation, Question, Session, Turn

_DAY = re.compile(r"\([A-Za-z]+\)")
_DATES = ("%Y/%m/%d %H:%M", "%Y/%m/%d", "%Y-%m-%d %H:%M", "%Y-%m-%d")


class _Turn(BaseModel):
    role: Role
    content: str
    has_answer: bool = False


class _Entry(BaseModel):
    question_id: str | int
    question: str = Field(min_length=1)
    question_date: str
    question_type: str = "other"
    haystack_sessions: list[list[_Turn]]
    haystack_session_ids: list[str]
    haystack_dates: list[str]
    answer_session_ids: list[str]

    @model_validator(mode="after")
    def _parallel(self) -> Self:
        lengths = {len(self.haystack_sessions), len(self.haystack_session_ids), len(self.haystack_dates)}
        if len(lengths) > 1:
            raise ValueError("haystack_sessions, haystack_session_ids and haystack_dates differ in length")
        return self


def parse(entry: Any) -> tuple[Conversation, int, int]:
    """One entry of the file; also whether its question is left out, and how many marks name no session.

    Questions that have no answer in the haystack (ids ending in _abs) are left out, as the benchmark does.
    """
    read = _Entry.model_validate(entry)
    sessions: list[Session] = []
    gold: list[str] = []
    marked: list[str] = []
    known: set[str] = set()
    for number, (name, given, said) in enumerate(
        zip(read.haystack_session_ids, read.haystack_dates, read.haystack_sessions, strict=True)
    ):
        label = name if name not in known else f"{name}#{number}"
        known.add(label)
        at = _date(given)
        turns = [(Turn(f"{label}/{i}", one.role, one.content), one) for i, one in enumerate(said)]
        sessions.append(Session(label, at, tuple(turn for turn, one in turns if one.content.strip())))
        if name in read.answer_session_ids:
            gold.append(label)
            marked += [turn.id for turn, one in turns if one.has_answer and one.content.strip()]
    unknown = len(set(read.answer_session_ids).difference(read.haystack_session_ids))
    sessions.sort(key=lambda session: session.at)
    asked = Question(
        str(read.question_id), read.question, read.question_type, tuple(marked), tuple(gold),
        max([_date(read.question_date), *(s.at + timedelta(hours=1) for s in sessions[-1:])]),
    )  # fmt: skip
    left_out = not gold or asked.id.endswith("_abs")
    conversation = Conversation(asked.id, "", "", tuple(sessions), () if left_out else (asked,))
    return conversation, int(left_out), unknown


def _date(given: str) -> datetime:
    for form in _DATES:
        try:
            return datetime.strptime(" ".join(_DAY.sub(" ", given).split()), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise BadDataset(f"the date {given!r} cannot be read; write it as '2023/05/20 (Sat) 02:21'")
