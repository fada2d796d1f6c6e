"""What the offline voice says of itself, in persona: who it is, what it holds to, what it will not do. Pure.

It quotes the lines of its core, takes no order to be somebody else, and makes up no life.
"""

import re
from collections.abc import Callable, Iterable

from .matching import meaning, plain, sentences
from .recalled import Character
from .wording import quoted
from .words import Language

LISTED = 6
"""Most lines of its core in one answer."""
SHARED = 2
"""So many words a request shares with a boundary for that one to be meant."""

_MEDICAL = (
    re.compile(r"\b(?:medical|medicine|health|diagnos)|医疗|医学|医药|健康"),
    re.compile(
        r"\b(?:medical|medicine|medication|drugs?|pills?|dos(?:e|age|es)|mg|milligrams?|ibuprofen|paracetamol|aspirin|"
        r"antibiotics?|symptoms?|diagnos\w+|headaches?|fever|infection|rash|prescri\w+|blood pressure|vaccin\w+)\b|"
        r"医疗|医学|药|剂量|毫克|症状|诊断|头痛|发烧|感染|处方|血压|疫苗"
    ),
)
_LEGAL = (
    re.compile(r"\blegal|\blaw\b|法律"),
    re.compile(
        r"\b(?:legal(?:ly)?|illegal|law|lawyer|lawsuit|sue|suing|court|contract|custody|deposit|tenant|landlord|"
        r"copyright|liable|liability)\b|法律|违法|律师|起诉|法院|合同|抚养权|押金|版权|官司"
    ),
)
_DOMAINS = (_MEDICAL, _LEGAL)
"""How a boundary names a domain, and how a request does."""


def of_itself(message: str, *, agent: str, character: Character, language: Language) -> str | None:
    """The answer when a message is about the agent itself, in its language; None when it is not."""
    asks = language.itself
    said = [plain(sentence) for sentence in sentences(message)]

    def any_of(pattern: re.Pattern[str]) -> bool:
        return any(pattern.search(sentence) for sentence in said)

    steps: tuple[tuple[re.Pattern[str], Callable[[], str]], ...] = (
        (asks.pressure, lambda: language.sentences.unmoved.format(agent=agent)),
        (asks.called, lambda: language.sentences.machine.format(agent=agent)),
        (asks.refuses, lambda: _lines(language.sentences.boundaries, character.boundaries, language)),
        (asks.values, lambda: _lines(language.sentences.values, character.values, language)),
        (asks.nature, lambda: _nature(agent, character, language)),
        (asks.own_life, lambda: language.sentences.own_life.format(agent=agent)),
    )
    for pattern, reply in steps:
        if any_of(pattern) and (answer := reply()):
            return answer
    if any_of(asks.advice) and (line := boundary_met(message, character.boundaries)):
        return language.sentences.boundary.format(quote=line)
    return None


def lore_on(question: str, *, character: Character, language: Language) -> str:
    """The piece of lore that bears on a question, told as a story; blank when none does."""
    asked = meaning(question)
    most, best = 0, ""
    for piece in character.lore:
        hits = asked.hits(meaning(piece))
        if hits > most and hits * 2 >= len(asked.words):
            most, best = hits, piece
    return quoted(language.sentences.lore, best) if best else ""


def boundary_met(request: str, boundaries: Iterable[str]) -> str:
    """The boundary that a request meets: they name the same domain, or share words; blank for none."""
    asked, text = meaning(request), plain(request)
    best, most = "", SHARED - 1
    for line in boundaries:
        if any(names.search(plain(line)) and meant.search(text) for names, meant in _DOMAINS):
            return line
        shared = len(asked.stems & meaning(line).stems - _EMPTY)
        if shared > most:
            best, most = line, shared
    return best


_EMPTY = meaning("claim someone anyone make take give want need").stems


def _nature(agent: str, character: Character, language: Language) -> str:
    who = language.sentences.identity.format(agent=agent)
    return language.gap.join(
        filter(None, (who, _lines(language.sentences.nature, character.traits, language)))
    )


def _lines(form: str, lines: Iterable[str], language: Language) -> str:
    """Lines of the core, quoted as they stand there; blank when there are none."""
    quoted = [f"“{line}”" for line in lines][:LISTED]
    return form.format(listed=("、" if not language.gap else ", ").join(quoted)) if quoted else ""
