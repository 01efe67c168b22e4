"""Sparse affinities between rows: nearest neighbours, symmetrised; the width of the kernel."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

EXACT_ROWS = 20_000
TREE_FEATURES = 8
"""Above these rows the approximate search is quicker, unless a tree serves so few features."""


def knn_graph(
    X: NDArray,
    n_neighbors: int = 10,
    *,
    method: str = "auto",
    random_state: int = 0,
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Nearest other rows of each row, by Euclidean distance.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    n_neighbors : int, default 10
        At most n - 1 are returned.
    method : {"auto", "exact", "approximate"}, default "auto"
        scikit-learn's exact search, or pynndescent's; "auto" takes the exact one up to 20,000
        rows and, of any size, up to 8 features.
    random_state : int, default 0
        Seed of the approximate search.

    Returns
    -------
    indices, distances : ndarray of shape (n, n_neighbors)
        Nearest first; distances in the units of X. Where the approximate search found too few,
        the index is -1 and the distance infinite.
    """
    n, d = X.shape
    k = min(n_neighbors, n - 1)
    if k < 1:
        return np.empty((n, 0), np.int64), np.empty((n, 0))
    largest = float(np.abs(X).max())
    if not 1e-100 < largest < 1e100 and largest > 0:  # whose squares no float holds
        indices, distances = knn_graph(X / largest, k, method=method, random_state=random_state)
        return indices, distances * largest
    if method == "approximate" or (method == "auto" and n > EXACT_ROWS and d > TREE_FEATURES):
        return _approximate(X, k, random_state)
    distances, indices = NearestNeighbors(n_neighbors=k).fit(X).kneighbors()
    return indices, distances


def _approximate(X: NDArray, k: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Search with pynndescent, each row itself taken out of its list."""
    from pynndescent import NNDescent  # seconds to import and compile: only where it serves

    index: Any = NNDescent(X.astype(np.float32), n_neighbors=k + 1, random_state=seed)
    indices, distances = index.neighbor_graph
    own = indices == np.arange(len(X))[:, None]
    own[~own.any(1), -1] = True  # duplicates can push a row out of its own list
    keep = ~own
    indices = indices[keep].reshape(len(X), k).astype(np.int64)
    distances = distances[keep].reshape(len(X), k).astype(np.float64)
    distances[indices < 0] = np.inf
    return indices, distances


def kernel_width(distances: NDArray) -> float:
    r"""Kernel width from the edges of a neighbour graph.

    .. math:: \sigma^2 = \mathrm{mean}\, \lVert x_p - x_q \rVert^2

    over the edges, the convention of Ziko et al. (2018).

    Parameters
    ----------
    distances : ndarray
        Lengths of the edges; infinite ones do not count.

    Returns
    -------
    float
        sigma, a length in the units of `distances`; 0 where no edge has a length.
    """
    lengths = np.asarray(distances, np.float64)
    lengths = lengths[np.isfinite(lengths)]
    if not lengths.size or not (top := lengths.max()) > 0:
        return 0.0
    return float(top * np.sqrt(np.mean(np.square(lengths / top))))


def affinity_of(
    indices: NDArray,
    distances: NDArray,
    *,
    kind: str = "binary",
    normalised: bool = True,
    sigma: float | None = None,
) -> sparse.csr_array:
    r"""Symmetric affinity of a neighbour graph.

    .. math:: W = (A + A^\top) / 2, \qquad a_{pq} = 1 \text{ or } \exp(-\lVert x_p - x_q \rVert^2
        / 2 \sigma^2) \text{ for the neighbours q of p}

    and, with `normalised`, :func:`normalise` of it.

    Parameters
    ----------
    indices, distances : ndarray of shape (n, k)
        As :func:`knn_graph` returns them.
    kind : {"binary", "gaussian"}, default "binary"
    normalised : bool, default True
    sigma : float, optional
        Width for "gaussian", a length; :func:`kernel_width` of the distances when None.

    Returns
    -------
    float32 csr_array of shape (n, n)
        Symmetric, with a zero diagonal and sorted indices.
    """
    n, k = indices.shape
    if kind == "gaussian":
        width = kernel_width(distances) if sigma is None else sigma
        values = np.exp(-0.5 * np.square(distances / (width or 1.0))).astype(np.float32)
    else:
        values = np.ones((n, k), np.float32)
    small = np.int32 if n * k < 2**31 - 1 else np.int64
    found = indices >= 0
    indptr = np.concatenate([[0], np.cumsum(found.sum(1))]).astype(small)
    A = sparse.csr_array((values[found], indices[found].astype(small), indptr), shape=(n, n))
    W = ((A + A.T) * np.float32(0.5)).tocsr()
    W.sort_indices()
    return normalise(W) if normalised else W


def normalise(W: Any) -> sparse.csr_array:
    """D^-1/2 W D^-1/2 with D the row sums of W (n, n); rows without edges stay empty."""
    W = sparse.csr_array(W, copy=True)
    sums = degrees(W)
    scale = np.where(sums > 0, 1 / np.sqrt(np.where(sums > 0, sums, 1)), 0)
    W.data = (W.data * np.repeat(scale, np.diff(W.indptr)) * scale[W.indices]).astype(W.dtype)
    return W


def degrees(W: Any) -> NDArray[np.float64]:
    """Row sums d of a sparse W (n, n), shape (n,)."""
    return np.asarray(W.sum(axis=1, dtype=np.float64)).ravel()


def knn_affinity(
    X: NDArray,
    n_neighbors: int = 10,
    *,
    kind: Literal["binary", "gaussian"] = "binary",
    normalised: bool = True,
    method: str = "auto",
    random_state: int = 0,
) -> sparse.csr_array:
    """Symmetric affinity of the nearest neighbours: :func:`affinity_of` of :func:`knn_graph`.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    n_neighbors : int, default 10
    kind : {"binary", "gaussian"}, default "binary"
    normalised : bool, default True
    method : {"auto", "exact", "approximate"}, default "auto"
    random_state : int, default 0

    Returns
    -------
    float32 csr_array of shape (n, n)
    """
    graph = knn_graph(np.asarray(X), n_neighbors, method=method, random_state=random_state)
    return affinity_of(*graph, kind=kind, normalised=normalised)


def check_affinity(W: Any, n: int | None = None) -> sparse.csr_array:
    """Return a user's affinity as CSR with a zero diagonal, float32, or say what is wrong.

    The diagonal never enters equation 1 and is dropped.

    Parameters
    ----------
    W : sparse matrix or array-like of shape (n, n)
        Symmetric to 1e-6 of its largest entry, finite, >= 0.
    n : int, optional
        Rows that it should have.

    Raises
    ------
    ValueError
        If W is not square, of another size, symmetric, finite or has a negative entry.
    """
    try:
        checked = sparse.csr_array(W, dtype=np.float64, copy=True)
    except (TypeError, ValueError) as error:
        raise ValueError("affinity should be a sparse or dense matrix of numbers.") from error
    shape: tuple[int, ...] = tuple(checked.shape or ())
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"affinity of shape {shape} should be square.")
    if n is not None and shape[0] != n:
        raise ValueError(f"affinity of shape {shape} should have shape ({n}, {n}).")
    checked.sum_duplicates()
    if not np.isfinite(checked.data).all():
        raise ValueError("affinity should hold finite numbers only.")
    if checked.nnz and checked.data.min() < 0:
        raise ValueError(f"affinity has an entry {checked.data.min():.6g}: all should be >= 0.")
    largest = float(checked.data.max()) if checked.nnz else 0.0
    if largest > np.finfo(np.float32).max / 4:
        raise ValueError(f"affinity has an entry {largest:.6g}: all should be < 8e37.")
    gap = abs(checked - checked.T)
    if gap.nnz and gap.data.max() > 1e-6 * largest:
        raise ValueError("affinity should be symmetric; (W + W.T) / 2 is.")
    checked = (checked + checked.T) * 0.5
    checked.setdiag(0)
    checked.eliminate_zeros()
    checked.sort_indices()
    return checked.astype(np.float32)
