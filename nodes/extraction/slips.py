"""What a message puts right that was said just before it: "No wait, it's teal", 不对，是蓝色. Pure.

It is read as the statement before it with the new value in its place, so it can say no more than that could.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ...stores.attributes import attribute, statement
from ...stores.records import Candidate, Message, Role, Span
from . import extract
from .chinese_clauses import has_chinese

_OOPS = r"(?:oh|oops|ah|uh|hmm|sorry|wait|hang on|no|nope|actually|well|scratch that|correction)"
_SLIP = re.compile(
    rf"\W*(?:{_OOPS}[\s,.!:–—-]+)+(?:it'?s|it is|i meant?(?: to say)?|i should have said|make (?:it|that)|rather)\s+"
    r"(?P<value>[\w'-]+(?: [\w'-]+){0,3}?)(?: (?:now|actually|instead|sorry))?\W*",
    re.I,
)
_SLIP_ZH = re.compile(
    r"\W*(?:(?:哦|啊|呃|等等|等一下|抱歉|对不起|不好意思)[，,。！!\s]*)?(?:我?说错了|不对|不是|错了|口误|更正)[，,。！!:：\s]*"
    r"(?:我?应该|其实)?是(?P<value>[\u4e00-\u9fffA-Za-z0-9]{1,12}?)(?:才对|[啦啊呀了])?\W*"
)
_NO_VALUE = re.compile(
    r"(?:(?:a|an|the|my|your|his|her|our|their|this|that|it|you|me|him|them|not|no|just|only|so|too|very|all|nothing"
    r"|fine|ok|okay|good|great|true|false|right|wrong|over|done|funny|complicated|hard|easy|late|early|time|about|like"
    r"|to|in|on|at|because|what|how|why|that's|been|going|getting)\b|.*[你我他她它这那哪什么])",
    re.I,
)


def is_slip(text: str) -> bool:
    """Whether a message does nothing but put right what was said."""
    return _value(text) is not None


def righted(message: Message, before: Sequence[Message], hidden: Mapping[str, int]) -> Candidate | None:
    """What a slip states, from the messages before it, oldest first; None for any other message.

    It has to follow on what it puts right: what answers a question of the agent's is none.
    """
    value = _value(message.content)
    said = _last_said(before)
    if value is None or said is None or hidden.get(message.id) or hidden.get(said.id):
        return None
    return _anew(message, value, said, before[: before.index(said)], hidden)


def _anew(
    message: Message,
    value: re.Match[str],
    said: Message,
    before: Sequence[Message],
    hidden: Mapping[str, int],
) -> Candidate | None:
    earlier = righted(said, before, hidden) if is_slip(said.content) else None
    stated = [earlier] if earlier else extract(said)
    was = next((one for one in reversed(stated) if _puts_right(one)), None)
    if was is None:
        return None
    if earlier is None:
        clause = said.content[was.span.start : was.span.end]
        read = extract(replace(said, content=clause.replace(was.value, value["value"], 1)))
        meant = [(one.subject, one.attribute, one.value, one.polarity) for one in read]
        if (was.subject, was.attribute, value["value"], True) not in meant:
            return None
    return replace(
        was,
        value=value["value"],
        statement=statement(
            was.attribute, value["value"], subject=was.subject, chinese=has_chinese(message.content)
        ),
        span=Span(message.id, 0, len(message.content)),
        valid_from=None,
    )


def _puts_right(one: Candidate) -> bool:
    single = attribute(one.attribute).single or one.attribute.startswith("favourite_")
    return one.polarity and not one.ends and single


def _value(text: str) -> re.Match[str] | None:
    found = (_SLIP_ZH if has_chinese(text) else _SLIP).fullmatch(text.replace("’", "'"))
    return None if found is None or _NO_VALUE.match(found["value"]) else found


def _last_said(before: Sequence[Message]) -> Message | None:
    """The user's message before, unless the agent asked something since."""
    for message in reversed(before):
        if message.role is Role.USER:
            return message
        if "?" in message.content or "？" in message.content:
            return None
    return None
