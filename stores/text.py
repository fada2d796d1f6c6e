"""Text as the record keeps it and as keyword search sees it. Pure.

    clean   what may be stored
    fold    one spelling for equal text
    words   what the keyword table holds; its tokenizer is `porter unicode61 remove_diacritics 2`
    content_words  the words of a text that say something
    match   a safe MATCH expression for whatever a user typed

`words` and `match` cut text the same way, so what is stored in one script is found in it:
scripts written without spaces are indexed by character and searched by two-character phrases.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

TERM_LIMIT = 48
"""Most terms of one MATCH expression: a long message asks for its first words, not for everything."""

_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
_SURROGATES = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Return `text` as it may be stored: valid Unicode, no C0 control but tab and line feed.

    A surrogate pair becomes its character, a lone surrogate U+FFFD, a CRLF a line feed. All else stays,
    marks and direction included.
    """
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return _CONTROLS.sub("", text.replace("\r\n", "\n"))


def fold(text: str) -> str:
    """Return `text` in one spelling: compatibility forms (NFKC) and letter case are no difference."""
    return unicodedata.normalize("NFKC", text).casefold()


_HAN = "々〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "ぁ-ゖゝ-ゟァ-ヺー-ヿㇰ-ㇿ\U0001aff0-\U0001b16f"
_HANGUL = "ᄀ-ᇿㄱ-ㆎꥠ-ꥼ가-힣ힰ-ퟻ"
_SPACELESS = f"{_HAN}{_KANA}{_HANGUL}ㄅ-ㄯㆠ-ㆿ\u0e00-\u0eff\u0f40-\u0fbc\u1000-\u109f\u1780-\u17d3"
"""Scripts indexed by character: Han, kana, hangul, bopomofo, and Thai, Lao, Tibetan, Burmese, Khmer."""

_EACH = re.compile(f"[{_SPACELESS}]")
_FLAG_OR_SYMBOL = re.compile(
    "[\U0001f1e6-\U0001f1ff]{2}|[⌚⌛⌨⏏⏩-⏳⏸-⏺☀-➿⬛⬜⭐⭕\U0001f000-\U0001f3fa\U0001f400-\U0001faff]"
)
_MARK = re.compile("\u0640|[\u0300-\U000e01ef]")  # where marks live; the category decides
_ARTICLE = re.compile(r"\b[وفبك]?ال(?=\w{3})")
_ALEF = str.maketrans("أإآٱىة", "اااايه")


def _marks(found: re.Match[str]) -> str:
    char = found[0]
    return "" if char == "\u0640" or unicodedata.category(char)[0] == "M" else char


def _symbol(found: re.Match[str]) -> str:
    # Ends in q so that the Porter stemmer leaves it alone.
    return " " + "".join(f"x{ord(char):x}q" for char in found[0]) + " "


def _plain(text: str) -> str:
    """Fold, drop marks (vowel signs, niqqud, harakat), even out Arabic, turn emoji into words."""
    text = fold(text)
    if text.isascii():
        return text
    text = _FLAG_OR_SYMBOL.sub(_symbol, _MARK.sub(_marks, unicodedata.normalize("NFKC", text)))
    return _ARTICLE.sub("", text.translate(_ALEF))


def words(text: str) -> str:
    """Return what the keyword table holds for `text`: folded, scripts without spaces cut by character.

    Emoji become private words, so they can be searched; skin tones are dropped and a flag is one word.
    """
    return _EACH.sub(r" \g<0> ", _plain(clean(text))).strip()


def _set(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


_ENGLISH = _set("""
    a about after again all also am an and any are as at be been before being but by can could did do does
    doing done for from get got had has have having he her here hers him his how i if in into is it its
    just let me might mine more most my no nor not of off on or our ours out over please she should so
    some such tell than that the their them then there these they this those to too up us very was we were
    what when where which who whom whose why will with would you your yours don didn doesn isn wasn couldn
    wouldn won aren weren hasn haven hadn shouldn ain
""")
_CONTRACTED = _set("s t d m ll re ve")
_FUNCTION = frozenset(
    "的了是在我你您他她它们們这那這哪谁誰什么麼吗嗎呢吧啊呀哦嘛和与與跟也都就还還才很把被"
    "让讓给給从從到以着过過有没沒不几幾个個些为為因所但而且如怎"
    "はがをにのともへやかでねよなだ은는이가을를에의도로와과만"
)
"""Characters that carry grammar: a phrase with one says little, so its other character stands alone."""

_STOP_PAIRS = _set("""
    什么 什麼 怎么 怎麼 怎样 怎樣 哪里 哪裡 哪儿 哪个 哪些 为什 為什 时候 時候 多少 几个 我们 你们 他们
    她们 这个 那个 这些 那些 一个 是不 不是 有没 没有 可以 知道 告诉 因为 所以 但是 如果 还是 或者 关于
    以及 已经 现在 之前 以前 记得 です ます した して いる ある する こと もの どこ なに いつ だれ どれ
    ない から まで など これ それ あれ でし まし しま たい てい った れる に行 ました 에서 니다 습니 어요
    아요 해요 했어 에게 으로 까지 부터 이다 하는 하고 무엇 어디 언제 누구
""")
_KEPT_PAIRS = _set("""
    目的 存在 不在 在线 在線 了解 有趣 有名 不同 过敏 過敏 过年 個性 个性 个人 到达 以色 因此 作为 为难
    如意
""")
"""Words that hold such a character and say something all the same."""


def content_words(text: str) -> frozenset[str]:
    """The words of a text that say something, as `words` cuts them: no articles, pronouns, particles."""
    return frozenset(w for w in _PIECES.findall(words(text)) if w not in _ENGLISH and w not in _FUNCTION)


_PIECES = re.compile(r"[^\W_]+")


def _pairs(run: str) -> Iterator[str]:
    """Yield the two-character phrases of a run that say something, and each character no phrase covers."""
    silent = [char in _FUNCTION for char in run]
    for at, pair in enumerate(map("".join, pairwise(run))):
        if pair in _STOP_PAIRS:
            silent[at] = silent[at + 1] = True
    for at, pair in enumerate(map("".join, pairwise(run))):
        if pair in _KEPT_PAIRS:
            silent[at] = silent[at + 1] = False
    for at, char in enumerate(run):
        if silent[at]:
            continue
        if at + 1 < len(run) and not silent[at + 1]:
            yield f"{char} {run[at + 1]}"
        elif at == 0 or silent[at - 1]:
            yield char


_CHUNK = re.compile(r"[^\W_]+(?:[-_./@:&+'’][^\W_]+)*")
_PIECE = re.compile(rf"[{_SPACELESS}]+|[^\W_{_SPACELESS}]+")
_JOINT = re.compile(r"[-_./@:&+'’]")


def _terms(text: str, *, everything: bool) -> Iterator[str]:
    """Yield the search terms of plain text as space-separated tokens; `everything` keeps stop words."""
    for chunk in _CHUNK.findall(text):
        if _EACH.search(chunk):
            for piece in _PIECE.findall(chunk):
                if not _EACH.match(piece):
                    yield piece
                elif everything:
                    yield " ".join(piece[:2])
                else:
                    yield from _pairs(piece)
            continue
        parts = _JOINT.split(chunk)
        if "'" in chunk or "’" in chunk:
            parts = [part for part in parts if part not in _CONTRACTED] or parts
        short = any(len(part) < 3 or part[0].isdigit() for part in parts)  # km/h, ORD-771
        if len(parts) > 1 and (short or any(joint in chunk for joint in "-_@")):
            yield " ".join(parts)
        else:
            yield from (part for part in parts if everything or part not in _ENGLISH)


def terms(text: str) -> list[str]:
    """Return what `text` asks keyword search for: tokens of `words`, a phrase joined by spaces, each once.

    Stop words go, unless nothing else is left. At most TERM_LIMIT, the first ones.
    """
    plain = _plain(clean(text))
    return _first(_terms(plain, everything=False)) or _first(_terms(plain, everything=True))


def match(text: str) -> str | None:
    """Return an FTS5 MATCH expression for raw user text, or None when it holds nothing to search for.

    Every term is quoted and the terms are joined by OR, so no operator, column filter or wildcard in the
    text takes effect. Stop words go, unless nothing else is left; hyphenated words and ids are phrases.
    """
    return match_any(terms(text))


def match_any(found: Sequence[str]) -> str | None:
    """As `match`, of what `terms` returned."""
    if not found:
        return None
    quoted = " OR ".join(f'"{term}"' for term in found)
    return f'"words" : ({quoted})'


def _first(found: Iterable[str]) -> list[str]:
    kept: dict[str, None] = {}
    for term in found:
        kept.setdefault(term)
        if len(kept) == TERM_LIMIT:
            break
    return list(kept)
