"""The floor: what no agent with this memory can do without.

One query embedding, a bare graph (one node) with the same checkpointer and durability, one raw FTS5 query and one raw
Chroma query over the same data. Among several scopes the raw FTS5 query names the one that is asked, as ours does:
without that it would go through everybody's words.
"""

import sqlite3
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.graph import END, START, MessagesState, StateGraph

from ...graph.agent import PersistentAgent
from ...graph.checkpoints import open_checkpoints
from ...stores.chroma_index import collection_name
from ...stores.dialect import within
from ...stores.text import match
from ...stores.vectors import Vector
from .stages import Stages


def bare_graph(home: Path) -> Any:
    """One node that answers at once, with the same checkpointer."""
    graph = StateGraph(MessagesState)
    graph.add_node("llm", lambda state: {"messages": [AIMessage("Good.")]})
    graph.add_edge(START, "llm")
    graph.add_edge("llm", END)
    return graph.compile(checkpointer=open_checkpoints(home))


class Floor:
    """What every turn must pay for."""

    def __init__(self, agent: PersistentAgent, home: Path, stages: Stages, *, scopes: int = 1) -> None:
        self.stages = stages
        self._scopes = scopes
        self._embedder = agent.parts.recall.indexer.embedder
        self._graph = bare_graph(home)
        self._words = sqlite3.connect(agent.memory.database.path)
        self._agent = agent
        self._collections: dict[str, Any] = {}

    async def run(self, user: str, question: str, thread: str) -> None:
        with self.stages.timed("embed"):
            vector = self._embedder.query(f"And {question}?")
        with self.stages.timed("bare graph"):
            await self._graph.ainvoke(
                {"messages": [HumanMessage(question)]},
                {"configurable": {"thread_id": thread}},
                durability="exit",
            )
        self.search(user, question, vector)

    def search(self, user: str, question: str, vector: Vector) -> None:
        """One raw query of each of the two indexes."""
        words = match(question) or ""
        if self._scopes > 1:
            words = within(self._agent.memory.open_scope(self._agent.scope(user)), words)
        with self.stages.timed("fts5"):
            self._words.execute(
                "SELECT rowid, bm25(message_words) AS score FROM message_words "
                "WHERE message_words MATCH ? ORDER BY score LIMIT 10",
                (words,),
            ).fetchall()
        collection = self._collection(user)
        with self.stages.timed("chroma"):
            collection.query(query_embeddings=[vector.tolist()], n_results=10, include=[])

    def close(self) -> None:
        self._words.close()
        self._graph.checkpointer.conn.close()

    def _collection(self, user: str) -> Any:
        if user not in self._collections:
            key = self._agent.memory.scope_key(self._agent.scope(user))
            index = self._agent.parts.recall.indexer._index
            assert index is not None
            assert key is not None
            self._collections[user] = index._client.get_collection(collection_name(key, self._embedder.name))
        return self._collections[user]
