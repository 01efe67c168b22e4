"""Where the modes start."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.cluster import kmeans_plusplus

_SAMPLE = 20_000


def seeds(
    rows: NDArray,
    n_clusters: int,
    n_init: int,
    *,
    init: str | ArrayLike = "k-means++",
    rng: np.random.Generator,
) -> list[NDArray]:
    """Starting modes of each start.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
    n_clusters, n_init : int
    init : {"k-means++", "data"} or ndarray of shape ([n_init,] k, d)
        "k-means++" draws from at most 20,000 rows; "data" takes rows at random. Modes that are
        given once make one start.
    rng : numpy.random.Generator

    Returns
    -------
    list of float64 ndarray of shape (k, d)
    """
    if not isinstance(init, str):
        given = np.asarray(init, np.float64)
        return [given] if given.ndim == 2 else list(given)
    if len(rows) > _SAMPLE:
        rows = rows[rng.choice(len(rows), max(_SAMPLE, n_clusters), replace=False)]
    found = []
    for _ in range(n_init):
        if init == "data":
            chosen = rng.choice(len(rows), n_clusters, replace=False)
        else:
            seed = int(rng.integers(2**31))
            _, chosen = kmeans_plusplus(rows, n_clusters, random_state=seed)
        found.append(rows[chosen].astype(np.float64))
    return found
