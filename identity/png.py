"""Text chunks of PNG files, without decoding a picture: what a character card travels in. Strict and bounded.

Only chunks are read, and every byte that is not a card stays as it was, so a picture comes out as it went in.
"""

import base64
import binascii
import struct
import zlib
from collections.abc import Iterator, Mapping

from ..stores.errors import InvalidInput

SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_LIMIT = 32 * 1024 * 1024
"""Largest picture, in bytes."""
TEXT_LIMIT = 8 * 1024 * 1024
"""Largest text of a card's chunk, in bytes, base64 and decompressed."""
CHUNKS_LIMIT = 100_000

KEYWORDS = ("ccv3", "chara")
"""The chunks that hold cards, the one that counts first: V3, then V2."""

_TEXT = (b"tEXt", b"zTXt", b"iTXt")


def card_texts(png: bytes) -> dict[str, bytes]:
    """The JSON of each card in a PNG file, by the keyword of its chunk.

    Raises InvalidInput, with what to do, for what is no whole PNG file, or holds no card that can be read.
    """
    found: dict[str, bytes] = {}
    for kind, body in _chunks(png):
        keyword = _keyword(kind, body)
        if keyword in KEYWORDS:
            text = _decoded(_text(kind, body, keyword), keyword)
            if found.setdefault(keyword, text) != text:
                raise InvalidInput(
                    f"The PNG file has two different cards in chunks named {keyword}. Keep one."
                )
    if not found:
        raise InvalidInput(_no_card(png))
    return found


def without_cards(png: bytes) -> bytes:
    """The same picture with the cards taken out, every other chunk as it was."""
    return SIGNATURE + b"".join(
        _chunk(kind, body) for kind, body in _chunks(png) if _keyword(kind, body) not in KEYWORDS
    )


def with_cards(picture: bytes, cards: Mapping[str, bytes]) -> bytes:
    """The picture with these cards (JSON by keyword), each in a tEXt chunk before the end."""
    chunks = [_chunk(b"tEXt", name.encode() + b"\0" + base64.b64encode(text)) for name, text in cards.items()]
    bare = without_cards(picture)
    end = len(_chunk(b"IEND", b""))
    return b"".join((bare[:-end], *chunks, bare[-end:]))


def plain_picture(colour: int) -> bytes:
    """A small picture of one colour (24 bits of RGB), for a persona that has none of its own."""
    width, height = 64, 96
    row = b"\0" + (colour & 0xFFFFFF).to_bytes(3, "big") * width
    return SIGNATURE + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            _chunk(b"IDAT", zlib.compress(row * height, 9)),
            _chunk(b"IEND", b""),
        )
    )


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Every chunk, its checksum verified, from the header to the end; what follows the end is not looked at."""
    if not png.startswith(SIGNATURE):
        raise InvalidInput("This is no PNG file. Give a character card as JSON or PNG.")
    at, number = len(SIGNATURE), 0
    while True:
        head = png[at : at + 8]
        if len(head) < 8:
            raise _truncated(at)
        length, kind = struct.unpack(">I4s", head)
        body, check = png[at + 8 : at + 8 + length], png[at + 8 + length : at + 12 + length]
        if len(check) < 4:
            raise _truncated(at)
        if zlib.crc32(kind + body) != int.from_bytes(check, "big"):
            raise InvalidInput(f"The PNG file is damaged at byte {at} (a checksum is wrong). Get it again.")
        if (number == 0) != (kind == b"IHDR"):
            raise InvalidInput(f"The PNG file is damaged: its header is not where it belongs, byte {at}.")
        yield kind, body
        at, number = at + 12 + length, number + 1
        if kind == b"IEND":
            return
        if number >= CHUNKS_LIMIT:
            raise InvalidInput(
                f"The PNG file has more than {CHUNKS_LIMIT:,} chunks. Use an ordinary picture."
            )


def _truncated(at: int) -> InvalidInput:
    return InvalidInput(f"The PNG file is cut off at byte {at}. Get it again.")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _keyword(kind: bytes, body: bytes) -> str:
    """The keyword of a text chunk, in lower case; blank for every other chunk."""
    if kind not in _TEXT:
        return ""
    return body[:80].partition(b"\0")[0].decode("latin-1").lower()


def _text(kind: bytes, body: bytes, keyword: str) -> bytes:
    """The text of a chunk, decompressed where it has to be."""
    _, found, rest = body.partition(b"\0")
    packed = kind == b"zTXt"
    if found and kind == b"zTXt":
        method, rest = rest[:1], rest[1:]
        found = b"\0" if method == b"\0" else b""
    elif found and kind == b"iTXt":
        packed, method = rest[:1] == b"\1", rest[1:2]
        _, found, rest = rest[2:].partition(b"\0")  # language
        _, found, rest = rest.partition(b"\0")  # translated keyword
        found = found if method == b"\0" else b""
    if not found:
        raise InvalidInput(f"The chunk {keyword} of the PNG file is damaged. Get the file again.")
    text = _unpacked(rest, keyword) if packed else rest
    if len(text) > TEXT_LIMIT:
        raise _too_large(keyword)
    return text


def _unpacked(packed: bytes, keyword: str) -> bytes:
    """Decompress, and stop as soon as it is too much."""
    try:
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(packed, TEXT_LIMIT + 1)
    except zlib.error:
        raise InvalidInput(
            f"The chunk {keyword} of the PNG file cannot be decompressed. Get it again."
        ) from None
    if len(text) > TEXT_LIMIT:
        raise _too_large(keyword)
    if not unpacking.eof:
        raise InvalidInput(f"The compressed chunk {keyword} of the PNG file is cut off. Get the file again.")
    return text


def _too_large(keyword: str) -> InvalidInput:
    return InvalidInput(
        f"The card in chunk {keyword} is larger than {TEXT_LIMIT // 1024**2} MB. Shorten it, or take its JSON."
    )


def _decoded(text: bytes, keyword: str) -> bytes:
    try:
        return base64.b64decode(b"".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        raise InvalidInput(
            f"The chunk {keyword} of the PNG file does not hold valid base64. Export the card again."
        ) from None


def _no_card(png: bytes) -> str:
    names = sorted({name for kind, body in _chunks(png) if (name := _keyword(kind, body))})
    shown = ", ".join(repr(name[:40]) for name in names[:5])
    there = f" It has text named {shown}." if names else ""
    return f"The PNG file holds no character card (no text chunk named chara or ccv3).{there}"
