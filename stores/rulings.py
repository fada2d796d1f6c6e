"""The reconciliation pass: what is left to settle between memories of one topic, and what a ruling may do. Pure.

A ruling never deletes. It merges a memory into one that says the same, or ends one that another contradicts; a
memory that no surviving one covers stays as it is. What is not certain by rule, or is more than the cap of a run,
is held for review. A run can be rolled back as a whole.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import combinations
from typing import Any, Literal

from . import diets, wishes
from .attributes import Category, attribute
from .canonical import about, broader, items, numbers, same_but_for_number
from .claims import means, topic_of
from .records import Kind, Memory, Origin, Status
from .text import content_words

MOST_IN_GROUP = 40
"""Memories shown together at most: what a small model can compare."""


class RunState(StrEnum):
    """What became of a run."""

    APPLIED = "applied"
    HELD = "held"  # waits for a person
    ROLLED_BACK = "rolled back"


@dataclass(frozen=True, slots=True)
class Group:
    """Active memories of one subject and topic, oldest first.

    `conflicts` are pairs of ids that cannot both hold.
    """

    members: tuple[Memory, ...]
    said: Mapping[str, datetime]
    """When each was last said, by id."""
    conflicts: frozenset[tuple[str, str]] = frozenset()


@dataclass(frozen=True, slots=True)
class Ruling:
    """`drop` gives way to `keep`: it says the same (merge), or no longer holds (supersede). Memory ids."""

    action: Literal["merge", "supersede"]
    keep: str
    drop: str


@dataclass(frozen=True, slots=True)
class Step:
    """A ruling bound to the versions it was made on; it is applied to no other."""

    ruling: Ruling
    keep_version: int
    drop_version: int

    def as_json(self) -> dict[str, Any]:
        """Ids and versions: nothing in it to forget."""
        r = self.ruling
        return {"action": r.action, "keep": [r.keep, self.keep_version], "drop": [r.drop, self.drop_version]}

    @classmethod
    def of_json(cls, kept: Mapping[str, Any]) -> "Step":
        """Read `as_json` back."""
        keep, drop = kept["keep"], kept["drop"]
        return cls(Ruling(kept["action"], keep[0], drop[0]), keep[1], drop[1])


@dataclass(frozen=True, slots=True)
class Sorted:
    """Rulings sorted by what may be done with them. `refused` pairs each with the reason."""

    certain: tuple[Step, ...]
    uncertain: tuple[Step, ...]
    refused: tuple[tuple[Ruling, str], ...]


def groups(active: Iterable[Memory], said: Mapping[str, datetime]) -> list[Group]:
    """What there may be to settle: every topic with several memories, with the pairs that cannot both hold.

    `said` is when each was last said. Whether two say the same in other words is for a judge, who is asked about no
    memory that stands alone.
    """
    by_topic: dict[tuple[str, str, str], list[Memory]] = {}
    for memory in active:
        if memory.status is Status.ACTIVE and memory.kind in (Kind.FACT, Kind.OBSERVATION, Kind.PROCEDURE):
            family = "procedure" if memory.kind is Kind.PROCEDURE else "fact"
            by_topic.setdefault((family, about(memory.subject), _field(memory)), []).append(memory)
    found = []
    for members in by_topic.values():
        members.sort(key=lambda m: said.get(m.id, m.recorded_at))
        for at in range(0, len(members), MOST_IN_GROUP):
            part = members[at : at + MOST_IN_GROUP]
            clashes = frozenset(
                (a.id, b.id) for a, b in combinations(part, 2) if contradicts(a, b) or contradicts(b, a)
            )
            if len(part) > 1:
                found.append(Group(tuple(part), {m.id: said.get(m.id, m.recorded_at) for m in part}, clashes))
    return found


def by_rule(group: Group) -> list[Ruling]:
    """What rules alone decide: exact repetitions are merged into the oldest. Contradictions wait for a judge."""
    found = []
    kept: list[Memory] = []
    for memory in group.members:
        twin = next((m for m in kept if _key(m) == _key(memory)), None)
        if twin is None:
            kept.append(memory)
        else:
            found.append(Ruling("merge", twin.id, memory.id))
    return found


def sort_rulings(rulings: Iterable[Ruling], group: Group) -> Sorted:
    """What of a judge's rulings is certain, what wants a person, and what is refused."""
    known = {m.id: m for m in group.members}
    dropped: set[str] = set()
    kept: set[str] = set()
    certain: list[Step] = []
    uncertain: list[Step] = []
    refused: list[tuple[Ruling, str]] = []
    for ruling in rulings:
        reason = _refusal(ruling, known, dropped, kept)
        if reason is not None:
            refused.append((ruling, reason))
            continue
        keep, drop = known[ruling.keep], known[ruling.drop]
        dropped.add(drop.id)
        kept.add(keep.id)
        step = Step(ruling, keep.version, drop.version)
        sure = covers(keep, drop) if ruling.action == "merge" else _excluded(keep, drop, group)
        (certain if sure else uncertain).append(step)
    return Sorted(tuple(certain), tuple(uncertain), tuple(refused))


def covers(keep: Memory, drop: Memory) -> bool:
    """Whether everything that `drop` says is said by `keep`: same side, same numbers, its words among keep's."""
    if keep.polarity != drop.polarity or numbers(keep.value) != numbers(drop.value):
        return False
    kept, gone = means(keep), means(drop)
    if kept == gone or set(items(gone)) <= set(items(kept)):
        return True
    said = content_words(gone)
    return bool(said) and said <= content_words(kept)


def contradicts(one: Memory, other: Memory) -> bool:
    """Whether two active memories cannot both hold: marked so, by kind ("no alcohol", "wine"), or by a diet."""
    if one.conflicts_with == other.id:
        return True
    left, right = topic_of(one), topic_of(other)
    value, second = means(one), means(other)
    if Kind.PROCEDURE in (one.kind, other.kind):
        return one.kind is other.kind and left == right and wishes.clash(value, second) is not None
    if left != right:
        return left == "diet" and diets.clash(one, other)
    if one.polarity != other.polarity:
        return broader(value, second) if other.polarity else False
    single_slot = attribute(left).single and one.polarity and value != second
    changed_number = attribute(left).category is Category.OTHER and same_but_for_number(value, second)
    return (single_slot and about(one.subject) == "user") or changed_number


def removals(steps: Sequence[Step]) -> int:
    """How many memories a plan takes out of the active ones."""
    return len({s.ruling.drop for s in steps})


def _field(memory: Memory) -> str:
    """Topics compared together: a diet is held against what is eaten and drunk, and liked in spite of it."""
    name = topic_of(memory)
    in_spite = name == "likes" and memory.conflicts_with is not None
    return "food" if in_spite or name in ("diet", "eats", "drinks") else name


def _key(memory: Memory) -> tuple[str, str, bool]:
    return topic_of(memory), means(memory), memory.polarity


def _excluded(keep: Memory, drop: Memory, group: Group) -> bool:
    """Whether rules know that both cannot hold, so that a judge may say which does. A fact does not give way to an
    observation without a person."""
    marked = (keep.id, drop.id) in group.conflicts or (drop.id, keep.id) in group.conflicts
    return marked and not (keep.kind is Kind.OBSERVATION and drop.kind is not Kind.OBSERVATION)


def _refusal(ruling: Ruling, known: Mapping[str, Memory], dropped: set[str], kept: set[str]) -> str | None:
    keep, drop = known.get(ruling.keep), known.get(ruling.drop)
    if keep is None or drop is None or keep is drop:
        return "it names a memory that was not shown"
    if drop.id in dropped or drop.id in kept or keep.id in dropped:
        return "it contradicts another ruling"
    if drop.pinned or drop.origin is Origin.CORRECTED:
        return "the user pinned or corrected this memory"
    if ruling.action == "merge" and topic_of(keep) != topic_of(drop):
        return "they speak of different things"
    if ruling.action == "merge" and keep.polarity != drop.polarity:
        return "one affirms what the other denies"
    if ruling.action == "merge" and numbers(keep.value) != numbers(drop.value):
        return "they differ in a number"
    if ruling.action == "merge" and keep.kind is Kind.OBSERVATION and drop.kind is not Kind.OBSERVATION:
        return "a fact does not give way to an observation"
    return None
