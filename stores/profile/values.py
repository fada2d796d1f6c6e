"""Profile lines, changes of them, proposals and versions. Pure and frozen."""

import uuid
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, get_args

from ..records import Memory, Origin, Span

About = Literal["user", "agent", "procedure"]
"""Of whom a line speaks. A line about a procedure ("when X, do Y") is no part of what every prompt holds: it is for
recall to bring when X fits."""

PROFILE = "profile"
"""The attribute of a line among memories."""

LINE_CHARS = 300
"""Longest text of a line."""

LINES = 60
"""Most lines of a profile."""

EPISODES = 3
SESSIONS = 2
DAYS = 2
"""What a pattern needs at least to support it."""


_REVIEWS = uuid.UUID("9d0c1f0e-6f0b-4b0e-8b1a-3f1f2a4f6c55")


class ProposalState(StrEnum):
    """What became of a proposal. Only one that is held can still be decided."""

    HELD = "held"
    APPLIED = "applied"
    REJECTED = "rejected"
    VOID = "void"  # what it was made on has changed or was forgotten


class Source(StrEnum):
    """Where a proposal comes from."""

    REFLECTION = "reflection"  # reinforced, decayed or concluded by consolidation


@dataclass(frozen=True, slots=True)
class Occasion:
    """When, and in which session, something that a line cites took place."""

    session: str
    at: datetime


def is_supported(occasions: Collection[Occasion]) -> bool:
    """Whether something that was found on these occasions is more than chance: often enough, in several sessions,
    on several days. A single event never is."""
    return (
        len(set(occasions)) >= EPISODES
        and len({one.session for one in occasions}) >= SESSIONS
        and len({one.at.date() for one in occasions}) >= DAYS
    )


@dataclass(frozen=True, slots=True)
class ProfileLine:
    """One line of a profile. `id` is a memory id, `version` that memory's version (0: not written yet).

    `key` is stable: the same habit found later has the same one. `cites` are the ids of the memories or messages
    it was concluded from, `evidence` the human words. Salience and confidence in [0, 1].
    """

    id: str
    key: str
    text: str
    about: About = "user"
    cites: tuple[str, ...] = ()
    evidence: tuple[Span, ...] = ()
    salience: float = 0.5
    confidence: float = 0.5
    origin: Origin = Origin.REFLECTED
    pinned: bool = False
    version: int = 0

    @property
    def says(self) -> tuple[object, ...]:
        """What makes two versions of a line the same line."""
        return self.key, self.text, self.about, self.cites, self.salience, self.confidence, self.origin

    @property
    def weight(self) -> float:
        """How much the line counts, in [0, 1]."""
        return min(max(self.salience, 0.0), 1.0) * min(max(self.confidence, 0.0), 1.0)


@dataclass(frozen=True, slots=True)
class Change:
    """One line of a diff: `add` has no before, `remove` no after, `replace` both under one id."""

    action: Literal["add", "replace", "remove"]
    before: ProfileLine | None
    after: ProfileLine | None

    @property
    def line(self) -> ProfileLine:
        """The line as it is to be, or as it was when it goes."""
        found = self.after or self.before
        assert found is not None
        return found


@dataclass(frozen=True, slots=True)
class Proposal:
    """Changes of a profile that were applied, or wait, or were turned down.

    `distance` in [0, 1] is how far they move the identity; `why` the gate's reason. `effective_at`: when it takes
    effect by itself unless rejected; None waits for a person. `changes` is empty once what it said was forgotten.
    """

    id: str
    at: datetime
    state: ProposalState
    source: Source
    changes: tuple[Change, ...]
    distance: float
    base_version: int
    why: str
    effective_at: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str | None = None


@dataclass(frozen=True, slots=True)
class ProfileVersion:
    """One version: who made it, when, why, from which proposal. `lines` are (memory id, memory version) pairs.

    `reviewed`: a person decided it.
    """

    version: int
    parent: int
    at: datetime
    who: str
    why: str
    proposal: str | None
    lines: tuple[tuple[str, int], ...]
    reviewed: bool


def review_thread(proposal_id: str) -> str:
    """The thread on which a proposal is reviewed: LangGraph Server wants a UUID."""
    return str(uuid.uuid5(_REVIEWS, proposal_id))


def diff(before: Iterable[ProfileLine], after: Iterable[ProfileLine]) -> tuple[Change, ...]:
    """What has to change for `before` to become `after`: removals, replacements, additions, each in order."""
    old, new = {line.id: line for line in before}, {line.id: line for line in after}
    removed = [Change("remove", line, None) for name, line in old.items() if name not in new]
    replaced = [
        Change("replace", line, new[name])
        for name, line in old.items()
        if name in new and new[name].says != line.says
    ]
    added = [Change("add", None, line) for name, line in new.items() if name not in old]
    return (*removed, *replaced, *added)


def changed(lines: Iterable[ProfileLine], changes: Iterable[Change]) -> tuple[ProfileLine, ...]:
    """The lines after the changes."""
    found = {line.id: line for line in lines}
    for change in changes:
        if change.before is not None:
            found.pop(change.before.id, None)
        if change.after is not None:
            found[change.after.id] = change.after
    return tuple(found.values())


def line_of(memory: Memory) -> ProfileLine:
    """A memory of kind `profile` as a line."""
    detail = memory.detail
    return ProfileLine(
        id=memory.id,
        key=str(detail.get("key", "")),
        text=memory.statement,
        about=_about(memory.subject),
        cites=tuple(detail.get("cites", ())),
        evidence=memory.evidence,
        salience=float(detail.get("salience", 0.5)),
        confidence=memory.confidence,
        origin=memory.origin,
        pinned=memory.pinned,
        version=memory.version,
    )


def to_json(change: Change) -> dict[str, Any]:
    """A change as the record keeps it in a proposal."""
    kept: dict[str, Any] = {"action": change.action}
    for name in ("before", "after"):
        if (line := getattr(change, name)) is not None:
            kept[name] = line_to_json(line)
    return kept


def from_json(kept: Mapping[str, Any]) -> Change:
    """Read `to_json` back. Raises KeyError, TypeError or ValueError on what is none."""
    before, after = (line_from_json(kept[n]) if n in kept else None for n in ("before", "after"))
    expected = {"add": (False, True), "replace": (True, True), "remove": (True, False)}
    if expected[kept["action"]] != (before is not None, after is not None):
        raise ValueError("a change has the wrong lines")
    return Change(kept["action"], before, after)


def line_to_json(line: ProfileLine) -> dict[str, Any]:
    """A line as JSON values."""
    return {
        "id": line.id,
        "version": line.version,
        "key": line.key,
        "text": line.text,
        "about": line.about,
        "cites": list(line.cites),
        "evidence": [[s.message_id, s.start, s.end] for s in line.evidence],
        "salience": line.salience,
        "confidence": line.confidence,
        "origin": line.origin.value,
        "pinned": line.pinned,
    }


def line_from_json(kept: Mapping[str, Any]) -> ProfileLine:
    """Read `line_to_json` back."""
    return ProfileLine(
        id=str(kept["id"]),
        version=int(kept["version"]),
        key=str(kept["key"]),
        text=str(kept["text"]),
        about=_about(kept["about"]),
        cites=tuple(str(c) for c in kept["cites"]),
        evidence=tuple(Span(str(m), int(start), int(end)) for m, start, end in kept["evidence"]),
        salience=float(kept["salience"]),
        confidence=float(kept["confidence"]),
        origin=Origin(kept["origin"]),
        pinned=bool(kept["pinned"]),
    )


def _about(value: str) -> About:
    for known in get_args(About):
        if value == known:
            return known  # type: ignore[no-any-return]
    raise ValueError(f"a profile line cannot be about {value!r}")
