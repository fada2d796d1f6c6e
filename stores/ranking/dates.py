"""Which days a question points at. Pure; `now` is passed in."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

_CALENDAR = """
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
""".split()
MONTHS, WEEKDAYS = tuple(_CALENDAR[:12]), tuple(_CALENDAR[12:])
_MONTH = "|".join(MONTHS)
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_NUMBERS |= {"six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_CHINESE = {char: value for value, char in enumerate("零一二三四五六七八九十")} | {"两": 2, "兩": 2}

NEAR_DAY = 2
"""A named day means the talk of it too, a day or two later: "on 5 July" is told on the 6th."""
DAY, MONTH, AFTER, YEAR = 2.0, 1.0, 0.4, 0.3
"""How much a match says: a named day; a named month (or stretch of days); the first ten days of the month
after it, when it is told as "last month"; a year alone. Halved or x1.5 they move recall by less than 1."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Days first..last that a question names, and how much it says that a turn is from then."""

    first: date
    last: date
    weight: float


def _month(year: int, month: int) -> tuple[date, date]:
    following = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), following - timedelta(days=1)


def _whole_month(year: int, month: int) -> Iterator[Stretch]:
    first, last = _month(year, month)
    yield Stretch(first, last, MONTH)
    yield Stretch(last + timedelta(days=1), last + timedelta(days=10), AFTER)


def _day(year: int, month: int, day: int) -> Iterator[Stretch]:
    try:
        named = date(year, month, day)
    except ValueError:
        return
    yield Stretch(named - timedelta(days=NEAR_DAY), named + timedelta(days=NEAR_DAY), DAY)


_NAMED_DAY = re.compile(
    rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_MONTH})\b"
    rf"|\b(?P<m2>{_MONTH}) (?:the )?(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)"
    r"|(?P<m3>\d{1,2})月(?P<d3>\d{1,2})[日号號]"
)
_ISO_DAY = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
_NAMED_MONTH = re.compile(
    r"\b(?P<name>january|february|march(?! (?:for|in|to|against|with))|april|june|july|august|september"
    r"|october|november|december)\b"
    r"|\b(?:in|of|on|since|until|during|before|after|early|late|mid|from|by|last|this|\d+) (?P<may>may)\b"
    r"|(?<![\d月])(?P<number>1[0-2]|[1-9])月(?!\d)"
)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_AGO = re.compile(
    r"\b(?P<n>\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten) (?P<unit>day|week|month|year)s? ago\b"
    r"|(?P<n2>\d+|[一两兩二三四五六七八九十])(?:个|個)?(?P<unit2>天|日|周|週|星期|月|年)(?:以)?前"
)
_UNIT = {
    "day": 1,
    "天": 1,
    "日": 1,
    "week": 7,
    "周": 7,
    "週": 7,
    "星期": 7,
    "month": 30,
    "月": 30,
    "year": 365,
    "年": 365,
}
_WEEKDAY = re.compile(
    rf"\b(?:last|on|this) ({'|'.join(WEEKDAYS)})\b|(?:上|这|這)?(?:个|個)?(?:周|週|星期)([一二三四五六日天])"
)
_STRETCHES: tuple[tuple[re.Pattern[str], int, int], ...] = (
    (re.compile(r"\bday before yesterday\b|前天"), 2, 2),
    (re.compile(r"(?<!before )\byesterday\b|\blast night\b|昨天|昨晚"), 1, 1),
    (re.compile(r"\btoday\b|\bthis (?:morning|afternoon|evening)\b|\btonight\b|今天|今晚|今早"), 0, 0),
    (re.compile(r"\blast (?:week|weekend)\b|上(?:个|個)?(?:周|週|星期|礼拜)(?![一二三四五六日天])"), 2, 13),
    (re.compile(r"\bthis week(?:end)?\b|这(?:个)?(?:周|星期|礼拜)(?![一二三四五六日天])"), 0, 6),
    (re.compile(r"\blast year\b|去年"), 180, 700),
)


def stretches(question: str, now: datetime, first_year: int, last_year: int) -> list[Stretch]:
    """Return the days `question` (lower case) points at; a month or day without a year is that of every
    year."""
    found: list[Stretch] = []
    iso = _ISO_DAY.findall(question)
    for year, month, day in iso:
        found += _day(int(year), int(month), int(day))
    years = [int(year) for year in _YEAR.findall(question)]
    spans = years or range(first_year, last_year + 1)
    for match in _NAMED_DAY.finditer(question):
        month = int(match["m3"]) if match["m3"] else MONTHS.index(match["m"] or match["m2"]) + 1
        for year in spans:
            found += _day(year, month, int(match["d"] or match["d2"] or match["d3"]))
    months = False
    for match in _NAMED_MONTH.finditer(question):
        month = int(match["number"]) if match["number"] else MONTHS.index(match["name"] or match["may"]) + 1
        months = True
        for year in spans:
            found += _whole_month(year, month)
    if years and not months and not iso:
        found += [Stretch(date(year, 1, 1), date(year, 12, 31), YEAR) for year in years]
    return found + list(_relative(question, now.date()))


def _relative(question: str, today: date) -> Iterator[Stretch]:
    for pattern, latest, earliest in _STRETCHES:
        if pattern.search(question):
            yield Stretch(today - timedelta(days=earliest), today - timedelta(days=latest), MONTH)
    if re.search(r"\blast month\b|上(?:个|個)?月", question):
        before = today.replace(day=1) - timedelta(days=1)
        yield from _whole_month(before.year, before.month)
    for match in _AGO.finditer(question):
        amount = match["n"] or match["n2"]
        number = int(amount) if amount.isdigit() else _NUMBERS.get(amount) or _CHINESE.get(amount, 1)
        days = number * _UNIT[match["unit"] or match["unit2"]]
        if days > 36500:
            continue
        slack = timedelta(days=max(1, days // 5))
        yield Stretch(today - timedelta(days=days) - slack, today - timedelta(days=days) + slack, MONTH)
    for match in _WEEKDAY.finditer(question):
        weekday = WEEKDAYS.index(match[1]) if match[1] else "一二三四五六日天".index(match[2]) % 7
        back = (today.weekday() - weekday - 1) % 7 + 1
        yield Stretch(today - timedelta(days=back), today - timedelta(days=back - 1), MONTH)


def nearness(days: NDArray[np.int64], named: list[Stretch]) -> NDArray[np.float64]:
    """Score each day (proleptic ordinal) by the best stretch it lies in; 0 outside all."""
    score = np.zeros(len(days))
    for stretch in named:
        within = (days >= stretch.first.toordinal()) & (days <= stretch.last.toordinal())
        np.maximum(score, np.where(within, stretch.weight, 0.0), out=score)
    return score
