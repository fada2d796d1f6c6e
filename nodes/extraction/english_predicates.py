"""Read an English verb group: which verb, in which form, denied or over."""

from typing import NamedTuple

from .reading import Word, listed


class Predicate(NamedTuple):
    """A verb and how it is said; `at` is the index of the word after it. "be" for a mere copula."""

    verb: str
    at: int
    form: str
    """plain (live), ing (am living), long (have been living), perfect (have moved), past or can."""
    negated: bool
    over: bool


ADVERBS = listed(
    "really also still now currently absolutely totally just mostly usually always normally"
    " generally actually truly definitely certainly honestly kinda both all so personally"
    " particularly especially especially simply quite genuinely very already regularly often"
    " frequently mainly only originally recently finally nowadays even ever never-ending deeply"
    " strongly dearly literally utterly proudly happily officially severely terribly deathly"
    " badly highly however though primarily secretly well too pretty"
)
_BE = listed("am are is be being")
_WEAK = listed(
    "hardly barely rarely seldom scarcely almost nearly sometimes sort kind practically"
    " virtually technically essentially basically supposedly apparently"
)
_MODALS = listed(
    "would will shall should could might may must ought did was were had used wish want wanna gonna"
)
FORMS = {}
for _lemma, _forms in {
    "live": "lives living", "reside": "resides residing", "work": "works working",
    "study": "studies studying",
    "learn": "learns learning", "teach": "teaches teaching", "play": "plays", "like": "likes",
    "love": "loves luv",
    "adore": "adores", "enjoy": "enjoys", "dislike": "dislikes",
    "hate": "hates detest detests loathe despise",
    "prefer": "prefers", "speak": "speaks", "own": "owns", "drive": "drives", "eat": "eats",
    "drink": "drinks",
    "use": "uses", "collect": "collects collecting", "keep": "keeps", "have": "has",
    "stand": "bear abide tolerate",
    "come": "comes", "hail": "hails", "run": "runs", "sing": "sings", "care": "cares", "smoke": "smokes",
    "go": "goes",
    "take": "takes", "breed": "breeds", "major": "majors majoring", "attend": "attends attending",
    "raise": "raises",
    "suffer": "suffers", "need": "needs", "code": "codes program", "belong": "belongs",
    "volunteer": "volunteers",
    "manage": "manages", "follow": "follows",
}.items():  # fmt: skip
    FORMS[_lemma] = _lemma
    FORMS.update((form, _lemma) for form in _forms.split())
_CONTINUED = {
    "playing": "play", "singing": "sing", "keeping": "keep", "using": "use", "driving": "drive",
    "running": "run",
    "coding": "code", "volunteering": "volunteer", "breeding": "breed", "drinking": "drink", "eating": "eat",
}  # fmt: skip
_ING = frozenset(form for form in FORMS if form.endswith("ing"))
PAST = {
    "moved": "move", "relocated": "move", "joined": "join", "started": "start", "quit": "quit",
    "left": "quit",
    "resigned": "quit", "retired": "retire", "stopped": "stop", "got": "get", "bought": "buy",
    "adopted": "adopt",
    "switched": "switch", "grew": "grow", "graduated": "graduate", "born": "born", "given": "give",
    "gave": "give", "lost": "lose",
    "been": "been", "lived": "live", "worked": "work", "loved": "love", "hated": "hate", "liked": "like",
    "enjoyed": "enjoy", "disliked": "dislike", "studied": "study", "played": "play", "changed": "change",
    "owned": "own", "become": "become", "became": "become", "turned": "turn", "named": "named",
}  # fmt: skip


def predicate(clause: list[Word], at: int) -> Predicate | None:
    """The verb group at word `at`; None for one that is modal, past, hedged, doubly denied or unknown."""
    denials, over, can, be, have = 0, False, False, False, False
    while at < len(clause):
        word = clause[at].low
        follows = clause[at + 1].low if at + 1 < len(clause) else ""
        if word in ("not", "never"):
            denials += 1
        elif word == "no" and follows in ("longer", "more"):
            over, at = True, at + 1
        elif word in ("do", "does") and (
            follows in ("not", "n't", "never") or follows in FORMS or follows in ADVERBS
        ):
            pass
        elif word == "can":
            can = True
        elif word in ("was", "were") and follows in ("born", "raised", "diagnosed"):
            return None if denials else Predicate(follows, at + 2, "past", False, False)
        elif word in _WEAK or word in _MODALS:
            return None
        elif word in _BE and not be:
            be = True
        elif word in ("have", "has") and _perfect(clause, at + 1):
            have = True
        elif word not in ADVERBS or (word == "well" and be):
            break
        at += 1
    if denials > 1 or (denials and over):
        return None
    if be or (have and at < len(clause) and clause[at].low == "been"):
        return _being(clause, at + (have and not be), bool(denials), over, have)
    form = "perfect" if have else "can" if can else "plain"
    return _main_verb(clause, at, form, bool(denials), over) if at < len(clause) else None


def _main_verb(clause: list[Word], at: int, form: str, denied: bool, over: bool) -> Predicate | None:
    verb = clause[at].low
    if form == "perfect" and verb == "got":
        return Predicate("have", at + 1, "plain", denied, over)
    if form == "perfect" or verb in PAST:
        past = PAST.get(verb)
        return (
            Predicate(past, at + 1, form if form == "perfect" else "past", denied, over)
            if past and form != "can"
            else None
        )
    return Predicate(FORMS.get(verb, verb), at + 1, form, denied, over)


def _being(clause: list[Word], at: int, negated: bool, over: bool, have: bool) -> Predicate | None:
    while at < len(clause) and clause[at].low in ADVERBS:
        at += 1
    if at < len(clause) and clause[at].low in _ING:
        return Predicate(FORMS[clause[at].low], at + 1, "long" if have else "ing", negated, over)
    if have and at < len(clause) and clause[at].low in _CONTINUED:
        return Predicate(_CONTINUED[clause[at].low], at + 1, "long", negated, over)
    return Predicate("be", at, "perfect" if have else "plain", negated, over)


def _perfect(clause: list[Word], at: int) -> bool:
    while at < len(clause) and (clause[at].low in ADVERBS or clause[at].low in ("not", "never")):
        at += 1
    return at < len(clause) and clause[at].low in PAST
