"""Whether other seeds find the same clusters again."""

import time
from dataclasses import dataclass

import numpy as np

from workbench.fitting import fitted_labels
from workbench.methods import METHODS
from workbench.metrics import ari, stratified

ROWS = 20_000  # fitted with every seed
SEEDS = 5
TRUSTED = 0.75
"""Mean best Jaccard similarity from here on: a cluster that is found again; below DOUBTED it is
none. Hennig, Cluster-wise assessment of cluster stability, Computational Statistics and Data
Analysis 52, 2007."""
DOUBTED = 0.6


@dataclass(frozen=True, eq=False)
class Stability:
    """How much clusterings of the same rows with other seeds agree.

    Attributes
    ----------
    seeds : tuple of int
    found : tuple of int
        Clusters with rows, by seed.
    agreement : ndarray of shape (s, s)
        Adjusted Rand index of all pairs; 1 on the diagonal.
    clusters : ndarray of shape (k,)
        Of each cluster of the run, mean over the seeds of the best Jaccard similarity that a
        cluster there has with it; NaN where it has no row.
    rows, n : int
        Rows looked at, and rows there are.
    seconds : float
    cancelled : bool
        Whether some seeds are missing.
    """

    seeds: tuple[int, ...]
    found: tuple[int, ...]
    agreement: np.ndarray
    clusters: np.ndarray
    rows: int
    n: int
    seconds: float
    cancelled: bool

    @property
    def pairs(self):
        """Adjusted Rand index of each pair of different seeds, (s (s - 1) / 2,)."""
        return self.agreement[np.triu_indices(len(self.agreement), 1)]


def stability(
    dataset,
    recipe,
    labels,
    k,
    *,
    seeds=None,
    report=lambda *_: None,
    stop=lambda: False,
):
    """Cluster with other seeds and compare.

    Parameters
    ----------
    dataset : Dataset
    recipe : Recipe
        What the run did.
    labels : ndarray of int, shape (n,)
        What it found; clusters from 0, -1 for rows not clustered.
    k : int
        Number of its clusters, empty ones included.
    seeds : sequence of int, optional
        By default the five after the Recipe's own.
    report : callable, optional
        Called with fits done and planned.
    stop : callable, optional
        Polled while a method trains.

    Returns
    -------
    Stability
        Above 20,000 rows, of a sample that holds the same share of every cluster.
    """
    began = time.monotonic()
    seeds = (
        [(recipe.seed + step) % 2**32 for step in range(1, SEEDS + 1)] if seeds is None else seeds
    )
    rows = stratified(labels, ROWS, recipe.seed)
    pixels = dataset.pixels if METHODS[recipe.method].images else None
    labelings = []
    for done, seed in enumerate(seeds):
        report(done, len(seeds))
        found, _ = fitted_labels(
            recipe.changed(seed=int(seed)), dataset.X[rows], pixels=pixels, stop=stop
        )
        if found is None:
            break
        labelings.append(found)
    report(len(seeds), len(seeds))
    s = len(labelings)
    agreement = np.eye(s)
    for i in range(s):
        for j in range(i):
            agreement[i, j] = agreement[j, i] = ari(labelings[i], labelings[j])
    return Stability(
        seeds=tuple(int(seed) for seed in seeds[:s]),
        found=tuple(len(np.unique(found)) for found in labelings),
        agreement=agreement,
        clusters=_kept(labels[rows], labelings, k),
        rows=len(rows),
        n=len(dataset.X),
        seconds=time.monotonic() - began,
        cancelled=s < len(seeds),
    )


def _kept(labels, labelings, k):
    if not labelings:
        return np.full(k, np.nan)
    best = [jaccard(labels, found, k).max(axis=1) for found in labelings]
    kept = np.mean(best, axis=0)
    kept[np.bincount(labels, minlength=k) == 0] = np.nan
    return kept


def jaccard(labels, others, k):
    """Return the Jaccard similarity of each cluster with each of another clustering.

    Parameters
    ----------
    labels, others : ndarray of int, shape (n,)
        Clusters from 0 of the same rows.
    k : int
        Clusters of the first.

    Returns
    -------
    ndarray of shape (k, l)
        Rows in both over rows in either; 0 where both are empty.
    """
    m = int(others.max(initial=0)) + 1
    both = np.bincount(labels * m + others, minlength=k * m).reshape(k, m)
    either = both.sum(axis=1, keepdims=True) + both.sum(axis=0) - both
    return both / np.maximum(either, 1)
