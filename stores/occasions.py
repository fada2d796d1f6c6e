"""When a "when X, do Y" rule fits: by the words that are said, words that stand for the same, the hour. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from .text import fold, terms, words

_RULE = re.compile(
    r"^\W*(?:when(?:ever)?|every ?time|each time|any ?time|if) (?P<when>.+?)(?:: |, (?=[a-z]+\b))"
    r"|^(?:每次|每当|只要|凡是|当)?(?P<when_zh>.+?)(?:的时候|时)[，,：:]",
    re.I,
)

_ALIKE = {
    "travelling": (
        r"travel\w*|on the road|on the go|(?:business )?trips?|commut\w*|on (?:a|the|my) (?:train|plane"
        r"|flight|bus|ferry)",
        r"trains?|planes?|flights?|flying|airports?|boarding|layovers?|departures?|platform \d+|on tour"
        r"|abroad"
        r"|hotel|ferry|passengers?|(?:in|on) (?:a|the) (?:taxi|coach|bus)",
        r"旅行|旅游|出差|路上|通勤|在外面",
        r"火车|高铁|动车|飞机|航班|机场|登机|候机|车站|酒店|轮船|地铁上|出国",
    ),
    "driving": (
        r"driv\w+|at the wheel",
        r"in (?:the|my) car|behind the wheel",
        r"开车|驾驶",
        r"在车上|方向盘",
    ),
    "coding": (
        r"cod(?:e|ing)|program(?:ming)?|debug\w*|software|script(?:s|ing)?",
        r"python|javascript|typescript|rust|java|sql|bugs?|functions?|stack ?trace|compil\w+|refactor\w*"
        r"|commit(?:s|ted)?"
        r"|exception|unit tests?|repo(?:sitory)?|pull request|regex|api",
        r"代码|编程|写程序|调试|脚本",
        r"函数|报错|编译|异常|仓库|提交代码|单元测试|接口|重构",
    ),
    "cooking": (
        r"cook\w*|bak(?:e|ing)|in the kitchen",
        r"recipes?|oven|simmer\w*|saut\w+|dinner|ingredients?|dough|stew|roast\w*",
        r"做饭|做菜|烹饪|烘焙|下厨",
        r"菜谱|食谱|烤箱|食材|炒|炖|煮",
    ),
    "learning": (
        r"stud(?:y|ying|ies)|learn\w*|revis(?:e|ing)|homework",
        r"exams?|lectures?|lessons?|coursework|chapter|flash ?cards?",
        r"学习|复习|做作业|读书",
        r"考试|课程|上课|题目|章节",
    ),
    "working": (
        r"work(?:ing)?|at work|in the office|on the job",
        r"meetings?|deadlines?|colleagues?|client|stand-?up|quarterly|my boss",
        r"工作|上班|办公",
        r"开会|会议|同事|客户|老板|加班",
    ),
    "stressed": (
        r"stress(?:ed|ful)?|overwhelmed|anxious|worried|upset|sad|down|low|frustrated|having a (?:bad"
        r"|hard|rough) (?:day|time)",
        r"panick\w*|can'?t cope|too much (?:for me|right now)|burn(?:ed|t)? out|exhausted|crying|nervous"
        r"|at my limit|awful day",
        r"压力|焦虑|难过|紧张|心情不好|不开心|崩溃|烦",
        r"受不了|撑不住|累坏|好累|想哭|睡不着|慌",
    ),
    "ill": (
        r"ill|sick|unwell|not feeling well",
        r"fever|flu|cough\w*|headache|migraine|sore throat|nause\w+",
        r"生病|不舒服",
        r"发烧|感冒|咳嗽|头疼|头痛|恶心",
    ),
    "exercising": (
        r"exercis\w+|work(?:ing)? out|train(?:ing)? (?:for|at)|at the gym|run(?:ning)?|jogging",
        r"gym|treadmill|squats?|marathon|reps|5k|10k",
        r"锻炼|健身|跑步|运动",
        r"健身房|马拉松|深蹲|跑了",
    ),
    "in a hurry": (
        r"in a (?:hurry|rush)|short (?:of|on) time|busy|pressed for time",
        r"(?:no|little) time|hurry|quick(?:ly)?|running late|asap|got to (?:run|go)|\d+ minutes? (?:left"
        r"|before|until)",
        r"赶时间|很忙|没时间|着急",
        r"来不及|快点|马上要|赶着|时间不多",
    ),
    "writing": (
        r"writ(?:e|ing)(?: (?:a|an|my|the) \w+)?|draft\w*|edit(?:ing)?",
        r"essay|cover letter|blog ?post|paragraph|manuscript|novel|thesis|proofread\w*",
        r"写作|写文章|写稿",
        r"论文|文章|稿子|段落|小说|润色",
    ),
    "shopping": (
        r"shop(?:ping)?|buy(?:ing)?",
        r"price|cheaper|which (?:one )?(?:should|do) i (?:buy|get)|order(?:ing)? (?:a|some)|discount",
        r"购物|买东西",
        r"价格|打折|下单|买哪|性价比",
    ),
}
"""Occasions by what they are called and by what else tells of them: English names, English signs, Chinese alike."""

_HOURS = {
    r"(?:late )?at night|after midnight|past midnight|late|small hours|深夜|半夜|夜里|凌晨|午夜": (23, 5),
    r"(?:in the )?(?:early )?mornings?|早上|早晨|清晨|上午": (5, 11),
    r"(?:in the )?afternoons?|下午": (12, 18),
    r"(?:in the )?evenings?|晚上|傍晚": (18, 23),
}
_WEEKEND = re.compile(r"\bweek-?ends?\b|周末", re.I)

_SAYS_LITTLE = frozenset(
    """ask asking say said send want need feel talk speak write mention use get give show tell work make thing
    something question answer reply am i'm you explain help time always today 时候 每次 每当 问你 我问 跟你""".split()
)


def _whole(english: str) -> str:
    return rf"\b(?:{english})\b"


_CONCEPTS = tuple(
    (
        re.compile(f"{_whole(names)}|{zh_names}", re.I),
        re.compile(f"{_whole(f'{names}|{signs}')}|{zh_names}|{zh_signs}", re.I),
    )
    for names, signs, zh_names, zh_signs in _ALIKE.values()
)
_TIMES = tuple(
    (re.compile(rf"\b(?:{names})\b|{names}", re.I), first, end) for names, (first, end) in _HOURS.items()
)


@dataclass(frozen=True, slots=True)
class Moment:
    """What is going on: what the user said last, newest last, and the time where they are."""

    heard: Sequence[str]
    local: datetime | None = None


def occasion_of(attribute: str, statement: str) -> str:
    """The X of "when X, do Y", from the rule as it is kept; "" when it names none."""
    found = _RULE.match(statement)
    named = attribute.removeprefix("when_").replace("_", " ") if attribute.startswith("when_") else ""
    return " ".join(part for part in (named, found and (found["when"] or found["when_zh"])) if part)


def fits(occasion: str, moment: Moment) -> bool:
    """Whether an occasion is at hand."""
    if not occasion.strip():
        return False
    said = fold("\n".join(moment.heard))
    named = fold(occasion)
    return _at_the_hour(named, moment.local) or _stands_for(named, said) or _worded(named, said)


def _at_the_hour(named: str, local: datetime | None) -> bool:
    if local is None:
        return False
    if _WEEKEND.search(named) and local.weekday() >= 5:
        return True
    for pattern, first, end in _TIMES:
        if pattern.search(named):
            return first <= local.hour < end if first < end else local.hour >= first or local.hour < end
    return False


def _stands_for(named: str, said: str) -> bool:
    return any(names.search(named) and signs.search(said) for names, signs in _CONCEPTS)


def _worded(named: str, said: str) -> bool:
    """Whether half of the words that say something in the occasion stand in what was said."""
    wanted = [
        term
        for term in terms(named)
        if term not in _SAYS_LITTLE and term.replace(" ", "") not in _SAYS_LITTLE
    ]
    if not wanted:
        return False
    held = " " + re.sub(r"[\W_]+", " ", words(said)) + " "
    return sum(f" {_stem(term)}" in held for term in wanted) * 2 >= len(wanted)


def _stem(term: str) -> str:
    """A beginning that the term's inflected forms share."""
    if not term.isascii() or " " in term:
        return term
    return term[: max(4, len(term) - 3)] if len(term) > 4 else f"{term} "
