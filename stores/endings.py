"""What a statement of one topic ends in others: a divorce, a parting, a death. Pure.

Read across topics: "I got divorced" says who the wife is no more, "Rex died" that there is no dog Rex. What is ended
stays, as past. Where it is not sure that it is meant, both stand in conflict.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from .attributes import ATTRIBUTES, IN_CHINESE, Category, attribute
from .canonical import about, meaning, names_of, topic
from .claims import means, topic_of
from .reconcile import Known
from .records import Candidate, Kind, Memory, Origin, Status
from .timeline import Spell

ENDING = ("marital_status", "separated_from", "death")
"""The topics whose statements end others."""

Names = Mapping[str, Collection[str]]
"""Who goes by a name: "rex" is the "dog" too."""

_SPOUSES = frozenset(("wife", "husband", "spouse"))
_BETROTHED = frozenset(("girlfriend", "boyfriend", "fiancé", "fiancée"))
_PARTNERS = _SPOUSES | _BETROTHED | {"partner"}
_NOBODY: frozenset[str] = frozenset()
_STATES = {  # what somebody is: the partners that this ends, and those that it only speaks against
    **dict.fromkeys(("divorced", "widowed", "离婚", "离异", "丧偶"), (_SPOUSES, frozenset(("partner",)))),
    **dict.fromkeys(("single", "单身", "独身"), (_BETROTHED | {"partner"}, _SPOUSES)),
    **dict.fromkeys(("separated", "unmarried", "分居", "未婚"), (_NOBODY, _SPOUSES | {"partner"})),
}
_MARRIED = frozenset(("married", "已婚", "结婚"))
_CALLED = {
    **dict.fromkeys("妻子 老婆 太太 媳妇".split(), "wife"),
    **dict.fromkeys("hubby 丈夫 老公 先生".split(), "husband"),
    **dict.fromkeys("女朋友 女友".split(), "girlfriend"),
    **dict.fromkeys("男朋友 男友".split(), "boyfriend"),
    "爱人": "spouse",
    "未婚夫": "fiancé",
    "未婚妻": "fiancée",
    "伴侣": "partner",
}
_LIVING = frozenset((Category.WORK, Category.HEALTH, Category.HABIT, Category.PREFERENCE))
_OF_LIFE = frozenset("age lives_in timezone studies studies_at school_year learning marital_status".split())
_NAMING = re.compile(r"\b(?:named|called)\b|叫")


@dataclass(frozen=True, slots=True)
class Ending:
    """What speaks against a spell from another topic: a memory, when it was said, and whether that ends the spell."""

    by: Memory
    at: datetime
    sure: bool


def endable(subject: str, name: str) -> bool:
    """Whether statements of this topic can be ended from another."""
    kept = topic(name)
    if about(subject) == "user":
        return kept in _PARTNERS or kept == "has_pet"
    return kept == "name" or _is_of_life(kept)


def endable_names() -> tuple[str, ...]:
    """Every attribute that can be ended for somebody."""
    topics = [*_PARTNERS, "has_pet", "name", *filter(_is_of_life, ATTRIBUTES)]
    return tuple(sorted({name for one in topics for name in names_of(topic(one))}))


def ends(ender: Candidate | Memory, other: Candidate | Memory, names: Names) -> bool | None:
    """Whether `ender` ends `other`: True surely, False perhaps, None not at all."""
    name = topic_of(ender)
    if not other.polarity or ender.kind not in _STATED or name not in ENDING:
        return None
    if name == "death":
        return _dies(ender, other, names) if ender.polarity else None
    if about(ender.subject) != "user" or about(other.subject) != "user" or topic_of(other) not in _PARTNERS:
        return None
    return _parts(ender, other) if name == "separated_from" else _is_so(ender, other)


def ending(spell: Spell, enders: Sequence[Known], names: Names) -> Ending | None:
    """What ends a spell, or speaks against it: the first that ends it since it was last said, else the newest."""
    last, says = spell.claims[-1], spell.wording.says
    found: list[Ending] = []
    for known in enders:
        for claim in sorted(known.claims, key=lambda c: c.position):
            sure = ends(claim.says, says, names)
            since = claim.says.valid_from
            before = claim.position[:3] < last.position[:3]  # "my dog Rex died" says both at once
            if sure is None or before or (since is not None and since < spell.began):
                continue
            weak = claim.says.kind is Kind.OBSERVATION and spell.kind is not Kind.OBSERVATION
            firm = spell.is_protected and claim.says.origin is not Origin.CORRECTED
            found.append(Ending(known.memory, since or claim.at, sure and not weak and not firm))
    sure_ones = [one for one in found if one.sure]
    if sure_ones:
        return min(sure_ones, key=lambda one: one.at)
    active = [one for one in found if one.by.status is Status.ACTIVE]
    return max(active, key=lambda one: one.at, default=None)


def has_name(value: str, name: str) -> bool:
    """Whether a value is a name, or holds it as a word."""
    return value == name or (f" {name} " in f" {value} " if name.isascii() else name in value)


_STATED = (Kind.FACT, Kind.OBSERVATION)


def _is_of_life(kept: str) -> bool:
    return kept in _OF_LIFE or attribute(kept).category in _LIVING


def _is_so(ender: Candidate | Memory, other: Candidate | Memory) -> bool | None:
    value, partner = means(ender), topic_of(other)
    if value in _MARRIED and partner in _SPOUSES:
        over = isinstance(ender, Candidate) and ender.ends
        return None if ender.polarity else over
    ended, doubted = _STATES.get(value, (_NOBODY, _NOBODY))
    if not ender.polarity:
        return None
    return True if partner in ended else False if partner in doubted else None


def _parts(ender: Candidate | Memory, other: Candidate | Memory) -> bool | None:
    if not ender.polarity:
        return None
    return True if _is_called(means(ender), other) else None


def _is_called(name: str, partner: Candidate | Memory) -> bool:
    """Whether a name, or a word for a partner, means this one."""
    return _CALLED.get(name, name) == topic_of(partner) or has_name(means(partner), name)


def _dies(ender: Candidate | Memory, other: Candidate | Memory, names: Names) -> bool | None:
    who = about(ender.subject)
    every = {who, *names.get(who, ())}
    if about(other.subject) != "user":
        gone, kept = about(other.subject) in every, topic_of(other)
        if kept == "name":  # what a pet was called; one's father keeps his name
            pet = attribute(about(other.subject)).category is Category.OTHER
            return True if pet and gone and (who == about(other.subject) or means(other) == who) else None
        return True if gone and _is_of_life(kept) else None
    if topic_of(other) in _PARTNERS:
        return True if any(_is_called(one, other) for one in every) else None
    return _had_pet(who, every, means(other)) if topic_of(other) == "has_pet" else None


def _had_pet(who: str, every: Collection[str], pet: str) -> bool | None:
    """Whether a pet is the one that died; of two dogs, or of "my dog" and a dog by name, it is not sure."""
    words = {word for one in every for word in (meaning(one, "has_pet"), IN_CHINESE.get(one, one))}
    if pet in words:
        return True
    kind, *called = (part.strip() for part in _NAMING.split(pet))
    if called:
        return True if called[-1] in words else False if kind == who else None
    return False if any(has_name(pet, word) for word in words) else None
