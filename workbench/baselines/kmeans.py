"""k-means whose restart is kept by the same two rules as ClAM's."""

from typing import Any

import numpy as np
from sklearn.cluster import KMeans as Single
from sklearn.metrics import pairwise_distances_argmin, pairwise_distances_argmin_min
from sklearn.utils.validation import check_is_fitted, validate_data

from workbench.baselines.starts import BestOfStarts, Found, Moment, cluster_means
from workbench.metrics import fill_gaps


def lloyd(rows, centres, max_iter=300):
    """Lloyd's rule from given centres, one :class:`Moment` before and after each update.

    An empty cluster keeps its centre. It ends where no row changes its cluster.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
        Without gaps.
    centres : ndarray of shape (k, d)
    max_iter : int, default 300

    Returns
    -------
    iterator of Moment
        ``objective`` is the inertia.
    """
    centres, before = np.array(centres, np.float64), None
    for step in range(max_iter + 1):
        nearest, distances = pairwise_distances_argmin_min(rows, centres)
        yield Moment(step, max_iter, float((distances**2).sum()), centres.copy(), nearest)
        if before is not None and np.array_equal(nearest, before):
            return
        before = nearest
        sizes = np.bincount(nearest, minlength=len(centres))[:, None]
        means = cluster_means(rows, nearest, len(centres))
        centres = np.where(sizes > 0, means, centres)


class KMeans(BestOfStarts):
    r"""Minimise :math:`\sum_x \min_\mu \|\rho_\mu - x\|^2` (equation 6 of ClAM) by Lloyd's rule.

    Parameters
    ----------
    n_clusters : int, default 8
        How many centres.
    n_init : int, default 16
        Restarts.
    max_iter : int, default 300
        Most iterations of a restart.
    init : {"k-means++", "random"}, default "k-means++"
        Where the centres start.
    selection : {"loss", "silhouette"}, default "loss"
        Which restart is kept: lowest inertia, or highest silhouette.
    algorithm : {"lloyd", "elkan"}, default "lloyd"
        The same outcome by other sums: elkan spares distances and takes more memory.
    random_state : int, RandomState or None, default None
        All randomness.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
    labels_ : ndarray of int, shape (n,)
    loss_ : float
        Inertia of the restart that was kept.
    n_iter_ : int
        Its iterations.
    n_found_ : int
        Clusters that have a row.

    Notes
    -----
    A missing value (NaN) counts as its column's mean.
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        n_init=16,
        max_iter=300,
        init="k-means++",
        selection="loss",
        algorithm="lloyd",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.init = init
        self.selection = selection
        self.algorithm = algorithm
        self.random_state = random_state

    _learned = ("cluster_centers_", "fill_")

    def _checked(self, X, *, reset=False):
        if not reset:
            check_is_fitted(self, "cluster_centers_")
        checks: dict[str, Any] = {"dtype": np.float64, "ensure_all_finite": "allow-nan"}
        rows: Any = validate_data(self, X, reset=reset, **checks)
        if reset:
            self.fill_ = np.nanmean(rows, axis=0)
        return fill_gaps(rows, self.fill_)

    def _prepare(self, rows):
        for some in (rows[: 100 * self.n_clusters], rows):  # the first nearly always settle it
            distinct = len(np.unique(some, axis=0))
            if distinct >= self.n_clusters:
                return
        raise ValueError(
            f"n_clusters={self.n_clusters} should be <= {distinct}, "
            "the number of distinct rows of X."
        )

    def _start(self, rows, shared, seed):
        yield from ()
        model: Any = self._single(seed).fit(rows)
        return Found(model.labels_, model.cluster_centers_, model.inertia_, model.n_iter_)

    def _single(self, seed):
        """Return a single start, unfitted."""
        single: dict[str, Any] = {"init": self.init, "n_init": 1, "max_iter": self.max_iter}
        return Single(self.n_clusters, **single, algorithm=self.algorithm, random_state=seed)

    def _keep(self, found):
        super()._keep(found)
        self.n_iter_ = found.state

    def predict(self, X):
        """Return the nearest centre of each row.

        Parameters
        ----------
        X : array-like of shape (n, d)
            May hold NaN.

        Returns
        -------
        ndarray of int, shape (n,)
        """
        return pairwise_distances_argmin(self._checked(X), self.cluster_centers_).astype(np.int64)

    def __sklearn_tags__(self):
        """Gaps are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
