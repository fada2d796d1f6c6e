"""Texts to unit vectors: what the record and the index see of an embedding model."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from .text import clean

PASSAGE_CHARS = 2000
"""So much of a passage reaches the model: about a window of 512 tokens. Keyword search sees the rest."""

QUERY_CHARS = 600
"""Of a longer query both ends reach the model: who pastes a long text asks before or after it."""

REMEMBERED = 64
"""Recent queries whose vectors are kept; a turn asks for the same one from several nodes."""


class UnusableVectors(ValueError):
    """The embedding model answered with something that is not one finite, non-zero vector per text."""


class Embedder:
    """A LangChain embedding model as unit vectors (float32). Thread-safe when the model is.

    Blank text is never sent to the model: it raises ValueError, so leave it out. Errors of the model itself
    pass through unchanged.
    """

    def __init__(self, model: Embeddings) -> None:
        self.name = fingerprint(model)
        """Stable name of the vector space, kept beside each vector; known without a call to the model."""
        self._model = model
        self._dimension: int | None = None
        self._recent: OrderedDict[str, Future[NDArray[np.float32]]] = OrderedDict()
        self._lock = threading.Lock()

    def query(self, text: str) -> NDArray[np.float32]:
        """The unit vector (d,) of a question, read-only. Threads asking for the same one compute it once."""
        text = _both_ends(_usable(text), QUERY_CHARS)
        with self._lock:
            known = self._recent.get(text)
            if known is None:
                mine = self._recent[text] = Future[NDArray[np.float32]]()
                if len(self._recent) > REMEMBERED:
                    self._recent.popitem(last=False)
            else:
                self._recent.move_to_end(text)
        if known is not None:
            return known.result()
        try:
            vector: NDArray[np.float32] = self._unit([self._model.embed_query(text)], 1)[0]
        except BaseException as error:
            with self._lock:
                if self._recent.get(text) is mine:
                    del self._recent[text]
            mine.set_exception(error)
            raise
        vector.flags.writeable = False
        mine.set_result(vector)
        return vector

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The unit vectors (n, d) of texts to be found, in their order."""
        if not texts:
            return np.zeros((0, self._dimension or 0), dtype=np.float32)
        shortened = [_usable(text)[:PASSAGE_CHARS] for text in texts]
        return self._unit(self._model.embed_documents(shortened), len(texts))

    def clear(self) -> None:
        """Forget recent queries and their vectors, also those still being computed."""
        with self._lock:
            self._recent.clear()

    def _unit(self, vectors: Sequence[Sequence[float]], wanted: int) -> NDArray[np.float32]:
        try:
            matrix = np.asarray(vectors, dtype=np.float64)
        except (TypeError, ValueError):
            raise UnusableVectors(f"{self.name} gave vectors of differing lengths, or no numbers.") from None
        if matrix.ndim != 2 or matrix.shape[0] != wanted or matrix.shape[1] == 0:
            raise UnusableVectors(f"{self.name} gave vectors of shape {matrix.shape} for {wanted} texts.")
        if self._dimension not in (None, matrix.shape[1]):
            raise UnusableVectors(
                f"{self.name} gave vectors of {matrix.shape[1]} numbers, before of {self._dimension}. "
                "Its name must stand for one model."
            )
        length = np.linalg.norm(matrix, axis=1, keepdims=True)
        if not np.isfinite(length).all() or not length.all():
            raise UnusableVectors(f"{self.name} gave a vector of zeros, or with numbers that are not finite.")
        self._dimension = matrix.shape[1]
        unit: NDArray[np.float32] = (matrix / length).astype(np.float32)
        return unit


def fingerprint(model: Embeddings) -> str:
    """A stable name for the model: its own for perdure's models, `openai:<model>`, else the class.

    A `model` or `model_name`, and `dimensions`, are part of it where the class has them.
    """
    kind = type(model)
    named = next((n for a in ("model", "model_name") if isinstance(n := getattr(model, a, None), str)), None)
    if named and kind.__module__.startswith("perdure."):
        return named
    name = {"OpenAIEmbeddings": "openai"}.get(kind.__name__, kind.__name__)
    name = f"{name}:{named}" if named else name
    dimensions = getattr(model, "dimensions", None)
    return f"{name}@{dimensions}" if isinstance(dimensions, int) else name


def _usable(text: str) -> str:
    text = clean(text).strip()
    if not text:
        raise ValueError("Blank text has no vector. Leave it out.")
    return text


def _both_ends(text: str, limit: int) -> str:
    if len(text) <= limit:
        return text
    half = limit // 2
    return f"{text[:half]}\n{text[-half:]}"
