"""What topics mean for one another: a diet for what is eaten, a divorce for who the wife is.

Functions over one open connection; read only. What they find is written with the topic it bears on.
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from . import diets, endings, memory_rows, topic_claims
from .canonical import about, topic
from .claims import means, topic_of
from .reconcile import Known, Outline
from .records import Candidate, Kind, Memory, Origin, Status
from .schema import memories
from .text import fold
from .timeline import Spell

Said = Candidate | Memory
_FACTS = (Kind.FACT, Kind.OBSERVATION)


def against(connection: Connection, scope_row: int, outline: Outline) -> dict[int, tuple[str, bool]]:
    """For each spell that a memory of another topic speaks against: the newest such, and whether it is the newer.

    A spell that such a memory has ended is over from here on.
    """
    spells = [standing.spell for standing in outline]
    says = spells[0].claims[0].says if spells else None
    if says is None or says.kind not in _FACTS:
        return {}
    return {**_left_out(connection, scope_row, says, spells), **_ended(connection, scope_row, says, spells)}


def touched(connection: Connection, scope_row: int, changed: Sequence[Said]) -> list[list[Known]]:
    """The topics beside that of `changed` on which these statements bear, each with all that is known of it."""
    if not changed or changed[0].kind not in _FACTS:
        return []
    first = changed[0]
    topics = {(first.subject, name) for name in diets.BESIDE.get(topic(first.attribute), ())}
    if topic(first.attribute) in endings.ENDING:
        topics |= _endangered(connection, scope_row, changed)
    loaded = [topic_claims.load(connection, scope_row, Kind.FACT, *one) for one in sorted(topics)]
    return [known for known in loaded if known]


def is_stranger(connection: Connection, scope_row: int, candidate: Candidate) -> bool:
    """Whether somebody's death is told of whom nothing is known: a singer's, a character's."""
    who = about(candidate.subject)
    if topic_of(candidate) != "death" or candidate.kind not in _FACTS or who != fold(candidate.subject):
        return False
    query = memory_rows.current(scope_row).where(memories.c.kind.in_([kind.value for kind in _FACTS]))
    known = [memory for _, memory in memory_rows.fetch(connection, query)]
    return not any(about(m.subject) == who or endings.has_name(means(m), who) for m in known)


def _left_out(
    connection: Connection, scope_row: int, says: Candidate, spells: Sequence[Spell]
) -> dict[int, tuple[str, bool]]:
    others = [
        known
        for name in diets.BESIDE.get(topic(says.attribute), ())
        for known in topic_claims.load(connection, scope_row, Kind.FACT, says.subject, name)
        if known.memory.status is Status.ACTIVE and known.claims
    ]
    found: dict[int, tuple[str, bool]] = {}
    for spell in [spell for spell in spells if not spell.is_over]:
        rivals = [known for known in others if diets.clash(spell.wording.says, known.memory)]
        if rivals:
            newest = max(rivals, key=lambda known: known.claims[-1].position)
            newer = newest.claims[-1].position > spell.claims[-1].position
            found[id(spell)] = newest.memory.id, newer
    return found


def _ended(
    connection: Connection, scope_row: int, says: Candidate, spells: Sequence[Spell]
) -> dict[int, tuple[str, bool]]:
    if not endings.endable(says.subject, says.attribute):
        return {}
    enders = _enders(connection, scope_row)
    names = _names(connection, scope_row) if enders else {}
    found: dict[int, tuple[str, bool]] = {}
    for spell in spells:
        ending = endings.ending(spell, enders, names)
        if ending is None:
            continue
        if ending.sure and (spell.ended_at is None or ending.at < spell.ended_at):
            spell.end(ending.at, beside=ending.by.id)
        elif not ending.sure:
            found[id(spell)] = ending.by.id, True
    return found


def _enders(connection: Connection, scope_row: int) -> list[Known]:
    """What may end other topics, unless the user has put it right since."""
    known = topic_claims.load_facts(connection, scope_row, endings.ENDING)
    right = {k.memory.id for k in known if k.memory.origin is Origin.CORRECTED}
    return [
        k
        for k in known
        if k.claims and k.memory.status is not Status.MERGED and k.memory.superseded_by not in right
    ]


def _endangered(connection: Connection, scope_row: int, enders: Sequence[Said]) -> set[tuple[str, str]]:
    """Subject and topic of what the statements end, may end, or had ended."""
    names = _names(connection, scope_row)
    known = topic_claims.load_facts(connection, scope_row, endings.endable_names())
    return {
        (k.memory.subject, topic(k.memory.attribute))
        for k in known
        if any(endings.ends(ender, k.memory, names) is not None for ender in enders)
    }


def _names(connection: Connection, scope_row: int) -> dict[str, set[str]]:
    """Who goes by a name, or went by it."""
    names: dict[str, set[str]] = {}
    for known in topic_claims.load_facts(connection, scope_row, ("name",)):
        if (
            known.memory.polarity
            and topic_of(known.memory) == "name"
            and about(known.memory.subject) != "user"
        ):
            names.setdefault(means(known.memory), set()).add(about(known.memory.subject))
    return names
