"""The ground beneath a landscape: grids of the plane, and of the globe by its map."""

import numpy as np

from workbench.figures.lines import border_lines

WORLD = (-180.0, 180.0, -90.0, 90.0)
"""The frame of the globe's map: longitudes and latitudes in degrees."""
_HALVINGS = 7  # of a grid step, to where a border crosses it


def ticks(box, shape, *, centred=False):
    """Coordinates of a grid over a box, from edge to edge or at the centres of its cells.

    Parameters
    ----------
    box : tuple of float
        ``(left, right, bottom, top)``.
    shape : tuple of int
        Rows and columns.
    centred : bool, default False

    Returns
    -------
    across : ndarray, shape (columns,)
    up : ndarray, shape (rows,)
    """
    left, right, bottom, top = box
    rows, columns = shape
    if centred:
        x, y = (right - left) / columns / 2, (top - bottom) / rows / 2
        left, right, bottom, top = left + x, right - x, bottom + y, top - y
    return np.linspace(left, right, columns), np.linspace(bottom, top, rows)


def places(across, up, kind):
    """Points of a grid in the space of the memories.

    Parameters
    ----------
    across : ndarray, shape (columns,)
        x, or longitudes in degrees for the spherical energy.
    up : ndarray, shape (rows,)
        y, or latitudes.
    kind : {"euclidean", "weighted", "spherical"}

    Returns
    -------
    ndarray, shape (rows, columns, 2) or (rows, columns, 3)
    """
    return _in_space(np.stack(np.meshgrid(across, up), axis=-1), kind)


def directions(angles):
    """Unit vectors, shape (..., 3), of longitudes and latitudes in degrees, shape (..., 2)."""
    longitude, latitude = np.moveaxis(np.radians(angles), -1, 0)
    flat = np.cos(latitude)
    return np.stack([flat * np.cos(longitude), flat * np.sin(longitude), np.sin(latitude)], axis=-1)


def angles(vectors):
    """Longitudes and latitudes in degrees, shape (..., 2), of vectors of any length (..., 3)."""
    x, y, z = np.moveaxis(np.asarray(vectors, float), -1, 0)
    return np.degrees(np.stack([np.arctan2(y, x), np.arctan2(z, np.hypot(x, y))], axis=-1))


def borders(across, up, regions, kind, relabel):
    """Find the borders of basins between the points of a grid.

    Parameters
    ----------
    across, up : ndarray
        The grid's coordinates, see :func:`ticks`.
    regions : ndarray of int, shape (rows, columns)
        Its labels.
    kind : {"euclidean", "weighted", "spherical"}
    relabel : callable
        Gives the labels of any places, shape (rows, columns, d).

    Returns
    -------
    ndarray, shape (s, 2, 2)
        Short straight pieces in the grid's coordinates.
    """
    origin = np.array([across[0], up[0]])
    step = np.array([across[1] - across[0], up[1] - up[0]])

    def crossing(start, end, region):
        low, high = np.zeros(len(start)), np.ones(len(start))
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            grid = origin + step * (start + middle[:, None] * (end - start))
            within = relabel(_in_space(grid[None], kind))[0] == region
            low, high = np.where(within, middle, low), np.where(within, high, middle)
        return (low + high) / 2

    return origin + step * border_lines(regions, crossing)


def _in_space(grid, kind):
    return directions(grid) if kind == "spherical" else grid
