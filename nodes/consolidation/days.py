"""Which days a message speaks of, counted from its own date. Pure.

A model's dates are kept only when they can be worked out from the message: the rest are made up.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from ...stores.ranking.dates import MONTHS, WEEKDAYS

_Stretch = tuple[date, date]

_NUMBERS = {
    w: n for n, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())
}
_NUMBERS |= {"a": 1, "an": 1, "a couple of": 2, "a few": 4, "several": 5, "half a": 1}
_NUMBERS |= {char: n for n, char in enumerate("零一二三四五六七八九十")} | {
    "两": 2,
    "兩": 2,
    "几": 4,
    "半": 1,
}
_UNITS = {"day": 1, "week": 7, "fortnight": 14, "month": 30.44, "year": 365.25}
_UNITS |= {"天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7, "个月": 30.44, "月": 30.44, "年": 365.25}

CENTURY = 36_525

_N = r"\d{1,3}|a couple of|a few|several|half a|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_MONTH = "|".join(f"{m}|{m[:3]}" for m in MONTHS)
_SPANS = re.compile(
    rf"(?:\b(?P<n>{_N}) (?P<u>day|week|fortnight|month|year)s?\b|(?P<n2>\d{{1,3}}|[一二三四五六七八九十两兩几半])"
    r"(?P<u2>个月|天|日|周|星期|礼拜|年|月))(?P<mark>\s*(?:ago|before|from now|以?前|以?后|後)?)",
    re.I,
)
_NEAR = {
    r"\b(?:today|tonight|this (?:morning|afternoon|evening)|now|just|as of today)\b|今天|今晚|今早|刚|剛|现在|現在": (
        0,
        0,
    ),
    r"\byesterday|\blast night|昨天|昨晚": (-1, -1),
    r"\bday before yesterday|前天": (-2, -2),
    r"\btomorrow|明天": (1, 1),
    r"\bday after tomorrow|后天|後天": (2, 2),
    r"\b(?:recently|lately|these days|the other day)\b|最近|近来": (-45, 0),
    r"\b(?:soon|shortly)\b|不久|快要": (0, 60),
    r"\b(?:last|past|over the) weekend|上周末|周末": (-9, 0),
    r"\b(?:this|next|coming) weekend|周末|下周末": (0, 14),
}
_EXPLICIT = re.compile(
    rf"\b(?P<y>(?:19|20)\d\d)-(?P<m>\d{{1,2}})(?:-(?P<d>\d{{1,2}}))?\b"
    rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m2>{_MONTH})\b\.?(?:,? (?P<y2>(?:19|20)\d\d))?"
    rf"|\b(?P<m3>{_MONTH})\b\.? (?:the )?(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,? (?P<y3>(?:19|20)\d\d))?"
    rf"|\b(?P<m4>{_MONTH})\b\.?(?: of)?,? (?P<y4>(?:19|20)\d\d)"
    rf"|\b(?:in|since|until|till|by|from|last|this|next) (?P<m5>{_MONTH})\b"
    r"|(?:(?P<y6>(?:19|20)\d\d)年)?(?P<m6>\d{1,2})月(?:(?P<d6>\d{1,2})[日号號])?",
    re.I,
)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_WEEKDAY = re.compile(
    rf"\b({'|'.join(f'{d}|{d[:3]}' for d in WEEKDAYS)})s?\b|(?:星期|周|週|礼拜|禮拜)([一二三四五六日天])",
    re.I,
)


def read_day(text: str | None, zone: tzinfo | None) -> datetime | None:
    """Midnight in the user's zone of a date as a model writes it (2026, 2026-03, 2026-03-02...), as UTC."""
    match = re.match(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?(?:[T ].*)?$", (text or "").strip())
    if match is None:
        return None
    try:
        day = date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return None
    return (
        datetime.combine(day, time()).astimezone(UTC)
        if zone is None
        else datetime.combine(day, time(), zone).astimezone(UTC)
    )


def derivable(day: date, text: str, said: date) -> bool:
    """Whether the text, said on `said`, speaks of that day (or of a stretch of time with that day in it)."""
    return any(first <= day <= last for first, last in stretches(text, said))


def invents_a_date(statement: str, text: str, said: date) -> bool:
    """Whether the statement names a year or a day that the text, said on `said`, does not speak of."""
    spoken = list(stretches(text, said))
    for year in {int(y) for y in _YEAR.findall(statement)} - {int(y) for y in _YEAR.findall(text)}:
        if not any(first.year <= year <= last.year for first, last in spoken):
            return True
    named = [days for days in _explicit(statement, said) if days[0] == days[1]]
    return any(not any(a <= day <= b for a, b in spoken) for day, _ in named)


def stretches(text: str, said: date) -> Iterator[_Stretch]:
    """Every stretch of days the text speaks of, first and last included."""
    yield from _explicit(text, said)
    for year in _YEAR.findall(text):
        yield date(int(year), 1, 1), date(int(year), 12, 31)
    for pattern, (first, last) in _NEAR.items():
        if re.search(pattern, text, re.I):
            yield said + timedelta(days=first), said + timedelta(days=last)
    yield from _weekdays(text, said)
    yield from _units(text, said)
    yield from _counted(text, said)


def _explicit(text: str, said: date) -> Iterator[_Stretch]:
    for match in _EXPLICIT.finditer(text):
        got = {k.rstrip("23456"): v for k, v in match.groupdict().items() if v is not None}
        month = (
            int(got["m"]) if got["m"].isdigit() else 1 + [m[:3] for m in MONTHS].index(got["m"][:3].lower())
        )
        years = [int(got["y"])] if "y" in got else [said.year - 1, said.year, said.year + 1]
        for year in years:
            try:
                first = date(year, month, int(got.get("d", 1)))
            except ValueError:
                continue
            if "y" not in got and abs((first - said).days) > 370:
                continue
            yield first, first if "d" in got else first + timedelta(days=30)


def _weekdays(text: str, said: date) -> Iterator[_Stretch]:
    for english, chinese in _WEEKDAY.findall(text):
        index = (
            "一二三四五六日天".index(chinese)
            if chinese
            else [d[:3] for d in WEEKDAYS].index(english[:3].lower())
        )
        wanted = min(index, 6)
        for offset in range(-14, 15):
            day = said + timedelta(days=offset)
            if day.weekday() == wanted and (
                abs(offset) <= 7 or re.search(r"\blast|\bnext|上|下", text, re.I)
            ):
                yield day, day


def _units(text: str, said: date) -> Iterator[_Stretch]:
    """Last, this and next week, month, year."""
    monday = said - timedelta(days=said.weekday())
    for words, step in (
        (r"\blast|\bpast|上个?|去", -1),
        (r"\bthis|这个?|今|本", 0),
        (r"\bnext|\bcoming|下个?|明", 1),
    ):
        if re.search(rf"(?:{words})\s*(?:week|周|週|星期|礼拜)", text, re.I):
            first = monday + timedelta(days=7 * step)
            yield first - timedelta(days=1), first + timedelta(days=6)
        if re.search(rf"(?:{words})\s*(?:month|月)", text, re.I):
            months = said.year * 12 + said.month - 1 + step
            first = date(months // 12, months % 12 + 1, 1)
            yield first, (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)
        if re.search(rf"(?:{words})\s*(?:year|年|spring|summer|autumn|fall|winter)", text, re.I):
            yield date(said.year + step, 1, 1), date(said.year + step, 12, 31)


def _counted(text: str, said: date) -> Iterator[_Stretch]:
    """ "Three weeks ago", "for two years", "in ten days": the day counted to, give or take half a unit."""
    for match in _SPANS.finditer(text):
        unit = _UNITS[(match["u"] or match["u2"]).lower()]
        word = (match["n"] or match["n2"]).lower()
        number = int(word) if word.isdigit() else _NUMBERS[word]
        slack = timedelta(days=max(unit / 2, 0) if unit > 1 else 0) + timedelta(
            days=min(number * unit, CENTURY) * 0.1
        )
        reach = timedelta(days=min(number * unit, CENTURY))
        later = re.search(r"from now|后|後", match["mark"]) or re.search(
            r"\bin\s*$", text[: match.start()], re.I
        )
        ago = re.search(r"ago|before|前", match["mark"])
        if not later:
            yield said - reach - slack, said - reach + slack
        if not ago:
            yield said + reach - slack, said + reach + slack
