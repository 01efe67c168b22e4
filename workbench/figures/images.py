"""Rows that are images, shown as images."""

import numpy as np


def side_of(n_features, names):
    """Side of square images whose pixels are a table's features; 0 where they are not.

    Parameters
    ----------
    n_features : int
    names : sequence of str
        Features count as pixels if all their names say so.
    """
    side = int(round(n_features**0.5))
    pixels = all(str(name).lower().startswith(("pixel", "px")) for name in names)
    return side if side >= 4 and side * side == n_features and pixels else 0


def enlarged(values, side, scale=10):
    """Grey image of one row, dark ink on light, each pixel a square of `scale` screen pixels.

    Parameters
    ----------
    values : ndarray, shape (side * side,)
    side : int
    scale : int, default 10

    Returns
    -------
    ndarray of uint8, shape (side * scale, side * scale)
    """
    values = np.asarray(values, float).reshape(side, side)
    low, high = float(values.min()), float(values.max())
    grey = 255 - np.rint((values - low) / ((high - low) or 1) * 255).astype(np.uint8)
    return grey.repeat(scale, axis=0).repeat(scale, axis=1)
