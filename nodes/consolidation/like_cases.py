"""What the agent chose or thinks is kept with the question it answered, so that a like question meets a like answer."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ...stores.records import Candidate, Kind, Message, Role, Span
from ...stores.standing import ABLE
from ...stores.write_filter import touches_secret
from .by_rule.sentences import is_chinese, sentences

LONGEST = 200
"""A longer question is no case that will come up in like words again."""


def with_question(own: Candidate, messages: Sequence[Message]) -> Candidate:
    """Self memory with the user's question right before it, cited and told in the statement; else as it is."""
    if own.kind is not Kind.SELF or own.attribute in (ABLE, "promised"):
        return own
    question = _asked_before(own.span.message_id, messages)
    if question is None:
        return own
    span, text = question
    told = f"（问：{text}？）" if is_chinese(text) else f" (asked: {text}?)"
    return replace(own, question=span, statement=own.statement + told)


def _asked_before(message_id: str, messages: Sequence[Message]) -> tuple[Span, str] | None:
    for previous, message in pairwise(messages):
        if message.id == message_id and previous.role is Role.USER:
            asked = [s for s in sentences(previous) if s.asks and s.end - s.start <= LONGEST]
            if asked and not touches_secret(asked[-1].said):
                return asked[-1].whole, asked[-1].said
    return None
