"""Attractors: the stable fixed points of recall, found from many starts and merged."""

from __future__ import annotations

import torch
from torch import Tensor

from clam_core.energy import Energy
from clam_core.walk import Field, walk_directly

_ROUNDS = 60
_STEPS_A_ROUND = 40
_GRID = 13
_MERGE = 1e-5
"""Fixed points nearer than this share of the memories' spread are one."""


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
    frame = _span(points)
    points = points @ frame
    found = _rest(_starts(points, energy), points, energy, beta)
    stable = _stable(found, points, energy, beta)
    if not stable.any():  # exactly at a critical beta the one that remains is only marginal
        stable = energy.value(found, points, beta) <= energy.value(found, points, beta).min()
    found = _merge(found[stable], points, energy, beta)
    return (found @ frame.T).to(memories) + origin


def _span(points: Tensor) -> Tensor:
    """Orthonormal basis (d, r) of the memories' span: the dynamics never leaves it for good."""
    _, sizes, directions = torch.linalg.svd(points, full_matrices=False)
    rank = max(1, int((sizes > 1e-12 * max(float(sizes[0]), 1e-300)).sum()))
    return directions[:rank].T


def _starts(points: Tensor, energy: Energy) -> Tensor:
    """Memories, their mean, midpoints, and a cover of their hull."""
    first, second = torch.combinations(torch.arange(len(points)), 2).T
    midpoints = (points[first] + points[second]) / 2
    if points.shape[1] <= 2:
        low, high = points.min(0).values, points.max(0).values
        share = torch.linspace(0, 1, _GRID, dtype=points.dtype)
        square = torch.cartesian_prod(*[share] * points.shape[1]).reshape(-1, points.shape[1])
        cover = low + square * (high - low)
    else:
        noise = torch.rand(
            256, len(points), generator=torch.Generator().manual_seed(0), dtype=points.dtype
        )
        cover = torch.softmax(-noise.log() * 2, 1) @ points
    starts = torch.cat([points, points.mean(0, keepdim=True), midpoints[:2048], cover])
    starts = energy.project(starts)
    return starts[torch.isfinite(starts).all(1) & (energy.flat | (starts.abs().amax(1) > 0))]


def _rest(v: Tensor, points: Tensor, energy: Energy, beta: float) -> Tensor:
    """Run every start to a fixed point, thinning out those that run together."""
    scale = max(float(torch.linalg.vector_norm(points, dim=1).max()), 1e-300)
    field = Field.around(points, energy, beta)
    for _ in range(_ROUNDS):
        if energy.flat:
            v = walk_directly(v.T, field.bias, field, _STEPS_A_ROUND, 1.0).T
            v = _newton(_thin(v, 1e-9 * scale), points, energy, beta, scale)
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


def _curvature(v: Tensor, points: Tensor, energy: Energy, beta: float) -> Tensor:
    """Gain times the covariance of the keys under each row's softmax, shape (a, r, r).

    In R^d it is the Jacobian of the full step ``v -> sum_mu softmax_mu(v) rho_mu``.
    """
    keys = energy.keys(points)
    shares = torch.softmax(energy.log_affinity(v, points, beta), 1)
    centred = keys - (shares @ keys).unsqueeze(1)
    return energy.gain(beta) * torch.einsum("ak,aki,akj->aij", shares, centred, centred)


def _newton(v: Tensor, points: Tensor, energy: Energy, beta: float, scale: float) -> Tensor:
    """One Newton step of ``pull(v) = v``, taken by the rows that it serves."""
    residual = energy.pull(v, points, beta) - v
    system = torch.eye(v.shape[1], dtype=v.dtype) - _curvature(v, points, energy, beta)
    step, info = torch.linalg.solve_ex(system, residual)
    ahead = v + step
    better = (energy.pull(ahead, points, beta) - ahead).norm(dim=1) < residual.norm(dim=1)
    lower = energy.value(ahead, points, beta) <= energy.value(v, points, beta) + 1e-12
    taken = better & lower & (info == 0) & (step.norm(dim=1) < 0.05 * scale)
    return torch.where(taken.unsqueeze(1), ahead, v)


def _stable(v: Tensor, points: Tensor, energy: Energy, beta: float) -> Tensor:
    """Whether the energy curves upwards at each fixed point."""
    curvature = _curvature(v, points, energy, beta)
    limit = torch.ones(len(v), dtype=v.dtype)
    if not energy.flat:  # on the sphere only tangent directions count, against the radial pull
        tangent = torch.eye(v.shape[1], dtype=v.dtype) - v.unsqueeze(2) * v.unsqueeze(1)
        curvature = tangent @ curvature @ tangent
        limit = energy.pull(v, points, beta).norm(dim=1)
    return torch.linalg.eigvalsh(curvature)[:, -1] < limit


def _merge(v: Tensor, points: Tensor, energy: Energy, beta: float) -> Tensor:
    """One of each, ordered by nearest memory, then by energy."""
    spread = max(float(torch.linalg.vector_norm(points - points.mean(0), dim=1).max()), 1e-300)
    order = energy.value(v, points, beta).argsort()
    v = _thin(v[order], _MERGE * spread)
    nearest = (2 * v @ energy.keys(points).T - energy.keys(points).square().sum(1)).argmax(1)
    return v[nearest.argsort(stable=True)]
