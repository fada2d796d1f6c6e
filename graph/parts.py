"""What an agent is put together from, and letting go of it again."""

import atexit
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel

from ..stores.chroma_index import ChromaIndex, connect_index, open_index
from ..stores.embedding import Embedder
from ..stores.erasure.settling import Scrubs
from ..stores.forgetting import Forgetting
from ..stores.indexer import Indexer
from ..stores.memory_store import MemoryStore
from ..stores.recall import Recall
from .embeddings import embeddings as local_or_remote
from .models import chat_model, close
from .offline_voice import OfflineVoice
from .settings import Settings, load_settings

INDEX = "index"
CHAT_HISTORY = "chat_history"
"""The line-editing history of the chat, in the data directory."""


@dataclass(frozen=True)
class Parts:
    """The memory layer and the model of one agent, opened at first use."""

    memory: MemoryStore
    recall: Recall
    model: BaseChatModel
    forgetting: Forgetting
    built: tuple[BaseChatModel | Embeddings, ...] = ()
    """What was built here, and so is closed here."""

    def close(self) -> None:
        """Finish pending indexing, and close files and connections."""
        atexit.unregister(self.close)
        self.recall.close()
        self.memory.close()
        for model in self.built:
            close(model)


def open_parts(
    settings: Settings | None = None,
    *,
    memory: MemoryStore | None = None,
    model: BaseChatModel | None = None,
    embeddings: Embeddings | None = None,
    background: bool = True,
    scrubs: Scrubs = MappingProxyType({}),
    erased: Callable[[], None] = lambda: None,
) -> Parts:
    """Put together what is given and, for the rest, what the settings say; closed at exit if not before.

    `scrubs` take what is forgotten out of the checkpoints that can be reached (graph.forgetting), and `erased` hears
    of every erasure.
    """
    settings = settings or load_settings()
    memory = memory or MemoryStore(settings.home)
    embedding_model = embeddings or local_or_remote(settings)
    indexer = Indexer(
        memory,
        Embedder(embedding_model),
        lambda: _open_index(memory.home, settings.chroma_url),
        background=background,
    )
    voice = model or chat_model(settings) or OfflineVoice()
    recall = Recall(indexer, ranked=settings.ranking)
    history = memory.home / CHAT_HISTORY
    forgetting = Forgetting(indexer, scrubs=scrubs, history=history, let_go=recall.let_go, erased=erased)
    built = [made for made, given in ((voice, model), (embedding_model, embeddings)) if given is None]
    parts = Parts(memory, recall, voice, forgetting, tuple(built))
    atexit.register(parts.close)
    return parts


def _open_index(home: Path, url: str | None) -> ChromaIndex:
    return connect_index(url) if url else open_index(home / INDEX)
