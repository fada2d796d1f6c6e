"""Character cards, versions 2 and 3: read strictly, kept whole, written back as they came. Pure.

A `Card` holds the JSON object exactly as it was read; `data` is a checked view of the fields that are used here.
What is not known stays in the object, so that nothing another program put there is ever lost.
"""

import copy
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from ..stores.errors import InvalidInput
from .decorators import without_decorators
from .faults import told

CARD_LIMIT = 6 * 1024 * 1024
"""Largest card, in bytes of JSON."""
TEXT_LIMIT = 200_000
"""Longest text of a card, in characters; the core it becomes has narrower limits (identity.core)."""
ENTRIES_LIMIT = 2_000
KEYS_LIMIT = 200
ALL_KEYS_LIMIT = 10_000
KEY_LIMIT = 500
"""Most entries of a lorebook, keys of an entry and of all entries, and longest key."""
DEPTH_LIMIT = 100

SPECS = {"chara_card_v2": 2, "chara_card_v3": 3}

_BACKFILLED = (
    "This card is a Character Card V3, written as V2 for programs that read no V3. "
    "Use one that reads V3 for all of it."
)
_V2_DEFAULTS: Mapping[str, Any] = {
    "name": "",
    "description": "",
    "personality": "",
    "scenario": "",
    "first_mes": "",
    "mes_example": "",
    "creator_notes": "",
    "system_prompt": "",
    "post_history_instructions": "",
    "alternate_greetings": [],
    "tags": [],
    "creator": "",
    "character_version": "",
    "extensions": {},
}


def _unless_none(default: Any) -> BeforeValidator:
    return BeforeValidator(lambda value: default if value is None else value)


_Text = Annotated[str, Field(max_length=TEXT_LIMIT), _unless_none("")]
_Texts = Annotated[tuple[Annotated[str, Field(max_length=TEXT_LIMIT)], ...], _unless_none(())]
_Keys = Annotated[
    tuple[Annotated[str, Field(max_length=KEY_LIMIT)], ...], Field(max_length=KEYS_LIMIT), _unless_none(())
]
_Number = Annotated[int | float, Field(allow_inf_nan=False)]


class _View(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class EntryData(_View):
    """One entry of a lorebook, as the card has it."""

    keys: _Keys = ()
    content: _Text = ""
    enabled: Annotated[bool, _unless_none(True)] = True
    insertion_order: Annotated[_Number, _unless_none(0)] = 0
    case_sensitive: bool | None = None
    priority: _Number | None = None
    selective: Annotated[bool, _unless_none(False)] = False
    secondary_keys: _Keys = ()
    constant: Annotated[bool, _unless_none(False)] = False
    use_regex: Annotated[bool, _unless_none(False)] = False


class BookData(_View):
    """A lorebook, as the card has it."""

    scan_depth: _Number | None = None
    token_budget: _Number | None = None
    recursive_scanning: Annotated[bool, _unless_none(False)] = False
    entries: Annotated[tuple[EntryData, ...], Field(max_length=ENTRIES_LIMIT), _unless_none(())] = ()

    @field_validator("entries")
    @classmethod
    def _not_too_many_keys(cls, entries: tuple[EntryData, ...]) -> tuple[EntryData, ...]:
        keys = sum(len(entry.keys) + len(entry.secondary_keys) for entry in entries)
        if keys > ALL_KEYS_LIMIT:
            raise ValueError(f"has {keys:,} keys in all, at most {ALL_KEYS_LIMIT:,} are taken")
        return entries


class CardData(_View):
    """The fields of a card that are used or shown. Absent and null fields have the specification's default."""

    name: Annotated[str, Field(max_length=TEXT_LIMIT)]
    nickname: _Text = ""
    description: _Text = ""
    personality: _Text = ""
    scenario: _Text = ""
    first_mes: _Text = ""
    mes_example: _Text = ""
    system_prompt: _Text = ""
    post_history_instructions: _Text = ""
    alternate_greetings: _Texts = ()
    creator_notes: _Text = ""
    creator: _Text = ""
    character_version: _Text = ""
    tags: _Texts = ()
    character_book: BookData | None = None
    extensions: Annotated[dict[str, Any], _unless_none({})] = Field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Card:
    """A character card: the object as it was read, never changed, and the checked view of it."""

    raw: Mapping[str, Any]
    data: CardData

    @property
    def version(self) -> int:
        """2 or 3."""
        return SPECS[self.raw["spec"]]

    @property
    def newer(self) -> bool:
        """Whether the card says it follows a later version of its specification than is known here."""
        try:
            return float(self.raw["spec_version"]) > self.version
        except (KeyError, TypeError, ValueError):
            return False


def read_card(text: bytes, where: str = "The card") -> Card:
    """The card in JSON text. Raises InvalidInput, naming `where`, for what would not come back as it was."""
    return as_card(read_json(text, where), where)


def read_json(text: bytes, where: str, limit: int = CARD_LIMIT) -> Any:
    """The value of JSON text, where it has just one meaning: no field twice, no number or text out of range."""
    if len(text) > limit:
        raise InvalidInput(f"{where} is larger than {limit // 1024:,} kB. Shorten it.")
    try:
        value = json.loads(
            text.decode("utf-8-sig"),
            object_pairs_hook=_distinct,
            parse_constant=_no_number,
            parse_float=_finite,
        )
        _shallow(value)
        json.dumps(value, ensure_ascii=False).encode()  # half a surrogate pair has no bytes
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{where} is not UTF-8 (byte {error.start}). Save it as UTF-8.") from None
    except UnicodeEncodeError:
        raise InvalidInput(f"{where} holds half a character (a lone surrogate). Remove it.") from None
    except json.JSONDecodeError as error:
        raise InvalidInput(f"{where} is not valid JSON (line {error.lineno}). Correct it there.") from None
    except RecursionError:
        raise InvalidInput(f"{where} is nested too deeply. Flatten it.") from None
    except ValueError as error:
        raise InvalidInput(f"{where} is not valid JSON: {error}. Correct it there.") from None
    return value


def as_card(raw: Any, where: str = "The card") -> Card:
    """The card that a JSON value is, its fields checked."""
    if not isinstance(raw, dict) or raw.get("spec") not in SPECS or not isinstance(raw.get("data"), dict):
        raise InvalidInput(
            f"{where} is no character card of version 2 or 3: it needs `spec` (chara_card_v2 or "
            "chara_card_v3) and `data`. Convert it, or write a persona file (docs/personas.md)."
        )
    try:
        return Card(raw, CardData.model_validate(_lists_as_tuples(raw["data"])))
    except ValidationError as error:
        raise InvalidInput(f"{where}: {told(error, at='data')}.") from None


def new_card(data: Mapping[str, Any]) -> Card:
    """A V3 card with these fields, the specification's defaults for the others."""
    whole = {**copy.deepcopy(dict(_V2_DEFAULTS)), "group_only_greetings": [], **data}
    return as_card({"spec": "chara_card_v3", "spec_version": "3.0", "data": whole})


def with_data(card: Card, changes: Mapping[str, Any]) -> Card:
    """The card with these fields of `data` changed and every other one as it was."""
    raw = copy.deepcopy(dict(card.raw))
    raw["data"].update(copy.deepcopy(dict(changes)))
    return as_card(raw)


def as_v3(card: Card) -> Card:
    """The card as V3; one that is V3 stays as it is."""
    if card.version == 3:
        return card
    raw = copy.deepcopy(dict(card.raw)) | {"spec": "chara_card_v3", "spec_version": "3.0"}
    raw["data"].setdefault("group_only_greetings", [])
    for entry in _entries(raw):
        entry.setdefault("use_regex", False)
    return as_card(raw)


def as_v2(card: Card) -> Card:
    """The card as V2, for programs that read no V3: a note says so, lore entries lose their decorators."""
    if card.version == 2:
        return card
    raw = copy.deepcopy(dict(card.raw)) | {"spec": "chara_card_v2", "spec_version": "2.0"}
    data = raw["data"]
    for name, default in _V2_DEFAULTS.items():
        if data.get(name) is None:
            data[name] = copy.deepcopy(default)
    data["creator_notes"] = "\n\n".join(filter(None, (data["creator_notes"], _BACKFILLED)))
    for entry in _entries(raw):
        if isinstance(entry.get("content"), str):
            entry["content"] = without_decorators(entry["content"])
    return as_card(raw)


def original_of(v3: Card, v2: Card) -> Card:
    """Which of the two cards of one picture is the one that was written: V3, unless it was made from the V2."""
    made = as_v3(v2).raw == v3.raw and v2.version == 2
    return v2 if made else v3


def to_json(card: Card, *, indent: int | None = 2) -> bytes:
    """The card as it is written to a file; without `indent` on one line, never much longer than it came."""
    return json.dumps(card.raw, ensure_ascii=False, indent=indent).encode() + b"\n"


def _entries(raw: Mapping[str, Any]) -> list[dict[str, Any]]:
    book = raw["data"].get("character_book") or {}
    return book.get("entries") or []


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a field stands there twice")
    return found


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


def _finite(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise ValueError("a number is too large")
    return value


def _shallow(value: Any, depth: int = 0) -> None:
    if depth > DEPTH_LIMIT:
        raise RecursionError
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            _shallow(part, depth + 1)


def _lists_as_tuples(value: Any) -> Any:
    """Strict validation takes no list for a tuple; extensions are left alone."""
    if isinstance(value, dict):
        return {k: v if k == "extensions" else _lists_as_tuples(v) for k, v in value.items()}
    return tuple(map(_lists_as_tuples, value)) if isinstance(value, list) else value
