"""What the agent said of itself, chose or recommended: kind `self`, resting on its own words."""

import re
from collections.abc import Iterator

from ....stores.records import Candidate, Kind, Origin
from ....stores.standing import ABLE
from ...extraction.masks import has_secret
from .sentences import Sentence

SUBJECT = "agent"

_FAVOURITE = re.compile(
    r"\bmy (?:own |personal |absolute |all-time )?favou?rite (?P<what>[a-z]+(?: [a-z]+)?) (?:is|was|"
    r"has to be|would be) (?P<value>[^,.;:!?()]{2,60})$",
    re.I,
)
_CHOSE = re.compile(
    r"(?:^|[,;] |\b(?:and|so|but|then) )i(?:'ve| have)? (?P<verb>chose|chosen|picked|went with|named it|"
    r"decided on|settled on|recommend(?:ed)?|suggest(?:ed)?)(?: you)? (?P<value>(?!to\b)(?!that\b|you\b|"
    r"it\b|this\b|them\b)[^.;:!?()]{2,80})$"
    r"|(?:^|[,;] )i(?:'d| would) (?P<would>recommend|suggest|go with|pick|choose) (?P<value2>(?!that\b|"
    r"you\b|it\b|this\b|them\b)[^.;:!?()]{2,80})$",
    re.I,
)
_FOR_YOU = re.compile(
    r"^(?:[\w ]{0,20}, )?i(?:'ll| will) (?P<value>"
    r"(?!not\b|never\b|need\b|remember\b|(?:always )?be (?:here"
    r"|there)\b)[^.;:!?()]{3,90} for you[^.;:!?()]{0,40})$",
    re.I,
)
_FAVOURITE_ZH = re.compile(
    r"我(?:自己|个人)?最(?:喜欢|爱)的(?P<what>[\u4e00-\u9fff]{1,6})(?:就?是)(?P<value>[^，。！？,]{1,20})$"
)
_CHOSE_ZH = re.compile(
    r"(?:^|，)我(?P<verb>选了|选择了|选的是|推荐|建议)(?:你|您|大家)?(?P<value>[^，。！？,]{2,30})$"
)
_FOR_YOU_ZH = re.compile(r"(?:^|，)我会(?P<value>(?:帮|为|替|给)(?:你|您)(?!记)[^，。！？,]{2,30})$")
_NOT_MEANT = re.compile(
    r"\b(?:you (?:said|told|mentioned|wrote|asked)|if|would you|unless|might|maybe|perhaps|as an ai|"
    r"don'?t have|happy to|sorry|cannot|can'?t|unable|i will not|once you|let me know if|just (?:say|"
    r"tell))\b|你(?:说|提到|告诉)|如果|要是|也许|"
    r"可能|抱歉|无法|不能",
    re.I,
)
_THINKS = re.compile(
    r"^(?:(?:well|honestly|personally|frankly|to be honest|for me|if you ask me|in my (?:own )?view), )?"
    r"(?:(?:personally,? )?i (?:really |do |still |personally |much |always )?(?P<verb>think|believe"
    r"|prefer|love|like|enjoy|"
    r"dislike|hate|find|would rather)(?: that)? (?P<value>(?!you\b|you'|nothing\b|no\b|none\b|that$|it(?:$)|it(?:'s"
    r"| is)? (?:great|good|nice|wonderful|lovely) "
    r"(?:that|to)\b|so\b|that'?s\b|we\b|i\b|your\b|this\b|talking\b|hearing\b|when you\b)[^;:!?()]{4,110})"
    r"|in my (?:own |honest |humble )?(?:opinion|view),? (?P<view>(?!you\b|your\b)[^;:!?()]{6,110}))$",
    re.I,
)
_PREFERENCE = frozenset("prefer love like enjoy".split())
_DECIDED = re.compile(
    r"^(?:(?:so|then|ok(?:ay)?|right|well), )?i(?:'ve| have)? (?:decided|made up my mind|resolved)(?: to)? "
    r"(?P<value>(?!on\b)[^;:!?()]{3,90})$",
    re.I,
)
_PROMISED = re.compile(
    r"^(?:(?:and|so|yes|of course|all right), )?i (?:promise|swear|give you my word)(?: you)?,?(?: to"
    r"| that)? (?P<value>[^;:!?()]{4,90})$"
    r"|^(?:(?:from now on|in future|yes|of course|all right),? )?i(?:'ll| will) (?P<value2>(?:never"
    r"|always|no longer|stop|"
    r"stick (?:to|with)|keep)\b(?! (?:be (?:here|there)|that in mind|it in mind|in mind"
    r"|an eye)\b)[^;:!?()]{4,90})$",
    re.I,
)
_DO = (
    r"(?:open|access|browse|visit|follow|see|view|watch|hear|listen to|play|send|call|phone|email|text"
    r"|set|run|execute|"
    r"download|upload|book|order|buy|print|draw|edit|search|look up|read|reach|connect to|check|scan"
    r"|speak|translate|"
    r"generate|make|create|count|calculate|remember)"
)
_CAN = re.compile(
    rf"^(?:(?:sorry|unfortunately|i'm (?:sorry|afraid)|i am (?:sorry|afraid)|no|yes|but|actually"
    rf"|good news|it turns out|"
    rf"as it turns out|i found(?: out)?),? (?:but |that )?)*i(?: now)?(?P<not> (?:can(?:'t|not| not)"
    rf"|(?:am|'m) not able to|"
    rf"(?:am|'m) unable to)|'m (?:not able|unable) to| do(?:n't| not) have (?:a way"
    rf"|the ability) to)? ?(?P<can>can(?: now)? |"
    rf"am (?:now )?able to )?(?P<value>{_DO}\b(?! (?:you|sure|to|more|less)\b)[^;:!?()]{{2,70}}?)"
    r"(?: now| any ?more| yet| again)?$",
    re.I,
)
_REACHES = re.compile(
    r"^(?:(?:sorry|unfortunately|i'm (?:sorry|afraid)|no|but"
    r"|actually),? (?:but )?)*i(?: do)?(?P<not> (?:don't|do not))? (?:now )?"
    r"have (?P<value>access to (?!you\b)[^;:!?()]{3,60})$",
    re.I,
)
_THINKS_ZH = re.compile(
    r"^(?:说实话，?|老实说，?|依我看，?|对我来说，?|就我而言，?)?我(?:个人|自己|还是)?(?P<verb>觉得|认为|更?喜欢|偏爱|讨厌|不喜欢|宁愿|更愿意|欣赏)"
    r"(?P<value>(?!你|您|咱|我们|这样|可以|应该|很高兴)[^。！？]{2,50})$"
    r"|^依我(?:看|之见)，?(?P<view>(?!你|您)[^。！？]{3,50})$"
)
_PREFERENCE_ZH = frozenset("喜欢 更喜欢 偏爱 欣赏 更愿意 宁愿".split())
_DECIDED_ZH = re.compile(r"(?:^|，)我(?:已经)?(?:决定|打定主意)(?:了|要)?，?(?P<value>[^。！？]{2,40})$")
_PROMISED_ZH = re.compile(
    r"(?:^|，)我(?:答应|保证|承诺|发誓)(?:你|您)?，?(?P<value>(?!过)[^。！？]{2,40})$"
    r"|(?:^|，)(?:以后|从现在起|今后)我(?P<value2>(?:不再|一定|都会|不会再|会一直)[^。！？]{2,40})$"
)
_DO_ZH = (
    r"(?:打开|访问|浏览|看到|看见|查看|播放|听到|发送|发邮件|打电话|设置|运行|执行|下载|上传|预订|购买|打印|画|编辑|搜索|联网|"
    r"读取|连接|检查|扫描|翻译|生成|上网|查询|识别)"
)
_CAN_ZH = re.compile(
    rf"^(?:抱歉，?|对不起，?|很遗憾，?|可惜，?|不过，?|其实，?|原来，?)*我(?:现在|目前|暂时)?(?P<not>没办法|没法|无法|不能|不会)?"
    rf"(?P<can>能够?|可以|会)?(?:直接|自己)?(?P<value>{_DO_ZH}[^，。！？]{{0,30}}?)了?$"
)
_POLITE = re.compile(r"^(?:我)?(?:可以|能|会)?(?:帮|为|给|替)?(?:你|您)")
_ANSWER_FOLLOWS = re.compile(r"[:：]\s*$")


def self_memories(said: list[Sentence]) -> Iterator[Candidate]:
    """What an assistant's message commits it to being or having said; not its explanations, nor its courtesies."""
    for sentence in said:
        text = sentence.text.replace("’", "'")
        if sentence.asks or has_secret(text):
            continue
        after = sentence.message.content[sentence.end : sentence.end + 2]
        if _ANSWER_FOLLOWS.search(after):
            continue
        able = _ability(text)
        found = able[0] if able else None if _NOT_MEANT.search(text) else _read(text)
        if found is None:
            continue
        attribute, (start, end) = found
        start, end = _trimmed(text, start, end)
        yield Candidate(
            subject=SUBJECT,
            attribute=attribute,
            value=sentence.said[start:end],
            statement=f"{sentence.said}{'。' if sentence.chinese else '.'}",
            span=sentence.whole,
            polarity=able[1] if able else True,
            kind=Kind.SELF,
            origin=Origin.SAID,
            valid_from=sentence.message.at,
        )


def _ability(text: str) -> tuple[tuple[str, tuple[int, int]], bool] | None:
    """What the agent says it can or cannot do, and which of both; not what it will not do, or offers."""
    match = _REACHES.search(text)
    if match is not None:
        return (ABLE, match.span("value")), match["not"] is None
    for pattern in (_CAN, _CAN_ZH):
        match = pattern.search(text)
        if match is None or bool(match["not"]) == bool(match["can"]) or _POLITE.search(match["value"]):
            continue
        offered = re.search(r"\b(?:you|your|for you|if)\b|如果|你|您", match["value"]) and match["can"]
        return None if offered else ((ABLE, match.span("value")), match["not"] is None)
    return None


def _read(text: str) -> tuple[str, tuple[int, int]] | None:
    match = _FAVOURITE.search(text) or _FAVOURITE_ZH.search(text)
    if match is not None:
        return f"favourite_{match['what'].lower().replace(' ', '_')}", match.span("value")
    match = _CHOSE.search(text)
    if match is not None:
        verb = (match["verb"] or match["would"]).lower()
        recommended = verb.startswith(("recommend", "suggest"))
        return "recommended" if recommended else "chose", match.span("value" if match["value"] else "value2")
    match = _CHOSE_ZH.search(text)
    if match is not None:
        return "chose" if match["verb"].startswith("选") else "recommended", match.span("value")
    match = _FOR_YOU.match(text) or _FOR_YOU_ZH.search(text)
    if match is not None:
        return "promised", match.span("value")
    return _committed(text) or _thought(text)


def _committed(text: str) -> tuple[str, tuple[int, int]] | None:
    match = _PROMISED.search(text) or _PROMISED_ZH.search(text)
    if match is not None:
        return "promised", match.span("value" if match["value"] else "value2")
    match = _DECIDED.search(text) or _DECIDED_ZH.search(text)
    return None if match is None else ("decided", match.span("value"))


def _thought(text: str) -> tuple[str, tuple[int, int]] | None:
    match = _THINKS.search(text) or _THINKS_ZH.search(text)
    if match is None:
        return None
    verb = (match["verb"] or "").lower()
    taste = verb in _PREFERENCE or verb in _PREFERENCE_ZH
    return "likes" if taste else "thinks", match.span("value" if match["value"] else "view")


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """Without a reason or afterthought behind the value."""
    cut = re.search(
        r"(?:, | because | since | for (?:its|their|the) | so that | when | if | which )", text[start:end]
    )
    return start, start + cut.start() if cut else end
