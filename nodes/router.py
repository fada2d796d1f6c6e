"""Decides which memories a message needs, without a model call."""

import re
from typing import Any, Literal

from ..stores.text import fold
from .content import last_human, text_of
from .forget import requested
from .state import State

EPISODIC = "episodic"
FORGET = "forget"
SEMANTIC = "semantic"

Policy = Literal["auto", "always"]

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


def router(state: State, *, policy: Policy = "auto") -> dict[str, Any]:
    """Leave the branches to take: past sessions, user facts, both, or none; a request to forget has its own.

    Raises what was refused.
    """
    if (refusal := state.get("refusal")) is not None:
        raise refusal
    asked = last_human(state["messages"])
    if asked is not None and requested(text_of(asked)) is not None:
        return {"route": [FORGET]}
    return {"route": route(text_of(asked), policy) if asked else []}


def route(text: str, policy: Policy) -> list[str]:
    """Which memories `text` needs. When in doubt both: a needless search costs milliseconds, a miss the answer."""
    if policy == "auto" and is_small_talk(text):
        return []
    return [EPISODIC, SEMANTIC]


def is_small_talk(text: str) -> bool:
    """Whether the text is only a greeting, thanks, assent or laughter (or has no letters or digits at all)."""
    folded = fold(text).strip()
    if len(folded) > 60:
        return False
    return not re.search(r"\w", folded) or _SMALL_TALK.fullmatch(folded) is not None
