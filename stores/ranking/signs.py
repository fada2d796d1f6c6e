"""What a turn's wording says: whether it asks, and whether it holds the kind of thing asked for. Pure."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from . import dates
from .question import Cue

_TIME = re.compile(
    r"\b(?:yesterday|to(?:day|night|morrow)|last|next|ago|week(?:end)?s?|months?|years?|days?|since|recently"
    rf"|(?:mon|tues|wednes|thurs|fri|satur|sun)day|{'|'.join(dates.MONTHS)}|(?:19|20)\d\d)\b"
    r"|昨[天晚]|今[天早晚年]|明[天年]|后天|前天|[上下这]个?(?:周|星期|礼拜|月)|周[一二三四五六日末]|[去前]年"
    r"|[\d一二三四五六七八九十初底]月|\d年|\d[日号]|[天周月年]前"
)
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|couple|few|several|dozen|once|twice)\b"
    r"|[两三四五六七八九十百千][^\W\d]"
)
_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]+|\"[A-Z]|[《「“]")


def asks(texts: Sequence[str]) -> NDArray[np.float64]:
    """Return 1 for each turn that ends in a question mark; a bracketed remark after it (a caption) is no
    matter."""
    return np.fromiter((_spoken(text).endswith(("?", "？")) for text in texts), float, len(texts))


def _spoken(text: str) -> str:
    text = text.rstrip()
    return text.rpartition("[")[0].rstrip() if text.endswith("]") else text


def holds(cue: Cue, texts: Sequence[str]) -> NDArray[np.float64]:
    """Return 1 for each turn that holds a word for a time, a number or a name."""
    if cue is Cue.NAME:
        found = (_NAME.search(text) is not None for text in texts)
    else:
        pattern = _TIME if cue is Cue.TIME else _NUMBER
        found = (pattern.search(text.lower()) is not None for text in texts)
    return np.fromiter(found, float, len(texts))
