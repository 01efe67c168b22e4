"""The steps of recall compiled for the CPU: a query in each lane, nothing dispatched.

16 queries (8 in float64) go through all T steps while their state stays in registers and the
nearest cache. The walks serve :mod:`clam_core.walk`, the rest :mod:`clam_core.batch_kernel`.
"""

from __future__ import annotations

import numpy as np
import torch
from numba import njit
from torch import Tensor

from clam_core.lanes import exp_of_negative, larger, load, root, spread, store

_jit = njit(
    cache=True, nogil=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz", "arcp"}
)


def walk_directly(
    v: Tensor,
    bias: Tensor,
    keys: Tensor,
    gain: float | Tensor,
    n_steps: int,
    step: float,
    *,
    flat: bool,
) -> Tensor:
    """Step ``v`` (d, m) in the space of the data; see :mod:`clam_core.walk`.

    ``bias`` is (k, 1) or (k, m), ``gain`` one number or (m,): each query may have its own beta.
    """
    lanes = _in_lanes(v[None].clone(memory_format=torch.contiguous_format))[0]
    biases = _in_lanes(bias[None])[0]
    if bias.shape[1] == 1:
        biases[:] = bias.numpy()[:, :, None]
    gains = _in_lanes(torch.as_tensor(gain, dtype=v.dtype).expand(1, 1, v.shape[1]))[0]
    scratch = np.empty((len(keys), 1, lanes.shape[2]), lanes.dtype)
    pace = lanes.dtype.type(step)
    _walk_directly(gains, pace, n_steps, flat, lanes, biases, keys.contiguous().numpy(), scratch)
    return _from_lanes(lanes[None], v.shape[1])[0]


def walk_in_k_space(
    inner: Tensor, bias: Tensor, gram: Tensor, gain: float, n_steps: int, step: float
) -> tuple[Tensor, Tensor]:
    """Step inner products (k, m) and the weights of the memories from 0."""
    lanes = _in_lanes(inner[None].clone(memory_format=torch.contiguous_format))[0]
    biases = _in_lanes(bias[None])[0]
    if bias.shape[1] == 1:
        biases[:] = bias.numpy()[:, :, None]
    weights = np.zeros_like(lanes)
    scratch = np.empty((len(inner), 1, lanes.shape[2]), lanes.dtype)
    numbers = np.array([gain, step], lanes.dtype)
    _walk_in_k_space(numbers, n_steps, lanes, biases, gram.contiguous().numpy(), weights, scratch)
    m = inner.shape[1]
    return _from_lanes(lanes[None], m)[0], _from_lanes(weights[None], m)[0]


def _in_lanes(values: Tensor) -> np.ndarray:
    """(r, k, b) as (r, k, blocks, WIDTH), padded with zeros; not a copy where none is needed."""
    r, k, b = values.shape
    width = 64 // values.element_size()
    blocks = -(-b // width)
    if b % width == 0:
        return values.contiguous().view(r, k, blocks, width).numpy()
    padded = values.new_zeros(r, k, blocks * width)
    padded[:, :, :b] = values
    return padded.view(r, k, blocks, width).numpy()


def _from_lanes(values: np.ndarray, b: int) -> Tensor:
    r, k, blocks, width = values.shape
    return torch.from_numpy(values.reshape(r, k, blocks * width))[:, :, :b]


@_jit
def _normalise(p, first, k, peak):
    """Turn the k logits in rows first.. of p into their softmax."""
    total = spread(p, 0.0)
    for m in range(first, first + k):
        share = exp_of_negative(load(p, m, 0) - peak)
        store(p, m, 0, share)
        total += share
    inverse = spread(p, 1.0) / total
    for m in range(first, first + k):
        store(p, m, 0, load(p, m, 0) * inverse)


@_jit
def softmax(gain, u, at, bias, bias_at, p, first):
    """Write softmax(bias + gain u) of one block to rows first.. of p."""
    peak = load(bias, 0, bias_at) + load(u, 0, at) * gain
    store(p, first, 0, peak)
    for m in range(1, u.shape[0]):
        logit = load(bias, m, bias_at) + load(u, m, at) * gain
        store(p, first + m, 0, logit)
        peak = larger(peak, logit)
    _normalise(p, first, u.shape[0], peak)


@_jit
def _walk_directly(gains, a, n_steps, flat, v, bias, keys, p):
    k, d = keys.shape
    for block in range(v.shape[1]):
        gain = load(gains, 0, block)
        bias_at = block if bias.shape[1] > 1 else 0
        for _ in range(n_steps):
            peak = spread(v, -np.inf)
            for m in range(k):
                inner = spread(v, 0.0)
                for j in range(d):
                    inner += load(v, j, block) * keys[m, j]
                logit = load(bias, m, bias_at) + inner * gain
                store(p, m, 0, logit)
                peak = larger(peak, logit)
            _normalise(p, 0, k, peak)
            length = spread(v, 0.0)
            for j in range(d):
                pull = spread(v, 0.0)
                for m in range(k):
                    pull += load(p, m, 0) * keys[m, j]
                before = load(v, j, block)
                after = before + (pull - before) * a if flat else before + pull * a
                store(v, j, block, after)
                length += after * after
            if not flat:
                inverse = spread(v, 1.0) / larger(root(length), spread(v, 1e-30))
                for j in range(d):
                    store(v, j, block, load(v, j, block) * inverse)


@_jit
def _walk_in_k_space(numbers, n_steps, u, bias, gram, weights, p):
    gain, a = numbers
    k = u.shape[0]
    for block in range(u.shape[1]):
        bias_at = block if bias.shape[1] > 1 else 0
        for _ in range(n_steps):
            softmax(gain, u, block, bias, bias_at, p, 0)
            for m in range(k):
                pull = product(gram, p, 0, m)
                before, held = load(u, m, block), load(weights, m, block)
                store(u, m, block, before + (pull - before) * a)
                store(weights, m, block, held + (load(p, m, 0) - held) * a)


@_jit
def product(matrix, vector, first, m):
    """Row m of matrix times the lanes vector[first:]."""
    total = spread(vector, 0.0)
    for q in range(len(matrix)):
        total += load(vector, first + q, 0) * matrix[m, q]
    return total
