"""A session in two or three sentences: the user's most telling ones, quoted, and said to be quotes."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime

from ....stores.records import Message, Role
from ...extraction import extract
from ...extraction.masks import has_secret
from .sentences import Sentence, is_chinese
from .topics import content_words

SENTENCES = 3
LONGEST = 160
"""Most characters quoted of one sentence."""

_ANY_DAY = datetime(2000, 1, 1, tzinfo=UTC)
_QUOTE = re.compile(r"(?:(?P<asked>asked: |问道：)|(?P<said>said: |说：))?“(?P<words>[^”]+)”")
_EMPTY = re.compile(
    r"^(?:(?:hi|hey|hello|yo|thanks?|thank you|ok(?:ay)?|yes|no|bye|good (?:morning|night|evening)|please|"
    r"sure|great|cool|lol|how are you|and|so|well|luna)[\s,!.]*)+(?: so much| a lot| again| there)?$"
    r"|^(?:你好|您好|嗨|谢谢你?|好的?|嗯+|再见|早上好|晚上好|早安|晚安|在吗|哈哈+|是的|不是|对|没事|"
    r"[啊吗呢吧了]|，|,|\s)+$",
    re.I,
)
_FEELS = re.compile(
    r"\b(?:feel|feeling|worried|happy|sad|excited|stressed|afraid|proud|decided|plan|planning|finally|"
    r"passed|failed|lost|"
    r"won|moved|started|finished|quit)\b|担心|开心|难过|紧张|决定|打算|终于|考过|失败|搬|开始|辞职",
    re.I,
)


def summarize(said: Sequence[Sentence], before: str) -> str:
    """Sum up a stretch of a session together with what was written `before` about the earlier ones.

    "" when nothing said is worth a sentence. The language is the one the user speaks most.
    """
    heard = {quote["words"]: _asked(quote) for quote in _QUOTE.finditer(before)}
    for sentence in said:
        if worth_telling(sentence.text):
            heard.setdefault(clipped(sentence.said), sentence.asks)
    if not heard:
        return ""
    order = list(heard)
    best = sorted(sorted(order, key=_telling, reverse=True)[:SENTENCES], key=order.index)
    chinese = sum(map(is_chinese, order)) * 2 > len(order)
    return _framed([(quote, heard[quote]) for quote in best], chinese)


def _asked(quote: re.Match[str]) -> bool:
    """Whether a summary tells a quote as a question; where it does not say, the words do."""
    return bool(quote["asked"]) or (not quote["said"] and is_question(quote["words"]))


def worth_telling(text: str) -> bool:
    """Whether a sentence says anything, and nothing that must not be kept."""
    return not _EMPTY.match(text) and not has_secret(text) and len(text) >= (4 if is_chinese(text) else 8)


def clipped(text: str) -> str:
    """The sentence on one line, at most LONGEST characters, without marks that would end its quotation."""
    line = " ".join(re.sub("[“”]", '"', text).split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1].rstrip() + "…"


def is_question(text: str) -> bool:
    """Whether a quoted sentence asks; its mark was left outside the quotation."""
    return bool(
        re.match(r"(?:what|how|why|when|where|who|which|can|could|do|does|is|are)\b", text, re.I)
    ) or (text.endswith(("吗", "呢")) or bool(re.search("什么|怎么|为什么|哪里|多少", text)))


def _telling(text: str) -> float:
    """How much a sentence tells of the user. Depends on its words alone, so that a later stretch weighs "
    "it alike."""
    message = Message("", "", Role.USER, text, _ANY_DAY)
    facts = min(len(extract(message)), 3)
    size = len(text) / 2 if is_chinese(text) else len(text) / 5
    about_them = bool(re.search(r"\b(?:I|I'm|my|we|our)\b|[我咱]", text))
    told = 3 * facts + 2 * bool(_FEELS.search(text)) + 1.5 * about_them + min(len(content_words(text)), 6) / 4
    return told + (1 if 4 <= size <= 30 else 0) - 0.5 * is_question(text)


def _framed(quotes: Sequence[tuple[str, bool]], chinese: bool) -> str:
    told: list[str] = []
    for at, (quote, asks) in enumerate(quotes):
        if chinese:
            verb = "问道" if asks else "说"
            told.append(f"{'用户' if not at else '还'}{verb}：“{quote}”。")
        else:
            verb = "asked" if asks else "said"
            told.append(f"{'The user' if not at else 'They also'} {verb}: “{quote}”.")
    return "".join(told) if chinese else " ".join(told)
