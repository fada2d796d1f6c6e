"""Tell a sentence that opens with where or when it holds, so that it states nothing lasting."""

from .reading import Word, listed

_SETTINGS = listed("in on during under at within inside throughout according like unlike for by per as under")
_HERE = (
    listed(
        "context reference fun work years months ages real fact general addition total weekends weekdays home"
    )
    | listed(
        "mondays tuesdays wednesdays thursdays fridays saturdays sundays top mornings evenings record side work"
    )
    | listed(
        "age college university school me now background moment info time information winter summer spring autumn"
    )
)


_BEGAN = listed(
    "moved joined started became got adopted graduated turned switched quit left bought married stopped"
)


def elsewhere(sentence: list[Word], at: int) -> bool:
    """Whether the sentence opens with where or when it holds: "During Lent I ...", "On this diet, I ...".

    `at` is the first word that is no interjection.
    """
    if (
        at < len(sentence)
        and sentence[at - 1].low == "as"
        and at
        and sentence[at].low not in ("i", "my", "you", "we")
    ):
        at -= 1
    if at >= len(sentence) or sentence[at].low not in _SETTINGS:
        return False
    said = next(
        (i for i, word in enumerate(sentence[at : at + 9], at) if word.low in ("i", "we", "my")), None
    )
    if said is not None and sentence[said].low == "my" and said == at + 1:  # "in my free time I ..."
        said = next(
            (i for i in range(at + 2, min(at + 9, len(sentence))) if sentence[i].low in ("i", "we")), None
        )
    if said is None or said == at + 1:
        return False
    phrase = sentence[at + 1 : said]
    year = phrase[-1].low.isdigit() and any(word.low in _BEGAN for word in sentence[said:])
    return not (year or {word.low for word in phrase} & _HERE)
