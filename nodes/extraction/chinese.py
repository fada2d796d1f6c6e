"""The Chinese reader: clauses in, statements about the user and the people they know out."""

import re
from collections.abc import Iterator

from .chinese_checks import person
from .chinese_clauses import Clause, clauses, has_chinese
from .chinese_endings import over
from .chinese_frames import Hit
from .chinese_predicates import hits
from .chinese_words import ACQUAINTANCES, FAVOURITES, KIN, PETS, SURNAMES
from .masks import has_secret
from .reading import Found

__all__ = ["has_chinese", "read"]

_LONGEST = sorted([*KIN, *ACQUAINTANCES], key=len, reverse=True)
_PERSON = (
    rf"(?:[{SURNAMES}][\u4e00-\u9fff]{{1,2}}|小[\u4e00-\u9fff]|[\u4e00-\u9fff]·"
    rf"[\u4e00-\u9fff]{{1,4}}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)"
)
_KIN_SUBJECT = re.compile(
    rf"^我们?(?:的|家)?(?P<kin>{'|'.join(_LONGEST)})(?P<name>{_PERSON})?(?=[\u4e00-\u9fff ])"
)
_PET_NAMED = re.compile(
    rf"^我们?家?里?的?(?:那?[只条])?(?P<pet>{'|'.join(sorted(PETS, key=len, reverse=True))}"
    rf")(?:(?:的?名字)?(?:名叫|叫做?)|的?名字是)(?P<v>[\u4e00-\u9fff]{{1,4}}|[A-Z][a-z]+)[了啊呀哦]?$"
)
_SELF = re.compile(
    r"^(?:我本人|本人|我自己|我|俺|咱)(?!们|的|国|校|司|说|问|看|想|觉得|知道|家)(?:这个人|呢)?\s*"
)
_MINE = re.compile(
    r"^我(?:的|家)?(?=(?:的)?(?:名字|生日|老家|家乡|故乡|工作是|职业是"
    r"|母语|专业|时区|爱好|兴趣|家住|家就?在))"
)
_HOME = re.compile(r"^我家里?(?=(?:现在|一共|还)*(?:有|养|住))")
_WE = re.compile(r"^我们(?:一?家人?|全家|夫妻俩?|俩)?(?=(?:现在|目前|已经|都)*(?:住|搬|有|养|来自|家))")
_FAVOURITE = re.compile(
    r"^我最(?:喜欢|爱|喜爱)(?:吃|喝|看|听|玩|读)?的(?P<what>[\u4e00-\u9fff]{1,6})(?:就?是"
    r"|叫)(?P<v>[^是]+?)[了啊呀哦]?$"
)
_IS_FAVOURITE = re.compile(
    r"^(?P<v>[^我是]{1,12})是我最(?:喜欢|爱|喜爱)(?:吃|喝|看|听|玩|读)?的(?P<what>[\u4e00-\u9fff]{1,6})$"
)
_IS_KIN = re.compile(rf"^(?P<v>{_PERSON})是我(?:的)?(?P<kin>{'|'.join(_LONGEST)})$")
_CALL_ME = re.compile(
    r"^(?:大家|朋友们?|同事们?|别人|你|您|家里?人)?(?:都|可以|就|请|平时"
    r"|一般|习惯)*(?:叫|喊|称呼)我(?:为|做)?(?P<v>[\u4e00-\u9fff]{1,4}?"
    r"|[A-Z][a-z]+(?: [A-Z][a-z]+)?)(?:就行|就好|就可以|即可|吧|好了|就成)*了?$"
)
_NOT_CALLED = re.compile(r"^(?:去|来|做|起床|起|吃|回|怎么|什么|一下|过去|一声|帮|别|不|滚|等|先|给|买)")
_POINTED_AT = re.compile(r"[你您他她它这那哪]|第[一二三四五六七八九十\d]|自己|前者|后者|结尾|开头")
_NUMBERED = re.compile(
    r"^我的(?P<what>[\u4e00-\u9fff]{0,6}(?:柜子|储物柜|更衣柜|工位|信箱|球衣|车位|宿舍|衣柜))"
    r"(?:号码?)?是(?P<v>\d{1,6})号$"
)
_DROPPED = re.compile(
    r"^(?:平时|一直|从小|刚刚?|已经|最近|现在)*(?:(?:特别|最|很)?(?:喜欢|讨厌)[^你他她它这那]+$"
    r"|搬到了?.+了$|搬到了.+|入职了.+|对.+过敏$|住在[^的是很]{2,6}$)"
)
_HOLDS = re.compile(
    rf"(?:有|养了?|生了)(?:一|1)?[只条个位]?(?:[\u4e00-\u9fff]{{0,4}})"
    rf"(?:(?P<pet>{'|'.join(sorted(PETS, key=len, reverse=True))}"
    rf")|(?P<kin>女儿|儿子|弟弟|妹妹|哥哥|姐姐))$"
)
_ONLY_NAME = re.compile(
    r"^(?:他|她|它|牠)?的?(?:名字)?(?:叫做?|名叫|名字是|小名)(?P<v>[\u4e00-\u9fff]{1,4}|[A-Z][a-z]+)$"
)
_NAMED_OTHER = re.compile(
    rf"^(?P<who>[{SURNAMES}][\u4e00-\u9fff]{{1,2}}?|[A-Z][a-z]+)(?=(?:现在"
    rf"|目前)?(?:在.+(?:工作|上班|当|做)|住在|对.+过敏))"
)

Stated = tuple[Found, tuple[int, int]]


def read(text: str) -> Iterator[Stated]:
    """What the Chinese clauses of `text` state, in order."""
    who: str | None = None
    for clause in clauses(text):
        if clause.first:
            who = None
        if has_secret(clause.text):
            continue
        found, who = _of_clause(clause, who)
        for one in found:
            shifted = one._replace(start=one.start + clause.at, end=one.end + clause.at)
            yield shifted, (clause.at, clause.end)


def _of_clause(clause: Clause, who: str | None) -> tuple[list[Found], str | None]:
    """What the clause states, and the subject that the next one takes over."""
    text = clause.text
    whole = over(text) or _whole(text)
    if whole:
        return whole, None
    kin = _KIN_SUBJECT.match(text)
    if kin:
        return _of_kin(text, kin)
    for opening in (_MINE, _HOME, _WE, _SELF):
        match = opening.match(text)
        if match:
            rest = text[match.end() :]
            return _shift(hits(rest), match.end(), "user"), _held(rest)
    named = _NAMED_OTHER.match(text)
    if named and clause.first:
        return _shift(hits(text[named.end() :]), named.end(), named["who"]), named["who"]
    dropped = _DROPPED.match(text) if clause.first else None
    if dropped:
        return _shift(hits(text), 0, "user"), "user"
    if who is not None and (who.startswith(("pet:", "kin:"))):
        named = _ONLY_NAME.match(text)
        if named:
            about = who[4:]
            one = (
                Found("name", *named.span("v"), subject=f"user's {about}")
                if who[0] == "p"
                else Found(about, *named.span("v"))
            )
            return [one], None
        return [], None
    if who is not None and not re.match(r"^(?:你|您|他|她|它|这|那|大家|人们|有人|请|帮|别|咱们|我)", text):
        return _shift(hits(text), 0, who), who
    return [], None


def _held(text: str) -> str:
    """The subject after a clause: the animal or child just spoken of, when the next clause may name it."""
    held = _HOLDS.search(text)
    if held is None:
        return "user"
    return f"pet:{PETS[held['pet']]}" if held["pet"] else f"kin:{KIN[held['kin']]}"


def _whole(text: str) -> list[Found] | None:
    """Clauses that are read as a whole: favourites, names of pets, "X is my aunt", "call me X"."""
    match = _FAVOURITE.match(text) or _IS_FAVOURITE.match(text)
    if match and match["what"] in FAVOURITES and not _POINTED_AT.search(match["v"]):
        return [Found("favourite_" + FAVOURITES[match["what"]], *match.span("v"))]
    match = _PET_NAMED.match(text)
    if match:
        return [Found("name", *match.span("v"), subject=f"user's {PETS[match['pet']]}")]
    match = _IS_KIN.match(text)
    if match and not re.match(r"这|那|他|她|你|谁|以前", match["v"]):
        return [Found(KIN.get(match["kin"]) or ACQUAINTANCES[match["kin"]], *match.span("v"))]
    match = _CALL_ME.match(text)
    if match and not _NOT_CALLED.match(match["v"]) and person(match["v"]):
        return [Found("name", *match.span("v"))]
    match = _NUMBERED.match(text)
    if match:
        return [Found(match["what"], *match.span("v"))]
    return None


def _of_kin(text: str, kin: re.Match[str]) -> tuple[list[Found], str | None]:
    relation = KIN.get(kin["kin"])
    if relation is None and not kin["name"]:
        return [], "nobody"
    subject = f"user's {relation}" if relation else kin["name"]
    found = []
    if kin["name"]:
        found.append(Found(relation or ACQUAINTANCES[kin["kin"]], *kin.span("name")))
    for one in _shift(hits(text[kin.end() :].lstrip()), kin.end() + _blanks(text, kin.end()), subject):
        if one.attribute == "name" and one.subject == subject:
            one = one._replace(attribute=relation or "name", subject="user")
        found.append(one)
    return found, subject


def _blanks(text: str, at: int) -> int:
    return len(text[at:]) - len(text[at:].lstrip())


def _shift(found: list[Hit], by: int, subject: str) -> list[Found]:
    if subject == "nobody":
        return []
    return [
        Found(
            hit.attribute,
            hit.start + by,
            hit.end + by,
            f"user's {hit.of}" if hit.of else subject,
            hit.polarity,
            hit.ends,
        )
        for hit in found
    ]
