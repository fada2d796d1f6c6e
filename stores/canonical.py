"""When two statements mean the same: canonical attributes and values. Pure; tables to extend, no model, no similarity.

    topic      which attributes speak of one thing ("works_for" and "works_at"; "prefers" and "likes")
    about      which subjects are one ("the twins", "user's twins")
    meaning    which values are one ("concise style", "minimalism", 极简主义); what differs in a number is never one
    broader    which value takes in another ("alcohol" takes in "two glasses of wine")

To teach it a synonym, add a line to `stores.synonyms`. A line should hold in every sentence: what is only close
is left to the model's ruling.
"""

import re
from functools import lru_cache

from .attributes import ATTRIBUTES, Category, attribute
from .synonyms import ATTRIBUTE_NAMES, DENYING_NAMES, KINDS_OF, SAME_VALUES, TOPICS
from .text import fold

_ARTICLE = re.compile(r"^(?:the|a|an|my|our|some)\s+")
_MARKS = "\\s.,;:!?\"'`()\\[\\]“”‘’«»‹›…。，、；：！？「」『』《》（）"
_EDGES = re.compile(f"^[{_MARKS}]+|[{_MARKS}]+$")
_ADDRESSED = re.compile(r"^(?:the\s+)?(?:user(?:'s|’s)?|my|the|用户的|我的|我)\s*(?=.)")
_LIKING = re.compile(
    r"^(?:(?:likes?|loves?|prefers?|enjoys?)\s+|(?:更喜欢|最喜欢|喜欢|喜爱|偏好|偏爱|热爱)\s*)(?=.)"
)
_LIST = re.compile(r"\s*(?:[,;，、；&]|\band\b|以及|还有|(?<=.)和(?=.)|(?<=..)[与及](?=..))\s*")
_DIGITS = re.compile(r"\d+")
_NUMBERS = {
    word: str(n) for n, word in enumerate("one two three four five six seven eight nine ten".split(), 1)
}

INFLECTED = frozenset((Category.PREFERENCE, Category.HABIT, Category.HEALTH, Category.POSSESSION))
"""Categories whose values are common words: plural and -ing count for nothing there. Names stay as they are."""

_LISTED = INFLECTED | {Category.STUDY}


def spelled(value: str) -> str:
    """`value` in one spelling: case, width, punctuation around it and a leading article do not count.

    Signs that are part of a value do: C, C++ and C# differ, and so do 5 and -5.
    """
    folded = " ".join(fold(value).split())
    return _ARTICLE.sub("", _EDGES.sub("", folded)) or folded


def attribute_name(name: str) -> tuple[str, bool]:
    """The name an attribute is kept under, and whether the given one denies it ("dislikes" is not "likes")."""
    if name in ATTRIBUTES and name not in ATTRIBUTE_NAMES:
        return name, False
    key = re.sub(r"\W+", "_", fold(name)).strip("_") or "note"
    if key in DENYING_NAMES:
        return DENYING_NAMES[key], True
    return ATTRIBUTE_NAMES.get(key, re.sub(r"^favorite_", "favourite_", key)), False


def topic(name: str) -> str:
    """What an attribute speaks of; statements of one topic are held against each other."""
    kept, _ = attribute_name(name)
    return TOPICS.get(kept, kept)


@lru_cache(maxsize=512)
def names_of(topic_name: str) -> tuple[str, ...]:
    """Every attribute of a topic, those that old records may hold too."""
    every = {topic_name, *TOPICS, *ATTRIBUTE_NAMES, *DENYING_NAMES}
    return tuple(sorted(name for name in every if topic(name) == topic_name))


def about(subject: str) -> str:
    """One spelling for whoever is meant: "user", or a person or thing without "the", "my", "user's"."""
    folded = " ".join(fold(subject).split())
    if folded in ("user", "the user", "i", "me", "用户", "我"):
        return "user"
    return _ADDRESSED.sub("", folded) or folded


def is_single(subject: str, name: str) -> bool:
    """Whether a newer value takes the place of an older one. One may have two sisters, each with a name."""
    if topic(name) == "name" and attribute(about(subject)).category is Category.RELATION:
        return attribute(about(subject)).single
    return attribute(topic(name)).single


@lru_cache(maxsize=4096)
def meaning(value: str, topic_name: str) -> str:
    """The form in which values of a topic are compared; the order within a list does not count."""
    kind = attribute(topic_name)
    words = spelled(value)
    if kind.category is Category.NOTE:
        return words
    if kind.category is Category.PREFERENCE:
        words = _LIKING.sub("", words)
    if kind.category not in _LISTED or kind.single or words in SAME_VALUES:
        return _meaning_of_one(words, kind.category)
    parts = {_meaning_of_one(part, kind.category) for part in _LIST.split(words) if part}
    return " & ".join(sorted(parts)) or words


def items(value_meaning: str) -> tuple[str, ...]:
    """The single values of a meaning."""
    return tuple(value_meaning.split(" & "))


def numbers(value: str) -> tuple[str, ...]:
    """Every run of digits in a value, number words counted: values that differ here are never the same."""
    return tuple(_DIGITS.findall(" ".join(_NUMBERS.get(w, w) for w in fold(value).split())))


def same_but_for_number(one: str, other: str) -> bool:
    """Whether two meanings differ in their numbers only ("locker 114", "locker 115")."""
    return numbers(one) != numbers(other) and _DIGITS.sub("#", one) == _DIGITS.sub("#", other)


def broader(general: str, special: str) -> bool:
    """Whether everything that `special` means is `general` too: equal, its last words, or a kind of it."""
    wanted = items(general)
    return any(_is_kind_of(item, wider) for item in items(special) for wider in wanted)


def _is_kind_of(special: str, general: str) -> bool:
    if numbers(general) and numbers(general) != numbers(special):
        return False
    return any(_ends_with(special, name) for name in (general, *_kinds(general)))


def _ends_with(special: str, name: str) -> bool:
    if name.isascii():
        return special == name or special.endswith(f" {name}")
    return special.endswith(name)


@lru_cache(maxsize=512)
def _kinds(general: str) -> tuple[str, ...]:
    found: dict[str, None] = {}
    ahead = [general]
    while ahead:
        for kind in KINDS_OF.get(ahead.pop(), ()):
            if kind not in found:
                found[kind] = None
                ahead.append(kind)
    return tuple(found)


def _meaning_of_one(words: str, category: Category) -> str:
    words = _ARTICLE.sub("", words.strip()) or words
    if words in SAME_VALUES:
        return SAME_VALUES[words]
    tokens = [_NUMBERS.get(token, token) for token in words.split()]
    if category in INFLECTED:
        tokens = [uninflected(token) for token in tokens]
    joined = " ".join(tokens)
    return SAME_VALUES.get(joined, joined)


_VOWELS = re.compile(r"[aeiouy]+")


@lru_cache(maxsize=4096)
def uninflected(word: str) -> str:
    """An English word without plural or -ing; other words, and what may be a stem already, as they are."""
    if not word.isascii() or not word.isalpha():
        return word
    if len(word) > 5 and word.endswith("ing") and _VOWELS.search(word[:-3]):
        return _base(word[:-3])
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _base(stem: str) -> str:
    """ "hik" is "hike", "runn" is "run", "read" and "listen" stay."""
    if stem[-1] == stem[-2] and stem[-1] not in "lszf":
        return stem[:-1]
    short = len(_VOWELS.findall(stem)) == 1 and re.fullmatch(r".*[^aeiou][aeiou][^aeiouwxy]", stem)
    return stem + "e" if short or stem.endswith(("c", "v", "dg")) else stem
