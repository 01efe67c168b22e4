"""Kernel k-means: k-means among the images of rows under a Gaussian kernel."""

import numpy as np
from sklearn.metrics import pairwise_distances_chunked
from sklearn.utils import check_random_state

from slk_core import kernel_width, knn_graph
from workbench.baselines.starts import BestOfStarts, Found, cluster_means

HELD_ROWS = 20_000  # up to which the kernel is held: 1.5 GiB
_BLOCK = 64  # MiB of kernel at a time
_NEIGHBOURS = 10


class KernelKMeans(BestOfStarts):
    r"""Minimise k-means' inertia in the space of a kernel (Dhillon, Guan and Kulis, 2004).

    .. math:: \sum_p \min_l K_{pp} - \frac{2 (K z_l)_p}{n_l} + \frac{z_l^\top K z_l}{n_l^2},
        \qquad K_{pq} = e^{-\|x_p - x_q\|^2 / 2 \sigma^2}

    Parameters
    ----------
    n_clusters : int, default 8
        How many clusters.
    sigma : float or "auto", default "auto"
        Kernel width, a length in the units of X. "auto": sigma^2 is twice
        the mean squared distance of rows to their 10 nearest, SLK's width times root 2; at SLK's
        own, rows are nearly alone in the kernel's space and starts hardly differ.
    n_init : int, default 10
        Starts: rows far apart in the kernel's space, as k-means++ draws them.
    max_iter : int, default 100
        Most iterations of a start.
    selection : {"loss", "silhouette"}, default "loss"
        Which start is kept: lowest inertia in the kernel's space, or highest silhouette.
    random_state : int, RandomState or None, default None
        All randomness.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Means of the clusters; the centres themselves have no place among the rows.
    labels_ : ndarray of int, shape (n,)
    shares_ : ndarray of shape (n, k)
        Z: 1 for the cluster of each row, else 0.
    spread_ : ndarray of shape (k,)
        z_l'K z_l / n_l^2, from the kernel less 1; 0 for an empty cluster.
    loss_ : float
        Inertia in the kernel's space.
    sigma_ : float
        As used.
    n_iter_ : int
        Iterations of the start kept.
    n_found_ : int
        Clusters that have a row.

    Notes
    -----
    The kernel takes 4 n^2 bytes up to 20,000 rows; above, it is computed anew, in blocks, for every
    iteration. A cluster that loses its last row stays empty.
    """

    _learned = ("cluster_centers_", "rows_", "shares_", "spread_", "sigma_")

    def __init__(
        self,
        n_clusters=8,
        *,
        sigma="auto",
        n_init=10,
        max_iter=100,
        selection="loss",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.sigma = sigma
        self.n_init = n_init
        self.max_iter = max_iter
        self.selection = selection
        self.random_state = random_state

    def predict(self, X):
        """Return the cluster whose centre is nearest to each row, in the kernel's space.

        Parameters
        ----------
        X : array-like of shape (m, d)

        Returns
        -------
        ndarray of int, shape (m,)
        """
        rows = self._checked(X)
        KZ = Kernel(rows, self.rows_, float(self.sigma_)) @ self.shares_
        return distances(KZ, self.shares_.sum(axis=0), self.spread_).argmin(axis=1)

    def _prepare(self, rows):
        self.rows_ = rows
        self.sigma_ = kernel_width_of(rows) if isinstance(self.sigma, str) else float(self.sigma)
        return Kernel(rows, rows, self.sigma_, held=len(rows) <= HELD_ROWS)

    def _start(self, rows, shared, seed):
        n, k = len(rows), self.n_clusters
        labels = _seeded(rows, k, self.sigma_, check_random_state(seed))
        for step in range(self.max_iter):
            yield step / self.max_iter
            Z = _one_hot(labels, k)
            sizes, spread = _spread(KZ := shared @ Z, Z)
            squares = distances(KZ, sizes, spread)
            before, labels = labels, squares.argmin(axis=1)
            if (labels == before).all():
                break
        loss = float(np.maximum(squares[np.arange(n), labels], 0).sum())
        if (labels != before).any():  # the last iteration moved rows
            Z = _one_hot(labels, k)
            _, spread = _spread(shared @ Z, Z)
        return Found(labels, cluster_means(rows, labels, k), loss, (Z, spread, step + 1))

    def _keep(self, found):
        super()._keep(found)
        self.shares_, self.spread_, self.n_iter_ = found.state


class Kernel:
    """The Gaussian kernel between two sets of rows less 1, (m, n), to multiply from the right.

    No distance in the kernel's space changes by the 1, and a wide kernel, all of whose values are
    near 1, keeps its digits in float32.

    Parameters
    ----------
    left, right : ndarray of shape (m, d) and (n, d)
    sigma : float
        Its width.
    held : bool, default False
        Whether its values are kept, for more than one product.
    """

    def __init__(self, left, right, sigma, *, held=False):
        middle = right.mean(axis=0)  # far from the origin, squares would lose the digits
        self.right, self.sigma = right - middle, sigma
        self.left = self.right if left is right else left - middle
        self._held = self._values() if held else None

    def __matmul__(self, Z):
        """(K - 1) Z, (m, k), for a float32 Z of shape (n, k)."""
        if self._held is not None:
            return self._held @ Z
        return np.concatenate([block @ Z for block in self._blocks()])

    def _values(self):
        values, first = np.empty((len(self.left), len(self.right)), np.float32), 0
        for block in self._blocks():  # each in its place: a second copy would be as large
            values[first : first + len(block)] = block
            first += len(block)
        return values

    def _blocks(self):
        def kernel(squares, start):
            squares *= -0.5 / self.sigma**2
            return np.expm1(squares).astype(np.float32)

        return pairwise_distances_chunked(
            self.left, self.right, reduce_func=kernel, working_memory=_BLOCK, squared=True
        )


def distances(KZ, sizes, spread):
    """Return squared distances to the centres in the kernel's space, from the kernel less 1.

    Parameters
    ----------
    KZ : ndarray of shape (m, k)
        Sums of kernel values between rows and the members of each cluster.
    sizes, spread : ndarray of shape (k,)
        n_l and z_l'K z_l / n_l^2.

    Returns
    -------
    ndarray of shape (m, k)
        From 0 to 2, infinite to an empty cluster; K_pp - 1 is 0.
    """
    return np.where(sizes > 0, spread - 2 * KZ / np.maximum(sizes, 1), np.inf)


def _spread(KZ, Z):
    sizes = Z.sum(axis=0, dtype=np.float64)
    within = np.einsum("pl,pl->l", KZ, Z, dtype=np.float64)
    return sizes, within / np.maximum(sizes, 1) ** 2


def _one_hot(labels, k):
    return np.eye(k, dtype=np.float32)[labels]


def _seeded(rows, k, sigma, rng):
    """Nearest of k rows drawn as k-means++ does, in the kernel's space."""
    nearest, labels = np.full(len(rows), np.inf), np.zeros(len(rows), np.int64)
    for label in range(k):
        weights = np.ones(len(rows)) if label == 0 else nearest
        total = weights.sum()
        place = rng.choice(len(rows), p=weights / total) if total > 0 else rng.randint(len(rows))
        squares = -2 * np.expm1(-np.square(rows - rows[place]).sum(axis=1) / (2 * sigma**2))
        closer = squares < nearest
        labels[closer], nearest[closer] = label, squares[closer]
    return labels


def kernel_width_of(rows):
    """Return the root of twice the mean squared distance to the 10 nearest rows; never 0."""
    return float(np.sqrt(2) * kernel_width(knn_graph(rows, _NEIGHBOURS)[1])) or 1.0
