"""Personas from files: the built-in ones by name, anyone's own by path. Written in YAML, JSON, or as a card."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from ..stores.errors import InvalidInput, NotFound
from .cards import Card, original_of, read_card
from .core import AgentIdentity
from .faults import told
from .persona import Persona, persona_of
from .png import PNG_LIMIT, SIGNATURE, card_texts, without_cards

SIZE_LIMIT = 256 * 1024
"""Largest persona file that is no card, in bytes."""

SUFFIXES = (".yaml", ".yml", ".json", ".png")

_BUILT_IN = Path(__file__).parent / "personas"
_FIELDS = ", ".join(AgentIdentity.model_fields)
_OF_CARDS = ("spec", "first_mes")
"""A JSON object with one of these fields is meant as a card, of whatever version."""
_OTHER_PICTURES = (b"\xff\xd8\xff", b"RIFF", b"GIF8")
# What yaml.safe_load and json.loads raise on text that cannot be read ("!!bool x" is a KeyError).
_UNPARSABLE = (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, RecursionError)


def personas() -> list[str]:
    """Return the names of the built-in personas, sorted."""
    return sorted(file.stem for file in _BUILT_IN.glob("*.yaml"))


def load_persona(name_or_path: str | os.PathLike[str]) -> AgentIdentity:
    """Return the persona of that built-in name, or the one written in that file.

    A text is a name when it is one of `personas()` (in any case), otherwise a path. Raises NotFound when
    there is neither, and InvalidInput when the file cannot be used; both say what to do. A character card is
    not taken this way: it is somebody else's text until it is accepted (`persona_folder`).
    """
    if isinstance(name_or_path, str) and (name := name_or_path.strip().lower()) in personas():
        return _parsed((_BUILT_IN / f"{name}.yaml").read_bytes(), f"{name}.yaml")
    path = _expanded(name_or_path)
    raw = read_bytes(path, PNG_LIMIT)
    _refuse_other_files(raw, path)
    if raw.startswith(SIGNATURE):
        card_texts(raw)  # what holds none is told so
    if _is_card(raw, path):
        raise InvalidInput(
            f"{path} is a character card. See and accept it first: perdure persona import {path}"
        )
    return _parsed(raw, str(path))


def read_persona(path: str | os.PathLike[str]) -> Persona:
    """The persona in a file of any kind that is known: YAML, JSON, or a card as JSON or PNG.

    It is text of whoever wrote the file. Raises NotFound or InvalidInput, saying what to do.
    """
    path = _expanded(path)
    raw = read_bytes(path, PNG_LIMIT)
    where = f"Card {path}"
    _refuse_other_files(raw, path)
    if raw.startswith(SIGNATURE):
        return Persona(persona_of(card := _card_in(raw, where), where).identity, card, without_cards(raw))
    if _is_card(raw, path):
        return persona_of(read_card(raw, where), where)
    return Persona(_parsed(raw, str(path)))


def _refuse_other_files(raw: bytes, path: Path) -> None:
    if raw.startswith(b"PK\x03\x04"):
        raise InvalidInput(f"{path} is a CHARX archive, which is not read. Export the card as JSON or PNG.")
    if raw.startswith(_OTHER_PICTURES):
        raise InvalidInput(f"{path} is a picture, but no PNG. Export the card as JSON or PNG.")
    if path.suffix.lower() == ".png" and not raw.startswith(SIGNATURE):
        raise InvalidInput(
            f"{path} holds no character card: it is no PNG file. Export the card as JSON or PNG."
        )


def read_bytes(path: Path, limit: int) -> bytes:
    """The bytes of a regular file, at most `limit`. Raises NotFound or InvalidInput, saying what to do."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
            raise InvalidInput(f"Persona {path} is {what}. Give the path of a YAML, JSON or PNG file.")
        with path.open("rb") as file:
            raw = file.read(limit + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise NotFound(_missing(path)) from None
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise InvalidInput(
            f"Persona file {path} cannot be read: {reason}. Check the path and its permissions."
        ) from None
    except InvalidInput:
        raise
    except ValueError:  # a NUL or a lone surrogate
        raise InvalidInput(
            f"{str(path)!r} is not a usable path. Give the path of a YAML, JSON or PNG file."
        ) from None
    if len(raw) > limit:
        raise InvalidInput(f"File {path} is larger than {limit // 1024**2} MB. Use a smaller one.")
    return raw


def _expanded(name_or_path: str | os.PathLike[str]) -> Path:
    path = Path(name_or_path)
    return Path(os.path.expanduser(path)) if str(path).startswith("~") else path


def _missing(path: Path) -> str:
    built_in = ", ".join(personas())
    if path.suffix.lower() in SUFFIXES or len(path.parts) > 1:
        return f"There is no persona file {path}. Check the path, or use a built-in persona: {built_in}."
    return (
        f"There is no persona {str(path)!r}. Built in: {built_in}. Or give the path of a YAML or JSON file."
    )


def _is_card(raw: bytes, path: Path) -> bool:
    if raw.startswith(SIGNATURE):
        return True
    if path.suffix.lower() != ".json" or not any(f'"{key}"'.encode() in raw for key in _OF_CARDS):
        return False
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return True  # what is wrong with it is told where it is read as one
    return isinstance(value, dict) and not value.keys().isdisjoint(_OF_CARDS)


def _card_in(raw: bytes, where: str) -> Card:
    """The card of a picture; of two, the one that the other was made from."""
    cards = {name: read_card(text, f"{where} ({name})") for name, text in card_texts(raw).items()}
    if len(cards) == 2:
        return original_of(cards["ccv3"], cards["chara"])
    return next(iter(cards.values()))


def _parsed(raw: bytes, where: str) -> AgentIdentity:
    """Return the identity that the bytes of the file `where` describe."""
    if len(raw) > SIZE_LIMIT:
        raise InvalidInput(f"Persona file {where} is larger than {SIZE_LIMIT // 1024} kB. Shorten it.")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput(
            f"Persona file {where} is not UTF-8 (byte {error.start}). Save it as UTF-8."
        ) from None
    written = _loaded(text, where)
    if not isinstance(written, dict):
        raise InvalidInput(f"Persona file {where} must hold the fields {_FIELDS}, each as `field: value`.")
    try:
        return AgentIdentity.model_validate(written)
    except ValidationError as error:
        raise InvalidInput(f"Persona file {where}: {told(error)}. The fields are {_FIELDS}.") from None


def _loaded(text: str, where: str) -> Any:
    """Return what the YAML or JSON text says."""
    is_json = where.lower().endswith(".json")
    try:
        return json.loads(text) if is_json else yaml.safe_load(text)
    except _UNPARSABLE as error:
        mark = getattr(error, "problem_mark", None)
        line = mark.line + 1 if mark else getattr(error, "lineno", None)
        place = f" (line {line})" if line else ""
        kind = "JSON" if is_json else "YAML"
        raise InvalidInput(f"Persona file {where} is not valid {kind}{place}. Correct it there.") from None
