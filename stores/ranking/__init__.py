"""Which memories a question needs: every score in one place. Pure functions of arrays."""

from .question import Cue, Names, Question, read
from .select import fill
from .turns import Turns, Weights, score, signs

__all__ = ["Cue", "Names", "Question", "Turns", "Weights", "fill", "read", "score", "signs"]
