"""What a request to forget asks for: its words without the asking, and whether a memory is what they mean. Pure."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from ..text import fold
from .cutting import mentions, usable_term

_FRAMING = re.compile(
    r"\b(?:please|pls|kindly|can|could|would|will|you|i(?:'d| would)? (?:like|want) (?:you )?to|want"
    r"|forget|forgot|delete|erase|remove|wipe|drop|everything|anything|all|whatever|what|that"
    r"|the fact|facts?"
    r"|about|of|ever|again|just|where|when|who|how|which|why"
    r"|i(?:'ve| have)?(?: ever)? (?:mentioned|told you|said|shared|wrote)|mentioned|told|said"
    r"|your memory|from memory"
    r"|memory|memories|my|mine|me|i|i'm|am|is|are|was|do|does|did|have|has|the|a|an|to|in|on"
    r"|at|for|(?<!live )with|and|it|this"
    r"|know|knew|remember|remembered|for me)\b",
    re.I,
)
_FRAMING_ZH = re.compile(
    r"请|請|麻烦|麻煩|帮我|幫我|把|将|忘掉|忘记|忘記|忘了|忘|删除|刪除|删掉|刪掉|清除|抹掉|吧"
    r"|一下|所有|全部|一切|关于|關於|有关|有關"
    r"|哪里|哪裡|哪儿|什么时候|什麼時候|什么|什麼|多少|几(?=岁)|怎么|怎麼|谁|誰|的内容|的內容|的信息|的话|的話|那些"
    r"|我?(?:说过|說過|提到过|提到過|提过|提過|告诉过?你|告訴過?你|跟你说过?)的?|这件事|這件事"
    r"|的事情?|我的|我|你|的|了|是|在"
)
_LIVING = re.compile(
    r"\bwhat i(?:'m| am)? do(?:ing)?(?: for (?:a |my )?living)?\W*$|\bhow i (?:make a|earn my) living", re.I
)
_PAST = re.compile(
    r"\b(?:old|former|previous|earlier|past)(?= \w)(?! i\b)|以前的?|之前的?|从前的?|旧|過去的?|过去的?", re.I
)
_ASKING = re.compile(
    r"\b(?:forget|erase|delete|forgotten)\b|忘掉|忘记|忘記|忘了|删除|刪除|删掉|刪掉"
    r"|\b(?:wipe|scrub|strike|purge|expunge|remove|take|get|gone|erased|deleted|removed|wiped|struck|scrubbed|purged)\b"
    r".*\b(?:from|out of) (?:your |the )?(?:memor(?:y|ies)|mind|head|records?|notes)\b"
    r"|\byou (?:didn't|did not|don't|do not) remember\b"
    r"|\b(?:stop|quit) (?:remember|keep|stor|sav)ing\b"
    r"|\b(?:don'?t|do not|no longer) want you to (?:remember|keep|store|save)\b"
    r"|(?:^|\bplease |[,;:] )(?:don'?t|do not) (?:remember|keep|store|save)\b|抹掉|抹去|清除"
    r"|(?:不要|别|別)(?:再|继续|繼續)?(?:记得|記得|记住|記住|记着|記著)"
    r"|(?:从|從)(?:(?:你|您)的?)?(?:记忆|記憶|脑海|腦海|记录|記錄)",
    re.I,
)
_NAMES_OF_DOING = ("nosis", "lysis")
"""A diagnosis is what one was diagnosed with, an analysis what was analysed: one stem."""
_FIRST_PERSON = re.compile(r"\b(?:i|my|me|mine|i'm)\b|我", re.I)
_WORD = re.compile(r"[^\W_\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+(?:[-./'@][^\W_]+)*")
_RUN = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")

_TOPICS = """
job work employer company career profession occupation 工作 职业 公司 单位 上班 | works_at works_in job teaches runs
address home live residence city town 住址 地址 住 家 城市 | lives_in
name called 名字 姓名 叫 | name nickname
surname last-name 姓 | surname last_name
age birthday born old 生日 年龄 岁数 岁 多大 出生 | age birthday birth_year
diet food eat eating 饮食 | diet eats
drink 喝 | drinks
allergy allergic 过敏 | allergic_to
health illness condition disease medicine medication 健康 病 药 | condition is_affected injury takes allergic_to
partner relationship married marriage 伴侣 婚姻 | partner wife husband girlfriend boyfriend spouse marital_status
sister 姐姐 妹妹 姐妹 | sister
brother 哥哥 弟弟 兄弟 | brother
mother mom mum 妈妈 母亲 | mother
father dad 爸爸 父亲 | father
wife 妻子 老婆 太太 | wife
husband 丈夫 老公 | husband
son 儿子 | son
daughter 女儿 | daughter
family 家人 家庭 | wife husband mother father sister brother son daughter child children siblings
pet 宠物 | has_pet
car 车 | drives
religion faith 宗教 信仰 | religion
school university study degree education 学校 大学 专业 学历 | studies studies_at graduated_from school_year
hobby 爱好 | likes plays habit collects
language 语言 | speaks learning
nationality country 国籍 国家 | nationality from
"""
_KIN_NAMED = frozenset("sister brother mother father wife husband son daughter".split())
"""Attributes whose value is somebody's name."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, taken apart: `words` are stems (or Chinese, Japanese, Korean runs), all of which have to fit."""

    text: str
    words: tuple[str, ...]
    written: tuple[str, ...]
    """The same words as they were written, for keyword search."""
    topics: frozenset[str]
    """Attributes that the words name ("job": works_at, job, ...)."""
    terms: frozenset[str]
    """Names, numbers and phrases in the request that are swept out wherever they stand."""
    own: bool
    """It is about the user's own ("my job"), not somebody else's."""
    past: bool = False
    """It means what held before ("my old address"), not what holds now."""


def asked(text: str) -> Asked:
    """Take a request to forget apart."""
    text = _LIVING.sub("my job", text.replace("’", "'"))
    past = _PAST.search(text) is not None
    plain = _FRAMING_ZH.sub(" ", _FRAMING.sub(" ", _PAST.sub(" ", text)))
    latin = [match.group() for match in _WORD.finditer(plain)]
    runs = [part for match in _RUN.finditer(plain) for part in _who_and_name(match.group())]
    stems = tuple(dict.fromkeys([stem(word) for word in latin] + [fold(run) for run in runs]))
    topics = {name for word in stems for name in _topics_of(word)}
    terms = {word for word in latin if _distinctive(word)} | {run for run in runs if len(run) >= 3}
    phrase = " ".join(plain.split())
    if len(latin) >= 2 and phrase and phrase in text:
        terms.add(phrase)
    usable = frozenset(term for raw in terms if (term := usable_term(raw)))
    return Asked(
        text, stems, (*latin, *runs), frozenset(topics), usable, _FIRST_PERSON.search(text) is not None, past
    )


def _who_and_name(run: str) -> list[str]:
    """A Chinese run, parted where it says who or what somebody is and then the name: 狗阿黄, 女儿小美."""
    who = _WHO.match(run)
    rest = run[who.end() :] if who else ""
    return [who.group(), rest] if who and len(rest) > 1 and rest not in _BY_WORD else [run]


def without_name(request: Asked) -> Asked:
    """The same request without a word for what sort of thing it is: "my sister's name" stands in "Sister is Ottilie".

    "My email address" stands in "My email is ...".
    """
    kept = tuple(word for word in request.words if word not in _SORTS)
    written = tuple(word for word in request.written if stem(word) not in _SORTS)
    return replace(request, words=kept, written=written)


def spellings(word: str) -> tuple[str, ...]:
    """How a word of a request may be spelled in what was said."""
    if word.lower().endswith(_NAMES_OF_DOING):
        return (word, f"{word[:-2]}e", f"{word[:-2]}ed")
    return ("email", "e-mail", "mail") if stem(word) == "email" else (word,)


def listed(words: str) -> list[str]:
    """The parts of a request for several things ("my job, my address and my age"); empty for one thing."""
    parts = [
        part for part in re.split(r"\s*[,，、;；]\s*(?:and\s+)?|\s+and\s+|以及|和", words) if part.strip()
    ]
    return parts if len(parts) > 1 and all(asked(part).words for part in parts) else []


def asks_to_forget(sentence: str) -> bool:
    """Whether a sentence asks to forget something: it tells of it, and is no telling of the thing itself."""
    return _ASKING.search(sentence.strip().replace("’", "'")) is not None


def fits(request: Asked, text: str, attribute: str = "", subject: str = "user") -> float:
    """How much of the request a text covers, from 0 to 1; a named topic covers its word."""
    if not request.words:
        return 0.0
    here = stems_of(text)
    if subject != "user" and request.own and not any(_named(w, text, subject) for w in request.words):
        return 0.0
    covered = sum(_covered(word, text, here, attribute) for word in request.words)
    return covered / len(request.words)


def names_only(request: Asked, text: str, subject: str) -> bool:
    """Whether a request names nobody and nothing but who or what a memory is about ("my daughter")."""
    return bool(request.words) and all(_named(word, text, subject) for word in request.words)


def _named(word: str, text: str, subject: str) -> bool:
    """Whether a word names a subject, or begins one of the lines that tell of it in Chinese."""
    if word in stems_of(subject):
        return True
    return bool(_RUN.match(word)) and any(line.startswith(word) for line in text.splitlines())


def _covered(word: str, text: str, here: frozenset[str], attribute: str) -> bool:
    if word in here or attribute in _topics_of(word):
        return True
    return bool(_RUN.match(word) and mentions(text, word)) or (
        any(not char.isalpha() for char in word) and bool(mentions(text, word))
    )


def stems_of(text: str) -> frozenset[str]:
    """The stems of a text's words, and of the parts of hyphenated ones."""
    found: set[str] = set()
    for match in _WORD.finditer(text.replace("_", " ").replace("’", "'")):
        found.add(stem(match.group()))
        found.update(stem(part) for part in re.split(r"[-./'@]", match.group()) if part)
    return frozenset(found)


def stem(word: str) -> str:
    """A word without its ending: enough to see that "works" and "working" are one."""
    word = fold(word).removesuffix("'s").replace("e-mail", "email")
    if not word.isalpha() or len(word) < 4:
        return word
    if word.endswith(_NAMES_OF_DOING):
        return word[:-2]
    if word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    for ending in ("ing", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            break
    word = word.removesuffix("e")
    return word[:-1] + "i" if word.endswith("y") else word


def numbers(text: str) -> Iterable[str]:
    """Words that hold a digit (codes, numbers, dates): they say the forgotten thing by themselves."""
    return (
        m.group() for m in _WORD.finditer(text) if any(c.isdigit() for c in m.group()) and len(m.group()) >= 3
    )


def _distinctive(word: str) -> bool:
    return any(char.isdigit() for char in word) or (word[0].isupper() and len(word) >= 3)


def _topics_of(word: str) -> frozenset[str]:
    return _BY_WORD.get(word, frozenset())


def _table() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for line in _TOPICS.strip().splitlines():
        words, attributes = line.split("|")
        for word in words.split():
            key = stem(word) if word.isascii() else word
            table[key] = table.get(key, frozenset()) | frozenset(attributes.split())
    return table


_BY_WORD = _table()
_WHO = re.compile(
    "[狗猫]|" + "|".join(word for word in _BY_WORD if not word.isascii() and _BY_WORD[word] & _KIN_NAMED)
)
_SORTS = frozenset([*map(stem, "name number address code details".split()), "名字", "姓名", "号码", "地址"])
