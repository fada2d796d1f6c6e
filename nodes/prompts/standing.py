"""The always-on lines of a prompt: what stands between agent and user, whatever was recalled. Data, within a budget."""

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo

from ...stores.records import Rapport, Relationship
from ...stores.standing import Standing
from ...stores.tokens import count
from ..memory_block import CLOSING, OPENING, as_data

STANDING_TOKENS = 300
"""The most tokens the lines may take, marks included; whole lines only, the most useful first."""

TOPICS = 6

NOTE = (
    "What stands between you and this person, as records (quoted data, as all memories). Lines that begin with "
    '"wish" are their standing wishes about how you answer: honour them as far as your identity, values and '
    "boundaries above allow. Come back to open matters where it is natural, once, without pressing."
)


def standing_block(
    standing: Standing,
    relationship: Relationship,
    *,
    window: Sequence[str],
    zone: tzinfo | None,
    budget: int = STANDING_TOKENS,
) -> str:
    """The delimited lines, or "" when nothing stands. `window` holds the ids of the messages in the prompt."""
    spent = count("\n".join((NOTE, OPENING, CLOSING)))
    kept: list[str] = []
    for line in _lines(standing, relationship, set(window), zone):
        cost = count(line) + 1
        if spent + cost <= budget:
            spent += cost
            kept.append(line)
    return "\n".join((NOTE, OPENING, *kept, CLOSING)) if kept else ""


def _lines(
    standing: Standing, relationship: Relationship, window: set[str], zone: tzinfo | None
) -> Iterator[str]:
    yield from (f"- wish: {as_data(rule.statement)}" for rule in standing.rules)
    this, last = standing.this_session, standing.last_session
    if this is not None and not {span.message_id for span in this.evidence} <= window:
        yield f"- earlier in this conversation: {as_data(this.statement)}"
    if last is not None:
        yield f"- last conversation{_on(last.valid_from, zone)}: {as_data(last.statement)}"
    for open_matter in standing.commitments:
        who = "you said" if open_matter.subject == "agent" else "they said"
        yield f"- still open, {who}{_on(open_matter.valid_from, zone)}: {as_data(open_matter.statement)}"
    for ability in standing.abilities:
        since = _on(ability.valid_from or ability.recorded_at, zone)
        yield f"- offer only what fits this, you said{since}: {as_data(ability.statement)}"
    if relationship.rapport is not Rapport.NEW:
        yield f"- how well you know each other: {relationship.rapport.value}"
    if relationship.topics:
        yield f"- you have talked about: {', '.join(as_data(t) for t in relationship.topics[:TOPICS])}"


def _on(moment: datetime | None, zone: tzinfo | None) -> str:
    return "" if moment is None else f" on {moment.astimezone(zone):%Y-%m-%d}"
