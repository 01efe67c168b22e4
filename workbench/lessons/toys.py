"""Toy data of the lessons."""

import numpy as np


def blobs(centres, n_points, spread, seed):
    """Return round clouds of points in about the unit square.

    Parameters
    ----------
    centres : sequence of (float, float)
        Of the clouds.
    n_points : int
        Of each.
    spread : float
        Standard deviation.
    seed : int

    Returns
    -------
    tuple of (float, float)
        Rounded to three digits.
    """
    rng = np.random.default_rng(seed)
    drawn = [rng.normal(centre, spread, (n_points, 2)) for centre in centres]
    return tuple((float(x), float(y)) for x, y in np.concatenate(drawn).round(3))
