"""Compresses what episodic search brought: long turns are cut to the sentences that bear on the message."""

import re
from collections.abc import Sequence
from typing import Any

from ..stores.memory_store import MemoryStore
from ..stores.records import Message, Scope
from ..stores.text import fold
from .content import last_human, text_of
from .state import Quote, State

WHOLE = 800
"""A turn of at most this many characters is quoted whole: cut at 400, 1 % of the evidence of LoCoMo was lost."""

LONGEST = 500
"""Most characters quoted of a longer turn."""

_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?。！？\n]+|$)")
_WORD = re.compile(r"\w+")


def summarizer(state: State, *, scope: Scope, memory: MemoryStore) -> dict[str, Any]:
    """Make of the messages found spans of them, in the order episodic search ranked them."""
    found = state.get("episodes", [])
    asked = last_human(state["messages"])
    if not found or asked is None:
        return {"quotes": []}
    said = memory.messages(scope, [hit["id"] for hit in found])
    known = [(said[hit["id"]], hit["score"]) for hit in found if hit["id"] in said]
    return {"episodes": [], "quotes": quotes_from(known, text_of(asked))}


def quotes_from(said: Sequence[tuple[Message, float]], question: str) -> list[Quote]:
    """Of each message, in the order given, the span worth quoting."""
    quotes: list[Quote] = []
    for message, score in said:
        start, end = excerpt(message.content, question)
        quotes.append({"id": message.id, "start": start, "end": end, "score": score})
    return quotes


def excerpt(content: str, question: str) -> tuple[int, int]:
    """The part of `content` to quote: all of it when short, else the run of sentences nearest the question."""
    if len(content) <= WHOLE:
        return 0, len(content)
    asked = set(_WORD.findall(fold(question[:2000])))
    sentences = [(m.start(), m.end()) for m in _SENTENCE.finditer(content)] or [(0, len(content))]
    weights = [len(asked & set(_WORD.findall(fold(content[a:b])))) for a, b in sentences]
    best = max(range(len(sentences)), key=lambda i: weights[i])
    start, end = sentences[best][0], min(sentences[best][1], sentences[best][0] + LONGEST)
    following = [b for _, b in sentences[best + 1 :] if b - start <= LONGEST]
    return start, max([end, *following])
