"""The recursion of k-space compiled for the CPU: a query in each lane, nothing dispatched.

The same two functions as :mod:`clam_core.recursion`, on CPU tensors. With few memories the torch
form spends its time on dispatch; here 16 queries (8 in float64) go through all T steps while their
state stays in registers and the nearest cache, so that T = 100 costs little more than T = 1.
"""

from __future__ import annotations

import numpy as np
import torch
from numba import njit
from torch import Tensor

from clam_core.lanes import WIDTH, exp_of_negative, larger, load, spread, store
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
def _softmax(numbers, u, bias, block, p, first):
    """Write softmax(bias + gain u) to rows first.. of p."""
    k = u.shape[0]
    peak = load(bias, 0, block) + load(u, 0, block) * numbers[0]
    store(p, first, block, peak)
    for m in range(1, k):
        logit = load(bias, m, block) + load(u, m, block) * numbers[0]
        store(p, first + m, block, logit)
        peak = larger(peak, logit)
    total = spread(u, 0.0)
    for m in range(k):
        share = exp_of_negative(load(p, first + m, block) - peak)
        store(p, first + m, block, share)
        total += share
    inverse = spread(u, 1.0) / total
    for m in range(k):
        store(p, first + m, block, load(p, first + m, block) * inverse)


@_jit
def _forward(numbers, shares, u, bias, gram, path, weights):
    a = numbers[1]
    k = u.shape[1]
    for r in range(u.shape[0]):
        for block in range(u.shape[2]):
            for t in range(len(shares)):
                first = t * k
                _softmax(numbers, u[r], bias[r], block, path[r], first)
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
