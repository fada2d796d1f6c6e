"""Tells a plain request to forget from everything else that is said with the same words. Pure.

Plain means: it asks for this and nothing else. Whatever says more goes to the model, which has the tool. A request
that is passed over costs a tool call; one that is imagined costs a memory, so that doubt means no.
"""

import re

from . import chinese, english
from .everything import EVERYTHING

__all__ = ["EVERYTHING", "is_everything", "named", "requested"]

LONGEST = 300
"""A plain request is short; a longer message says more than that."""

_NEGATED = re.compile(
    r"\b(?:don'?t|do not|never|can'?t|cannot|not|didn'?t|won'?t) (?:you )?(?:ever )?forget"
    r"|\bforget-me-not|不要忘(?!.*不要记)"
    r"|[别別]忘|不[会會能可]忘|忘不了|难忘|難忘|(?:忘记|忘記|忘)[了没沒]+[吗嗎没沒么麼]",
    re.I,
)


def requested(text: str) -> str | None:
    """What a message asks to forget, when it asks for nothing else; None for any other message.

    EVERYTHING when it is all that is known of a person.
    """
    plain = _plain(text)
    return chinese.requested(plain) if _is_chinese(plain) else english.requested(plain)


def named(text: str) -> str | None:
    """What a message asks to forget by its bare name ("forget Lumen", 把阿黄忘掉); None for any other message.

    "Forget Paris" may as well mean never mind: it is a request only where memory knows what is named.
    """
    plain = _plain(text)
    return chinese.named(plain) if _is_chinese(plain) else english.named(plain)


def is_everything(what: str) -> bool:
    """Whether the words mean all that is known of the person who says them."""
    said = what.strip(" .!?。！？")
    whole = chinese.ALL_OF_ME if _is_chinese(said) else english.ALL_OF_ME
    return said == EVERYTHING or (whole.fullmatch(said) is not None and said != "我")


def _plain(text: str) -> str:
    """The words of a message that may be a plain request; none of any other."""
    plain = text.strip()
    if len(plain) > LONGEST or "\n\n" in plain or _NEGATED.search(plain.replace("’", "'")):
        return ""
    return plain if _is_chinese(plain) else " ".join(plain.replace("’", "'").split())


def _is_chinese(text: str) -> bool:
    return re.search("[\u4e00-\u9fff]", text) is not None
