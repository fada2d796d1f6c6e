"""Personas from files: the built-in ones by name, anyone's own by path. Written in YAML or JSON."""

import json
import os
import stat
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from ..stores.errors import InvalidInput, NotFound
from .core import AgentIdentity

SIZE_LIMIT = 256 * 1024
"""Largest persona file, in bytes."""

_BUILT_IN = Path(__file__).parent / "personas"
_SUFFIXES = (".yaml", ".yml", ".json")
_FIELDS = ", ".join(AgentIdentity.model_fields)
# What yaml.safe_load and json.loads raise on text that cannot be read ("!!bool x" is a KeyError).
_UNPARSABLE = (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, RecursionError)


def personas() -> list[str]:
    """Return the names of the built-in personas, sorted."""
    return sorted(file.stem for file in _BUILT_IN.glob("*.yaml"))


def load_persona(name_or_path: str | os.PathLike[str]) -> AgentIdentity:
    """Return the persona of that built-in name, or the one written in that file.

    A text is a name when it is one of `personas()` (in any case), otherwise a path. Raises NotFound when
    there is neither, and InvalidInput when the file cannot be used; both say what to do.
    """
    if isinstance(name_or_path, str) and (name := name_or_path.strip().lower()) in personas():
        return _parsed((_BUILT_IN / f"{name}.yaml").read_bytes(), f"{name}.yaml")
    path = Path(name_or_path)
    if str(path).startswith("~"):
        path = Path(os.path.expanduser(path))
    return _parsed(_read(path), str(path))


def _read(path: Path) -> bytes:
    """Return the bytes of the persona file, and one byte too many when it is too long."""
    try:
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            what = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
            raise InvalidInput(f"Persona {path} is {what}. Give the path of a YAML or JSON file.")
        with path.open("rb") as file:
            return file.read(SIZE_LIMIT + 1)
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
            f"{str(path)!r} is not a usable path. Give the path of a YAML or JSON file."
        ) from None


def _missing(path: Path) -> str:
    built_in = ", ".join(personas())
    if path.suffix.lower() in _SUFFIXES or len(path.parts) > 1:
        return f"There is no persona file {path}. Check the path, or use a built-in persona: {built_in}."
    return (
        f"There is no persona {str(path)!r}. Built in: {built_in}. Or give the path of a YAML or JSON file."
    )


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
        raise InvalidInput(_faults(error, where)) from None


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


def _faults(error: ValidationError, where: str) -> str:
    """Say what is wrong with which fields, without repeating what stands in them."""
    faults = []
    for fault in error.errors(include_url=False, include_context=False, include_input=False):
        field = ".".join(str(part)[:40] for part in fault["loc"])
        match fault["type"]:
            case "missing":
                faults.append(f"field {field!r} is missing")
            case "extra_forbidden" | "invalid_key":
                faults.append(f"field {field!r} is unknown")
            case "value_error":
                faults.append(f"field {field!r} {fault['msg'].removeprefix('Value error, ')}")
            case _:
                faults.append(f"field {field!r}: {fault['msg']}")
    more = f" (and {len(faults) - 5} more)" if len(faults) > 5 else ""
    return f"Persona file {where}: {'; '.join(faults[:5])}{more}. The fields are {_FIELDS}."
