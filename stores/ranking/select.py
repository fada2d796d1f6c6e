"""Filling a token budget with whole entries, best first. Pure."""

import numpy as np
from numpy.typing import NDArray


def fill(
    scores: NDArray[np.float64],
    tokens: NDArray[np.int64],
    groups: NDArray[np.int64],
    budget: int,
    header: int,
) -> list[int]:
    """Return the indices to show, best first: whole entries while they fit, one header for each group begun.

    `tokens` is what each entry's line costs, `header` what a group's dated header costs. An entry that does
    not fit is passed over for smaller ones after it.
    """
    shown: list[int] = []
    begun: set[int] = set()
    left = budget
    smallest = int(tokens.min()) if len(tokens) else 0
    for index in np.argsort(-scores, kind="stable").tolist():
        group = int(groups[index])
        cost = int(tokens[index]) + (0 if group in begun else header)
        if cost <= left:
            shown.append(index)
            begun.add(group)
            left -= cost
        if left < smallest:
            break
    return shown
