"""Values in place of missing ones."""

import numpy as np


def fill_gaps(X, means=None):
    """Replace NaN by the column's mean.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Values, NaN where one is missing.
    means : ndarray of shape (d,), optional
        Fills; by default the means of the known values.

    Returns
    -------
    ndarray of shape (n, d)
        `X` itself where nothing is missing.
    """
    gaps = np.isnan(X)
    if not gaps.any():
        return X
    return np.where(gaps, np.nanmean(X, axis=0) if means is None else means, X)
