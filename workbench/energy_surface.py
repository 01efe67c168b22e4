"""The energy as a landscape, over the plane or on the globe, and a particle's way down it.

Heights are energies above the lowest attractor's: E itself holds an offset that means nothing,
-(1/beta) log k where beta is small. Everything is computed in float64, since that offset grows
beyond all heights.
"""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray

import clam_core

_MOST_TRAIL = 600  # points of a drawn way
_FINE = 12  # parts of one step in it
_RESTING = 1e-4  # of the memories' spread: a full step below it is no step
_ROOM = 1.15  # of the highest height between the memories, to where a surface is cut
_BETWEEN = 0.02  # of the frame, around the memories: what still counts as between them
_LEAST = 0.2  # of all heights: a surface is not cut below it


@dataclass(frozen=True, eq=False)
class Landscape:
    """Heights of the energy over a grid, its valleys, and the passes between them.

    Attributes
    ----------
    places : ndarray, shape (rows, columns, d)
        Points of the grid, in the space of the memories: d = 2 of the plane, 3 of the globe.
    heights : ndarray, shape (rows, columns)
        Energy above `floor`.
    valleys : ndarray of int, shape (rows, columns)
        Attractor that each point runs down to.
    attractors : ndarray, shape (a, d)
    owners : ndarray of int, shape (a,)
        Memory nearest to each attractor.
    bottoms : ndarray, shape (a,)
        Height of each attractor; the lowest is 0.
    passes : ndarray, shape (a, a)
        Height of the lowest point of the border between two valleys; inf where they do not meet.
    floor : float
        Energy of the lowest attractor.
    """

    places: NDArray
    heights: NDArray
    valleys: NDArray
    attractors: NDArray
    owners: NDArray
    bottoms: NDArray
    passes: NDArray
    floor: float

    @property
    def depths(self):
        """Rise from each attractor to the lowest pass out of its valley, shape (a,)."""
        return self.passes.min(axis=1) - self.bottoms

    @property
    def neighbours(self):
        """Valley beyond the lowest pass of each, shape (a,); meaningless where depth is inf."""
        return self.passes.argmin(axis=1)


@dataclass(frozen=True, eq=False)
class Way:
    """What recall does to one particle.

    Attributes
    ----------
    iterates : ndarray, shape (t + 1, d)
    heights : ndarray, shape (t + 1,)
        Energy of each above the landscape's floor; it never rises for step sizes up to 1.
    trail : ndarray, shape (s, d)
        The same way, each step divided, along great circles on the globe.
    trail_heights : ndarray, shape (s,)
    nearest, label : int
        Memory nearest to the start, and to the end.
    valley : int
        Attractor that the start would run down to.
    pull : ndarray, shape (d,)
        What draws the start, before a step.
    tangent : ndarray, shape (d,)
        The part of it that moves the particle: on the globe the one along the sphere.
    """

    iterates: NDArray
    heights: NDArray
    trail: NDArray
    trail_heights: NDArray
    nearest: int
    label: int
    valley: int
    pull: NDArray
    tangent: NDArray


def landscape(grid, memories, energy, beta):
    """Measure the energy over a grid, and find its valleys and passes.

    ``E(v) = -(1/beta) log sum_mu exp(log_affinity_mu(v))``, equation 1, 10 or 12 by the energy.

    Parameters
    ----------
    grid : ndarray, shape (rows, columns, d)
        See :func:`workbench.ground.places`.
    memories : ndarray, shape (k, d)
        On the globe at unit length.
    energy : clam_core.Energy
    beta : float
        Inverse temperature.

    Returns
    -------
    Landscape

    Limits
    ------
    A pass is as exact as the grid is fine: its height is off by the square of a grid step.
    """
    rho, flat = torch.as_tensor(memories).double(), _flat(grid)
    rest = clam_core.attractors(rho, energy=energy, beta=beta)
    low = energy.value(rest, rho, beta)
    floor = float(low.min())
    values = energy.value(flat, rho, beta).numpy().reshape(grid.shape[:2]) - floor
    valleys = _valleys(flat, rho, energy, beta, rest).reshape(grid.shape[:2])
    return Landscape(
        places=grid,
        heights=values,
        valleys=valleys,
        attractors=rest.numpy(),
        owners=clam_core.voronoi(rest, rho, energy=energy).numpy(),
        bottoms=low.numpy() - floor,
        passes=_passes(values, valleys, len(rest)),
        floor=floor,
    )


def heights(points, memories, energy, beta, floor):
    """Energies of points, shape (..., d), above a landscape's floor, shape (...)."""
    rho = torch.as_tensor(memories).double()
    values = energy.value(energy.project(_flat(points)), rho, beta).numpy()
    return values.reshape(np.shape(points)[:-1]) - floor


def labels(grid, memories, energy, beta, n_steps, step_size=None):
    """Memory that recall takes each point of a grid to, shape (rows, columns).

    Parameters
    ----------
    grid, memories, energy, beta
        As for :func:`landscape`.
    n_steps : int or None
        T, or None for the attractor.
    step_size : float, default 1/T

    Returns
    -------
    ndarray of int
    """
    rho, flat = torch.as_tensor(memories).float(), _flat(grid).float()
    how = {"energy": energy, "beta": beta}
    if n_steps is None:
        found = clam_core.basins(flat, rho, **how).labels
    else:
        found = clam_core.assign(flat, rho, n_steps=n_steps, step_size=step_size, **how)
    return found.numpy().reshape(grid.shape[:2])


def ceiling(found, memories, start=None):
    """Height at which a surface over the plane is best cut.

    What lies between the memories is kept, and so is a particle's start; the walls beyond, which
    rise with the squared distance, would press all valleys flat.

    Parameters
    ----------
    found : Landscape
        Over the plane.
    memories : ndarray, shape (k, 2)
    start : float, optional
        Height of the particle's start.

    Returns
    -------
    float
    """
    corners = found.places[[0, -1], [0, -1]]
    reach = _BETWEEN * float((corners[1] - corners[0]).max())
    low, high = memories.min(axis=0) - reach, memories.max(axis=0) + reach
    between = np.all((found.places >= low) & (found.places <= high), axis=-1)
    top = max(float(found.heights[between].max()), _LEAST * float(found.heights.max()))
    return _ROOM * max(top, start or 0.0)


def way(start, memories, energy, beta, found, *, n_steps, step_size=None, most=100):
    """Recall one particle, and measure what it does.

    Parameters
    ----------
    start : sequence of float, length d
        On the globe of any length.
    memories : ndarray, shape (k, d)
    energy : clam_core.Energy
    beta : float
    found : Landscape
        Of the same energy.
    n_steps : int or None
        T; None for full steps until it rests.
    step_size : float, default 1/T
    most : int, default 100
        Full steps at most.

    Returns
    -------
    Way
    """
    rho = torch.as_tensor(memories).double()
    x = torch.as_tensor(np.atleast_2d(np.asarray(start, float)))
    step = 1.0 if n_steps is None else step_size
    path = clam_core.recall_path(
        x, rho, energy=energy, beta=beta, n_steps=n_steps or most, step_size=step
    )[:, 0]
    if n_steps is None:
        path = _until_rest(path, rho)
    trail = _trail(path, energy)
    first = path[:1]
    pull = energy.pull(first, rho, beta)[0].numpy()
    inward = pull - first[0].numpy()
    along = pull - (pull @ first[0].numpy()) * first[0].numpy()
    ends = clam_core.voronoi(path[[0, -1]], rho, energy=energy)
    rest = torch.as_tensor(found.attractors)
    return Way(
        iterates=path.numpy(),
        heights=energy.value(path, rho, beta).numpy() - found.floor,
        trail=trail.numpy(),
        trail_heights=energy.value(trail, rho, beta).numpy() - found.floor,
        nearest=int(ends[0]),
        label=int(ends[1]),
        valley=int(_valleys(first, rho, energy, beta, rest)[0]),
        pull=pull,
        tangent=inward if energy.flat else along,
    )


def _flat(grid):
    return torch.as_tensor(np.asarray(grid, float).reshape(-1, np.shape(grid)[-1]))


def _valleys(x, rho, energy, beta, rest):
    """Attractor (of ``rest``) that full steps take each row of ``x`` to."""
    ends = clam_core.basins(x, rho, energy=energy, beta=beta).endpoints
    return torch.cdist(ends, rest).argmin(1).numpy()


def _passes(values, valleys, n):
    """Lowest height on the border of each pair of valleys, over neighbours in the grid."""
    found = np.full((n, n), np.inf)
    neighbours = (
        ((slice(None), slice(None, -1)), (slice(None), slice(1, None))),
        ((slice(None, -1), slice(None)), (slice(1, None), slice(None))),
    )
    for here, there in neighbours:
        apart = valleys[here] != valleys[there]
        first, second = valleys[here][apart], valleys[there][apart]
        over = np.maximum(values[here], values[there])[apart]
        np.minimum.at(found, (first, second), over)
        np.minimum.at(found, (second, first), over)
    return found


def _until_rest(path, rho):
    """Leave out the steps that no longer move."""
    spread = float((rho - rho.mean(0)).norm(dim=1).max()) or 1.0
    moves = (path[1:] - path[:-1]).norm(dim=1)
    still = torch.nonzero(moves < _RESTING * spread)
    return path[: int(still[0]) + 2] if len(still) else path


def _trail(path, energy):
    """Divide each step; projected back, so that a step on the sphere is a great circle."""
    parts = max(1, min(_FINE, _MOST_TRAIL // max(len(path) - 1, 1)))
    share = torch.linspace(0, 1, parts + 1, dtype=path.dtype)[:-1, None]
    between = path[:-1, None] + share * (path[1:] - path[:-1])[:, None]
    return energy.project(torch.cat([between.reshape(-1, path.shape[1]), path[-1:]]))
