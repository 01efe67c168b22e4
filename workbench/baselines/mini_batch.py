"""k-means that looks at a few rows at a time, for very many of them."""

from typing import Any

from sklearn.cluster import MiniBatchKMeans as Single

from workbench.baselines.kmeans import KMeans


class MiniBatchKMeans(KMeans):
    """Minimise k-means' inertia by moving centres after each batch of rows (Sculley, 2010).

    Parameters
    ----------
    n_clusters : int, default 8
        How many centres.
    n_init : int, default 4
        Restarts.
    batch_size : int, default 1024
        Rows of a batch.
    max_iter : int, default 100
        Most passes over the rows.
    init : {"k-means++", "random"}, default "k-means++"
        Where the centres start.
    selection : {"loss", "silhouette"}, default "loss"
        Which restart is kept: lowest inertia of all rows, or highest silhouette.
    random_state : int, RandomState or None, default None
        All randomness.

    Attributes
    ----------
    cluster_centers_, labels_, loss_, n_iter_, n_found_
        As of k-means.

    Notes
    -----
    A missing value (NaN) counts as its column's mean.
    """

    def __init__(
        self,
        n_clusters=8,
        *,
        n_init=4,
        batch_size=1024,
        max_iter=100,
        init="k-means++",
        selection="loss",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.batch_size = batch_size
        self.max_iter = max_iter
        self.init = init
        self.selection = selection
        self.random_state = random_state

    def _single(self, seed):
        single: dict[str, Any] = {"init": self.init, "n_init": 1, "max_iter": self.max_iter}
        return Single(self.n_clusters, **single, batch_size=self.batch_size, random_state=seed)
