"""What must not become memory, whoever found it and on whatever authority. Pure; every write path asks here."""

import re

from .records import Candidate, Kind
from .secrets import is_secret
from .text import fold

_SECRET_NAMED = re.compile(
    r"\b(?:pass(?:word|code|phrase|wd)|pwd|pin(?: ?code| number)?|(?:door|gate|alarm|entry|access|security|safe|lock"
    r"|verification|recovery|login|wi-?fi|vault) (?:code|combination|password)|api[ _-]?key|private key|secret key"
    r"|access token|seed phrase|cvv|cvc|iban|credit card|debit card|card number|account number|social security"
    r"|passport (?:number|no)|one-time code)s?\b"
    r"|密码|密碼|口令|密钥|密鑰|验证码|驗證碼|卡号|卡號|身份证号?|身份證號?|护照号|護照號",
    re.I,
)

_MOODS = frozenset(
    """mood feeling feelings emotion feels emotional_state current_mood energy energy_level
    心情 情绪 感受""".split()
)
_MOOD_WORDS = frozenset(
    """tired exhausted sleepy bored sad happy angry annoyed frustrated upset hungry thirsty stressed anxious
    nervous excited lonely overwhelmed drained cranky grumpy hungover
    累 困 无聊 难过 开心 生气 郁闷 烦 饿 渴 焦虑 紧张 兴奋 累了 困了 饿了 很累 很开心 很难过""".split()
)
_STATES = frozenset("is is_affected condition trait state status note".split())

_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:the )?\d{1,2}(?:st|nd|rd|th)?\b|january|february|march|april|may"
    r"|june|july|august|september|october|november|december"
)
_TODAY = re.compile(
    rf"\btoday(?:'s| is)[^.!?\n]{{0,20}}(?:{_DAY})"
    rf"|\bit(?:'s| is) (?:now |currently )?(?:{_DAY})[^.!?\n]{{0,40}}\b(?:today|now)\b"
    rf"|今天(?:是)?(?:星期|周|礼拜|\d{{1,4}}[年月])|现在是?\d",
    re.I,
)
_DATES = frozenset("date today todays_date current_date day weekday time current_time month year".split())
_DATE_VALUE = re.compile(
    rf"^(?:{_DAY})|^\d{{4}}-\d\d|^\d{{1,2}}[:.月]|^(?:星期|周|礼拜)[一二三四五六日天]", re.I
)

_AGENT = frozenset("agent assistant you yourself bot ai 你 您 助手 机器人".split())
_ABOUT_AGENT = re.compile(
    r"\b(?:your (?:new )?(?:name|role|persona|personality|identity|backstory|values|boundaries|system prompt)\b"
    r"|call yourself\b|you(?:'re| are) (?:now|no longer|called|named|an? (?:ai|bot|pirate|character|human|person))\b"
    r"|from now on,? you(?:'re| are)\b|(?<!\bi )(?<!\bwe )act (?:as|like)\b|pretend\b|role-?\s?play"
    r"|(?:ignore|disregard|forget|override)\b[^.!?\n]{0,30}\b(?:instructions?|rules|guidelines|prompts?|persona)\b"
    r"|(?:system|developer) (?:prompt|mode)\b|jailbreak)"
    r"|你的(?:新)?(?:名字|身份|角色|性格|人设)|你(?:现在|从现在起|以后)?(?:就)?(?:是|叫|不再是)|扮演|假装"
    r"|(?:忽略|无视|忘记)[^。！？\n]{0,12}(?:指令|规则|设定|提示)",
    re.I,
)


def unwanted(candidate: Candidate, words: str) -> str | None:
    """Why a candidate must not be kept whatever its evidence, or None; `words` are those it cites."""
    if touches_secret(f"{words}\n{candidate.value}\n{candidate.statement}"):
        return "it is, or comes with, a secret"
    if candidate.kind is Kind.SELF:
        return None
    attribute = candidate.attribute.casefold()
    if attribute in _MOODS or (
        attribute in _STATES and fold(candidate.value).strip(" .!。！") in _MOOD_WORDS
    ):
        return "it is a mood"
    if attribute in _DATES or (_TODAY.search(words) and _DATE_VALUE.match(candidate.value.strip())):
        return "it is today's date"
    if candidate.subject.casefold() in _AGENT or _ABOUT_AGENT.search(words):
        return "it is about who the agent is, which no one's words change"
    return None


def touches_secret(text: str) -> bool:
    """Whether the text names a secret, given or not, or holds one (stores.secrets)."""
    return _SECRET_NAMED.search(text) is not None or is_secret(text)
