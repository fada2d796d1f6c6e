"""How the fields of a card and those of a core correspond, both ways. Pure.

    name                  nickname, or else name
    personality_traits    personality, cut at commas and line ends
    communication_style   system_prompt, then post_history_instructions
    backstory             description, then scenario
    values, boundaries    extensions.perdure: cards have no fields for them

What the card's own field cannot say so that it is read the same again also goes to extensions.perdure.
"""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from .cards import Card, CardData
from .core import HIDDEN, LINE_LIMIT

OWN = "perdure"
"""The name of what is ours in a card's `extensions`."""

_LISTS = ("personality_traits", "values", "boundaries")
_TEXTS = {
    "communication_style": ("system_prompt", "post_history_instructions", ""),
    "backstory": ("description", "scenario", "Scenario: "),
}
_CUT = re.compile(r"[,;，、；\n]+")
_LINE_END = re.compile("\r\n|[\r\x0b\x0c\x85\u2028\u2029]")
_START = re.compile(r"<start>", re.IGNORECASE)


def harmless(text: str) -> str:
    """The text without control and hidden characters, its line ends as newlines."""
    text = HIDDEN.sub("", _LINE_END.sub("\n", text))
    return "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs")).strip()


def fields_of(card: Card) -> dict[str, Any]:
    """The fields of the core that a card describes."""
    return _natural(card.data) | _own(card.data)


def examples_of(written: str) -> tuple[str, ...]:
    """The example conversations of a card, cut where a new one begins."""
    return tuple(filter(None, (part.strip() for part in _START.split(harmless(written)))))


def changes_for(card: Card, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the card to change so that it describes these fields of a core; empty when it does."""
    described = fields_of(card)
    changed = {name: _plain(value) for name, value in fields.items() if _plain(value) != described[name]}
    if not changed:
        return {}
    changes: dict[str, Any] = {}
    for name, value in changed.items():
        changes |= _into_card(name, value, card.data)
    natural = _natural(card.data.model_copy(update=changes))
    own = _kept(card.data) | {name: value for name, value in changed.items() if natural[name] != value}
    own = {name: value for name, value in own.items() if name not in changed or natural[name] != value}
    if own != _kept(card.data):
        others = {name: value for name, value in card.data.extensions.items() if name != OWN}
        changes["extensions"] = others | ({OWN: own} if own else {})
    return changes


def _natural(data: CardData) -> dict[str, Any]:
    """What the card's own fields say."""
    found: dict[str, Any] = {
        "name": _line(data.nickname) or _line(data.name),
        "personality_traits": _traits(data.personality),
        "values": [],
        "boundaries": [],
    }
    for name, (first, second, title) in _TEXTS.items():
        parts = harmless(getattr(data, first)), harmless(getattr(data, second))
        found[name] = "\n".join(filter(None, (parts[0], parts[1] and title + parts[1])))
    return found


def _own(data: CardData) -> dict[str, Any]:
    """What stands in extensions.perdure, where it has the right shape; strangers may have written there too."""
    kept = _kept(data)
    found: dict[str, Any] = {}
    for name in _LISTS:
        if isinstance(listed := kept.get(name), list) and all(isinstance(line, str) for line in listed):
            found[name] = [said for line in listed if (said := _line(line))]
    for name in ("name", *_TEXTS):
        if isinstance(text := kept.get(name), str) and text.strip():
            found[name] = _line(text) if name == "name" else harmless(text)
    return found


def _kept(data: CardData) -> dict[str, Any]:
    own = data.extensions.get(OWN)
    return dict(own) if isinstance(own, dict) else {}


def _into_card(name: str, value: Any, data: CardData) -> dict[str, Any]:
    """The card's own fields that say this field of the core, as well as they can."""
    if name == "name":
        return {"nickname" if _line(data.nickname) else "name": value}
    if name == "personality_traits":
        return {"personality": ", ".join(value)}
    if name not in _TEXTS:
        return {}
    first, second, title = _TEXTS[name]
    tail = (end := harmless(getattr(data, second))) and f"\n{title}{end}"
    if tail and value.endswith(tail):
        return {first: value.removesuffix(tail)}
    return {first: value, second: ""} if end else {first: value}


def _traits(written: str) -> list[str]:
    """Traits from a line of them, or from sentences; each short enough for a core, or none is cut."""
    cut = [part.strip().rstrip(".。") for part in _CUT.split(harmless(written))]
    traits = [part for part in cut if part]
    return traits if all(len(part) <= LINE_LIMIT for part in traits) else [_line(written)]


def _line(text: str) -> str:
    return harmless(text).replace("\n", " ")


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value
