"""Rows worth a look: those that stand for their cluster, and those that fit none."""

from dataclasses import dataclass

import numpy as np

FAR = 3.5
"""Robust deviations above the median; Iglewicz and Hoaglin, How to Detect and Handle Outliers,
1993."""
FEWEST = 5  # rows that a cluster needs for its spread to mean something
_NORMAL = 1.4826  # of a normal distribution, the deviation over the median absolute deviation
_NORMAL_MEAN = 1.2533  # and over the mean absolute deviation
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Outliers:
    """How far rows lie from every prototype, measured by their own cluster.

    Attributes
    ----------
    distances : ndarray of shape (n,)
        To the nearest prototype, in prepared units.
    scores : ndarray of shape (n,)
        Robust deviations above the cluster's median distance; NaN where that cannot be judged.
    times : ndarray of shape (n,)
        Distance over the cluster's median distance; NaN where that is 0 or cannot be judged.
    rows : ndarray of int, shape (m,)
        Positions of those with a score above 3.5, the highest first.
    small : tuple of int
        Clusters of fewer than five rows, which are not judged.
    """

    distances: np.ndarray
    scores: np.ndarray
    times: np.ndarray
    rows: np.ndarray
    small: tuple[int, ...]


def outliers(rule, X, labels):
    """Find rows far from every prototype for their cluster.

    With r the distance to the nearest prototype and m its median in the row's cluster, the score
    is `(r - m) / (1.4826 median |r - m|)`; above 3.5 a row is called an outlier. Where more than
    half of a cluster lies equally far, `1.2533 mean |r - m|` stands for the spread.

    Parameters
    ----------
    rule : workbench.rule.Rule
    X : ndarray of shape (n, d)
        Prepared rows, NaN where a value is missing.
    labels : ndarray of int, shape (n,)
        Clusters; -1 is not judged.

    Returns
    -------
    Outliers
    """
    distances = np.sqrt(rule.squared_distances(rule.inside(X)).min(axis=1))
    scores, times = np.full(len(X), np.nan), np.full(len(X), np.nan)
    small = []
    for label in np.unique(labels[labels >= 0]):
        own = np.flatnonzero(labels == label)
        if len(own) < FEWEST:
            small.append(int(label))
            continue
        scores[own], times[own] = _judged(distances[own])
    found = np.flatnonzero(np.nan_to_num(scores) > FAR)
    order = np.argsort(-scores[found], kind="stable")
    return Outliers(distances, scores, times, found[order], tuple(small))


def _judged(distances):
    median = np.median(distances)
    off = distances - median
    spread = _NORMAL * np.median(np.abs(off))
    if spread <= _ROUNDING * max(median, _ROUNDING):
        spread = _NORMAL_MEAN * np.abs(off).mean()
    scores = off / spread if spread > 0 else np.zeros(len(off))
    times = distances / median if median > 0 else np.full(len(off), np.nan)
    return scores, times


def representatives(rule, X, labels, each=3):
    """Find the rows of each cluster that lie nearest to its attractor.

    Parameters
    ----------
    rule : workbench.rule.Rule
    X : ndarray of shape (n, d)
        Prepared rows, NaN where a value is missing.
    labels : ndarray of int, shape (n,)
    each : int, default 3
        Rows of a cluster, where it has as many.

    Returns
    -------
    rows : ndarray of int, shape (m,)
        Positions, by cluster, the nearest first.
    distances : ndarray of shape (m,)
        To where recall from the cluster's prototype comes to rest; to the prototype itself for
        methods without recall.
    """
    targets = rule.attractors()
    rows, distances = [], []
    for label in np.unique(labels[labels >= 0]):
        own = np.flatnonzero(labels == label)
        off = np.linalg.norm(rule.inside(X[own]) - targets[label], axis=1)
        nearest = np.argsort(off, kind="stable")[:each]
        rows.append(own[nearest])
        distances.append(off[nearest])
    if not rows:
        return np.empty(0, np.int64), np.empty(0)
    return np.concatenate(rows), np.concatenate(distances)
