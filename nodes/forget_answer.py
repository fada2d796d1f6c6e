"""Reads the answer to the question which of several things is to be forgotten. Pure.

The whole answer has to be a choice. A sentence in which a word or a number of the question happens to stand is a new
message: a choice that is passed over costs a question, one that is imagined costs a memory.
"""

import re
from collections.abc import Sequence

from ..stores.erasure.asking import stem

_LEAD = (
    r"(?:(?:(?:yes|yeah|yep|ok|okay|sure|please|pls|kindly|forget|erase|delete|remove|i mean|i meant"
    r"|(?:just|only)(?= (?:the|number|option|\d)))\b|请|請|是的|好的?|嗯|对|對|我?要|我?选|我?選"
    r"|忘掉|忘记|忘記|删除|刪除|删掉|刪掉|把|就)[\s,，.。!！:：]*)*"
)
_TAIL = (
    r"(?:[\s,，.。!！)）]|please\b|pls\b|thanks\b|thank you\b|only\b"
    r"|忘掉|忘记|忘記|忘了|删除|刪除|删掉|刪掉|要|掉|了|吧|谢谢你?|謝謝你?)*"
)
_DIGITS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}
_NUMERALS = "一二三四五六七八九"
_PICK = (
    rf"(?:the )?(?P<ordinal>{'|'.join(_ORDINALS)})\b(?: (?:one|option)\b)?"
    r"|(?:the )?(?:(?:numbers?|options?) )?#?(?P<number>\d{1,3})(?:st|nd|rd|th)?(?![\w.]\w)(?: one\b)?"
    rf"|(?:(?:the )?(?:numbers?|options?) )?(?P<word>{'|'.join(_DIGITS)})\b"
    rf"|(?:编号|編號)?第?(?P<numeral>[{_NUMERALS}])(?![{_NUMERALS}十个個条條项項])"
    rf"|第(?P<counted>[{_NUMERALS}]|\d{{1,3}})[个個条條项項]"
)
_PICKED = re.compile(_PICK)
_UNNAMED = re.sub(r"\(\?P<\w+>", "(?:", _PICK)
_NUMBERS = re.compile(
    rf"{_LEAD}(?P<picks>(?:{_UNNAMED})(?:(?:[\s,，、;；&+.)）]|and\b|和|跟|与|與|还有|還有)+(?:{_UNNAMED}))*){_TAIL}"
)
_ALL = re.compile(
    rf"{_LEAD}(?:(?:all|both|every (?:single )?one|everything|each(?: one)?)(?: of (?:them|these|those|it))?\b"
    rf"|(?:两个|兩個)?(?:全部|全都|都|全|所有)的?|它们全部){_TAIL}"
)
_NONE = re.compile(
    r"(?:please |pls )?(?:none|neither|no|nope|nothing|cancel|stop|never ?mind|don'?t)"
    r"(?: of (?:them|these|those))?(?: one)?[\s,.!]*(?:it|that|please|thanks|thank you)?[\s.!]*"
    r"|(?:[一哪]?[个個]?[都也])?(?:不(?:用|要|必|是|忘|删)?|别|別|没有|沒有)(?:了)?[，,\s]*(?:谢谢|謝謝)?[。.！!\s]*"
    r"|(?:算了|取消)(?:吧)?[。.！!\s]*"
)
_ASKS = re.compile(
    r"[?？吗嗎呢]\W*$|哪|什么|什麼|谁|誰|多少|怎么|怎麼"
    r"|^(?:what|where|when|who|whose|which|how|why|do|does|did|is|are|am|was|can|could|will|would|should)\b"
)
_COURTESY = re.compile(
    rf"^{_LEAD}(?:(?:the|my|that|about)\b\s*|(?:关于|關於)?我的|那个|那個|那条|那條)*|(?:的?那[个個条條]|{_TAIL})$"
)
_WORD = re.compile("[\u3400-\u9fff]|[^\\W_\u3400-\u9fff]+")
_IS = re.compile(r"\b(?:is|are)\b|是")


def chosen(answer: str, options: Sequence[str]) -> list[int] | None:
    """Which options an answer means, by their index; empty for none, None when it is no answer to the question."""
    text = " ".join(answer.replace("’", "'").lower().split())
    if _NONE.fullmatch(text):
        return []
    if _ASKS.search(text):
        return None
    if _ALL.fullmatch(text):
        return list(range(len(options)))
    numbers = _NUMBERS.fullmatch(text)
    if numbers:
        picks = {_number(found) for found in _PICKED.finditer(numbers["picks"])}
        within = all(1 <= number <= len(options) for number in picks)
        return sorted(number - 1 for number in picks) if within else None
    said = _words(_COURTESY.sub("", text))
    named = [i for i, line in enumerate(options) if said and said in _names(line)]
    return named if len(named) == 1 else None


def _number(pick: re.Match[str]) -> int:
    if pick["ordinal"]:
        return _ORDINALS[pick["ordinal"]]
    if pick["word"]:
        return _DIGITS[pick["word"]]
    written: str = pick["number"] or pick["numeral"] or pick["counted"]
    return _NUMERALS.index(written) + 1 if written in _NUMERALS else int(written)


def _names(line: str) -> list[list[str]]:
    """What an option may be called: its whole text, or what stands before "is"."""
    text = line.replace("’", "'").lower()
    head, *rest = _IS.split(text, maxsplit=1)
    return [_words(_COURTESY.sub("", name)) for name in ([text, head] if rest else [text])]


def _words(text: str) -> list[str]:
    return [stem(word) for word in _WORD.findall(text)]
