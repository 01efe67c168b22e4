"""Spectral clustering, scikit-learn's, whose start is kept by its normalised cut."""

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans as Single
from sklearn.manifold import spectral_embedding
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.neighbors import kneighbors_graph
from sklearn.utils import check_random_state

from slk_core.affinity import TREE_FEATURES
from workbench.baselines.slk_graph import slk_graph
from workbench.baselines.starts import BestOfStarts, Found, cluster_means

AFFINITIES = ("slk-graph", "knn", "rbf")


class Spectral(BestOfStarts):
    r"""Minimise the normalised cut of a graph in relaxed form (Shi and Malik, 2000).

    .. math:: \sum_l \left( 1 - \frac{z_l^\top W z_l}{z_l^\top D z_l} \right)

    The rows' places among the first k eigenvectors of the Laplacian are clustered by k-means.

    Parameters
    ----------
    n_clusters : int, default 8
        How many clusters.
    affinity : {"slk-graph", "knn", "rbf"}, default "slk-graph"
        W: that of SLK; scikit-learn's "nearest_neighbors", where each row counts itself; or a
        Gaussian between all rows, which takes n^2 numbers.
    n_neighbors : int, default 10
        Of each row; not for "rbf".
    gamma : float or "auto", default "auto"
        Of "rbf", exp(-gamma |x - y|^2). "auto": 1 / (2 sigma^2) with SLK's kernel width.
    n_init : int, default 10
        Starts of k-means.
    selection : {"loss", "silhouette"}, default "loss"
        Which is kept: that of the least normalised cut, or of the highest silhouette.
    random_state : int, RandomState or None, default None
        All randomness.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Means of the clusters.
    labels_ : ndarray of int, shape (n,)
    loss_ : float
        Normalised cut of W.
    n_found_ : int
        Clusters that have a row.
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        affinity="slk-graph",
        n_neighbors=10,
        gamma="auto",
        n_init=10,
        selection="loss",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.gamma = gamma
        self.n_init = n_init
        self.selection = selection
        self.random_state = random_state

    def _prepare(self, rows):
        W, k = self._weights(rows), self.n_clusters
        if k == len(rows):  # each row its own: no solver finds all eigenvectors
            return W, np.eye(k)
        seed = check_random_state(self.random_state).randint(2**31)
        # A graph of few features falls into parts, which a factor of the Laplacian needs few
        # numbers for; one of many does not.
        solver = "arpack" if rows.shape[1] <= TREE_FEATURES else "lobpcg"
        options: dict[str, Any] = {"n_components": k, "drop_first": False, "random_state": seed}
        return W, spectral_embedding(W, **options, eigen_solver=solver)

    def _weights(self, rows):
        near = min(self.n_neighbors, len(rows) - 1)
        if self.affinity == "slk-graph":
            return sparse.csr_matrix(slk_graph(rows, near).W, dtype=np.float64)
        if self.affinity == "knn":
            A = kneighbors_graph(rows, near, include_self=True)
            return (A + A.T) / 2
        gamma = self.gamma
        if isinstance(gamma, str):
            gamma = 0.5 / slk_graph(rows, near).sigma ** 2
        return rbf_kernel(rows, gamma=gamma)

    def _start(self, rows, shared, seed):
        yield 0.0
        W, places = shared
        single: dict[str, Any] = {"n_init": 1, "random_state": seed}
        labels = Single(self.n_clusters, **single).fit_predict(places)
        loss = cut(labels, W, self.n_clusters)
        return Found(labels, cluster_means(rows, labels, self.n_clusters), loss)


def cut(labels, W, n_clusters):
    """Return the normalised cut of a partition.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
    W : ndarray or sparse matrix of shape (n, n)
        Symmetric.
    n_clusters : int
        A cluster without weight counts 1.

    Returns
    -------
    float
        From 0, where nothing joins two clusters, to k.
    """
    Z = np.eye(n_clusters)[labels]
    WZ = W @ Z
    within, volumes = (Z * WZ).sum(axis=0), Z.T @ WZ.sum(axis=1)
    shares = np.divide(within, volumes, out=np.zeros(n_clusters), where=volumes > 0)
    return float(n_clusters - shares.sum())
