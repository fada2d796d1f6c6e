"""The evolving part of an identity as it stands at one time. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..stores.profile.values import Change, ProfileLine, changed, diff

__all__ = ["Change", "Profile", "ProfileLine", "changed", "diff"]


@dataclass(frozen=True, slots=True)
class Profile:
    """Lines of one version; version 0 is the core alone."""

    version: int = 0
    lines: Sequence[ProfileLine] = ()

    @property
    def shown(self) -> tuple[ProfileLine, ...]:
        """The lines that every prompt may hold, those that count most first."""
        standing = [line for line in self.lines if line.about != "procedure"]
        return tuple(sorted(standing, key=lambda line: (not line.pinned, -line.weight, line.key)))
