"""SLK as a scikit-learn estimator: validation and units; the mathematics is elsewhere."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from slk_core.affinity import (
    affinity_of,
    check_affinity,
    degrees,
    kernel_width,
    knn_graph,
    normalise,
)
from slk_core.assignment import Coupling, Stop
from slk_core.graph import Graph
from slk_core.prediction import (
    Neighbourhood,
    kernel_to,
    neighbour_shares,
    shares,
    squared_distances,
)
from slk_core.seeding import seeds
from slk_core.settings import (
    check_complete,
    check_rows,
    check_settings,
    edge_lengths,
    engine_of,
    entropy_weight_of,
    lam_of,
    stages_of,
    width_without_edges,
)
from slk_core.training import Best, Snapshot, Trainer


class SLK(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClusterMixin, BaseEstimator):
    r"""Scalable Laplacian K-modes (Ziko, Granger and Ben Ayed, NeurIPS 2018).

    Finds modes m and an assignment Z of the rows that minimise (equation 1)

    .. math:: E(Z, m) = -\sum_{pl} z_{pl} k(x_p, m_l) + \frac{\lambda}{2} \sum_{pq} w_{pq} \lVert
        z_p - z_q \rVert^2, \quad k(x, m) = e^{-\lVert x - m \rVert^2 / 2 \sigma^2}

    over a sparse affinity W: rows join the mode that is near to them and the cluster of their
    neighbours. Z is relaxed to the simplex (equation 2, with entropy weight t) and updated by a
    bound that never raises the relaxation R. No labels are needed for the defaults. Columns on
    different scales should be standardised first; rows must be complete.

    Parameters
    ----------
    n_clusters : int, default 8
    lam : float or "auto", default "auto"
        Weight of the Laplacian, >= 0. "auto" is 1.25 c(k) t / 2 with c of
        :func:`slk_core.objective.coupling`, for a W whose rows sum to about 1; for another W it is
        divided by the mean row sum. 0 is K-modes (with ``entropy_weight=0``).
    n_neighbors : int, default 10
        Of each row, itself not counted.
    affinity : {"knn", "precomputed"} or sparse matrix of shape (n, n), default "knn"
        "precomputed" takes W from ``fit(X, affinity=W)``. A W of your own is used as it is,
        less its diagonal, and must be symmetric, finite and >= 0.
    affinity_kind : {"binary", "gaussian"}, default "binary"
    normalised : bool, default True
        Divide the neighbour graph by the roots of its row sums, D^-1/2 W D^-1/2.
    modes : {"mean-shift", "byproduct", "means", "exact"}, default "mean-shift"
        How modes follow Z: weighted mean-shift (SLK-MS), the row of the largest share (SLK-BO),
        weighted means with squared distances / (2 sigma^2) in place of the kernel (SLK-Means), or
        the best row of all (up to 20,000 rows). One that would raise R is not taken.
    entropy_weight : float or "auto", default "auto"
        t, >= 0; the paper has 1. 0 assigns hard. "auto" is 1 up to 15 clusters and 1 / ln k from
        60 on, with a smooth way between.
    balance : float, default 0
        gamma >= 0 of the term lam gamma sum_l (d'Z)_l^2 / sum(d), which keeps one cluster from
        swallowing the graph. Ours; the paper has 0.
    sigma : float or "auto", default "auto"
        Kernel width, a length in the units of X. "auto": sigma^2 is the mean squared length of
        the edges.
    anneal : sequence of float, default (2, 1.33, 1)
        Entropy weights in units of t, one after the other with Z kept; the last is 1.
    n_init : int, default 10
        Starts, of which one is kept.
    selection : {"cut", "objective", "silhouette"}, default "cut"
        Which: that of the least normalised cut of W (of equal ones that of the lowest E), of the
        lowest E, or of the highest silhouette (of at most 2,000 rows). None sees a label.
    init : {"k-means++", "data"} or array-like of shape ([n_init,] k, d)
        Starting modes.
    max_iter : int, default 30
        Outer iterations (Z, then modes) at each entropy weight.
    tol : float, default 1e-4
        An iteration that lowers R by less than ``tol`` a row is the last.
    factor : float, default 2
        Of lam W Z in the update of Z. 2 minimises the bound. The published program has 1; with
        anything but 2 rows are updated all at once and R may rise.
    reset : bool, default False
        Whether Z begins anew at each outer iteration, as published.
    method : {"auto", "exact", "approximate"}, default "auto"
        Neighbour search: exact up to 20,000 rows or 8 features, pynndescent beyond.
    engine : {"auto", "numba", "torch"}, default "auto"
        Same mathematics, other speed.
    device : str, default "cpu"
        Any torch device.
    dtype : {"float32", "float64"}, default "float32"
    random_state : int, RandomState or None

    Attributes
    ----------
    cluster_centers_ : float64 ndarray of shape (n_clusters, n_features)
        Modes.
    mode_rows_ : int64 ndarray of shape (n_clusters,)
        The rows that the modes are, or the nearest to them.
    labels_ : int64 ndarray of shape (n_samples,)
        Largest share of each row.
    soft_assignment_ : ndarray of shape (n_samples, n_clusters)
        Z.
    objective_, relaxation_ : float
        E and R of the start kept, balance included.
    history_ : list of Snapshot
        Of the start kept, without the labels.
    starts_, cuts_ : list of float
        E and normalised cut of every start.
    lam_, sigma_, entropy_weight_ : float
        As used; sigma in the units of X.
    affinity_ : csr_array of shape (n_samples, n_samples)
        W.
    n_iter_ : int
        Outer iterations of the start kept.
    n_clusters_found_ : int
        Clusters that have rows.

    Examples
    --------
    >>> import numpy as np
    >>> from slk_core import SLK
    >>> X = np.array([[1, 2], [1, 4], [1, 0], [10, 2], [10, 4], [10, 0]])
    >>> len(set(SLK(n_clusters=2, n_neighbors=2, random_state=0).fit_predict(X)))
    2
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        lam: float | str = "auto",
        n_neighbors: int = 10,
        affinity: Any = "knn",
        affinity_kind: str = "binary",
        normalised: bool = True,
        modes: str = "mean-shift",
        entropy_weight: float | str = "auto",
        balance: float = 0.0,
        sigma: float | str = "auto",
        anneal: Sequence[float] = (2, 1.33, 1),
        n_init: int = 10,
        selection: str = "cut",
        init: str | ArrayLike = "k-means++",
        max_iter: int = 30,
        tol: float = 1e-4,
        factor: float = 2,
        reset: bool = False,
        method: str = "auto",
        engine: str = "auto",
        device: str = "cpu",
        dtype: str = "float32",
        random_state: int | np.random.RandomState | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.lam = lam
        self.n_neighbors = n_neighbors
        self.affinity = affinity
        self.affinity_kind = affinity_kind
        self.normalised = normalised
        self.modes = modes
        self.entropy_weight = entropy_weight
        self.balance = balance
        self.sigma = sigma
        self.anneal = anneal
        self.n_init = n_init
        self.selection = selection
        self.init = init
        self.max_iter = max_iter
        self.tol = tol
        self.factor = factor
        self.reset = reset
        self.method = method
        self.engine = engine
        self.device = device
        self.dtype = dtype
        self.random_state = random_state

    @classmethod
    def paper(cls, n_clusters: int = 8, **settings: Any) -> SLK:
        """The published program's behaviour, to look at: R may rise.

        Byproduct modes, a published lam (default 1) with factor 1 (half of it with factor 2), the
        plain binary graph of 5 neighbours that counts the row itself (so 4 edges), Z begun
        anew at each outer iteration, no balance, no anneal, one start.

        Parameters
        ----------
        n_clusters : int, default 8
        **settings
            Any of the constructor's, in place of these.
        """
        published: dict[str, Any] = {
            "lam": 1.0, "n_neighbors": 4, "normalised": False, "modes": "byproduct",
            "entropy_weight": 1.0, "balance": 0.0, "anneal": (1,), "n_init": 1, "factor": 1,
            "reset": True,
        }  # fmt: skip
        return cls(n_clusters, **(published | settings))

    def fit(self, X, y=None, affinity=None):
        """Find modes and assignment.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        affinity : sparse matrix of shape (n_samples, n_samples), optional
            A W of your own, in place of the ``affinity`` parameter's.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            If a setting is outside its range, X is not complete and finite, there are fewer rows
            than clusters, or W is not symmetric, finite and >= 0.
        """
        for _ in self.fit_iter(X, affinity=affinity):
            pass
        return self

    def fit_iter(self, X, y=None, affinity=None, *, stop: Stop | None = None) -> Iterator[Snapshot]:
        """Fit, one :class:`Snapshot` per outer iteration of each start, after one of its seeds.

        Settings and data are checked, and the graph is built, at the call. Leaving early, by
        closing the iterator after its first Snapshot or by ``stop`` (asked between passes), leaves
        a usable model: the best start so far. A later fit makes an earlier iterator
        powerless.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : ignored
        affinity : sparse matrix of shape (n_samples, n_samples), optional
        stop : callable returning bool, optional

        Returns
        -------
        iterator of Snapshot
            Modes in the units of X.
        """
        check_settings(self)
        X = self._checked(X, reset=True)
        check_rows(self, X)
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        W, sigma, ties = self._affinity(X, affinity, int(rng.integers(2**31)))
        graph = Graph.of(W, np.dtype(self.dtype))
        t = entropy_weight_of(self)
        coupling = Coupling(lam_of(self, t, degrees(W)), float(self.balance), float(self.factor))
        center = X.mean(axis=0)
        rows = ((X - center) / sigma).astype(self.dtype)
        init = self.init if isinstance(self.init, str) else (np.asarray(self.init) - center) / sigma
        starts = seeds(rows, self.n_clusters, self.n_init, init=init, rng=rng)
        trainer = Trainer(
            np.ascontiguousarray(rows[graph.order]), graph, coupling, kind=self.modes,
            stages=stages_of(self, t), max_iter=self.max_iter, tol=float(self.tol),
            reset=self.reset, selection=self.selection, engine=engine_of(self),
        )  # fmt: skip
        self._latest = latest = getattr(self, "_latest", 0) + 1
        fitted = {
            "W": W,
            "sigma": sigma,
            "lam": coupling.lam,
            "t": t,
            "center": center,
            "ties": replace(ties, rows=rows),
            "pull": coupling.pull(graph),
        }
        return self._train(trainer, starts, fitted, stop, latest)

    def predict(self, X) -> NDArray[np.int64]:
        """Labels of new rows, by the largest share of :meth:`predict_soft`."""
        return self.predict_soft(X).argmax(axis=1)

    def predict_soft(self, X) -> NDArray:
        r"""Shares of new rows in the clusters, (n_samples, n_clusters).

        .. math:: z(x) = \mathrm{softmax}\left( (a(x) + 2 \lambda \sum_q w(x, q) z_q) / t \right)

        over the training rows q nearest to x, with w(x, q) = 1 / sqrt(d_x d_q) for a normalised
        neighbour graph, and less the balance's slope. A row of the training set counts itself
        among its neighbours.
        """
        rows = self._inside(self._checked(X))
        return self._predict(rows, *self._neighbours(rows)).astype(self.dtype)

    def transform(self, X) -> NDArray[np.float64]:
        """Euclidean distance of each row to each mode, (n_samples, n_clusters), units of X."""
        rows, modes = self._inside(self._checked(X)), self._inside(self.cluster_centers_)
        return np.sqrt(squared_distances(rows, modes)) * self.sigma_

    def score(self, X, y=None) -> float:
        """-E of equation 1 for rows with their predicted labels.

        The Laplacian counts the edges to the nearest training rows; the balance stays out.
        """
        rows = self._inside(self._checked(X))
        indices, weights = self._neighbours(rows)
        labels = self._predict(rows, indices, weights).argmax(axis=1)
        a = self._kernel(rows)[np.arange(len(rows)), labels]
        cut = (weights * (self.labels_[indices] != labels[:, None])).sum(axis=1)
        return float((a - self.lam_ * cut).sum())

    def _checked(self, X: Any, *, reset: bool = False) -> NDArray[np.float64]:
        """X as finite float64 numbers, with the features that the model knows."""
        if not reset:
            check_is_fitted(self, "cluster_centers_")
        rows: Any = validate_data(
            self, X, dtype=np.float64, ensure_all_finite="allow-nan", reset=reset
        )
        check_complete(rows)
        return rows

    def _affinity(self, X: NDArray, given: Any, seed: int) -> tuple[Any, float, Neighbourhood]:
        """W, sigma, and how new rows will be tied to the training rows."""
        given = self.affinity if given is None else given
        if isinstance(given, str) and given == "precomputed":
            raise ValueError("affinity='precomputed' needs W: fit(X, affinity=W).")
        raw = None
        if isinstance(given, str):
            indices, lengths = knn_graph(X, self.n_neighbors, method=self.method, random_state=seed)
            sigma = kernel_width(lengths) if isinstance(self.sigma, str) else float(self.sigma)
            W = affinity_of(
                indices, lengths, kind=self.affinity_kind, normalised=False, sigma=sigma
            )
            if self.normalised:
                raw, W = degrees(W), normalise(W)
        else:
            W = check_affinity(given, len(X))
            sigma = kernel_width(edge_lengths(W, X)) if isinstance(self.sigma, str) else self.sigma
        if not sigma > 0:
            sigma = width_without_edges(X)
        kind = self.affinity_kind if isinstance(given, str) else "given"
        ties = Neighbourhood(X[:0], self.n_neighbors, kind, raw, float(degrees(W).mean()))
        return W, float(sigma), ties

    def _train(
        self,
        trainer: Trainer,
        starts: list[NDArray],
        fitted: dict[str, Any],
        stop: Stop | None,
        latest: int,
    ) -> Iterator[Snapshot]:
        """Train, and make the model of whatever was reached, unless a later fit has begun."""
        center, sigma = fitted["center"], fitted["sigma"]
        run: Any = trainer.run(starts, stop)
        try:
            for snapshot in run:
                yield replace(snapshot, modes=snapshot.modes * sigma + center)
        finally:
            run.close()
            if self._latest == latest and trainer.best is not None:
                self._set(**fitted)
                self._keep(trainer, trainer.best)

    def _set(self, *, W, sigma, lam, t, center, ties: Neighbourhood, pull: float) -> None:
        """Set what was resolved before the training."""
        self.affinity_, self.sigma_, self.lam_, self.entropy_weight_ = W, sigma, lam, t
        self._center, self._neighbourhood, self._pull = center, ties, pull

    def _keep(self, trainer: Trainer, best: Best) -> None:
        """Set the fitted attributes by the start that was kept."""
        graph, last = trainer.graph, best.snapshot
        self.cluster_centers_ = last.modes * self.sigma_ + self._center
        self.mode_rows_, self.labels_ = last.mode_rows, last.labels
        self.soft_assignment_ = graph.put_back(best.z[:, : self.n_clusters])
        self.objective_, self.relaxation_ = last.objective, last.relaxation
        self.history_ = [
            replace(each, modes=each.modes * self.sigma_ + self._center) for each in best.history
        ]
        self.starts_, self.cuts_ = trainer.objectives, trainer.cuts
        self.n_iter_ = max(last.step, 1)
        self._sums = (graph.degrees @ best.z)[: self.n_clusters].astype(np.float64)
        self._n_features_out = len(self.cluster_centers_)
        self.n_clusters_found_ = last.n_found
        if self.n_clusters_found_ < self.n_clusters:
            warnings.warn(
                f"{self.n_clusters_found_} of {self.n_clusters} clusters have rows; a smaller lam "
                "or n_clusters may help.",
                ConvergenceWarning,
                stacklevel=4,
            )

    def _inside(self, X: NDArray) -> NDArray:
        """Rows in the units in which the model was fitted."""
        return ((X - self._center) / self.sigma_).astype(self.dtype)

    def _kernel(self, rows: NDArray) -> NDArray[np.float64]:
        return kernel_to(rows, self._inside(self.cluster_centers_), squared=self.modes == "means")

    def _neighbours(self, rows: NDArray) -> tuple[NDArray, NDArray]:
        return self._neighbourhood.edges(rows, exact=self.method == "exact")

    def _predict(self, rows: NDArray, indices: NDArray, weights: NDArray) -> NDArray[np.float64]:
        coupled = (
            self.factor * self.lam_ * neighbour_shares(indices, weights, self.soft_assignment_)
        )
        pulled = self._pull * weights.sum(axis=1, keepdims=True) * self._sums
        return shares(self._kernel(rows) + coupled - pulled, self.entropy_weight_)
