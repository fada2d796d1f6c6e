"""How many model tokens learning costs for each turn of conversation, beside the conversation's own tokens.

    python -m perdure.evals.learning_cost [--turns 40] [--every 20] [--reply-words 20] [--json]

A session of everyday turns is understood as `perdure chat` does it with a model: every `every` turns, and at its
end. The model is scripted and answers with a summary and one fact; tokens are estimated (stores.tokens), of the
prompts that learning sends and of the answers it gets.
"""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from pydantic import Field

from ..graph.agent import PersistentAgent
from ..graph.settings import Settings
from ..identity import luna
from ..stores.memory_store import MemoryStore
from ..stores.tokens import count
from .speed import USER, sentences

REPLY = "That sounds like a good day. What did you like best about it, and would you do it again?"
UNDERSTOOD = json.dumps(
    {
        "summary": "The user told of everyday matters. They were in good spirits.",
        "tone": "positive",
        "topics": ["everyday life"],
        "statements": [
            {
                "subject": "user",
                "attribute": "likes",
                "value": "long walks by the canal",
                "statement": "Likes long walks by the canal.",
                "message": 3,
                "quote": "I like long walks by the canal",
            }
        ],
        "commitments": [],
        "settled": [],
    }
)


class Counting(BaseChatModel):
    """Answers turns with a remark and learning with a fixed understanding, and counts what each takes."""

    turns: list[int] = Field(default_factory=list)
    learning: list[int] = Field(default_factory=list)
    reply: str = REPLY

    @property
    def _llm_type(self) -> str:
        return "counting"

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        asked = "\n".join(str(m.content) for m in messages)
        learns = not asked.startswith(f"You are {luna.name}.")
        said = UNDERSTOOD if learns else self.reply
        (self.learning if learns else self.turns).append(count(asked) + count(said))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(said))])


async def measure(turns: int, every: int, reply_words: int) -> dict[str, float]:
    """Tokens a turn: of the conversation's words, of the reply calls, and of learning."""
    with tempfile.TemporaryDirectory() as folder:
        words = REPLY.split()
        model = Counting(reply=" ".join((words * (reply_words // len(words) + 1))[:reply_words]))
        settings = Settings(home=Path(folder), consolidate_every_turns=every)
        agent = PersistentAgent(luna, MemoryStore(folder), model=model, settings=settings)
        texts = list(sentences(turns * 3, seed=5))
        said = [". ".join(texts[i : i + 3]) for i in range(0, len(texts), 3)]
        try:
            for number, text in enumerate(said, 1):
                await agent.chat(USER, text, "talk")
                if number % every == 0:
                    await asyncio.to_thread(agent.consolidator.settle, 30.0)
            await agent.end_session(USER, "talk")
        finally:
            agent.close()
    spoken = sum(count(text) + count(model.reply) for text in said)
    return {
        "turns": turns,
        "conversation": round(spoken / turns, 1),
        "reply_calls": round(sum(model.turns) / turns, 1),
        "learning": round(sum(model.learning) / turns, 1),
        "learning_calls": len(model.learning),
    }


def main(
    turns: Annotated[int, typer.Option(min=1, help="Turns of the session.")] = 40,
    every: Annotated[int, typer.Option(min=1, help="Turns after which a session is understood.")] = 20,
    reply_words: Annotated[int, typer.Option(min=1, help="Words of each reply of the agent.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs.")] = False,
) -> None:
    """Print model tokens spent on learning for each turn of conversation."""
    found = asyncio.run(measure(turns, every, reply_words))
    if as_json:
        print(json.dumps(found))
        return
    print(f"a turn's own words:        {found['conversation']:>7} tokens")
    print(f"its reply call:            {found['reply_calls']:>7} tokens (prompt and reply)")
    print(
        f"learning, spread over it:  {found['learning']:>7} tokens ({found['learning_calls']} calls in all)"
    )


if __name__ == "__main__":
    typer.run(main)
