"""What the agent said of itself, chose or recommended: kind `self`, resting on its own words."""

import re
from collections.abc import Iterator

from ....stores.records import Candidate, Kind
from ...extraction.masks import has_secret
from .sentences import Sentence

SUBJECT = "agent"

_FAVOURITE = re.compile(
    r"\bmy (?:own |personal |absolute |all-time )?favou?rite (?P<what>[a-z]+(?: [a-z]+)?) (?:is|was|"
    r"has to be|would be) (?P<value>[^,.;:!?()]{2,60})$",
    re.I,
)
_CHOSE = re.compile(
    r"(?:^|[,;] |\b(?:and|so|but|then) )i(?:'ve| have)? (?P<verb>chose|chosen|picked|went with|named it|"
    r"decided on|settled on|recommend(?:ed)?|suggest(?:ed)?)(?: you)? (?P<value>(?!to\b)(?!that\b|you\b|"
    r"it\b|this\b|them\b)[^.;:!?()]{2,80})$"
    r"|(?:^|[,;] )i(?:'d| would) (?P<would>recommend|suggest|go with|pick|choose) (?P<value2>(?!that\b|"
    r"you\b|it\b|this\b|them\b)[^.;:!?()]{2,80})$",
    re.I,
)
_FOR_YOU = re.compile(
    r"^(?:[\w ]{0,20}, )?i(?:'ll| will) (?P<value>"
    r"(?!not\b|never\b|need\b|remember\b|(?:always )?be (?:here|there)\b)[^.;:!?()]{3,90} for you[^.;:!?()]{0,40})$",
    re.I,
)
_FAVOURITE_ZH = re.compile(
    r"我(?:自己|个人)?最(?:喜欢|爱)的(?P<what>[\u4e00-\u9fff]{1,6})(?:就?是)(?P<value>[^，。！？,]{1,20})$"
)
_CHOSE_ZH = re.compile(
    r"(?:^|，)我(?P<verb>选了|选择了|选的是|推荐|建议)(?:你|您|大家)?(?P<value>[^，。！？,]{2,30})$"
)
_FOR_YOU_ZH = re.compile(r"(?:^|，)我会(?P<value>(?:帮|为|替|给)(?:你|您)(?!记)[^，。！？,]{2,30})$")
_NOT_MEANT = re.compile(
    r"\b(?:you (?:said|told|mentioned|wrote|asked)|if|would you|unless|might|maybe|perhaps|as an ai|"
    r"don'?t have|happy to|sorry|cannot|can'?t|unable|i will not|once you|let me know if|just (?:say|"
    r"tell))\b|你(?:说|提到|告诉)|如果|要是|也许|"
    r"可能|抱歉|无法|不能",
    re.I,
)
_ANSWER_FOLLOWS = re.compile(r"[:：]\s*$")


def self_memories(said: list[Sentence]) -> Iterator[Candidate]:
    """What an assistant's message commits it to being or having said; not its explanations, nor its "
    "courtesies."""
    for sentence in said:
        text = sentence.text.replace("’", "'")
        if sentence.asks or _NOT_MEANT.search(text) or has_secret(text):
            continue
        after = sentence.message.content[sentence.end : sentence.end + 2]
        if _ANSWER_FOLLOWS.search(after):
            continue
        found = _read(text)
        if found is None:
            continue
        attribute, (start, end) = found
        start, end = _trimmed(text, start, end)
        yield Candidate(
            subject=SUBJECT,
            attribute=attribute,
            value=sentence.said[start:end],
            statement=f"{sentence.said}{'。' if sentence.chinese else '.'}",
            span=sentence.whole,
            kind=Kind.SELF,
        )


def _read(text: str) -> tuple[str, tuple[int, int]] | None:
    match = _FAVOURITE.search(text) or _FAVOURITE_ZH.search(text)
    if match is not None:
        return f"favourite_{match['what'].lower().replace(' ', '_')}", match.span("value")
    match = _CHOSE.search(text)
    if match is not None:
        verb = (match["verb"] or match["would"]).lower()
        recommended = verb.startswith(("recommend", "suggest"))
        return "recommended" if recommended else "chose", match.span("value" if match["value"] else "value2")
    match = _CHOSE_ZH.search(text)
    if match is not None:
        return "chose" if match["verb"].startswith("选") else "recommended", match.span("value")
    match = _FOR_YOU.match(text) or _FOR_YOU_ZH.search(text)
    return None if match is None else ("promised", match.span("value"))


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without a reason or afterthought behind the value."""
    cut = re.search(
        r"(?:, | because | since | for (?:its|their|the) | so that | when | if | which )", text[start:end]
    )
    return start, start + cut.start() if cut else end
