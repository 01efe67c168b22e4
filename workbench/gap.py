"""The gap statistic: does k-means do better than it would on data without clusters."""

from typing import NamedTuple

import numpy as np


class Gap(NamedTuple):
    """Gap statistic for one k.

    Attributes
    ----------
    value : float
        Mean over the references of log W, less log W of the data.
    error : float
        `s_k`, the references' deviation of log W times sqrt(1 + 1/B).
    """

    value: float
    error: float


def references(X, n, rng):
    """Draw uniform data in the box that is aligned with the principal axes of X.

    Parameters
    ----------
    X : ndarray of shape (m, d)
        Complete rows.
    n : int
        How many such data.
    rng : numpy.random.Generator

    Yields
    ------
    ndarray of shape (m, d)
    """
    middle = X.mean(axis=0)
    axes = np.linalg.svd(X - middle, full_matrices=False)[2]
    flat = (X - middle) @ axes.T
    low, high = flat.min(axis=0), flat.max(axis=0)
    for _ in range(n):
        yield rng.uniform(low, high, flat.shape) @ axes + middle


def gap(within, reference):
    """Return the gap statistic from sums of squares within clusters.

    `Gap(k) = mean log W*_kb - log W_k` and `s_k = sd(log W*_kb) sqrt(1 + 1/B)` (Tibshirani,
    Walther and Hastie, J. R. Stat. Soc. B 63, 2001, equation 3 and step 3).

    Parameters
    ----------
    within : float
        W of the data, > 0.
    reference : sequence of float
        W of each of the references.

    Returns
    -------
    Gap
    """
    logs = np.log(reference)
    return Gap(float(logs.mean() - np.log(within)), float(logs.std() * np.sqrt(1 + 1 / len(logs))))


def one_error_rule(ks, gaps):
    """Return the smallest k whose gap is at least the next one's less its error, or None.

    Parameters
    ----------
    ks : sequence of int
        From 1, one after the other.
    gaps : sequence of Gap

    Returns
    -------
    int or None
        None where the gap still grows at the last k.
    """
    for k, here, there in zip(ks, gaps, gaps[1:], strict=False):
        if here.value >= there.value - there.error:
            return k
    return None
