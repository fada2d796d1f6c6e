"""The state of the help desk. Some of its keys have names that perdure's own state has too."""

from typing import Annotated

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict


class Desk(TypedDict, total=False):
    """One conversation at the desk."""

    messages: Annotated[list[AnyMessage], add_messages]
    route: str
    session_id: str
    attachments: list[str]
