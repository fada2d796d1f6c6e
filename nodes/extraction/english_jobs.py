"""Tell an occupation from the other things one can be ("a nurse", not "a mess")."""

from . import values
from .english_words import JOB_ENDINGS, JOBS
from .reading import listed
from .values import Piece

_BUSINESS = listed(
    "bakery shop store restaurant cafe café bar pub hotel hostel farm company startup agency"
    " studio gallery salon brewery bookshop bookstore business clinic practice school"
    " kindergarten nursery garage workshop charity podcast newsletter blog consultancy firm"
    " winery vineyard bnb b&b guesthouse market stall florist dairy"
)
_SPECIAL = listed(
    "ceo cto cfo coo owner head founder co-founder chair president vice-president captain partner"
)


def job(piece: Piece, text: str) -> Piece | None:
    """An occupation in its words, without the article: "nurse", "primary school teacher"."""
    stripped = values.bare(piece)
    head = next((i for i, word in enumerate(stripped) if word.low == "of"), len(stripped))
    if head < len(stripped) and stripped[0].low not in ("head", "director", "professor", "manager", "chief"):
        return None
    for size in (3, 2, 1):
        if (
            head >= size
            and " ".join(word.low for word in stripped[head - size : head]).removesuffix("s") in JOBS
        ):
            break
        if head >= size and " ".join(word.low for word in stripped[head - size : head]) in JOBS:
            break
    else:
        last = stripped[head - 1].low if head else ""
        if not (
            (
                (last.endswith(JOB_ENDINGS) or (last.endswith(("ist", "ician")) and last not in _NO_JOBS))
                and last not in JOB_ENDINGS
            )
            or last in ("engineer", "scientist")
        ):
            return None
    if stripped[0].low in values.POINTING or stripped[0].low in _BAD_JOBS or len(stripped) > 6:
        return None
    return stripped


_BAD_JOBS = listed(
    "bad terrible horrible good great lousy poor big huge better born natural fake wannabe total former"
    " ex aspiring future would-be amateur armchair sofa couch self-proclaimed self-appointed glorified"
    " secret mini human walking chief wannabe budding hopeful real proper mediocre awful decent"
    " night-time backseat kitchen bedroom unpaid own resident personal little such part-time-ish not"
    " never no only ultimate official unofficial honorary frustrated"
)


def profession(piece: Piece, text: str) -> Piece | None:
    """A business one runs: "a bakery"."""
    stripped = values.bare(piece)
    good = any(word.low in _BUSINESS for word in stripped) and len(stripped) <= 5
    return stripped if good and stripped[0].low not in values.POINTING else None


_NO_JOBS = listed(
    "feminist optimist pessimist realist perfectionist minimalist tourist purist egotist racist"
    " sexist idealist atheist narcissist masochist sadist activist socialist communist"
    " capitalist hobbyist motorist cyclist futurist extremist elitist nationalist fascist"
    " anarchist pacifist hedonist romanticist conformist generalist specialist maximalist list"
    " wrist twist fist mist exist essentialist loyalist royalist populist monist nihilist"
    " stoicist theist deist materialist"
)
_ROLES = listed(
    "manager assistant officer worker operator supervisor director coordinator administrator specialist"
    " adviser advisor technician agent driver teacher guide planner keeper inspector clerk leader"
    " cleaner maker picker"
)


def role(piece: Piece, text: str) -> Piece | None:
    """What one works as: an occupation, or a short noun phrase that ends in a general one ("a box office clerk")."""
    stripped = values.bare(piece)
    general = stripped[-1].low in _ROLES and len(stripped) <= 4
    return job(piece, text) or (values.thing(piece, text) if general else None)
