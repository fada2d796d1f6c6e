"""Embeddings for tests: the words of a text hashed into a short vector. Deterministic, and fast."""

import re
import zlib
from collections.abc import Callable

from langchain_core.embeddings import Embeddings

DIMENSIONS = 64


class HashingEmbeddings(Embeddings):
    """Texts that share words are near each other, in any language written with spaces.

    Args:
        fails: raises ConnectionError for each text it returns True for; may be changed while in use.
    """

    def __init__(self, fails: Callable[[str], bool] = lambda text: False) -> None:
        self.fails = fails
        self.asked: list[str] = []
        """Every text it was given, in order."""

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        return self._vector(text)

    def _vector(self, text: str) -> list[float]:
        self.asked.append(text)
        if self.fails(text):
            raise ConnectionError("scripted failure of the embedding model")
        vector = [0.0] * DIMENSIONS
        for word in re.findall(r"\w+", text.casefold()) or ["\n"]:
            vector[zlib.crc32(word.encode()) % DIMENSIONS] += 1.0
        return vector
