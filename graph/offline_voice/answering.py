"""What the offline voice answers: it quotes what it was handed, or says that it has nothing. Pure."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from ...stores.attributes import attribute
from ...stores.secrets import is_secret
from .character import lore_on, of_itself
from .matching import (
    Fit,
    Meaning,
    fact_fit,
    is_over,
    is_planned,
    language_of,
    meaning,
    newest_first,
    plain,
    sentence_fit,
    sentences,
)
from .recalled import Recalled, RecalledFact, newness
from .wording import lead, listed, quoted, told
from .words import Language

LISTED = 8
"""Most facts of a list."""
SHOWN = 5
"""Most facts that answer one question together."""

_LAST_CLAUSE = re.compile(r"^.*[,，:：]")


@dataclass(frozen=True, slots=True)
class Turn:
    """What the voice answers to: the last message, the user's earlier ones, how many answers were given."""

    message: str
    earlier: tuple[str, ...]
    answered: int
    agent: str
    recalled: Recalled


def answer(turn: Turn) -> str:
    """Return the answer to the user's last message, in its language, marked as given offline."""
    language = language_of(turn.message)
    say = language.sentences
    body = _Answer(turn, language).body()
    note = say.offline_again if turn.answered else say.offline
    return f"{body}{note}" if body.endswith("\n") else f"{body}{language.gap}{note}"


class _Answer:
    """One answer in the making."""

    def __init__(self, turn: Turn, language: Language) -> None:
        self.turn = turn
        self.recalled = turn.recalled
        self.language = language
        self.say = language.sentences
        self.asks = language.patterns
        self.whole = plain(turn.message)
        self.rest = self._without_greeting(self.whole)
        self.asked = self._question()

    def body(self) -> str:
        """Return the answer without the offline note."""
        itself = of_itself(
            self.turn.message,
            agent=self.turn.agent,
            character=self.recalled.character,
            language=self.language,
        )
        if itself:
            return itself
        if self.asked:
            return self._to_question(self.asked)
        return self._to_statement()

    def _without_greeting(self, text: str) -> str:
        greeted = self.asks.greeting.match(text)
        if not greeted:
            return self._unnamed(text)
        return self._unnamed(text[greeted.end() :])

    def _unnamed(self, text: str) -> str:
        """Return the text without the agent's name at its beginning: "Luna, where do I live?"."""
        rest = text.removeprefix(plain(self.turn.agent))
        return text if rest[:1].isalnum() and rest[:1].isascii() else rest.lstrip(" ,!.，！。")

    def _question(self) -> str:
        """Return the last question of the message as written, or nothing."""
        found = ""
        for sentence in sentences(self.turn.message):
            if self.asks.question.search(self._without_greeting(plain(sentence))):
                found = sentence
        return found

    # What is not a question.

    def _to_statement(self) -> str:
        say, asks = self.say, self.asks
        if not self.rest or self.rest in ("there", "again"):
            return self._greeting()
        for pattern, reply in (
            (asks.thanks, say.thanks),
            (asks.farewell, say.farewell),
            (asks.forget, say.forget),
            (asks.remember, say.secret if is_secret(self.turn.message) else say.remember),
            (asks.request, say.cannot),
        ):
            if pattern.search(self.rest):
                return reply
        user = self.recalled.user_name
        comma = "" if not user else f", {user}" if self.language.gap else f"，{user}"
        return say.heard[self.turn.answered % len(say.heard)].format(comma_user=comma)

    def _greeting(self) -> str:
        user, say = self.recalled.user_name, self.say
        opening = self.recalled.character.opening
        if opening and not self.turn.answered and language_of(opening) is self.language:
            return opening
        form = say.greeting_named if user else say.greeting
        hello = form.format(user=user, agent=self.turn.agent)
        met = self.recalled.interactions > 1 and not self.turn.answered
        again = say.greeting_again if met else ""
        return self._joined(hello, again)

    # Questions.

    def _to_question(self, question: str) -> str:
        text = self._without_greeting(plain(question))
        asks = self.asks
        steps: tuple[tuple[bool, Callable[[], str]], ...] = (
            (bool(asks.machine.search(text)), lambda: self._itself(self.say.machine)),
            (bool(asks.identity.search(text)), lambda: self._itself(self.say.identity)),
            (bool(asks.feeling.search(text)), lambda: self._itself(self.say.feeling)),
            (bool(asks.ability.search(text)), lambda: self.say.ability),
            (bool(asks.user_name.search(text)), self._user_name),
            (bool(asks.about_user.search(text)), self._about_user),
            (bool(asks.today.search(text)), self._today),
            (bool(asks.forget.search(text)), lambda: self.say.forget),
            (bool(asks.request.search(text)), lambda: self.say.cannot),
            (bool(asks.agent_said.search(text)), lambda: self._agent_said(question)),
            (bool(asks.last_time.search(text)), lambda: self._last_time(question)),
        )
        for applies, reply in steps:
            if applies and (said := reply()):
                return said
        return self._recall(question)

    def _itself(self, form: str) -> str:
        return form.format(agent=self.turn.agent)

    def _today(self) -> str:
        day = self.recalled.day(self.recalled.now)
        return self.say.today.format(date=self.language.date(day)) if day else self.say.cannot

    def _user_name(self) -> str:
        names = [fact for fact in self.recalled.facts if fact.subject == "user" and fact.attribute == "name"]
        if names:
            return self._fact(newest_first(names)[0])
        user = self.recalled.user_name
        return self.say.known_as.format(user=user) if user else ""

    def _about_user(self) -> str:
        known = _words_of(newest_first(fact for fact in self.recalled.facts if fact.words))
        entries = known[:LISTED] or self._latest_words(3)
        more = f"{self.say.more}\n" if len(known) > LISTED else ""
        if entries:
            return f"{self.say.listed}\n{listed(entries, self.recalled, self.language)}\n{more}"
        user = self.recalled.user_name
        nothing = self.say.know_nothing if self.recalled.handed else self.say.nothing_handed
        return self.say.known_as.format(user=user) if user else nothing

    def _last_time(self, question: str) -> str:
        about = self._about(question)
        if about.words or about.strict:
            return ""
        entries = self._latest_words(3)
        return f"{self.say.last_time}\n{listed(entries, self.recalled, self.language)}\n" if entries else ""

    def _latest_words(self, most: int) -> list[tuple[str, str | None]]:
        """Return the user's own sentences of the newest excerpts, questions left out."""
        entries: list[tuple[str, str | None]] = []
        for excerpt in sorted(self.recalled.excerpts, key=lambda each: newness(each.at), reverse=True):
            for turn in excerpt.turns:
                if turn.by_user:
                    entries += [(each, excerpt.at) for each in sentences(turn.text) if not _is_question(each)]
        return entries[:most]

    def _agent_said(self, question: str) -> str:
        """Quote the agent's own words of a past session, when the question is about them."""
        about = self._about(question)
        found = [
            (about.hits(meaning(each)), newness(excerpt.at), each, excerpt.at)
            for excerpt in self.recalled.excerpts
            for turn in excerpt.turns
            if not turn.by_user
            for each in sentences(turn.text)
            if "“" not in each  # what it quoted was not its own
        ]
        found += [
            (about.hits(meaning(f"{own.quote} {own.asked}")), newness(own.at), own.quote, own.at)
            for own in self.recalled.own
        ]
        hits, _, words, at = max(found, key=lambda each: each[:2], default=(0, None, "", None))
        return self._dated(self.say.said_on, self.say.said, words, at) if hits else ""

    def _own(self, about: Meaning) -> str:
        """What it said before when it was asked the like, in its own words."""
        found = [
            (about.hits(meaning(f"{own.quote} {own.asked}")), newness(own.at), own)
            for own in self.recalled.own
        ]
        hits, _, own = max(found, key=lambda each: each[:2], default=(0, None, None))
        return self._dated(self.say.said_on, self.say.said, own.quote, own.at) if own and hits else ""

    # Recall.

    def _recall(self, question: str) -> str:
        about = self._about(question)
        if not about.topics and not about.words:
            about = self._about(self.turn.message)
        personal = self._is_personal(question, about)
        if not personal and self.asks.addressed.search(plain(question)):
            return self._own(about) or self._unknown(question, personal)
        facts, best = self._facts(about, question, personal)
        excerpt = self._excerpt(about, personal)
        now = self._earlier(about, personal, facts)
        if excerpt and (changed := self._changed(about, question, personal)):
            return changed
        closer = excerpt and best and _closer(excerpt[0], best)
        if facts and best and not closer:
            return self._from_facts(facts, best, question, now)
        if now:
            return now
        if excerpt:
            return excerpt[1]
        clause = _LAST_CLAUSE.sub("", question)
        if clause != question and self._is_personal(clause, self._about(clause)) and _is_question(clause):
            return self._recall(clause)
        return self._unknown(question, personal)

    def _unknown(self, question: str, personal: bool) -> str:
        if self.asks.agent_said.search(plain(question)):
            return self.say.not_said
        if personal:
            return self.say.nothing if self.recalled.handed else self.say.nothing_handed
        if told_of := lore_on(question, character=self.recalled.character, language=self.language):
            return told_of
        asked = self.asks.addressed.search(plain(question))
        return self._joined(self._itself(self.say.identity) if asked else "", self.say.cannot)

    def _about(self, text: str) -> Meaning:
        """Return what the user's text is about, apart from the agent it is said to."""
        about = meaning(self._without_greeting(plain(text)))
        return replace(about, words=about.words - meaning(self.turn.agent).words)

    def _is_personal(self, question: str, about: Meaning) -> bool:
        """Whether a question is about the user; "What city?", or a language not known, is taken to be."""
        text = plain(question)
        known = self.language.gap == "" or any(word in self.language.silent for word in text.split())
        bare = not about.words and not self.asks.addressed.search(text)
        return bool(self.asks.personal.search(text)) or bare or not known

    def _facts(self, about: Meaning, question: str, personal: bool) -> tuple[list[RecalledFact], Fit | None]:
        """Return the facts that fit best, newest first, and how they fit."""
        text = plain(question)
        past, yes_no = self.asks.past.search(text), self.asks.yes_no.search(text)
        known = [fact for fact in newest_first(self.recalled.facts, past=bool(past)) if fact.words]
        fits = [(fit, fact) for fact in known if (fit := fact_fit(about, fact, personal=personal))]

        def strength(fit: Fit) -> tuple[bool, int]:
            return fit.exact, fit.shared + fit.hits + (fit.named and not yes_no)

        if not fits:
            return [], None
        best = max((fit for fit, _ in fits), key=strength)
        most = 1 if not best.exact or (yes_no and not past) else SHOWN
        return [fact for fit, fact in fits if strength(fit) == strength(best)][:most], best

    def _from_facts(self, facts: list[RecalledFact], best: Fit, question: str, now: str) -> str:
        if now:
            fact = facts[0]
            before = self._dated(self.say.before_that_on, self.say.before_that, fact.words, fact.at)
            return self._joined(now, before)
        if len(entries := _words_of(facts)) > 1:
            return f"{self.say.listed}\n{listed(entries, self.recalled, self.language)}\n"
        if not best.exact:
            return self._joined(self.say.closest, told(self.recalled, facts[0], self.language))
        past, several = self.asks.past.search(plain(question)), len(facts) > 1
        return told(self.recalled, facts[0], self.language) if past or several else self._fact(facts[0])

    def _changed(self, about: Meaning, question: str, personal: bool) -> str:
        """What holds now and what the user said before it, where the question is about that: nothing past is quoted
        as if it still held, and nothing that holds as if it had before."""
        text = plain(question)
        past, yes_no = self.asks.past.search(text), self.asks.yes_no.search(text)
        current = self._current(about, personal)
        if current is None or (not past and not yes_no) or plain(current.value) in text:
            return ""
        before = [
            (newness(at), each, at)
            for each, at in self._on_topic(about)
            if newness(at) < newness(current.at) and not _same_words(each, current.words)
            if plain(current.value) not in plain(each) and about.hits(meaning(each)) == len(about.words)
        ]
        if not before:
            return ""
        _, words, at = max(before)
        return self._joined(
            self._fact(current), self._dated(self.say.before_that_on, self.say.before_that, words, at)
        )

    def _current(self, about: Meaning, personal: bool) -> RecalledFact | None:
        """The newest fact on the question's topic, where only one can hold at a time."""
        topic = replace(about, words=frozenset())
        for fact in newest_first(self.recalled.facts):
            fit = fact_fit(topic, fact, personal=personal) if about.strict else None
            if fit and fit.exact and fact.polarity and fact.value and attribute(fact.attribute).single:
                return fact
        return None

    def _on_topic(self, about: Meaning) -> list[tuple[str, str | None]]:
        """The user's sentences of past sessions that are about the question's topic, each with its time."""
        topic = replace(about, words=frozenset())
        return [
            (each, excerpt.at)
            for excerpt in self.recalled.excerpts
            for turn in excerpt.turns
            if turn.by_user
            for each in sentences(turn.text)
            if sentence_fit(topic, each, personal=True)
        ]

    def _fact(self, fact: RecalledFact) -> str:
        return self._joined(lead(fact, self.language), told(self.recalled, fact, self.language))

    def _excerpt(self, about: Meaning, personal: bool) -> tuple[Fit, str] | None:
        """Return the user's sentence from past sessions that fits best, worded, and how it fits."""
        fits = [
            (fit, excerpt.score, newness(excerpt.at), each, excerpt.at)
            for excerpt in self.recalled.excerpts
            for turn in excerpt.turns
            if turn.by_user
            for each in sentences(turn.text)
            if (fit := sentence_fit(about, each, personal=personal))
        ]
        if not fits:
            return None
        fit, _, _, words, at = max(
            fits, key=lambda each: (each[0].exact, each[0].hits, each[0].shared, each[2], each[1])
        )
        return fit, self._dated(self.say.told_on, self.say.told, words, at)

    def _earlier(self, about: Meaning, personal: bool, facts: list[RecalledFact]) -> str:
        """Quote the newest that this conversation says on it, unless the newest is what a fact already quotes.

        Where a fact says what is so, neither what may come nor what is over stands before it.
        """
        past = self.asks.past.search(about.text)
        for message in reversed(self.turn.earlier):
            for each in reversed(sentences(message)):
                if any(_same_words(each, fact.words) for fact in facts):
                    return ""
                if facts and (is_planned(each, about) or (is_over(each) and not past)):
                    continue
                fit = sentence_fit(about, each, personal=personal)
                if fit and fit.exact:
                    return quoted(self.say.earlier, each)
        return ""

    def _dated(self, dated: str, undated: str, words: str, at: str | None) -> str:
        day = self.recalled.day(at)
        return quoted(dated.replace("{date}", self.language.date(day)) if day else undated, words)

    def _joined(self, *parts: str) -> str:
        return self.language.gap.join(part for part in parts if part)


def _words_of(facts: Iterable[RecalledFact]) -> list[tuple[str, str | None]]:
    """Return the words that facts rest on, with their times; several facts may rest on the same."""
    return list(dict.fromkeys((fact.words, fact.at) for fact in facts))


def _closer(words: Fit, fact: Fit) -> bool:
    """Whether words of the user's bear more on a question than what is known does, its topics first."""
    return words.hits > fact.hits and words.shared >= fact.shared and words.exact >= fact.exact


def _is_question(sentence: str) -> bool:
    return bool(language_of(sentence).patterns.question.search(plain(sentence)))


def _same_words(one: str, other: str) -> bool:
    one, other = plain(one).rstrip(".。"), plain(other).rstrip(".。")
    return one in other or other in one
