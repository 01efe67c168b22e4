"""Where memories start, and the inverse temperature that fits the data."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray

from clam_core.energy import Energy

INITS = ("k-means++", "data", "gaussian")
_SEED_ROWS = 10_000
"""Seeds are drawn from a sample no larger than this."""


def initial_memories(
    X: NDArray,
    n_clusters: int,
    n_init: int,
    *,
    init: str | NDArray,
    rng: np.random.Generator,
    lloyd_steps: int = 3,
) -> NDArray:
    """Starting memories of all restarts, (n_init, n_clusters, d).

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Prepared data without gaps.
    n_clusters, n_init : int
    init : {"k-means++", "data", "gaussian"} or ndarray of shape (k, d) or (n_init, k, d)
        "k-means++" (Arthur & Vassilvitskii, 2007) followed by Lloyd steps, distinct rows of the
        data, normal numbers with the data's own mean and spread, or memories as given.
    rng : numpy.random.Generator
    lloyd_steps : int
        Steps of Lloyd's algorithm after "k-means++".

    Returns
    -------
    ndarray of shape (n_init, n_clusters, d)
    """
    if not isinstance(init, str):
        every = np.broadcast_to(init, (n_init, n_clusters, X.shape[1]))
        return np.ascontiguousarray(every, dtype=X.dtype)
    if init == "gaussian":
        noise = rng.standard_normal((n_init, n_clusters, X.shape[1]), dtype=np.float64)
        return (X.mean(0) + X.std() * noise).astype(X.dtype)
    if init == "data":
        distinct = np.unique(X, axis=0)
        rows = [rng.choice(len(distinct), n_clusters, replace=False) for _ in range(n_init)]
        return distinct[np.stack(rows)]
    sample = X if len(X) <= _SEED_ROWS else X[rng.choice(len(X), _SEED_ROWS, replace=False)]
    seeds = plus_plus(sample, n_clusters, n_init, rng)
    for _ in range(lloyd_steps):
        seeds = _lloyd(sample, seeds)
    return seeds


def plus_plus(X: NDArray, n_clusters: int, n_seedings: int, rng: np.random.Generator) -> NDArray:
    """k-means++ seeds (Arthur & Vassilvitskii, 2007), all seedings at once.

    Each next seed is the best of ``2 + log k`` rows drawn by their squared distance to the seeds
    that there are: the greedy form that scikit-learn uses too.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    n_clusters, n_seedings : int
    rng : numpy.random.Generator

    Returns
    -------
    ndarray of shape (n_seedings, n_clusters, d)
    """
    n_trials = 2 + int(np.log(n_clusters))
    squares = np.einsum("ij,ij->i", X, X)
    chosen = np.empty((n_seedings, n_clusters), dtype=np.intp)
    chosen[:, 0] = rng.integers(len(X), size=n_seedings)
    nearest = _to_rows(X, squares, chosen[:, 0])
    for place in range(1, n_clusters):
        mass = np.cumsum(nearest, axis=1, dtype=np.float64)
        drawn = rng.random((n_seedings, n_trials)) * mass[:, -1:]
        trials = np.stack([np.searchsorted(m, at) for m, at in zip(mass, drawn, strict=True)])
        trials = np.minimum(trials, len(X) - 1)
        after = np.minimum(
            nearest[:, None], _to_rows(X, squares, trials.ravel()).reshape(*trials.shape, -1)
        )
        best = after.sum(2).argmin(1)
        each = np.arange(n_seedings)
        chosen[:, place], nearest = trials[each, best], after[each, best]
    return X[chosen]


def _to_rows(X: NDArray, squares: NDArray, rows: NDArray[np.intp]) -> NDArray:
    """Squared distances of all rows to some of them, (len(rows), n), never negative."""
    return np.maximum(squares - 2 * (X[rows] @ X.T) + squares[rows, None], 0)


def _lloyd(X: NDArray, centres: NDArray) -> NDArray:
    """One step of Lloyd's algorithm for every restart (r, k, d); an empty cluster stays put."""
    r, k, d = centres.shape
    inner = X @ centres.reshape(r * k, d).T
    nearest = ((centres**2).sum(2) - 2 * inner.reshape(len(X), r, k)).argmin(2)
    members = nearest[:, :, None] == np.arange(k)
    counts = members.sum(0).astype(X.dtype)[:, :, None]
    sums = members.reshape(len(X), r * k).astype(X.dtype).T @ X
    return np.where(counts > 0, sums.reshape(r, k, d) / np.maximum(counts, 1), centres)


def auto_beta(
    X: NDArray,
    n_clusters: int,
    *,
    energy: Energy,
    rng: np.random.Generator,
    target: float = 0.2,
    n_seedings: int = 5,
) -> float:
    """Inverse temperature at which k-means++ seeds share the data softly, but not too softly.

    By bisection on log beta, the mean entropy (equation 13) over log k equals ``target``; the
    median over several seedings is taken.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Prepared data without gaps; a sample of 2000 rows is used.
    n_clusters : int
        With one cluster every beta gives the same labels; 1 is returned.
    energy : Energy
    rng : numpy.random.Generator
    target : float
        Mean entropy wanted, as a share of its maximum log k.
    n_seedings : int

    Returns
    -------
    float
        In 1/length^2 of X, between 1e-5 and 1e6.
    """
    if n_clusters == 1:
        return 1.0
    sample = X if len(X) <= 2000 else X[rng.choice(len(X), 2000, replace=False)]
    rows = torch.from_numpy(np.ascontiguousarray(sample, dtype=np.float64))
    seeds = torch.from_numpy(plus_plus(rows.numpy(), n_clusters, n_seedings, rng))
    return float(np.median([_beta_at(rows, seed, energy, target) for seed in seeds]))


def _beta_at(rows: torch.Tensor, memories: torch.Tensor, energy: Energy, target: float) -> float:
    affinity = energy.log_affinity(rows, memories, 1.0)  # linear in beta
    low, high = -5.0, 6.0
    for _ in range(40):
        middle = (low + high) / 2
        log_p = torch.log_softmax(10**middle * affinity, 1)
        share = float(-(log_p.exp() * log_p).sum(1).mean()) / np.log(len(memories))
        low, high = (middle, high) if share > target else (low, middle)
    return 10**high
