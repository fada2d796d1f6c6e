"""Answers a plain request to forget by itself, without a model: nothing is recalled, and nothing is claimed.

Handing the request to a model would put what is to be forgotten into one more prompt, and leave it to the model
whether it is forgotten. What is said of the outcome comes from the record.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.types import interrupt

from ..stores.erasure.asking import asked, fits
from ..stores.erasure.values import Actor, Forgotten, Match
from ..stores.forgetting import Forgetting
from ..stores.records import Scope
from .content import last_human, text_of
from .state import State

LONGEST = 300
"""A plain request is short; a longer message says more than that."""

_POLITE = r"(?:(?:hi|hey|hello|ok|okay|please|pls|so|and|well|luna)[\s,!.]+)*"
_ASK = r"(?:(?:can|could|would|will) you (?:please )?|i(?:'d| would) like you to |i want you to )?(?:please |kindly )?"
_REQUEST = re.compile(
    rf"{_POLITE}{_ASK}(?:forget\s+(?P<what>(?:about|that|what|everything|anything|all|my|our|the fact)\b.+)"
    r"|(?:erase|delete|remove)\s+(?P<erased>(?:(?:what|everything|anything) (?:i|you)|that i|the fact)\b.+"
    r"|(?:my|our|the)\b.+ from (?:your )?memory\W*))",
    re.I | re.S,
)
_REQUEST_ZH = re.compile(
    r"(?:(?:你好|那|嗯|好)[，,！!\s]*)?(?:请|請|麻烦你?|麻煩你?|帮我|幫我|可以|能不能|能|你)*"
    r"(?:把(?P<before>.+?)(?:忘掉|忘记|忘記|忘了|删除|刪除|删掉|刪掉)"
    r"|(?:忘掉|忘记|忘記|删除|刪除|删掉|刪掉)(?P<what>(?:我|关于|關於|所有|那|这|這).*?))"
    r"(?:吧|好吗|好嗎|可以吗|可以嗎|一下)?[。！!？?\s]*"
)
_NO_REQUEST = re.compile(
    r"^(?:about it|that|it|what i (?:just )?said)\W*$|\b(?:files?|folders?|lines?|rows?|columns?|branch|account|email"
    r"|code in|function|comments?|table|the above|previous instructions|your (?:instructions|rules|name|identity))\b",
    re.I,
)
_NEGATED = re.compile(
    r"\b(?:don'?t|do not|never|can'?t|cannot|won'?t) forget\b|不要忘|别忘|別忘|不会忘|忘不了|忘记了吗", re.I
)
_ALL = re.compile(r"^\W*(?:all|both|every(?:thing| one)?|each)\b|^\W*(?:都|全部|所有|全)", re.I)
_NONE = re.compile(
    r"^\W*(?:none|neither|no|nope|nothing|cancel|stop|never ?mind|don'?t)\b|^\W*(?:不|别|別|算了|取消|都不)",
    re.I,
)
_NUMBER = re.compile(r"\d+")
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_ORDINALS_ZH = re.compile("第?([一二三四五])个?")


def forget(
    state: State,
    *,
    scope: Scope,
    forgetting: Forgetting,
    ask: Callable[[Mapping[str, Any]], Any] = interrupt,
) -> dict[str, Any]:
    """Erase what the message asks to forget, asking back when it may mean several things, and say what was done."""
    message = last_human(state["messages"])
    text = "" if message is None else text_of(message)
    what = requested(text) or text
    outcome = settle_with(ask, scope, what, forgetting, Actor.CHAT)
    words = _CHINESE if re.search("[\u4e00-\u9fff]", what) else _ENGLISH
    reply = AIMessage(told(outcome, words), id=forgetting.store.ids())
    return {"messages": [reply], "mark": forgetting.store.mark(scope)}


def settle_with(
    ask: Callable[[Mapping[str, Any]], Any], scope: Scope, what: str, forgetting: Forgetting, actor: Actor
) -> Forgotten:
    """Erase what the words mean; `ask` is called, before anything is written, when they may mean several things."""
    outcome = forgetting.forget(scope, what, actor=actor)
    if outcome.erasure is not None or not outcome.matches:
        return outcome
    options = [option(match) for match in outcome.matches]
    answer = ask({"question": _QUESTION, "options": options, "answer": "numbers, 'all' or 'none'"})
    which = chosen(str(answer), options) or []
    return forgetting.forget(scope, what, which=which, actor=actor) if which else Forgotten(outcome.matches)


def requested(text: str) -> str | None:
    """What a message asks to forget, when it asks for nothing else; None for any other message."""
    plain = text.strip()
    if len(plain) > LONGEST or "\n\n" in plain or _NEGATED.search(plain):
        return None
    english = _REQUEST.fullmatch(plain.replace("’", "'"))
    chinese = None if english else _REQUEST_ZH.fullmatch(plain)
    if english:
        what = (english["what"] or english["erased"]).strip()
        more = re.search(r"[.!?]\s", what.rstrip(" .!?"))
        return what if not more and not _NO_REQUEST.search(what) and asked(what).words else None
    if chinese:
        what = f"{chinese['before'] or ''}{chinese['what'] or ''}".strip("，,。 的")
        return what if asked(what).words else None
    return None


def option(match: Match) -> str:
    """One line of the question which is meant; of codes and numbers only the ends are shown."""
    return re.sub(r"\d(?=[\d -]*\d[\d -]*\d)", "•", " ".join(match.preview.split()))[:160]


def chosen(answer: str, options: Sequence[str]) -> list[int] | None:
    """Which options an answer means, by their index; empty for none, None when it is no answer to the question."""
    text = answer.strip().lower()
    if _NONE.search(text):
        return []
    if _ALL.search(text):
        return list(range(len(options)))
    numbers = [int(found) for found in _NUMBER.findall(text)]
    numbers += [number for word, number in _ORDINALS.items() if re.search(rf"\b{word}\b", text)]
    numbers += ["一二三四五".index(found) + 1 for found in _ORDINALS_ZH.findall(text)]
    if numbers:
        within = sorted({number - 1 for number in numbers if 1 <= number <= len(options)})
        return within or None
    request = asked(answer)
    fitting = [i for i, line in enumerate(options) if fits(request, line) >= 1.0]
    return fitting if len(fitting) == 1 else None


def told(outcome: Forgotten, words: Mapping[str, str]) -> str:
    """What was done, in one or two sentences that hold nothing of what was forgotten."""
    if outcome.erasure is None:
        return words["left"] if outcome.matches else words["nothing"]
    counts = outcome.erasure.counts
    said = counts.get("message", 0) + counts.get("message_part", 0)
    known = sum(n for kind, n in counts.items() if kind not in ("message", "message_part", "rewritten"))
    parts = [words["known"].format(_number(known, words["memory"]))] if known else []
    parts += [words["said"].format(_number(said, words["message"]))] if said else []
    text = words["done"].format(words["and"].join(parts))
    if outcome.erasure.kept:
        text += words["kept"].format(kept=_number(len(outcome.erasure.kept), words["memory"]))
    return text


def question_of(asking: Any) -> str:
    """The question of an interrupt as text."""
    lines = [f"{number}. {line}" for number, line in enumerate(asking.get("options", []), 1)]
    return "\n".join([str(asking.get("question", "")), *lines])


def _number(count: int, noun: str) -> str:
    if not noun.isascii():
        return f"{count}{noun}"
    return (
        f"{count} {noun}"
        if count == 1
        else f"{count} {noun.removesuffix('y')}{'ies' if noun.endswith('y') else 's'}"
    )


_QUESTION = (
    "Which of these should I forget? Say the numbers, all, or none. / 要忘掉哪些？请说编号、全部或不用。"
)
_ENGLISH = {
    "nothing": "I find nothing about that in my memory, so there is nothing to forget.",
    "left": "Then I leave everything as it is. Nothing was forgotten.",
    "done": "It is forgotten: I erased {}. My files are cleaned right after this reply.",
    "known": "{}",
    "said": "words in {}",
    "and": " and ",
    "kept": " I kept {kept} of other things in which the same word stands.",
    "memory": "memory",
    "message": "message",
}
_CHINESE = {
    "nothing": "我的记忆里没有找到这方面的内容，所以没有什么可以忘掉的。",
    "left": "好的，什么都没有动，也没有忘掉任何内容。",
    "done": "已经忘掉了：{}。这条回复之后会立即清理文件。",
    "known": "删除了{}",
    "said": "从{}中抹去了相关的话",
    "and": "，",
    "kept": "另有{kept}提到同一个词，但说的是别的事，所以保留了。",
    "memory": "条记忆",
    "message": "条消息",
}
