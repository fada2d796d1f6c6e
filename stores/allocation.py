"""Memory that is handed out without what stood in it before.

Chroma's HNSW writes a buffer to `length.bin` that it never filled: whatever the process had in that memory goes to
disk with it, vectors of other records included (seen with chromadb 1.5.9). Glibc can fill memory as it is handed
out; elsewhere nothing is done.
"""

import ctypes
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_M_PERTURB = -6
_PATTERN = 0xA5

_guard = threading.Lock()
_users = 0


@contextmanager
def filled() -> Iterator[None]:
    """Within this block no newly allocated memory holds old content."""
    global _users
    if _mallopt is None:
        yield
        return
    with _guard:
        _users += 1
        _mallopt(_M_PERTURB, _PATTERN)
    try:
        yield
    finally:
        with _guard:
            _users -= 1
            if not _users:
                _mallopt(_M_PERTURB, 0)


def _find() -> "ctypes._NamedFuncPointer | None":
    if not sys.platform.startswith("linux"):
        return None
    try:
        return ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return None


_mallopt = _find()
