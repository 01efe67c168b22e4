"""Branches: attractors at neighbouring betas, linked one to one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from clam_core.levels import Landscape, Rows, census

_FARTHEST = 0.5
"""A link that moves by more than this share of the memories' reach is none."""


@dataclass(frozen=True)
class Branch:
    """One attractor, followed along beta until it merges with another or vanishes.

    Attributes
    ----------
    betas : ndarray of shape (b,)
        Rising: neighbours on the tree's grid, and where the branch begins or ends between two of
        them also the last beta at which it was seen, next to the critical one.
    positions : ndarray of shape (b, d)
        The attractor at each beta.
    labels : ndarray of int, shape (b,)
        The memory nearest to it, counted from 0.
    """

    betas: NDArray[np.float64]
    positions: NDArray[np.float64]
    labels: NDArray[np.int64]


def branches(
    found: Rows, grid: Tensor, land: Landscape, frame: Tensor, origin: Tensor
) -> tuple[Branch, ...]:
    """Branches of attractors at the betas of a grid and some between them.

    Parameters
    ----------
    found : Rows
        By rising beta.
    grid : Tensor of shape (m,)
        The betas that a branch keeps in its course; of the others it keeps its own ends.
    land : Landscape
    frame : Tensor of shape (d, r)
        Basis that the rows are written in.
    origin : Tensor of shape (d,)
        Where their 0 is.

    Returns
    -------
    tuple of Branch
        Ordered by first beta, then by label.
    """
    number = _branch_numbers(found, land)
    order = np.argsort(number, kind="stable")
    betas = found.beta[:, 0].numpy()
    positions = (found.v @ frame.T + origin).numpy()
    labels = torch.cdist(found.v, land.points).argmin(1).numpy()
    on_grid = np.isin(betas, grid.numpy())
    made = []
    for rows in np.split(order, np.flatnonzero(np.diff(number[order])) + 1):
        kept = on_grid[rows]
        kept[[0, -1]] = True
        rows = rows[kept]
        made.append(Branch(betas[rows], positions[rows], labels[rows]))
    return tuple(sorted(made, key=lambda branch: (branch.betas[0], branch.labels[0])))


def _branch_numbers(found: Rows, land: Landscape) -> NDArray[np.int64]:
    """Number of the branch of each row: that of its partner at the beta before, or a new one."""
    following = _partners(found, land)
    number = np.full(len(found), -1)
    n_branches = 0
    for row in range(len(found)):
        if number[row] < 0:
            number[row] = n_branches
            n_branches += 1
        if following[row] >= 0:
            number[following[row]] = number[row]
    return number


def _partners(found: Rows, land: Landscape) -> NDArray[np.int64]:
    """Row at the next beta that continues each row, -1 where none does.

    Two rows are linked where each is the nearest to the other, and near enough.
    """
    _, counts = census(found)
    first = counts.cumsum(0) - counts
    level = torch.arange(len(counts)).repeat_interleave(counts)
    place = torch.arange(len(found)) - first[level]
    padded = found.v.new_full((len(counts), int(counts.max()), found.v.shape[1]), torch.inf)
    padded[level, place] = found.v
    distances = torch.cdist(padded[:-1], padded[1:])
    distances = distances.nan_to_num(nan=torch.inf)
    there, back = distances.min(2), distances.argmin(1)
    mutual = back.gather(1, there.indices) == torch.arange(padded.shape[1])
    linked = mutual & (there.values <= _FARTHEST * land.reach)
    following = torch.where(linked, first[1:, None] + there.indices, -1)
    last = torch.full((1, padded.shape[1]), -1)
    return torch.cat([following, last])[level, place].numpy()
