"""What the offline voice answers: it quotes what it was handed, or says that it has nothing. Pure."""

import re
from collections.abc import Callable, Iterable

from ...stores.secrets import is_secret
from .character import lore_on, of_itself
from .matching import (
    Fit,
    Meaning,
    is_question,
    language_of,
    newest_first,
    plain,
    sentences,
    unaddressed,
)
from .quoting import Quotes
from .recalled import RecalledFact, Turn
from .wording import listed, told
from .words import Language

LISTED = 8
"""Most facts of a list."""

_LAST_CLAUSE = re.compile(r"^.*[,，:：]")


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
        self.rest = unaddressed(plain(turn.message), turn.agent, language)
        self.quotes = Quotes(turn, language)
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

    def _question(self) -> str:
        """Return the last question of the message as written, or nothing."""
        found = ""
        for sentence in sentences(self.turn.message):
            if self.asks.question.search(unaddressed(plain(sentence), self.turn.agent, self.language)):
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
        return self.quotes.joined(hello, again)

    # Questions.

    def _to_question(self, question: str) -> str:
        text = unaddressed(plain(question), self.turn.agent, self.language)
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
            (bool(asks.agent_said.search(text)), lambda: self.quotes.agent_said(question)),
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
            return self.quotes.fact(newest_first(names)[0])
        user = self.recalled.user_name
        return self.say.known_as.format(user=user) if user else ""

    def _about_user(self) -> str:
        known = _words_of(newest_first(fact for fact in self.recalled.facts if fact.words))
        entries = known[:LISTED] or self.quotes.latest_words(3)
        more = f"{self.say.more}\n" if len(known) > LISTED else ""
        if entries:
            return f"{self.say.listed}\n{listed(entries, self.recalled, self.language)}\n{more}"
        user = self.recalled.user_name
        nothing = self.say.know_nothing if self.recalled.handed else self.say.nothing_handed
        return self.say.known_as.format(user=user) if user else nothing

    def _last_time(self, question: str) -> str:
        about = self.quotes.about(question)
        if about.words or about.strict:
            return ""
        entries = self.quotes.latest_words(3)
        return f"{self.say.last_time}\n{listed(entries, self.recalled, self.language)}\n" if entries else ""

    # Recall.

    def _recall(self, question: str) -> str:
        about = self.quotes.about(question)
        if not about.topics and not about.words:
            about = self.quotes.about(self.turn.message)
        personal = self._is_personal(question, about)
        if not personal and self.asks.addressed.search(plain(question)):
            return self.quotes.own(about) or self._unknown(question, personal)
        facts, best = self.quotes.facts(about, question, personal)
        excerpt = self.quotes.excerpt(about, personal)
        now = self.quotes.earlier(about, personal, facts)
        if excerpt and (changed := self.quotes.changed(about, question, personal)):
            return changed
        closer = excerpt and best and _closer(excerpt[0], best)
        if facts and best and not closer:
            return self._from_facts(facts, best, question, now)
        if now:
            return now
        if excerpt:
            return excerpt[1]
        clause = _LAST_CLAUSE.sub("", question)
        if (
            clause != question
            and self._is_personal(clause, self.quotes.about(clause))
            and is_question(clause)
        ):
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
        return self.quotes.joined(self._itself(self.say.identity) if asked else "", self.say.cannot)

    def _is_personal(self, question: str, about: Meaning) -> bool:
        """Whether a question is about the user; "What city?", or a language not known, is taken to be."""
        text = plain(question)
        known = self.language.gap == "" or any(word in self.language.silent for word in text.split())
        bare = not about.words and not self.asks.addressed.search(text)
        return bool(self.asks.personal.search(text)) or bare or not known

    def _from_facts(self, facts: list[RecalledFact], best: Fit, question: str, now: str) -> str:
        if now:
            fact = facts[0]
            before = self.quotes.dated(self.say.before_that_on, self.say.before_that, fact.words, fact.at)
            return self.quotes.joined(now, before)
        if len(entries := _words_of(facts)) > 1:
            return f"{self.say.listed}\n{listed(entries, self.recalled, self.language)}\n"
        if not best.exact:
            return self.quotes.joined(self.say.closest, told(self.recalled, facts[0], self.language))
        past, several = self.asks.past.search(plain(question)), len(facts) > 1
        return told(self.recalled, facts[0], self.language) if past or several else self.quotes.fact(facts[0])


def _words_of(facts: Iterable[RecalledFact]) -> list[tuple[str, str | None]]:
    """Return the words that facts rest on, with their times; several facts may rest on the same."""
    return list(dict.fromkeys((fact.words, fact.at) for fact in facts))


def _closer(words: Fit, fact: Fit) -> bool:
    """Whether words of the user's bear more on a question than what is known does, its topics first."""
    return words.hits > fact.hits and words.shared >= fact.shared and words.exact >= fact.exact
