"""What a question says about where its answer stands: whose words, which days, what kind of thing. Pure."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from ..records import Role


class Cue(StrEnum):
    """The kind of thing asked for."""

    TIME = "time"
    NUMBER = "number"
    NAME = "name"


@dataclass(frozen=True, slots=True)
class Names:
    """What the two speakers are called, as far as known; a name may have several words."""

    user: str = ""
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the ranking reads it.

    `keywords` is the text for the keyword leg (pass it to `stores.text.match`): speakers' names are left out,
    they stand in half of all turns. `speaker` is whose words answer it, when the question says so.
    """

    text: str
    keywords: str
    now: datetime
    speaker: Role | None = None
    cue: Cue | None = None


_CUES = (
    (
        Cue.NUMBER,
        re.compile(
            r"\bhow (?:many|much)\b|多少|几(?:个|次|只|本|张|人|岁|天|年)|幾(?:個|次|隻|本|張|人|歲|天|年)"
        ),
    ),
    (
        Cue.TIME,
        re.compile(
            r"\bwhen\b|\bhow long\b|\b(?:what|which) (?:date|day|month|year|time)\b"
            r"|什么时候|什麼時候|何时|哪天|哪年|哪个月|哪一[天年]|几[月号点]|多久|多长时间"
        ),
    ),
    (
        Cue.NAME,
        re.compile(r"^(?:in )?(?:where|who|which)\b|哪里|哪裡|哪儿|谁|誰|什么地方|哪个|哪家|哪座|哪所|哪国"),
    ),
)


def _mentioned(name: str, text: str) -> bool:
    return (
        bool(name)
        and re.search(rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", text, re.IGNORECASE) is not None
    )


def read(text: str, now: datetime | None = None, names: Names | None = None) -> Question:
    """Read a question; the clock is the caller's."""
    names = names or Names()
    user, agent = _mentioned(names.user, text), _mentioned(names.agent, text)
    speaker = None if user == agent else Role.USER if user else Role.ASSISTANT
    keywords = text
    for name in (names.user, names.agent):
        if name:
            keywords = re.sub(
                rf"(?<!\w){re.escape(name)}(?:['’]s)?(?!\w)", " ", keywords, flags=re.IGNORECASE
            )
    lower = text.lower()
    cue = next((cue for cue, pattern in _CUES if pattern.search(lower)), None)
    return Question(text, keywords, now or datetime.now(UTC), speaker, cue)
