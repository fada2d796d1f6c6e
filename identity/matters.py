"""Which noted topics say something about a person: names and nouns that they use as such. Pure, English and Chinese.

A topic noted by rule is a word that was counted, be it a participle, an adjective or a noun as wide as "project".
Where the words do not show that it names a matter of its own, nothing is said of it.
"""

import re
from collections.abc import Iterable

from ..stores.write_filter import touches_secret
from .requests import is_request

_GENERIC = frozenset(
    """
    ability advice age amount answer app appointment approach area article aspect assignment average bit book boss
    break bug bus business call care case chance change chapter chat choice church city class client code colleague
    college company computer context conversation country couple course cup customer deadline decision detail dinner
    document draft ease email end error essay event evening everyone exam example experience fact family feature
    feedback feeling figure file fix folder food form free friend fun function game general goal group guy hand head
    health help hobby holiday home homework hour house idea information interest issue item job joke kid kind language
    large length letter level life line list look lot love lunch mail man manager matter meal mean meeting message
    method mind minute mistake moment money mood month morning name need news night note number odds office option
    order page paper paragraph part party past peace people person phone photo picture piece place plan play pleasure
    plot point presentation problem process product program progress project purpose question random reason recipe
    regard reply report request research respect rest result review risk room rule sake scene school section sense
    sentence session shop side situation sleep slide solution sort spot stage stake start step stop story stuff
    subject success summary support system table talk task team test text thesis thing thought time title today
    tomorrow topic town translation trip trouble truth try tune turn type university update use vacation version
    video view visit walk water way weather web week weekend while woman word work world write writing year yesterday
    january february march april may june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday
    """.split()
)
"""Nouns too wide to tell anything, and words that stand like nouns in set phrases ("at ease", "with care")."""

_DONE = frozenset(
    """
    lost won saw told went came made took left felt found bought got met ate drank slept read stuck broken written
    drawn taken given known seen gone torn worn sold spent sent kept held built caught taught thought fought hurt
    """.split()
)
_ADVERBS = frozenset(
    "abroad ahead alone apart aside best better early else fast first half hard high home late least more most now "
    "once outside inside worst".split()
)

_GREETINGS = frozenset("hi hey hello thanks thank ok okay dear bye sorry yes no you".split())

_BARE = (
    r"\b(?:about|at|with|playing|plays?|studying|learning|practi[sc]ing) {name}s?(?=$|[.,;:!?)\n]"
    r"| (?:again|and|or|with|at|in|on|because|but|so|today|now|lately|tonight)\b)"
)
_QUOTED = r"[\"“「『《‘]{name}s?[\"”」』》’]"
_ABOUT_ZH = r"(?:关于|有关|聊聊?|谈谈?|讨论|学习?|练习?|玩|下|打){name}"

_HAN = re.compile(r"[\u4e00-\u9fff]")
_GENERIC_ZH = frozenset(
    """
    项目 章节 事情 东西 工作 问题 时间 今天 明天 昨天 周末 晚上 早上 内容 方面 情况 方法 结果 计划 任务 论文 报告
    作业 考试 文章 文件 代码 生活 感觉 想法 意思 办法 地方 朋友 同事 老板 会议 电话 公司 学校 家里 天气
    心情 新的 一下 开始 结束 继续 准备 学习 讨论 知识 资料 材料 消息 故事 计划书 题目 话题 功能 需求 版本 进度 手机 电脑
    """.split()
)
_CLAUSE_ZH = re.compile(r"[我你您他她它这那哪谁吗呢吧啊了着过没不很太就都也还在是有想要会能可]")


def is_matter(name: str, said: Iterable[str]) -> bool:
    """Whether a folded topic says something, and in at least two of the texts it comes up in is used as a noun."""
    if not name or is_request(name) or touches_secret(name) or _says_nothing(name):
        return False
    is_phrase = " " in name and not _HAN.search(name)
    return is_phrase or sum(_is_named(name, text) for text in said) >= 2


def _says_nothing(name: str) -> bool:
    """Whether a topic is too wide, or tells what was done rather than what it is about."""
    if _HAN.search(name):
        return len(name) < 2 or name in _GENERIC_ZH or _CLAUSE_ZH.search(name) is not None
    head = name.split()[-1]
    if head in _DONE | _ADVERBS or head.endswith(("ed", "ly")):
        return True
    return not {head, f"{head}s", head.removesuffix("s")}.isdisjoint(_GENERIC)


def _is_named(name: str, text: str) -> bool:
    """Whether a text quotes it, has it as a proper name, or has it bare after a word like "about"."""
    word = re.escape(name)
    if re.search(_QUOTED.format(name=word), text, re.I):
        return True
    if _HAN.search(name):
        return re.search(_ABOUT_ZH.format(name=word), text) is not None
    return _is_proper(word, text) or re.search(_BARE.format(name=word), text, re.I) is not None


def _is_proper(word: str, text: str) -> bool:
    """Whether it has a capital after a word that has none, which is no greeting; or stands so in Chinese."""
    for found in re.finditer(rf"(?:(?<!\w)|(?<=[\u4e00-\u9fff])){word}s?(?![A-Za-z])", text, re.I):
        before = re.search(r"([\u4e00-\u9fff]) ?$|(?:^|[\s(])([\w'’]+) $", text[: found.start()])
        if found[0][0].isupper() and before and (before[1] or _leads(before[2])):
            return True
    return False


def _leads(before: str) -> bool:
    return before[0].islower() and before not in _GREETINGS
