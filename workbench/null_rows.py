"""Rows without clusters, on which a method shows what its scores are worth."""

import numpy as np

from workbench.gap import references
from workbench.metrics import fill_gaps


def null_rows(X, seed):
    """Draw as many rows as X has, without clusters but of its extent.

    They are uniform in the box that is aligned with the principal axes of X, as the references of
    the gap statistic (Tibshirani, Walther and Hastie, 2001): same size along each axis, same
    number of rows and features, nothing else in common.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        May have NaN, which counts as the column's mean.
    seed : int

    Returns
    -------
    ndarray of shape (n, d)
    """
    rows = fill_gaps(np.asarray(X, np.float64))
    return next(references(rows, 1, np.random.default_rng(seed)))
