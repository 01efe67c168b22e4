"""The update of the modes for fixed Z: mean-shift, byproduct, means, exact."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slk_core import kernels
from slk_core.lanes import WIDTH
from slk_core.threads import block_edges, workers

KINDS = ("mean-shift", "byproduct", "means", "exact")
EXACT_ROWS = 20_000
"""Most rows for which exact modes are offered: they cost n^2 kernel values."""
_SHIFTS = 20
_STILL = 1e-3
"""A mode that moves by less, in kernel widths, has come to rest."""


@dataclass
class Modes:
    """Modes with what they are worth at the present Z.

    Attributes
    ----------
    points : float64 ndarray of shape (k, d)
        In units of the kernel width.
    rows : int64 ndarray of shape (k,)
        The row that a mode is, or the nearest to it, in the graph's order.
    values : float64 ndarray of shape (k,)
        sum_p z_pl a_pl.
    """

    points: NDArray
    rows: NDArray
    values: NDArray


class ModeUpdate:
    """Finds modes for a fixed Z, and takes only those that do not raise R.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
        In units of the kernel width, in the graph's order.
    kind : {"mean-shift", "byproduct", "means", "exact"}
    guarded : bool, default True
        Whether a mode that raises R is refused.
    """

    def __init__(self, rows: NDArray, kind: str, *, guarded: bool = True) -> None:
        self.rows, self.kind, self.guarded = rows, kind, guarded
        edges = block_edges(len(rows))
        self._blocks = list(zip(edges[:-1], edges[1:], strict=True))

    def measure(self, points: NDArray, a: NDArray, z: NDArray) -> Modes:
        """Write the kernel between rows and `points` (k, d) to a (n, k); return the Modes.

        k(x, m) = exp(-|x - m|^2 / 2) in units of the kernel width, or for "means" the logarithm
        of it in its place.
        """
        k, dtype, count = len(points), a.dtype, len(self._blocks)
        transposed = np.zeros((points.shape[1], a.shape[1]), dtype)
        transposed[:, :k] = points.T
        values = np.zeros((count, k))
        nearest, distances = np.zeros((count, k), np.int64), np.full((count, k), np.inf, dtype)
        near = np.zeros((count, 1, a.shape[1]), dtype)
        with workers(count) as run:
            run(
                lambda i: kernels.measure(
                    *self._blocks[i], WIDTH[dtype], self.rows, transposed,
                    self.kind == "means", a, z, values[i], nearest[i], distances[i], near[i],
                )
            )  # fmt: skip
        best = distances.argmin(axis=0)
        rows = nearest[best, np.arange(k)]
        return Modes(points, rows, values.sum(axis=0))

    def update(self, modes: Modes, a: NDArray, z: NDArray, labels: NDArray) -> Modes:
        """Move the modes, with a kept up to date; where none moves, what came is returned.

        Parameters
        ----------
        modes : Modes
            Measured at this z.
        a, z : ndarray of shape (n, k)
        labels : int64 ndarray of shape (n,)
        """
        points = self._propose(modes.points, a, z, labels)
        moved = np.abs(points - modes.points).max(axis=1, initial=0) > 0
        if not moved.any():
            return modes
        found = self.measure(points, a, z)
        worse = moved & (found.values < modes.values)
        if not (self.guarded and worse.any()):
            return found
        points = np.where(worse[:, None], modes.points, points)
        if not (moved & ~worse).any():
            points = modes.points
        return self.measure(points, a, z)

    def _propose(self, points: NDArray, a: NDArray, z: NDArray, labels: NDArray) -> NDArray:
        z, a = z[:, : len(points)], a[:, : len(points)]
        if self.kind == "byproduct":
            return self.rows[byproduct(z, a)].astype(np.float64)
        if self.kind == "mean-shift":
            return self._mean_shift(points, z, labels)
        # Of each cluster's own rows, as in mean-shift: a Z that is still soft, as at the first
        # entropy weights, would give all clusters one and the same mode.
        own = z * (labels[:, None] == np.arange(len(points)))
        if self.kind == "exact":
            found = self.rows[exact(self.rows, own)].astype(np.float64)
            return np.where(own.any(axis=0)[:, None], found, points)
        return means(self.rows, own, points)

    def _mean_shift(self, points: NDArray, z: NDArray, labels: NDArray) -> NDArray:
        """Weighted mean-shift of each mode over the rows of its cluster, to rest.

        m <- sum z k(x, m) x / sum z k(x, m).
        """
        k, d = points.shape
        points, still = points.copy(), np.zeros(k, bool)
        count = len(self._blocks)
        with workers(count) as run:
            for _ in range(_SHIFTS):
                totals, weights = np.zeros((count, k, d)), np.zeros((count, k))
                modes = points.astype(self.rows.dtype)
                fixed = self.rows, z, labels, modes, still
                run(
                    lambda i, fixed=fixed, totals=totals, weights=weights: kernels.shift(
                        *self._blocks[i], *fixed, totals[i], weights[i]
                    )
                )
                weight = weights.sum(axis=0)
                still |= weight <= 0
                shifted = totals.sum(axis=0) / np.where(still, 1, weight)[:, None]
                length = np.sqrt(np.square(shifted - points).sum(axis=1))
                still |= length < _STILL
                points[~still] = shifted[~still]
                if still.all():
                    break
        return points


def byproduct(z: NDArray, a: NDArray) -> NDArray[np.int64]:
    """The row of the largest share of each cluster, argmax_p z_pl (SLK-BO): indices (k,).

    Shares saturate at 1; among equals the row nearest to the present mode is taken.
    """
    eps = np.finfo(z.dtype).eps
    found = np.empty(z.shape[1], np.int64)
    for m in range(z.shape[1]):
        column = z[:, m]
        ties = np.flatnonzero(column >= column.max() * (1 - 4 * eps))
        found[m] = ties[a[ties, m].argmax()]
    return found


def means(rows: NDArray, z: NDArray, points: NDArray) -> NDArray:
    """Weighted means sum z x / sum z of each cluster (SLK-Means), (k, d); `points` where empty."""
    weight = z.sum(axis=0, dtype=np.float64)
    totals = np.zeros(points.shape)
    for i in range(0, len(rows), 65_536):  # sums of float32 stay short
        totals += z[i : i + 65_536].T @ rows[i : i + 65_536]
    some = weight > 1e-6
    return np.where(some[:, None], totals / np.where(some, weight, 1)[:, None], points)


def exact(rows: NDArray, z: NDArray) -> NDArray[np.int64]:
    """argmax_q (K Z)_ql over all rows, K the kernel in units of its width: indices (k,)."""
    squares = np.square(rows).sum(axis=1)
    best, found = np.full(z.shape[1], -np.inf), np.zeros(z.shape[1], np.int64)
    for i in range(0, len(rows), 1024):
        some = rows[i : i + 1024]
        distances = squares[i : i + 1024, None] - 2 * (some @ rows.T) + squares
        values = np.exp(-0.5 * np.maximum(distances, 0)) @ z
        top = values.argmax(axis=0)
        value = values[top, np.arange(z.shape[1])]
        better = value > best
        best[better], found[better] = value[better], i + top[better]
    return found
