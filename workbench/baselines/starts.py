"""Estimators that begin several times and keep one outcome, by either of two rules."""

import math
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from workbench.metrics import silhouette
from workbench.progress import Cancelled

SCORED_ROWS = 2000  # rows on which restarts are compared by silhouette


class Snapshot(NamedTuple):
    """How far a fit is: starts done (with the part of one), of how many, and the lowest loss.

    The loss is NaN before the end of the first start, and where the method has none.
    """

    start: float
    n_starts: int
    objective: float


class Moment(NamedTuple):
    """Where a training from given centres stands.

    Attributes
    ----------
    step : int
        Updates of the centres until now, in the method's own unit; 0 is the start.
    planned : int
        Most there can be.
    objective : float
        The method's own, lower is better.
    prototypes : float64 ndarray of shape (k, d)
    labels : ndarray of int, shape (n,)
        Of the rows, under these centres.
    learning_rate : float
        NaN where the method has none.
    """

    step: int
    planned: int
    objective: float
    prototypes: np.ndarray
    labels: np.ndarray
    learning_rate: float = math.nan


class Found(NamedTuple):
    """What one start found.

    Attributes
    ----------
    labels : ndarray of int, shape (n,)
        Clusters from 0; -1 for a row without one.
    centres : ndarray of shape (k, d)
        Of each cluster, empty ones included.
    loss : float
        Of the method's own objective, lower is better; NaN where it has none.
    state : object, default None
        What else the estimator keeps of the start that it keeps, see `_keep`.
    """

    labels: np.ndarray
    centres: np.ndarray
    loss: float
    state: Any = None


class BestOfStarts(ClusterMixin, BaseEstimator, ABC):
    """A clustering from several starts, of which one is kept.

    A subclass has the settings ``n_init``, ``selection`` ("loss" or "silhouette") and
    ``random_state``, and says in `_start` what one start does.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
    labels_ : ndarray of int, shape (n,)
    loss_ : float
        Of the start that was kept.
    n_found_ : int
        Clusters that have a row.
    """

    n_clusters: int
    n_init: int
    selection: str
    random_state: Any
    _dtype: Any = np.float64
    _learned: Sequence[str] = ()  # attributes that `predict` reads, all of them arrays

    def _checked(self, X, *, reset=False) -> Any:
        """Return X as rows of finite numbers, with the features that the model knows."""
        if reset:
            return validate_data(self, X, dtype=self._dtype, ensure_min_samples=2)
        check_is_fitted(self, "cluster_centers_")
        return validate_data(self, X, dtype=self._dtype, reset=False)

    def _prepare(self, rows) -> Any:
        """Check settings and compute once what all starts share, such as a graph or a kernel."""
        return rows

    @abstractmethod
    def _start(self, rows, shared, seed) -> Generator[float, None, Found]:
        """Begin once: yield the share done, from 0 to 1, as often as is handy; return a Found."""

    def _keep(self, found):
        """Take over a start, as the best until now."""
        self.labels_ = np.asarray(found.labels, np.int64)
        self.cluster_centers_ = found.centres
        self.loss_ = float(found.loss)
        self.n_found_ = len(np.unique(self.labels_[self.labels_ >= 0]))

    def fit(self, X, y=None):
        """Find the clusters.

        Parameters
        ----------
        X : array-like of shape (n, d)
        y : None
            Ignored.

        Returns
        -------
        object
            Itself.

        Raises
        ------
        ValueError
            Where settings and data do not fit.
        """
        for _ in self.fit_iter(X):
            pass
        return self

    def fit_iter(self, X, y=None, *, stop=None):
        """Find the clusters, a :class:`Snapshot` at a time; the data are checked at the call.

        Parameters
        ----------
        X : array-like of shape (n, d)
        y : None
            Ignored.
        stop : callable returning bool, optional
            Asked at every snapshot: the best start until then is kept.

        Returns
        -------
        iterator of Snapshot

        Raises
        ------
        Cancelled
            While it is drained, where it was stopped before the end of the first start.
        """
        rows = self._checked(X, reset=True)
        n_clusters = getattr(self, "n_clusters", 1)
        if n_clusters > len(rows):
            raise ValueError(f"n_clusters={n_clusters} should be <= n_samples={len(rows)}.")
        return self._train(rows, self._prepare(rows), stop)

    def _train(self, rows, shared, stop):
        best, lowest = -math.inf, math.nan
        began = False
        seeds = self._seeds()
        for done, seed in enumerate(seeds):
            start = self._start(rows, shared, seed)
            while True:
                try:
                    part = next(start)
                except StopIteration as end:
                    found = end.value
                    break
                yield Snapshot(done + part, len(seeds), lowest)
                if stop is not None and stop():
                    if not began:
                        raise Cancelled
                    return
            worth = self._worth(rows, found)
            lowest = float(np.fmin(lowest, found.loss))
            if not began or worth > best:
                best, began = worth, True
                self._keep(found)
            yield Snapshot(done + 1, len(seeds), lowest)
            if stop is not None and stop():
                return

    def _seeds(self) -> Sequence[Any]:
        """What each start begins from, by default a number that fixes all its chances."""
        return check_random_state(self.random_state).randint(2**31, size=self.n_init).tolist()

    def _worth(self, rows, found):
        if self.selection != "silhouette":
            return -np.inf if np.isnan(found.loss) else -found.loss
        score = silhouette(rows, found.labels, sample=SCORED_ROWS)
        # A row without a cluster counts 0, as one on a border: else the best would be to leave out
        # all that is hard.
        return -1.0 if np.isnan(score) else score * np.mean(found.labels >= 0)


class BestOfSettings(BestOfStarts):
    """A clustering without chance: from the settings given, or from the best of a few of them.

    A subclass has a setting ``selection``: "given", or "silhouette" for the outcome of the highest
    silhouette among those of `_grid`.
    """

    _grid: Sequence[Any] = ()

    def _seeds(self):
        return self._grid if self.selection == "silhouette" else [None]


def prediction_state(model):
    """Arrays from which `restore_prediction` makes a model that predicts the same.

    Parameters
    ----------
    model : BestOfStarts
        Fitted, of a kind that predicts.

    Returns
    -------
    dict of str to ndarray
    """
    return {name.strip("_"): np.asarray(getattr(model, name)) for name in model._learned}


def restore_prediction(model, state):
    """Make an unfitted model predict as the one that the state is of.

    Parameters
    ----------
    model : BestOfStarts
        With the settings of the other.
    state : mapping of str to ndarray
        From `prediction_state`.

    Returns
    -------
    BestOfStarts
        The same model.
    """
    for name in model._learned:
        setattr(model, name, state[name.strip("_")])
    model.n_features_in_ = state["cluster_centers"].shape[1]
    return model


def cluster_means(rows, labels, n_clusters):
    """Return the mean row of each cluster, (k, d); an empty one gets the mean of all rows."""
    sizes = np.bincount(labels[labels >= 0], minlength=n_clusters)
    sums = np.zeros((n_clusters, rows.shape[1]))
    np.add.at(sums, labels[labels >= 0], rows[labels >= 0])
    means = sums / np.maximum(sizes, 1)[:, None]
    means[sizes == 0] = rows.mean(axis=0)
    return means


def means_found(rows, labels):
    """Return the mean row of each cluster found, (k, d), of labels that miss no number."""
    return cluster_means(rows, labels, int(labels.max(initial=-1)) + 1)
