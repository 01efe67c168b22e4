"""Corruption: what recall must complete, drawn per batch and shared by all its rows and restarts.

Sharing a mask by a batch is what lets recall run in k-space, and costs no quality.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

CORRUPTIONS = ("mask", "noise", "none")
MASK_VALUES = ("mean", "min", "max")


class Corruption(Protocol):
    """Draws the hidden coordinates of each batch and where they start."""

    def draw(
        self, X: NDArray, n_batches: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.bool_], NDArray | None]:
        """Return ``hidden`` (n_batches, d) and ``start``.

        ``start`` is (d,) values that hidden coordinates take, (n, d) starting points, or None
        where recall starts at the row itself.
        """
        ...


@dataclass(frozen=True)
class Mask:
    """Equation 9: hide coordinates without replacement and fill them with a feature's value.

    At least one coordinate is hidden and at least one stays visible; constant columns are never
    hidden, since completing them teaches nothing.

    Parameters
    ----------
    rate : float
        Share of the coordinates to hide, 0 < rate < 1.
    fill : ndarray of shape (d,)
        Value of each hidden coordinate: the feature's mean, minimum or maximum.
    eligible : ndarray of shape (e,)
        Indices of the columns that vary.
    """

    rate: float
    fill: NDArray
    eligible: NDArray[np.intp]

    @cached_property
    def n_hidden(self) -> int:
        """Coordinates hidden in each row: ``round(rate d)``, kept between 1 and d - 1."""
        n_features = len(self.fill)
        most = min(len(self.eligible), n_features - 1)
        return max(1, min(round(self.rate * n_features), most))

    def draw(
        self, X: NDArray, n_batches: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.bool_], NDArray | None]:
        """One mask per batch, and the fill."""
        keys = rng.random((n_batches, len(self.eligible)))
        last = self.n_hidden - 1
        chosen = keys <= np.partition(keys, last, axis=1)[:, last : last + 1]
        if len(self.eligible) == len(self.fill):
            return chosen, self.fill
        hidden = np.zeros((n_batches, len(self.fill)), dtype=bool)
        hidden[:, self.eligible] = chosen
        return hidden, self.fill


@dataclass(frozen=True)
class Noise:
    """Gaussian noise of standard deviation ``scale`` on every coordinate; all may move."""

    scale: float

    def draw(
        self, X: NDArray, n_batches: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.bool_], NDArray | None]:
        """All hidden, starting at noisy rows."""
        noise = rng.standard_normal(X.shape, dtype=X.dtype)
        return np.ones((n_batches, X.shape[1]), dtype=bool), X + self.scale * noise


@dataclass(frozen=True)
class Intact:
    """Equation 8: no corruption; recall starts at the row and all of it may move."""

    def draw(
        self, X: NDArray, n_batches: int, rng: np.random.Generator
    ) -> tuple[NDArray[np.bool_], NDArray | None]:
        """All hidden, starting at the rows themselves."""
        return np.ones((n_batches, X.shape[1]), dtype=bool), None
