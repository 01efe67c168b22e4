"""Every labelling of the same rows by the same scores, on one common graph."""

from functools import cached_property
from typing import NamedTuple

import numpy as np

from workbench import metrics

_SAMPLE = 512  # rows of a cluster from which its mode is sought
_SHIFTS = 20
_STILL = 1e-3  # kernel widths


class _Graph(NamedTuple):
    """What SLK's objective needs besides labels: rows in kernel widths, edges, lambda."""

    rows: np.ndarray
    first: np.ndarray
    second: np.ndarray
    weights: np.ndarray
    lam: float


class Judge:
    """Scores of any labelling of the same rows.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Prepared; NaN counts as the column's mean.
    y : ndarray of shape (n,), optional
        Reference labels, "" where a row has none.
    k : int, default 8
        Clusters for which SLK's lambda is the default, whatever a labelling has.
    """

    def __init__(self, X, y=None, *, k=8):
        self.X = metrics.fill_gaps(np.asarray(X, np.float64))
        self.y = y
        self.k = k

    def scores(self, labels):
        """Return the scores of a labelling.

        Parameters
        ----------
        labels : ndarray of int, shape (n,)
            Clusters; rows with -1 are left out of all scores but E.

        Returns
        -------
        dict of str to float
            By key of `workbench.comparison.SCORES`; NaN where one is not defined.
        """
        labels = np.asarray(labels)
        found = {
            "silhouette": metrics.silhouette(self.X, labels),
            **self._spreads(labels),
            "laplacian": self.laplacian(labels),
        }
        for name in ("nmi", "ari", "accuracy"):
            known = self.y is not None
            found[name] = getattr(metrics, name)(labels, self.y) if known else float("nan")
        return found

    def _spreads(self, labels):
        from sklearn.metrics import calinski_harabasz_score, davies_bouldin_score

        inside = labels >= 0
        found = len(np.unique(labels[inside]))
        if not 2 <= found < inside.sum():
            return {"davies_bouldin": float("nan"), "calinski_harabasz": float("nan")}
        rows = self.X[inside] - self.X[inside].mean(axis=0)
        return {
            "davies_bouldin": float(davies_bouldin_score(rows, labels[inside])),
            "calinski_harabasz": float(calinski_harabasz_score(rows, labels[inside])),
        }

    def laplacian(self, labels):
        r"""Return SLK's discrete objective of a labelling, divided by the number of rows.

        .. math:: E / n = \frac{1}{n} \Big( -\sum_p k(x_p, m_{l(p)}) + \lambda \sum_{pq: l(p) \ne
            l(q)} w_{pq} \Big)

        Equation 1 of Ziko et al. (2018), with the graph, kernel width and lambda that SLK takes by
        default for k clusters: the same for every labelling. A mode is where mean-shift over the
        cluster's rows comes to rest, begun at the row of the densest place of (at most 512 of)
        them. A row without a cluster earns no kernel value, and all of its edges count as cut.

        Parameters
        ----------
        labels : ndarray of int, shape (n,)

        Returns
        -------
        float
            NaN for rows that all coincide.
        """
        labels = np.asarray(labels)
        graph = self._graph
        if graph is None:
            return float("nan")
        near = 0.0
        for label in np.unique(labels[labels >= 0]):
            own = graph.rows[labels == label]
            near += float(_kernel(own, _mode(own)).sum())
        ends = labels[graph.first], labels[graph.second]
        cut = (ends[0] != ends[1]) | (ends[0] < 0)
        return (graph.lam * float(graph.weights[cut].sum()) - near) / len(labels)

    @cached_property
    def _graph(self):
        from slk_core import SLK  # compiles; only needed here
        from slk_core.affinity import affinity_of, degrees, kernel_width, knn_graph
        from slk_core.settings import entropy_weight_of, lam_of

        if len(self.X) < 2:
            return None
        model = SLK(self.k)
        graph = knn_graph(self.X - self.X.mean(axis=0), model.n_neighbors)
        width = kernel_width(graph[1])
        if not width > 0:
            return None
        W = affinity_of(*graph)
        lam = lam_of(model, entropy_weight_of(model), degrees(W))
        edges = W.tocoo()
        return _Graph(self.X / width, edges.row, edges.col, edges.data.astype(np.float64), lam)


def _kernel(rows, mode):
    return np.exp(-0.5 * np.square(rows - mode).sum(axis=1))


def _mode(rows):
    """Where the kernel density of some rows is highest: mean-shift from the best of them."""
    some = rows[:: -(-len(rows) // _SAMPLE)]
    squares = np.square(some).sum(axis=1)
    distances = np.maximum(squares[:, None] - 2 * some @ some.T + squares, 0)
    mode = some[np.exp(-0.5 * distances).sum(axis=1).argmax()]
    for _ in range(_SHIFTS):
        weights = _kernel(rows, mode)
        shifted = weights @ rows / weights.sum()
        moved = np.linalg.norm(shifted - mode)
        mode = shifted
        if moved < _STILL:
            break
    return mode
