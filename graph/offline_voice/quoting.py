"""What a question can be answered with: the words of the user and of the agent that were handed, worded. Pure."""

from dataclasses import replace

from ...stores.attributes import attribute
from .matching import (
    Fit,
    Meaning,
    fact_fit,
    is_over,
    is_planned,
    is_question,
    meaning,
    newest_first,
    plain,
    sentence_fit,
    sentences,
    unaddressed,
)
from .recalled import RecalledFact, Turn, newness
from .wording import lead, quoted, told
from .words import Language

SHOWN = 5
"""Most facts that answer one question together."""


class Quotes:
    """Finds in what was handed to a turn what bears on a question, and quotes it."""

    def __init__(self, turn: Turn, language: Language) -> None:
        self.turn = turn
        self.recalled = turn.recalled
        self.language = language
        self.say = language.sentences
        self.asks = language.patterns

    def latest_words(self, most: int) -> list[tuple[str, str | None]]:
        """Return the user's own sentences of the newest excerpts, questions left out."""
        entries: list[tuple[str, str | None]] = []
        for excerpt in sorted(self.recalled.excerpts, key=lambda each: newness(each.at), reverse=True):
            for turn in excerpt.turns:
                if turn.by_user:
                    entries += [(each, excerpt.at) for each in sentences(turn.text) if not is_question(each)]
        return entries[:most]

    def agent_said(self, question: str) -> str:
        """Quote the agent's own words of a past session, when the question is about them."""
        about = self.about(question)
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
        return self.dated(self.say.said_on, self.say.said, words, at) if hits else ""

    def own(self, about: Meaning) -> str:
        """What it said before when it was asked the like, in its own words."""
        found = [
            (about.hits(meaning(f"{own.quote} {own.asked}")), newness(own.at), own)
            for own in self.recalled.own
        ]
        hits, _, own = max(found, key=lambda each: each[:2], default=(0, None, None))
        return self.dated(self.say.said_on, self.say.said, own.quote, own.at) if own and hits else ""

    def about(self, text: str) -> Meaning:
        """Return what the user's text is about, apart from the agent it is said to."""
        about = meaning(unaddressed(plain(text), self.turn.agent, self.language))
        return replace(about, words=about.words - meaning(self.turn.agent).words)

    def facts(self, about: Meaning, question: str, personal: bool) -> tuple[list[RecalledFact], Fit | None]:
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

    def changed(self, about: Meaning, question: str, personal: bool) -> str:
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
        return self.joined(
            self.fact(current), self.dated(self.say.before_that_on, self.say.before_that, words, at)
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

    def fact(self, fact: RecalledFact) -> str:
        """What a fact says, and the words it rests on."""
        return self.joined(lead(fact, self.language), told(self.recalled, fact, self.language))

    def excerpt(self, about: Meaning, personal: bool) -> tuple[Fit, str] | None:
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
        return fit, self.dated(self.say.told_on, self.say.told, words, at)

    def earlier(self, about: Meaning, personal: bool, facts: list[RecalledFact]) -> str:
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

    def dated(self, dated: str, undated: str, words: str, at: str | None) -> str:
        """Quote words in the form `dated` when their day is known, else in the form `undated`."""
        day = self.recalled.day(at)
        return quoted(dated.replace("{date}", self.language.date(day)) if day else undated, words)

    def joined(self, *parts: str) -> str:
        """Sentences one after the other, as the language sets them."""
        return self.language.gap.join(part for part in parts if part)


def _same_words(one: str, other: str) -> bool:
    one, other = plain(one).rstrip(".。"), plain(other).rstrip(".。")
    return one in other or other in one
