"""On a server with authentication the authenticated user is the user, whatever the request says."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langgraph_sdk import get_sync_client

from ..dev_server import PATIENCE, Server, said, serving

AUTH = Path(__file__).with_name("scripted_auth.py")

pytestmark = pytest.mark.xdist_group("langgraph_dev")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, tmp_path_factory.mktemp("home"), auth={"path": f"{AUTH}:auth"}) as running:
        yield running


def says(server: Server, user: str, text: str, *, thread: str | None = None, **run: Any) -> str:
    """The reply to what a signed-in user says; a run that fails raises."""
    headers = {"Authorization": f"Bearer {user}"}
    with get_sync_client(url=server.url, api_key=None, headers=headers, timeout=PATIENCE) as client:
        where = thread or str(client.threads.create()["thread_id"])
        state: Any = client.runs.wait(where, "agent", input=said(text), **run)
        return str(state["messages"][-1]["content"])


def test_whoever_is_signed_in_needs_no_user_id(server: Server) -> None:
    says(server, "ana", "I live in Ghent.")

    assert "Ghent" in says(server, "ana", "Where do I live?")
    assert "Ghent" in says(server, "ana", "Where do I live?", context={"user_id": "ana"})
    assert "Ghent" not in says(server, "ben", "Where do I live?")


def test_naming_another_user_is_refused_wherever_it_is_named(server: Server) -> None:
    says(server, "cem", "I live in Namur.")
    ways: list[dict[str, Any]] = [
        {"context": {"user_id": "cem"}},
        {"config": {"configurable": {"user_id": "cem"}}},
        {"config": {"configurable": {"user_id": "cem", "langgraph_auth_user_id": "cem"}}},
        {"context": {"user_id": "cem", "langgraph_auth_user_id": "cem"}},
    ]
    for way in ways:
        with pytest.raises(Exception, match="signed in") as refused:
            says(server, "mallory", "Where do I live?", **way)
        assert "Namur" not in str(refused.value)
    assert server.recorded("mallory", "any") == []


def test_claiming_to_be_signed_in_as_another_changes_nothing(server: Server) -> None:
    says(server, "dan", "I live in Dinant.")

    claimed: Any = {
        "configurable": {"langgraph_auth_user_id": "dan", "langgraph_auth_user": {"identity": "dan"}}
    }
    assert "Dinant" not in says(server, "mallory", "Where do I live?", config=claimed)


def test_the_thread_of_another_user_is_refused(server: Server) -> None:
    thread = server_thread(server, "eva")
    says(server, "eva", "I live in Mechelen.", thread=thread)

    with pytest.raises(Exception, match="ForeignSession"):
        says(server, "mallory", "Where do I live?", thread=thread)
    assert [message.role.value for message in server.recorded("eva", thread)] == ["user", "assistant"]


def test_nobody_is_let_in_without_signing_in(server: Server) -> None:
    with pytest.raises(httpx.HTTPStatusError) as refused:
        server.client.threads.create()
    assert refused.value.response.status_code == 401


def server_thread(server: Server, user: str) -> str:
    headers = {"Authorization": f"Bearer {user}"}
    with get_sync_client(url=server.url, api_key=None, headers=headers, timeout=PATIENCE) as client:
        return str(client.threads.create()["thread_id"])
