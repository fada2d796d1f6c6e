"""Carries out a request to forget, and says what came of it: nothing is claimed that the record does not confirm.

A plain request is answered without a model. Handing it to one would put what is to be forgotten into one more prompt,
and leave it to the model whether it is forgotten. It takes the way of a tool call all the same: the `llm` box calls
the `forget` tool by itself, and puts its result into words.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, TypedDict

from langchain_core.messages import AIMessage, ToolMessage

from ..stores.clock import IdMaker
from ..stores.erasure.values import Actor, Forgotten, Match
from ..stores.forgetting import Forgetting
from ..stores.records import Scope
from .content import last_human, text_of
from .forget_answer import chosen
from .forget_request import is_everything, named, requested
from .state import FORGET, State


class Result(TypedDict):
    """What came of a request, without a word of what it was about: `counts` by kind, None when nothing was erased."""

    matched: bool
    everything: bool
    counts: dict[str, int] | None
    kept: int


def plain_step(state: State, *, new_id: IdMaker) -> AIMessage | None:
    """The next step of a plain request: calling the tool, then saying what came of it; None for any other turn."""
    message = last_human(state["messages"])
    if FORGET not in state.get("route", []) or message is None:
        return None
    text, last = text_of(message), state["messages"][-1]
    if not isinstance(last, ToolMessage):
        call = {
            "name": "forget",
            "args": {"what": requested(text) or named(text) or text},
            "id": new_id(),
            "type": "tool_call",
        }
        return AIMessage("", id=new_id(), tool_calls=[call])
    words = _CHINESE if re.search("[\u4e00-\u9fff]", text) else _ENGLISH
    if last.status == "error" or last.artifact is None:
        return AIMessage(words["failed"], id=new_id())
    return AIMessage(told(last.artifact, words), id=new_id())


def settle_with(
    ask: Callable[[Mapping[str, Any]], Any], scope: Scope, what: str, forgetting: Forgetting, actor: Actor
) -> Result:
    """Erase what the words mean; `ask` is called, before anything is written, when they may mean several things."""
    if is_everything(what):
        return Result(matched=True, everything=True, counts=None, kept=0)
    outcome = forgetting.forget(scope, what, actor=actor)
    if outcome.erasure is None and outcome.matches:
        options = [option(match) for match in outcome.matches]
        answer = ask({"question": _QUESTION, "options": options, "answer": "numbers, 'all' or 'none'"})
        which = chosen(str(answer), options) or []
        outcome = (
            forgetting.forget(scope, what, which=which, actor=actor) if which else Forgotten(outcome.matches)
        )
    return result_of(outcome)


def result_of(outcome: Forgotten) -> Result:
    """The outcome without what it was about."""
    erasure = outcome.erasure
    return Result(
        matched=bool(outcome.matches),
        everything=False,
        counts=None if erasure is None else erasure.counts,
        kept=0 if erasure is None else len(erasure.kept),
    )


def option(match: Match) -> str:
    """One line of the question which is meant; of codes and numbers only the ends are shown."""
    return re.sub(r"\d(?=[\d -]*\d[\d -]*\d)", "•", " ".join(match.preview.split()))[:160]


def told(result: Result, words: Mapping[str, str]) -> str:
    """What was done, in one or two sentences that hold nothing of what was forgotten."""
    counts = result["counts"]
    if counts is None:
        return words["everything" if result["everything"] else "left" if result["matched"] else "nothing"]
    said = counts.get("message", 0) + counts.get("message_part", 0)
    known = sum(n for kind, n in counts.items() if kind not in ("message", "message_part", "rewritten"))
    parts = [words["known"].format(_number(known, words["memory"]))] if known else []
    parts += [words["said"].format(_number(said, words["message"]))] if said else []
    text = words["done"].format(words["and"].join(parts))
    if result["kept"]:
        text += words["kept"].format(kept=_number(result["kept"], words["memory"]))
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
    "everything": "That would be all I know of you, so I erased nothing on the way: 'perdure "
    "forget --all' does it "
    "('perdure export' first, to keep a copy). Or name one thing, and I forget it now.",
    "failed": "That did not work, and I can not say that it is forgotten. Please ask me again.",
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
    "everything": "那就是我所知道的关于你的一切，所以我没有顺手删除任何内容：请用 perdure "
    "forget --all（之前可用 perdure export 备份）。"
    "或者说出一件事，我现在就忘掉。",
    "failed": "刚才没有成功，我不能说已经忘掉了。请再说一次。",
    "done": "已经忘掉了：{}。这条回复之后会立即清理文件。",
    "known": "删除了{}",
    "said": "从{}中抹去了相关的话",
    "and": "，",
    "kept": "另有{kept}提到同一个词，但说的是别的事，所以保留了。",
    "memory": "条记忆",
    "message": "条消息",
}
