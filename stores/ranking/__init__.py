"""Which memories a question needs: every score in one place. Pure functions of arrays.

read             what a question says about where its answer stands
score_turns      turns of past conversations
score_memories   facts, procedures, summaries
weighted_sum     either, by the plain weighted sum (profile `seed`)
"""

from .memories import BLEND, Blend, Memories, score_memories, weighted_sum
from .question import NAMELESS, Cue, Names, Question, read
from .turns import DEFAULT, Turns, Weights, score_turns

__all__ = [
    "BLEND",
    "DEFAULT",
    "NAMELESS",
    "Blend",
    "Cue",
    "Memories",
    "Names",
    "Question",
    "Turns",
    "Weights",
    "read",
    "score_memories",
    "score_turns",
    "weighted_sum",
]
