"""Personas that were accepted: a folder with one JSON file each, and its picture beside, readable by the owner only.

A file holds the core and, where it came from a card, the whole card. The name of a file is made from the persona's
name and of nothing else, so no name leads out of the folder.
"""

import json
import os
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock
from pydantic import ValidationError

from ..stores.clock import random_id
from ..stores.errors import InvalidInput, NotFound
from ..stores.text import fold
from .cards import CARD_LIMIT, as_card, read_json, to_json
from .core import AgentIdentity
from .faults import told
from .persona import Persona
from .persona_files import load_persona, personas, read_bytes
from .png import PNG_LIMIT

FOLDER = "personas"
"""The folder, in the data directory."""

STEM_LIMIT = 48
KEPT_LIMIT = 2 * CARD_LIMIT
"""Largest file of an accepted persona, in bytes: a core, and a card whose numbers may be longer written out."""
LOCK_SECONDS = 30.0
"""How long another import of the same data directory is waited for."""

_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Listed:
    """A persona that a name finds, or a file that should be one and why it is not."""

    name: str
    built_in: bool
    persona: Persona | None = None
    fault: str = ""


def file_stem(name: str) -> str:
    """The file name that a persona's name gives: its letters and digits, in lower case. InvalidInput without any."""
    words = "".join(c if c.isalnum() else " " for c in fold(name)).split()
    stem = "-".join(words)[:STEM_LIMIT].strip("-")
    if not stem:
        raise InvalidInput(f"The name {name!r} has no letter or digit to name a file by. Use another.")
    return stem


def find_persona(name_or_path: str, home: Path) -> Persona:
    """The persona of a built-in or accepted name, or of a persona file. Raises NotFound or InvalidInput."""
    name = name_or_path.strip()
    for built_in in personas():
        identity = load_persona(built_in)
        if name.casefold() in (built_in, identity.name.casefold()):
            return Persona(identity)
    if _is_name(name):
        path = home / FOLDER / f"{file_stem(name)}.json"
        if path.exists():
            return _read(path)
    try:
        return Persona(load_persona(name_or_path))
    except NotFound as error:
        accepted = ", ".join(sorted(path.stem for path in _files(home)))
        more = f" Accepted: {accepted}." if accepted and _is_name(name) else ""
        raise NotFound(f"{error}{more}") from None


def known_personas(home: Path) -> list[Listed]:
    """Every persona that a name finds, the built-in ones first; those that cannot be read with the reason."""
    found = [Listed(name, True, Persona(load_persona(name))) for name in personas()]
    for path in sorted(_files(home)):
        try:
            found.append(Listed(path.stem, False, _read(path)))
        except InvalidInput as error:
            found.append(Listed(path.stem, False, fault=str(error)))
    return found


def accept(persona: Persona, home: Path, *, replacing: bool = False) -> Path:
    """Keep a persona under its name; returns the file. As a whole or not at all.

    Raises InvalidInput when the name is taken: two personas of one name would share their memory of everyone.
    """
    name = persona.identity.name
    stem = file_stem(name)
    built_in = {file_stem(load_persona(each).name) for each in personas()}
    if stem in built_in.union(personas()):
        raise InvalidInput(
            f"{name} is a built-in persona, and memory goes by the name. Import it under another: --name NAME"
        )
    folder = home / FOLDER
    path = folder / f"{stem}.json"
    core = json.dumps(persona.identity.model_dump(mode="json"), ensure_ascii=False, indent=2).encode()
    card = b"null" if persona.card is None else to_json(persona.card, indent=None).strip()
    kept = b'{"format": %d,\n"identity": %b,\n"card": %b}\n' % (_FORMAT, core, card)
    if len(kept) > KEPT_LIMIT:
        raise InvalidInput(
            f"{name} would take {len(kept):,} bytes, at most {KEPT_LIMIT:,} are kept. Shorten it."
        )
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(folder / ".lock", timeout=LOCK_SECONDS, mode=0o600):
            _keep(path, persona, kept, replacing)
    except OSError as error:
        reason = error.strerror or "another import is at work there"
        raise InvalidInput(f"{path} cannot be written: {reason}. Put that right, then try again.") from None
    return path


def remove(name: str, home: Path) -> Path:
    """Delete an accepted persona, a broken one too, with its picture; returns the file. What it remembers stays.

    Raises NotFound where none is kept under the name.
    """
    path = home / FOLDER / f"{file_stem(name)}.json"
    if not (_is_name(name) and path.exists()):
        accepted = ", ".join(sorted(each.stem for each in _files(home))) or "none"
        raise NotFound(f"No persona {name!r} was taken over. Taken over: {accepted}.")
    try:
        with FileLock(path.parent / ".lock", timeout=LOCK_SECONDS, mode=0o600):
            path.unlink(missing_ok=True)
            path.with_suffix(".png").unlink(missing_ok=True)
    except OSError as error:
        reason = error.strerror or "an import is at work there"
        raise InvalidInput(f"{path} cannot be deleted: {reason}. Put that right, then try again.") from None
    return path


def _keep(path: Path, persona: Persona, kept: bytes, replacing: bool) -> None:
    if path.exists() and not replacing:
        raise InvalidInput(
            f"There is a persona {path.stem} already. Take its place with --replace, or use --name NAME."
        )
    picture = path.with_suffix(".png")
    if persona.picture is not None:
        _write(picture, persona.picture)
    _write(path, kept)
    if persona.picture is None:
        picture.unlink(missing_ok=True)


def _is_name(text: str) -> bool:
    """Whether a text can be the name of an accepted persona, and no path."""
    return not any(mark in text for mark in ("/", "\\", "\0")) and any(map(str.isalnum, text))


def _files(home: Path) -> list[Path]:
    return [path for path in (home / FOLDER).glob("*.json") if not path.name.startswith(".")]


def _read(path: Path) -> Persona:
    where = f"Persona {path.stem} ({path})"
    kept = read_json(read_bytes(path, KEPT_LIMIT), where, KEPT_LIMIT)
    if not isinstance(kept, dict) or kept.get("format") != _FORMAT:
        raise InvalidInput(f"{where} was not written by this program. Import the persona again.")
    try:
        persona = Persona(AgentIdentity.model_validate(kept.get("identity")))
    except ValidationError as error:
        raise InvalidInput(f"{where}: {told(error)}. Correct it there, or import it again.") from None
    if kept.get("card") is not None:
        persona = replace(persona, card=as_card(kept["card"], where))
    picture = path.with_suffix(".png")
    return replace(persona, picture=read_bytes(picture, PNG_LIMIT)) if picture.exists() else persona


def _write(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all, for the owner alone."""
    part = path.with_name(f".{path.name}.{random_id()}")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
