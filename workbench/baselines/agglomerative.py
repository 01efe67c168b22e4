"""Agglomerative clustering, scikit-learn's, with a choice among linkages by silhouette."""

from typing import Any

from sklearn.cluster import AgglomerativeClustering as Tree
from sklearn.neighbors import kneighbors_graph

from workbench.baselines.starts import BestOfSettings, Found, cluster_means

LINKAGES = ("ward", "average", "complete", "single")


class Agglomerative(BestOfSettings):
    """Merge the two clusters that are nearest, again and again, until k are left.

    Parameters
    ----------
    n_clusters : int, default 8
        How many clusters.
    linkage : {"ward", "average", "complete", "single"}, default "ward"
        What is near: ward, whose merge adds least to the squared distances from means; otherwise
        the mean, largest or smallest distance between rows of the two.
    metric : {"euclidean", "manhattan", "cosine"}, default "euclidean"
        Distance between rows; of ward always the Euclidean one.
    connectivity : {"all", "neighbours"}, default "all"
        Which clusters may merge: any two, which takes n^2 / 2 numbers, or those that have
        neighbouring rows.
    n_neighbors : int, default 10
        Of each row, for "neighbours".
    selection : {"given", "silhouette"}, default "given"
        The linkage given, or of all four the one whose clusters have the highest silhouette.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Means of the clusters.
    labels_ : ndarray of int, shape (n,)
    loss_ : float
        NaN: nothing is minimised as a whole.
    linkage_ : str
        As used.
    n_found_ : int
        Clusters that have a row.
    """

    _grid = LINKAGES

    def __init__(
        self,
        n_clusters=8,
        *,
        linkage="ward",
        metric="euclidean",
        connectivity="all",
        n_neighbors=10,
        selection="given",
    ):
        self.n_clusters = n_clusters
        self.linkage = linkage
        self.metric = metric
        self.connectivity = connectivity
        self.n_neighbors = n_neighbors
        self.selection = selection

    def _prepare(self, rows):
        if self.connectivity == "all":
            return None
        A = kneighbors_graph(rows, min(self.n_neighbors, len(rows) - 1))
        return A + A.T

    def _start(self, rows, shared, seed):
        yield 0.0
        linkage = seed or self.linkage
        metric: Any = "euclidean" if linkage == "ward" else self.metric
        tree = Tree(self.n_clusters, linkage=linkage, metric=metric, connectivity=shared)
        labels = tree.fit_predict(rows)
        return Found(labels, cluster_means(rows, labels, self.n_clusters), float("nan"), linkage)

    def _keep(self, found):
        super()._keep(found)
        self.linkage_ = found.state
