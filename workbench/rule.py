"""By what rule a run gives a row to a cluster, as a function of any point."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from workbench.methods import METHODS

_CHUNK = 1 << 21  # numbers in one temporary


@dataclass(frozen=True, eq=False)
class Rule:
    """How points are given to prototypes.

    Attributes
    ----------
    prototypes : ndarray of shape (k, d)
        In the units of the prepared data.
    fill : ndarray of shape (d,)
        What a missing value counts as.
    energy : {"euclidean", "weighted", "spherical"} or None
        Of recall; None where the nearest prototype takes a row.
    beta, n_steps, step_size
        Of recall.
    weights : ndarray of shape (k,)
        Attraction of each prototype.
    decides : bool
        Whether the run's own labels follow from it. Those of SLK also follow the graph.
    """

    prototypes: np.ndarray
    fill: np.ndarray
    energy: str | None
    beta: float
    n_steps: int
    step_size: float | None
    weights: np.ndarray
    decides: bool

    @property
    def spherical(self):
        """Whether directions are compared, not places."""
        return self.energy == "spherical"

    def inside(self, X):
        """Return rows without gaps, and at unit length where directions are compared."""
        gaps = np.isnan(X)
        if self.spherical:
            rows = X / _lengths(np.nan_to_num(X))
            return _unit(np.where(gaps, self.fill, rows) if gaps.any() else rows)
        return np.where(gaps, self.fill, X) if gaps.any() else np.asarray(X, float)

    @cached_property
    def keys(self):
        """What points are compared with: the prototypes, at unit length on the sphere."""
        return _unit(self.prototypes) if self.spherical else self.prototypes

    def squared_distances(self, points):
        """Return squared distances (n, k) of points that are `inside` already."""
        origin = self.keys.mean(axis=0)
        keys = self.keys - origin
        found = np.empty((len(points), len(keys)))
        for rows in _chunks(len(points), max(points.shape[1], len(keys))):
            part = points[rows] - origin
            squares = np.square(part).sum(axis=1)[:, None] + np.square(keys).sum(axis=1)
            found[rows] = np.maximum(squares - 2 * part @ keys.T, 0)
        return found

    def evidence(self, points):
        """Return what speaks for each prototype (n, k), in nats of log affinity.

        Minus the squared distance for a rule without an inverse temperature. On the sphere
        `beta <rho, v>` less the constant `beta`: half the squared chord, with the sign of minus.
        """
        squares = self.squared_distances(points)
        if self.energy is None:
            return -squares
        half = 0.5 if self.spherical else 1.0
        return -half * self.beta * squares + np.log(self.weights)

    def labels(self, points):
        """Return the cluster of each point that is `inside` already, (n,)."""
        if self.energy is None:
            return self.squared_distances(points).argmin(axis=1)
        import torch

        import clam_core

        weights = self.weights if self.energy == "weighted" else None
        told: dict[str, Any] = {
            "energy": clam_core.make_energy(self.energy, weights),
            "beta": self.beta,
            "n_steps": self.n_steps,
            "step_size": self.step_size,
        }
        memories = torch.from_numpy(np.ascontiguousarray(self.prototypes, float))
        found = np.empty(len(points), np.int64)
        for rows in _chunks(len(points), points.shape[1]):
            some = torch.from_numpy(np.ascontiguousarray(points[rows], float))
            found[rows] = clam_core.assign(some, memories, **told).numpy()
        return found

    def attractors(self):
        """Return where recall from each prototype comes to rest (k, d); without recall, itself."""
        if self.energy is None:
            return self.prototypes
        import torch

        import clam_core

        weights = self.weights if self.energy == "weighted" else None
        memories = torch.from_numpy(np.ascontiguousarray(self.prototypes, float))
        energy = clam_core.make_energy(self.energy, weights)
        found = clam_core.basins(memories, memories, energy=energy, beta=self.beta)
        return found.endpoints.numpy()


def rule_of(run):
    """Return the rule by which a run gives rows to clusters.

    Parameters
    ----------
    run : workbench.run.Run

    Returns
    -------
    Rule
        In float64; the run itself may have computed in float32, so a row that lies on a border
        to the seventh figure may fall on its other side.
    """
    X, settings = run.dataset.X, run.recipe.settings
    energy = settings.get("energy") if run.beta is not None else None
    step = settings.get("step_size", "1/T")
    return Rule(
        prototypes=np.asarray(run.prototypes, float),
        fill=_fill(X, energy == "spherical"),
        energy=energy,
        beta=float(run.beta or 0.0),
        n_steps=settings.get("n_steps", 1),
        step_size=None if step == "1/T" else step,
        weights=np.asarray(run.weights, float),
        decides=METHODS[run.recipe.method].family != "modes and graph",
    )


def _fill(X, spherical):
    rows = X / _lengths(np.nan_to_num(X)) if spherical else X
    return np.nanmean(rows, axis=0)


def _lengths(rows):
    return np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), np.finfo(float).tiny)


def _unit(rows):
    return rows / _lengths(rows)


def _chunks(n, width):
    size = max(256, _CHUNK // max(1, width))
    for first in range(0, n, size):
        yield slice(first, first + size)
