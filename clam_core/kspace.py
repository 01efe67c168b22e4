"""Training in k-space: two large matrix products a batch, small work between, no graph kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from clam_core import recursion
from clam_core.engines import Batch, Gradient, TorchEngine


@dataclass(frozen=True)
class _Forward:
    """All that the way back needs; queries last, so that every reduction runs over memories."""

    hidden: Tensor  # (r, k, h) hidden coordinates of the memories
    x: Tensor  # (b, h) what the hidden coordinates should become
    start: Tensor  # (h,) or (b, h) where they start
    start_inner: Tensor  # (r, k, 1 or b)
    gram: Tensor  # (r, k, k)
    softmaxes: Any  # as the recursion keeps them
    weights: Tensor  # (r, k, b) of each memory in the endpoint
    pulled: Tensor  # (r, k, b) <rho_h, endpoint - x>, hidden coordinates only


class KSpaceEngine(TorchEngine):
    """Euclidean and weighted energies without gaps, with a gradient written by hand.

    With a = step_size, the inner products ``u = <rho, v>`` over the hidden coordinates obey
    ``u <- (1 - a) u + a K softmax(bias + 2 beta u)``, K the hidden Gram matrix; the endpoint is
    ``(1 - a)^T x^0 + sum_mu w_mu rho_mu`` with ``w = sum_t a (1 - a)^(T-1-t) p^t``. Cost of a
    batch of b rows: O(b d k + b T k^2) for each restart. See docs/maths.md for the way back.
    """

    def __init__(self, *args, **settings) -> None:
        super().__init__(*args, **settings)
        self._recursion = recursion
        if self._memories.device.type == "cpu":
            from clam_core import fused  # compiled code is imported only where it serves

            self._recursion = fused
        self._rule = recursion.Rule(2 * self.beta, self.step_size, self.n_steps)

    def loss(self, batch: Batch) -> tuple[Tensor, int]:
        """Loss of one batch, summed, (r,), and the number of coordinates that it sums."""
        forward = self._forward(batch)
        return self._loss(forward)[0], forward.x.numel()

    def gradient(self, batch: Batch) -> Gradient:
        """Loss and gradient of one batch at the memories as they stand."""
        forward = self._forward(batch)
        loss, signs = self._loss(forward)
        weights_slope = 2 * forward.pulled if signs is None else forward.hidden @ signs.mT
        start_slope, bias_slope, gram_slope = self._recursion.backward(
            self._rule, forward.softmaxes, forward.gram, weights_slope
        )
        slope = self._to_memories(batch, forward, signs, start_slope, bias_slope, gram_slope)
        return Gradient(loss, forward.x.numel(), slope, bias_slope.sum(-1))

    def _forward(self, batch: Batch) -> _Forward:
        a, gain = self.step_size, 2 * self.beta
        memories, x = self._memories, batch.x
        r, k, d = memories.shape
        inner = (memories.view(r * k, d) @ x.T).view(r, k, len(x))
        bias = (self._log_weights - self.beta * memories.square().sum(2)).unsqueeze(2)
        hidden, inner_hidden = memories, inner
        if batch.columns is not None:
            hidden, x = memories[:, :, batch.columns], x[:, batch.columns]
            inner_hidden = (hidden.view(r * k, -1) @ x.T).view(r, k, len(x))
            bias = bias + gain * (inner - inner_hidden)
        start = x if batch.start is None else batch.start
        if batch.start is None:
            start_inner = inner_hidden
        else:
            start = start if batch.columns is None else start[..., batch.columns]
            start_inner = (hidden @ start.reshape(-1, start.shape[-1]).T).view(r, k, -1)
        gram = hidden @ hidden.mT
        weights, softmaxes = self._recursion.forward(
            self._rule, start_inner.expand_as(inner), bias, gram
        )
        pulled = torch.baddbmm((1 - a) ** self.n_steps * start_inner - inner_hidden, gram, weights)
        return _Forward(hidden, x, start, start_inner, gram, softmaxes, weights, pulled)

    def _loss(self, f: _Forward) -> tuple[Tensor, Tensor | None]:
        """Loss of each restart, and for the absolute loss the signs of the residuals (r, b, h)."""
        offset = (1 - self.step_size) ** self.n_steps * f.start - f.x
        if self.absolute:
            residuals = torch.baddbmm(offset.expand(len(f.weights), -1, -1), f.weights.mT, f.hidden)
            return residuals.abs().sum((1, 2)), residuals.sign()
        # |offset + R'w|^2 = |offset|^2 + 2 w.R offset + w'K w, and pulled = R offset + K w
        twice = 2 * f.pulled - f.gram @ f.weights
        loss = offset.square().sum() + (f.weights * twice).sum((1, 2))
        return loss.clamp_min(0), None

    def _to_memories(
        self,
        batch: Batch,
        f: _Forward,
        signs: Tensor | None,
        start_slope: Tensor,
        bias_slope: Tensor,
        gram_slope: Tensor,
    ) -> Tensor:
        """Gradient with respect to the memories, (r, k, d)."""
        gain, left = 2 * self.beta, (1 - self.step_size) ** self.n_steps
        r, k, d = self._memories.shape
        if signs is None:
            gram_slope = gram_slope + f.weights @ f.weights.mT
            slope = _onto(start_slope + 2 * left * f.weights, f.start) - _onto(2 * f.weights, f.x)
        else:
            slope = _onto(start_slope, f.start) + f.weights @ signs
        slope = slope + (gram_slope + gram_slope.mT) @ f.hidden
        pull_in = gain * bias_slope.sum(2, keepdim=True) * self._memories
        if batch.columns is None:
            return slope - pull_in
        whole = _onto(gain * bias_slope, batch.x)
        whole[:, :, batch.columns] = slope
        return whole - pull_in


def _onto(coefficients: Tensor, rows: Tensor) -> Tensor:
    """``coefficients (r, k, b) @ rows``; one row alone stands for all."""
    if rows.ndim == 1:
        return coefficients.sum(2, keepdim=True) * rows
    r, k, b = coefficients.shape
    return (coefficients.reshape(r * k, b) @ rows).view(r, k, -1)
