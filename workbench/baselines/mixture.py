"""A mixture of Gaussians, scikit-learn's, whose start is kept by likelihood or silhouette."""

from typing import Any

import numpy as np
from sklearn.mixture import GaussianMixture as Single

from workbench.baselines.starts import BestOfStarts, Found

COVARIANCES = ("full", "tied", "diag", "spherical")


class GaussianMixture(BestOfStarts):
    r"""Maximise the likelihood of rows under k Gaussians by expectation-maximisation.

    .. math:: \sum_x \log \sum_l \pi_l \mathcal{N}(x; \mu_l, \Sigma_l)

    Parameters
    ----------
    n_clusters : int, default 8
        How many Gaussians.
    covariance_type : {"full", "tied", "diag", "spherical"}, default "full"
        Any ellipsoid for each; one for all; along the axes; or balls.
    reg_covar : float, default 1e-6
        Added to each variance, so that no Gaussian shrinks to a point.
    n_init : int, default 10
        Starts.
    init : {"k-means", "random"}, default "k-means"
        Where they begin: the clusters of k-means, or rows drawn at random.
    max_iter : int, default 200
        Most iterations of a start.
    selection : {"loss", "silhouette"}, default "loss"
        Which start is kept: that of the highest likelihood, or of the highest silhouette.
    random_state : int, RandomState or None, default None
        All randomness.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (k, d)
        Means of the Gaussians.
    mixing_, roots_ : ndarray of shape (k,) and (k, d, d)
        Share of each Gaussian, and R with R R' the inverse of their covariance.
    labels_ : ndarray of int, shape (n,)
        The Gaussian that is most probably a row's.
    loss_ : float
        Minus the mean log-likelihood of a row.
    n_iter_ : int
        Iterations of the start kept.
    n_found_ : int
        Gaussians that have a row.
    """

    _learned = ("cluster_centers_", "mixing_", "roots_")

    def __init__(
        self,
        n_clusters=8,
        *,
        covariance_type="full",
        reg_covar=1e-6,
        n_init=10,
        init="k-means",
        max_iter=200,
        selection="loss",
        random_state=None,
    ):
        self.n_clusters = n_clusters
        self.covariance_type = covariance_type
        self.reg_covar = reg_covar
        self.n_init = n_init
        self.init = init
        self.max_iter = max_iter
        self.selection = selection
        self.random_state = random_state

    def _start(self, rows, shared, seed):
        yield 0.0
        options: dict[str, Any] = {
            "covariance_type": self.covariance_type,
            "init_params": "kmeans" if self.init == "k-means" else "random_from_data",
        }
        model: Any = Single(
            self.n_clusters, **options, reg_covar=self.reg_covar,
            max_iter=self.max_iter, random_state=seed,
        )  # fmt: skip
        try:
            labels = model.fit_predict(rows)
        except ValueError as error:
            raise ValueError(
                f"reg_covar={self.reg_covar:g} should be larger: a Gaussian has shrunk to a point."
            ) from error
        return Found(labels, model.means_, -model.lower_bound_, model)

    def _keep(self, found):
        super()._keep(found)
        model, (k, d) = found.state, found.centres.shape
        self.n_iter_, self.mixing_ = model.n_iter_, model.weights_
        self.roots_ = _full(model.precisions_cholesky_, self.covariance_type, k, d)

    def predict(self, X):
        """Return the Gaussian that is most probably each row's.

        Parameters
        ----------
        X : array-like of shape (m, d)

        Returns
        -------
        ndarray of int, shape (m,)
        """
        rows = self._checked(X)
        logs = np.empty((len(rows), len(self.roots_)))
        both = zip(self.cluster_centers_, self.roots_, strict=True)
        for label, (centre, root) in enumerate(both):
            spread = np.square((rows - centre) @ root).sum(axis=1)
            volume = np.log(np.diagonal(root)).sum()
            logs[:, label] = np.log(self.mixing_[label]) + volume - spread / 2
        return logs.argmax(axis=1)


def _full(roots, kind, k, d):
    """Return scikit-learn's roots of the precisions, of any kind, as (k, d, d)."""
    if kind == "full":
        return roots
    if kind == "tied":
        return np.repeat(roots[None], k, axis=0)
    return np.broadcast_to(roots.reshape(k, -1, 1), (k, d, 1)) * np.eye(d)
