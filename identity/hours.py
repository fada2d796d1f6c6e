"""The parts of the day in which a habit of writing or working is told apart. Pure."""

from datetime import datetime, tzinfo
from typing import NamedTuple

from ..stores.importing import IMPORTED

OFTEN = 0.2
"""The share of episodes from which something unusual, such as writing at night, is a habit."""

MOSTLY = 0.6
"""The share from which something usual, such as writing in the afternoon, or on one day of the week, is one."""


class Band(NamedTuple):
    """A part of the day, from hour `first` to before `end`.

    `share` of the episodes, and `least` of them, make it a habit; `weight` is how much that tells.
    """

    name: str
    first: int
    end: int
    working: tuple[str, str]
    writing: tuple[str, str]
    share: float = MOSTLY
    least: int = 5
    weight: float = 0.35

    def holds(self, local: datetime) -> bool:
        """Whether a local time lies in it."""
        if self.first < self.end:
            return self.first <= local.hour < self.end
        return local.hour >= self.first or local.hour < self.end


NIGHT = Band(
    "night",
    23,
    5,
    ("Often works late at night.", "经常工作到深夜。"),
    ("Often writes late at night.", "经常深夜来聊天。"),
    OFTEN,
    3,
    0.5,
)
BANDS = (
    NIGHT,
    Band(
        "early",
        5,
        8,
        ("Often works early in the morning.", "经常一大早就开始工作。"),
        ("Often writes early in the morning.", "经常一大早来聊天。"),
        OFTEN,
        3,
        0.5,
    ),
    Band(
        "morning",
        8,
        12,
        ("Usually works in the morning.", "通常在上午工作。"),
        ("Usually writes in the morning.", "通常在上午来聊天。"),
    ),
    Band(
        "afternoon",
        12,
        18,
        ("Usually works in the afternoon.", "通常在下午工作。"),
        ("Usually writes in the afternoon.", "通常在下午来聊天。"),
    ),
    Band(
        "evening",
        18,
        23,
        ("Usually works in the evening.", "通常在晚上工作。"),
        ("Usually writes in the evening.", "通常在晚上来聊天。"),
    ),
)


def is_hour_known(session_id: str, zone: tzinfo | None) -> bool:
    """Whether the hours of a session are those where the user was.

    Without a zone of theirs the machine's is taken, but not for what was imported: it was said somewhere else.
    """
    return zone is not None or not session_id.startswith(IMPORTED)
