"""What a language brings to the offline voice: its words for topics, its patterns, its sentences."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


def word_set(listed: str) -> frozenset[str]:
    """Return the words of a space-separated list."""
    return frozenset(listed.split())


KIN = word_set("spouse sister brother mother father child friend boss")
"""Topics that make a sentence one about somebody else."""

THINGS = KIN | word_set("pet dog cat meat colour film music car team")
"""Topics that are the same inside any sentence; the others (live, work, eat, like) say what a fact states."""

WEAK = frozenset({"name", "like"})
"""Topics that say too little when the question has another: the name *of the dog*, a favourite *colour*."""

ATTRIBUTE_TOPICS: Mapping[str, frozenset[str]] = {
    "from": frozenset({"origin"}),
    "grew_up_in": frozenset({"origin"}),
    "nickname": frozenset({"name"}),
    "interested_in": frozenset({"like", "hobby"}),
    "plays": frozenset({"hobby"}),
    "takes": frozenset({"medicine"}),
    "drives": frozenset({"car"}),
    "runs": frozenset({"work"}),
    "siblings": frozenset({"family"}),
    "children": frozenset({"family"}),
}
"""Attributes whose name does not give their topics away."""

IMPLIED: Mapping[str, frozenset[str]] = {
    "dog": frozenset({"pet"}),
    "cat": frozenset({"pet"}),
    "meat": frozenset({"eat"}),
    **dict.fromkeys(KIN - {"friend", "boss"}, frozenset({"family"})),
}
"""What a fact on the one topic answers as well."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """How to tell what a message wants. All are matched against folded text."""

    question: re.Pattern[str]
    yes_no: re.Pattern[str]
    personal: re.Pattern[str]
    addressed: re.Pattern[str]
    greeting: re.Pattern[str]
    thanks: re.Pattern[str]
    farewell: re.Pattern[str]
    machine: re.Pattern[str]
    identity: re.Pattern[str]
    feeling: re.Pattern[str]
    ability: re.Pattern[str]
    about_user: re.Pattern[str]
    user_name: re.Pattern[str]
    last_time: re.Pattern[str]
    agent_said: re.Pattern[str]
    past: re.Pattern[str]
    today: re.Pattern[str]
    forget: re.Pattern[str]
    remember: re.Pattern[str]
    request: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class SelfPatterns:
    """How to tell that a sentence is about the agent itself. All are matched against one folded sentence each."""

    pressure: re.Pattern[str]
    called: re.Pattern[str]
    nature: re.Pattern[str]
    values: re.Pattern[str]
    refuses: re.Pattern[str]
    own_life: re.Pattern[str]
    advice: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Sentences:
    """What the voice says, as format strings. Only {quote}, and what is {listed}, stands between curly quotes."""

    offline: str
    offline_again: str
    told_on: str
    told: str
    noted_on: str
    noted: str
    said_on: str
    said: str
    earlier: str
    before_that_on: str
    before_that: str
    closest: str
    listed: str
    more: str
    last_time: str
    nothing: str
    nothing_handed: str
    know_nothing: str
    known_as: str
    greeting: str
    greeting_named: str
    greeting_again: str
    thanks: str
    farewell: str
    machine: str
    identity: str
    nature: str
    values: str
    boundaries: str
    boundary: str
    unmoved: str
    own_life: str
    lore: str
    not_said: str
    feeling: str
    ability: str
    today: str
    forget: str
    remember: str
    secret: str
    cannot: str
    heard: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Language:
    """One language. `gap` stands between sentences; `phrases` mean another word than the words in them."""

    gap: str
    topics: Mapping[str, tuple[str, ...]]
    silent: frozenset[str]
    patterns: Patterns
    itself: SelfPatterns
    sentences: Sentences
    date_form: str
    phrases: Mapping[str, str]
    months: tuple[str, ...] = ()

    def date(self, day: date) -> str:
        """Write a day out, whatever the locale of the machine."""
        month = self.months[day.month - 1] if self.months else str(day.month)
        return self.date_form.format(day=day.day, month=month, year=day.year)
