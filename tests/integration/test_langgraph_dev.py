"""`langgraph dev` serves the repo's langgraph.json.

One server is started for this file, driven over its API, and stopped by its pid.
"""

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from perdure.stores.memory_store import MemoryStore
from perdure.stores.records import Kind, Role, Scope

from ..dev_server import Server, said, serving, until

SCRIPTED = Path(__file__).with_name("scripted_server_graph.py")

BOXES = {
    "working_window",
    "router",
    "episodic",
    "semantic",
    "summarizer",
    "context",
    "llm",
    "tools",
    "memory_updater",
}

_Given = TypeVar("_Given")

pytestmark = pytest.mark.xdist_group("langgraph_dev")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")  # so that .langgraph_api does not land in the repo
    graphs = {"scripted": f"{SCRIPTED}:agent"}
    with serving(folder, tmp_path_factory.mktemp("home"), graphs=graphs) as running:
        yield running


@pytest.fixture(scope="module")
def ana(server: Server) -> Mapping[str, str]:
    """The context of a user who told in a thread of her own where she lives."""
    context = {"user_id": "ana"}
    server.say("I live in Ghent and I do not eat meat.", context=context)
    return context


def test_a_second_thread_recalls_what_the_first_told(server: Server, ana: Mapping[str, str]) -> None:
    assert "Ghent" in server.say("Where do I live?", context=ana)


@pytest.mark.usefixtures("ana")
def test_another_user_does_not_hear_of_it(server: Server) -> None:
    assert "Ghent" not in server.say("Where do I live?", context={"user_id": "someone else"})


def test_a_user_named_in_configurable_is_the_one_named_in_the_context(
    server: Server, ana: Mapping[str, str]
) -> None:
    assert "Ghent" in server.say("Where do I live?", config={"configurable": ana})


def test_an_assistant_made_for_a_user_speaks_with_that_user(server: Server, ana: Mapping[str, str]) -> None:
    assistant = server.client.assistants.create("agent", context=ana)

    assert "Ghent" in server.say("Where do I live?", graph=str(assistant["assistant_id"]))


def test_users_who_talk_at_once_each_hear_of_their_own_town(server: Server) -> None:
    towns = {"user-1": "Antwerp", "user-2": "Leuven", "user-3": "Namur", "user-4": "Ostend"}

    def talk(user: str) -> str:
        server.say(f"I live in {towns[user]}.", context={"user_id": user})
        return server.say("Where do I live?", context={"user_id": user})

    for user, reply in zip(towns, _at_once(talk, towns), strict=True):
        assert [town for town in towns.values() if town in reply] == [towns[user]]


def test_a_session_that_is_over_is_understood_by_the_served_consolidation(server: Server) -> None:
    over, now = server.thread(), server.thread()
    server.say("I own a boat. Always answer in Dutch.", thread=over, context={"user_id": "fay"})
    server.say("Hello again.", thread=now, context={"user_id": "fay"})

    run = server.client.runs.wait(None, "consolidation", input={}, context={"user_id": "fay"})

    assert isinstance(run, dict)
    assert (run["status"], run["session_id"]) == ("done", over)
    assert "boat" not in json.dumps(run)
    memory = MemoryStore(server.home)
    assert [m.value for m in memory.memories(Scope("Luna", "fay"), kind=Kind.PROCEDURE)] == [
        "Always answer in Dutch"
    ]
    memory.close()


def test_a_reply_streams_piece_by_piece(server: Server) -> None:
    thread = server.thread()

    pieces = server.stream("What can you do for me?", "messages-tuple", user="cem", thread=thread)

    assert {about["langgraph_node"] for _, about in pieces} == {"llm"}
    texts = [piece["content"] for piece, _ in pieces if piece["content"]]
    assert len(texts) > 3
    assert "".join(texts) == server.recorded("cem", thread)[-1].content


def test_updates_name_the_boxes_of_the_flowchart_in_order(server: Server) -> None:
    updates = server.stream("Where do I live?", "updates", user="dan", thread=server.thread())

    names = [name for update in updates for name in update]
    assert names[:2] == ["working_window", "router"]
    assert set(names[2:4]) == {"episodic", "semantic"}
    assert names[4:] == ["summarizer", "context", "llm", "memory_updater"]
    assert "selection" in updates[names.index("context")]["context"]


def test_a_greeting_passes_by_the_searches(server: Server) -> None:
    updates = server.stream("Hi Luna!", "updates", user="dan", thread=server.thread())

    names = [name for update in updates for name in update]
    assert names == ["working_window", "router", "context", "llm", "memory_updater"]


def test_a_tool_round_goes_through_the_tools_box(server: Server) -> None:
    words = "Keep this: my bicycle is called Rocinante."

    updates = server.stream(words, "updates", user="eva", thread=server.thread(), graph="scripted")

    names = [name for update in updates for name in update]
    assert names[-4:] == ["llm", "tools", "llm", "memory_updater"]
    assert any("Rocinante" in fact for fact in server.facts("eva"))


def test_the_history_of_a_thread_holds_no_recalled_text(server: Server) -> None:
    server.say("My sister Ottilie keeps bees in Oudenaarde.", context={"user_id": "fay"})
    thread, question = server.thread(), "Where does my sister keep bees, Oudenaarde?"
    assert server.say(question, thread=thread, graph="scripted", context={"user_id": "fay"}) == "It is there."

    history: list[Any] = server.client.threads.get_history(thread, limit=100)

    assert len(history) > 5
    selections = [state["values"].get("selection", {}) for state in history]
    assert any(
        selection.get("quotes") for selection in selections
    )  # what was recalled is shown, as ids and spans
    assert "Ottilie" not in json.dumps(history)


def test_a_run_without_a_user_says_what_is_missing_and_how_to_pass_it(server: Server) -> None:
    ways: list[dict[str, Any]] = [
        {},
        {"context": {}},
        {"context": {"user_id": ""}},  # a blank in Studio's form
        {"config": {"configurable": {}}},
        {"config": {"tags": ["no configurable"]}},
    ]

    def refused(given: Mapping[str, Any]) -> str:
        with pytest.raises(Exception, match="MissingUser") as caught:
            server.say("Where do I live?", **given)
        return str(caught.value)

    for message in _at_once(refused, ways):
        assert "user_id" in message
        assert "context={'user_id': " in message
        assert "configurable" in message


def test_two_different_users_in_one_request_are_refused(server: Server) -> None:
    with pytest.raises(httpx.HTTPStatusError) as refused:
        server.say("Hi", context={"user_id": "gus"}, config={"configurable": {"user_id": "hal"}})

    assert refused.value.response.status_code == 400
    assert "configurable and context" in refused.value.response.text


def test_the_thread_of_another_user_is_refused_and_left_as_it_was(server: Server) -> None:
    thread = server.thread()
    server.say("I live in Mechelen.", thread=thread, context={"user_id": "ivo"})
    before = server.recorded("ivo", thread)

    with pytest.raises(Exception, match="ForeignSession"):
        server.say("Where do I live?", thread=thread, context={"user_id": "mallory"})

    assert server.recorded("ivo", thread) == before
    assert server.recorded("mallory", thread) == []
    assert "Mechelen" in server.say("Where do I live?", thread=thread, context={"user_id": "ivo"})


def test_a_time_zone_is_taken_from_the_context(server: Server) -> None:
    assert server.say("Hi Luna!", context={"user_id": "jo", "timezone": "Pacific/Kiritimati"})

    with pytest.raises(Exception, match="InvalidInput: 'Mars/Olympus' is no time zone"):
        server.say("Hi Luna!", context={"user_id": "jo", "timezone": "Mars/Olympus"})


def test_studio_gets_the_flowchart_the_schemas_and_the_subgraphs(server: Server) -> None:
    assistant = server.assistant()

    graph = server.client.assistants.get_graph(assistant, xray=True)
    schemas: Any = server.client.assistants.get_schemas(assistant)
    subgraphs = server.client.assistants.get_subgraphs(assistant, recurse=True)

    assert {node["id"] for node in graph["nodes"]} == BOXES | {"__start__", "__end__"}
    assert schemas["context_schema"]["properties"].keys() == {"user_id", "agent_id", "timezone"}
    assert schemas["input_schema"]["properties"].keys() == {"messages"}
    assert schemas["output_schema"]["properties"].keys() >= {"messages", "selection"}
    assert schemas["state_schema"]["properties"].keys() >= {"messages", "selection"}
    assert subgraphs == {}


def test_a_cancelled_run_keeps_the_message_and_leaves_the_thread_ready(server: Server) -> None:
    thread, user = server.thread(), {"user_id": "kim"}
    run_id, pieces = "", 0
    given = said("I live in Dinant.")
    for part in server.client.runs.stream(
        thread, "scripted", input=given, context=user, stream_mode="messages-tuple"
    ):
        if part.event == "metadata":
            run_id = part.data["run_id"]
        pieces += part.event == "messages"
        if pieces == 3:
            server.client.runs.cancel(thread, run_id, wait=True)
            pieces += 1
    until((server.folder / "model-stopped").exists)

    assert server.client.runs.get(thread, run_id)["status"] == "interrupted"
    until(lambda: server.client.threads.get(thread)["status"] != "busy")
    state: Any = server.client.threads.get_state(thread)
    assert [message["type"] for message in state["values"]["messages"]] == ["human"]
    assert [message.content for message in server.recorded("kim", thread)] == ["I live in Dinant."]

    assert "Dinant" in server.say("Where do I live?", thread=thread, context=user)

    assert [message.role for message in server.recorded("kim", thread)] == [
        Role.USER,
        Role.USER,
        Role.ASSISTANT,
    ]
    assert len(server.facts("kim")) <= 1


def test_the_log_tells_of_our_refusals_and_of_no_other_failure(server: Server) -> None:
    assert server.say("Hi Luna!", context={"user_id": "lea"})
    with pytest.raises(Exception, match="MissingUser"):
        server.say("Hi Luna!")

    lines = server.log.read_text().splitlines()
    entries = [json.loads(line) for line in lines if line.startswith("{")]
    others = "\n".join(line for line in lines if not line.startswith("{"))
    failures = [entry for entry in entries if entry["level"] in ("error", "critical") or "exception" in entry]

    assert len(entries) > 10
    assert len(failures) > 0
    assert "Traceback" not in others
    for words in ("BlockingError", "blocking call", "deserializing unregistered type", "failed to get"):
        assert words.lower() not in "\n".join(lines).lower()
    for entry in failures:
        assert re.search(r"<class 'perdure\.stores\.errors\.\w+'>", entry["event"]), entry["event"]


def _at_once(task: Callable[[_Given], str], given: Collection[_Given]) -> list[str]:
    with ThreadPoolExecutor(len(given)) as pool:
        return list(pool.map(task, given))
