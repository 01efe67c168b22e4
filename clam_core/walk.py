"""The steps of recall, memories first and queries contiguous: (k, m) and (d, m)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from clam_core.energy import Energy


@dataclass(frozen=True)
class Field:
    """Memories as the steps need them: centred, memories first."""

    keys: Tensor  # (k, d)
    squares: Tensor  # (k, 1)
    bias: Tensor  # (k, 1)
    gain: float
    energy: Energy

    @staticmethod
    def around(memories: Tensor, energy: Energy, beta: float) -> Field:
        """Field of centred memories (k, d)."""
        keys = energy.keys(memories)
        squares = keys.square().sum(1, keepdim=True)
        bias = energy.bias(keys, beta).unsqueeze(1)
        return Field(keys, squares, bias, energy.gain(beta), energy)

    @property
    def in_k_space(self) -> bool:
        """Whether inner products are the smaller state, and the space allows them."""
        return self.energy.flat and self.keys.shape[1] > self.keys.shape[0]


def origin_of(memories: Tensor, energy: Energy) -> Tensor:
    """Where to centre: any point will do in R^d, none but 0 on the sphere."""
    return memories.mean(0) if energy.flat else memories.new_zeros(memories.shape[1])


def spread(keys: Tensor) -> Tensor:
    """Largest distance of a key from their mean; of one key alone its own length."""
    centred = keys - keys.mean(0) if len(keys) > 1 else keys
    return torch.linalg.vector_norm(centred, dim=1).max().clamp_min(torch.finfo(keys.dtype).tiny)


def nearest_key(inner: Tensor, squares: Tensor) -> Tensor:
    """Index of the nearest key by inner products (k, m) and squared lengths (k, 1), shape (m,)."""
    return (2 * inner - squares).max(0).indices  # argmax alone is ten times slower here


def walk(start: Tensor, field: Field, n_steps: int, step: float, hidden: Tensor | None) -> Tensor:
    """One chunk of queries (m, d), centred, run for T steps; returns (m, d)."""
    bias = field.bias
    if hidden is not None:  # visible coordinates shift the logits for good; the rest is the space
        bias = bias + field.gain * (field.keys[:, ~hidden] @ start[:, ~hidden].T)
        keys = field.keys[:, hidden]
        inside = Field(keys, field.squares, bias, field.gain, field.energy)
        endpoint = start.clone()
        endpoint[:, hidden] = walk(start[:, hidden], inside, n_steps, step, None)
        return endpoint
    if field.in_k_space:
        weights = start.new_zeros(len(field.keys), len(start))
        walk_in_k_space(field.keys @ start.T, bias, field, n_steps, step, weights)
        return torch.addmm(start, weights.T, field.keys, beta=(1 - step) ** n_steps)
    v = start.T.contiguous()
    _walk_directly(v, bias, field, n_steps, step)
    return v.T


def _walk_directly(v: Tensor, bias: Tensor, field: Field, n_steps: int, step: float) -> None:
    """Step ``v`` (d, m) in place."""
    logits = v.new_empty(len(field.keys), v.shape[1])
    shares, pull = torch.empty_like(logits), torch.empty_like(v)
    keys_t = field.keys.T.contiguous()
    for _ in range(n_steps):
        torch.addmm(bias, field.keys, v, alpha=field.gain, out=logits)
        torch.softmax(logits, 0, out=shares)
        torch.mm(keys_t, shares, out=pull)
        if field.energy.flat:
            v.lerp_(pull, step)
        else:
            v.add_(pull, alpha=step)
            v.copy_(field.energy.project(v.T).T)


def walk_in_k_space(
    inner: Tensor, bias: Tensor, field: Field, n_steps: int, step: float, weights: Tensor | None
) -> None:
    """Step the inner products ``inner`` (k, m) in place, and the weights of the memories."""
    gram = field.keys @ field.keys.T
    logits, shares, pulled = (torch.empty_like(inner) for _ in range(3))
    for _ in range(n_steps):
        torch.add(bias, inner, alpha=field.gain, out=logits)
        torch.softmax(logits, 0, out=shares)
        torch.mm(gram, shares, out=pulled)
        inner.lerp_(pulled, step)
        if weights is not None:
            weights.lerp_(shares, step)


def run_to_rest(start: Tensor, field: Field, max_steps: int = 2000, between: int = 8) -> Tensor:
    """Full steps from ``start`` (m, d); rows that no longer move leave the loop."""
    v = start.clone()
    active = torch.arange(len(v), device=v.device)
    tolerance = 1e-5 * float(spread(field.keys))
    for _ in range(max_steps // between):
        before = v[active].T.contiguous()
        for _ in range(between):
            logits = torch.addmm(field.bias, field.keys, before, alpha=field.gain)
            after = field.keys.T @ torch.softmax(logits, 0)
            moved, before = before, field.energy.project(after.T).T
        v[active] = before.T
        active = active[(before - moved).abs().amax(0) > tolerance]
        if not len(active):
            break
    return v
