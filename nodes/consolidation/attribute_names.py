"""Attribute names as models write them, in the form the record has them. Pure."""

import re

from ...stores.text import fold

_ALIASES = {
    "works_at": "employer company workplace works_for employed_at employed_by",
    "job": "occupation profession job_title role works_as",
    "lives_in": "residence location city home lives living_in residing_in hometown_now current_city address_city",
    "has_pet": "pet pets owns_pet has_a_pet",
    "likes": "like loves love enjoys hobby hobbies enjoys_doing fond_of likes_to",
    "prefers": "preference prefer preferences",
    "interested_in": "interest interests",
    "allergic_to": "allergy allergies",
    "speaks": "language languages spoken_languages",
    "name": "full_name first_name user_name given_name called",
    "member_of": "membership group choir club team",
    "eats": "eating food",
    "drinks": "drink drinking beverage",
    "uses": "use tool tools",
    "plays": "play instrument",
    "school_year": "grade school_grade year_in_school",
    "injury": "injured",
}
_NAMES = {alias: name for name, aliases in _ALIASES.items() for alias in aliases.split()}
_DENYING = {
    "likes": "dislikes dislike hates hate does_not_like doesnt_like doesn_t_like does_not_enjoy doesn_t_enjoy detests",
    "eats": "does_not_eat doesnt_eat doesn_t_eat never_eats avoids_eating",
    "drinks": "does_not_drink doesnt_drink doesn_t_drink never_drinks",
    "uses": "does_not_use doesnt_use doesn_t_use never_uses",
}
_DENIED = {alias: name for name, aliases in _DENYING.items() for alias in aliases.split()}


def attribute_name(said: str, polarity: bool) -> tuple[str, bool]:
    """The attribute, and the polarity: "dislikes opera" is `likes` opera, denied."""
    name = re.sub(r"\W+", "_", fold(said)).strip("_") or "note"
    if name in _DENIED:
        return _DENIED[name], False
    return _NAMES.get(name, re.sub(r"^favorite_", "favourite_", name)), polarity
