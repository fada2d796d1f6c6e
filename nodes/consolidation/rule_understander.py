"""Understands a session by rule, offline, in English and Chinese. Pure and quick: silence beats a wrong memory."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import tzinfo

from ...stores.consolidation import Claim
from ...stores.records import Candidate, Commitment, Insight, Kind, Memory, Message, Role
from ..extraction import extract
from ..extraction.play import played
from ..extraction.slips import righted
from .by_rule.commitments import commitments, settled, settled_here
from .by_rule.procedures import procedures
from .by_rule.requests import implied
from .by_rule.self_memory import self_memories
from .by_rule.sentences import Sentence, sentences
from .by_rule.summary import summarize
from .by_rule.tone import tone_of
from .by_rule.topics import topics_of
from .like_cases import with_question
from .outcomes import outcomes


class RuleUnderstander:
    """Reads a stretch of a session by rules alone: the same words always give the same insight.

    `zone` is where the user is, for rules that hold at an hour of the day.
    """

    def __init__(self, *, zone: tzinfo | None = None) -> None:
        self._zone = zone

    def understand(self, claim: Claim, known: list[Memory]) -> Insight:
        """What the stretch says. User facts come from the user's words only, `self` from the agent's only."""
        hidden = played([*claim.before, *claim.messages])
        every_word = _said(claim.messages, Role.USER, {})
        by_user = _said(claim.messages, Role.USER, hidden)
        by_agent = _said(claim.messages, Role.ASSISTANT, hidden)
        candidates = (*_candidates(claim.messages, by_user, by_agent, hidden), *_righted(claim, hidden))
        own = _without_wishes(every_word, candidates)
        return Insight(
            summary=summarize(by_user or every_word, _summary_so_far(claim.session_id, known)),
            tone=tone_of(own),
            topics=topics_of(own, [c for c in candidates if c.kind is Kind.FACT]),
            candidates=candidates,
            commitments=tuple(_open_ends(claim.messages, by_user, by_agent, known)),
            settled=settled([*by_user, *by_agent], known),
            outcomes=tuple(outcomes(claim.messages, known, self._zone)),
        )

    async def aunderstand(self, claim: Claim, known: list[Memory]) -> Insight:
        """As `understand`: there is nothing to wait for."""
        return self.understand(claim, known)


def _said(messages: Sequence[Message], role: Role, hidden: Mapping[str, int]) -> list[Sentence]:
    """The sentences of a side, without what is hidden because it is said in play."""
    return [
        one
        for message in messages
        if message.role is role
        for one in sentences(message)
        if one.start >= hidden.get(message.id, 0)
    ]


def _righted(claim: Claim, hidden: Mapping[str, int]) -> Iterator[Candidate]:
    """What the user puts right that they said just before."""
    session = [*claim.before, *claim.messages]
    for at, message in enumerate(session[len(claim.before) :], len(claim.before)):
        fact = righted(message, session[:at], hidden) if message.role is Role.USER else None
        if fact is not None:
            yield fact


def _candidates(
    messages: Sequence[Message],
    by_user: list[Sentence],
    by_agent: list[Sentence],
    hidden: Mapping[str, int],
) -> Iterator[Candidate]:
    wishes = list(procedures(by_user))
    for previous, message in zip([None, *messages], messages, strict=False):
        if message.role is not Role.USER:
            continue
        asked = previous if previous is not None and previous.role is Role.ASSISTANT else None
        for fact in extract(message, previous=asked, hidden=hidden.get(message.id, 0)):
            if not any(_overlap(fact, wish) for wish in wishes):
                yield fact
    yield from wishes
    yield from implied(by_user)
    for own in self_memories(by_agent):
        yield with_question(own, messages)


def _without_wishes(said: list[Sentence], candidates: Sequence[Candidate]) -> list[Sentence]:
    wishes = {candidate.span for candidate in candidates if candidate.kind is Kind.PROCEDURE}
    return [sentence for sentence in said if sentence.whole not in wishes]


def _overlap(one: Candidate, other: Candidate) -> bool:
    a, b = one.span, other.span
    return a.message_id == b.message_id and a.start < b.end and b.start < a.end


def _open_ends(
    messages: Sequence[Message], by_user: list[Sentence], by_agent: list[Sentence], known: list[Memory]
) -> Iterator[Commitment]:
    said = [*by_user, *by_agent]
    for commitment in commitments(said, known):
        if not settled_here(commitment, said, messages):
            yield commitment


def _summary_so_far(session_id: str, known: list[Memory]) -> str:
    return next((m.statement for m in known if m.kind is Kind.EPISODE and m.value == session_id), "")
