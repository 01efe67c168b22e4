"""Fixed points of recall: where to look for them, Newton's method, and which of them are stable.

A fixed point satisfies ``v = project(sum_mu softmax_mu(v) rho_mu)``. The functions here take one
``beta`` for all rows or a column (a, 1) of one each, as :class:`clam_core.energy.Energy` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from clam_core.energy import Energy

MERGE = 1e-5
"""Fixed points nearer than this share of the memories' spread are one."""
_GRID = 13
_SAMPLE = 256
_LONGEST = 0.05
"""Longest step of Newton's kind, as a share of the reach."""
_ROUNDING = 1e-12
"""Rise in energy that is put down to rounding, as a share of the squared reach."""


def span(points: Tensor) -> Tensor:
    """Orthonormal basis (d, r) of the points' span: the dynamics never leaves it for good."""
    _, sizes, directions = torch.linalg.svd(points, full_matrices=False)
    rank = max(1, int((sizes > 1e-12 * max(float(sizes[0]), 1e-300)).sum()))
    return directions[:rank].T


def reach(points: Tensor) -> float:
    """Largest distance of a point from the origin, never 0."""
    return max(float(torch.linalg.vector_norm(points, dim=1).max()), 1e-300)


def starts(points: Tensor, energy: Energy, most_midpoints: int) -> Tensor:
    """Memories, their mean, midpoints (of the closest pairs first), and a cover of their hull."""
    first, second = torch.combinations(torch.arange(len(points)), 2).T
    closest = (points[first] - points[second]).square().sum(1).argsort(stable=True)[:most_midpoints]
    midpoints = (points[first] + points[second])[closest] / 2
    if points.shape[1] <= 2:
        low, high = points.min(0).values, points.max(0).values
        share = torch.linspace(0, 1, _GRID, dtype=points.dtype)
        square = torch.cartesian_prod(*[share] * points.shape[1]).reshape(-1, points.shape[1])
        cover = low + square * (high - low)
    else:
        noise = torch.rand(
            _SAMPLE, len(points), generator=torch.Generator().manual_seed(0), dtype=points.dtype
        )
        cover = torch.softmax(-noise.log() * 2, 1) @ points
    found = energy.project(torch.cat([points, points.mean(0, keepdim=True), midpoints, cover]))
    return found[torch.isfinite(found).all(1) & (energy.flat | (found.abs().amax(1) > 0))]


def curvature(shares: Tensor, keys: Tensor, gain: Tensor) -> Tensor:
    """Gain times the covariance of the keys (k, r) under each row of shares (a, k), (a, r, r).

    In R^d it is the Jacobian of the full step ``v -> sum_mu softmax_mu(v) rho_mu``.
    """
    centred = keys - (shares @ keys).unsqueeze(1)
    return ((gain * shares).unsqueeze(2) * centred).mT @ centred


@dataclass(frozen=True)
class _Slope:
    """What the steps need to know at rows (a, r): pull - v, 1 - Jacobian, and the energy."""

    residual: Tensor  # (a, r)
    system: Tensor  # (a, r, r)
    energy: Tensor  # (a, 1)

    @staticmethod
    def at(v: Tensor, points: Tensor, energy: Energy, beta: Tensor) -> _Slope:
        logits = energy.log_affinity(v, points, beta)
        shares = logits.softmax(1)
        unit = torch.eye(v.shape[1], dtype=v.dtype)
        system = unit - curvature(shares, points, energy.gain(beta))
        return _Slope(shares @ points - v, system, -logits.logsumexp(1, keepdim=True) / beta)


def newton(v: Tensor, points: Tensor, energy: Energy, beta: float | Tensor) -> Tensor:
    """One Newton step of ``pull(v) = v`` in R^d, taken by the rows that it serves."""
    scale, beta = reach(points), torch.as_tensor(beta, dtype=v.dtype)
    here = _Slope.at(v, points, energy, beta)
    step, info = torch.linalg.solve_ex(here.system, here.residual)
    ahead = v + step
    logits = energy.log_affinity(ahead, points, beta)
    better = _length(logits.softmax(1) @ points - ahead) < _length(here.residual)
    rise = -logits.logsumexp(1, keepdim=True) / beta - here.energy
    fits = (info == 0).unsqueeze(1) & (_length(step) < _LONGEST * scale)
    return torch.where(better & (rise <= _ROUNDING * scale**2) & fits, ahead, v)


def downhill(v: Tensor, points: Tensor, energy: Energy, beta: float | Tensor) -> Tensor:
    """One step of Newton's method in R^d with the moduli of the curvatures, then a full step.

    It lowers the energy where Newton's own step would climb to a saddle, and so leaves saddles
    and the narrows of a vanished attractor behind, where full steps creep (Dauphin et al.,
    *Identifying and attacking the saddle point problem*, NeurIPS 2014). The full step brings it
    back to the floor of a bent valley; where every length of the other climbs, it is all.
    """
    scale, beta = reach(points), torch.as_tensor(beta, dtype=v.dtype)
    here = _Slope.at(v, points, energy, beta)
    curves, axes = torch.linalg.eigh(here.system)
    along = (axes.mT @ here.residual.unsqueeze(2)).squeeze(2) / curves.abs().clamp_min(1e-12)
    along = along * (_LONGEST * scale / _length(along).clamp_min(1e-300)).clamp_max(1)
    step = (axes @ along.unsqueeze(2)).squeeze(2)
    best, lowest = v + here.residual, here.energy + _ROUNDING * scale**2
    for share in (1 / 16, 1 / 4, 1):
        ahead = energy.pull(v + share * step, points, beta)
        height = energy.value(ahead, points, beta).unsqueeze(1)
        best = torch.where(height <= lowest, ahead, best)
        lowest = torch.minimum(height + _ROUNDING * scale**2, lowest)
    return best


def _length(v: Tensor) -> Tensor:
    return torch.linalg.vector_norm(v, dim=1, keepdim=True)


def is_stable(v: Tensor, points: Tensor, energy: Energy, beta: float | Tensor) -> Tensor:
    """Whether the energy curves upwards at each fixed point, in every direction there is."""
    beta = torch.as_tensor(beta, dtype=v.dtype)
    shares = energy.log_affinity(v, points, beta).softmax(1)
    slopes = curvature(shares, energy.keys(points), energy.gain(beta))
    limit = torch.ones(1, dtype=v.dtype)
    unit = torch.eye(v.shape[1], dtype=v.dtype)
    if not energy.flat:  # on the sphere only tangent directions count, against the radial pull
        tangent = unit - v.unsqueeze(2) * v.unsqueeze(1)
        slopes = tangent @ slopes @ tangent
        limit = energy.pull(v, points, beta).norm(dim=1)
    _, info = torch.linalg.cholesky_ex(limit.reshape(-1, 1, 1) * unit - slopes)
    return info == 0
