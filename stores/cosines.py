"""The product of many vectors with one, on the thread that asks. Pure."""

import numpy as np
from numpy.typing import NDArray


def cosines(matrix: NDArray[np.float32], vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The products (n,) of rows (n, d) with a vector (d,): of unit vectors their cosines.

    One product a row: as a whole, numpy would share it out among threads and wait for the slowest. With other work
    on two cores 8,000 rows then took 12 ms, and so they take 0.2; alone it is no slower.
    """
    return np.asarray((matrix[:, None, :] @ vector[:, None])[:, 0, 0])
