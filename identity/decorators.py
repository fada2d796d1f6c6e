"""Decorators of V3 lore entries: lines such as `@@scan_depth 3` at the head of an entry's content. Pure."""

import re
from collections.abc import Mapping

_LINE = re.compile(r"^@@(@?)([A-Za-z_]+)(?:[ \t]+(.*?))?[ \t]*$")

BARE = frozenset({"activate", "dont_activate"})
LISTS = frozenset({"additional_keys", "exclude_keys"})
NUMBERS = frozenset({"scan_depth"})
"""The decorators that are followed. Those about places in the prompt, greetings, icons and counts of all
messages are not: an entry stands in one block here, and only the window is looked at."""


def read_decorators(content: str) -> tuple[Mapping[str, str], str]:
    """The decorators of a content by name, the first of each, and the content without them.

    A fallback (`@@@`) counts when the one before it is not followed here, or has no use of its value.
    """
    found: dict[str, str] = {}
    lines = content.splitlines()
    taken, used = 0, False
    for line in lines:
        written = _LINE.match(line.strip())
        if line.strip() and not written:
            break
        taken += 1
        if not written:
            continue
        fallback, name, value = written[1] == "@", written[2].lower(), written[3] or ""
        if fallback and used:
            continue
        used = _followed(name, value)
        if used:
            found.setdefault(name, value)
    return (found, "\n".join(lines[taken:]).strip()) if found or taken else ({}, content.strip())


def without_decorators(content: str) -> str:
    """The content alone; one without decorators stays as it is."""
    return read_decorators(content)[1] if content.lstrip().startswith("@@") else content


def _followed(name: str, value: str) -> bool:
    if name in BARE:
        return True
    if name in NUMBERS:
        return value.strip().isascii() and value.strip().isdigit() and len(value) < 9
    return name in LISTS and bool(value.strip())
