"""When two standing wishes are about the same thing: their occasion, and what they ask for. Pure; tables to extend.

    occasion   "always", or when: "when_travelling" and "when_i_am_traveling" are one
    meaning    "answer briefly", "keep replies short" and 简短回答 are one: length=short
    clash      "answer briefly" and "answer at length" can not both be followed on one occasion

A wish is read clause by clause. A clause speaks of an aspect only when nothing else stands in it: "keep answers about
chess short" is kept in its own words, and meets nothing but its own denial.
"""

import re
from functools import lru_cache

from .canonical import uninflected
from .text import fold

OCCASION = 60
"""Longest occasion, in characters."""

ALWAYS = "always"
"""The occasion of a wish that holds whatever the occasion."""

_ASPECTS = """
formality=formal | formal(?:ly)?|polite(?:ly)?|正式|书面
formality=casual | casual(?:ly)?|informal(?:ly)?|relaxed|随意|随便|轻松|口语(?:化)?
bluntness=blunt  | blunt(?:ly)?|direct(?:ly)?|straight(?:forward)?|without sugar-?coating|直接|直白|直说
bluntness=gentle | gentle|gently|soft(?:ly)?|tactful(?:ly)?|温柔|委婉|温和
level=simple     | simple|simply|in (?:simple|plain) (?:terms|words|language)|like i'?m (?:five|5)|通俗|浅显|简单
level=technical  | technical(?:ly)?|in technical terms|expert|专业
emoji=yes        | emojis?|emoticons?|表情(?:符号|包)?
joke=yes         | jokes?|humou?r(?:ous)?|funny|玩笑|幽默
layout=bullets   | (?:in |as |with )?bullet(?:ed)?(?: points?| lists?)?s?|要点|分点|列点
layout=prose     | (?:in |as )?(?:prose|full paragraphs?|running text|paragraphs|full sentences)|段落|成段
layout=numbered  | (?:in |as |with )?numbered (?:lists?|points?|steps?)|编号
layout=table     | (?:in |as )?(?:a )?tables?|表格
markup=markdown  | (?:in )?markdown
markup=plain     | (?:in |as )?plain ?text|纯文本
temperature=celsius    | (?:(?:give |use |show )?temperatures? )?(?:in )?(?:degrees )?celsius|摄氏度?
temperature=fahrenheit | (?:(?:give |use |show )?temperatures? )?(?:in )?(?:degrees )?fahrenheit|华氏度?
units=metric     | (?:in )?metric(?: units)?|公制
units=imperial   | (?:in )?imperial(?: units)?|英制
clock=24         | (?:in |the )*24[- ]?hours?(?: clock| time| format)*|24小时制?
clock=12         | (?:in |the )*(?:12[- ]?hours?|am/pm)(?: clock| time| format)*|12小时制?
dates=day first  | (?:(?:write )?dates? )?day[- ]first
dates=month first | (?:(?:write )?dates? )?month[- ]first
dates=iso        | (?:(?:write )?dates? )?(?:in )?iso(?: ?8601)?(?: format)?
length=short    | short(?:er)?|brief(?:ly|er)?|concise(?:ly)?|succinct(?:ly)?|terse(?:ly)?|crisp(?:ly)?|to the point
length=short    | (?:(?:in|to|within|at most|with) )*(?:a few|few|one|two|three|\\d+) (?:short )?(?:sentence|line)s?
length=short    | 简短|简洁|简明|简要|精简|精炼|扼要|言简意赅|短一?点?|一句话|[一两二三几]?句话?(?:以内|之内|说完)
length=long     | long(?:er)?|at (?:full )?length|(?:in )?(?:more |full |great )?detail(?:ed|s)?|in(?:-| )depth|in full
length=long     | thorough(?:ly)?|elaborate(?:ly)?|comprehensive(?:ly)?|extensive(?:ly)?|verbose(?:ly)?
length=long     | 详细|详尽|细致|长一?点?|展开|深入|具体一?点?
"""

_LANGUAGES = """
english 英语 英文|chinese mandarin 中文 汉语 普通话 华语|cantonese 粤语|french 法语 法文|german 德语 德文|dutch 荷兰语
spanish 西班牙语|italian 意大利语|portuguese 葡萄牙语|russian 俄语|japanese 日语 日文|korean 韩语
arabic 阿拉伯语|turkish 土耳其语
polish 波兰语|swedish 瑞典语|norwegian 挪威语|danish 丹麦语|finnish 芬兰语|greek 希腊语|hindi 印地语
ukrainian 乌克兰语|czech 捷克语
hungarian 匈牙利语|romanian 罗马尼亚语|vietnamese 越南语|thai 泰语|indonesian 印尼语|hebrew 希伯来语
persian farsi 波斯语|catalan
"""
_LANGUAGE = {
    name: group.split()[0] for group in _LANGUAGES.replace("\n", "|").split("|") for name in group.split()
}

_SINGLE = frozenset(("length", "formality", "bluntness", "level", "language", "layout", "markup", "address"))
_SINGLE |= {"temperature", "units", "clock", "dates", "emoji", "joke"}
_OPPOSITE = {
    "length=short": "length=long", "length=long": "length=short",
    "formality=formal": "formality=casual", "formality=casual": "formality=formal",
    "bluntness=blunt": "bluntness=gentle", "bluntness=gentle": "bluntness=blunt",
    "level=simple": "level=technical", "level=technical": "level=simple",
    "emoji=yes": "emoji=no", "joke=yes": "joke=no",
}  # fmt: skip

_GENERIC = re.compile(
    r"\b(?:answers?|answering|repl(?:y|ies|ying)|respon(?:d|ds|ses?|ding)|explain(?:ing)?|explanations?|messages?|texts?"
    r"|speak(?:ing)?|say(?:ing)?|talk(?:ing)?|writ(?:e|ing)|keep(?:ing)?|use|using|us(?:e|ing)|giv(?:e|ing)|mak(?:e|ing)|be(?:ing)?"
    r"|prefer|want|like|add(?:ing)?|includ(?:e|ing)|put(?:ting)?|tell(?:ing)?|switch(?:ing)?|format(?:ting)?|stick(?:ing)?"
    r"|make|it|them|things?|everything|all|any|your?|yours|my|me|i|we|to|in|of|with|for|as|at|the|an?|is|are|do|does|should"
    r"|would|could|can|will|must|please|pls|just|always|every ?time|each time|only|very|more|much|really|quite|so|again"
    r"|now|on|from|here|onwards?|going forward|future|style|tone|way|manner|language|words?|and|then|but|instead"
    r"|back)\b"
    r"|回答|回复|答复|说话|说明|解释|内容|语言|语气|风格|方式|格式|我们?|你|您|请|麻烦|都|就|用|来|要|得|地|的|些|一点|点儿?"
    r"|以后|今后|从现在(?:开始|起)|从今以后|往后|将来|总是|始终|永远|一直|每次|尽量|保持|给出?|列出?|跟|和|说|写|讲|答案?|全部|所有"
    r"|一下|时候?|太|过于|使用|加上?|带上?|改成|改为|换成|更|再|还是|比较|多|些|可以|希望|能|会",
)
_DENIED = re.compile(
    r"\b(?:(?:don'?t|do not) (?:need|have) to|no need to|needn'?t|don'?t|do not|doesn'?t|never|no|not|stop|avoid"
    r"|without|skip|leave out|quit|enough|less)\b"
    r"|不要|不用|不必|不需要|别再?|避免|不再|不|少"
)
_LIFTED = re.compile(r"\b(?:needn'?t|(?:don'?t|do not) (?:need|have) to|no need to)\b|不用|不必|不需要")
"""Takes a wish back without asking for the opposite."""

_NOT_DENIED = re.compile(r"\bno more than\b|\bnot (?:only|just)\b|不(?:超过|只|仅)")
_ADDRESS = re.compile(r"(?:\b(?:call|address) me(?: as)?|(?:称呼?|叫)我(?:为|作|做)?)\s*(?P<name>.{1,40})")
_NOT_NAME = re.compile(
    r"\b(?:from now on|please|instead|any ?more|always|in future)\b|以后|吧|就[行好]|[\"'“”‘’]"
)
_CLAUSES = re.compile(r"\s*(?:[,;，；、。.!！]|\band\b|\bbut\b|并且?|而且|但是?)\s*")
_WORDS = re.compile(r"[a-z0-9']+|[^\x00-\x7f]+")


def _compiled() -> list[tuple[str, re.Pattern[str]]]:
    found = []
    for line in _ASPECTS.strip().splitlines():
        part, _, pattern = line.partition("|")
        ways = "|".join(rf"\b(?:{w})\b" if w.isascii() else w for w in _top_level(pattern.strip()))
        found.append((part.strip(), re.compile(ways)))
    return found


def _top_level(pattern: str) -> list[str]:
    """The alternatives of a pattern that stand outside every bracket."""
    ways, depth = [""], 0
    for char in pattern:
        depth += (char == "(") - (char == ")")
        if char == "|" and depth == 0:
            ways.append("")
        else:
            ways[-1] += char
    return ways


_PATTERNS = _compiled()


@lru_cache(maxsize=1024)
def meaning(wish: str) -> str:
    """The form in which wishes are compared: its parts, sorted, joined as in `stores.canonical.meaning`."""
    text = _NO_LONGER.sub("never", " ".join(fold(wish).replace("’", "'").split()))
    parts = {part for clause in _CLAUSES.split(text) if clause for part in _parts(clause)}
    aspects = [part.split("=")[0] for part in parts if "=" in part and not part.startswith("language=")]
    if len(set(aspects)) < len(aspects):  # "not too long, and not too short": no side of it
        return text
    return " & ".join(sorted(parts)) or text


def _parts(clause: str) -> list[str]:
    denied = _DENIED.search(_NOT_DENIED.sub(" ", clause)) is not None
    if named := _ADDRESS.search(clause):
        return [_said("address=" + " ".join(_NOT_NAME.sub(" ", named["name"]).split()), denied)]
    rest, found = clause, []
    spoken = [lang for name, lang in _LANGUAGE.items() if _stands(name, clause)]
    if spoken:
        found.append("language=" + "+".join(sorted(set(spoken))))
        for name in _LANGUAGE:
            rest = re.sub(rf"\b{name}\b" if name.isascii() else name, " ", rest)
    for part, pattern in _PATTERNS:
        shorter = pattern.sub(" ", rest)
        if shorter != rest:
            found.append(part)
            rest = shorter
    left = _GENERIC.sub(" ", _DENIED.sub(" ", _NOT_DENIED.sub(" ", rest)))
    if found and not _WORDS.search(left):
        lifted = _LIFTED.search(clause) is not None
        return [f"not {part}" if lifted else _said(part, denied) for part in dict.fromkeys(found)]
    plain = " ".join(uninflected(w) for w in _WORDS.findall(_bare(clause)))
    return [_said(plain, denied)] if plain else []


def _stands(name: str, clause: str) -> bool:
    return re.search(rf"\b{name}\b", clause) is not None if name.isascii() else name in clause


_NO_LONGER = re.compile(r"\bno longer(?! than)\b")
_LEAD = re.compile(
    r"\b(?:please|always|just|you|need|have|should|(?:all|every) the time|every ?time|from now on|any ?more|to)\b"
    r"|^(?:请|你|都|总是|始终|一直|每次|以后)+"
)


def _bare(clause: str) -> str:
    return _LEAD.sub(" ", _DENIED.sub(" ", clause).strip())


def _said(part: str, denied: bool) -> str:
    return _OPPOSITE.get(part, f"not {part}") if denied else part


def clash(newer: str, older: str) -> bool | None:
    """Whether a newer wish ends an older one (both as meanings): None when both can be followed.

    False: they differ in a part, and the older asks for something else besides, which the newer leaves alone.
    """
    new, old = set(newer.split(" & ")), set(older.split(" & "))
    met = {o for o in old for n in new if _excludes(n, o)}
    if not met:
        return None
    return all(o in met or o in new for o in old)


def _excludes(one: str, other: str) -> bool:
    if one == other:
        return False
    plain_one, plain_other = one.removeprefix("not "), other.removeprefix("not ")
    if (one != plain_one) != (other != plain_other):
        return plain_one == plain_other
    aspect, _, _ = one.partition("=")
    return one == plain_one and aspect in _SINGLE and other.startswith(f"{aspect}=")


_WHENEVER = re.compile(
    r"\b(?:when(?:ever)?|if|while|during|every ?time|each time|unless)\s+([^,.;:!?\n]{2,60})"
    r"|(?:[每当]次?|如果|只要)?([^，,。\s]{1,12}?)(?:的时候|时(?!间|刻|区))|(?:如果|只要)([^，,。\s]{1,12})"
)
_PLAIN_OCCASIONS = frozenset(
    """always general default any anytime every_time all answers answer replies reply responses response style language
    tone format length answer_length answer_style answer_format answer_language response_length response_style
    response_format response_language reply_length reply_style reply_language communication_style communication
    writing_style output output_format formatting verbosity brevity preference instruction rule
    总是 回答 风格 语言""".split()
)
_FILLING = frozenset(
    "when whenever if while during i am m i'm im is are the a an on in at my me user user_is".split()
)


def occasion(name: str, words: str) -> str:
    """The occasion of a wish: from the name it was given, or, where that tells none, from its `words`."""
    key = re.sub(r"\W+", "_", fold(name)).strip("_")
    if key not in _PLAIN_OCCASIONS and key:
        return key
    when = _WHENEVER.search(fold(words))
    if when is None:
        return ALWAYS
    said = re.findall(r"\w+", next(group for group in when.groups() if group))
    return "_".join(["when", *said])[:OCCASION]


@lru_cache(maxsize=1024)
def same_occasion(name: str) -> str:
    """The form in which occasions are compared."""
    words = [uninflected(w) for w in fold(name).split("_") if w and w not in _FILLING]
    return " ".join(_ONE_WORD.get(word, word) for word in words) or name


_ONE_WORD = {"travell": "travel", "trip": "travel", "road": "travel", "出差": "travel", "旅行": "travel"}


_SPARED = re.compile(
    r"(?:\b(?:don'?t|do not|never|no|not|avoid|without|stop|skip|less|too|so)(?: [\w']+){0,2} "
    r"|别|不要|不用|不必|不|太)(?:那么|这么)?$"
)


def asked_for(text: str) -> frozenset[str]:
    """The aspects a request speaks of, wherever in it they stand: "that was too short" asks for length=long."""
    text = " ".join(fold(text).replace("’", "'").split())
    found = {}
    for part, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            denied = _SPARED.search(text[: match.start()]) is not None
            found[part.partition("=")[0]] = _said(part, denied)
    spoken = {lang for name, lang in _LANGUAGE.items() if re.search(rf"\bin {name}\b|[用说讲]{name}", text)}
    return frozenset((*found.values(), *(f"language={name}" for name in spoken)))


def contrary(asked: frozenset[str], wish: frozenset[str]) -> bool:
    """Whether what is asked for goes against a wish, both as `asked_for` reads them."""
    return any(_excludes(one, other) for one in asked for other in wish)
