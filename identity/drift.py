"""How far an identity has moved: from its core, which never moves, and from what a person last reviewed. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..stores.profile.values import ProfileLine, ProfileVersion
from .distance import distance
from .evolution import Policy


@dataclass(frozen=True, slots=True)
class Drift:
    """Where a version stands: distances in [0, 1] from the core alone, and from the last version a person decided
    (the core, before any)."""

    version: int
    at: datetime
    from_core: float
    from_reviewed: float
    reviewed: int

    def warning(self, policy: Policy) -> str:
        """What to say when it has moved too far; "" while it has not."""
        if self.from_core > policy.drift_warning:
            return (
                f"The profile has moved {self.from_core:.2f} from the core, more than {policy.drift_warning:.2f}. "
                "'perdure identity show' shows its lines, 'perdure identity rollback V' goes back."
            )
        if self.from_reviewed > policy.drift_warning:
            return (
                f"The profile has moved {self.from_reviewed:.2f} from version {self.reviewed}, the last that was "
                f"reviewed. 'perdure identity diff {self.reviewed} {self.version}' shows how."
            )
        return ""


def drift(history: Iterable[tuple[ProfileVersion, Sequence[ProfileLine]]]) -> list[Drift]:
    """Where every version stands, oldest first; `history` pairs each with its lines."""
    found: list[Drift] = []
    reviewed: tuple[int, Sequence[ProfileLine]] = (0, ())
    for version, lines in history:
        if version.reviewed:
            reviewed = version.version, lines
        found.append(
            Drift(version.version, version.at, distance((), lines), distance(reviewed[1], lines), reviewed[0])
        )
    return found
