"""Columns in memory that grow at their end."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Growing:
    """A numpy array that grows at its end without being copied each time."""

    def __init__(self, dtype: type[np.generic], width: int | None = None) -> None:
        self._width = width
        self._room = np.zeros((0, width or 0) if width is not None else 0, dtype)
        self.size = 0

    def extend(self, values: NDArray[Any]) -> None:
        """Append rows."""
        needed = self.size + len(values)
        if needed > len(self._room):
            shape = (max(needed, 2 * len(self._room), 64), *self._room.shape[1:])
            grown = np.zeros(shape, self._room.dtype)
            grown[: self.size] = self._room[: self.size]
            self._room = grown
        self._room[self.size : needed] = values
        self.size = needed

    @property
    def array(self) -> NDArray[Any]:
        """What has been appended so far, as a view."""
        return self._room[: self.size]

    @property
    def bytes(self) -> int:
        """The memory it takes."""
        return self._room.nbytes
