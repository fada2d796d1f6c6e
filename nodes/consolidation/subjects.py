"""Who a statement is about: one name for each person, and never someone the words do not speak of. Pure."""

import re
from collections.abc import Collection, Iterable

from ...stores.attributes import ATTRIBUTES, Category
from ...stores.text import fold
from .quotes import find_value

_USER = frozenset(
    """user the_user i me my myself we us our yo ich je 用户 用戶 使用者 我 本人 我们 我們""".split()
)
_AGENT = frozenset("agent the_agent assistant you yourself ai bot 你 您 助手 助理".split())
_PEOPLE = {
    name for name, known in ATTRIBUTES.items() if known.category is Category.RELATION and known.chinese
}
_PEOPLE -= {"marital_status", "partner", "children", "siblings", "member_of"}
_PLURAL = {
    "wives": "wife",
    "children": "child",
    "kids": "child",
    "kid": "child",
    "mum": "mother",
    "mom": "mother",
}
_PLURAL |= {
    "dad": "father",
    "twins": "twins",
    "parents": "parents",
    "neighbor": "neighbour",
    "boyfriend": "boyfriend",
}
_CHINESE = {
    "妻子": "wife", "老婆": "wife", "太太": "wife", "丈夫": "husband", "老公": "husband", "女朋友": "girlfriend",
    "男朋友": "boyfriend", "妈妈": "mother", "母亲": "mother", "爸爸": "father", "父亲": "father", "妹妹": "sister",
    "姐姐": "sister", "弟弟": "brother", "哥哥": "brother", "儿子": "son", "女儿": "daughter", "孩子": "child",
    "朋友": "friend", "同事": "colleague", "老板": "boss", "邻居": "neighbour", "室友": "roommate", "老师": "teacher",
    "奶奶": "grandmother", "爷爷": "grandfather", "外婆": "grandmother", "外公": "grandfather", "双胞胎": "twins",
    "先生": "husband", "爸": "father", "妈": "mother", "狗": "dog", "猫": "cat",
}  # fmt: skip
_OF_USER = re.compile(r"^(?:(?:the )?user'?s|their|his|her|my|our|the|用户的?|我的?)\s*", re.I)

_FIRST = re.compile(
    r"\b(?:I|i)(?:['’](?:m|ve|d|ll))?\b|\b(?:im|ive|me|myself|we|we['’](?:re|ve)|us)\b"
    r"|我(?!的?(?:[妻老太丈女男妈母爸父妹姐弟哥儿孩朋同邻室奶爷外双]))"
    r"|\b(?:ich|mir|mich|yo|me|je|io|eu|ik)\b",
)
_KIN = "|".join(sorted(map(re.escape, _PEOPLE | set(_PLURAL)), key=len, reverse=True))
_MINE = re.compile(
    rf"\b(?:my|our)\s+(?:\w+\s+)?(?P<who>{_KIN})\b|我的?(?P<zh>{'|'.join(_CHINESE)})", re.IGNORECASE
)
_OTHERS = re.compile(r"^\W*(?:he|she|they|his|her|their)\b|^\W*[他她]", re.I)


def subject_of(said: str, *, agent: str, user_names: Collection[str], known: Iterable[str]) -> str:
    """The subject in the form the record has it: "user", "agent", "user's sister", or a name spelt as before."""
    plain = " ".join(said.split()).strip(" .。\"'")
    key = fold(plain).replace(" ", "_")
    if not plain or key in _USER or key.removeprefix("the_") in _USER:
        return "user"
    if fold(plain) in {fold(name) for name in user_names}:
        return "user"
    if key in _AGENT or fold(plain) == fold(agent):
        return "agent"
    rest = _OF_USER.sub("", plain).strip()
    person = _CHINESE.get(rest) or _PLURAL.get(fold(rest)) or fold(rest).replace(" ", "-")
    if person in _PEOPLE or person in _PLURAL.values():
        return f"user's {person}"
    for one in known:
        if fold(one) == fold(plain):
            return one
    return plain


def misplaced(subject: str, attribute: str, quote: str, value: str, stretch: str) -> str | None:
    """Why the words quoted are not about the subject, or None; `stretch` is all that was said by either side."""
    if subject == "user":
        who = _MINE.search(quote)
        value_at = find_value(value, quote) or (0, 0)
        theirs = who is not None and who.end() <= value_at[0] and attribute not in _PEOPLE
        if (
            not _FIRST.search(quote)
            and (theirs or _OTHERS.search(quote))
            and attribute not in ("children", "siblings")
        ):
            return "the words it cites speak of someone else"
        return None
    if subject.startswith("user's "):
        person = subject.removeprefix("user's ")
        named, near = _speaks_of(person, stretch), _speaks_of(person, quote)
    else:
        named, near = _names(subject, stretch), _names(subject, quote)
    if not named:
        return "it is about someone nobody named"
    return "the words it cites speak of someone else" if _MINE.search(quote) and not near else None


def about_the_user(subject: str, quote: str) -> bool:
    """Whether words given to someone else are the user's own in the first person: "I love figs" and Helena."""
    if subject in ("user", "agent") or not _FIRST.search(quote):
        return False
    if subject.startswith("user's "):
        return not _speaks_of(subject.removeprefix("user's "), quote)
    return not _names(subject, quote)


def _names(name: str, text: str) -> bool:
    return any(find_value(part, text) is not None for part in (name, *name.split()))


def _speaks_of(person: str, text: str) -> bool:
    words = [person, f"{person}s", *(w for w, p in _PLURAL.items() if p == person)]
    words += [w for w, p in _CHINESE.items() if p == person]
    if person in ("child", "parents", "spouse"):
        return True
    return any(find_value(word, text) for word in words)
