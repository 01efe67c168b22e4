"""HDBSCAN, scikit-learn's, with a size of clusters that grows with the rows."""

from typing import Any

from sklearn.cluster import HDBSCAN as Scan

from workbench.baselines.starts import BestOfSettings, Found, means_found


class HDBSCAN(BestOfSettings):
    """Keep the clusters that last longest as the density asked for rises (Campello et al., 2013).

    Parameters
    ----------
    min_cluster_size : int or "auto", default "auto"
        Rows that make a cluster. "auto": 2 % of all, at least 5.
    min_samples : int, default 5
        Neighbours by which density is measured.
    cluster_selection : {"eom", "leaf"}, default "eom"
        Clusters that last longest, or the smallest ones.
    selection : {"given", "silhouette"}, default "given"
        The size given, or of 1/4, 1/2, 1, 2 and 4 times it that of the highest silhouette, rows
        without a cluster counted as 0.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Means of the clusters found.
    labels_ : ndarray of int, shape (n,)
        -1 for a row that is in no cluster.
    loss_ : float
        NaN: nothing is minimised.
    min_cluster_size_ : int
        As used.
    n_found_ : int
        Clusters found.
    """

    _grid = (1.0, 0.25, 0.5, 2.0, 4.0)  # of equal ones the first is kept

    def __init__(
        self,
        min_cluster_size="auto",
        *,
        min_samples=5,
        cluster_selection="eom",
        selection="given",
    ):
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection = cluster_selection
        self.selection = selection

    def _start(self, rows, shared, seed):
        yield 0.0
        n, size = len(rows), self.min_cluster_size
        if isinstance(size, str):
            size = max(5, round(0.02 * n))
        size = min(max(2, round(size * (seed or 1.0))), n)
        options: dict[str, Any] = {"cluster_selection_method": self.cluster_selection, "copy": True}
        scan = Scan(min_cluster_size=size, min_samples=min(self.min_samples, n), **options)
        labels = scan.fit_predict(rows)
        return Found(labels, means_found(rows, labels), float("nan"), size)

    def _keep(self, found):
        super()._keep(found)
        self.min_cluster_size_ = found.state
