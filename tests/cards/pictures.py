"""PNG files around a card, put together chunk by chunk, whole and broken."""

import base64
import json
import struct
import zlib
from typing import Any

from perdure.identity.png import SIGNATURE, plain_picture


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


PICTURE = plain_picture(0x336699)
END = chunk(b"IEND", b"")
EXTRA = chunk(b"tEXt", b"Software\0a paint box") + chunk(b"tEXt", b"chara-ext-asset_:salt\0c2FsdA==")


def coded(card: Any) -> bytes:
    return base64.b64encode(card if isinstance(card, bytes) else json.dumps(card).encode())


def holding(*chunks: bytes) -> bytes:
    """A picture with these chunks before its end."""
    return PICTURE[: -len(END)] + b"".join(chunks) + END


def text(keyword: str, card: Any) -> bytes:
    return chunk(b"tEXt", keyword.encode() + b"\0" + coded(card))


def compressed(keyword: str, content: bytes) -> bytes:
    return chunk(b"zTXt", keyword.encode() + b"\0\0" + zlib.compress(content, 9))


def international(keyword: str, content: bytes, *, packed: bool) -> bytes:
    body = zlib.compress(content, 9) if packed else content
    return chunk(b"iTXt", keyword.encode() + b"\0" + bytes((packed, 0)) + b"en\0\0" + body)


def with_wrong_checksum(png: bytes) -> bytes:
    return png[:-1] + bytes((png[-1] ^ 1,))


__all__ = ["SIGNATURE"]
