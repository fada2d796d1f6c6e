"""Reads the LoCoMo layout (Maharana et al. 2024): sessions numbered in one object, questions beside them."""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ...stores.records import Role
from .conversations import CATEGORIES, BadDataset, Conversation, Question, Session, Turn

_SESSION = re.compile(r"session_(\d+)")
_MARK = re.compile(r"D\s*:?\s*(\d+)\s*:\s*(\d+)")
_DATES = ("%I:%M %p on %d %B, %Y", "%H:%M on %d %B, %Y", "%d %B, %Y", "%Y-%m-%d %H:%M", "%Y-%m-%d")


class _Turn(BaseModel):
    speaker: str
    dia_id: str = Field(min_length=1)
    text: str = ""
    blip_caption: str | None = None


class _Question(BaseModel):
    question: str = Field(min_length=1)
    category: int = Field(ge=1, le=5)
    evidence: list[str] = []


class _Talk(BaseModel):
    model_config = ConfigDict(extra="allow")

    speaker_a: str = Field(min_length=1)
    speaker_b: str = Field(min_length=1)


class _Sample(BaseModel):
    sample_id: str | int
    conversation: _Talk
    qa: list[_Question]


class _Turns(BaseModel):
    turns: list[_Turn]


def parse(sample: Any) -> tuple[Conversation, int, int]:
    """One entry of the file; also how many questions have no evidence, and how many marks name no turn.

    Raises pydantic's ValidationError for a wrong shape, BadDataset for what contradicts itself.
    """
    read = _Sample.model_validate(sample)
    talk = read.conversation
    if talk.speaker_a == talk.speaker_b:
        raise BadDataset(f"both speakers are called {talk.speaker_a!r}; nothing tells user and agent apart")
    extra = talk.model_extra or {}
    numbers = sorted(int(match[1]) for name in extra if (match := _SESSION.fullmatch(name)))
    roles = {talk.speaker_a: Role.USER, talk.speaker_b: Role.ASSISTANT}
    sessions = [_session(number, extra, roles) for number in numbers if extra.get(f"session_{number}")]
    ids = [turn.id for session in sessions for turn in session.turns]
    if len(set(ids)) < len(ids):
        raise BadDataset(f"two turns have the dia_id {Counter(ids).most_common(1)[0][0]!r}")
    where = {_plain(turn.id): (turn.id, session.id) for session in sessions for turn in session.turns}
    questions: list[Question] = []
    bare = lost = 0
    for number, asked in enumerate(read.qa):
        gold, unknown = evidence(asked.evidence, where)
        lost += unknown
        bare += not gold
        if gold:
            turns, places = zip(*gold, strict=True)
            category = CATEGORIES[asked.category]
            questions.append(
                Question(f"q{number}", asked.question, category, turns, tuple(dict.fromkeys(places)))
            )
    sessions.sort(key=lambda session: session.at)
    conversation = Conversation(
        str(read.sample_id), talk.speaker_a, talk.speaker_b, tuple(sessions), tuple(questions)
    )
    return conversation, bare, lost


def evidence(marks: Sequence[str], where: dict[str, tuple[str, str]]) -> tuple[list[tuple[str, str]], int]:
    """The (turn, session) that marks such as "D1:3", "D8:6; D9:17", "D:11:26" or "D30:05" name, each once.

    Also how many of them name nothing that is there.
    """
    found: dict[tuple[str, str], None] = {}
    unknown = 0
    for mark in marks:
        named = [mark] if _plain(mark) in where else [f"D{a}:{b}" for a, b in _MARK.findall(mark)]
        unknown += not named
        for one in named:
            if (place := where.get(_plain(one))) is None:
                unknown += 1
            else:
                found[place] = None
    return list(found), unknown


def _plain(mark: str) -> str:
    match = _MARK.fullmatch(mark.strip())
    return f"D{int(match[1])}:{int(match[2])}" if match else mark.strip()


def _session(number: int, talk: dict[str, Any], roles: dict[str, Role]) -> Session:
    read = _Turns.model_validate({"turns": talk[f"session_{number}"]}).turns
    for turn in read:
        if turn.speaker not in roles:
            raise BadDataset(
                f"in session_{number} speaks {turn.speaker!r}, who is neither speaker_a nor speaker_b"
            )
    said = [Turn(turn.dia_id, roles[turn.speaker], _text(turn)) for turn in read]
    return Session(
        f"session_{number}", _date(number, talk), tuple(turn for turn in said if turn.text.strip())
    )


def _text(turn: _Turn) -> str:
    caption = f"[photo: {turn.blip_caption}]" if turn.blip_caption else ""
    return " ".join(part for part in (turn.text, caption) if part)


def _date(number: int, talk: dict[str, Any]) -> datetime:
    given = talk.get(f"session_{number}_date_time")
    for form in _DATES:
        try:
            return datetime.strptime(str(given).strip(), form).replace(tzinfo=UTC)
        except ValueError:
            continue
    raise BadDataset(f"session_{number}_date_time is {given!r}; write it as '1:56 pm on 8 May, 2023'")
