"""The steps of recall compiled for the CPU: a query in each lane, nothing dispatched.

16 queries (8 in float64) go through all T steps while their state stays in registers and the
nearest cache. :func:`squared` serves :mod:`clam_core.kspace`, the walks :mod:`clam_core.walk`.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import torch
from numba import njit
from torch import Tensor

from clam_core.lanes import exp_of_negative, larger, load, root, spread, store
from clam_core.recursion import Rule, Slopes

_jit = njit(
    cache=True, nogil=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz", "arcp"}
)


def squared(
    rule: Rule, constant: Tensor, inner: Tensor, inner_hidden: Tensor, start: Tensor, gram: Tensor
) -> Slopes:
    """See :func:`clam_core.recursion.squared`; there and back in one pass, 16 rows at a time."""
    r, k, b = inner.shape
    all_over, over_hidden = _in_lanes(inner), _in_lanes(inner_hidden)
    starts = _in_lanes(start.expand_as(inner))
    width = starts.shape[3]
    weights, by_start, by_bias = (np.empty_like(starts) for _ in range(3))
    grams = np.zeros((r, k, k, width), starts.dtype)
    loss = np.zeros((r, 1, width), starts.dtype)
    path = np.empty(((rule.n_steps + 5) * k, 1, width), starts.dtype)
    valid = (np.arange(starts.shape[2] * width) < b).astype(starts.dtype)
    numbers, shares = _constants(rule, starts.dtype)
    _squared(
        numbers, shares, constant.numpy(), all_over, over_hidden, starts, gram.numpy(),
        valid.reshape(-1, 1, width), path, loss, weights, by_start, by_bias, grams,
    )  # fmt: skip
    return Slopes(
        torch.from_numpy(loss.sum((1, 2))),
        _from_lanes(weights, b),
        _from_lanes(by_start, b),
        _from_lanes(by_bias, b),
        torch.from_numpy(grams.sum(3)),
    )


def walk_directly(
    v: Tensor, bias: Tensor, keys: Tensor, gain: float, n_steps: int, step: float, *, flat: bool
) -> Tensor:
    """Step ``v`` (d, m) in the space of the data; see :mod:`clam_core.walk`."""
    lanes = _in_lanes(v[None].clone(memory_format=torch.contiguous_format))[0]
    biases = _in_lanes(bias[None])[0]
    if bias.shape[1] == 1:
        biases[:] = bias.numpy()[:, :, None]
    scratch = np.empty((len(keys), 1, lanes.shape[2]), lanes.dtype)
    numbers = np.array([gain, step], lanes.dtype)
    _walk_directly(numbers, n_steps, flat, lanes, biases, keys.contiguous().numpy(), scratch)
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


@lru_cache(maxsize=64)
def _constants(rule: Rule, dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """Gain and step size, and the share of each step, as the kernels take them."""
    return np.array([rule.gain, rule.step_size], dtype), np.array(rule.shares, dtype)


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
def _softmax(gain, u, at, bias, bias_at, p, first):
    """Write softmax(bias + gain u) of one block to rows first.. of p."""
    peak = load(bias, 0, bias_at) + load(u, 0, at) * gain
    store(p, first, 0, peak)
    for m in range(1, u.shape[0]):
        logit = load(bias, m, bias_at) + load(u, m, at) * gain
        store(p, first + m, 0, logit)
        peak = larger(peak, logit)
    _normalise(p, first, u.shape[0], peak)


@_jit
def _walk_directly(numbers, n_steps, flat, v, bias, keys, p):
    gain, a = numbers
    k, d = keys.shape
    for block in range(v.shape[1]):
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
            _softmax(gain, u, block, bias, bias_at, p, 0)
            for m in range(k):
                pull = _product(gram, p, 0, m)
                before, held = load(u, m, block), load(weights, m, block)
                store(u, m, block, before + (pull - before) * a)
                store(weights, m, block, held + (load(p, m, 0) - held) * a)


@_jit
def _product(matrix, vector, first, m):
    """Row m of matrix times the lanes vector[first:]."""
    total = spread(vector, 0.0)
    for q in range(len(matrix)):
        total += load(vector, first + q, 0) * matrix[m, q]
    return total


@_jit
def _squared(
    numbers, shares, constant, inner, inner_hidden, start, gram, valid, path, loss, weights,
    start_slope, bias_slope, gram_slope,
):  # fmt: skip
    k = gram.shape[1]
    bias, u = path[:k], path[k : 2 * k]
    w, slope, back = path[2 * k : 3 * k], path[3 * k : 4 * k], path[4 * k : 5 * k]
    p = path[5 * k :]
    for r in range(len(gram)):
        for block in range(start.shape[2]):
            for m in range(k):
                visible = load(inner[r], m, block) - load(inner_hidden[r], m, block)
                store(bias, m, 0, visible * numbers[0] + spread(u, constant[r, m]))
                store(u, m, 0, load(start[r], m, block))
                store(w, m, 0, spread(w, 0.0))
            _there(numbers, shares, gram[r], bias, u, w, p)
            real = load(valid, block, 0)
            left = 1.0
            for _ in range(len(shares)):
                left *= 1 - numbers[1]
            for m in range(k):
                store(w, m, 0, load(w, m, 0) * real)
            for m in range(k):
                share, own = load(w, m, 0), _product(gram[r], w, 0, m)
                offset = load(start[r], m, block) * left - load(inner_hidden[r], m, block)
                grown = load(loss, r, 0) + share * (offset * 2.0 + own)
                store(loss, r, 0, grown)
                store(slope, m, 0, (offset + own) * real * 2.0)
                store(weights[r], m, block, share)
                store(u, m, 0, spread(u, 0.0))
                store(bias, m, 0, spread(u, 0.0))
                for q in range(k):
                    store(gram_slope[r], m, q, load(gram_slope[r], m, q) + share * load(w, q, 0))
            _back(numbers, shares, gram[r], p, slope, u, bias, back, gram_slope[r])
            for m in range(k):
                store(start_slope[r], m, block, load(u, m, 0))
                store(bias_slope[r], m, block, load(bias, m, 0))


@_jit
def _there(numbers, shares, gram, bias, u, w, p):
    """All steps of one block; p keeps every softmax."""
    gain, a = numbers
    k = len(gram)
    for t in range(len(shares)):
        first = t * k
        _softmax(gain, u, 0, bias, 0, p, first)
        for m in range(k):
            store(w, m, 0, load(w, m, 0) + load(p, first + m, 0) * shares[t])
            pull = _product(gram, p, first, m)
            store(u, m, 0, load(u, m, 0) * (1 - a) + pull * a)


@_jit
def _back(numbers, shares, gram, p, slope, u, bias, back, gram_slope):
    """Add the derivatives by u^0 to u, by the bias to bias, and by K to gram_slope."""
    gain, a = numbers
    k = len(gram)
    for t in range(len(shares) - 1, -1, -1):
        first = t * k
        inner = spread(u, 0.0)
        for m in range(k):
            p_slope = load(slope, m, 0) * shares[t] + _product(gram, u, 0, m) * a
            store(back, m, 0, p_slope)
            inner += p_slope * load(p, first + m, 0)
        for m in range(k):
            before = load(u, m, 0)
            scaled = before * a
            for q in range(k):
                grown = load(gram_slope, m, q) + scaled * load(p, first + q, 0)
                store(gram_slope, m, q, grown)
            logit = load(p, first + m, 0) * (load(back, m, 0) - inner)
            store(bias, m, 0, load(bias, m, 0) + logit)
            store(u, m, 0, before * (1 - a) + logit * gain)
