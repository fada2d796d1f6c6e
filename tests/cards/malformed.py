"""Files that are wrong in one way each: name, bytes, suffix, and what the error must say."""

import copy
import json
import zlib
from typing import Any

from perdure.identity.cards import CARD_LIMIT, ENTRIES_LIMIT
from perdure.identity.png import PNG_LIMIT, TEXT_LIMIT

from .pictures import (
    END,
    PICTURE,
    SIGNATURE,
    chunk,
    compressed,
    holding,
    international,
    text,
    with_wrong_checksum,
)
from .whole import V2, V3


def _changed(**fields: Any) -> bytes:
    card = copy.deepcopy(V2)
    card["data"].update(fields)
    return json.dumps(card).encode()


def _book(**fields: Any) -> bytes:
    return _changed(character_book={"entries": [{"keys": ["a"], "content": "b", **fields}]})


def _raw(old: str, new: str) -> bytes:
    return json.dumps(V2).replace(old, new, 1).encode()


BOMB = b"A" * (TEXT_LIMIT + 1)

JSON: dict[str, tuple[bytes, str]] = {
    "cut off": (json.dumps(V2).encode()[:-40], "not valid JSON"),
    "not utf-8": (json.dumps(V2).encode("utf-16"), "(not UTF-8|not valid JSON)"),
    "no spec": (json.dumps(V2["data"] | {"spec": 1}).encode(), "no character card of version 2 or 3"),
    "a later spec": (_raw("chara_card_v2", "chara_card_v9"), "no character card of version 2 or 3"),
    "version 1": (json.dumps(V2["data"]).encode(), "no character card of version 2 or 3"),
    "no data": (json.dumps({"spec": "chara_card_v2"}).encode(), "needs `spec`.*and `data`"),
    "data a list": (json.dumps({"spec": "chara_card_v3", "data": []}).encode(), "needs `spec`.*and `data`"),
    "no name": (json.dumps({"spec": "chara_card_v2", "data": {}}).encode(), "'data.name' is missing"),
    "blank name": (_changed(name=" \n "), "'name' is blank"),
    "long name": (_changed(name="N" * 81), r"at most 80 characters \(it has 81\)"),
    "description a list": (_changed(description=["a"]), "'data.description'.*string"),
    "tags a text": (_changed(tags="a, b"), "'data.tags'"),
    "greetings of numbers": (_changed(alternate_greetings=[1]), "'data.alternate_greetings.0'"),
    "extensions a list": (_changed(extensions=[]), "'data.extensions'"),
    "long description": (_changed(description="x" * 20_001), r"at most 20000 characters \(it has 20,0"),
    "very long greeting": (_changed(first_mes="x" * 200_001), "'data.first_mes'.*200000"),
    "book a list": (_changed(character_book=[]), "'data.character_book'"),
    "entries an object": (_changed(character_book={"entries": {"0": {}}}), "'data.character_book.entries'"),
    "keys a text": (_book(keys="a,b"), "entries.0.keys"),
    "enabled a text": (_book(enabled="yes"), "entries.0.enabled"),
    "order a text": (_book(insertion_order="first"), "entries.0.insertion_order"),
    "too many entries": (
        _changed(character_book={"entries": [{"keys": [], "content": ""}] * (ENTRIES_LIMIT + 1)}),
        f"at most {ENTRIES_LIMIT}",
    ),
    "too many keys": (_book(keys=["k"] * 201), "at most 200"),
    "too many keys in all": (
        _changed(character_book={"entries": [{"keys": ["k"] * 200, "content": ""}] * 60}),
        "12,000 keys in all",
    ),
    "a field twice": (_raw('"name"', '"name": "Other", "name"'), "stands there twice"),
    "not a number": (_raw("1e-07", "NaN"), "NaN is no JSON number"),
    "endless number": (_raw("1e-07", "1e999"), "too large"),
    "half a character": (_raw("Best by", "\\ud83d"), "lone surrogate"),
    "nested": (_raw("1e-07", "[" * 200 + "]" * 200), "nested too deeply"),
    "nested without end": (_raw("1e-07", "[" * 200_000), "(nested too deeply|not valid JSON)"),
    "huge": (b'{"spec": "chara_card_v2", "x": "' + b"x" * CARD_LIMIT + b'"}', "larger than 6,144 kB"),
}

PNG: dict[str, tuple[bytes, str]] = {
    "no card": (holding(chunk(b"tEXt", b"Comment\0hello")), "no character card.*'comment'"),
    "wrong chunk": (holding(text("character", V2)), "no character card.*'character'"),
    "bad base64": (holding(chunk(b"tEXt", b"chara\0not base64!")), "chara.*valid base64"),
    "base64 cut off": (holding(chunk(b"tEXt", b"ccv3\0eyJ")), "ccv3.*valid base64"),
    "no JSON in it": (holding(text("chara", b"hello")), "chara.*not valid JSON"),
    "empty": (holding(chunk(b"tEXt", b"chara\0")), "chara.*not valid JSON"),
    "no value": (holding(chunk(b"tEXt", b"chara")), "chunk chara.*damaged"),
    "cut off": (holding(text("chara", V2))[:-30], "cut off at byte"),
    "only a signature": (SIGNATURE, "cut off at byte 8"),
    "no end": (PICTURE[: -len(END)], "cut off at byte"),
    "a length that lies": (SIGNATURE + b"\xff\xff\xff\xffIHDR", "cut off"),
    "damaged": (with_wrong_checksum(holding(text("chara", V2))), "checksum is wrong"),
    "no header": (SIGNATURE + text("chara", V2) + END, "header is not where it belongs"),
    "two cards": (holding(text("chara", V2), text("chara", V3)), "two different cards"),
    "zTXt bomb": (holding(compressed("chara", BOMB)), "larger than 8 MB"),
    "iTXt bomb": (holding(international("ccv3", BOMB, packed=True)), "larger than 8 MB"),
    "zTXt cut off": (
        holding(chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"QQ==" * 500)[:-8])),
        "(cut off|cannot be decompressed)",
    ),
    "zTXt of nothing": (holding(chunk(b"zTXt", b"chara\0\0rubbish")), "cannot be decompressed"),
    "zTXt of another method": (holding(chunk(b"zTXt", b"chara\0\7" + zlib.compress(b"QQ=="))), "damaged"),
    "iTXt without its parts": (holding(chunk(b"iTXt", b"chara\0\0\0en")), "damaged"),
    "huge": (SIGNATURE + b"\0" * PNG_LIMIT, "larger than 32 MB"),
}

OTHER: dict[str, tuple[bytes, str]] = {
    "a CHARX archive.charx": (b"PK\x03\x04rest", "CHARX archive, which is not read"),
    "a JPEG.jpg": (b"\xff\xd8\xff\xe0rest", "no PNG"),
    "a PNG by name only.png": (b"hello", "no PNG file"),
}


def every() -> list[tuple[str, bytes, str]]:
    """File name, content and expected words of every malformed file."""
    files = [(f"{name}.json", *what) for name, what in JSON.items()]
    files += [(f"{name}.png", *what) for name, what in PNG.items()]
    return files + [(name, *what) for name, what in OTHER.items()]
