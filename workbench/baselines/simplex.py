"""Projection to the probability simplex."""

import numpy as np
from numba import njit


@njit(cache=True, nogil=True)
def to_simplex(values):
    r"""Return the point of the simplex nearest to each row (Duchi et al., 2008).

    .. math:: z = \max(v - \tau, 0), \quad \sum_l z_l = 1

    with tau found among the sorted values.

    Parameters
    ----------
    values : float64 ndarray of shape (n, k)

    Returns
    -------
    ndarray of shape (n, k)
        Rows >= 0 that sum to 1.
    """
    found = np.empty_like(values)
    n, k = values.shape
    for p in range(n):
        falling = np.sort(values[p])[::-1]
        total, threshold = -1.0, 0.0
        for j in range(k):
            total += falling[j]
            if falling[j] * (j + 1) <= total:
                break
            threshold = total / (j + 1)
        for j in range(k):
            found[p, j] = max(values[p, j] - threshold, 0.0)
    return found
