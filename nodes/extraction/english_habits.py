"""What one does again and again: "swim twice a week", "don't smoke"."""

from itertools import pairwise

from .english_predicates import FORMS, Predicate
from .english_words import ACTIVITIES, ALONE
from .reading import Found, Word, listed

_OFTEN = listed("every each daily weekly twice")
_REGULAR = listed(
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays weekends weekdays mornings"
    " evenings nights"
)


def habits(clause: list[Word], said: Predicate, text: str) -> list[Found]:
    """ "swim twice a week", "go to the gym on Mondays", "don't smoke"."""
    unable = said.form == "can" and said.negated and said.verb in ALONE
    if not (said.form == "plain" or unable) or not _is_activity(clause, said):
        return []
    rest = clause[said.at :]
    cut = next((i for i, word in enumerate(rest) if word.gap or word.low in _HABIT_CUT), len(rest))
    kept = [clause[said.at - 1], *rest[:cut]]
    lows = [word.low for word in kept[1:]]
    if len(kept) > 9 or "time" in lows or (len(lows) > 1 and lows[0] in _NOT_HABITUAL):
        return []
    denied = said.negated or said.over
    if not ((_regular(lows) and not denied) or (said.verb in ALONE and cut == 0)):
        return []
    over = said.over or (said.negated and "anymore" in [word.low for word in rest])
    return [Found("habit", kept[0].start, kept[-1].end, polarity=not denied, ends=over)]


_NOT_HABITUAL = listed("the my this that it a into out away")


def _is_activity(clause: list[Word], said: Predicate) -> bool:
    lows = [word.low for word in clause[said.at :]]
    if said.verb == "go":
        return _goes(lows)
    if said.verb == "do":
        return bool({"yoga", "pilates", "karate", "judo"} & set(lows[:2]))
    return said.verb in ACTIVITIES and FORMS.get(clause[said.at - 1].low, said.verb) == said.verb


def _regular(lows: list[str]) -> bool:
    if any(low in _OFTEN or low in _REGULAR for low in lows):
        return True
    return any(pair in (("once", "a"), ("times", "a")) for pair in pairwise(lows))


_HABIT_CUT = listed("and but because so when if since although though anymore any which that")


def _goes(lows: list[str]) -> bool:
    places = {
        "gym",
        "church",
        "mosque",
        "temple",
        "synagogue",
        "pool",
        "library",
        "market",
        "yoga",
        "pilates",
    }
    sports = {
        "running",
        "swimming",
        "climbing",
        "hiking",
        "cycling",
        "jogging",
        "dancing",
        "fishing",
        "sailing",
        "skiing",
        "surfing",
    }
    return (lows[:1] == ["to"] and bool(places & set(lows[:3]))) or (lows[:1] != [] and lows[0] in sports)
