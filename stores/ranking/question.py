"""What a question says about where its answer stands: whose words, which days, what kind of thing. Pure."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ..records import Role
from ..text import terms


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


NAMELESS = Names()


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the ranking reads it.

    `topic` is what to search for, in both legs: embed it as the query; `terms` are its words (`stores.text.terms`).
    Speakers' names are left out of it; they say who spoke, not what about, and turns are indexed as they
    were said. (With names in both, vectors alone find 74 % at 1000 tokens on LoCoMo, with names in
    neither 77 %.) `speaker` is whose words answer it, when the question says so;
    `several` says that the answer may well stand in several places.
    """

    text: str
    topic: str
    terms: tuple[str, ...]
    now: datetime
    speaker: Role | None = None
    cue: Cue | None = None
    several: bool = False


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

_OF_NO_ONE_OCCASION = r"(?:(?!\b(?:did|was|were|will|would)\b)[^?]){0,60}?"
_SEVERAL = re.compile(
    r"\bhow many\b|\bboth\b|\b(?:kind|type|sort)s? of\b"
    rf"|\b(?:what|which|where|who|whom)\b{_OF_NO_ONE_OCCASION}\b(?:do|does|are|has|have)\b"
    r"|\b(?:what|which)(?: \w+){0,2} (?!(?:is|was|his|this|its|us|yes|always)\b)\w+[^s\W]s\b"
    r"|哪些|(?:几|幾|多少)[个個次种種家本部位场場]|[过過](?:什么|什麼|哪)|都.{0,20}(?:什么|什麼|谁|誰|哪)"
)
"""A number is asked for, or things of a kind, or something in the present or perfect tense: "what has she read" is of
all occasions, "what did she read" of one. So are four in five of LoCoMo's multi-hop questions, a third of its
single-hop ones."""

_OPENER = re.compile(
    r"\b(?:(?:do|can|could|would|will) you (?:still |please )?(?:remember|recall|know|tell me|remind me)"
    r"|(?:please )?(?:tell|remind) me)\b|你?(?:还|還)?(?:记得|記得|知道)|告诉我|告訴我",
    re.IGNORECASE,
)
_SAID = {
    Role.USER: re.compile(
        r"\b(?:did|have|had) i\b|\bi (?:say|said|told|mention(?:ed)?)\b|我(?:说|說|讲|提|告)"
    ),
    Role.ASSISTANT: re.compile(
        r"\b(?:did|have|had) you\b|\byou (?:say|said|told|mention(?:ed)?|recommend(?:ed)?|suggest(?:ed)?)\b"
        r"|[你您](?:说|說|讲|提|告|推荐|推薦|建议|建議)"
    ),
}
_MEANT = {
    Role.USER: re.compile(r"\b(?:i|my|me|mine|i'm|i've)\b|我(?!们|們)"),
    Role.ASSISTANT: re.compile(r"\b(?:you|your|yours)\b|[你您](?!们|們)"),
}


def _name(name: str) -> re.Pattern[str] | None:
    return (
        re.compile(rf"(?<![^\W_]){re.escape(name)}(?:['’]s)?(?![^\W_])", re.IGNORECASE)
        if name.strip()
        else None
    )


def _speaker(question: str, named: dict[Role, bool]) -> Role | None:
    """Whose words answer: the one who is named, or is said to have said it, or is meant by I or you."""
    for signs in (
        named,
        *({role: bool(found[role].search(question)) for role in Role} for found in (_SAID, _MEANT)),
    ):
        if signs[Role.USER] != signs[Role.ASSISTANT]:
            return Role.USER if signs[Role.USER] else Role.ASSISTANT
        if signs[Role.USER]:
            return None
    return None


def read(text: str, now: datetime, names: Names = NAMELESS) -> Question:
    """Read a question asked at `now`."""
    patterns = {Role.USER: _name(names.user), Role.ASSISTANT: _name(names.agent)}
    topic = _OPENER.sub(" ", text)
    named = {role: bool(pattern and pattern.search(topic)) for role, pattern in patterns.items()}
    speaker = _speaker(topic.lower(), named)
    for pattern in patterns.values():
        topic = pattern.sub(" ", topic) if pattern else topic
    lower = text.lower()
    cue = next((cue for cue, pattern in _CUES if pattern.search(lower)), None)
    topic = topic if topic.strip(" ?？。.!！") else text
    return Question(text, topic, tuple(terms(topic)), now, speaker, cue, bool(_SEVERAL.search(lower)))
