"""k-means whose restart is kept by the same two rules as ClAM's."""

from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.cluster import KMeans as Lloyd
from sklearn.metrics import pairwise_distances_argmin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from workbench.metrics import fill_gaps, silhouette

SCORED_ROWS = 2000  # rows on which restarts are compared by silhouette


class Snapshot(NamedTuple):
    """What one start left behind: starts done, of how many, and the lowest inertia so far."""

    start: int
    n_starts: int
    objective: float


class KMeans(ClusterMixin, BaseEstimator):
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
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.init = init
        self.selection = selection
        self.random_state = random_state

    def fit(self, X, y=None):
        """Find the centres.

        Parameters
        ----------
        X : array-like of shape (n, d)
            May hold NaN.
        y : None
            Ignored.

        Returns
        -------
        KMeans
            Itself.

        Raises
        ------
        ValueError
            Where there are fewer (distinct) rows than clusters.
        """
        for _ in self.fit_iter(X):
            pass
        return self

    def fit_iter(self, X, y=None, *, stop=None):
        """Find the centres, one :class:`Snapshot` for each start; the data are checked at the call.

        Parameters
        ----------
        X : array-like of shape (n, d)
            May hold NaN.
        y : None
            Ignored.
        stop : callable returning bool, optional
            Asked after each start: the best start until then is kept.

        Returns
        -------
        iterator of Snapshot
        """
        rows: Any = validate_data(self, X, dtype=np.float64, ensure_all_finite="allow-nan")
        if self.n_clusters > len(rows):
            raise ValueError(f"n_clusters={self.n_clusters} should be <= n_samples={len(rows)}.")
        self.fill_ = np.nanmean(rows, axis=0)
        rows = fill_gaps(rows, self.fill_)
        self._check_distinct(rows)
        return self._train(rows, stop)

    def _train(self, rows, stop):
        rule = _score if self.selection == "silhouette" else _low_loss
        model: Any
        best: Any = None
        worth, lowest = -np.inf, np.inf
        for start, model in enumerate(self._restarts(rows), 1):
            value, lowest = rule(rows, model), min(lowest, float(model.inertia_))
            if best is None or value > worth:
                best, worth = model, value
                self._keep(best)
            yield Snapshot(start, self.n_init, lowest)
            if stop is not None and stop():
                return

    def _keep(self, best):
        self.cluster_centers_ = best.cluster_centers_
        self.labels_ = best.labels_.astype(np.int64)
        self.loss_ = float(best.inertia_)
        self.n_iter_ = best.n_iter_
        self.n_found_ = len(np.unique(self.labels_))

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
        check_is_fitted(self)
        checks: dict[str, Any] = {"dtype": np.float64, "ensure_all_finite": "allow-nan"}
        rows: Any = validate_data(self, X, reset=False, **checks)
        filled = fill_gaps(rows, self.fill_)
        return pairwise_distances_argmin(filled, self.cluster_centers_).astype(np.int64)

    def _check_distinct(self, X):
        for rows in (X[: 100 * self.n_clusters], X):  # the first rows nearly always settle it
            distinct = len(np.unique(rows, axis=0))
            if distinct >= self.n_clusters:
                return
        raise ValueError(
            f"n_clusters={self.n_clusters} should be <= {distinct}, "
            "the number of distinct rows of X."
        )

    def _restarts(self, X):
        """Single starts, the same for either rule of selection."""
        single: dict[str, Any] = {"init": self.init, "n_init": 1, "max_iter": self.max_iter}
        for seed in check_random_state(self.random_state).randint(2**31, size=self.n_init):
            yield Lloyd(self.n_clusters, **single, random_state=int(seed)).fit(X)

    def __sklearn_tags__(self):
        """Gaps are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _low_loss(X, model):
    return -model.inertia_


def _score(X, model):
    score = silhouette(X, model.labels_, sample=SCORED_ROWS)
    return -1.0 if np.isnan(score) else score


def prediction_state(model):
    """Arrays from which `restore_prediction` makes a model that predicts the same.

    Parameters
    ----------
    model : KMeans
        Fitted.

    Returns
    -------
    dict of str to ndarray
    """
    return {"cluster_centers": model.cluster_centers_, "fill": model.fill_}


def restore_prediction(model, state):
    """Make an unfitted model predict as the one that the state is of.

    Parameters
    ----------
    model : KMeans
        With the settings of the other.
    state : mapping of str to ndarray
        From `prediction_state`.

    Returns
    -------
    KMeans
        The same model.
    """
    model.cluster_centers_, model.fill_ = state["cluster_centers"], state["fill"]
    model.n_features_in_ = model.cluster_centers_.shape[1]
    return model
