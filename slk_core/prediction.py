"""Rows that were not there when the model was fitted: kernels, neighbours and shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.neighbors import NearestNeighbors

from slk_core.affinity import EXACT_ROWS, TREE_FEATURES

_CHUNK = 4096


@dataclass
class Neighbourhood:
    """How a new row is tied to the training rows.

    Attributes
    ----------
    rows : ndarray of shape (n, d)
        Training rows, in units of the kernel width.
    n_neighbors : int
    kind : {"binary", "gaussian", "given"}
        "given": W is the user's own, and an edge weighs what rows of W weigh on average.
    degrees : float64 ndarray of shape (n,) or None
        Row sums before the normalisation; None where there was none.
    mean_degree : float
        Mean row sum of W.
    """

    rows: NDArray
    n_neighbors: int
    kind: str
    degrees: NDArray | None
    mean_degree: float
    _index: Any = None

    def edges(self, points: NDArray, *, exact: bool) -> tuple[NDArray, NDArray]:
        """Nearest training rows of new points (m, d), and w(x, q): two arrays (m, k).

        w(x, q) = a(x, q) / sqrt(d_x d_q), or a(x, q) without normalisation.
        """
        k = min(self.n_neighbors, len(self.rows))
        indices, distances = self._search(points, k, exact=exact)
        weights = np.ones(distances.shape)
        if self.kind == "gaussian":
            weights = np.exp(-0.5 * np.square(distances))
        elif self.kind == "given":
            weights = np.full(distances.shape, self.mean_degree / k)
        if self.degrees is not None:
            ties = weights.sum(axis=1, keepdims=True) * self.degrees[indices]
            weights = weights / np.sqrt(np.where(ties > 0, ties, 1))
        return indices, weights

    def _search(self, points: NDArray, k: int, *, exact: bool) -> tuple[NDArray, NDArray]:
        n, d = self.rows.shape
        few = n <= EXACT_ROWS or d <= TREE_FEATURES or len(points) * n < EXACT_ROWS**2
        if exact or few:
            distances, indices = NearestNeighbors(n_neighbors=k).fit(self.rows).kneighbors(points)
            return indices, distances
        if self._index is None:
            from pynndescent import NNDescent  # seconds to import: only where it serves

            self._index = NNDescent(self.rows, n_neighbors=max(k, 15), random_state=0)
        return self._index.query(points.astype(self.rows.dtype), k=k)


def squared_distances(rows: NDArray, modes: NDArray) -> NDArray[np.float64]:
    """Squared distances between rows (m, d) and modes (k, d), without cancellation, (m, k)."""
    found = np.empty((len(rows), len(modes)))
    for i in range(0, len(rows), _CHUNK):
        some = rows[i : i + _CHUNK].astype(np.float64)
        for j, mode in enumerate(modes):
            found[i : i + _CHUNK, j] = np.square(some - mode).sum(axis=1)
    return found


def kernel_to(rows: NDArray, modes: NDArray, *, squared: bool) -> NDArray[np.float64]:
    """a(x) of rows (m, d) in units of the kernel width: the kernel, or minus half the square."""
    half = -0.5 * squared_distances(rows, modes)
    return half if squared else np.exp(half)


def neighbour_shares(indices: NDArray, weights: NDArray, z: NDArray) -> NDArray[np.float64]:
    """b(x) = sum_q w(x, q) z_q for neighbours and weights (m, k), shape (m, clusters)."""
    found = np.zeros((len(indices), z.shape[1]))
    for j in range(indices.shape[1]):
        found += weights[:, j, None] * z[indices[:, j]]
    return found


def shares(field: NDArray, t: float) -> NDArray[np.float64]:
    """softmax(field / t) by rows, one-hot where t = 0."""
    if t <= 0:
        return np.eye(field.shape[1])[field.argmax(axis=1)]
    logits = (field - field.max(axis=1, keepdims=True)) / t
    found = np.exp(logits)
    return found / found.sum(axis=1, keepdims=True)
