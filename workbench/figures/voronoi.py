"""Exact edges of a Voronoi partition of the plane."""

import numpy as np

_SHORTEST = 1e-9  # of the box: shorter edges are the corners where four cells meet


def voronoi_edges(memories, box):
    """Edges between the Voronoi cells of points in the plane, cut to a box.

    The edge of cells a and b lies on their perpendicular bisector
    ``p(t) = (a + b)/2 + t n`` with ``n`` at right angles to ``b - a``, where for every other
    memory c ``|p - a|^2 <= |p - c|^2``: a linear inequality in t. The box adds four more, so
    each edge is the interval that all of them leave.

    Parameters
    ----------
    memories : array-like, shape (k, 2)
        Points of the plane, in the units of the box. For the spherical energy pass unit
        memories: then the cells are the sectors of largest inner product. Duplicates count once.
    box : tuple of float
        ``(left, right, bottom, top)``.

    Returns
    -------
    ndarray, shape (s, 2, 2)
        Each edge as its two end points; s = 0 for fewer than two distinct memories.

    Limits
    ------
    All pairs are tried, O(k^3): meant for the tens of memories that a picture can show.
    """
    left, right, bottom, top = box
    centre = np.array([(left + right) / 2, (bottom + top) / 2])
    points = np.unique(np.asarray(memories, float).reshape(-1, 2), axis=0) - centre
    first, second = np.triu_indices(len(points), 1)
    middle = (points[first] + points[second]) / 2
    along = (points[second] - points[first]) @ np.array([[0.0, 1.0], [-1.0, 0.0]])

    slope, room = _inequalities(points, first, second, middle, along)
    half = np.array([right - left, top - bottom]) / 2
    slope = np.hstack([slope, along, -along])
    room = np.hstack([room, half - middle, half + middle])
    low, high = _interval(slope, room)

    length = (high - low) * np.linalg.norm(along, axis=1)
    kept = length > _SHORTEST * half.max()
    ends = np.stack([low[kept], high[kept]], axis=1)[:, :, None]
    return middle[kept, None] + ends * along[kept, None] + centre


def _inequalities(points, first, second, middle, along):
    """Slope and room of ``t * slope <= room`` for every pair against every memory."""
    slope = 2 * (along @ points.T - np.sum(along * points[first], axis=1)[:, None])
    squares = np.sum(points**2, axis=1)
    towards = middle @ points.T - np.sum(middle * points[first], axis=1)[:, None]
    room = squares[None] - squares[first, None] - 2 * towards
    pair = np.arange(len(first))
    for own in (first, second):  # exactly zero but for rounding
        slope[pair, own] = room[pair, own] = 0
    return slope, room


def _interval(slope, room):
    """Bound the t with ``t * slope <= room`` in every column; low > high where there are none."""
    with np.errstate(divide="ignore", invalid="ignore"):
        bound = room / slope
    high = np.min(np.where(slope > 0, bound, np.inf), axis=1, initial=np.inf)
    low = np.max(np.where(slope < 0, bound, -np.inf), axis=1, initial=-np.inf)
    blocked = np.any((slope == 0) & (room < 0), axis=1)
    return low, np.where(blocked, -np.inf, high)
