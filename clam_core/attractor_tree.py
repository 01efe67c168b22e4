"""All attractors against beta: where they part, and which number of them lasts longest."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clam_core.branches import Branch, branches
from clam_core.energy import Energy, Weighted
from clam_core.fixed_points import reach, span, starts
from clam_core.levels import Landscape, Rows, census, search, spread_out

_SECTIONS = 10
_PRECISION = 1e-3
"""Width of a critical beta's bracket, as a share of beta."""
_MIDPOINTS = 256
_CLEAR = 6.0
"""At the last beta no memory holds more than about exp(-6) of another's place."""
_CLOSEST = 1e-3
"""Memories nearer than this share of the diameter need not part within the default range."""


class Plateau(NamedTuple):
    """An interval of beta between two critical ones, with a constant number of attractors."""

    low: float
    high: float
    count: int


@dataclass(frozen=True)
class AttractorTree:
    """True attractors of recall against beta.

    Attributes
    ----------
    betas : ndarray of shape (m,)
        The grid in 1/length^2, rising, even on the log scale.
    counts : ndarray of int, shape (m,)
        Number of attractors at each beta, >= 1.
    branches : tuple of Branch
        Attractors followed along beta; ordered by where they begin, then by label.
    critical : ndarray of shape (c,)
        Where the number of attractors changes, to about 1e-3 of beta; rising.
    plateaus : tuple of Plateau, c - 1 of them (none where c = 0)
        The intervals between neighbouring critical betas.
    """

    betas: NDArray[np.float64]
    counts: NDArray[np.int64]
    branches: tuple[Branch, ...]
    critical: NDArray[np.float64]
    plateaus: tuple[Plateau, ...]

    @property
    def widest(self) -> Plateau | None:
        """The data's own k: the plateau with more than one attractor that is widest in log beta.

        The number below the first critical beta is always 1 and the number above the last one is
        that of the memories: both last for ever whatever the data are, so they say nothing and
        do not count. None where nothing is left, as where all memories part at once.
        """
        several = [plateau for plateau in self.plateaus if plateau.count > 1]
        return max(several, key=lambda plateau: plateau.high / plateau.low, default=None)


def attractor_tree(
    memories: Tensor,
    *,
    energy: Energy,
    low: float | None = None,
    high: float | None = None,
    n_betas: int = 121,
) -> AttractorTree:
    """Attractors of given memories at every beta of a range, linked into branches.

    An attractor is a stable solution of ``v = sum_mu softmax_mu(v) rho_mu``, the fixed points of
    equation 4 of Saha et al. (ICML 2023): a mode of the mixture of Gaussians at the memories with
    variance ``1 / (2 beta)``. All betas are searched at once, from the starts of
    :func:`clam_core.attractors` and then from the attractors at neighbouring betas, until no
    new one is found. Two memories of equal weight at distance D part at ``beta = 2 / D^2``.

    Parameters
    ----------
    memories : Tensor of shape (k, d)
        Meant for k <= 64.
    energy : Euclidean or Weighted
    low, high : float, optional
        The range, in 1/length^2. By default from half of ``2 / diameter^2``, up to which there
        is one attractor whatever the weights, to where each memory has its own; memories that
        coincide, or are nearer than 1e-3 of the diameter, are not waited for.
    n_betas : int, default 121

    Returns
    -------
    AttractorTree
        In float64 and the memories' units.

    Raises
    ------
    ValueError
        If the energy is spherical, the memories are not finite and (k, d) with k and d >= 1,
        there is not one weight for each, or not ``0 < low < high`` and ``n_betas >= 2``.

    Notes
    -----
    The search is thorough but not a proof: an attractor that none of its starts reaches at any
    beta is missed, and so is one that comes and goes between neighbouring betas.
    """
    points = _checked(memories, energy)
    origin = points.mean(0)
    points = points - origin
    frame = span(points)
    land = Landscape(points @ frame, energy, reach(points))
    grid = _grid(land, low, high, n_betas)
    beginnings = starts(land.points, energy, _MIDPOINTS)
    found = search(Rows.all_pairs(grid, beginnings), land)
    found = _refined(spread_out(found, found, land), land)
    brackets, plateau_counts = _changes(found)
    critical = np.exp(np.log(brackets).mean(1))
    counts = _counts_on(found, grid)
    return AttractorTree(
        betas=grid.numpy(),
        counts=counts,
        branches=branches(found, grid, land, frame, origin),
        critical=critical,
        plateaus=tuple(
            Plateau(float(start), float(end), int(count))
            for start, end, count in zip(critical, critical[1:], plateau_counts, strict=False)
        ),
    )


def _checked(memories: Tensor, energy: Energy) -> Tensor:
    """Memories in float64 on the CPU, if they and the energy are ones that this serves."""
    if not energy.flat:
        raise ValueError(f"energy={energy.name!r} should be 'euclidean' or 'weighted'.")
    points = memories.detach().double().cpu()
    if points.ndim != 2 or 0 in points.shape or not bool(torch.isfinite(points).all()):
        raise ValueError(
            f"memories of shape {tuple(points.shape)} should be finite numbers in k >= 1 rows and "
            "d >= 1 columns."
        )
    if isinstance(energy, Weighted) and energy.log_weights.shape != points.shape[:1]:
        raise ValueError(
            f"weights of shape {tuple(energy.log_weights.shape)} should be one for each of the "
            f"{len(points)} memories."
        )
    return points


def _grid(land: Landscape, low: float | None, high: float | None, n_betas: int) -> Tensor:
    """Betas (m,), even on the log scale."""
    first, last = _default_range(land)
    low, high = first if low is None else low, last if high is None else high
    if not 0 < low < high < math.inf:
        raise ValueError(f"low={low:.6g} and high={high:.6g} should be 0 < low < high.")
    if n_betas < 2:
        raise ValueError(f"n_betas={n_betas} should be >= 2.")
    return torch.logspace(math.log10(low), math.log10(high), n_betas, dtype=torch.float64)


def _default_range(land: Landscape) -> tuple[float, float]:
    """From one attractor to as many as there are distinct memories.

    The full step's Jacobian is ``2 beta Cov``, and no distribution within a diameter has a
    variance above diameter^2 / 4 in any direction: below ``2 / diameter^2`` the step contracts.
    Memory mu keeps a place of its own where every other one is negligible there,
    ``w_nu exp(-beta D^2) << w_mu``.
    """
    k = len(land.points)
    distances = torch.cdist(land.points, land.points)
    diameter = float(distances.max())
    if diameter == 0:
        return 0.5, 50.0  # there is no length to go by
    apart = distances.clamp_min(_CLOSEST * diameter).square()
    weights = land.energy.log_weights if isinstance(land.energy, Weighted) else torch.zeros(k)
    lead = weights.to(apart) - weights.to(apart).unsqueeze(1)
    needed = (lead.clamp_min(0) + _CLEAR + math.log(k)) / apart
    return 1 / diameter**2, float(needed[distances > 0].max())


def _counts_on(found: Rows, grid: Tensor) -> NDArray[np.int64]:
    """Number of attractors at each beta of the grid."""
    betas, counts = census(found)
    return counts[torch.searchsorted(betas, grid)].numpy()


def _changes(found: Rows) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Brackets (c, 2) of the betas at which the number changes, and the number after each."""
    betas, counts = (values.numpy() for values in census(found))
    at = np.flatnonzero(np.diff(counts))
    return np.stack([betas[at], betas[at + 1]], 1), counts[at + 1]


def _refined(found: Rows, land: Landscape) -> Rows:
    """Add betas between those where the number changes, until they are close enough."""
    while True:
        betas, counts = census(found)
        ratio = (betas[1:] / betas[:-1]).log()
        wide = (counts[1:] != counts[:-1]) & (ratio > _PRECISION)
        if not bool(wide.any()):
            return found
        level = torch.searchsorted(betas, found.beta[:, 0])
        off = torch.zeros(1, dtype=torch.bool)
        below = torch.cat([wide, off])[level]  # an attractor at the lower end of a wide interval
        above = torch.cat([off, wide])[level]
        interval = torch.cat([level[below], level[above] - 1])
        positions = torch.cat([found.v[below], found.v[above]])
        share = (torch.arange(1, _SECTIONS, dtype=torch.float64) / _SECTIONS).unsqueeze(1)
        inner = betas[interval] * (share * ratio[interval]).exp()
        start = Rows(inner.reshape(-1, 1), positions.repeat(_SECTIONS - 1, 1))
        found = found.joined(search(start, land))
