"""Laplacian K-modes (LK): modes and a graph under a convex relaxation."""

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import eigsh
from sklearn.cluster import KMeans as Single

from slk_core import coupling, degrees, discrete
from slk_core.prediction import Neighbourhood, kernel_to, neighbour_shares
from workbench.baselines.simplex import to_simplex
from workbench.baselines.slk_graph import slk_graph
from workbench.baselines.starts import BestOfStarts, Found

_PASSES = 500  # of Z, at most, for fixed modes
_Z_AT_REST = 1e-4  # root mean square move of a share
_C_AT_REST = 1e-3  # relative change of C at which a start ends, as published
_SHIFTS = 100  # of the modes, at most, for fixed Z


class Problem(NamedTuple):
    """What all starts share, in units of the kernel width."""

    rows: np.ndarray
    centre: np.ndarray
    sigma: float
    W: sparse.csr_array
    d: np.ndarray
    lam: float
    step: float


class LaplacianKModes(BestOfStarts):
    r"""Laplacian K-modes (Wang and Carreira-Perpinan, 2014) on SLK's graph and kernel.

    .. math:: \min_{Z, C} \lambda \, \mathrm{tr}(Z^\top L Z) - \sum_{pl} z_{pl} k(x_p, c_l),
        \quad z_p \in \text{simplex}, \quad k(x, c) = e^{-\|x - c\|^2 / 2 \sigma^2}

    C moves by weighted mean shift, Z by accelerated projected gradient, in turn, from k-means.

    Parameters
    ----------
    n_clusters : int, default 8
        How many modes.
    lam : float or "auto", default "auto"
        lambda >= 0, the same as SLK's: "auto" is 1.25 c(k) / 2, see `slk_core.coupling`.
    n_neighbors : int, default 10
        Of each row in the graph, itself not counted.
    affinity_kind : {"binary", "gaussian"}, default "binary"
        Whether all neighbours count alike.
    n_init : int, default 10
        Starts of k-means, of each of which one is made.
    max_iter : int, default 100
        Most moves of C, then Z, of a start.
    selection : {"loss", "silhouette"}, default "loss"
        Which start is kept: that of the lowest discrete objective E, or of the highest silhouette.
    random_state : int, RandomState or None, default None
        All randomness.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Modes, in the units of X.
    labels_ : ndarray of int, shape (n,)
        Largest share of each row.
    shares_ : ndarray of shape (n, k)
        Z.
    loss_, objective_ : float
        E, the discrete objective of `slk_core.discrete` that SLK has too.
    relaxation_ : float
        The minimised function.
    lam_, sigma_ : float
        As used; sigma in the units of X.
    affinity_ : csr_array of shape (n, n)
        W.
    n_iter_ : int
        Moves of C, then Z, of the start kept.
    n_found_ : int
        Clusters that have a row.
    """

    _learned = ("cluster_centers_", "rows_", "shares_", "degrees_", "sigma_", "lam_")

    def __init__(
        self,
        n_clusters=8,
        *,
        lam="auto",
        n_neighbors=10,
        affinity_kind="binary",
        n_init=10,
        max_iter=100,
        selection="loss",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.lam = lam
        self.n_neighbors = n_neighbors
        self.affinity_kind = affinity_kind
        self.n_init = n_init
        self.max_iter = max_iter
        self.selection = selection
        self.random_state = random_state

    def predict(self, X):
        r"""Return the cluster of new rows, each tied to its nearest rows of the first.

        .. math:: z(x) = \Pi\left( \frac{k(x, C) + 2 \lambda \sum_q w(x, q) z_q}{2 \lambda d(x)}
            \right), \quad d(x) = \sum_q w(x, q)

        minimises the objective with all else fixed. Pi, the projection to the simplex, leaves the
        largest share the largest.

        Parameters
        ----------
        X : array-like of shape (m, d)

        Returns
        -------
        ndarray of int, shape (m,)
        """
        rows = self._checked(X)
        sigma = float(self.sigma_)
        rows = rows / sigma
        a = kernel_to(rows, self.cluster_centers_ / sigma, squared=False)
        kind, d = self.affinity_kind, self.degrees_
        ties = Neighbourhood(self.rows_ / sigma, self.n_neighbors, kind, d, 1.0)
        edges = ties.edges(rows, exact=False)
        return (a + 2 * float(self.lam_) * neighbour_shares(*edges, self.shares_)).argmax(axis=1)

    def _prepare(self, rows):
        W, sigma, raw = slk_graph(rows, self.n_neighbors, kind=self.affinity_kind)
        lam = 1.25 * coupling(self.n_clusters) / 2 if isinstance(self.lam, str) else self.lam
        centre = rows.mean(axis=0)
        self.affinity_ = W
        self.rows_, self.degrees_, self.sigma_, self.lam_ = rows, raw, sigma, float(lam)
        step = 1 / (2 * lam * largest_eigenvalue(W)) if lam > 0 else np.inf
        return Problem((rows - centre) / sigma, centre, sigma, W, degrees(W), float(lam), step)

    def _start(self, rows, shared, seed):
        k = self.n_clusters
        single: dict[str, Any] = {"n_init": 1, "random_state": seed}
        begun: Any = Single(k, **single).fit(shared.rows)
        C, Z = begun.cluster_centers_, np.eye(k)[begun.labels_]
        for step in range(self.max_iter):
            yield step / self.max_iter
            before = C
            C = shifted(shared.rows, Z, C)
            a = kernel_to(shared.rows, C, squared=False)
            Z = assigned(Z, a, shared)
            if np.linalg.norm(C - before) <= _C_AT_REST * np.linalg.norm(C):
                break
        labels = Z.argmax(axis=1)
        loss = discrete(labels, a, shared.W, lam=shared.lam).total
        reached = Z, relaxation((Z, shared.W @ Z), a, shared), step + 1
        return Found(labels, C * shared.sigma + shared.centre, loss, reached)

    def _keep(self, found):
        super()._keep(found)
        self.objective_ = self.loss_
        self.shares_, self.relaxation_, self.n_iter_ = found.state


def shifted(rows, Z, C):
    """Return the modes, each moved to rest by mean shift weighted with its shares.

    c <- sum_p z_p k(x_p, c) x_p / sum_p z_p k(x_p, c) raises sum_p z_p k(x_p, c).

    Parameters
    ----------
    rows, Z, C : ndarray of shape (n, d), (n, k), (k, d)
        In units of the kernel width.

    Returns
    -------
    ndarray of shape (k, d)
    """
    for _ in range(_SHIFTS):
        weights = Z * kernel_to(rows, C, squared=False)
        sums = weights.sum(axis=0)[:, None]
        moved = np.where(sums > 0, weights.T @ rows / np.where(sums > 0, sums, 1), C)
        if np.abs(moved - C).max() < _C_AT_REST:
            return moved
        C = moved
    return C


def assigned(Z, a, problem):
    """Return shares that minimise the relaxation for fixed modes.

    Accelerated projected gradient (Beck and Teboulle, 2009); momentum that would raise the
    relaxation is dropped, so that it never rises.

    Parameters
    ----------
    Z, a : ndarray of shape (n, k)
        Shares to begin from, and kernel values between rows and modes.
    problem : Problem

    Returns
    -------
    ndarray of shape (n, k)
    """
    if not problem.lam:
        return np.eye(a.shape[1])[a.argmax(axis=1)]
    here = ahead = _Shares(Z, problem.W @ Z)
    value, momentum = relaxation(here, a, problem), 1.0
    for _ in range(_PASSES):
        found = _step(ahead, a, problem)
        reached = relaxation(found, a, problem)
        if reached > value:
            found, momentum = _step(here, a, problem), 1.0
            reached = relaxation(found, a, problem)
        move = found.Z - here.Z
        following = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        speed = (momentum - 1) / following
        ahead = _Shares(found.Z + speed * move, found.WZ + speed * (found.WZ - here.WZ))
        here, value, momentum = found, min(value, reached), following
        if np.sqrt(np.mean(np.square(move))) < _Z_AT_REST:
            break
    return here.Z


class _Shares(NamedTuple):
    """Z, or a point ahead of it, and W Z."""

    Z: np.ndarray
    WZ: np.ndarray


def _step(shares, a, problem):
    slope = 2 * problem.lam * (problem.d[:, None] * shares.Z - shares.WZ) - a
    Z = to_simplex(shares.Z - problem.step * slope)
    return _Shares(Z, problem.W @ Z)


def relaxation(shares, a, problem):
    """Return lam tr(Z'LZ) - sum z a for shares Z with their W Z, and kernel values a, (n, k)."""
    Z, WZ = shares
    laplacian = problem.d @ np.square(Z).sum(axis=1) - np.vdot(Z, WZ)
    return float(problem.lam * laplacian - np.vdot(Z, a))


def largest_eigenvalue(W):
    """Return a bound on the largest eigenvalue of L = D - W: near to it, and never below."""
    d = degrees(W)
    n, most = len(d), 2 * float(d.max(initial=0))  # Gershgorin's
    if n < 3 or most == 0:
        return most or 1.0
    L = sparse.csr_array(sparse.diags_array(d) - W)
    begun = np.random.default_rng(0).normal(size=n)
    options: dict[str, Any] = {"tol": 1e-3, "v0": begun, "return_eigenvectors": False}
    found: Any = eigsh(L, 1, which="LA", **options)
    return min(most, 1.01 * float(found[0]))
