"""Cut Chinese text into clauses, fold traditional forms, and drop what states nothing of the user's own."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from .chinese_frames import LASTS, WHEN
from .chinese_words import FOLD
from .reading import MASK

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_SENTENCE = re.compile(r"[^。！？!?\n；;…" + MASK + r"]+(?:[。！？!?\n；;…]|$)?")
_CLAUSE = re.compile(r"[^，,：:（）()—~～。！？!?；;…\n\U0001f300-\U0001faff☀-➿]+")
_ASKING = re.compile(
    r"吗|嗎|什么|啥|谁|哪(?!怕)|(?<!不)怎么|怎样|如何|几[个点岁号月]|多少"
    r"|多大|多久|为什么|是不是|有没有|会不会|能不能|要不要|可不可以|对不对"
    r"|好不好|呢$|是否|请问"
)
_UNREAL = re.compile(
    r"如果|假如|假设|假装|要是|倘若|若是|万一|比如说?我|希望|但愿|恨不得"
    r"|梦见|[他她它们友人妈爸姐妹哥弟事板师生]说|据说|听说|有人说|书里"
    r"|电影里|小说|歌词|每当我|当我|等我|仿佛|好像我|以为"
)
_NOT_NOW = re.compile(
    r"以前|曾经?|过去|小时候|从前|当年|那时|那会儿|去年|前年|昨[天晚]"
    r"|前天|上周|上个?月|今[天晚早]|今儿|明[天年早晚]|后天|下周|下个?月"
    r"|下[一]?次|这次|这回|这一次|暂时|临时|待会|一会儿|刚才"
    r"|打算|计划|准备|想要?(?!法)|可能|也许|或许|大概|说不定|将来|以后"
    r"|未来|快要|差点|差不多|几乎|应该|似乎|有点|有些|偶尔|这[周个]|正在(?!学)"
    r"|本来|原来|之前|要不"
)
_HAPPENED = re.compile(rf"{WHEN}(?=[^，,]{{0,14}}?{LASTS})")
_TAG = re.compile(r"^(?:是吧|对吧|对吗|对不对|是吗|是不是|没错吧|好吗|你说呢|对嗎|知道吗|记得吗)$")
_PREFIX = re.compile(
    r"^[ 、\t]*(?:其实|另外|对了|顺便(?:说|提)?(?:一下|一句)?|嗨|嘿|你好"
    r"|您好|大家好|哈喽|嗯+|哦|噢|啊|那个|因为|由于|所以|但是?|不过|而且"
    r"|并且|还有|然后|以及|同时|说起来|话说|补充一下"
    r"|(?:我想)?(?:告诉|跟)你说?(?:一下|个事)?|请?(?:你)?(?:帮我|一定要?"
    r"|要)?(?:记住|记得|记一下|注意|别忘了?)(?:一下)?|要知道|你知道的?"
    r"|坦白说|老实说|说实话|说真的|总之|首先|其次|最后|也|和|哈+|唉|哎"
    r"|虽然|尽管|既然"
    r"|更正一下|纠正一下|实际上|事实上|目前|现在|如今|平时|最近|一般|通常)+[ ，]*"
)


class Clause(NamedTuple):
    """A clause in folded characters; `at` is its offset, `first` whether it opens its sentence."""

    text: str
    at: int
    end: int
    first: bool


def has_chinese(text: str) -> bool:
    """Whether any Chinese character stands in the text."""
    return _CHINESE.search(text) is not None


def clauses(text: str) -> Iterator[Clause]:
    """The statements of the Chinese sentences in `text`, in order."""
    folded = text.translate(FOLD)
    for sentence in _SENTENCE.finditer(folded):
        words = sentence.group()
        if not has_chinese(words) or len(words) > 400 or _UNREAL.search(words):
            continue
        parts = [
            part
            for part in _CLAUSE.finditer(folded, sentence.start(), sentence.end())
            if part.group().strip()
        ]
        asked = words.rstrip()[-1] in "？?"
        if asked:
            if not parts or _TAG.match(parts[-1].group().strip()) or not _ASKING.search(parts[-1].group()):
                continue
            parts = parts[:-1]
        for index, part in enumerate(parts):
            yield from _clause(folded, part, first=index == 0)


def _clause(folded: str, part: re.Match[str], *, first: bool) -> Iterator[Clause]:
    words = part.group()
    if _TAG.match(words.strip()) or _ASKING.search(words) or _NOT_NOW.search(_HAPPENED.sub("", words)):
        return
    prefix = _PREFIX.match(words)
    start = part.start() + (prefix.end() if prefix else 0)
    while start < part.end() and folded[start] in " \t":
        start += 1
    end = part.end()
    while end > start and folded[end - 1] in " \t.":
        end -= 1
    if end > start:
        yield Clause(folded[start:end], start, end, first)
