"""Lines through a grid of numbers: borders between regions, and level lines of a field.

A line is many short straight pieces, each in one square of four neighbouring points. Its ends are
(column, row), so that the points of the grid lie at whole numbers.
"""

import numpy as np

_SIDES = np.array([[[0, 0], [1, 0]], [[1, 0], [1, 1]], [[0, 1], [1, 1]], [[0, 0], [0, 1]]])


def border_lines(regions, crossing=None):
    """Borders between regions.

    Parameters
    ----------
    regions : ndarray of int, shape (rows, columns)
    crossing : callable, optional
        ``crossing(start, end, region)`` says where between two points of the grid, each (c, 2) as
        (column, row), the first one's region (c,) ends: shares from 0 to 1, shape (c,). Without
        it half way, which cuts corners.

    Returns
    -------
    ndarray, shape (s, 2, 2)
    """
    ends = _at_sides(regions)
    crossed = ends[..., 0] != ends[..., 1]
    share = np.full(crossed.shape, 0.5)
    if crossing is not None and crossed.any():
        row, column, side = np.nonzero(crossed)
        corner = np.stack([column, row], axis=-1)
        start, end = corner + _SIDES[side, 0], corner + _SIDES[side, 1]
        share[crossed] = crossing(start, end, ends[crossed][:, 0])
    return _pieces(crossed, share)


def level_lines(values, level):
    """Lines on which a field has one value, straight between points of the grid.

    Parameters
    ----------
    values : ndarray, shape (rows, columns)
    level : float

    Returns
    -------
    ndarray, shape (s, 2, 2)
    """
    ends = _at_sides(values) - level
    crossed = (ends[..., 0] > 0) != (ends[..., 1] > 0)
    rise = np.where(crossed, ends[..., 1] - ends[..., 0], 1)
    return _pieces(crossed, -ends[..., 0] / rise)


def _at_sides(values):
    """Values at both ends of the four sides of each square, shape (rows - 1, columns - 1, 4, 2)."""
    rows, columns = values.shape
    corners = {
        (x, y): values[y : rows - 1 + y, x : columns - 1 + x] for x in (0, 1) for y in (0, 1)
    }
    pairs = [[corners[tuple(end)] for end in side] for side in _SIDES.tolist()]
    return np.moveaxis(np.array(pairs), (0, 1), (-2, -1))


def _pieces(crossed, share):
    """Join the two crossed sides of a square; three or four are joined to their middle."""
    number = crossed.sum(axis=-1)
    row, column = np.indices(number.shape)
    where = _SIDES[:, 0] + share[..., None] * (_SIDES[:, 1] - _SIDES[:, 0])
    places = where + np.stack([column, row], axis=-1)[:, :, None]
    through = number == 2
    pair = np.argsort(~crossed[through], axis=-1, kind="stable")[:, :2]
    simple = np.take_along_axis(places[through], pair[..., None], axis=1)

    many = crossed & (number > 2)[..., None]
    shares = (many / np.maximum(number, 1)[..., None])[..., None]
    middle = np.broadcast_to((places * shares).sum(axis=2, keepdims=True), places.shape)
    spokes = np.stack([places[many], middle[many]], axis=1)
    return np.concatenate([simple, spokes])
