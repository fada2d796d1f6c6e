"""Whether words deny something, and whether a statement denies what its words affirm. Pure.

Read clause by clause: "I don't work at Aldertech, I work at Birchsoft" denies the one and not the other.
"""

import re

from .quotes import find_value

_NOT = re.compile(
    r"\b(?:not|never|no longer|cannot|can'?t|won'?t|without|neither|nor|nobody|nothing|none|hardly|no)\b|n't\b"
    r"|\b(?:don|doesn|didn|isn|wasn|aren|weren|hasn|haven|wouldn|shouldn|couldn|needn)t\b"
    r"|\b(?:nicht|nie|niemals|kein\w*|nunca|jam[aá]s|tampoco|ne|n'\w+|pas|jamais|non|mai|n[aã]o|nooit|geen|niet|nigdy"
    r"|nie|inte|aldrig|ikke|aldri)\b"
    r"|\b(?:не|ни|нет|никогда)\b"
    r"|不(?!错|仅|只|但是)|没(?!错)|沒(?!錯)|无法|無法|别再|別再|从未|從未|ない|ません|않|못하|없",
    re.I,
)
_SOFT = re.compile(
    r"\b(?:hates?|hated|dislikes?|detests?|loathes?|despises?|avoids?|avoiding|quit|stop(?:s|ped)?|gave up|given up"
    r"|former|ex|used to|left|over|free of|refuses?|odio|hasse|déteste|fed up"
    r"|any ?more|instead of|rather than)\b"
    r"|讨厌|討厭|恨|戒了?|戒掉|放弃|停了|辞|离开|离职|退出|不再",
    re.I,
)
_DISLIKE = re.compile(
    r"\b(?:hates?|hated|dislikes?|detests?|loathes?|despises?|can'?t (?:stand|bear)|odio|hasse|déteste)\b|讨厌|討厭|恨",
    re.I,
)
_OVER_BEFORE = re.compile(r"\b(?:quit|stop(?:ped)?|gave up|given up|used to)\b(?!.*\band\b)", re.I)
_OVER_AFTER = re.compile(r"离职|辞职|辞了|退出")
_IDIOM = re.compile(
    r"\b(?:not only|no (?:problem|worries|doubt|idea)|why not|can'?t (?:wait|help|get enough)|cannot wait|don'?t mind"
    r"|do not mind|if not|whether or not|nothing (?:like|better)|never (?:been )?(?:happier|better)|no\.? ?\d+)\b"
    r"|(?:can'?t|cannot|couldn'?t|can not|could not|never) [^,.;!?\n]{0,25}?\bwithout\b|不能没有|不能不|离不开"
    r"|(?:\bno|^不(?:是)?)[,，]? (?=(?:i|we|my|our|it|he|she|they|that|the)\b)"
    r"|不得不|不过|不過|是不是|差不多|没问题|沒問題|没关系|不好意思|对不起",
    re.I,
)
_CLAUSE = re.compile(
    r"[;:.!?\n；：。！？—()]+|\s[-–]\s"
    r"|\b(?:but|however|although|though|aber|sondern|pero|sino|mais|maar)\b|但是?|而是|不过"
    # A comma parts clauses only when a new one begins: "I don't eat pork, beef or shrimp" is one denial.
    r"|(?:[,，]|\band\b)(?=\s*(?:and |so |because )?(?:(?:i|we|my|our|he|she|they|it|you|im|ive|love|like|prefer|enjoy"
    r"|just|now|which|not|never|no|don'?t|rather|instead|ich|ik|yo|je)\b|[我他她它你现刚又就也还不没住爱喜]))",
    re.I,
)
_LISTED = re.compile(
    r"\bI\b|\b(?:[iI]'?m|i (?:am|have|like|love)|[mM]y|[tT]he|and|with|have|[yY]ou|work\w*|[bB]orn|turned|hate|from"
    r"|[pP]lease|[jJ]ust|this|which|every\w*)\b|[\u4e00-\u9fff]"
)


def understood_language(text: str) -> bool:
    """Whether the text is English or Chinese, in which the words for denying are all listed here."""
    return _LISTED.search(text.replace("’", "'")) is not None


def denies(text: str, value: str = "") -> bool:
    """Whether the clause that holds the value (or the whole text) denies it."""
    return _NOT.search(_without(clause(text, value), value)) is not None


def hints(text: str, value: str = "") -> bool:
    """Whether anything in the text could mean that the value is denied: a negation, a dislike, an end."""
    rest = _without(text, value)
    return bool(_NOT.search(rest) or _SOFT.search(rest))


def contradicts(polarity: bool, quote: str, value: str, *, taste: bool = False) -> str | None:
    """Why a polarity cannot be right for the words quoted, or None. Words of an unlisted language pass.

    `taste`: it is about liking, so that hating denies it.
    """
    held = clause(quote, value)
    if polarity and (denies(quote, value) or _over(held, value) or (taste and _DISLIKE.search(held))):
        return "the words it cites deny it"
    if not polarity and not hints(held, value) and understood_language(quote):
        return "nothing in the words it cites denies it"
    return None


def _over(held: str, value: str) -> bool:
    """Whether a clause says that what the value names has ended."""
    start, end = find_value(value, held) or (len(held), len(held))
    return bool(_OVER_BEFORE.search(held[:start]) or _OVER_AFTER.search(held[end:]))


def clause(text: str, value: str) -> str:
    """The clause of the text with the value in it; the whole text when the value runs over several or is not there."""
    place = find_value(value, text) if value else None
    if place is None:
        return text
    start, end = 0, len(text)
    for cut in _CLAUSE.finditer(text):
        if cut.end() <= place[0]:
            start = cut.end()
        elif cut.start() >= place[1]:
            end = cut.start()
            break
    return text[start:end]


def _without(text: str, value: str) -> str:
    """The text without the value's own words, so that "prefers not to fly" is not a denial, and without idioms."""
    text = _IDIOM.sub(lambda idiom: " " * len(idiom[0]), text.replace("’", "'"))
    place = find_value(value, text) if value else None
    if place is not None:
        text = f"{text[: place[0]]} {text[place[1] :]}"
    return text
