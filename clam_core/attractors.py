"""Attractors: the stable fixed points of recall, found from many starts and merged."""

from __future__ import annotations

import torch
from torch import Tensor

from clam_core.energy import Energy
from clam_core.fixed_points import MERGE, downhill, is_stable, newton, reach, span, starts
from clam_core.walk import Field, walk_directly

_ROUNDS = 60
_STEPS_A_ROUND = 40
_MIDPOINTS = 2048


def attractors(memories: Tensor, *, energy: Energy, beta: float) -> Tensor:
    """Stable fixed points of the dynamics, merged ones counted once.

    A fixed point satisfies ``v = project(sum_mu softmax_mu(v) rho_mu)``; it is stable where the
    energy curves upwards in every direction that the space allows. Below a critical beta memories
    share one attractor; there can also be more attractors than memories. Searched from the
    memories, their mean, their midpoints and a grid or sample of their convex hull, in float64:
    full steps first, then Newton's method, which does not slow down near a critical beta.

    Parameters
    ----------
    memories : Tensor of shape (k, d)
    energy : Energy
    beta : float
        Inverse temperature.

    Returns
    -------
    Tensor of shape (a, d), a >= 1
        In the memories' dtype and device, ordered by the memory that is nearest.
    """
    origin = memories.mean(0) if energy.flat else memories.new_zeros(memories.shape[1])
    points = (memories - origin).double().cpu()
    frame = span(points)
    points = points @ frame
    found = _rest(starts(points, energy, _MIDPOINTS), points, energy, beta)
    stable = is_stable(found, points, energy, beta)
    if not stable.any():  # exactly at a critical beta the one that remains is only marginal
        stable = energy.value(found, points, beta) <= energy.value(found, points, beta).min()
    found = _merge(found[stable], points, energy, beta)
    return (found @ frame.T).to(memories) + origin


def _rest(v: Tensor, points: Tensor, energy: Energy, beta: float) -> Tensor:
    """Run every start to a fixed point, thinning out those that run together."""
    scale = reach(points)
    field = Field.around(points, energy, beta)
    for turn in range(_ROUNDS):
        if energy.flat:
            v = walk_directly(v.T, field.bias, field, _STEPS_A_ROUND, 1.0).T
            nearer = newton if turn == 0 else downhill
            v = nearer(_thin(v, 1e-9 * scale), points, energy, beta)
        else:  # straight to the pull: quicker than adding it to where the query is
            for _ in range(_STEPS_A_ROUND):
                v = energy.project(energy.pull(v, points, beta))
            v = _thin(v, 1e-9 * scale)
        moves = energy.project(energy.pull(v, points, beta)) - v
        if float(moves.abs().max()) <= 1e-13 * scale:
            break
    return v


def _thin(v: Tensor, tolerance: float) -> Tensor:
    """One row of each group within ``tolerance``."""
    kept: list[Tensor] = []
    while len(v):
        kept.append(v[0])
        v = v[(v - v[0]).abs().amax(1) > tolerance]
    return torch.stack(kept)


def _merge(v: Tensor, points: Tensor, energy: Energy, beta: float) -> Tensor:
    """One of each, ordered by nearest memory, then by energy."""
    order = energy.value(v, points, beta).argsort()
    v = _thin(v[order], MERGE * reach(points - points.mean(0)))
    nearest = (2 * v @ energy.keys(points).T - energy.keys(points).square().sum(1)).argmax(1)
    return v[nearest.argsort(stable=True)]
