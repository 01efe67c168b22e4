"""Loss and gradient of one batch compiled for the CPU: each row is read once, nothing dispatched.

16 rows (8 in float64) at a time go through both matrix products and all T steps, there and back,
while they stay in the nearest caches. The equations are those of :mod:`clam_core.kspace`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numba import njit
from torch import Tensor

from clam_core.engines import Batch, Gradient
from clam_core.fused import product, softmax
from clam_core.kernels import OPTIONS, lane_array
from clam_core.lanes import WIDTH, load, spread, store, total
from clam_core.recursion import Rule

# Numba's cache follows this file only: after a change in lanes.py or fused.py, clear __pycache__.
_jit = njit(cache=True, **OPTIONS)


class _Work(NamedTuple):
    """Scratch arrays; lanes hold either 16 coordinates (of c) or the 16 rows of a block."""

    memories: np.ndarray  # (r, k, c)
    hidden: np.ndarray  # (r, k, c) their hidden coordinates
    slope: np.ndarray  # (r, k, c) gradient by all coordinates, as far as it comes from the bias
    hidden_slope: np.ndarray  # (r, k, c)
    x: np.ndarray  # (16, c) one block of rows
    x_hidden: np.ndarray  # (16, c)
    start: np.ndarray  # (0, 1 or 16, c) where the hidden coordinates start; 0: at x itself
    gram: np.ndarray  # (r, k, k) K, no lanes
    gram_slope: np.ndarray  # (r, k, k)
    bias_slope: np.ndarray  # (r, k) summed over blocks
    start_slope: np.ndarray  # (r, k) summed over blocks
    loss: np.ndarray  # (r, 1)
    offset: np.ndarray  # (1, 1) squared distance that no memory changes
    inner: np.ndarray  # (k, 1) of one block, as all that follow
    inner_hidden: np.ndarray  # later the coefficients of x_hidden in the gradient
    inner_start: np.ndarray  # later those of start
    path: np.ndarray  # five vectors of the recursion and the softmax of every step


class FusedGradient:
    """Squared loss and its gradient.

    Parameters
    ----------
    rule : Rule
    memories : Tensor of shape (r, k, d)
        Such as it will be called with.
    """

    def __init__(self, rule: Rule, memories: Tensor) -> None:
        self._n_steps = rule.n_steps
        dtype = memories.numpy().dtype
        gains = np.ravel(np.asarray(rule.gain, dtype))
        self._gains = np.ascontiguousarray(np.broadcast_to(gains, len(memories)))
        self._step, self._shares = dtype.type(rule.step_size), np.array(rule.shares, dtype)
        self._work: dict[tuple, _Work] = {}

    def __call__(self, memories: Tensor, log_weights: Tensor, batch: Batch) -> Gradient:
        """Loss and gradient at ``memories (r, k, d)`` and ``log_weights (r, k)``."""
        x, flat = batch.x.contiguous().numpy(), memories.numpy()
        r, k, d = flat.shape
        masked = batch.columns is not None
        columns = np.arange(d) if batch.columns is None else batch.columns.numpy()
        start = x[:0] if batch.start is None else np.atleast_2d(batch.start.contiguous().numpy())
        work = self._work_for((r, k, d, len(columns), min(len(start), 2), flat.dtype))
        loss, slope = np.empty(r, flat.dtype), np.empty_like(flat)
        bias = np.empty((r, k), flat.dtype)
        _gradient(
            self._gains, self._step, self._shares, flat, log_weights.numpy(), x, start, columns,
            masked, work, loss, slope, bias,
        )  # fmt: skip
        found = torch.from_numpy(loss), torch.from_numpy(slope), torch.from_numpy(bias)
        return Gradient(found[0], len(x) * len(columns), *found[1:])

    def _work_for(self, key: tuple) -> _Work:
        if key not in self._work:
            self._work = {key: _scratch(self._n_steps, *key)}
        return self._work[key]


def _scratch(n_steps: int, r: int, k: int, d: int, h: int, starts: int, dtype: np.dtype) -> _Work:
    width = WIDTH[dtype]
    every, some = -(-d // width), -(-h // width)
    lanes = {
        "memories": (r, k, every),
        "hidden": (r, k, some),
        "slope": (r, k, every),
        "hidden_slope": (r, k, some),
        "x": (width, every),
        "x_hidden": (width, some),
        "start": ((0, 1, width)[starts], some),
        "gram_slope": (r, k, k),
        "bias_slope": (r, k),
        "start_slope": (r, k),
        "loss": (r, 1),
        "offset": (1, 1),
        "inner": (k, 1),
        "inner_hidden": (k, 1),
        "inner_start": (k, 1),
        "path": ((n_steps + 5) * k, 1),
    }
    arrays = {name: lane_array(shape, dtype) for name, shape in lanes.items()}
    return _Work(gram=np.empty((r, k, k), dtype), **arrays)


@_jit
def _copy(out, row):
    """Copy `row` to the first numbers in out's lanes."""
    flat = out.reshape(out.size)
    for j in range(len(row)):
        flat[j] = row[j]


@_jit
def _pick(out, row, columns):
    """Copy some columns of `row` to the first numbers in out's lanes."""
    flat = out.reshape(out.size)
    for q in range(len(columns)):
        flat[q] = row[columns[q]]


@_jit
def _inner_products(out, memories, points):
    """Write <memory m, point i>, over all lanes, to lane i of out[m]."""
    for i in range(0, len(points) - 3, 4):
        for m in range(len(memories)):
            a = b = c = e = spread(out, 0.0)
            for j in range(memories.shape[1]):
                v = load(memories, m, j)
                a += v * load(points, i, j)
                b += v * load(points, i + 1, j)
                c += v * load(points, i + 2, j)
                e += v * load(points, i + 3, j)
            out[m, 0, i], out[m, 0, i + 1] = total(a), total(b)
            out[m, 0, i + 2], out[m, 0, i + 3] = total(c), total(e)


@_jit
def _add_weighted(out, coefficients, points):
    """Add sum_i coefficients[m, i] points[i] to out[m]: _inner_products backwards."""
    for m in range(len(out)):
        j = 0
        while j + 4 <= out.shape[1]:
            a, b = load(out, m, j), load(out, m, j + 1)
            c, e = load(out, m, j + 2), load(out, m, j + 3)
            for i in range(len(points)):
                share = spread(out, coefficients[m, 0, i])
                a += share * load(points, i, j)
                b += share * load(points, i, j + 1)
                c += share * load(points, i, j + 2)
                e += share * load(points, i, j + 3)
            store(out, m, j, a)
            store(out, m, j + 1, b)
            store(out, m, j + 2, c)
            store(out, m, j + 3, e)
            j += 4
        while j < out.shape[1]:
            a = load(out, m, j)
            for i in range(len(points)):
                a += load(points, i, j) * coefficients[m, 0, i]
            store(out, m, j, a)
            j += 1


@_jit
def _dot(a, i, b, j):
    """Inner product of a[i] and b[j], lanes and all."""
    both = spread(a, 0.0)
    for c in range(a.shape[1]):
        both += load(a, i, c) * load(b, j, c)
    return total(both)


@_jit
def _fill(array, number):
    for m in range(array.shape[0]):
        for j in range(array.shape[1]):
            store(array, m, j, spread(array, number))


@_jit
def _prepare(memories, start, columns, work):
    """Gather the memories and their Gram matrix, and set the sums to zero."""
    for r in range(len(memories)):
        for m in range(memories.shape[1]):
            _copy(work.memories[r, m], memories[r, m])
            _pick(work.hidden[r, m], memories[r, m], columns)
            for q in range(m + 1):
                inner = _dot(work.hidden[r], m, work.hidden[r], q)
                work.gram[r, m, q] = work.gram[r, q, m] = inner
        _fill(work.slope[r], 0.0)
        _fill(work.hidden_slope[r], 0.0)
        _fill(work.gram_slope[r], 0.0)
    _fill(work.bias_slope, 0.0)
    _fill(work.start_slope, 0.0)
    _fill(work.loss, 0.0)
    _fill(work.offset, 0.0)
    if len(work.start) == 1:
        _pick(work.start[0], start[0], columns)


@_jit
def _prepare_block(x, start, first, n, columns, left, work):
    """Gather n rows, zeros in place of those that lack, and add their offset to the loss."""
    for i in range(len(work.x)):
        if i >= n:
            for j in range(work.x.shape[1]):
                store(work.x, i, j, spread(work.x, 0.0))
            for j in range(work.x_hidden.shape[1]):
                store(work.x_hidden, i, j, spread(work.x, 0.0))
            continue
        _copy(work.x[i], x[first + i])
        _pick(work.x_hidden[i], x[first + i], columns)
        if len(work.start) > 1:
            _pick(work.start[i], start[first + i], columns)
        begin, row = work.x_hidden, i
        if len(work.start):
            begin, row = work.start, min(i, len(work.start) - 1)
        square = load(work.offset, 0, 0)
        for j in range(work.x_hidden.shape[1]):
            gap = load(begin, row, j) * left - load(work.x_hidden, i, j)
            square += gap * gap
        store(work.offset, 0, 0, square)


@_jit
def _begin(numbers, masked, r, constant, bias, u, w, work):
    """Set bias, u^0 and w = 0 of one restart on the block that is ready."""
    hidden, start = work.hidden[r], work.inner_start
    _inner_products(work.inner_hidden, hidden, work.x_hidden)
    if masked:
        _inner_products(work.inner, work.memories[r], work.x)
    if len(work.start) > 1:
        _inner_products(start, hidden, work.start)
    for m in range(len(constant)):
        own = load(work.inner_hidden, m, 0)
        if len(work.start) == 0:
            store(start, m, 0, own)
        elif len(work.start) == 1:
            store(start, m, 0, spread(start, _dot(hidden, m, work.start, 0)))
        visible = load(work.inner, m, 0) - own if masked else spread(u, 0.0)
        store(bias, m, 0, visible * numbers[0] + spread(u, constant[m]))
        store(u, m, 0, load(start, m, 0))
        store(w, m, 0, spread(w, 0.0))


@_jit
def _score(n, left, r, w, slope, work):
    """Add the loss that memories change, and its part of K's gradient; leave that by w in slope."""
    k, gram_slope = len(w), work.gram_slope[r]
    for m in range(k):
        for i in range(n, w.shape[2]):
            w[m, 0, i] = 0
    for m in range(k):
        share, own = load(w, m, 0), product(work.gram[r], w, 0, m)
        offset = load(work.inner_start, m, 0) * left - load(work.inner_hidden, m, 0)
        store(work.loss, r, 0, load(work.loss, r, 0) + share * (offset * 2.0 + own))
        store(slope, m, 0, (offset + own) * 2.0)
        for i in range(n, w.shape[2]):
            slope[m, 0, i] = 0
        for q in range(k):
            store(gram_slope, m, q, load(gram_slope, m, q) + share * load(w, q, 0))


@_jit
def _gather(numbers, left, masked, r, bias, u, w, work):
    """Add to the gradient what the block left: the derivatives by bias and u^0, and w."""
    for m in range(len(w)):
        share, by_bias = load(w, m, 0) * 2.0, load(bias, m, 0)
        by_start = load(u, m, 0) + share * left
        store(work.bias_slope, r, m, load(work.bias_slope, r, m) + by_bias)
        store(work.start_slope, r, m, load(work.start_slope, r, m) + by_start)
        store(work.inner_start, m, 0, by_start)
        store(bias, m, 0, by_bias * numbers[0])
        by_x = spread(w, 0.0) - share
        store(work.inner_hidden, m, 0, by_x if len(work.start) else by_x + by_start)
    _add_weighted(work.hidden_slope[r], work.inner_hidden, work.x_hidden)
    if masked:
        _add_weighted(work.slope[r], bias, work.x)
    if len(work.start) > 1:
        _add_weighted(work.hidden_slope[r], work.inner_start, work.start)


@_jit
def _run_block(numbers, shares, n, left, masked, r, constant, work):
    """Add loss and gradient of one restart on the n rows of the block that is ready."""
    k, path = len(constant), work.path
    bias, u, w = path[:k], path[k : 2 * k], path[2 * k : 3 * k]
    slope, back, p = path[3 * k : 4 * k], path[4 * k : 5 * k], path[5 * k :]
    _begin(numbers, masked, r, constant, bias, u, w, work)
    _there(numbers, shares, work.gram[r], bias, u, w, p)
    _score(n, left, r, w, slope, work)
    _fill(bias, 0.0)
    _fill(u, 0.0)
    _back(numbers, shares, work.gram[r], p, slope, u, bias, back, work.gram_slope[r])
    _gather(numbers, left, masked, r, bias, u, w, work)


@_jit
def _there(numbers, shares, gram, bias, u, w, p):
    """All steps of one block; p keeps every softmax."""
    gain, a = numbers
    k = len(gram)
    for t in range(len(shares)):
        first = t * k
        softmax(gain, u, 0, bias, 0, p, first)
        for m in range(k):
            store(w, m, 0, load(w, m, 0) + load(p, first + m, 0) * shares[t])
            pull = product(gram, p, first, m)
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
            p_slope = load(slope, m, 0) * shares[t] + product(gram, u, 0, m) * a
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


@_jit
def _finish(numbers, columns, masked, r, memories, work, slope, bias):
    """Bring together what the blocks of one restart left."""
    k, d = memories.shape
    gram, hidden, by_hidden = work.gram_slope[r], work.hidden[r], work.hidden_slope[r]
    for m in range(k):
        bias[m] = total(load(work.bias_slope, r, m))
        shrink = bias[m] * numbers[0]
        for q in range(k):
            both = total(load(gram, m, q) + load(gram, q, m))
            for j in range(hidden.shape[1]):
                grown = load(by_hidden, m, j) + load(hidden, q, j) * both
                store(by_hidden, m, j, grown)
        if len(work.start) == 1:
            by_start = total(load(work.start_slope, r, m))
            for j in range(hidden.shape[1]):
                store(by_hidden, m, j, load(by_hidden, m, j) + load(work.start, 0, j) * by_start)
        if masked:
            every = work.slope[r, m].reshape(work.slope[r, m].size)
            for j in range(d):
                slope[m, j] = every[j] - shrink * memories[m, j]
        some = by_hidden[m].reshape(by_hidden[m].size)
        for q in range(len(columns)):
            j = columns[q]
            slope[m, j] = some[q] - shrink * memories[m, j]


@_jit
def _gradient(
    gains, step, shares, memories, log_weights, x, start, columns, masked, work, loss, slope, bias
):  # fmt: skip
    width = work.x.shape[2]
    left = 1.0
    for _ in range(len(shares)):
        left *= 1 - step
    _prepare(memories, start, columns, work)
    for r in range(len(memories)):
        for m in range(memories.shape[1]):
            square = _dot(work.memories[r], m, work.memories[r], m)
            bias[r, m] = log_weights[r, m] - square * gains[r] * 0.5
    for first in range(0, len(x), width):
        n = min(width, len(x) - first)
        _prepare_block(x, start, first, n, columns, left, work)
        for r in range(len(memories)):
            _run_block((gains[r], step), shares, n, left, masked, r, bias[r], work)
    for r in range(len(memories)):
        found = total(load(work.loss, r, 0) + load(work.offset, 0, 0))
        loss[r] = 0 if found < 0 else found  # a NaN stays
        _finish((gains[r], step), columns, masked, r, memories[r], work, slope[r], bias[r])
