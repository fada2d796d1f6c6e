"""From what was found, and what has faded, to the changes of a profile that follow. Pure.

Reinforcing never makes a line weaker, and fading never makes one stronger. A person's words are never said otherwise.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ..stores.profile.values import Change, Occasion, ProfileLine, Proposal, is_supported
from ..stores.records import Origin
from ..stores.strength import DORMANT
from .patterns import Pattern

UNSEEN = 30
"""A line that nothing in so many sessions since speaks for is over: habits change, and so do lines drawn from them."""

CITED = 24
"""Most episodes and human words that a line goes on citing, the newest."""

Said = tuple[str, str, str]
"""What a change would have a line say: what it is about, its key, its text ("" where it goes)."""


def grown(
    lines: Sequence[ProfileLine],
    patterns: Iterable[Pattern],
    *,
    occasions: Mapping[str, Occasion],
    strengths: Mapping[str, float],
    unseen: Mapping[str, int],
    settled: Collection[Said],
    ids: Callable[[], str],
) -> list[Change]:
    """The changes that patterns and fading call for; one a line.

    `occasions` say when what the patterns cite took place; by line id, `strengths` how strong each line is now, and
    `unseen` in how many sessions since its newest evidence it did not show. What is `settled` (turned down by a
    person, or waiting for one) is not proposed again.
    """
    known = {(line.about, line.key): line for line in lines}
    found: dict[tuple[str, str], Change] = {}
    for pattern in patterns:
        where = pattern.about, pattern.key
        seen = {e: occasions[e] for e in pattern.episodes if e in occasions}
        if where in found or len(seen) < len(set(pattern.episodes)) or not is_supported(seen.values()):
            continue
        change = _of_pattern(pattern, known.get(where), ids)
        if change is not None and said(change) not in settled:
            found[where] = change
    for line in lines:
        where = line.about, line.key
        over = strengths.get(line.id, 1.0) < DORMANT or unseen.get(line.id, 0) >= UNSEEN
        concluded = line.origin is Origin.REFLECTED and not line.pinned
        if over and concluded and where not in found and (*where, "") not in settled:
            found[where] = Change("remove", line, None)
    return list(found.values())


def said(change: Change) -> Said:
    """What a change would have its line say."""
    return change.line.about, change.line.key, "" if change.after is None else change.after.text


def settled_by(proposals: Iterable[Proposal]) -> set[Said]:
    """What proposals would have lines say."""
    return {said(change) for proposal in proposals for change in proposal.changes}


def _of_pattern(pattern: Pattern, line: ProfileLine | None, ids: Callable[[], str]) -> Change | None:
    if line is None:
        new = ProfileLine(
            id=ids(),
            key=pattern.key,
            text=pattern.statement.strip(),
            about=pattern.about,
            cites=tuple(dict.fromkeys(pattern.episodes))[-CITED:],
            evidence=tuple(dict.fromkeys(pattern.evidence))[-CITED:],
            salience=pattern.salience,
            confidence=pattern.confidence,
        )
        return Change("add", None, new)
    after = reinforced(line, pattern)
    return None if after.says == line.says else Change("replace", line, after)


def reinforced(line: ProfileLine, pattern: Pattern) -> ProfileLine:
    """The line after its pattern was found again: at least as sure, resting on more."""
    own = line.origin is Origin.CORRECTED
    return replace(
        line,
        text=line.text if own or not pattern.statement.strip() else pattern.statement.strip(),
        cites=tuple(dict.fromkeys([*line.cites, *pattern.episodes]))[-CITED:],
        evidence=tuple(dict.fromkeys([*line.evidence, *pattern.evidence]))[-CITED:],
        salience=max(line.salience, pattern.salience),
        confidence=max(line.confidence, pattern.confidence),
    )
