"""From d dimensions to two: a plane that lifts back, and an embedding for points only."""

import warnings
from dataclasses import dataclass

import numpy as np

from workbench.metrics import fill_gaps

FEWEST_FOR_UMAP = 5  # below, its graph has too few rows to be laid out


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane in the space of the data: `x = origin + p axes`.

    Parameters
    ----------
    origin : ndarray of shape (d,)
        The point that lies at (0, 0).
    axes : ndarray of shape (2, d)
        Orthonormal rows; for d = 1 the second is 0.
    shares : tuple of (float, float)
        Share of the data's variance along each axis.
    """

    origin: np.ndarray
    axes: np.ndarray
    shares: tuple[float, float]

    def flatten(self, X):
        """Project points onto the plane.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            A missing value (NaN) lies at the origin's.

        Returns
        -------
        ndarray of shape (n, 2)
        """
        return (fill_gaps(np.asarray(X, dtype=np.float64), self.origin) - self.origin) @ self.axes.T

    def lift(self, points):
        """Take points of the plane back to the full space.

        Parameters
        ----------
        points : ndarray of shape (m, 2)
            Points of the plane.

        Returns
        -------
        ndarray of shape (m, d)
        """
        return self.origin + np.asarray(points, dtype=np.float64) @ self.axes

    def grid(self, bounds, size):
        """Lay a square grid of pixel centres over a box of the plane.

        Parameters
        ----------
        bounds : tuple of float
            Left, right, bottom, top.
        size : int
            Pixels along each side.

        Returns
        -------
        ndarray of shape (size * size, 2)
            Row by row from the bottom, each from the left.
        """
        left, right, bottom, top = bounds
        steps = (np.arange(size) + 0.5) / size
        x, y = np.meshgrid(left + steps * (right - left), bottom + steps * (top - bottom))
        return np.column_stack([x.ravel(), y.ravel()])


def pca_plane(X):
    """Return the plane of the two directions along which the data spread most.

    Data of two features are their own plane, in their own coordinates. The largest weight of each
    direction is positive, so that a picture is not mirrored from run to run.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        A missing value (NaN) counts as its column's mean.

    Returns
    -------
    Plane
    """
    X = fill_gaps(np.asarray(X, dtype=np.float64))
    n_features = X.shape[1]
    origin = X.mean(axis=0)
    if n_features == 2:
        return Plane(np.zeros(2), np.eye(2), _shares(((X - origin) ** 2).sum(axis=0)))
    axes = np.zeros((2, n_features))
    spread = np.zeros(n_features)
    directions, sizes = _directions(X - origin)
    kept = min(2, len(directions))
    axes[:kept] = directions[:kept]
    spread[: len(sizes)] = sizes[:n_features]
    signs = np.sign(axes[np.arange(2), np.abs(axes).argmax(axis=1)])
    return Plane(origin, axes * signs[:, None], _shares(spread))


def _directions(centred):
    """Right singular vectors and squared singular values, through the smaller square matrix."""
    n, d = centred.shape
    if d <= n:
        values, vectors = np.linalg.eigh(centred.T @ centred)
        return vectors.T[::-1], np.clip(values[::-1], 0, None)
    _, sizes, directions = np.linalg.svd(centred, full_matrices=False)
    return directions, sizes**2


def _shares(spread):
    total = float(spread.sum())
    shares = [float(value) / total if total > 0 else 0.0 for value in spread[:2]]
    return (shares[0], shares[1] if len(shares) > 1 else 0.0)


def strip(values):
    """Lay out the values of one feature: each across at its own place, spread evenly upwards.

    Parameters
    ----------
    values : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (n, 2)
        The second coordinate lies in [-1, 1] and means nothing; in the order of the values it
        follows the golden section, so that neighbours and equals do not cover each other.
    """
    values = np.asarray(values, dtype=np.float64)
    rank = np.empty(len(values))
    rank[np.argsort(values, kind="stable")] = np.arange(len(values))
    return np.column_stack([values, 2 * ((rank * _GOLDEN) % 1) - 1])


_GOLDEN = (5**0.5 - 1) / 2


def enough_for_umap(X):
    """Judge whether rows (n, d) have neighbourhoods to show; copies of one point have none.

    Returns
    -------
    bool
        True from five distinct rows on.
    """
    X = fill_gaps(np.asarray(X, dtype=np.float64))
    return len(np.unique(X, axis=0)) >= FEWEST_FOR_UMAP


def umap_embedding(X, seed=0):
    """Lay out points so that near ones stay near (UMAP; McInnes, Healy and Melville, 2018).

    It shows neighbourhoods, not distances, and cannot be lifted back: for points only. Below five
    rows it is the PCA plane; one feature is a strip, its value across and 0 up. The same seed
    gives the same picture on the same machine.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        A missing value (NaN) counts as its column's mean.
    seed : int, default 0
        Fixes the layout.

    Returns
    -------
    ndarray of shape (n, 2)
    """
    X = fill_gaps(np.asarray(X, dtype=np.float64))
    X = X - X.mean(axis=0)
    if X.shape[1] == 1:
        return np.column_stack([X[:, 0], np.zeros(len(X))])
    if not enough_for_umap(X):
        return pca_plane(X).flatten(X)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # on its threads and its rounding; nobody can act on them
        import umap

        layout = umap.UMAP(
            n_neighbors=min(15, len(X) - 1),
            init="pca",  # the spectral start fails on few rows and on a graph in pieces
            random_state=seed,
            n_jobs=1,
        ).fit_transform(X.astype(np.float32))
    return np.asarray(layout, dtype=np.float64)
