"""Shows personas, takes them over from files and cards once they are accepted, and writes them as cards."""

import os
import sys
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from ..graph.personas import chosen_persona
from ..graph.settings import Settings
from ..identity.card_fields import harmless
from ..identity.cards import Card, as_v2, as_v3, to_json
from ..identity.core import AgentIdentity
from ..identity.persona import Persona
from ..identity.persona_files import SUFFIXES, read_persona
from ..identity.persona_folder import accept, file_stem, known_personas, remove
from ..identity.png import plain_picture, with_cards
from ..stores.errors import InvalidInput, PerdureError
from .memory import console, print_json

SHOWN_CHARS = 1_200
"""How much of a text that never enters a prompt is shown."""


def list_personas(settings: Settings, *, as_json: bool) -> None:
    """Print the personas that a name finds; one that cannot be read with the reason."""
    known = known_personas(settings.home)
    if as_json:
        print_json(
            [
                {
                    "name": one.name,
                    "origin": "built in" if one.built_in else "accepted",
                    "called": one.persona and one.persona.identity.name,
                    "traits": list(one.persona.identity.personality_traits) if one.persona else [],
                    "card": bool(one.persona and one.persona.card),
                    "error": one.fault or None,
                }
                for one in known
            ]
        )
        return
    table = Table("name", "called", "origin", "traits", box=None, pad_edge=False)
    for one in known:
        origin = "built in" if one.built_in else "accepted"
        if one.persona is None:
            table.add_row(one.name, "", origin, Text(f"cannot be used: {one.fault}"))
        else:
            traits = ", ".join(one.persona.identity.personality_traits)
            table.add_row(one.name, Text(one.persona.identity.name), origin, Text(traits))
    console().print(table)


def show(settings: Settings, who: str, *, as_json: bool) -> None:
    """Print a persona; of a card, also what stays beside the core."""
    persona = _found(settings, who)
    if as_json:
        print_json(as_object(persona))
    else:
        _print(persona)


def validate(file: Path, *, as_json: bool) -> int:
    """Say whether a file can be a persona; 1 when it cannot."""
    try:
        persona = read_persona(file)
    except PerdureError as error:
        if not as_json:
            raise
        print_json({"valid": False, "error": str(error)})
        return 1
    if as_json:
        print_json({"valid": True, "persona": as_object(persona)})
    else:
        print(f"{file} can be used: {persona.identity.name}, {_kind(persona)}.")
    return 0


def import_persona(
    settings: Settings, file: Path, *, name: str | None, replacing: bool, yes: bool, as_json: bool
) -> int:
    """Show what a file would become, ask, and keep it; 1 when it was not kept."""
    persona = read_persona(file)
    if name is not None:
        persona = replace(persona, identity=_renamed(persona.identity, name))
    stem = file_stem(persona.identity.name)
    if not as_json:
        _print(persona)
    if not yes and not (not as_json and _agreed(f"Take {persona.identity.name} over as {stem}? [y/N] ")):
        if as_json:
            print_json({"accepted": False, "name": stem, "persona": as_object(persona)})
        else:
            print("Nothing was taken over. --yes does so without asking.")
        return 1
    path = accept(persona, settings.home, replacing=replacing)
    if as_json:
        print_json({"accepted": True, "name": stem, "file": str(path), "persona": as_object(persona)})
    else:
        print(f"Taken over. Talk to it: perdure chat --persona {stem}")
    return 0


def remove_persona(settings: Settings, name: str, *, yes: bool, as_json: bool) -> int:
    """Delete an accepted persona, asked about first; 1 when it stays."""
    stem = file_stem(name)
    if not yes and not (not as_json and _agreed(f"Remove {stem}? What it remembers of you stays. [y/N] ")):
        if as_json:
            print_json({"removed": False, "name": stem})
        else:
            print(
                f"Nothing was removed. --yes does so without asking; 'perdure forget --all --persona {stem}' before it "
                "ends what it remembers of you."
            )
        return 1
    path = remove(name, settings.home)
    if as_json:
        print_json({"removed": True, "name": stem, "file": str(path)})
    else:
        print(f"{stem} is removed. What it remembers of you comes back with a persona of the same name.")
    return 0


def export(
    settings: Settings, who: str, file: Path | None, *, version: int | None, force: bool, as_json: bool
) -> None:
    """Write a persona as a card: JSON to a file or to standard output, or a PNG with both versions."""
    persona = _found(settings, who)
    card = persona.as_card()
    if file is None:
        sys.stdout.write(to_json(_in_version(card, version)).decode())
        return
    if file.suffix.lower() == ".png":
        content = with_cards(
            persona.picture or plain_picture(zlib.crc32(persona.identity.name.encode())),
            {"chara": to_json(as_v2(card), indent=None), "ccv3": to_json(as_v3(card), indent=None)},
        )
    elif file.suffix.lower() == ".json":
        content = to_json(_in_version(card, version))
    else:
        raise InvalidInput(f"What kind of file is {file.name!r}? Name it .json or .png.")
    _write(file, content, force=force)
    if as_json:
        print_json({"file": str(file), "bytes": len(content), "version": card.version})
    else:
        print(f"{persona.identity.name} is in {file}.")


def as_object(persona: Persona) -> dict[str, Any]:
    """A persona as JSON: the core, its prompt, and what a card brings beside."""
    found: dict[str, Any] = {
        "identity": persona.identity.model_dump(mode="json"),
        "prompt": persona.identity.to_system_prompt(),
        "card": None,
    }
    if persona.card is not None:
        data, background = persona.card.data, persona.background
        found["card"] = {
            "version": persona.card.version,
            "creator": data.creator,
            "character_version": data.character_version,
            "creator_notes": data.creator_notes,
            "tags": list(data.tags),
            "greetings": list(background.greetings),
            "examples": list(background.examples),
            "lore": [
                {"keys": list(entry.keys), "constant": entry.constant, "content": entry.content}
                for entry in background.lorebook.entries
            ],
            "picture": persona.picture is not None,
        }
    return found


def _found(settings: Settings, who: str) -> Persona:
    """A persona by name, or in a file of any kind, a card too: it is only looked at here."""
    is_file = who.lower().endswith(SUFFIXES) or "/" in who or os.sep in who
    return read_persona(who) if is_file else chosen_persona(settings, who)


def _renamed(identity: AgentIdentity, name: str) -> AgentIdentity:
    try:
        return AgentIdentity.model_validate(identity.model_dump() | {"name": name})
    except ValueError:
        raise InvalidInput(f"{name!r} cannot be a name: one line of at most 80 characters, please.") from None


def _in_version(card: Card, version: int | None) -> Card:
    if version is None:
        return card
    return as_v3(card) if version == 3 else as_v2(card)


def _write(file: Path, content: bytes, *, force: bool) -> None:
    try:
        with file.open("wb" if force else "xb") as out:
            out.write(content)
    except FileExistsError:
        raise InvalidInput(f"{file} is there already. Name another file, or use --force.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the path cannot be used"
        raise InvalidInput(f"{file} cannot be written: {reason}.") from None


def _agreed(question: str) -> bool:
    if not sys.stdin.isatty():
        return False
    print(question, end="", flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _kind(persona: Persona) -> str:
    return "a persona file" if persona.card is None else f"a character card V{persona.card.version}"


def _print(persona: Persona) -> None:
    """All that can come into a prompt, whole, and of the rest the beginning; no text can steer the terminal."""
    out = console()
    out.print(Text(f"{persona.identity.name}: {_kind(persona)}", style="bold"))
    out.print(Text("What it will be told about itself, in every prompt:", style="dim"))
    out.print(Text(persona.identity.to_system_prompt()))
    if persona.card is None:
        return
    data, background = persona.card.data, persona.background
    if persona.card.newer:
        out.print(
            "The card follows a newer specification than is known here; what is new in it is only kept."
        )
    for title, text in (
        ("By", data.creator),
        ("Version", data.character_version),
        ("Tags", ", ".join(data.tags)),
        ("Notes of the maker (never in a prompt)", data.creator_notes),
    ):
        if text.strip():
            out.print(Text(f"{title}: {_cut(text)}"))
    for entry in background.lorebook.entries:
        when = "always" if entry.constant else f"when it comes to: {', '.join(entry.keys)}"
        out.print(Text(harmless(f"Lore, {when}: {entry.content}")))
    for greeting in background.greetings[:1]:
        out.print(Text(harmless(f"Opens with: {greeting}")))
    for example in background.examples:
        out.print(Text(harmless(f"Talks like this: {example}")))
    if not persona.identity.boundaries:
        out.print("It names no boundaries; honesty about being an AI holds all the same.")


def _cut(text: str) -> str:
    text = harmless(text)
    return text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}… ({len(text):,} characters)"
