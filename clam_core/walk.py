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
        _, weights = walk_in_k_space(field.keys @ start.T, bias, field, n_steps, step)
        return torch.addmm(start, weights.T, field.keys, beta=(1 - step) ** n_steps)
    return walk_directly(start.T, bias, field, n_steps, step).T


def _compiled(x: Tensor) -> bool:
    """Whether compiled code serves this tensor."""
    return x.device.type == "cpu"


def walk_directly(v: Tensor, bias: Tensor, field: Field, n_steps: int, step: float) -> Tensor:
    """Points ``v`` (d, m) after T steps."""
    keys, gain, flat = field.keys, field.gain, field.energy.flat
    if _compiled(v):
        from clam_core import fused  # compiled code is imported only where it serves

        return fused.walk_directly(v, bias, keys, gain, n_steps, step, flat=flat)
    v = v.clone(memory_format=torch.contiguous_format)
    for _ in range(n_steps):
        pull = keys.T @ torch.softmax(torch.addmm(bias, keys, v, alpha=gain), 0)
        v = v.lerp_(pull, step) if flat else field.energy.project((v + step * pull).T).T
    return v


def walk_in_k_space(
    inner: Tensor, bias: Tensor, field: Field, n_steps: int, step: float
) -> tuple[Tensor, Tensor]:
    """Inner products (k, m) after T steps from ``inner``, and each memory's weight (k, m)."""
    gram = field.keys @ field.keys.T
    if _compiled(inner):
        from clam_core import fused

        return fused.walk_in_k_space(inner, bias, gram, field.gain, n_steps, step)
    inner, weights = inner.clone(), torch.zeros_like(inner)
    for _ in range(n_steps):
        shares = torch.softmax(torch.add(bias, inner, alpha=field.gain), 0)
        inner.lerp_(gram @ shares, step)
        weights.lerp_(shares, step)
    return inner, weights


def run_to_rest(start: Tensor, field: Field, max_steps: int = 2000, between: int = 8) -> Tensor:
    """Full steps from ``start`` (m, d); rows that no longer move leave the loop."""
    v = start.clone()
    active = torch.arange(len(v), device=v.device)
    tolerance = 1e-5 * float(spread(field.keys))
    for _ in range(max_steps // between):
        before = walk_directly(v[active].T, field.bias, field, between - 1, 1.0)
        after = walk_directly(before, field.bias, field, 1, 1.0)
        v[active] = after.T
        active = active[(after - before).abs().amax(0) > tolerance]
        if not len(active):
            break
    return v
