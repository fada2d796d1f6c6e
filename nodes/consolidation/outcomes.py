"""Whether the user went along with a standing rule, or against it ("no, I do want long answers now"). Pure."""

import re
from collections.abc import Iterator, Sequence
from datetime import tzinfo

from ...stores.occasions import Moment, fits, occasion_of
from ...stores.records import Kind, Memory, Message, Outcome, Role, Status
from ...stores.text import fold, terms
from ...stores.wishes import ALWAYS, asked_for, contrary
from .by_rule.sentences import Sentence, sentences

_DEMAND = re.compile(
    r"\b(?:no|nope|actually|but|please|instead|rather|stop|don'?t|make it|give me|go into|more|too|again|"
    r"i (?:do |really |'d |would )?(?:want|need|like|prefer)|(?:can|could|would|will) you)\b"
    r"|不用|不要|别|太|请|还是|我(?:要|想|需要|希望)|给我|麻烦|这次|再|多|可以",
    re.I,
)
_AGAINST = re.compile(
    r"^(?:no\b|nope\b|stop\b|don'?t\b|do not\b|please (?:stop|don'?t)\b|不要|别|不用|不是)", re.I
)


def outcomes(
    messages: Sequence[Message], known: Sequence[Memory], zone: tzinfo | None = None
) -> Iterator[Outcome]:
    """What became of each rule that applied in a stretch and was known before it."""
    here = {message.id for message in messages}
    said = [m for m in messages if m.role is Role.USER]
    for rule in known:
        older = not {span.message_id for span in rule.evidence} & here
        if rule.kind is not Kind.PROCEDURE or rule.status is not Status.ACTIVE or not older:
            continue
        applied = said if rule.attribute == ALWAYS else _since(rule, said, zone)
        if not applied:
            continue
        corrected = any(goes_against(rule, one) for message in applied for one in sentences(message))
        if corrected or rule.attribute != ALWAYS:
            yield Outcome(rule.id, kept=not corrected)


def goes_against(rule: Memory, sentence: Sentence) -> bool:
    """Whether a sentence asks for the contrary of what a rule asks for."""
    text = fold(sentence.text)
    if not _DEMAND.search(text):
        return False
    if contrary(asked_for(text), asked_for(rule.value)):
        return True
    if not _AGAINST.match(text) or _AGAINST.match(fold(rule.value)):
        return False
    do = terms(rule.value)
    return bool(do) and 2 * sum(term in terms(text) for term in do) > len(do)


def _since(rule: Memory, said: Sequence[Message], zone: tzinfo | None) -> Sequence[Message]:
    """The messages from the first on with which the rule's occasion is at hand."""
    occasion = occasion_of(rule.attribute, rule.statement)
    for number, message in enumerate(said):
        if fits(occasion, Moment((message.content,), message.at.astimezone(zone))):
            return said[number:]
    return ()
