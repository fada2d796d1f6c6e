"""Habits that show over several episodes, found by counting alone: no model. Pure, English and Chinese.

What is counted: when they write, what they come back to, what they ask for and how, how they laugh or worry. A habit
needs three episodes in two sessions on two days, one of them new, and its share of all episodes looked at.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta, tzinfo
from math import ceil

from ..stores.batches import Episode
from ..stores.profile.values import About, Occasion, is_supported
from ..stores.records import Memory, Message, Span
from ..stores.text import fold
from .hours import BANDS, MOSTLY, NIGHT, OFTEN, Band, is_hour_known
from .matters import is_matter
from .patterns import Pattern
from .requests import REQUESTS, Wish, wished

TOPIC = 0.12
TOPICS = 3
"""The share of episodes in which a topic has to come up, and how many topics a batch yields at most."""

SENTENCE_CHARS = 200

_SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")
_WORKS = re.compile(
    r"\b(?:commit(?:s|ted|ting)?|cod(?:e|ing)|deploy\w*|debug\w*|bugs?|work(?:s|ed|ing)?"
    r"|projects?|reports?|deadlines?"
    r"|thesis|essay|slides|exam|stud(?:y|ying)|refactor\w*|shipp?(?:ed|ing)?|push(?:ed|ing)"
    r"|draft\w*|homework)\b"
    r"|代码|提交|加班|工作|项目|论文|报告|调试|上线|作业|复习|赶稿",
    re.I,
)
_LAUGHS = re.compile(r"\b(?:ha(?:ha)+h?|he(?:he)+|lol|lmao|rofl)\b|哈哈|嘿嘿|😂|🤣|😄", re.I)
_WORRIES = re.compile(
    r"\bi(?:'m| am| feel|'ve been)? (?:so |really |very |a bit |too |still )?(?:stressed"
    r"|overwhelmed|anxious|worried|nervous"
    r"|exhausted|lonely|afraid|scared)\b|\bi (?:can'?t|cannot) (?:sleep|cope)\b|我(?:好|很"
    r"|有点|太)?(?:焦虑|紧张|担心|难过|害怕|孤独|累)"
    r"|压力(?:好|很|太)?大|睡不着|撑不住",
    re.I,
)
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS_ZH = "一二三四五六日"


@dataclass(frozen=True, slots=True)
class Sign:
    """An episode in which a habit shows, and where."""

    episode: Episode
    spans: tuple[Span, ...]


def counted(
    episodes: Sequence[Episode], zone: tzinfo | None, *, rules: Sequence[Memory] = ()
) -> list[Pattern]:
    """The habits of a window of episodes, oldest first; `rules` are those that stand already.

    `zone` is where the user is; None is the machine's, in which no hour or day of an imported episode is read.
    """
    told = [e for e in episodes if e.said]
    if not told:
        return []
    chinese = is_chinese("".join(m.content[:400] for e in told for m in e.said))
    count = _Count(told, zone, chinese)
    found = [
        *count.hours(),
        *count.days(),
        *count.topics(),
        *count.requests(),
        *count.wishes(rules),
        *count.manner(),
    ]
    return [pattern for pattern in found if pattern is not None]


def is_chinese(text: str) -> bool:
    """Whether at least a third of the letters are Han."""
    letters = [char for char in text if char.isalpha()]
    return sum("\u4e00" <= char <= "\u9fff" for char in letters) * 3 > len(letters)


class _Count:
    """Counts over one window of episodes."""

    def __init__(self, episodes: Sequence[Episode], zone: tzinfo | None, chinese: bool) -> None:
        self.episodes = episodes
        self.zone = zone
        self.chinese = chinese
        self.timed = [e for e in episodes if is_hour_known(e.session_id, zone)]

    # -- when -----------------------------------------------------------------------------------------

    def hours(self) -> Iterator[Pattern | None]:
        """At what time of day they write, and whether that is work."""
        for band in BANDS:
            signs = self._in(band)
            if len(signs) < band.least or len(signs) < band.share * len(self.timed):
                continue
            at_work = self._in(band, at_work=True)
            works = is_supported([_occasion(s.episode) for s in at_work]) and 2 * len(at_work) >= len(signs)
            says, shown = (band.working, at_work) if works else (band.writing, signs)
            yield self._pattern(f"hours:{band.name}", "user", says, shown, band.weight)

    def days(self) -> Iterator[Pattern | None]:
        """On which days of the week they write."""
        by_day: dict[int, list[Episode]] = {}
        for episode in self.timed:
            by_day.setdefault(self._day(episode), []).append(episode)
        for day, held in sorted(by_day.items()):
            if len(held) >= MOSTLY * len(self.timed):
                says = (f"Mostly writes on {_DAYS[day]}s.", f"多半在星期{_DAYS_ZH[day]}来聊天。")
                yield self._pattern(f"days:{_DAYS[day].lower()}", "user", says, self._all(held), 0.35)
                return
        weekend = [e for e in self.timed if self._day(e) >= 5]
        if len(weekend) >= MOSTLY * len(self.timed):
            says = ("Mostly writes at weekends.", "多半在周末来聊天。")
            yield self._pattern("days:weekend", "user", says, self._all(weekend), 0.35)

    # -- what about -----------------------------------------------------------------------------------

    def topics(self) -> Iterator[Pattern | None]:
        """What they come back to: a name or noun noted in two episodes at least, by the words of all."""
        noted: dict[str, list[str]] = {}
        for episode in self.episodes:
            for name, written in {_topic(topic): topic for topic in reversed(episode.topics)}.items():
                noted.setdefault(name, []).append(written)
        least = max(3, ceil(TOPIC * len(self.episodes)))
        found = [
            (name, self._matching(_named(name), wishes=False))
            for name, ways in noted.items()
            if len(ways) >= 2
        ]
        often = [
            (name, signs)
            for name, signs in found
            if len(signs) >= least and is_matter(name, [_words(sign.episode) for sign in signs])
        ]
        for name, signs in sorted(often, key=lambda each: (-len(each[1]), each[0]))[:TOPICS]:
            says = (f"Often talks about {noted[name][-1]}.", f"经常聊到{noted[name][-1]}。")
            yield self._pattern(f"topic:{name}", "user", says, signs, 0.35)

    def requests(self) -> Iterator[Pattern | None]:
        """What they ask for again and again."""
        for request in REQUESTS:
            signs = self._matching(request.asks, wishes=False)
            if len(signs) >= max(3, ceil(TOPIC * len(self.episodes))):
                yield self._pattern(f"asks:{request.name}", "user", request.says, signs, 0.4)

    def wishes(self, rules: Sequence[Memory]) -> Iterator[Pattern | None]:
        """How they want to be answered: what was each time a wish for this once, and comes again and again.

        One an aspect: of short answers and long ones, what they want lately. So the contrary replaces a line.
        """
        aspects: dict[str, list[tuple[Wish, list[Sign]]]] = {}
        for wish, signs in self._wished():
            aspects.setdefault(wish.aspect, []).append((wish, signs))
        for aspect, rivals in sorted(aspects.items()):
            wish, signs = max(rivals, key=lambda each: (sum(s.episode.is_new for s in each[1]), len(each[1])))
            if any(wish.is_said_by(rule) for rule in rules):
                continue
            late = [s for s in signs if self._at_night(s)]
            if len(late) >= 3 and len(late) >= 0.8 * len(signs):
                says = (f"When it is late at night: {wish.says[0]}.", f"深夜的时候，{wish.says[1]}。")
                yield self._pattern(f"wish:{aspect}@night", "procedure", says, late, 0.5)
            elif len(signs) >= max(3, ceil(OFTEN * len(self.episodes))):
                says = (f"{wish.says[0][:1].upper()}{wish.says[0][1:]}.", f"{wish.says[1]}。")
                yield self._pattern(f"wish:{aspect}", "procedure", says, signs, 0.5)

    def _wished(self) -> Iterator[tuple[Wish, list[Sign]]]:
        """Every wish with the episodes it was made in."""
        found: dict[str, tuple[Wish, dict[str, Sign]]] = {}
        for episode in self.episodes:
            for message in episode.said:
                for sentence in _sentences(message):
                    for wish in wished(message.content[sentence.start : sentence.end]):
                        _, shown = found.setdefault(wish.part, (wish, {}))
                        shown.setdefault(episode.id, Sign(episode, (sentence,)))
        for wish, by_episode in found.values():
            yield wish, list(by_episode.values())

    def manner(self) -> Iterator[Pattern | None]:
        """How it is between them."""
        laughing, worried = self._matching(_LAUGHS), self._matching(_WORRIES)
        if len(laughing) >= max(3, ceil(OFTEN * len(self.episodes))):
            says = ("You laugh together often: be playful.", "你们常常一起笑：可以俏皮一点。")
            yield self._pattern("manner:playful", "agent", says, laughing, 0.3)
        if len(worried) >= max(3, ceil(OFTEN * len(self.episodes))):
            says = ("They often come to you worried: listen first.", "他们常带着心事来找你：先倾听。")
            yield self._pattern("manner:comfort", "agent", says, worried, 0.4)

    # -------------------------------------------------------------------------------------------------

    def _pattern(
        self, key: str, about: About, says: tuple[str, str], signs: Sequence[Sign], weight: float
    ) -> Pattern | None:
        """A pattern, if it is supported and shows in what is new."""
        new = any(sign.episode.is_new for sign in signs)
        if not new or not is_supported([_occasion(sign.episode) for sign in signs]):
            return None
        share = min(len(signs) / len(self.episodes), 1.0)
        return Pattern(
            key=key,
            statement=says[1] if self.chinese else says[0],
            about=about,
            episodes=tuple(sign.episode.id for sign in signs),
            evidence=tuple(span for sign in signs for span in sign.spans[:1]),
            salience=round(weight * (0.6 + 0.4 * share), 2),
            confidence=round(len(signs) / (len(signs) + 2), 2),
        )

    def _in(self, band: Band, *, at_work: bool = False) -> list[Sign]:
        """Episodes in a part of the day: that begin in it, or, where the hour is unusual, reach into it."""
        found = []
        for episode in self.timed:
            said = episode.said[:1] if band.share == MOSTLY else episode.said
            for message in said:
                if band.holds(message.at.astimezone(self.zone)) and (
                    not at_work or _WORKS.search(message.content)
                ):
                    found.append(Sign(episode, (_opening(message),)))
                    break
        return found

    def _all(self, episodes: Sequence[Episode]) -> list[Sign]:
        return [Sign(episode, (_opening(episode.said[0]),)) for episode in episodes]

    def _matching(self, pattern: re.Pattern[str], *, wishes: bool = True) -> list[Sign]:
        """Where a pattern shows; without `wishes`, not in a sentence that says how to answer."""
        found = []
        for episode in self.episodes:
            spans = [
                span
                for message in episode.said
                for span in _sentences(message)
                if pattern.search(said := message.content[span.start : span.end])
                and (wishes or not wished(said))
            ]
            if spans:
                found.append(Sign(episode, (spans[0],)))
        return found

    def _day(self, episode: Episode) -> int:
        """The day of the week; the small hours belong to the day before."""
        return (episode.said[0].at.astimezone(self.zone) - timedelta(hours=5)).weekday()

    def _at_night(self, sign: Sign) -> bool:
        if sign.episode not in self.timed:
            return False
        at = {m.id: m.at for m in sign.episode.said}
        return NIGHT.holds(at[sign.spans[0].message_id].astimezone(self.zone))


def _words(episode: Episode) -> str:
    """All they said in an episode."""
    return "\n".join(message.content for message in episode.said)


def _occasion(episode: Episode) -> Occasion:
    return Occasion(episode.session_id, episode.at)


def _sentences(message: Message) -> Iterator[Span]:
    """The sentences of a message that are short enough to be said rather than pasted."""
    for found in _SENTENCE.finditer(message.content[:2000]):
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        if found.end() > start and found.end() - start <= SENTENCE_CHARS:
            yield Span(message.id, start, found.end())


def _opening(message: Message) -> Span:
    """The first sentence, or as much of the message as is worth citing."""
    whole = Span(message.id, 0, min(len(message.content), SENTENCE_CHARS))
    return next(_sentences(message), whole)


def _topic(written: str) -> str:
    name = " ".join(fold(written).split())
    return (
        name[:-1]
        if name.isascii() and len(name) > 4 and name.endswith("s") and not name.endswith("ss")
        else name
    )


def _named(name: str) -> re.Pattern[str]:
    whole = rf"(?:\b|(?<=[\u4e00-\u9fff])){re.escape(name)}s?(?![A-Za-z0-9_])"
    return re.compile(whole if name.isascii() else re.escape(name), re.I)
