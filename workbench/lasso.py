"""Which points lie within an outline that a hand drew."""

import numpy as np


def inside(outline, points):
    """Say which points lie within an outline that a hand drew, by the even-odd rule.

    Parameters
    ----------
    outline : array-like of shape (m, 2)
        Corners in order; the last is joined to the first.
    points : ndarray of shape (n, 2)

    Returns
    -------
    ndarray of bool, shape (n,)
    """
    outline = np.asarray(outline, float).reshape(-1, 2)
    found = np.zeros(len(points), bool)
    x, y = np.asarray(points, float).T
    for (x1, y1), (x2, y2) in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        if y1 == y2:
            continue
        crosses = (y1 > y) != (y2 > y)
        found ^= crosses & (x < x1 + (y - y1) * (x2 - x1) / (y2 - y1))
    return found
