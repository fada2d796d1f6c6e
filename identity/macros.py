"""Macros of character cards ({{char}}, {{user}} and the like), rendered where a text is used. Pure.

Rendering depends on nothing but its arguments: what a card leaves to chance is chosen by the macro's own text,
so a core has the same bytes every time.
"""

import re
import zlib

ANYBODY = "the user"
"""What {{user}} stands for where no name may stand: in the core, which holds nothing that was remembered."""

_MACRO = re.compile(r"\{\{([^{}]{1,2000})\}\}|<(bot|char|user)>", re.IGNORECASE)
_SILENT = ("//", "hidden_key:", "comment:")
_ROLL = re.compile(r"roll:\s*d?(\d{1,9})")
_COMMA = re.compile(r"(?<!\\),")


def rendered(text: str, *, char: str, user: str = ANYBODY) -> str:
    """`text` with its macros replaced; names put in are not looked through again, unknown macros stay."""

    def replaced(found: re.Match[str]) -> str:
        written = found[1] or found[2]
        name = written.strip().lower()
        if name in ("char", "bot"):
            return char
        if name == "user":
            return user
        if name == "original" or name.startswith(_SILENT):
            return ""
        return _chosen(name, written.strip(), found[0])

    return _MACRO.sub(replaced, text) if "{{" in text or "<" in text else text


def _chosen(name: str, written: str, macro: str) -> str:
    draw = zlib.crc32(macro.encode("utf-8", "replace"))
    if name.startswith(("random:", "pick:")):
        choices = [c.replace("\\,", ",").strip() for c in _COMMA.split(written.partition(":")[2].lstrip(":"))]
        return choices[draw % len(choices)]
    if rolled := _ROLL.fullmatch(name):
        return str(draw % max(1, int(rolled[1])) + 1)
    if name.startswith("reverse:"):
        return written.partition(":")[2].strip()[::-1]
    return macro
