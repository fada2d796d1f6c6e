"""Names of what can be searched: a message or the current version of a memory, as one short text.

`t12` is the message in row 12, `m5` the memory in row 5. Rows are never reused, so a stale name in the vector
index can not come to mean something else.
"""

MESSAGE = "t"
MEMORY = "m"


def message_item(row: int) -> str:
    """The item name of a message row."""
    return f"{MESSAGE}{row}"


def memory_item(row: int) -> str:
    """The item name of a memory row."""
    return f"{MEMORY}{row}"


def row_of(item: str) -> int:
    """The row an item name stands for."""
    return int(item[1:])


def is_memory(item: str) -> bool:
    """Whether the item is a memory rather than a message."""
    return item.startswith(MEMORY)


def session_item(row: int) -> str:
    """The item name of a session row; sessions are worked on, not searched."""
    return f"s{row}"
