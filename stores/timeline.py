"""What holds of one topic, and what held before: a pure function of what was said about it, in whatever order it
came to be known.

Claims are read in the order in which they were *said*. A run of claims that say the same is a spell; each spell
is one memory. A spell is over when something newer that excludes it has the authority to end it; when it has
not, or when it is unclear whether both can hold, both stay and are marked as in conflict:

    the newer claim                     the spell it meets                       outcome
    a correction by the user            any it excludes                          supersedes
    stated                              corrected or pinned                      conflict
    implied (an observation)            a fact                                   conflict
    generalised (repeated, reflected)   a stated fact                            conflict
    stated                              excluded outright: another value of a    supersedes
                                        single-valued attribute, the opposite
    stated                              excluded in passing: "no alcohol" and    conflict
                                        "two glasses of wine"; 114 and 115
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from . import wishes
from .attributes import Category, attribute
from .canonical import broader, is_single, items, same_but_for_number, topic
from .claims import Claim, Identity, Key, means
from .records import AUTHORITY, Kind, Origin

REPEATS = 3
REPEAT_SESSIONS = 2
"""An observation becomes a fact when it rests on so many messages in so many sessions."""

GENERALISED = frozenset((Origin.REPEATED, Origin.OBSERVED, Origin.SUMMARIZED, Origin.REFLECTED))
"""What was concluded rather than said. It never ends what the user said."""


class Clash(Enum):
    """How a claim excludes a spell."""

    OUTRIGHT = "outright"
    IN_PASSING = "in passing"
    SAID_ANEW = "said anew"
    """The spell denies one value and the claim names another: it is true still, and no longer worth saying."""


@dataclass(slots=True, eq=False)
class Spell:
    """A run of claims that say the same; grows while claims are read."""

    key: Key
    claims: list[Claim] = field(default_factory=list)
    pinned: bool = False
    ended_by: "Spell | None" = None
    ended_at: datetime | None = None
    ended_beside: str | None = None
    """Id of the memory of another topic that ended it."""
    rivals: "dict[int, tuple[Spell, bool]]" = field(default_factory=dict)
    """Spells in conflict with it by identity, each with whether that one speaks against this one: the newer of both
    does, but what the user corrected is spoken against by nothing."""

    @property
    def is_over(self) -> bool:
        """Whether it no longer holds."""
        return self.ended_at is not None

    def end(self, at: datetime, by: "Spell | None" = None, beside: str | None = None) -> None:
        """It holds no longer, since `at`: by a spell of its topic, or a memory beside it. Nothing clashes with it."""
        self.ended_at, self.ended_by, self.ended_beside = at, by, beside
        for rival, _ in self.rivals.values():
            rival.rivals.pop(id(self), None)
        self.rivals.clear()

    @property
    def began(self) -> datetime:
        """When it was true from, as far as is known."""
        dated = [c.says.valid_from for c in self.claims if c.says.valid_from is not None]
        return min([*dated, self.claims[0].at, *([self.ended_at] if self.ended_at is not None else [])])

    @property
    def origin(self) -> Origin:
        """The strongest authority it stands on."""
        strongest = min((c.says.origin for c in self.claims), key=AUTHORITY.index)
        return Origin.REPEATED if strongest is Origin.OBSERVED and self.is_repeated else strongest

    @property
    def is_repeated(self) -> bool:
        """Whether it was implied often enough, in enough sessions, to count as a fact."""
        messages = {c.says.span.message_id for c in self.claims}
        return len(messages) >= REPEATS and len({c.session_id for c in self.claims}) >= REPEAT_SESSIONS

    @property
    def kind(self) -> Kind:
        """A fact once one claim is, or it is repeated enough."""
        kinds = [c.says.kind for c in self.claims if c.says.kind is not Kind.OBSERVATION]
        if kinds:
            return kinds[0]
        return Kind.FACT if self.is_repeated else Kind.OBSERVATION

    @property
    def wording(self) -> Claim:
        """The claim whose words it is kept in: the first of the strongest authority, in its own words."""
        return min(
            self.claims, key=lambda c: (AUTHORITY.index(c.says.origin), c.key != self.key, *c.position)
        )

    @property
    def is_protected(self) -> bool:
        """Corrected or pinned: only a correction may end it."""
        return self.pinned or self.is_corrected

    @property
    def is_corrected(self) -> bool:
        """Put right by the user."""
        return any(c.says.origin is Origin.CORRECTED for c in self.claims)

    @property
    def rival(self) -> "Spell | None":
        """The newest spell it is in conflict with."""
        return max((r for r, _ in self.rivals.values()), key=lambda r: r.claims[-1].position, default=None)

    @property
    def is_doubted(self) -> bool:
        """Whether something speaks against it: what is newer, or a correction."""
        return any(against for _, against in self.rivals.values())


def spells(
    claims: Iterable[Claim], *, pinned: Collection[Identity] = (), same: Mapping[Key, Key] | None = None
) -> list[Spell]:
    """Read the claims of one topic; each once. Spells come in the order in which they began to be spoken of.

    `pinned`: claims of memories that the user pinned. `same`: keys that a ruling merged into others.
    """
    found: list[Spell] = []
    seen: set[Identity] = set()
    for claim in sorted(claims, key=lambda c: c.position):
        if claim.identity not in seen:
            seen.add(claim.identity)
            _read(claim, found, claim.identity in pinned, same or {})
    _link_past(found)
    return found


def _read(claim: Claim, found: list[Spell], pinned: bool, same: Mapping[Key, Key]) -> None:
    key = same.get(claim.key, claim.key)
    current = [] if claim.is_past else [s for s in found if not s.is_over]
    spoken_of = _spoken_of(key, current)
    if claim.is_past:
        spoken_of = [
            s for s in found if s.key == key and s.ended_by is None and s.ended_at == claim.says.valid_to
        ]
    if not spoken_of:
        spoken_of = [Spell(key)]
        found.extend(spoken_of)
    for spell in spoken_of:
        spell.claims.append(claim)
        spell.pinned = spell.pinned or pinned
        if claim.is_past:
            spell.ended_at = claim.says.valid_to
    for other in current:
        if other not in spoken_of:
            _meet(claim, key, other, spoken_of[0])


def _spoken_of(key: Key, current: Sequence[Spell]) -> list[Spell]:
    """The spells that a claim says again: the one with its meaning, the parts of its list, or the list it is of."""
    exact = [s for s in current if s.key == key]
    if exact:
        return exact
    value, polarity = key
    alike = {s.key[0]: s for s in current if s.key[1] == polarity}
    parts = items(value)
    if len(parts) > 1:
        return [alike[part] for part in parts] if all(part in alike for part in parts) else []
    return [s for named, s in alike.items() if value in items(named)][:1]


def _meet(claim: Claim, key: Key, other: Spell, spell: Spell) -> None:
    clash = _clash(claim, key, other)
    if clash is None:
        return
    if _may_end(claim, other, clash):
        since = claim.says.valid_from
        other.end(since if since is not None and since >= other.began else claim.at, by=spell)
    elif clash is not Clash.SAID_ANEW:
        other.rivals[id(spell)] = (spell, not other.is_corrected)
        spell.rivals[id(other)] = (other, other.is_corrected)


def _may_end(claim: Claim, other: Spell, clash: Clash) -> bool:
    if claim.says.origin is Origin.CORRECTED:
        return True
    if other.is_protected or claim.says.kind is Kind.OBSERVATION:
        return False
    if other.kind is Kind.OBSERVATION:
        return True
    if claim.says.origin in GENERALISED and other.origin not in GENERALISED:
        return False
    return clash is not Clash.IN_PASSING


def _clash(claim: Claim, key: Key, other: Spell) -> Clash | None:
    says, name = claim.says, topic(claim.says.attribute)
    value, polarity = key
    named, affirmed = other.key
    if says.instead_of is not None and means(says, says.instead_of) == named:
        return Clash.OUTRIGHT
    if affirmed == polarity and any(
        c.says.instead_of is not None and means(c.says, c.says.instead_of) == value for c in other.claims
    ):
        return Clash.OUTRIGHT
    if says.kind is Kind.PROCEDURE:
        ends = wishes.clash(value, named)
        return None if ends is None else Clash.OUTRIGHT if ends else Clash.IN_PASSING
    if affirmed != polarity:
        return _opposed(says.ends, value, polarity, named, is_single(says.subject, name))
    if not polarity:
        return None
    if is_single(says.subject, name):
        return Clash.OUTRIGHT
    if attribute(name).category is Category.OTHER and same_but_for_number(value, named):
        return Clash.IN_PASSING
    return None


def _opposed(ends: bool, value: str, polarity: bool, named: str, single: bool) -> Clash | None:
    """Between a claim and a spell of which one affirms and the other denies."""
    if value == named:
        return Clash.OUTRIGHT
    denied, held = (named, value) if polarity else (value, named)
    if broader(denied, held):
        return Clash.OUTRIGHT if ends else Clash.IN_PASSING
    return Clash.SAID_ANEW if single and polarity else None


def _link_past(found: list[Spell]) -> None:
    """What was over when it was told is followed by what began next, where one value follows another."""
    for spell in found:
        first = spell.claims[0]
        if spell.ended_at is None or spell.ended_by is not None or not spell.key[1]:
            continue
        if is_single(first.says.subject, topic(first.says.attribute)):
            later = [
                s
                for s in found
                if s.key[1] and s.began >= spell.ended_at and _beginning(s) > _beginning(spell)
            ]
            spell.ended_by = min(later, key=_beginning, default=None)


def _beginning(spell: Spell) -> tuple[datetime, tuple[datetime, int, int, str]]:
    return spell.began, spell.claims[0].position
