"""Open ends: what a user is about to do or to tell, what the agent promised, and which of these are "
"settled."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal

from ....stores.records import Commitment, Kind, Memory, Message, Role, Status
from ...extraction.masks import has_secret
from .sentences import Sentence
from .topics import content_words

_EVENT = (
    r"(?:exam|test|interview|appointment|meeting|deadline|presentation|surgery|operation|flight|trip|"
    r"wedding|concert|match|race|marathon|competition|audition|recital|performance|viva|defen[cs]e|"
    r"check-?up|scan|party|date|hearing|talk|lecture|conference|holiday|vacation|move|first day|"
    r"graduation|play|show|game|tournament|rehearsal|session|call|visit)s?"
)
_WHEN = (
    r"(?:(?:on|this|next|by|coming|the coming) (?:mon|tues|wednes|thurs|fri|satur|sun)day\b(?!s)|tomorrow|"
    r"tonight|later today|this (?:afternoon|evening|weekend|week|month)|next (?:week|weekend|month|year|"
    r"spring|summer|autumn|fall|winter)|in (?:\d+|a|an|two|three|four|five|six|a few|a couple of) (?:day|"
    r"week|month|hour)s?|the day after tomorrow|on (?:the )?\d{1,2}(?:st|nd|rd|th)?\b|"
    r"on (?:\d{1,2} )?(?:january|february|march|april|may|june|july|august|september|october|november|"
    r"december))"
)
_TELL = re.compile(
    r"\bi(?:'ll| will|'m going to| am going to) (?:[^.;]{3,60} and )?(?:definitely |surely |"
    r"be sure to )?(?:tell you|let you know|report back|keep you (?:posted|updated)|"
    r"give you an update|show you|send you|update you|come back to (?:you|this)|get back to you)\b",
    re.I,
)
_HAVE = re.compile(
    rf"\bi(?:'ve| have)? (?:also )?(?:got|have)\b (?:my |a |an |the |"
    rf"another )?(?:\w+[ -]){{0,3}}?{_EVENT}\b[^.;]{{0,40}}?\b{_WHEN}"
    rf"|\bi have (?:my |a |an |the |another )?(?:\w+[ -]){{0,3}}?{_EVENT}\b[^.;]{{0,40}}?\b{_WHEN}"
    rf"|\bmy (?:\w+[ -]){{0,3}}?{_EVENT} (?:is|starts|begins|leaves|departs|"
    rf"takes place)\b[^.;]{{0,20}}?\b{_WHEN}"
    rf"|\b{_WHEN},? i(?:'ve| have)?(?: got| have)? (?:my |a |an |the )(?:\w+[ -]){{0,3}}?{_EVENT}\b"
    rf"|\bi(?:'m| am) (?:flying|moving|taking|starting|presenting|defending|running|sitting|performing|"
    rf"travelling|traveling|seeing|meeting|"
    rf"having|leaving for|visiting)\b[^.;]{{0,50}}?\b{_WHEN}",
    re.I,
)
_EVENT_ZH = (
    r"(?:考试|面试|会议?|开会|手术|体检|飞|演讲|答辩|比赛|约会|航班|飞机|婚礼|音乐会|演出|出差|旅行|搬家|"
    r"路考|驾考|科目[一二三四]|报告|截止|聚会|检查|看牙|看医生|复诊|期末|高考|中考|汇报|上台|入职)"
)
_WHEN_ZH = (
    r"(?:明[天早晚]|后天|今晚|下午|下[个]?(?:周|星期|礼拜)[一二三四五六日天末]?|(?:这|"
    r"本)?周[一二三四五六日末]|星期[一二三四五六日天]|下个?月|月底|\d+[号日])"
)
_HAVE_ZH = re.compile(
    rf"(?:^|，)(?:我们?)?{_WHEN_ZH}(?:上午|下午|晚上|早上)?(?:我)?(?:要|有|得|就要|参加|"
    rf"去)[^，。]{{0,10}}?{_EVENT_ZH}"
    rf"|(?:^|，)我(?:们)?(?!的?(?:妹|姐|哥|弟|妈|爸|朋友|同事|女|儿|孩|老|先生|太太|爷|"
    rf"奶))[^，。]{{0,4}}?{_WHEN_ZH}[^，。]{{0,6}}?(?:要|有|得|参加|去)[^，。]{{0,10}}?{_EVENT_ZH}"
    rf"|(?:^|，)我的?[^，。]{{0,6}}?{_EVENT_ZH}(?:就)?(?:是|在|定在){_WHEN_ZH}"
)
_TELL_ZH = re.compile(
    r"(?:我(?:会|到时候|明天|回头|考完|之后)?|回头|到时候?|明天|改天)[^，。]{0,8}?(?:再)?(?:告诉你|"
    r"跟你(?:说|讲)|向你汇报|和你说|发给你)"
)
_UNSURE = re.compile(
    r"\b(?:if|might|maybe|perhaps|should i|not|don'?t|won'?t|wasn'?t|cancel\w*|never|would|could|had|was|"
    r"were|every|usually|always|wish|hope(?:d)? to)\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|"
    r"如果|要是|可能|也许|不|没|取消|"
    r"每[周天个]|以前|上次|昨天",
    re.I,
)
_PROMISE = re.compile(
    r"\bi(?:'ll| will) (?:be sure to |make sure to |definitely )?(?:remind you|ask you|check (?:in|back)|"
    r"follow up|get back to you|keep (?:an eye|track)|look into|bring (?:it|this|that) up|prepare|"
    r"have .{2,40} ready|come back to)\b|\bi promise\b"
    r"|\bnext time,? (?:i(?:'ll| will)|we(?:'ll| will| can))\b|\bi(?:'ll|"
    r" will)\b[^.;]{2,60}\b(?:next time|tomorrow|later this week|next week)\b",
    re.I,
)
_PROMISE_ZH = re.compile(
    r"我(?:会|一定|下次会?|明天会?)[^，。]{0,6}(?:提醒|问你|跟进|回来找你|再跟你)|我(?:答应|保证)|"
    r"下次我(?:会|们(?:可以|再))"
)
_NO_PROMISE = re.compile(
    r"\b(?:if you|once you|whenever you|unless|would you like|can'?t|cannot|will not|won'?t|i'll not)\b|"
    r"如果|要是|等你|需要的话|无法|不会",
    re.I,
)
_PAST = re.compile(
    r"\b(?:went|passed|failed|was|were|did|got|finished|done|over|cancelled|canceled|made it|nailed|aced|"
    r"survived|won|lost|turned out|"
    r"moved in|submitted|gave|had|happened|missed|told)\b|了|过了|完了|通过|没过|取消",
    re.I,
)
_STILL_TO_COME = re.compile(
    r"\b(?:postponed|rescheduled|delayed|moved to|pushed back|will|going to|tomorrow|next|hasn'?t|"
    r"haven'?t|not yet|is on|still have|"
    r"how (?:was|did)|wasn'?t able to|if)\b|推迟|改期|延期|还没|明天|下周|下个月|要是|如果",
    re.I,
)
_OTHERS = re.compile(
    r"\b(?:his|her|their|your)\b|\bmy (?:sister|brother|mother|mom|mum|father|dad|friend|wife|husband|"
    r"partner|son|daughter|boss|colleague|cousin|roommate|neighbou?r|girlfriend|boyfriend|aunt|uncle)\b|"
    r"\w's (?:\w+ )?(?=\w)(?<!it's )(?<!that's )|[他她们]的|我(?:妹|姐|哥|弟|妈|爸|朋友|同事|女儿|儿子)",
    re.I,
)
_SMALL = frozenset(
    "know posted update promise remind ask check follow ready day first whether got"
    " report definitely surely able".split()
)


def commitments(said: Sequence[Sentence], known: Sequence[Memory]) -> Iterator[Commitment]:
    """The open ends that these sentences leave, without those already known."""
    open_now = [(m.subject, matter(m.statement)) for m in known if is_open(m)]
    for sentence in said:
        text = sentence.text.replace("’", "'")
        if sentence.asks or has_secret(text) or not _is_commitment(sentence.message.role, text):
            continue
        who: Literal["user", "agent"] = "user" if sentence.message.role is Role.USER else "agent"
        about = matter(text)
        if any(about and whose == who and about <= other for whose, other in open_now):
            continue
        open_now.append((who, about))
        yield Commitment(who, sentence.said, sentence.whole)


def _is_commitment(role: Role, text: str) -> bool:
    if role is Role.ASSISTANT:
        return bool(_PROMISE.search(text) or _PROMISE_ZH.search(text)) and not _NO_PROMISE.search(text)
    if _TELL.search(text) or _TELL_ZH.search(text):
        return not re.search(r"\b(?:if|might|maybe|won'?t|not)\b|如果|不|也许|可能", text, re.I)
    return bool(_HAVE.search(text) or _HAVE_ZH.search(text)) and not _UNSURE.search(text)


def settled(said: Sequence[Sentence], known: Sequence[Memory]) -> tuple[str, ...]:
    """Ids of open commitments that a later sentence reports on: it shares their matter, and speaks of "
    "the past."""
    return tuple(
        memory.id
        for memory in known
        if is_open(memory)
        and any(reports(sentence, memory.subject, memory.statement, _cited(memory)) for sentence in said)
    )


def settled_here(commitment: Commitment, said: Sequence[Sentence], order: Sequence[Message]) -> bool:
    """Whether the stretch that makes a commitment settles it too, further on."""
    at = {message.id: index for index, message in enumerate(order)}
    return any(
        reports(sentence, commitment.who, commitment.what, set())
        for sentence in said
        if at[sentence.message.id] > at[commitment.span.message_id]
    )


def reports(sentence: Sentence, who: str, what: str, cited: set[str]) -> bool:
    """Whether a sentence tells what became of a commitment; rather no than a wrong yes."""
    text = sentence.text.replace("’", "'")
    if sentence.asks or sentence.message.id in cited or _STILL_TO_COME.search(text):
        return False
    about, shared = matter(what), matter(what) & matter(text)
    if who == "agent":
        kept = re.search(r"\bas promised|reminder|提醒|答应过", text, re.I)
        return sentence.message.role is Role.ASSISTANT and bool(kept) and bool(shared)
    if sentence.message.role is not Role.USER or _OTHERS.search(text) or not _PAST.search(text):
        return False
    return bool(shared) and len(shared) * 2 >= min(len(about), 2)


def is_open(memory: Memory) -> bool:
    """Whether it is a commitment that waits."""
    return memory.kind is Kind.COMMITMENT and memory.status is Status.ACTIVE


def matter(text: str) -> frozenset[str]:
    """The words a commitment is recognised by: its event, and what else it names."""
    english = {word.removesuffix("s") for word in content_words(text)} - _SMALL
    return frozenset({*english, *re.findall(_EVENT_ZH, text)})


def _cited(memory: Memory) -> set[str]:
    return {span.message_id for span in memory.evidence}
