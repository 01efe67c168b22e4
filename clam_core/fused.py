"""The steps of recall compiled for the CPU: a query in each lane, nothing dispatched.

:func:`forward` and :func:`backward` are those of :mod:`clam_core.recursion`, :func:`walk_directly`
and :func:`walk_in_k_space` those of :mod:`clam_core.walk`, on CPU tensors. 16 queries (8 in
float64) go through all T steps while their state stays in registers and the nearest cache.
"""

from __future__ import annotations

import numpy as np
import torch
from numba import njit
from torch import Tensor

from clam_core.lanes import WIDTH, exp_of_negative, larger, load, root, spread, store
from clam_core.recursion import Rule

_jit = njit(
    cache=True, nogil=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz", "arcp"}
)


def forward(rule: Rule, start: Tensor, bias: Tensor, gram: Tensor) -> tuple[Tensor, np.ndarray]:
    """See :func:`clam_core.recursion.forward`; the softmaxes come back in lanes."""
    u = _in_lanes(start)
    r, k = start.shape[:2]
    path = np.empty((r, rule.n_steps * k, *u.shape[2:]), u.dtype)
    weights = np.zeros_like(u)
    shares = np.array(rule.shares, u.dtype)
    numbers = np.array([rule.gain, rule.step_size], u.dtype)
    _forward(numbers, shares, u, _in_lanes(bias.expand_as(start)), gram.numpy(), path, weights)
    return _from_lanes(weights, start.shape[2]), path


def backward(
    rule: Rule, softmaxes: np.ndarray, gram: Tensor, weights_slope: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """See :func:`clam_core.recursion.backward`."""
    slope = _in_lanes(weights_slope)
    r, k, b = weights_slope.shape
    width = slope.shape[3]
    start_slope, bias_slope = np.zeros_like(slope), np.zeros_like(slope)
    gram_slope = np.zeros((r, k, k, width), slope.dtype)
    shares = np.array(rule.shares, slope.dtype)
    numbers = np.array([rule.gain, rule.step_size], slope.dtype)
    scratch = np.empty((k, 1, width), slope.dtype)
    _backward(
        numbers, shares, softmaxes, gram.numpy(), slope, start_slope, bias_slope, gram_slope,
        scratch,
    )  # fmt: skip
    total = torch.from_numpy(gram_slope.sum(3)) * rule.step_size
    return _from_lanes(start_slope, b), _from_lanes(bias_slope, b), total


def walk_directly(
    v: Tensor, bias: Tensor, keys: Tensor, gain: float, n_steps: int, step: float, *, flat: bool
) -> Tensor:
    """Step ``v`` (d, m) in the space of the data; see :mod:`clam_core.walk`."""
    lanes, biases = _in_lanes(v[None])[0], _in_lanes(bias[None])[0]
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
    lanes, biases = _in_lanes(inner[None])[0], _in_lanes(bias[None])[0]
    if bias.shape[1] == 1:
        biases[:] = bias.numpy()[:, :, None]
    weights = np.zeros_like(lanes)
    scratch = np.empty((len(inner), 1, lanes.shape[2]), lanes.dtype)
    numbers = np.array([gain, step], lanes.dtype)
    _walk_in_k_space(numbers, n_steps, lanes, biases, gram.contiguous().numpy(), weights, scratch)
    m = inner.shape[1]
    return _from_lanes(lanes[None], m)[0], _from_lanes(weights[None], m)[0]


def _in_lanes(values: Tensor) -> np.ndarray:
    """(r, k, b) as (r, k, blocks, WIDTH), padded with zeros; always a copy."""
    r, k, b = values.shape
    width = WIDTH[np.dtype(str(values.dtype).removeprefix("torch."))]
    blocks = -(-b // width)
    padded = values.new_zeros(r, k, blocks * width)
    padded[:, :, :b] = values
    return padded.view(r, k, blocks, width).numpy()


def _from_lanes(values: np.ndarray, b: int) -> Tensor:
    r, k, blocks, width = values.shape
    return torch.from_numpy(values.reshape(r, k, blocks * width))[:, :, :b]


@_jit
def _normalise(u, p, first, block, peak):
    """Turn the k logits in rows first.. of p into their softmax."""
    k = u.shape[0]
    total = spread(p, 0.0)
    for m in range(first, first + k):
        share = exp_of_negative(load(p, m, block) - peak)
        store(p, m, block, share)
        total += share
    inverse = spread(p, 1.0) / total
    for m in range(first, first + k):
        store(p, m, block, load(p, m, block) * inverse)


@_jit
def _softmax(numbers, u, at, bias, bias_at, p, first, p_at):
    """Write softmax(bias + gain u) of one block to rows first.. of p."""
    peak = load(bias, 0, bias_at) + load(u, 0, at) * numbers[0]
    store(p, first, p_at, peak)
    for m in range(1, u.shape[0]):
        logit = load(bias, m, bias_at) + load(u, m, at) * numbers[0]
        store(p, first + m, p_at, logit)
        peak = larger(peak, logit)
    _normalise(u, p, first, p_at, peak)


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
            _normalise(p, p, 0, 0, peak)
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
    a = numbers[1]
    k = u.shape[0]
    for block in range(u.shape[1]):
        bias_at = block if bias.shape[1] > 1 else 0
        for _ in range(n_steps):
            _softmax(numbers, u, block, bias, bias_at, p, 0, 0)
            for m in range(k):
                pull = spread(u, 0.0)
                for q in range(k):
                    pull += load(p, q, 0) * gram[m, q]
                before, held = load(u, m, block), load(weights, m, block)
                store(u, m, block, before + (pull - before) * a)
                store(weights, m, block, held + (load(p, m, 0) - held) * a)


@_jit
def _forward(numbers, shares, u, bias, gram, path, weights):
    a = numbers[1]
    k = u.shape[1]
    for r in range(u.shape[0]):
        for block in range(u.shape[2]):
            for t in range(len(shares)):
                first = t * k
                _softmax(numbers, u[r], block, bias[r], block, path[r], first, block)
                for m in range(k):
                    p = load(path[r], first + m, block)
                    store(weights[r], m, block, load(weights[r], m, block) + p * shares[t])
                    pull = spread(u[r], 0.0)
                    for q in range(k):
                        pull += load(path[r], first + q, block) * gram[r, m, q]
                    store(u[r], m, block, load(u[r], m, block) * (1 - a) + pull * a)


@_jit
def _backward(
    numbers, shares, path, gram, slope, start_slope, bias_slope, gram_slope, scratch
):  # fmt: skip
    gain, a = numbers
    k = slope.shape[1]
    for r in range(slope.shape[0]):
        u, kk, p = start_slope[r], gram_slope[r], path[r]
        for block in range(slope.shape[2]):
            for t in range(len(shares) - 1, -1, -1):
                first = t * k
                inner = spread(u, 0.0)
                for m in range(k):
                    pull = spread(u, 0.0)
                    for q in range(k):
                        pull += load(u, q, block) * gram[r, m, q]
                    p_slope = load(slope[r], m, block) * shares[t] + pull * a
                    store(scratch, m, 0, p_slope)
                    inner += p_slope * load(p, first + m, block)
                for m in range(k):
                    before = load(u, m, block)
                    for q in range(k):
                        grown = load(kk, m, q) + before * load(p, first + q, block)
                        store(kk, m, q, grown)
                    logit = load(p, first + m, block) * (load(scratch, m, 0) - inner)
                    store(bias_slope[r], m, block, load(bias_slope[r], m, block) + logit)
                    store(u, m, block, before * (1 - a) + logit * gain)
