"""Cut English text into clauses, and keep only those in which somebody states something of their own."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from .english_settings import elsewhere
from .reading import MASK, Word, listed, words


class Clause(NamedTuple):
    """A main clause: its words, and where it stands. `bare`: it has no subject and takes the one before."""

    words: list[Word]
    bare: bool
    context: int
    """Where the words begin that say when it holds ("This week I ...")."""

    @property
    def span(self) -> tuple[int, int]:
        """Offsets of the clause in the message."""
        return self.words[0].start, self.words[-1].end


_END = re.compile(
    r"(?:[!?;…\n。！？；" + MASK + r"]|(?<!\bst)(?<!\bdr)(?<!\bmr)(?<!\bms)(?<!\bmrs)\.(?=\s|$|[\"')]))+",
    re.I,
)
_LEAD_IN = re.compile(
    r"\b(?:(?:i|we) (?:should|must|have to|want to|wanted to|can|forgot"
    r" to|need to|might|just want to|just wanted to|may)"
    r" (?:also )?(?:mention|add|say|tell you|let you know|point out|note|confess|admit)(?: that)?"
    r"|(?:as )?i(?:'ve| have)? (?:already )?(?:told you|mentioned|said)(?:"
    r" (?:before|already|earlier))?(?: that)?"
    r"|as you (?:may |might |probably |already )?know|(?:the )?(?:thing"
    r"|fact|truth) is(?: that)?|truth be told|to be honest|in fact"
    r"|i(?: must| have to)? (?:confess|admit)(?: that)?|i(?:'d| would)"
    r" like you to (?:know|remember)(?: that)?"
    r"|(?:(?:can|could) you )?(?:please )?(?<!not )(?<!n't )(?<!you )(?:note"
    r"|remember|know|keep in mind|bear in mind|don'?t forget|make a note"
    r"|take note)"
    r"(?: that| :)(?= )|(?:please )?remember(?=:? (?:i|i'm|im|my) )"
    r"|just so you know|for (?:context|the record|reference|your information"
    r"|background)|fun fact(?: about me)?|(?:a )?(?:little |bit )?about"
    r" me"
    r"|by the way|in case (?:it|that) (?:helps|matters)|you should know(?:"
    r" that)?|first of all|to start with|one thing about me(?: is(?: that)?)?"
    r"|what you should know is(?: that)?|let me introduce myself|(?:it'?s"
    r" )?(?:nice|good|great|lovely) to meet you)\b",
    re.I,
)
_CONJUNCTIONS = listed("and but so because cause cuz coz since although though plus also however yet then")
_DISCOURSE = listed(
    "hii hiii hiiii heyy heyyy hi hey hello yo hiya greetings ok okay so well oh ah yeah yep yup yes no"
    " nah nope anyway also plus actually honestly btw fyi tbh ngl lol haha hehe um uh uhm hmm right sure"
    " thanks and but then because since man dude look listen see basically there everyone all folks"
    " morning afternoon evening good now currently nowadays personally frankly luckily sadly"
    " unfortunately though although however still cause cuz coz hm ahem just ugh as"
)
_GREETINGS = listed("hiii hii hiiii heyy heyyy hi hey hello yo hiya greetings morning ok okay thanks")
_SUBJECTS = listed("i my name we our he she it they you your this that there these those his her their")
_ASKS = listed(
    "what what's where where's who who's how how's why which when can could would will do does"
    " did is are should shall any please tell help give show explain suggest recommend find list"
    " write got know"
)
_VERBS = listed(
    "live lives work works like likes love loves hate hates enjoy enjoys prefer prefers own"
    " owns drive drives play plays speak speaks study studies teach teaches use uses eat eats"
    " drink drinks keep keeps collect collects am is have has can do does not never don't adore"
    " dislike dislikes can't moved grew graduated sing run joined started"
)
_ADVERBS = listed(
    "really also still now currently absolutely totally just mostly usually always only recently"
)
_UNREAL = listed("wish wished whenever unless suppose supposing imagine pretend hypothetically")
_REPORTS = listed(
    "said says say saying told tells thinks claims claimed asked asks wrote writes texted"
    " replied joked jokes insists swears thought believes believed quoted reckons complained"
    " goes promised swore convinced assured lied pretended"
)


_HEDGES = listed("maybe perhaps possibly")
_LISTENERS = listed("him her them everyone everybody people my the his their a")


def clauses(text: str) -> Iterator[Clause | None]:
    """The statements of an English text in order; None stands between sentences."""
    text = _LEAD_IN.sub(lambda match: "," + " " * (len(match.group()) - 1), text)
    start = 0
    for end in [*_END.finditer(text), None]:
        stop = end.start() if end else len(text)
        sentence = words(text, start, stop)
        if sentence and len(sentence) < 120 and not _unreal(sentence):
            yield from _statements(sentence, asked=end is not None and bool({"?", "？"} & set(end.group())))
            yield None
        start = end.end() if end else stop


def _unreal(sentence: list[Word]) -> bool:
    """Whether the sentence is conditional, wished for, or tells what somebody else says."""
    lows = [word.low for word in sentence]
    first_person = {"i", "my", "me", "we", "our"}
    if elsewhere(sentence, _skip(sentence, 0)):
        return True
    for at, low in enumerate(lows):
        after = lows[at + 1] if at + 1 < len(lows) else ""
        before = lows[at - 1] if at else ""
        if low in _UNREAL or (
            low == "if" and after not in ("you", "it", "that", "this", "anyone", "possible")
        ):
            return True
        if low in ("when", "once", "until", "till", "before", "after", "while") and after in (
            "i",
            "my",
            "we",
        ):
            return True
        if low in _HEDGES and {"i", "my", "im"} & set(lows[at + 1 : at + 3]):
            return True
        mine = before in ("i", "to", "must", "should", "can", "just", "already") and after not in _LISTENERS
        if low in _REPORTS and (
            not mine
            or (
                low in ("said", "say")
                and before == "i"
                and lows[at - 2 : at - 1] not in ([], ["as"], ["like"], ["already"], ["what"])
            )
        ):
            return first_person & set(lows[at:]) != set() or at == len(lows) - 1
    return False


def _statements(sentence: list[Word], *, asked: bool) -> Iterator[Clause]:
    parts = _split(sentence)
    if asked:
        ending = {word.low for word in sentence[-3:-1]}
        if sentence[-1].low in ("i", "it", "right", "we") and ending & {
            "do",
            "not",
            "am",
            "is",
            "are",
            "have",
            "right",
        }:
            return
        last = parts[-1].words
        lows = [word.low for word in last]
        tag = len(last) <= 4 and bool({"i", "right", "it", "no", "yes", "eh", "huh", "correct"} & set(lows))
        if tag or not _asks(last) or len(parts) == 1:
            return
        parts = parts[:-1]
    for clause in parts:
        if clause.words and (not _asks(clause.words) or _calls(clause.words)):
            yield clause


def _calls(clause: list[Word]) -> bool:
    lows = [word.low for word in clause]
    return ("call", "me") in pairwise(lows) and lows[0] in ("please", "can", "could")


def _asks(clause: list[Word]) -> bool:
    first = _skip(clause, 0)
    return first < len(clause) and clause[first].low in _ASKS


def _skip(clause: list[Word], at: int) -> int:
    """The index after interjections and connectives at `at`."""
    while at < len(clause) and clause[at].low in _DISCOURSE:
        at += 1
    return at


def _split(sentence: list[Word]) -> list[Clause]:
    """Clauses of a sentence. One that another word governs ("where I live") is left out."""
    found: list[Clause] = []
    start, bare, blocked = 0, False, False
    for at in range(1, len(sentence) + 1):
        opened = None if at == len(sentence) else _opens(sentence, start, at)
        if at < len(sentence) and opened is None:
            continue
        part = sentence[start:at]
        first = _skip(part, 0)
        if not blocked and first < len(part):
            context = part[0].start
            if (
                found
                and len(found[-1].words) <= 5
                and found[-1].words[0].low not in ("i", "my", "we", "our", "you", "he", "she", "it")
            ):
                context = found[-1].context
            found.append(Clause(_unconnected(part[first:]), bare, context))
        related = opened == "bare" and any(word.low in ("who", "which", "whose", "that") for word in part)
        start, blocked, bare = at, opened == "blocked" or related, opened == "bare"
    return found or [Clause([], False, 0)]


def _unconnected(part: list[Word]) -> list[Word]:
    while len(part) > 1 and part[-1].low in _CONJUNCTIONS:
        part = part[:-1]
    return part


def _opens(sentence: list[Word], start: int, at: int) -> str | None:
    """Whether a clause begins at `at`: "free", "bare" (no subject), "blocked" (governed), or not (None)."""
    word, before = sentence[at], sentence[at - 1].low
    back = at - 1
    while back > start and sentence[back].low in _BACK and not sentence[back].gap:
        back -= 1
    free = (
        (bool(word.gap) and word.gap != "&")
        or before in _CONJUNCTIONS
        or (
            back < at - 1
            and (
                sentence[back].low in _CONJUNCTIONS
                or (sentence[back].low in _BACK and bool(sentence[back].gap))
            )
        )
    )
    follows = next((w.low for w in sentence[at:] if w.low not in _ADVERBS), "")
    if word.low == "i":
        if free or at == start or all(w.low in _DISCOURSE for w in sentence[start:at]):
            return "free"
        first = sentence[_skip(sentence[start:at], 0) + start].low
        run_on = (
            first in ("i", "my")
            or first in _ADVERBIAL
            or first in ("today", "tomorrow", "next")
            or (sentence[start].low in _GREETINGS and at - start <= 3)
        )
        return "free" if run_on and before not in _GOVERNORS else "blocked"
    if not free:
        return None
    if word.low in ("my", "our", "his", "her", "their", "your") and before == "and" and not word.gap:
        return "free" if any(w.low in _FINITE for w in sentence[at + 1 : at + 7]) else None
    if word.low in _SUBJECTS or (word.low in _ASKS and word.low not in ("do", "does", "can", "is")):
        return "free"
    if follows == "like" and (word.gap or before not in ("and", "but")):
        return None
    return "bare" if follows in _VERBS else None


_FINITE = listed(
    "is are was were has have had lives works likes loves hates plays speaks studies teaches"
    " keeps live work like love hate play speak moved name goes does"
)
_BACK = listed("now also actually currently nowadays honestly btw")
_ADVERBIAL = listed("after since in for at as during on last these with from this")
_GOVERNORS = listed(
    "if when whenever where what who how why which that than as like whether until till before"
    " after while think thinks know hope guess believe say wish once everything anything all"
    " time way day place one thing the a doubt feel suspect sure wonder suppose fear saying mean"
    " bet heard forgot pretend dreamt afraid worried glad happy sorry sad thinking say says said"
    " imagine assume claim deny case moment reason person part city town house job company area"
    " in at for with"
)
