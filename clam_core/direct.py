"""Training by automatic differentiation, in the space of the data.

It serves what k-space does not: rows with gaps (each has its own hidden set) and the sphere. For
everything else it is the plain reading of the equations, to which tests hold the quick engines.
"""

from __future__ import annotations

import torch
from torch import Tensor

from clam_core.energy import Energy, Euclidean, Weighted
from clam_core.engines import Batch, Gradient, TorchEngine


class DirectEngine(TorchEngine):
    """Any energy, any hidden set per row; the graph is kept for T steps.

    Parameters
    ----------
    energy : Energy, optional
        Energy to train under; None for Euclidean, or Weighted where log weights differ from 0.
    """

    def __init__(self, *args, energy: Energy | None = None, **settings) -> None:
        super().__init__(*args, **settings)
        self.energy = energy

    def loss(self, batch: Batch) -> tuple[Tensor, int]:
        """Loss of one batch, summed, (r,), and the number of coordinates that it sums."""
        with torch.no_grad():
            return self._loss(batch, self._memories, self._log_weights)

    def gradient(self, batch: Batch) -> Gradient:
        """Loss and gradient of one batch at the memories as they stand."""
        memories = self._memories.detach().requires_grad_()
        log_weights = self._log_weights.detach().requires_grad_()
        with torch.enable_grad():
            loss, n_scored = self._loss(batch, memories, log_weights)
            slopes = torch.autograd.grad(
                loss.sum(), (memories, log_weights), allow_unused=True, materialize_grads=True
            )
        return Gradient(loss.detach(), n_scored, *slopes)

    def _loss(self, batch: Batch, memories: Tensor, log_weights: Tensor) -> tuple[Tensor, int]:
        energy = self.energy or (
            Weighted(log_weights) if self._learns or log_weights.any() else Euclidean()
        )
        scored = torch.zeros_like(batch.x, dtype=torch.bool)
        scored[:, slice(None) if batch.columns is None else batch.columns] = True
        hidden = scored
        if batch.missing is not None:
            hidden, scored = scored | batch.missing, scored & ~batch.missing
        v = batch.x if batch.start is None else torch.where(hidden, batch.start, batch.x)
        v = energy.project(v, hidden).expand(len(memories), -1, -1)
        for _ in range(self.n_steps):
            moved = v + self.step_size * energy.velocity(v, memories, self.beta)
            v = energy.project(torch.where(hidden, moved, v), hidden)
        residuals = (v - batch.x) * scored
        loss = residuals.abs() if self.absolute else residuals.square()
        return loss.sum((1, 2)), int(scored.sum())
