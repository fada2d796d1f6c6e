"""The chat: reads messages from a terminal or a pipe and shows the reply as it comes."""

import asyncio
import sys
from collections.abc import Iterator
from itertools import chain

from ..graph.agent import CLOSING_SECONDS, PersistentAgent
from ..graph.models import describe
from ..graph.parts import CHAT_HISTORY
from ..graph.personas import chosen_persona
from ..graph.settings import Settings
from ..stores.errors import PerdureError
from ..stores.records import valid_id
from . import forget as forgetting
from .memory import USUAL, print_memories
from .memory_changes import correct_in_chat

QUIET_SECONDS = 0.5
"""A chat's end says nothing about remembering when it takes no longer."""

HELP = """\
/help       these commands
/new        start a new session
/memories   what I know about you
/correct    put a memory right: /correct ID NEW VALUE
/forget ... erase something for good; shows first what would go
/quit       end the chat (or Ctrl-D)
Ctrl-C stops a reply; your message is kept."""

_BARE = ("/help", "/new", "/memories", "/quit", "/exit")
"""Commands that take nothing behind them."""


def run(settings: Settings, *, user: str | None, session: str | None, persona: str | None) -> int:
    """Chat until the input ends; returns the exit status (1 when the last message got no reply)."""
    chosen = chosen_persona(settings, persona)
    agent = PersistentAgent(chosen.identity, settings=settings, background=chosen.background)
    talk = _Talk(agent, user if user is not None else settings.user, session)
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    try:
        with asyncio.Runner() as runner:
            if interactive:
                print(f"{chosen.identity.name} ({describe(agent.parts.model)}). /help lists the commands.\n")
                return talk.listen(runner, _typed(settings), interactive=True)
            return talk.listen(runner, _piped(), interactive=False)
    finally:
        _leave(agent, say=interactive)


def _leave(agent: PersistentAgent, *, say: bool) -> None:
    """Close the agent once the sessions talked in are understood; Ctrl-C leaves that for the next start."""
    try:
        if not agent.end_sessions(timeout=QUIET_SECONDS):
            if say:
                print("Remembering this conversation ... (Ctrl-C leaves it for later)", flush=True)
            agent.end_sessions(timeout=CLOSING_SECONDS)
    except KeyboardInterrupt:
        print("(left for later)" if say else "", end="\n" if say else "", flush=True)
    finally:
        agent.close(timeout=0.0)


class _Talk:
    """One user's side of a chat: which session it is in, and what was last answered."""

    def __init__(self, agent: PersistentAgent, user: str, session: str | None) -> None:
        agent.catch_up(user)
        self._agent = agent
        self._lines: Iterator[str] = iter(())
        self._user = user
        self._session = agent.memory.ids() if session is None else valid_id(session, "--session")
        if session is not None and not agent.memory.session_messages(agent.scope(user), session, limit=1):
            print(f"perdure: There is no session {session} to go on with; it begins now.", file=sys.stderr)

    def listen(self, runner: asyncio.Runner, lines: Iterator[str], *, interactive: bool) -> int:
        status = 0
        self._lines = lines
        while (line := next(self._lines, None)) is not None:
            text = line.strip()
            if not text:
                continue
            if text in ("/quit", "/exit"):
                break
            if self._command(text):
                continue
            status = self._answer(runner, line)
        if interactive:
            print(f"To go on with this session: perdure chat --session {self._session}")
        return status

    def _command(self, text: str) -> bool:
        name = text.split()[0]
        if name in _BARE and name != text:
            print(f"Nothing was done: {name} takes no words behind it. /help lists the commands.")
        elif text == "/help":
            print(HELP)
        elif text == "/new":
            self._session = self._agent.memory.ids()
            print("A new session has begun.")
        elif text == "/forget" or text.startswith("/forget "):
            self._forget(text.removeprefix("/forget").strip())
        elif text == "/memories":
            known = self._agent.memory.memories(self._agent.scope(self._user))
            print_memories([memory for memory in known if memory.kind in USUAL])
        elif name == "/correct":
            self._correct(text.removeprefix("/correct"))
        elif text.startswith("/") and " " not in text and text[1:].isalpha():
            print(f"There is no command {text}. /help lists them.")
        else:
            return False
        return True

    def _correct(self, words: str) -> None:
        try:
            print(correct_in_chat(self._agent.memory, self._agent.scope(self._user), words))
        except PerdureError as error:
            print(f"perdure: {error}", file=sys.stderr)

    def _forget(self, words: str) -> None:
        if not words:
            print("Say what: /forget my door code")
            return
        try:
            scope = self._agent.scope(self._user)
            erased = forgetting.in_chat(
                self._agent.parts.forgetting, scope, words, self._ask, self._no_answer
            )
            if erased is not None:
                pending = self._agent.parts.forgetting.settle()
                rest = self._agent.parts.forgetting.still_says(scope, words)
                done = f"Forgotten. {forgetting.REST if rest else forgetting.CLEAN}"
                print(done if pending is None else f"pending: {pending}")
        except PerdureError as error:
            print(f"perdure: {error}", file=sys.stderr)

    def _ask(self, question: str) -> str:
        print(question, flush=True)
        return next(self._lines, "")

    def _no_answer(self, line: str) -> None:
        """What does not answer a question is a message: it is read again."""
        self._lines = chain([line], self._lines)

    def _answer(self, runner: asyncio.Runner, text: str) -> int:
        try:
            runner.run(self._show(text))
        except KeyboardInterrupt:
            print("(stopped; your message is kept)", flush=True)
            return 130
        except PerdureError as error:
            print(f"perdure: {error}", file=sys.stderr)
            return 1
        return 0

    async def _show(self, text: str) -> None:
        begun = False
        try:
            async for piece in self._agent.stream(self._user, text, self._session):
                print(piece if begun else f"{self._agent.identity.name}: {piece}", end="", flush=True)
                begun = True
        finally:
            if begun:
                print(flush=True)


def _typed(settings: Settings) -> Iterator[str]:
    """Lines with editing and a history that outlives the process."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import FileHistory

    settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    history = settings.home / CHAT_HISTORY
    history.touch(mode=0o600)
    prompt: PromptSession[str] = PromptSession(history=FileHistory(str(history)))
    while True:
        try:
            yield prompt.prompt("you: ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _piped() -> Iterator[str]:
    """Lines from a pipe; bytes that are no UTF-8 are replaced rather than fatal."""
    for line in sys.stdin.buffer:
        yield line.decode("utf-8", errors="replace").rstrip("\r\n")
