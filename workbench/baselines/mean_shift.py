"""Mean shift with a flat kernel: scikit-learn's peaks, but that all points move at once."""

import numpy as np
from sklearn.cluster import estimate_bandwidth
from sklearn.metrics import euclidean_distances, pairwise_distances_argmin
from sklearn.utils import check_random_state

from workbench.baselines.starts import BestOfSettings, Found

MOVES = 300  # of a point, at most
SEEDS = 1000  # rows from which the search for peaks begins
_AT_REST = 1e-3  # of the bandwidth
_PAIRS = 4_000_000  # distances at a time
_QUANTILE = 0.2  # of the distances between rows, for the bandwidth


class MeanShift(BestOfSettings):
    """Move points to the mean of the rows around them until they rest (Comaniciu and Meer, 2002).

    Parameters
    ----------
    bandwidth : float or "auto", default "auto"
        Radius around a point, a length in the units of X. "auto": the mean distance of rows to
        the fifth of all rows that is nearest, scikit-learn's estimate.
    selection : {"given", "silhouette"}, default "given"
        The bandwidth given, or of 0.5, 0.7, 1, 1.4 and 2 times it that of the highest silhouette.
    random_state : int, RandomState or None, default None
        Draws the rows to begin from, where there are more than 1,000.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Peaks.
    labels_ : ndarray of int, shape (n,)
        Of the nearest peak.
    loss_ : float
        NaN: nothing is minimised.
    bandwidth_ : float
        As used.
    n_found_ : int
        Clusters found.
    """

    _grid = (1.0, 0.5, 0.7, 1.4, 2.0)  # of equal ones the first is kept
    _learned = ("cluster_centers_",)

    def __init__(self, bandwidth="auto", *, selection="given", random_state=None):
        self.bandwidth = bandwidth
        self.selection = selection
        self.random_state = random_state

    def _prepare(self, rows):
        rng = check_random_state(self.random_state)
        few = rng.permutation(len(rows))[:SEEDS]
        bandwidth = self.bandwidth
        if isinstance(bandwidth, str):
            bandwidth = estimate_bandwidth(rows[few], quantile=_QUANTILE) or 1.0
        return rows[np.sort(few)], bandwidth

    def _start(self, rows, shared, seed):
        yield 0.0
        seeds, bandwidth = shared
        width = float(bandwidth * (seed or 1.0))
        centres = peaks(rows, seeds, width)
        return Found(pairwise_distances_argmin(rows, centres), centres, float("nan"), width)

    def _keep(self, found):
        super()._keep(found)
        self.bandwidth_ = found.state

    def predict(self, X):
        """Return the nearest peak of each row.

        Parameters
        ----------
        X : array-like of shape (m, d)

        Returns
        -------
        ndarray of int, shape (m,)
        """
        return pairwise_distances_argmin(self._checked(X), self.cluster_centers_).astype(np.int64)


def peaks(rows, seeds, bandwidth):
    """Move points to the mean of the rows within a radius until they rest; return where.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
    seeds : ndarray of shape (m, d)
        Where the points begin.
    bandwidth : float
        The radius.

    Returns
    -------
    ndarray of shape (k, d)
        Of points that rest within the radius of another only the one with the most rows around.
    """
    points, sizes = seeds.copy(), np.zeros(len(seeds), np.int64)
    moving = np.arange(len(seeds))
    for _ in range(MOVES):
        still = []
        for some in np.array_split(moving, 1 + len(moving) * len(rows) // _PAIRS):
            means, sizes[some] = _around(rows, points[some], bandwidth)
            moves = np.linalg.norm(means - points[some], axis=1)
            points[some] = means
            still.append(moves <= _AT_REST * bandwidth)
        moving = moving[~np.concatenate(still)]
        if not len(moving):
            break
    return _apart(points, sizes, bandwidth)


def _around(rows, points, bandwidth):
    """Mean of the rows around each point, the point itself where there is none; and how many."""
    near = euclidean_distances(points, rows) <= bandwidth
    sizes = near.sum(axis=1)
    means = near.astype(rows.dtype) @ rows / np.maximum(sizes, 1)[:, None]
    return np.where(sizes[:, None] > 0, means, points), sizes


def _apart(points, sizes, bandwidth):
    """Of points within the bandwidth of another, the one with the most rows; of equals the last."""
    points = points[np.lexsort((*points.T[::-1], sizes))[::-1]]
    near, kept = euclidean_distances(points) <= bandwidth, np.ones(len(points), bool)
    for i in range(len(points)):
        if kept[i]:
            kept[near[i]] = False
            kept[i] = True
    return points[kept]
