"""Understands a stretch of a session with a chat model, and believes it only what the messages carry."""

import re
from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

from ...stores.consolidation import Claim
from ...stores.records import Insight, Kind, Memory, Message, Role, Status, Tone
from ...stores.write_filter import touches_secret
from ..extraction.play import played
from ..prompts.understanding import FORM, OpenEnds, understanding_prompt
from ..prompts.understood import Understood, answer_schema, check, understood
from ..structured import StructuredModel, Wanted
from .days import stretches
from .evidence import Stretch, Unsupported
from .like_cases import with_question
from .outcomes import outcomes
from .quotes import find, find_value

OPEN_COMMITMENTS = 20
"""Most open commitments shown to the model, the newest."""


class ModelUnderstander:
    """An Understander that asks a chat model. Errors are raised as they are; nothing is made up in their place."""

    def __init__(self, model: StructuredModel, *, zone: tzinfo | None = None) -> None:
        self._model = model
        self._zone = zone
        self._wanted = Wanted(answer_schema(), FORM, check)

    def understand(self, claim: Claim, known: list[Memory]) -> Insight:
        """What the stretch says, checked. Raises Misunderstood or ModelUnavailable."""
        if not _anyone_spoke(claim.messages):
            return Insight()
        prompt = understanding_prompt(claim.messages, _open_ends(claim, known), zone=self._zone)
        return insight(self._model.ask(prompt, self._wanted), claim, known, zone=self._zone)

    async def aunderstand(self, claim: Claim, known: list[Memory]) -> Insight:
        """As `understand`."""
        if not _anyone_spoke(claim.messages):
            return Insight()
        prompt = understanding_prompt(claim.messages, _open_ends(claim, known), zone=self._zone)
        return insight(await self._model.aask(prompt, self._wanted), claim, known, zone=self._zone)


def insight(
    document: dict[str, Any], claim: Claim, known: Sequence[Memory], *, zone: tzinfo | None
) -> Insight:
    """What a model's answer says about a stretch, as far as the messages carry it; the rest with its reasons."""
    read, rejected = understood(document)
    stretch = Stretch(
        messages=claim.messages,
        agent=claim.scope.agent_id,
        user_names=_names(read, claim, known),
        known_subjects=frozenset(memory.subject for memory in known),
        zone=zone,
        hidden=played([*claim.before, *claim.messages]),
    )
    candidates = []
    for said in read.statements:
        try:
            candidate, notes = stretch.candidate(said)
        except Unsupported as reason:
            rejected.append(f"{said.kind}: {reason}")
        else:
            candidates.append(with_question(candidate, claim.messages))
            rejected.extend(f"{candidate.kind.value} {candidate.attribute}: {note}" for note in notes)
    commitments = []
    for promise in read.commitments:
        try:
            commitments.append(stretch.commitment(promise))
        except Unsupported as reason:
            rejected.append(f"commitment: {reason}")
    return Insight(
        summary=_summary(read.summary, claim, known, zone),
        tone=Tone(read.tone),
        topics=tuple(dict.fromkeys(topic for topic in read.topics if not touches_secret(topic))),
        candidates=tuple(candidates),
        commitments=tuple(commitments),
        settled=_settled(read.settled, known, rejected),
        outcomes=tuple(outcomes(claim.messages, known, zone)),
        rejected=tuple(rejected),
    )


def _anyone_spoke(messages: Sequence[Message]) -> bool:
    return any(m.role is Role.USER and m.content.strip() for m in messages)


def _open_commitments(known: Sequence[Memory]) -> list[Memory]:
    still = [m for m in known if m.kind is Kind.COMMITMENT and m.status is Status.ACTIVE]
    return still[-OPEN_COMMITMENTS:]


def _earlier_summary(claim: Claim, known: Sequence[Memory]) -> str:
    same = [m for m in known if m.kind is Kind.EPISODE and m.value == claim.session_id]
    return same[-1].statement if same else ""


def _open_ends(claim: Claim, known: Sequence[Memory]) -> OpenEnds:
    return OpenEnds(
        summary=_earlier_summary(claim, known),
        commitments=tuple(m.statement for m in _open_commitments(known)),
    )


def _settled(numbers: Sequence[int], known: Sequence[Memory], rejected: list[str]) -> tuple[str, ...]:
    """The ids behind the numbers listed in the prompt; others mean nothing, and settle nothing."""
    listed = _open_commitments(known)
    settled = []
    for number in dict.fromkeys(numbers):
        if 1 <= number <= len(listed):
            settled.append(listed[number - 1].id)
        else:
            rejected.append(f"settled: no commitment was listed under {number}")
    return tuple(settled)


def _names(read: Understood, claim: Claim, known: Sequence[Memory]) -> frozenset[str]:
    """What the user is called, before this stretch and in it: a model may use the name for the user."""
    names = {m.value for m in known if m.subject == "user" and m.attribute in ("name", "nickname")}
    for said in read.statements:
        named = said.attribute == "name" and find_value(said.value, said.quote) and _NAMING.search(said.quote)
        if named and any(m.role is Role.USER and find(said.quote, m) for m in claim.messages):
            names.add(said.value)
    return frozenset(names)


_NAMING = re.compile(r"\b(?:i'?m|i am|my name|call me|this is)\b|我叫|我是|我的名字", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*\s*")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def _summary(offered: str, claim: Claim, known: Sequence[Memory], zone: tzinfo | None) -> str:
    """The summary without sentences that hold a secret, or a year that nobody spoke of."""
    years = {int(y) for y in _YEAR.findall(_earlier_summary(claim, known))}
    for message in claim.messages:
        day = message.at.astimezone(zone).date()
        years.add(day.year)
        years.update(
            year for first, last in stretches(message.content, day) for year in (first.year, last.year)
        )
    kept = [
        sentence
        for sentence in _SENTENCE.findall(offered)
        if not touches_secret(sentence) and {int(y) for y in _YEAR.findall(sentence)} <= years
    ]
    return "".join(kept).strip()
