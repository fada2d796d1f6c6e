"""What is over with somebody: "Eva and I broke up", "my dog Rex died"."""

import re

from .english_names import proper_name
from .english_words import ACQUAINTANCES, PETS, RELATIONS
from .reading import Found, Word, listed, words

_PARTNERS = listed("wife husband hubby girlfriend boyfriend partner spouse fiancé fiancée fiance fiancee")
_WHO = (
    r"(?:(?i:my) (?:(?:late|dear|lovely|old|beloved|sweet) )*(?P<noun>[\w-]+)(?: (?P<of>[A-Z][\w'-]*))?"
    r"|(?P<name>[A-Z][\w'-]*))"
)
_HAVING = r"(?:(?:have|has|just|recently|finally|sadly|unfortunately|actually|now) |'ve )*"
_END = (
    r"(?=$|[,;]| (?:last|this|yesterday|today|on|in|of|from|after|two|three|a|an|recently|suddenly|peacefully|and|but"
    r"|because|so|for|again|at)\b)"
)
_UP = r"(?:(?:broke|broken|split) up|split|separated|parted(?: ways)?)"
_TOGETHER = r"(?:(?:are|am|'re) )(?:no longer together|not together any ?more|not together)"
_I_PARTED = re.compile(rf"(?i:i) ?{_HAVING}{_UP} (?:with|from) {_WHO}{_END}")
_WE_PARTED = re.compile(rf"(?i:i|we) ?(?:{_HAVING}{_UP}|{_TOGETHER}){_END}")
_BOTH = re.compile(rf"{_WHO} and $")
_LEFT = re.compile(
    rf"{_WHO} {_HAVING}(?:(?:broke|broken|split) up with me|dumped me|left me(?=$|[,;])){_END}"
)
_DIED = re.compile(
    rf"{_WHO} {_HAVING}(?P<v>died|passed (?:away|on)|is dead|(?:was|had to be) put (?:down|to sleep)){_END}"
)


def over(clause: list[Word], text: str) -> list[Found]:
    """Who a clause says the user has separated from, or who has died."""
    start, end = clause[0].start, clause[-1].end
    died = _DIED.match(text, start, end)
    if died:
        who = _mourned(died, text)
        return [Found("death", *died.span("v"), subject=who)] if who else []
    parted = _I_PARTED.match(text, start, end) or _LEFT.match(text, start, end)
    if parted is None and _WE_PARTED.match(text, start, end):
        parted = next((m for m in _BOTH.finditer(text, 0, start)), None)
    whom = _partner(parted, text) if parted else None
    return [Found("separated_from", *whom)] if whom else []


def _partner(who: re.Match[str], text: str) -> tuple[int, int] | None:
    group = "of" if who["of"] else "noun" if who["noun"] else "name"
    if who["noun"] and who["noun"].lower() not in _PARTNERS:
        return None
    return who.span(group) if group == "noun" or _is_name(who, group, text) else None


def _mourned(who: re.Match[str], text: str) -> str | None:
    noun = (who["noun"] or "").lower()
    if noun in RELATIONS or noun in PETS:
        return f"user's {RELATIONS.get(noun, noun)}"
    group = "of" if noun else "name"
    named = who[group] and _is_name(who, group, text) and (not noun or noun in ACQUAINTANCES)
    return str(who[group]) if named else None


def _is_name(who: re.Match[str], group: str, text: str) -> bool:
    return proper_name(words(text, *who.span(group)), 0, text) is not None
