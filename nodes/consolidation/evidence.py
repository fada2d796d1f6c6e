"""Holds what a model made of a stretch against the messages themselves: what they do not carry is not kept. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, tzinfo

from ...stores.attributes import Category, attribute, statement
from ...stores.canonical import attribute_name
from ...stores.limits import LIMITS
from ...stores.records import Candidate, Commitment, Durability, Kind, Message, Origin, Role, Span
from ...stores.wishes import occasion
from ...stores.write_filter import touches_secret
from ..extraction.masks import is_joke, own_words
from ..extraction.reading import MASK
from ..prompts.understanding import is_chinese
from ..prompts.understood import Promise, Statement
from .days import derivable, invents_a_date, read_day
from .negation import clause, contradicts, denies, hints, understood_language
from .quotes import find_in, find_value
from .subjects import about_the_user, misplaced, subject_of

NEARBY = 300
"""Most characters between a quote and its value in the same message."""

_ASSENT = re.compile(
    r"^\W*(?:yes|yep|yeah|yup|correct|right|exactly|indeed|true|sure|of course"
    r"|that'?s (?:right|correct|true|it)|i do|i am"
    r"|no|nope|not (?:really|at all|any ?more)|i don'?t|i'?m not|sí|si|oui|ja|da|да|no|non|nein"
    r"|是的?|对的?|對的?|没错|沒錯|嗯|不是|没有|不|はい|いいえ|네|아니요?)(?![\w'])",
    re.IGNORECASE,
)
_BUT = re.compile(r"\b(?:but|except|although|used to|actually)\b|但|不过|其实", re.IGNORECASE)
_PLAYED = re.compile(
    r"\b(?:pretend|role-?\s?play|imagine|in character|hypothetical)|假装|扮演|想象", re.IGNORECASE
)
_SUPPOSED = re.compile(
    r"\b(?:if|maybe|perhaps|might|would|could|wish|thinking (?:of|about)|considering|going to|plan(?:ning)? (?:to|on)"
    r"|want to|hop(?:e|ing) to)\b|如果|要是|可能|也许|打算|想要|希望",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_IMPLIABLE = frozenset((Category.PREFERENCE, Category.HABIT, Category.OTHER, Category.NOTE))


class Unsupported(Exception):
    """The messages do not carry what was made of them; says why, without memory text."""


@dataclass(frozen=True, slots=True)
class _Cited:
    """The words a statement rests on, and where in them its value stands."""

    message: Message
    span: Span
    place: tuple[int, int] | None
    question: Span | None = None
    value: str = ""

    @property
    def words(self) -> str:
        return self.message.content[self.span.start : self.span.end]


@dataclass(frozen=True, slots=True)
class Stretch:
    """The messages that were read, and the names that may be in them."""

    messages: Sequence[Message]
    agent: str
    user_names: frozenset[str]
    known_subjects: frozenset[str]
    zone: tzinfo | None
    hidden: Mapping[str, int] = field(default_factory=dict)
    """How much from the beginning of a message is said in play (extraction.play)."""

    def candidate(self, said: Statement) -> tuple[Candidate, list[str]]:
        """A candidate with exact evidence, and what was put right on the way. Raises Unsupported."""
        kind = Kind(said.kind)
        cited = self._cited(said, Role.ASSISTANT if kind is Kind.SELF else Role.USER)
        if cited.span.start < self.hidden.get(cited.message.id, 0):
            raise Unsupported("it is said in a game, under a supposition, or pasted")
        name, opposed = attribute_name(said.attribute)
        if kind is Kind.PROCEDURE:
            name, opposed = occasion(said.attribute, f"{cited.words}\n{said.statement}"), False
        polarity = said.polarity and not said.ends and not opposed
        explicit = said.explicit and cited.place is not None
        if cited.place is None and cited.question is None and not _may_be_implied(said, name, cited.words):
            raise Unsupported("its value does not stand in the words it cites")
        if kind is not Kind.SELF:
            _check_meant(kind, cited)
        subject, statement_of = self._subject(said, kind, name, cited)
        if kind is not Kind.SELF:
            polarity = _polarity(kind, name, polarity, statement_of, cited)
        explicit = explicit and not (kind is Kind.FACT and cited.question is None and _only_supposed(cited))
        durability = Durability(said.durability)
        if kind is Kind.PROCEDURE and (durability is Durability.ONE_OFF or not explicit):
            kind = Kind.FACT  # not a rule: it waits as an observation
        candidate = Candidate(
            subject=subject,
            attribute=name,
            value=_wished(cited) if kind is Kind.PROCEDURE else cited.value,
            statement="",
            span=cited.span,
            polarity=polarity,
            origin=_origin(kind, cited),
            ends=said.ends and not polarity,
            kind=kind,
            explicit=explicit or cited.question is not None,
            durability=durability,
            question=cited.question,
        )
        candidate, notes = self._dated(candidate, said, cited)
        return replace(candidate, statement=self._statement(candidate, statement_of, cited)), notes

    def commitment(self, said: Promise) -> Commitment:
        """An open end with the words that say so. Raises Unsupported."""
        roles = {"user": (Role.USER,), "agent": (Role.ASSISTANT,)}.get(said.who, (Role.USER, Role.ASSISTANT))
        span = find_in(said.quote, self._numbered(said.message, roles), self._by(roles))
        if span is None:
            raise Unsupported("its quote stands in no message of that side")
        message = self._message(span)
        if span.start < self.hidden.get(message.id, 0):
            raise Unsupported("it is said in a game, under a supposition, or pasted")
        words = message.content[span.start : span.end]
        if touches_secret(f"{words}\n{said.what}"):
            raise Unsupported("it is, or comes with, a secret")
        what = words if invents_a_date(said.what, message.content, self._day(message)) else said.what
        return Commitment("user" if message.role is Role.USER else "agent", " ".join(what.split()), span)

    def _cited(self, said: Statement, speaker: Role) -> _Cited:
        """Quote check, speaker check, and where the value stands."""
        span = find_in(said.quote, self._numbered(said.message, (speaker,)), self._by((speaker,)))
        if span is None:
            other = find_in(said.quote, None, self.messages)
            raise Unsupported(
                "its quote stands in no message"
                if other is None
                else "the words it cites are the agent's"
                if speaker is Role.USER
                else "the words it cites are the user's"
            )
        message = self._message(span)
        place = find_value(said.value, message.content, (span.start, span.end))
        if place is None:
            question = self._question(said.value, message) if speaker is Role.USER else None
            if question is not None:
                return _Cited(message, span, None, *question)
            return _Cited(message, span, None, value=said.value)
        if place[0] < span.start - NEARBY or place[1] > span.end + NEARBY:
            raise Unsupported("its value does not stand in the words it cites")
        wider = Span(message.id, min(span.start, place[0]), max(span.end, place[1]))
        return _Cited(message, wider, place, value=message.content[place[0] : place[1]])

    def _question(self, value: str, message: Message) -> tuple[Span, str] | None:
        """The agent's question that a message says yes (or no) to, if the value stands in it; and the value."""
        if not _ASSENT.search(message.content) or _BUT.search(message.content):
            return None
        index = next(i for i, m in enumerate(self.messages) if m.id == message.id)
        asked = self.messages[index - 1] if index else None
        if asked is None or asked.role is not Role.ASSISTANT:
            return None
        for sentence in _SENTENCE.finditer(asked.content):
            place = find_value(value, sentence[0])
            if place is not None and sentence[0].rstrip().endswith(("?", "？")):
                start, end = sentence.span()
                return Span(asked.id, start, end), sentence[0][place[0] : place[1]]
        return None

    def _subject(self, said: Statement, kind: Kind, name: str, cited: _Cited) -> tuple[str, str]:
        """Whom it is about, and the model's sentence, blank when that named somebody else."""
        if kind is Kind.SELF:
            return "agent", said.statement
        subject = subject_of(
            said.subject, agent=self.agent, user_names=self.user_names, known=self.known_subjects
        )
        if kind is Kind.PROCEDURE:
            return ("user", said.statement) if subject == "agent" else (subject, said.statement)
        if cited.question is None and about_the_user(subject, cited.words):
            return "user", ""
        spoken = "\n".join(m.content for m in self.messages)
        words = self._message(cited.question).content if cited.question else cited.words
        wrong = misplaced(subject, name, words, cited.value, spoken) if subject != "agent" else None
        if wrong and cited.question is None:
            raise Unsupported(wrong)
        return subject, said.statement

    def _dated(self, candidate: Candidate, said: Statement, cited: _Cited) -> tuple[Candidate, list[str]]:
        """With the days that can be worked out from the message; the others are left out."""
        told = self._day(cited.message)
        days = []
        notes = []
        for text in (said.valid_from, said.valid_to):
            day = read_day(text, self.zone)
            if day is not None and not derivable(
                day.astimezone(self.zone).date(), cited.message.content, told
            ):
                day = None
            if day is None and text:
                notes.append("a date was left out that cannot be worked out from the message")
            days.append(day)
        begin, end = days
        if begin is not None and end is not None and end <= begin:
            begin = end = None
        return replace(candidate, valid_from=begin, valid_to=end), notes

    def _statement(self, candidate: Candidate, offered: str, cited: _Cited) -> str:
        """The model's sentence if it says what the words say; else one made from the value, or the words."""
        offered = " ".join(offered.split())
        value = cited.value
        faithful = (
            offered
            and (candidate.kind is not Kind.FACT or find_value(value, offered) is not None)
            and not invents_a_date(offered, cited.message.content, self._day(cited.message))
        )
        if faithful and candidate.kind is not Kind.SELF:
            denied = denies(offered, value)
            words = denies(cited.words, value)
            if candidate.kind is Kind.PROCEDURE or candidate.attribute.startswith("when_"):
                faithful = denied == words
            else:
                faithful = not denied if candidate.polarity else hints(offered, value)
        if faithful:
            return offered
        if candidate.kind is Kind.FACT and (cited.question or understood_language(cited.words)):
            return statement(
                candidate.attribute,
                value,
                subject=candidate.subject,
                polarity=candidate.polarity,
                ends=candidate.ends,
                chinese=is_chinese(cited.words),
            )
        return " ".join(cited.words.split())

    def _numbered(self, number: int, roles: Sequence[Role]) -> Message | None:
        if not 1 <= number <= len(self.messages) or self.messages[number - 1].role not in roles:
            return None
        return self.messages[number - 1]

    def _by(self, roles: Sequence[Role]) -> Iterator[Message]:
        return (m for m in self.messages if m.role in roles)

    def _message(self, span: Span) -> Message:
        return next(m for m in self.messages if m.id == span.message_id)

    def _day(self, message: Message) -> date:
        return message.at.astimezone(self.zone).date()


def _may_be_implied(said: Statement, name: str, words: str) -> bool:
    """Whether a value that nobody spoke may wait as an observation: a taste or habit, never who somebody is."""
    return not said.explicit and attribute(name).category in _IMPLIABLE and len(words) >= 6


def _check_meant(kind: Kind, cited: _Cited) -> None:
    """Raise for words that are quoted, played, joked or pasted: they say nothing about the user."""
    content = cited.message.content
    if kind is Kind.PROCEDURE:
        if _PLAYED.search(content) or is_joke(content):
            raise Unsupported("it is played or joked")
        return
    start, end = cited.place or (cited.span.start, cited.span.end)
    if MASK in (own_words(content) or MASK)[start:end] or not own_words(content):
        raise Unsupported("it is quoted, played, joked or supposed, not said of oneself")


def _only_supposed(cited: _Cited) -> bool:
    """Whether the value stands in a question, a condition or a plan; repeated, that still tells something."""
    if cited.place is None:
        return True
    for sentence in _SENTENCE.finditer(cited.message.content):
        if sentence.start() <= cited.place[0] < sentence.end():
            ahead = cited.message.content[sentence.start() : cited.place[0]]
            rest = cited.message.content[cited.place[1] : sentence.end()].rstrip()
            asked = rest.endswith(("?", "？")) and not re.search("[,，]", rest)
            return asked or _SUPPOSED.search(ahead) is not None
    return False


def _polarity(kind: Kind, name: str, polarity: bool, offered: str, cited: _Cited) -> bool:
    """The polarity the words have; a model that wrote the denial down and missed the flag is put right."""
    if cited.question is not None:
        if denies(cited.message.content[:40]) == polarity:
            raise Unsupported("the answer it cites says the opposite")
        return polarity
    if kind is Kind.PROCEDURE:
        return True
    if polarity and denies(cited.words, cited.value) and denies(offered, cited.value):
        return False
    taste = attribute(name).category is Category.PREFERENCE
    wrong = contradicts(polarity, cited.words, cited.value, taste=taste)
    if wrong:
        raise Unsupported(wrong)
    return polarity


def _wished(cited: _Cited) -> str:
    """What a wish asks for, with the word that denies it."""
    whole = clause(cited.words, cited.value).strip()
    return whole if denies(cited.words, cited.value) and len(whole) <= LIMITS.value else cited.value


def _origin(kind: Kind, cited: _Cited) -> Origin:
    if kind is Kind.SELF:
        return Origin.SAID
    return Origin.STATED if cited.question is None else Origin.CONFIRMED
