"""How a candidate meets what is known: pure, and scoped to one subject and one topic.

Nothing here deletes. Similarity is never consulted: what was said of the topic is read anew in the order it was
said (`stores.timeline`), and the memories are brought to stand as that reading says. So the order in which things
come to be known makes no difference, and a new job can not be swallowed by resembling the old one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from .claims import Claim, Key
from .clock import as_utc
from .records import Memory, Origin, Status
from .timeline import Spell, spells

CONFIDENCE: Mapping[Origin, float] = {
    Origin.CORRECTED: 1.0,
    Origin.ASKED: 1.0,
    Origin.STATED: 0.9,
    Origin.CONFIRMED: 0.9,
    Origin.REPEATED: 0.8,
    Origin.SAID: 0.9,
    Origin.SUMMARIZED: 0.7,
    Origin.REFLECTED: 0.7,
    Origin.OBSERVED: 0.4,
}
"""How sure a memory is that nothing speaks against, by the authority it stands on."""

DOUBT = 0.6
"""What is left of a memory's confidence when something newer speaks against it and does not replace it."""

FORGOTTEN = "forgotten"
"""Stands for the run of a ruling, where an erasure has ended what the reading of a topic may not bring back."""

RULED = "ruled"
"""The key in a memory's detail that says which ruling ended it, and when: {"run": id, "at": time}."""


@dataclass(frozen=True, slots=True)
class Known:
    """A memory of the topic, active or not, with the claims it rests on."""

    memory: Memory
    claims: tuple[Claim, ...]
    aside: tuple[Claim, ...] = ()
    """Claims that do not count since a restore; heard again in the same words they are nothing new."""

    @property
    def is_closed(self) -> bool:
        """Whether a merge or a ruling has spoken: what was said until then does not change it any more."""
        return self.memory.status is Status.MERGED or RULED in self.memory.detail


@dataclass(frozen=True, slots=True)
class Standing:
    """How one memory is to stand. `memory` is None when there is none yet; `absorbed` are taken up into it."""

    spell: Spell
    memory: Memory | None
    absorbed: tuple[Memory, ...] = ()

    @property
    def ends_now(self) -> bool:
        """Whether an active memory stops being so."""
        return self.memory is not None and self.memory.status is Status.ACTIVE and self.spell.is_over


Outline = tuple[Standing, ...]
"""How every memory of a topic is to stand."""


@dataclass(frozen=True, slots=True)
class Add:
    """A new memory. `supersedes` are the active ones it ends, `conflicts` those it stands against.

    `joins_history` is True when what is known ends it at once: it was said before, and is heard of only now.
    """

    outline: Outline
    supersedes: tuple[Memory, ...] = ()
    conflicts: tuple[Memory, ...] = ()
    joins_history: bool = False
    reason: str = ""

    @property
    def concerns(self) -> tuple[Memory, ...]:
        """The memories this changes."""
        return self.supersedes + self.conflicts


@dataclass(frozen=True, slots=True)
class Reinforce:
    """The same thing said again: more evidence for a memory. Without an outline nothing else changes."""

    memory: Memory
    outline: Outline = ()
    reason: str = ""

    @property
    def concerns(self) -> tuple[Memory, ...]:
        """The memory this adds evidence to."""
        return (self.memory,)


@dataclass(frozen=True, slots=True)
class Ignore:
    """Nothing changes; `reason` says why."""

    reason: str

    @property
    def concerns(self) -> tuple[Memory, ...]:
        """None."""
        return ()


Decision = Add | Reinforce | Ignore


def decide(claim: Claim, known: Sequence[Known]) -> Decision:
    """What to do with a claim; `known` holds every memory of its topic, in their current versions."""
    if any(claim.identity == c.identity for k in known for c in (*k.claims, *k.aside)):
        return Ignore("already learned from this message")
    for k in known:
        if k.memory.status is Status.SUPERSEDED and k.is_closed and _said_before_ruling(claim, k):
            return Reinforce(k.memory, reason="a later ruling has ended it")
    outline = outlined(known, [claim])
    [mine, *_] = [s for s in outline if claim in s.spell.claims]
    if mine.memory is not None:
        return Reinforce(mine.memory, outline)
    ended = tuple(s.memory for s in outline if s.ends_now and s.memory is not None)
    return Add(outline, ended, _against(mine, outline), joins_history=mine.spell.is_over)


def outlined(known: Sequence[Known], heard: Sequence[Claim] = ()) -> Outline:
    """How the topic is to stand, given what is known of it and what is heard besides."""
    open_ones = [k for k in known if not k.is_closed]
    pinned = {c.identity for k in open_ones if k.memory.pinned for c in k.claims}
    claims = [c for k in open_ones for c in k.claims]
    return _matched(spells([*claims, *heard], pinned=pinned, same=_merged(known)), open_ones)


def confidence(spell: Spell) -> float:
    """How sure a memory is: by its authority, less when something newer or a correction is against it. In [0, 1]."""
    return CONFIDENCE[spell.origin] * (DOUBT if spell.is_doubted and not spell.is_over else 1.0)


def stands(
    standing: Standing, ids: Mapping[int, str], now: datetime, *, beside: tuple[str, bool] | None = None
) -> Memory:
    """The memory a standing calls for. `ids` names every spell of the outline, by `id(spell)`.

    `beside` is the memory of another topic that speaks against it, and whether that is the newer of both.
    """
    spell = standing.spell
    says = spell.wording.says
    until = [c.says.valid_to for c in spell.claims if c.says.valid_to is not None]
    valid_to = spell.ended_at if spell.is_over else (until[-1] if until else None)
    since = [
        c.says.valid_from
        for c in spell.claims
        if c.says.valid_from is not None and (valid_to is None or c.says.valid_from <= valid_to)
    ]
    rival = None if spell.is_over else spell.rival
    against = None if rival is None else ids[id(rival)]
    newly_doubted = False
    if against is None and beside is not None and not spell.is_over:
        against, newly_doubted = beside
    wanted = Memory(
        id=ids[id(spell)],
        version=1,
        kind=spell.kind,
        status=Status.SUPERSEDED if spell.is_over else Status.ACTIVE,
        subject=says.subject,
        attribute=says.attribute,
        value=says.value,
        polarity=says.polarity,
        statement=says.statement,
        origin=spell.origin,
        confidence=confidence(spell) * (DOUBT if newly_doubted else 1.0),
        recorded_at=now,
        valid_from=min(since, default=None),
        valid_to=valid_to,
        superseded_by=spell.ended_beside if spell.ended_by is None else ids[id(spell.ended_by)],
        evidence=tuple(dict.fromkeys(span for c in spell.claims for span in c.spans)),
        pinned=spell.pinned,
        conflicts_with=against,
    )
    old = standing.memory
    if old is None:
        return wanted
    return replace(wanted, version=old.version, recorded_at=old.recorded_at, detail=old.detail)


def _said_before_ruling(claim: Claim, known: Known) -> bool:
    ruled = known.memory.detail[RULED]
    return claim.at <= as_utc(datetime.fromisoformat(ruled["at"])) and any(
        c.key == claim.key for c in known.claims
    )


def _merged(known: Sequence[Known]) -> dict[Key, Key]:
    """What a ruling merged: the meaning of the merged memory stands for that of the one it lives on in."""
    by_id = {k.memory.id: k for k in known}
    same: dict[Key, Key] = {}
    for k in known:
        survivor = k
        for _ in known:
            if survivor.memory.status is not Status.MERGED:
                break
            survivor = by_id.get(survivor.memory.superseded_by or "", survivor)
        if survivor is not k and RULED in k.memory.detail:
            own = _own_key(survivor)
            for value, polarity in (c.key for c in k.claims if c.key != own):
                same[value, polarity] = own
                same[value, not polarity] = own[0], not own[1]
    return same


def _own_key(known: Known) -> Key:
    """What a memory says by its own words."""
    matching = [c for c in known.claims if c.says.value == known.memory.value]
    return (matching or known.claims)[0].key


def _matched(found: Sequence[Spell], known: Sequence[Known]) -> Outline:
    """Give each spell the memory that holds most of its claims; a memory left over lives on in the one that has
    its claims now."""
    left = {k.memory.id: k for k in known if k.claims}
    identities = {k.memory.id: {c.identity for c in k.claims} for k in known}
    chosen: list[Memory | None] = []
    for spell in found:
        mine = {c.identity for c in spell.claims}
        best = max(left.values(), key=lambda k: len(identities[k.memory.id] & mine), default=None)
        if best is not None and identities[best.memory.id] & mine:
            chosen.append(left.pop(best.memory.id).memory)
        else:
            chosen.append(None)
    absorbed: list[list[Memory]] = [[] for _ in found]
    for k in left.values():
        last = k.claims[-1].identity
        home = next(i for i, s in enumerate(found) if any(c.identity == last for c in s.claims))
        absorbed[home].append(k.memory)
    return tuple(Standing(s, m, tuple(a)) for s, m, a in zip(found, chosen, absorbed, strict=True))


def _against(mine: Standing, outline: Outline) -> tuple[Memory, ...]:
    rivals = {id(r) for r, _ in mine.spell.rivals.values()}
    return tuple(s.memory for s in outline if s.memory is not None and id(s.spell) in rivals)
