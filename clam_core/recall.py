"""Recall: queries run downhill to their endpoints, and what that partition looks like.

Two forms of the same recursion stand here. :func:`recall_path` steps in the space of the data, as
the equations are written. :func:`recall` keeps memories first and queries contiguous, and where
there are more features than memories it steps in the k-dimensional space of inner products: every
iterate is an affine combination of the start and the memories,

    v^t = (1 - a)^t v^0 + sum_mu w^t_mu rho_mu,    a = step_size,

so all that a step needs of v is <rho_mu, v>, and T steps cost O(n d k + n T k^2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from clam_core.attractors import attractors
from clam_core.energy import Energy, squared_distances
from clam_core.walk import Field, nearest_key, origin_of, run_to_rest, spread, walk, walk_in_k_space

_CHUNK = 1 << 16
"""Numbers in one temporary of a chunk (256 KB in float32): it stays in a core's own cache."""


@dataclass(frozen=True)
class Basins:
    """Where each query ends.

    Attributes
    ----------
    labels : int64 Tensor of shape (n,)
        Memory nearest to the endpoint.
    endpoints : Tensor of shape (n, d)
    energies : Tensor of shape (n,)
        Energy of the endpoint.
    settled : bool Tensor of shape (n,)
        True where one more full step would move the endpoint by less than 1e-3 of the memories'
        spread: after T steps of 1/T this is usually False.
    """

    labels: Tensor
    endpoints: Tensor
    energies: Tensor
    settled: Tensor


def recall(
    x: Tensor,
    memories: Tensor,
    *,
    energy: Energy,
    beta: float,
    n_steps: int,
    step_size: float | None = None,
    hidden: Tensor | None = None,
) -> Tensor:
    """Endpoints after T steps of the recursion, ``v <- v + step_size * velocity(v)``.

    Equation 4 (Euclidean), 11 (Weighted) or 12 (Spherical) of the ClAM paper.

    Parameters
    ----------
    x : Tensor of shape (n, d)
        Queries; hidden coordinates hold their starting values.
    memories : Tensor of shape (k, d)
    energy : Energy
    beta : float
        Inverse temperature, 1/length^2 of the data (no unit on the sphere).
    n_steps : int
        T.
    step_size : float, default 1/T
        ``dt/tau``; the energy never rises for 0 < step_size <= 1.
    hidden : bool Tensor of shape (d,) or (n, d), optional
        Coordinates that may move; None means all.

    Returns
    -------
    Tensor of shape (n, d)
    """
    step = 1 / n_steps if step_size is None else step_size
    if hidden is not None and (hidden.ndim == 2 or not energy.flat):
        return _last(_iterates(x, memories, energy, beta, n_steps, step, hidden))
    origin = origin_of(memories, energy)
    field = Field.around(memories - origin, energy, beta)
    endpoints = x.clone()
    moving = slice(None) if hidden is None else hidden
    for rows in _chunks(x, len(memories)):
        start = energy.project(x[rows] - origin)
        ends = walk(start, field, n_steps, step, hidden)[:, moving]
        endpoints[rows, moving] = ends + origin[moving]
    return endpoints


def recall_path(
    x: Tensor,
    memories: Tensor,
    *,
    energy: Energy,
    beta: float,
    n_steps: int,
    step_size: float | None = None,
    hidden: Tensor | None = None,
) -> Tensor:
    """Every iterate of :func:`recall`, the start first, shape (n_steps + 1, n, d)."""
    step = 1 / n_steps if step_size is None else step_size
    return torch.stack(list(_iterates(x, memories, energy, beta, n_steps, step, hidden)))


def assign(
    x: Tensor,
    memories: Tensor,
    *,
    energy: Energy,
    beta: float,
    n_steps: int,
    step_size: float | None = None,
) -> Tensor:
    """Labels after T steps, without forming the endpoints where k-space spares them.

    The paper's InferClAM: the memory nearest to ``x^T``, shape (n,), int64. Parameters as in
    :func:`recall`.
    """
    step = 1 / n_steps if step_size is None else step_size
    origin = origin_of(memories, energy)
    field = Field.around(memories - origin, energy, beta)
    labels = torch.empty(len(x), dtype=torch.int64, device=x.device)
    for rows in _chunks(x, len(memories)):
        start = energy.project(x[rows] - origin)
        if field.in_k_space:
            inner, _ = walk_in_k_space(field.keys @ start.T, field.bias, field, n_steps, step)
        else:
            inner = field.keys @ walk(start, field, n_steps, step, None).T
        labels[rows] = nearest_key(inner, field.squares)
    return labels


def basins(
    x: Tensor,
    memories: Tensor,
    *,
    energy: Energy,
    beta: float,
    n_steps: int | None = None,
    step_size: float | None = None,
) -> Basins:
    """Partition of the queries by where recall takes them.

    Two modes, since a step size of 1/T leaves a share ``(1 - 1/T)^T`` of the way to go: with
    ``n_steps`` the paper's InferClAM, *after T steps*; without, *attractor*: full steps until
    nothing moves, which ends at a fixed point.

    Parameters
    ----------
    x : Tensor of shape (n, d)
    memories : Tensor of shape (k, d)
    energy : Energy
    beta : float
    n_steps : int or None
        T, or None for the attractor.
    step_size : float, default 1/T

    Returns
    -------
    Basins
    """
    origin = origin_of(memories, energy)
    field = Field.around(memories - origin, energy, beta)
    targets, step = None, step_size or 1 / (n_steps or 1)
    if n_steps is None:
        targets, n_steps = attractors(memories - origin, energy=energy, beta=beta), 0
    labels = torch.empty(len(x), dtype=torch.int64, device=x.device)
    endpoints, energies, moves = torch.empty_like(x), x.new_empty(len(x)), x.new_empty(len(x))
    for rows in _chunks(x, len(memories)):
        start = energy.project(x[rows] - origin)
        if targets is not None:
            v = _settle(start, field, targets)
        else:
            v = walk(start, field, n_steps, step, None)
        endpoints[rows] = v + origin
        labels[rows], energies[rows], moves[rows] = _describe(v, field, beta)
    return Basins(labels, endpoints, energies, moves <= 1e-3 * spread(field.keys))


def voronoi(x: Tensor, memories: Tensor, *, energy: Energy) -> Tensor:
    """Label of the nearest memory, by the energy's own distance and without weights.

    Parameters
    ----------
    x : Tensor of shape (n, d)
    memories : Tensor of shape (k, d)
    energy : Energy
        The sphere compares directions, the others squared distances.

    Returns
    -------
    int64 Tensor of shape (n,)
    """
    origin = origin_of(memories, energy)
    keys = energy.keys(memories - origin)
    squares = keys.square().sum(1, keepdim=True)
    labels = torch.empty(len(x), dtype=torch.int64, device=x.device)
    for rows in _chunks(x, len(memories)):
        inner = keys @ energy.project(x[rows] - origin).T
        labels[rows] = nearest_key(inner, squares)
    return labels


def entropy(x: Tensor, memories: Tensor, *, energy: Energy, beta: float) -> Tensor:
    """Equation 13: ``H(x) = -sum p log p`` with p the softmax of the log affinities, in nats.

    0 where one memory takes all (Voronoi-like), log k where all share alike. Shape (n,).
    """
    values = x.new_empty(len(x))
    for rows in _chunks(x, len(memories)):
        log_p = torch.log_softmax(energy.log_affinity(x[rows], memories, beta), -1)
        values[rows] = -(log_p.exp() * log_p).sum(-1)
    return values.clamp_min(0)


def _chunks(x: Tensor, n_memories: int) -> Iterator[slice]:
    """Slices of rows whose (k, m) temporaries stay small."""
    size = max(1, _CHUNK // max(n_memories, x.shape[1]))
    size = max(size, 256)
    for first in range(0, len(x), size):
        yield slice(first, first + size)


def _iterates(
    x: Tensor,
    memories: Tensor,
    energy: Energy,
    beta: float,
    n_steps: int,
    step: float,
    hidden: Tensor | None,
) -> Iterator[Tensor]:
    """Yield the recursion as the equations have it, in the space of the data."""
    v = energy.project(x, hidden)
    yield v
    for _ in range(n_steps):
        moved = v + step * energy.velocity(v, memories, beta)
        v = energy.project(moved if hidden is None else torch.where(hidden, moved, v), hidden)
        yield v


def _last(iterates: Iterator[Tensor]) -> Tensor:
    *_, last = iterates
    return last


def _describe(v: Tensor, field: Field, beta: float) -> tuple[Tensor, Tensor, Tensor]:
    """Nearest memory, energy, and length of one more full step, of centred endpoints (m, d)."""
    inner = field.keys @ v.T
    logits = field.bias + field.gain * inner
    peak = logits.amax(0)
    shares = (logits - peak).exp_()
    total = shares.sum(0)
    energies = -(peak + total.log()) / beta
    squares = v.T.square().sum(0)
    if field.energy.flat:  # the term shared by all memories, which the logits leave out
        energies = energies + squares
    pull = field.energy.project((field.keys.T @ (shares / total)).T)
    moves = (pull - v).T.square().sum(0).sqrt()
    return nearest_key(inner, field.squares), energies, moves


def _settle(start: Tensor, field: Field, targets: Tensor) -> Tensor:
    """Run full steps until nothing moves, then take the attractor (a, d) that it was nearing."""
    v = run_to_rest(start, field)
    distances, nearest = squared_distances(v, targets).min(1)
    close = distances.sqrt() <= 1e-2 * spread(field.keys)
    return torch.where(close.unsqueeze(1), targets[nearest], v)
