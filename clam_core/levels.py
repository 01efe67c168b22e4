"""Attractors at many betas at once: rows of a beta and a position, searched as one batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from clam_core.energy import Energy
from clam_core.fixed_points import MERGE, downhill, is_stable, newton

_SIEVE = (8, 24)
"""Full steps before the first of Newton's, thinning after each number of them."""
_NEWTON_STEPS = 2
_ROUNDS = 8
_DOWNHILL_STEPS = 4
_STEPS_A_ROUND = 64
"""Full steps of the few rows that are left, after downhill ones."""
_CELL = 1e-4
"""Queries of one beta in a cell of this share of the reach go on as one."""
_AT_REST = 1e-13

Step = Callable[[Tensor, Tensor, Energy, Tensor], Tensor]


@dataclass(frozen=True)
class Landscape:
    """Centred memories (k, r) in their span, the energy, and their largest distance from 0."""

    points: Tensor
    energy: Energy
    reach: float


@dataclass(frozen=True)
class Rows:
    """Positions (a, r), each at its own beta, a column (a, 1)."""

    beta: Tensor
    v: Tensor

    @staticmethod
    def all_pairs(betas: Tensor, v: Tensor) -> Rows:
        """Every position at every one of the betas (m,)."""
        return Rows(betas.repeat_interleave(len(v)).unsqueeze(1), v.repeat(len(betas), 1))

    def __len__(self) -> int:
        return len(self.v)

    def take(self, which: Tensor) -> Rows:
        """Rows by a mask or by their numbers."""
        return Rows(self.beta[which], self.v[which])

    @staticmethod
    def stacked(parts: Sequence[Rows]) -> Rows:
        """All rows, one part after the other."""
        return Rows(torch.cat([part.beta for part in parts]), torch.cat([part.v for part in parts]))

    def moved(self, step: Step, land: Landscape) -> Rows:
        """Rows after a step, each at its beta."""
        return Rows(self.beta, step(self.v, land.points, land.energy, self.beta))

    def joined(self, other: Rows) -> Rows:
        """These and the others, by rising beta; at one beta these come first."""
        both = Rows.stacked([self, other])
        return both.take(both.beta[:, 0].argsort(stable=True))


def census(found: Rows) -> tuple[Tensor, Tensor]:
    """Distinct betas, rising, and how many rows are at each."""
    return torch.unique_consecutive(found.beta[:, 0], return_counts=True)


def search(start: Rows, land: Landscape) -> Rows:
    """Attractors that recall leads to from given starts, by rising beta, then by energy."""
    rows, resting = _run_to_rest(start, land)
    energy = land.energy.value(rows.v, land.points, rows.beta)
    order = energy.argsort(stable=True)
    order = order[rows.beta[order, 0].argsort(stable=True)]
    rows, resting, energy = rows.take(order), resting[order], energy[order]
    stable = resting & is_stable(rows.v, land.points, land.energy, rows.beta)
    # Exactly at a critical beta the one that remains is only marginal: the lowest, listed first.
    _, level, counts = torch.unique_consecutive(rows.beta, return_inverse=True, return_counts=True)
    level = level.reshape(-1)
    none = torch.zeros(len(counts), dtype=torch.long).index_add_(0, level, stable.long()) == 0
    stable[(counts.cumsum(0) - counts)[none]] = True
    return _distinct(rows.take(stable), land)


def spread_out(found: Rows, fresh: Rows, land: Landscape) -> Rows:
    """Follow fresh attractors to neighbouring betas, up and down, until no new one is found."""
    betas, before = census(found)
    while len(fresh):
        level = torch.searchsorted(betas, fresh.beta[:, 0])
        up, down = level + 1 < len(betas), level > 0
        target = betas[torch.cat([level[up] + 1, level[down] - 1])]
        starts = Rows(target.unsqueeze(1), torch.cat([fresh.v[up], fresh.v[down]]))
        found = _distinct(found.joined(search(starts, land)), land)
        _, after = census(found)
        fresh = found.take((after > before)[torch.searchsorted(betas, found.beta[:, 0])])
        before = after
    return found


def _run_to_rest(rows: Rows, land: Landscape) -> tuple[Rows, Tensor]:
    """Run every row to a fixed point, thinning; whether each got there."""
    for n_steps in _SIEVE:
        rows = _thinned(_walked(rows, land, n_steps), land)
    for _ in range(_NEWTON_STEPS):
        rows = rows.moved(newton, land)
    resting = _is_at_rest(rows, land)
    ended, rows = [rows.take(resting)], rows.take(~resting)
    for _ in range(_ROUNDS):
        if not len(rows):
            break
        rows = _thinned(_walked(rows, land, _STEPS_A_ROUND), land)
        for _ in range(_DOWNHILL_STEPS):
            rows = rows.moved(downhill, land)
        resting = _is_at_rest(rows, land)
        ended.append(rows.take(resting))
        rows = rows.take(~resting)
    arrived = _thinned(Rows.stacked(ended), land)
    return Rows.stacked([arrived, rows]), torch.arange(len(arrived) + len(rows)) < len(arrived)


def _is_at_rest(rows: Rows, land: Landscape) -> Tensor:
    """Whether a full step leaves each row where it is."""
    moves = land.energy.velocity(rows.v, land.points, rows.beta)
    return moves.abs().amax(1) <= _AT_REST * land.reach


def _walked(rows: Rows, land: Landscape, n_steps: int) -> Rows:
    """A few full steps."""
    from clam_core import fused  # compiled code is imported only where it serves

    bias = land.energy.bias(land.points, rows.beta).T
    gain = land.energy.gain(rows.beta)[:, 0]
    v = fused.walk_directly(rows.v.T, bias, land.points, gain, n_steps, 1.0, flat=True).T
    return Rows(rows.beta, v)


def _thinned(rows: Rows, land: Landscape) -> Rows:
    """One row of each cell at each beta; the cells are told apart by a hash."""
    cells = (rows.v / (_CELL * land.reach)).round().long()
    generator = torch.Generator().manual_seed(0)
    odd = torch.randint(2**62, (rows.v.shape[1] + 1,), generator=generator) * 2 + 1
    keys = torch.cat([cells, rows.beta.view(torch.long)], 1).mul(odd).sum(1).numpy()
    return rows.take(torch.from_numpy(np.unique(keys, return_index=True)[1]))


def _distinct(rows: Rows, land: Landscape) -> Rows:
    """Rows that are sorted by beta, without those that repeat an earlier one at the same beta."""
    kept = torch.ones(len(rows), dtype=torch.bool)
    largest = int(census(rows)[1].max())
    for shift in range(1, largest):
        together = rows.beta[shift:, 0] == rows.beta[:-shift, 0]
        close = (rows.v[shift:] - rows.v[:-shift]).abs().amax(1) <= MERGE * land.reach
        kept[shift:] &= ~(together & close)
    return rows.take(kept)
