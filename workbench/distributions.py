"""A column's values in each cluster, in as few numbers as a picture needs."""

from typing import NamedTuple

import numpy as np

_BINS = 40
_REACH = (0.005, 0.995)  # of the values lie within the bins; what lies beyond counts at the ends


class Distribution(NamedTuple):
    """Values of one cluster.

    Attributes
    ----------
    n : int
        Known values.
    quantiles : ndarray of shape (5,)
        5, 25, 50, 75 and 95 %; NaN without a value.
    density : ndarray of shape (m,)
        Share of the values in each bin; 0 without a value.
    """

    n: int
    quantiles: np.ndarray
    density: np.ndarray


def distributions(values, labels, k):
    """Summarise a column of numbers in each cluster, over bins that all clusters share.

    Parameters
    ----------
    values : ndarray of shape (n,)
        NaN where one is missing.
    labels : ndarray of int, shape (n,)
        Clusters; rows with -1 do not count.
    k : int

    Returns
    -------
    edges : ndarray of shape (m + 1,)
        Of the bins; a column of few distinct values has one bin around each.
    clusters : tuple of Distribution
    """
    known = (labels >= 0) & ~np.isnan(values)
    values, labels = values[known], labels[known]
    edges = _edges(values)
    m = len(edges) - 1
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, m - 1)
    counts = np.bincount(labels * m + place, minlength=k * m).reshape(k, m)
    order = np.argsort(labels, kind="stable")
    parts = np.split(values[order], np.cumsum(np.bincount(labels, minlength=k))[:-1])
    return edges, tuple(
        Distribution(len(part), _quantiles(part), own / max(1, len(part)))
        for part, own in zip(parts, counts, strict=True)
    )


def _quantiles(part):
    return np.quantile(part, [0.05, 0.25, 0.5, 0.75, 0.95]) if len(part) else np.full(5, np.nan)


def _edges(values):
    if not len(values):
        return np.array([0.0, 1.0])
    distinct = np.unique(values[:1000])
    if len(distinct) <= _BINS // 2:  # perhaps all of them; looking at all costs a sort
        distinct = np.unique(values)
    if len(distinct) == 1:
        half = 0.5 * max(1.0, abs(distinct[0])) * 1e-3
        return np.array([distinct[0] - half, distinct[0] + half])
    if len(distinct) <= _BINS // 2:
        middles = (distinct[1:] + distinct[:-1]) / 2
        first, last = 2 * distinct[0] - middles[0], 2 * distinct[-1] - middles[-1]
        return np.concatenate([[first], middles, [last]])
    low, high = np.quantile(values, _REACH)
    if low == high:
        low, high = values.min(), values.max()
    return np.linspace(low, high, _BINS + 1)
