"""Which of the things handed over answers a question: topics and words, no model. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from ...stores.attributes import attribute
from ...stores.text import fold
from .chinese import CHINESE, SIMPLER
from .english import ENGLISH
from .recalled import RecalledFact, newness
from .words import ATTRIBUTE_TOPICS, IMPLIED, KIN, THINGS, WEAK, Language

_HAN = re.compile("[\u3400-\u9fff]")
_OTHER_EAST = re.compile("[\u3040-\u30ff\uac00-\ud7a3]")
_WORD = re.compile(r"[^\W_\u3400-\u9fff]+(?:[-'’][^\W_\u3400-\u9fff]+)*")
_SUPPOSED = re.compile(
    r"(?:and |but |well,? )?(?:if|suppose|supposing|imagine|let's say)\b|(?:如果|假如|要是|假设|假使|倘若)"
)
"""How a sentence begins that says what might be."""
_PLANNED = re.compile(
    r"\b(?:might|could|would|should|(?:i|we) may|want(?:ed)? to|wanna|going to|gonna|hop(?:e|ing)|wish|plan(?:s|ning)?"
    r"|thinking (?:of|about)|consider(?:ing)?|dream(?:s|t|ed|ing)?|maybe|perhaps|next (?:week|month|year))\b"
    r"|可能|也许|或许|(?<!理)想(?![到起法])|打算|计划|考虑|希望|但愿|梦见|准备|明年|下个?月"
)
"""Says what may come to be, or is only wished: no answer to what is so."""
_OVER = re.compile(
    r"\b(?:used to|formerly|previously|in the past|as a (?:child|kid)|when i was|never \w+ed)\b|以前|曾经?|小时候|从前"
)
"""Says what was so, or never was."""
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])\s*|\n+")


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a text is about: topics, the words that say more than those, and all English stems."""

    topics: frozenset[str]
    words: frozenset[str]
    stems: frozenset[str]
    text: str

    @property
    def strict(self) -> frozenset[str]:
        """The topics an answer must share."""
        return self.topics - WEAK

    def hits(self, other: "Meaning") -> int:
        """Return how many of these words the other text has too; Chinese words may stand inside others."""
        return sum(
            word in other.words or (bool(_HAN.match(word)) and word in other.text) for word in self.words
        )


def language_of(text: str) -> Language:
    """Return Chinese for a message in Chinese, English for every other."""
    han = len(_HAN.findall(text))
    chinese = han > 0 and not _OTHER_EAST.search(text) and han >= len(_WORD.findall(text))
    return CHINESE if chinese else ENGLISH


def plain(text: str) -> str:
    """Return `text` in the spelling that patterns and tables are written in."""
    return fold(text).translate(SIMPLER).replace("’", "'").strip()


def sentences(text: str) -> list[str]:
    """Cut a text into its sentences, each as it was written."""
    return [stripped for part in _SENTENCE.split(text) if (stripped := part.strip())]


def stem(word: str) -> str:
    """Return a crude English stem, the same for "live", "lives", "lived" and "living"."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word.removesuffix(ending)
            break
    if len(word) > 3 and word.endswith("e"):
        word = word[:-1]
    if word.endswith("y"):
        word = word[:-1] + "i"
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


_ENGLISH_TOPICS = {stem(word): topic for topic, words in ENGLISH.topics.items() for word in words}
_CHINESE_TOPICS = {word: topic for topic, words in CHINESE.topics.items() for word in words}
_CHINESE_REMOVED = re.compile(
    "|".join(sorted({*_CHINESE_TOPICS, *CHINESE.silent}, key=lambda w: (-len(w), w)))
)


def meaning(text: str) -> Meaning:
    """Return what a text is about, in both languages at once: facts and questions may differ in language."""
    text = plain(text)
    for phrase, word in ENGLISH.phrases.items():
        text = re.sub(rf"\b{phrase}\b", word, text)
    bare = (word.removesuffix("'s") for word in _WORD.findall(text))
    stems = {stem(word) for word in bare if word not in ENGLISH.silent}
    topics = {_ENGLISH_TOPICS[each] for each in stems if each in _ENGLISH_TOPICS}
    topics |= {topic for word, topic in _CHINESE_TOPICS.items() if word in text}
    words = {each for each in stems if each not in _ENGLISH_TOPICS} | _chinese_words(text)
    return Meaning(frozenset(topics), frozenset(words), frozenset(stems), text)


def _chinese_words(text: str) -> set[str]:
    """Return what is left of the Chinese once topics and grammar are gone, in pieces of two characters."""
    rest = _CHINESE_REMOVED.sub(" ", text)
    found = set()
    for run in re.findall("[\u3400-\u9fff]+", rest):
        found |= {run} if len(run) < 3 else {run[at : at + 2] for at in range(len(run) - 1)}
    return found


def _fact_meaning(fact: RecalledFact) -> Meaning:
    """Return what a fact is about. What it states comes from its attribute: "live music" is no home."""
    name = meaning(fact.attribute.replace("_", " "))
    said = meaning(f"{fact.subject} {fact.statement} {fact.value} {fact.words}")
    of_attribute = name.topics | ATTRIBUTE_TOPICS.get(fact.attribute, frozenset())
    topics = of_attribute | (said.topics & THINGS if of_attribute - THINGS else said.topics)
    for topic in topics:
        topics |= IMPLIED.get(topic, frozenset())
    return Meaning(topics, name.words | said.words, name.stems, f"{name.text} {said.text}")


@dataclass(frozen=True, slots=True)
class Fit:
    """How well something answers: exactly or nearly, how many topics and words it shares with the question.

    `named`: the question asks in the very words of the attribute ("work", where a job would do as well).
    """

    exact: bool
    shared: int
    hits: int
    named: bool = False


def is_planned(sentence: str, question: Meaning) -> bool:
    """Whether a sentence says what may come, and the question asks for what is."""
    return _PLANNED.search(plain(sentence)) is not None and _PLANNED.search(question.text) is None


def is_over(sentence: str) -> bool:
    """Whether a sentence says what was so, or never was."""
    return _OVER.search(plain(sentence)) is not None


def fact_fit(question: Meaning, fact: RecalledFact, *, personal: bool) -> Fit | None:
    """Return how a fact fits a question, or None; one not about the user (`personal`) needs every word."""
    about = _fact_meaning(fact)
    subject = meaning(fact.subject)
    if fact.subject != "user" and not (question.topics & subject.topics or question.hits(subject)):
        return None
    hits, shared = question.hits(about), len(question.topics & about.topics)
    if not personal and (not hits or hits < len(question.words)):
        return None
    if not question.strict <= about.topics:
        return Fit(False, shared, hits) if hits else None
    if hits or (not question.words and shared):
        exact = "like" in about.topics or "like" not in question.topics
        return Fit(exact, shared, hits, bool(question.stems & about.stems))
    return Fit(False, shared, 0) if question.strict else None


def sentence_fit(question: Meaning, sentence: str, *, personal: bool) -> Fit | None:
    """Return how a sentence of the user's fits a question, or None; questions answer nothing."""
    language, text = language_of(sentence), plain(sentence)
    if language.patterns.question.search(text) or _SUPPOSED.match(text):
        return None
    said = meaning(sentence)
    hits, shared = question.hits(said), len(question.topics & said.topics)
    if not personal:
        fits = bool(question.words) and hits == len(question.words) and question.strict <= said.topics
        return Fit(True, shared, hits) if fits else None
    if question.words:
        return Fit(question.strict <= said.topics, shared, hits) if hits * 2 >= len(question.words) else None
    others = (said.topics & KIN) - question.topics
    if (
        others
        or not shared
        or is_planned(text, question)
        or not question.strict <= said.topics
        or not language.patterns.personal.search(text)
    ):
        return None
    return Fit(True, shared, 0)


def newest_first(facts: Iterable[RecalledFact], *, past: bool = False) -> list[RecalledFact]:
    """Order by time, newest first, and keep what the newest leave standing; with `past`, keep all.

    A newer value takes the place of an older one where only one counts at a time, and a newer word on the
    same value that of an older one.
    """
    kept, settled = [], set[tuple[str, ...]]()
    for fact in sorted(facts, key=lambda each: (newness(each.at), each.score), reverse=True):
        alone = (fact.subject, fact.attribute)
        valued = (*alone, plain(fact.value))
        single = fact.polarity and attribute(fact.attribute).single
        if past or not (valued in settled or (single and alone in settled)):
            kept.append(fact)
        settled |= {valued, alone} if single else {valued}
    return kept


def unaddressed(text: str, agent: str, language: Language) -> str:
    """Return a plain text without a greeting and the agent's name at its beginning: "Hi Luna, where do I live?"."""
    greeted = language.patterns.greeting.match(text)
    said = text[greeted.end() :] if greeted else text
    rest = said.removeprefix(plain(agent))
    return said if rest[:1].isalnum() and rest[:1].isascii() else rest.lstrip(" ,!.，！。")


def is_question(sentence: str) -> bool:
    """Whether a sentence asks something, in the language it is in."""
    return bool(language_of(sentence).patterns.question.search(plain(sentence)))
