"""The recursion of k-space and its way back, in torch operations: any device, any dtype.

State: inner products ``u`` (r, k, b) of b queries with the memories over the hidden coordinates,

    p^t = softmax(bias + gain u^t),    u^{t+1} = (1 - a) u^t + a K p^t,    w = sum_t c_t p^t,

with K (r, k, k) the hidden Gram matrix and c_t = a (1 - a)^(T - 1 - t).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Rule:
    """Numbers of the recursion that stay the same throughout a training."""

    gain: float | Tensor  # one for all restarts, or (r, 1, 1)
    step_size: float
    n_steps: int

    @property
    def shares(self) -> list[float]:
        """c_t, the weight of each step's softmax in the endpoint."""
        a = self.step_size
        return [a * (1 - a) ** (self.n_steps - 1 - t) for t in range(self.n_steps)]

    def add_scaled(self, left: Tensor, right: Tensor, out: Tensor) -> Tensor:
        """Write ``left + gain right`` to ``out`` and return it."""
        if isinstance(self.gain, Tensor):
            return torch.addcmul(left, right, self.gain, out=out)
        return torch.add(left, right, alpha=self.gain, out=out)


class Slopes(NamedTuple):
    """Loss of one batch in k-space and its derivatives.

    Attributes
    ----------
    loss : Tensor of shape (r,)
    weights : Tensor of shape (r, k, b)
        w, of each memory in the endpoint.
    start, bias : Tensor of shape (r, k, b)
        Derivatives by the starting inner products and by the logits' bias.
    gram : Tensor of shape (r, k, k)
        Derivative by K, not symmetrised.
    """

    loss: Tensor
    weights: Tensor
    start: Tensor
    bias: Tensor
    gram: Tensor


def squared(
    rule: Rule, constant: Tensor, inner: Tensor, inner_hidden: Tensor, start: Tensor, gram: Tensor
) -> Slopes:
    """Squared loss, less the part that no memory changes: ``2 w.R (alpha x^0 - x) + w'K w``.

    Parameters as in :func:`forward`; sums run over the rows and the hidden coordinates.
    """
    weights, softmaxes = forward(rule, constant, inner, inner_hidden, start, gram)
    left = (1 - rule.step_size) ** rule.n_steps
    own = gram @ weights
    pulled = left * start - inner_hidden + own
    loss = (weights * (2 * pulled - own)).sum((1, 2))
    slopes = backward(rule, softmaxes, gram, 2 * pulled)
    return Slopes(loss, weights, *slopes[:2], slopes[2] + weights @ weights.mT)


def forward(
    rule: Rule, constant: Tensor, inner: Tensor, inner_hidden: Tensor, start: Tensor, gram: Tensor
) -> tuple[Tensor, Tensor]:
    """Run T steps.

    Parameters
    ----------
    rule : Rule
    constant : Tensor of shape (r, k)
        ``log eps - beta ||rho||^2``.
    inner, inner_hidden : Tensor of shape (r, k, b)
        Inner products of the rows with the memories, over all and over the hidden coordinates:
        their difference, times the gain, joins the bias.
    start : Tensor of shape (r, k, b) or (r, k, 1)
        u^0, those of the starting points over the hidden coordinates.
    gram : Tensor of shape (r, k, k)
        K.

    Returns
    -------
    weights : Tensor of shape (r, k, b)
        w, of each memory in the endpoint.
    softmaxes : Tensor of shape (T, r, k, b)
        For :func:`backward` only.
    """
    bias = constant.unsqueeze(2) + rule.gain * (inner - inner_hidden)
    u, logits, weights = start.expand_as(inner).clone(), inner.clone(), torch.zeros_like(inner)
    softmaxes = inner.new_empty(rule.n_steps, *inner.shape)
    for p, share in zip(softmaxes, rule.shares, strict=True):
        rule.add_scaled(bias, u, out=logits)
        torch.softmax(logits, 1, out=p)
        u.baddbmm_(gram, p, beta=1 - rule.step_size, alpha=rule.step_size)
        weights.add_(p, alpha=share)
    return weights, softmaxes


def backward(
    rule: Rule, softmaxes: Tensor, gram: Tensor, weights_slope: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Carry the derivative by w back to the start.

    Parameters
    ----------
    rule : Rule
    softmaxes : Tensor
        As :func:`forward` gave them.
    gram : Tensor of shape (r, k, k)
    weights_slope : Tensor of shape (r, k, b)

    Returns
    -------
    start_slope, bias_slope : Tensor of shape (r, k, b)
    gram_slope : Tensor of shape (r, k, k)
        Not symmetrised.
    """
    a = rule.step_size
    slopes = torch.empty_like(softmaxes)  # of u after each step
    bias_slope = torch.zeros_like(weights_slope)
    u_slope = torch.zeros_like(weights_slope)
    for t in range(rule.n_steps - 1, -1, -1):
        slopes[t] = u_slope
        p = softmaxes[t]
        p_slope = torch.baddbmm(weights_slope, gram, u_slope, beta=rule.shares[t], alpha=a)
        logit_slope = p * (p_slope - (p * p_slope).sum(1, keepdim=True))
        bias_slope += logit_slope
        u_slope = rule.add_scaled(u_slope.mul_(1 - a), logit_slope, out=u_slope)
    k, b = weights_slope.shape[1:]
    products = torch.bmm(slopes.view(-1, k, b), softmaxes.view(-1, k, b).mT)
    return u_slope, bias_slope, a * products.view(rule.n_steps, -1, k, k).sum(0)
