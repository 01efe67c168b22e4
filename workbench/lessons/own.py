"""A person's own points in a lesson: where its memories are put on them."""

from typing import Any

import numpy as np
from sklearn.cluster import KMeans

MOST_MEMORIES = 6


def centres(points):
    """Return k-means centres of points for each number of memories that a lesson may have.

    Parameters
    ----------
    points : ndarray, shape (n, 2)

    Returns
    -------
    dict of str to list of [x, y]
        ``"1"`` to ``"6"``, as far as there are different points for them; each ordered from left to
        right.
    """
    points = np.asarray(points, float)
    most = min(MOST_MEMORIES, len(np.unique(points, axis=0)))
    found = {}
    for k in range(1, most + 1):
        # scikit-learn's stubs take n_init for a text
        starts: Any = 4
        places = KMeans(k, n_init=starts, random_state=0).fit(points).cluster_centers_
        found[str(k)] = places[np.argsort(places[:, 0])].round(5).tolist()
    return found
