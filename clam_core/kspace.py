"""Training in k-space: two large matrix products a batch, small work between, no graph kept."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from clam_core import recursion
from clam_core.engines import Batch, Gradient, TorchEngine

_FEW = 64
"""Memories up to which compiled loops beat matrix products of a library on the CPU."""


@dataclass(frozen=True)
class _Products:
    """Inner products of one batch, queries last, so that every reduction runs over memories."""

    hidden: Tensor  # (r, k, h) hidden coordinates of the memories
    x: Tensor  # (b, h) what the hidden coordinates should become
    start: Tensor  # (h,) or (b, h) where they start
    constant: Tensor  # (r, k) log eps - beta |rho|^2
    inner: Tensor  # (r, k, b) <rho, x>, over all coordinates
    inner_hidden: Tensor  # (r, k, b)
    inner_start: Tensor  # (r, k, 1 or b)
    gram: Tensor  # (r, k, k) K


class KSpaceEngine(TorchEngine):
    """Euclidean and weighted energies without gaps, with a gradient written by hand.

    With a = step_size, the inner products ``u = <rho, v>`` over the hidden coordinates obey
    ``u <- (1 - a) u + a K softmax(bias + 2 beta u)``, K the hidden Gram matrix; the endpoint is
    ``(1 - a)^T x^0 + sum_mu w_mu rho_mu`` with ``w = sum_t a (1 - a)^(T-1-t) p^t``. Cost of a
    batch of b rows: O(b d k + b T k^2) for each restart. See docs/maths.md for the way back.
    """

    def __init__(self, *args, **settings) -> None:
        super().__init__(*args, **settings)
        self._rule = recursion.Rule(2 * self.beta, self.step_size, self.n_steps)
        self._left = (1 - self.step_size) ** self.n_steps
        self._fused = None
        few = self._memories.shape[1] <= _FEW
        if self._memories.device.type == "cpu" and few and not self.absolute:
            from clam_core.batch_kernel import FusedGradient  # imported only where it serves

            self._fused = FusedGradient(self._rule, self._memories)

    def loss(self, batch: Batch) -> tuple[Tensor, int]:
        """Loss of one batch, summed, (r,), and the number of coordinates that it sums."""
        found = self.gradient(batch)
        return found.loss, found.n_scored

    @torch.inference_mode()
    def gradient(self, batch: Batch) -> Gradient:
        """Loss and gradient of one batch at the memories as they stand."""
        if self._fused is not None:
            return self._fused(self._memories, self._log_weights, batch)
        f = self._products(batch)
        offset = self._left * f.start - f.x
        if self.absolute:
            found, slope = self._absolute(f, offset)
        else:
            found = recursion.squared(
                self._rule, f.constant, f.inner, f.inner_hidden, f.inner_start, f.gram
            )
            flat = offset.reshape(-1)
            found = found._replace(loss=(found.loss + flat.dot(flat)).clamp_min(0))
            slope = _onto(found.weights, -2 * f.x)
            found = found._replace(start=found.start + 2 * self._left * found.weights)
        slope = slope + _onto(found.start, f.start) + (found.gram + found.gram.mT) @ f.hidden
        gain, bias = self._rule.gain, found.bias.sum(2)
        if batch.columns is not None:
            whole = _onto(gain * found.bias, batch.x)
            slope = whole.index_copy_(2, batch.columns, slope)
        slope = slope.sub_(gain * bias.unsqueeze(2) * self._memories)
        return Gradient(found.loss, f.x.numel(), slope, bias)

    def _products(self, batch: Batch) -> _Products:
        memories, x = self._memories, batch.x
        r, k, d = memories.shape
        inner = (memories.view(r * k, d) @ x.T).view(r, k, len(x))
        squares = (memories * memories).sum(2, keepdim=True)
        constant = self._log_weights - (self.beta * squares).squeeze(2)
        hidden, inner_hidden = memories, inner
        if batch.columns is not None:
            hidden = memories.index_select(2, batch.columns)
            x = x.index_select(1, batch.columns)
            inner_hidden = (hidden.view(r * k, -1) @ x.T).view(r, k, len(x))
        start, inner_start = x, inner_hidden
        if batch.start is not None:
            start = batch.start if batch.columns is None else batch.start[..., batch.columns]
            inner_start = (hidden @ start.reshape(-1, start.shape[-1]).T).view(r, k, -1)
        gram = hidden @ hidden.mT
        return _Products(hidden, x, start, constant, inner, inner_hidden, inner_start, gram)

    def _absolute(self, f: _Products, offset: Tensor) -> tuple[recursion.Slopes, Tensor]:
        """Absolute loss and its slopes; it needs the residuals themselves, (r, b, h)."""
        weights, softmaxes = recursion.forward(
            self._rule, f.constant, f.inner, f.inner_hidden, f.inner_start, f.gram
        )
        residuals = torch.baddbmm(offset.expand(len(weights), -1, -1), weights.mT, f.hidden)
        signs = residuals.sign()
        slopes = recursion.backward(self._rule, softmaxes, f.gram, f.hidden @ signs.mT)
        loss = residuals.abs().sum((1, 2))
        return recursion.Slopes(loss, weights, *slopes), weights @ signs


def _onto(coefficients: Tensor, rows: Tensor) -> Tensor:
    """``coefficients (r, k, b) @ rows``; one row alone stands for all."""
    if rows.ndim == 1:
        return coefficients.sum(2, keepdim=True) * rows
    r, k, b = coefficients.shape
    return (coefficients.reshape(r * k, b) @ rows).view(r, k, -1)
