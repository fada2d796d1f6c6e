"""No user, agent or session sees another's memory: on the whole graph, whatever the ids look like."""

import asyncio
import itertools
import json
import sqlite3
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from perdure.graph.builder import compile_agent
from perdure.graph.checkpoints import CHECKPOINTS, open_checkpoints
from perdure.graph.parts import open_parts
from perdure.graph.settings import Settings
from perdure.identity import luna
from perdure.nodes.state import Context
from perdure.stores.errors import ForeignSession, InvalidInput, ModelUnavailable
from perdure.stores.memory_store import DATABASE, MemoryStore
from perdure.stores.records import Scope

from ..agents import holding
from ..embeddings import HashingEmbeddings
from ..scripted import ScriptedChatModel

ROOT = Path(__file__).parents[2]

LOOKALIKES = [
    ["eva-k", "eva_k", "eva%", "EVA-K"],
    ["ann", "anna", "ann ", "an"],
    ["foo", "foo.bar", "foobar", "foo/bar"],
    ["eva.k@example.org", "eva_k@example.org", "eva k@example.org"],
    [
        "Jürgen Müller",
        "Ju\u0308rgen Mu\u0308ller",
        "ab",
        "a" * 100,
        "张三",
        "x..y",
        "192.168.0.1",
        "My Agent (v2)",
    ],
]


@pytest.mark.parametrize("users", LOOKALIKES, ids=lambda users: users[0])
def test_users_whose_ids_look_alike_never_meet(tmp_path: Path, users: list[str]) -> None:
    towns = ["Ghent", "Lyon", "Oslo", "Porto", "Turin", "Basel", "Malmo", "Zagreb"]
    homes = dict(zip(users, towns, strict=False))
    with holding(tmp_path) as luna_here:
        for user, town in homes.items():
            luna_here.say(f"I live in {town}.", user=user, session=f"{town} 1")
        for user, town in homes.items():
            luna_here.say("Where do I live?", user=user, session=f"{town} 2")
            seen = {other for other in towns if other in luna_here.prompt()}
            assert seen == {town}
            assert [fact.value for fact in luna_here.facts(user)] == [town]


def test_agents_do_not_share_what_a_user_told_one_of_them(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("I live in Ghent.", session="one")
        config = {"configurable": {"thread_id": "two"}}
        said = {"messages": [HumanMessage("Where do I live?")]}
        luna_here.graph.invoke(said, config, context=Context(user_id="ana", agent_id="Orla"))
        assert "Ghent" not in luna_here.prompt()


def test_a_session_of_another_user_is_refused_before_the_model_is_called(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("I live in Ghent.", user="ana", session="hers")
        with pytest.raises(ForeignSession, match="another user"):
            luna_here.say("What did I say?", user="ben", session="hers")
        assert len(luna_here.model.prompts) == 1
        assert luna_here.said("ben", "hers") == []
        luna_here.say("And me?", user="ana", session="hers")
        assert "What did I say?" not in str(luna_here.model.prompts[-1])


def test_a_user_named_twice_must_be_the_same(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        config = {"configurable": {"thread_id": "s1", "user_id": "ben"}}
        with pytest.raises(InvalidInput, match="different values of user_id"):
            luna_here.graph.invoke({"messages": [HumanMessage("hi")]}, config, context=Context(user_id="ana"))


def test_the_user_may_be_named_in_the_configuration(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        config = {"configurable": {"thread_id": "s1", "user_id": "ana"}}
        luna_here.graph.invoke({"messages": [HumanMessage("I live in Ghent.")]}, config)
        assert [fact.value for fact in luna_here.facts("ana")] == ["Ghent"]


def test_a_small_memory_beside_a_large_one_is_searched_in_full(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        for number in range(120):
            said = f"My food diary, day {number}: I eat rice and fish for dinner."
            luna_here.memory.save_message(Scope("Luna", "ana"), "food", "user", said)
        luna_here.say("I eat only soup.", user="ben", session="b1")
        luna_here.say("What food do I eat?", user="ben", session="b2")
        assert "soup" in luna_here.prompt()
        assert "rice" not in luna_here.prompt()


# -- at the same time --------------------------------------------------------------------------------------


async def test_parallel_turns_of_many_sessions_keep_apart(tmp_path: Path) -> None:
    with holding(tmp_path, background=True) as luna_here:
        users = [f"user-{number}" for number in range(20)]
        await asyncio.gather(
            *(luna_here.asay(f"My badge is B{n:03}X.", user, f"{user} 1") for n, user in enumerate(users))
        )
        await asyncio.gather(*(luna_here.asay("What is on my badge?", user, f"{user} 2") for user in users))
        for number, user in enumerate(users):
            [prompt] = [str(p) for p in luna_here.model.prompts if f"B{number:03}X" in str(p[0])]
            assert sum(f"B{other:03}X" in prompt for other in range(20)) == 1
            assert luna_here.said(user, f"{user} 1")[0] == f"user: My badge is B{number:03}X."
            assert luna_here.memory.verify(Scope("Luna", user)) == []


def test_parallel_turns_from_threads_keep_apart(tmp_path: Path) -> None:
    with holding(tmp_path, background=True) as luna_here, ThreadPoolExecutor(8) as pool:
        users = [f"user-{number}" for number in range(16)]
        list(pool.map(lambda user: luna_here.say(f"My name here is {user}.", user, f"{user} 1"), users))
        assert all(luna_here.said(user, f"{user} 1")[0] == f"user: My name here is {user}." for user in users)


async def test_parallel_turns_of_one_user_are_all_kept(tmp_path: Path) -> None:
    with holding(tmp_path, background=True) as luna_here:
        await asyncio.gather(
            *(luna_here.asay(f"Remember that box {n} is blue.", session=f"s{n}") for n in range(12))
        )
        assert Counter(len(luna_here.said(session=f"s{n}")) for n in range(12)) == {2: 12}
        assert len(luna_here.facts()) == 12


async def test_parallel_turns_of_one_session_each_get_their_own_reply(tmp_path: Path) -> None:
    def repeat(messages: list[object]) -> str:
        return f"You said: {getattr(messages[-1], 'text', '')}"

    with holding(tmp_path, then=repeat, checkpointer=False) as luna_here:
        replies = await asyncio.gather(*(luna_here.asay(f"number {n}, please?") for n in range(6)))
        assert replies == [f"You said: number {n}, please?" for n in range(6)]
        assert len(luna_here.said()) == 12


async def test_ten_graphs_over_one_home_run_at_once(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path)
    model = ScriptedChatModel(then="Noted.")
    opened = [
        (
            open_parts(settings, memory=MemoryStore(tmp_path), model=model, embeddings=HashingEmbeddings()),
            open_checkpoints(tmp_path),
        )
        for _ in range(10)
    ]
    graphs = [compile_agent(luna, parts, settings, checkpointer=saver) for parts, saver in opened]
    try:
        await asyncio.gather(
            *(
                graph.ainvoke(
                    {"messages": [HumanMessage(f"I live in house number {n}.")]},
                    {"configurable": {"thread_id": f"s{n}"}},
                    context=Context(user_id=f"user-{n}"),
                )
                for n, graph in enumerate(itertools.chain(graphs, graphs))
            )
        )
        for n, graph in enumerate(itertools.chain(graphs, graphs)):
            state = await graph.aget_state({"configurable": {"thread_id": f"s{n}"}})
            assert [m.text for m in state.values["messages"]] == [f"I live in house number {n}.", "Noted."]
    finally:
        for parts, saver in opened:
            parts.close()
            saver.conn.close()


def test_what_is_still_to_be_learned_is_learned_for_the_one_who_said_it(tmp_path: Path) -> None:
    users = {"ana": "Ghent", "ben": "Lyon", "eva": "Oslo"}
    with holding(tmp_path, *[ConnectionError("down")] * 9) as luna_here:
        for number in range(3):
            for user, town in users.items():
                with pytest.raises(ModelUnavailable):
                    luna_here.say(
                        f"I keep {number + 2} bees in {town}. I live in {town}.", user, f"{user} {number}"
                    )
        for user in users:
            luna_here.say("hello there, how are you?", user, f"{user} later")
        for user, town in users.items():
            [lives_in] = [fact for fact in luna_here.facts(user) if fact.attribute == "lives_in"]
            assert (lives_in.value, len(lives_in.evidence)) == (town, 3)
            assert luna_here.memory.unlearned(Scope("Luna", user)) == []


def test_every_connection_waits_and_writes_ahead(tmp_path: Path) -> None:
    with holding(tmp_path) as luna_here:
        luna_here.say("hi")
        assert luna_here.saver is not None
        with luna_here.memory.database.read() as connection:
            waits = [connection.exec_driver_sql("PRAGMA busy_timeout").scalar()]
        waits += [row[0] for row in luna_here.saver.conn.execute("PRAGMA busy_timeout")]
        assert min(wait or 0 for wait in waits) >= 5000
    for file in (DATABASE, CHECKPOINTS):
        connection = sqlite3.connect(tmp_path / file)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        connection.close()


TALKER = """
import sys
from pathlib import Path
from perdure.stores.records import Scope
from tests.agents import holding

who, home = sys.argv[1], Path(sys.argv[2])
with holding(home, background=True) as luna_here:
    for number in range(15):
        luna_here.say(f"Remember that {who} has box {number}.", session=f"{who} {number % 3}")
    print(len(luna_here.facts()), luna_here.memory.verify(Scope("Luna", "ana")))
"""


def test_two_processes_talk_over_one_home(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", TALKER, who, str(tmp_path)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for who in ("the left", "the right")
    ]
    outcomes = [process.communicate(timeout=120) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], outcomes
    assert not any("locked" in errors or "Traceback" in errors for _, errors in outcomes)
    with holding(tmp_path) as after:
        assert len(after.facts()) == 30
        state = after.run(HumanMessage("Which box has the right, and which the left?"), session="later")
        assert len(state["selection"]["facts"]) > 10
        counts = {
            len(after.said(session=f"{who} {n}")) for who in ("the left", "the right") for n in range(3)
        }
        assert counts == {10}
    assert json.dumps(outcomes)
