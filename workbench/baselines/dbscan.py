"""DBSCAN, scikit-learn's, with a radius from the knee of the neighbours' distances."""

import numpy as np
from sklearn.cluster import DBSCAN as Scan

from slk_core import knn_graph
from workbench.baselines.starts import BestOfSettings, Found, means_found


class DBSCAN(BestOfSettings):
    """Join rows that lie within eps of a row with many such neighbours (Ester et al., 1996).

    Parameters
    ----------
    eps : float or "auto", default "auto"
        Radius, a length in the units of X. "auto": at the knee of the rising distances of rows to
        their `min_samples`-th, where those of rows in clusters end.
    min_samples : int, default 5
        Rows within eps, itself included, that make a row a core of a cluster.
    selection : {"given", "silhouette"}, default "given"
        The radius given, or of 0.5, 0.7, 1, 1.4 and 2 times it that of the highest silhouette,
        rows without a cluster counted as 0.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Means of the clusters found.
    labels_ : ndarray of int, shape (n,)
        -1 for a row that is in no cluster.
    loss_ : float
        NaN: nothing is minimised.
    eps_ : float
        As used.
    n_found_ : int
        Clusters found.
    """

    _grid = (1.0, 0.5, 0.7, 1.4, 2.0)  # of equal ones the first is kept

    def __init__(self, eps="auto", *, min_samples=5, selection="given"):
        self.eps = eps
        self.min_samples = min_samples
        self.selection = selection

    def _prepare(self, rows):
        return knee_radius(rows, self.min_samples) if isinstance(self.eps, str) else self.eps

    def _start(self, rows, shared, seed):
        yield 0.0
        eps = float(shared * (seed or 1.0))
        labels = Scan(eps=eps, min_samples=self.min_samples).fit_predict(rows)
        return Found(labels, means_found(rows, labels), float("nan"), eps)

    def _keep(self, found):
        super()._keep(found)
        self.eps_ = found.state


def knee_radius(rows, min_samples):
    """Return the distance at the knee of the sorted distances to the `min_samples`-th row.

    The knee is where the curve lies farthest below the line between its ends.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
    min_samples : int
        The row itself counts as the first.

    Returns
    -------
    float
        > 0.
    """
    _, lengths = knn_graph(rows, max(1, min_samples - 1))
    curve = np.sort(lengths[:, -1])
    curve = curve[np.isfinite(curve)]
    chord = np.linspace(curve[0], curve[-1], len(curve))
    return float(curve[np.argmax(chord - curve)]) or float(curve[-1]) or 1.0
