"""Which restart to keep."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clam_core.energy import squared_distances

SELECTIONS = ("silhouette", "mahalanobis", "loss")


def silhouettes(
    X: Tensor, labelings: Tensor, stop: Callable[[], bool] | None = None
) -> tuple[NDArray, NDArray]:
    """Silhouette coefficient (Rousseeuw, 1987) of several labelings of the same rows.

    Parameters
    ----------
    X : Tensor of shape (n, d)
    labelings : int64 Tensor of shape (r, n)
    stop : callable returning bool, optional
        Asked before each labeling; those that it leaves out score NaN.

    Returns
    -------
    scores : ndarray of shape (r,)
        Between -1 and 1; -1 for a labeling with fewer than two clusters.
    found : ndarray of shape (r,)
        Non-empty clusters.
    """
    distances = squared_distances(X, X).sqrt_().fill_diagonal_(0)
    scores, found = np.full(len(labelings), -1.0), np.ones(len(labelings), dtype=int)
    for i, labels in enumerate(labelings):
        if stop is not None and stop():
            scores[i:] = np.nan
            break
        _, members = torch.unique(labels, return_inverse=True)
        onehot = torch.nn.functional.one_hot(members).to(X)
        sizes = onehot.sum(0)
        found[i] = len(sizes)
        if 1 < len(sizes) < len(X):
            sums = distances @ onehot
            own = sums.gather(1, members[:, None]).squeeze(1) / (sizes[members] - 1).clamp_min(1)
            other = (sums / sizes).scatter_(1, members[:, None], torch.inf).min(1).values
            width = (other - own) / torch.maximum(own, other).clamp_min(1e-30)
            scores[i] = float(torch.where(sizes[members] > 1, width, 0.0).mean())
    return scores, found


def whitened(X: Tensor) -> Tensor:
    """Rows (n, d) whose Euclidean distances are X's Mahalanobis distances.

    Under the covariance of the whole data; directions without spread are dropped.
    """
    centred = X - X.mean(0)
    spreads, axes = torch.linalg.eigh(centred.T @ centred / len(X))
    kept = spreads > 1e-6 * spreads[-1]
    return centred @ (axes[:, kept] / spreads[kept].sqrt())


def best_restart(losses: NDArray, scores: NDArray | None, found: NDArray | None) -> int:
    """Index of the restart to keep.

    By silhouette: most non-empty clusters first, then the highest silhouette, then the lowest
    loss. By loss (no scores given): the lowest loss. Restarts whose loss is not finite come last.
    Differences of rounding do not count, so that engines and machines keep the same restart; of
    equals the first is kept.
    """
    finite = np.isfinite(losses)
    keys = [-np.arange(len(losses)), -_rounded(np.where(finite, losses, np.inf))]
    if scores is not None and found is not None:
        keys += [_rounded(scores), found]
    return int(np.lexsort([*keys, finite])[-1])


def _rounded(values: NDArray) -> NDArray:
    """Six significant digits."""
    return np.array([float(f"{value:.6g}") for value in values])
