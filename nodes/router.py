"""Decides which memories a message needs: by rules, without a model call, or by a model where that is chosen."""

import asyncio
import logging
import re
from collections.abc import Callable
from typing import Any, Literal

from ..stores.text import fold
from .content import last_human, text_of
from .forget_request import named, requested
from .prompts import routing
from .state import FORGET, State
from .structured import Ask, AskSoon

logger = logging.getLogger(__name__)

EPISODIC = "episodic"
SEMANTIC = "semantic"

RouterPolicy = Literal["auto", "always", "llm"]

BOTH = [EPISODIC, SEMANTIC]
"""Where a message goes when in doubt: a needless search costs milliseconds, a miss the answer."""

_SMALL_TALK = re.compile(
    r"(?:(?:(?:hi|hello|hey|yo|good (?:morning|afternoon|evening|night)|thanks?(?: you)?(?: so much| a lot)?|thx|"
    r"bye|goodbye|see you(?: later| soon| tomorrow)?)(?:[\s,]+\w{1,12}(?=\W*$))?|"
    r"ok(?:ay)?|cool|great|nice|lol|ha(?:ha+)+h?|wow|sure|yes|no|yep|nope|"
    r"how are you(?: doing)?(?: today)?|what'?s up|there|all|everyone|"
    r"你好|您好|嗨|早上好|早安|晚上好|晚安|谢谢(?:你|您)?|多谢|好的?|嗯+|哈+|再见|拜拜|是的?|不是|你好吗|在吗)"
    r"[\s,.!?~，。！？～]*){1,3}"
)
"""Messages made of nothing but greetings, thanks and assent. A name may follow a greeting ("hi Luna!"), but not
assent: "no, Lyon" says something."""


_ABOUT_OUR_TALKS = re.compile(
    r"\b(?:did|have|had|were) we (?:ever |just |last )?"
    r"(?:say|said|talk(?:ed|ing)?|discuss(?:ed|ing)?|chat(?:ted|ting)?|sp[eo]ak(?:en|ing)?)\b"
    r"|\blast time we (?:talked|spoke|chatted|met)\b|\bour (?:last|previous|first) (?:chat|talk|conversation|session)\b"
    r"|(?:我们|咱们|咱俩)(?:上次|之前|以前|昨天|那天|刚才|都|曾经?)*(?:聊|谈|说|讨论)(?:过|了|的|到|起)"
    r"|上次(?:我们|咱们)?(?:聊|谈|讨论)"
)
"""What was said in a talk is asked for: the talks answer that."""

_ABOUT_THEM = re.compile(
    r"(?:(?:so|and|hey|well|now)[\s,]+)?(?:(?:do|can) you (?:still )?(?:know|remember|tell me)[\s,]+)?"
    r"(?:what(?: do i|'s it i) (?:like|love|prefer|dislike|hate)(?: best| most)?"
    r"|what(?:'s| is) my name|who (?:am i|i am)|what i(?:'m| am) called"
    r"|what do you know about me|what i (?:like|love|prefer|dislike|hate)"
    r"|你?(?:还)?(?:记得|知道)?(?:我(?:最)?(?:喜欢|爱|讨厌|不喜欢)(?:些)?什么|我叫什么(?:名字)?|我是谁|我的名字是什么)"
    r"|你(?:都)?(?:知道|了解)我(?:些|的)?(?:什么|哪些事)?)(?:吗|呢|呀|啊)?[\s?？!！.。]*"
)
"""Who they are, or what they like, and nothing beside it: what is known answers that."""


Knows = Callable[[str], bool]
"""Whether memory is sure what some words name."""


def nothing_known(words: str) -> bool:
    """Without a memory to ask, no name is known."""
    return False


def router(state: State, *, knows: Knows = nothing_known, policy: RouterPolicy = "auto") -> dict[str, Any]:
    """Leave the branches to take: past sessions, user facts, both, or none; a plain request to forget recalls nothing.

    Raises what was refused.
    """
    settled, asked = _settled(state, knows)
    return {"route": settled if settled is not None else route(asked, policy)}


def asks_memory(state: State) -> bool:
    """Whether `router` has to ask what is known: of a bare name to forget."""
    asked = last_human(state["messages"])
    return asked is not None and named(text_of(asked)) is not None


def llm_router(state: State, *, knows: Knows = nothing_known, ask: Ask) -> dict[str, Any]:
    """As `router`, but what rules do not settle a model decides. One that fails is answered by both branches."""
    settled, asked = _settled_without_model(state, knows)
    if settled is not None:
        return {"route": settled}
    try:
        return {"route": routing.read(ask(routing.prompt(asked)))}
    except Exception as error:
        return {"route": _undecided(error)}


async def allm_router(state: State, *, knows: Knows = nothing_known, ask: AskSoon) -> dict[str, Any]:
    """As `llm_router`, without holding a thread while the model thinks."""
    settled, asked = await asyncio.to_thread(_settled_without_model, state, knows)
    if settled is not None:
        return {"route": settled}
    try:
        return {"route": routing.read(await ask(routing.prompt(asked)))}
    except Exception as error:
        return {"route": _undecided(error)}


def route(text: str, policy: RouterPolicy) -> list[str]:
    """Which memories `text` needs, as far as rules can tell; both when they can not."""
    if policy == "always":
        return BOTH
    if is_small_talk(text):
        return []
    folded = fold(text[:LONGEST_QUESTION]).strip()
    if _ABOUT_THEM.fullmatch(folded):
        return [SEMANTIC]
    return [EPISODIC] if _ABOUT_OUR_TALKS.search(folded) else BOTH


LONGEST_QUESTION = 300
"""Characters of a message that rules read: what is longer says more than they know."""


def is_small_talk(text: str) -> bool:
    """Whether the text is only a greeting, thanks, assent or laughter (or has no letters or digits at all)."""
    folded = fold(text).strip()
    if len(folded) > 60:
        return False
    return not re.search(r"\w", folded) or _SMALL_TALK.fullmatch(folded) is not None


def _settled(state: State, knows: Knows) -> tuple[list[str] | None, str]:
    """The route of what is not a question of recall, or None, and the message. Raises what was refused."""
    if (refusal := state.get("refusal")) is not None:
        raise refusal
    asked = last_human(state["messages"])
    if asked is None:
        return [], ""
    text = text_of(asked)
    forget = requested(text) is not None or ((name := named(text)) is not None and knows(name))
    return [FORGET] if forget else None, text


def _settled_without_model(state: State, knows: Knows) -> tuple[list[str] | None, str]:
    """As `_settled`; small talk costs no call."""
    settled, asked = _settled(state, knows)
    return [] if settled is None and is_small_talk(asked) else settled, asked


def _undecided(error: Exception) -> list[str]:
    logger.warning("the model did not route (%s); both memories are searched", type(error).__name__)
    return BOTH
