"""How rapport rises and falls: by stated rules, from counts and tones. Pure."""

from collections.abc import Sequence

from .records import Rapport, Relationship, Tone

LADDER = tuple(Rapport)

SESSIONS = {Rapport.NEW: 0, Rapport.ACQUAINTED: 2, Rapport.FAMILIAR: 6, Rapport.CLOSE: 20}
"""Sessions it takes at least to reach a level. One step at a time, and only on a session that was not frustrating."""

COOLING = 3
"""So many frustrating sessions in a row bring rapport one level down, never below acquainted."""


def next_rapport(before: Rapport, met: Relationship, tones: Sequence[Tone]) -> Rapport:
    """The level after a session; `tones` are those of the last sessions, this one last."""
    rank = LADDER.index(before)
    recent = tones[-COOLING:]
    if len(recent) == COOLING and all(tone is Tone.FRUSTRATING for tone in recent):
        return LADDER[max(rank - 1, min(rank, 1))]
    if tones and tones[-1] is Tone.FRUSTRATING:
        return before
    if rank + 1 < len(LADDER) and met.sessions >= SESSIONS[LADDER[rank + 1]]:
        return LADDER[rank + 1]
    return before
