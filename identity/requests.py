"""What people ask for, and how they want it: the requests and wishes that reflection counts. Pure; tables to extend."""

import re
from dataclasses import dataclass

from ..stores.records import Memory
from ..stores.text import fold
from ..stores.wishes import ALWAYS, asked_for


@dataclass(frozen=True, slots=True)
class Request:
    """A kind of request: how it is recognised, and what it says of somebody who makes it often."""

    name: str
    asks: re.Pattern[str]
    says: tuple[str, str]


@dataclass(frozen=True, slots=True)
class Wish:
    """A wish about how to be answered, by the part it asks for (stores.wishes)."""

    part: str
    says: tuple[str, str]

    @property
    def aspect(self) -> str:
        """What it is about: "length" for short answers and for long ones."""
        return self.part.removeprefix("not ").partition("=")[0]

    def is_said_by(self, rule: Memory) -> bool:
        """Whether a standing rule asks for the same already."""
        return rule.attribute == ALWAYS and self.part in asked_for(rule.value)


_PLEASE = (
    r"(?:^|[,.!?] )(?:(?:hi|hey|hello|ok(?:ay)?|and|now|please)[, ]+)*(?:please |can you "
    r"|could you |would you |will you )*"
)
_PLEASE_ZH = r"(?:请|麻烦|帮我|能不能|可以|给我|你)"


def _request(name: str, english: str, chinese: str, says: tuple[str, str]) -> Request:
    return Request(
        name, re.compile(rf"{_PLEASE}(?:{english})|{_PLEASE_ZH}[^。！？]{{0,4}}(?:{chinese})", re.I), says
    )


REQUESTS = (
    _request(
        "translation",
        r"translate\b|how do (?:i|you) say\b",
        "翻译",
        ("Often asks for translations.", "经常请你翻译。"),
    ),
    _request(
        "summary",
        r"summari[sz]e\b|sum up\b|give me (?:a|the) summary\b",
        "总结|概括",
        ("Often asks for summaries.", "经常请你总结。"),
    ),
    _request(
        "proofreading",
        r"proofread\b|check (?:my|the) (?:grammar|spelling|text)\b|correct my\b",
        "润色|校对|改错|修改",
        ("Often asks to have texts checked.", "经常请你润色文字。"),
    ),
    _request(
        "recipes",
        r"(?:give me|suggest|find(?: me)?) (?:a |an |some )?(?:\w+ )?recipes?\b|what (?:can"
        r"|should) i cook\b",
        "菜谱|食谱|做什么菜",
        ("Often asks for recipes.", "经常问菜谱。"),
    ),
    _request(
        "code review",
        r"(?:review|look at|check) (?:my|this) (?:code|function|diff|pull request|patch)\b",
        "看看?(?:这段|我的)?代码",
        ("Often asks to have code reviewed.", "经常请你看代码。"),
    ),
    _request(
        "recommendations",
        r"recommend\b|(?:what|which|any) (?:book|film|movie|podcast|series"
        r"|restaurant)s?\b[^.?!]{0,30}\brecommend",
        "推荐",
        ("Often asks for recommendations.", "经常请你推荐。"),
    ),
    _request(
        "explanations",
        r"explain\b|what does [^.?!]{1,40} mean\b",
        "解释|讲讲|什么意思",
        ("Often asks to have things explained.", "经常请你解释。"),
    ),
    _request("reminders", r"remind me\b", "提醒我", ("Often asks to be reminded.", "经常请你提醒。")),
)


def is_request(words: str) -> bool:
    """Whether words by themselves ask for something ("translate"), and name no matter."""
    return any(request.asks.search(words) for request in REQUESTS)


WISHES = {
    "length=short": ("keep answers short", "回答要简短"),
    "length=long": ("answer in detail", "回答要详细"),
    "layout=bullets": ("answer in bullet points", "用要点回答"),
    "layout=numbered": ("answer in numbered steps", "分步骤编号回答"),
    "layout=table": ("answer in a table", "用表格回答"),
    "layout=prose": ("answer in full paragraphs", "用成段的文字回答"),
    "formality=formal": ("answer formally", "用正式的语气回答"),
    "formality=casual": ("answer casually", "用轻松的语气回答"),
    "bluntness=blunt": ("be direct", "说话直接"),
    "bluntness=gentle": ("be gentle", "说话温和"),
    "level=simple": ("explain in simple terms", "用通俗的话解释"),
    "level=technical": ("explain in technical terms", "用专业的话解释"),
    "emoji=no": ("use no emojis", "不用表情符号"),
    "not layout=bullets": ("use no bullet points", "不用要点"),
    "language=english": ("answer in English", "用英语回答"),
    "language=chinese": ("answer in Chinese", "用中文回答"),
    "language=french": ("answer in French", "用法语回答"),
    "language=german": ("answer in German", "用德语回答"),
    "language=spanish": ("answer in Spanish", "用西班牙语回答"),
    "language=dutch": ("answer in Dutch", "用荷兰语回答"),
}

_OF_THE_ANSWER = re.compile(
    r"\b(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|explain|explanation|keep (?:it|this|that)"
    r"|make (?:it|this|that)|put (?:it|that)"
    r"|(?:say|give me|tell me) (?:it|that|this|the (?:short|long|quick|full) version)|(?:short"
    r"|long|quick|full) version)\b"
    r"|\b(?:this time|for once|just this once|just now)\b|^(?:briefly|in short|short|quick)\b"
    r"|回答|回复|说|讲|解释|这次|一点",
    re.I,
)
_ASKED = re.compile(r"\b(?:did|was|were|had|would have|yesterday|said|told)\b|昨天|刚才说", re.I)


def wished(sentence: str) -> list[Wish]:
    """The wishes about the answer in a sentence; what is wished of anything else is none."""
    if not _OF_THE_ANSWER.search(fold(sentence)) or _ASKED.search(sentence):
        return []
    return [Wish(part, WISHES[part]) for part in sorted(asked_for(sentence)) if part in WISHES]
