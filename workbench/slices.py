"""The plane through three prototypes of a model in many dimensions, and what leaves it."""

from dataclasses import dataclass

import numpy as np

from workbench.dataset import DataError
from workbench.metrics import fill_gaps
from workbench.projection import Plane


@dataclass(frozen=True, eq=False)
class Slice:
    """A plane through three prototypes, in coordinates that hold every prototype.

    Recall of a point of the plane leaves it, but never the prototypes' affine span: in
    coordinates of that span, whose first two are the plane's own, the recursion is exact.

    Attributes
    ----------
    plane : Plane
        ``shares`` are of the data's variance along its two axes.
    keys : ndarray, shape (k, r)
        Prototypes in the span's coordinates, 2 <= r <= k + 1.
    held : ndarray of bool, shape (k,)
        Whether a prototype lies in the plane; the others are shown where they project to.
    """

    plane: Plane
    keys: np.ndarray
    held: np.ndarray

    @property
    def share(self):
        """Share of the data's variance that the plane holds."""
        return min(1.0, sum(self.plane.shares))


def slice_through(prototypes, chosen, X):
    """Lay the plane through three prototypes.

    Parameters
    ----------
    prototypes : ndarray, shape (k, d)
        d >= 2.
    chosen : sequence of int, length 3
        Their positions.
    X : ndarray, shape (n, d)
        The data, for the shares of variance; a missing value counts as its column's mean.

    Returns
    -------
    Slice

    Raises
    ------
    DataError
        If the three lie on a line, or are not three.
    """
    prototypes = np.asarray(prototypes, float)
    if len(set(chosen)) != 3:
        raise DataError("Choose three different memories: a plane needs them.")
    corners = prototypes[list(chosen)]
    origin = corners.mean(axis=0)
    extent = np.linalg.norm(corners - origin, axis=1).max()
    axes = _directions(corners[1:] - corners[0], np.zeros((0, prototypes.shape[1])), extent)
    if len(axes) < 2:
        raise DataError("The three memories lie on a line: choose others.")
    rest = _directions(prototypes - origin, axes, max(extent, _spread(prototypes)))
    keys = (prototypes - origin) @ np.concatenate([axes, rest]).T
    centred = fill_gaps(np.asarray(X, float)) - np.nanmean(X, axis=0)
    total = float((centred**2).sum()) or 1.0
    first, second = ((centred @ axes.T) ** 2).sum(axis=0) / total
    off = np.linalg.norm(keys[:, 2:], axis=1)
    plane = Plane(origin, axes, (float(first), float(second)))
    return Slice(plane, keys, off <= 1e-6 * extent)


def _spread(points):
    return float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())


def _directions(vectors, known, extent):
    """Orthonormal directions that the vectors add to the known ones, in their order."""
    found = known
    for vector in vectors:
        left = vector - (vector @ found.T) @ found
        left -= (left @ found.T) @ found  # once more, against rounding
        length = np.linalg.norm(left)
        if length > 1e-9 * extent:
            found = np.concatenate([found, left[None] / length])
    return found[len(known) :]
