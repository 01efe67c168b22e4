"""The units in which training works, and the way there and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from clam_core.energy import Energy


@dataclass(frozen=True)
class Space:
    """Rows are centred, in float64, before anything is cast to float32, and divided by one number.

    Attributes
    ----------
    centre : ndarray of shape (d,)
        Subtracted from every row: the mean of what is not missing; zero on the sphere.
    scale : float
        Root-mean-square spread of the columns that vary, a length; 1 on the sphere.
    fill : ndarray of shape (d,)
        What a gap starts at: the feature's mean, in prepared units.
    varies : bool ndarray of shape (d,)
        Columns that are not constant.
    """

    centre: NDArray
    scale: float
    fill: NDArray
    varies: NDArray

    @staticmethod
    def of(X: NDArray, *, centred: bool) -> Space:
        """Space of float64 rows (n, d), in which NaN marks a gap."""
        largest = np.nanmax(np.abs(X))
        if largest > 1e150 or 0 < largest < 1e-150:  # squares would overflow, or vanish
            raise ValueError(
                f"X has values up to {largest:.3g}; bring them between 1e-150 and 1e150 first."
            )
        centre, variance = np.nanmean(X, axis=0), np.nanvar(X, axis=0)
        rounding = 1e-24 * np.square(np.nanmax(np.abs(X), axis=0))
        varies = variance > np.maximum(rounding, np.finfo(np.float64).tiny)
        if not centred:
            lengths = np.sqrt(np.nansum(X**2, axis=1, keepdims=True))
            if (zero := lengths[:, 0] == 0).any():
                raise ValueError(
                    f"Row {int(zero.argmax())} of X is all zero and has no direction; remove it, "
                    "or use another energy."
                )
            fill = np.nanmean(X / lengths, axis=0)
            return Space(np.zeros(X.shape[1]), 1.0, fill, varies)
        scale = float(np.sqrt(variance[varies].mean())) if varies.any() else 1.0
        return Space(centre, scale, np.zeros(X.shape[1]), varies)

    def enter(
        self, X: NDArray, energy: Energy, dtype: np.dtype | type
    ) -> tuple[NDArray, NDArray | None]:
        """Prepared rows without gaps, contiguous, and where the gaps were (None: nowhere).

        Raises
        ------
        ValueError
            If a row has no direction on the sphere.
        """
        missing = np.isnan(X)
        rows = self.inside(X)
        if not energy.flat:
            lengths = np.sqrt(np.nansum(rows**2, axis=1, keepdims=True))
            if (zero := lengths[:, 0] == 0).any():
                raise ValueError(
                    f"Row {int(zero.argmax())} of X is all zero and has no direction; remove it, "
                    "or use another energy."
                )
            rows = rows / lengths
        if missing.any():
            rows = np.where(missing, self.fill, rows)
            if not energy.flat:
                rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            return np.ascontiguousarray(rows, dtype=dtype), missing
        return np.ascontiguousarray(rows, dtype=dtype), None

    def inside(self, points: NDArray) -> NDArray:
        """Points of X's units in prepared units."""
        return (points - self.centre) / self.scale

    def leave(self, points: NDArray) -> NDArray:
        """Prepared points in X's units."""
        return points * self.scale + self.centre
