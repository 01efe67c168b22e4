"""Compiled passes over the rows: the update of Z with what it gained, kernel values, mean-shift.

One row p is updated, everything else fixed, by

    g_p = a_p + factor lam sum_q w_pq z_q - 2 (lam gamma / sum d) d_p (d'Z)
    z_p = softmax((g_p / t + c log z_p) / (1 + c))

which for factor 2 and c = 0 is the minimiser of the relaxation over z_p (equation 8 of Ziko et al.,
NeurIPS 2018). Rows are cut into blocks. A row sees the rows before it in its own block as they now
are, and all others as they were when the pass began: with one block rows are updated in turn, with
a block per row all at once, and with a few blocks each thread has its own. The change of R is
summed on the way; what two blocks did to one edge at once is added by :func:`crossing`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from slk_core.lanes import (
    LOWEST,
    exp_of_negative,
    larger,
    largest_of,
    load,
    load_either,
    load_more,
    prefetch_either,
    spread,
    store,
    total_of,
)

# Numba's cache follows this file only: after a change in lanes.py, clear slk_core/__pycache__.
# Nothing is allocated, so no array needs its references counted: several times as fast.
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}
_FUSED = {"contract", "nsz", "arcp"}
_part: Any = njit(**_OPTIONS, fastmath=_FUSED)
_jit: Any = njit(**_OPTIONS, cache=True, fastmath=_FUSED)
_sums: Any = njit(**_OPTIONS, cache=True, fastmath=_FUSED | {"reassoc"})
_AHEAD, _NEXT = 64, 24
"""Edges between the request for a neighbour's row and its use: rows of a cache line, and longer."""
NOTHING = -1e30
"""Kernel value of the columns that only fill a register: their share is zero."""


@_part
def _neighbours(s, m, p, lo, ahead, indptr, indices, weights, old, new):
    """Add sum_q w_pq z_q to s, columns m..; rows lo..p-1 are read from `new`, others from `old`."""
    final = len(indices) - 1
    for e in range(indptr[p], indptr[p + 1]):
        q, w, soon = indices[e], weights[e], indices[min(e + ahead, final)]
        prefetch_either(s, lo <= soon and soon < p, new, old, soon, m)
        s += load_either(s, lo <= q and q < p, new, old, q, m) * w
    return s


@_part
def _field(p, lo, width, indptr, indices, weights, a, old, new, sums, shift, s):
    """Write g_p to s, as many columns at a time as the processor has registers for."""
    k, edges = a.shape[1], (indptr, indices, weights, old, new)
    m = 0
    while m + 8 * width <= k:
        g = load_more(a, p, m, 8) - load_more(sums, 0, m, 8) * shift
        store(s, 0, m, _neighbours(g, m, p, lo, _NEXT, *edges))
        m += 8 * width
    while m + 4 * width <= k:
        g = load_more(a, p, m, 4) - load_more(sums, 0, m, 4) * shift
        store(s, 0, m, _neighbours(g, m, p, lo, _NEXT, *edges))
        m += 4 * width
    while m + 2 * width <= k:
        g = load_more(a, p, m, 2) - load_more(sums, 0, m, 2) * shift
        store(s, 0, m, _neighbours(g, m, p, lo, _NEXT, *edges))
        m += 2 * width
    if m < k:
        g = load(a, p, m) - load(sums, 0, m) * shift
        store(s, 0, m, _neighbours(g, m, p, lo, _NEXT, *edges))


@_part
def _soft(p, z, t, c, width, s, x):
    """Write exp(logit - largest) to x, of the logits (s / t + c log z) / (1 + c).

    Return the sums of x log x, by columns, and of x, >= 1 and <= k: the sum of z log z, z being x
    divided by the second, is the first divided by the second, less its logarithm.
    """
    k = s.shape[1]
    logits, scale = s, s.dtype.type(1 / t)
    if c > 0:
        least, whole, share = np.exp(LOWEST), 1 / (t * (1 + c)), c / (1 + c)
        for m in range(k):
            x[0, m] = s[0, m] * whole + share * np.log(max(z[p, m], least))
        logits, scale = x, s.dtype.type(1)
    top = load(logits, 0, 0)
    for m in range(width, k, width):
        top = larger(top, load(logits, 0, m))
    peak = largest_of(top)
    total, inner = spread(x, 0), spread(x, 0)
    for m in range(0, k, width):
        logit = larger((load(logits, 0, m) - peak) * scale, spread(x, 2 * LOWEST))
        value = exp_of_negative(logit)
        store(x, 0, m, value)
        total += value
        inner += value * logit
    return inner, total_of(total)


@_part
def _hard(p, z, own, s, x):
    """Write to x the one-hot row that lowers R, or the old one; `own` |x - z|^2 is its own cost."""
    k = s.shape[1]
    here = 0
    for m in range(1, k):
        if z[p, m] > z[p, here]:
            here = m
    best = here
    for m in range(k):
        if s[0, m] > s[0, best] and s[0, m] - s[0, here] > 2 * own:
            best = m
    for m in range(k):
        x[0, m] = 0
    x[0, best] = 1
    return spread(x, 0), x.dtype.type(1)


@_part
def _sweep_lines(
    first, last, in_turn, width, indptr, indices, weights, a, old, new, seen, drift, degrees, ties,
    numbers, scratch,
):  # fmt: skip
    """As :func:`sweep`, for t > 0 and rows of two registers, where all of a row fits into them."""
    t, c, pull, batch = numbers
    s, x = scratch[0], scratch[1]
    known, scale = load_more(seen, 0, 0, 2), s.dtype.type(1 / t)
    zero, least = spread(known, 0), spread(known, 2 * LOWEST)
    gained, most, entropy = 0.0, 0.0, 0.0
    for begin in range(first, last, batch):
        recent, linear, moved, inner, product = zero, zero, zero, zero, 1.0
        for p in range(begin, min(begin + batch, last)):
            d = degrees[p]
            lo = first if in_turn else p
            g = load_more(a, p, 0, 2) - known * s.dtype.type(pull * d)
            g = _neighbours(g, 0, p, lo, _AHEAD, indptr, indices, weights, old, new)
            much = max(c, 0.5 * pull * d * d * batch / t - 1)
            if much > 0:
                store(s, 0, 0, g)
                part, whole = _soft(p, old, t, much, width, s, x)
                entropy += total_of(part) / whole
                after = load_more(x, 0, 0, 2) * (s.dtype.type(1) / whole)
            else:
                logit = larger((g - largest_of(g)) * scale, least)
                after = exp_of_negative(logit)
                whole = total_of(after)
                after = after * (s.dtype.type(1) / whole)
                inner += after * logit
            change = after - load_more(old, p, 0, 2)
            store(new, p, 0, after)
            linear += change * g
            moved += change * change * ties[p]
            recent += change * d
            product *= whole
        entropy += total_of(inner) - np.log(product)
        gained -= total_of(linear)
        most += total_of(moved)
        store(drift, 0, 0, load_more(drift, 0, 0, 2) + recent)
        if in_turn:
            known = known + recent
            gained += 0.5 * pull * total_of(recent * recent)
    store(seen, 0, 0, known)
    return gained, most, entropy


@_part
def _share(seen, drift, recent, in_turn, width):
    """Add what a batch changed of d'Z to what is seen of it, and begin anew; its square in turn."""
    square = spread(recent, 0)
    for m in range(0, recent.shape[1], width):
        change = load(recent, 0, m)
        store(drift, 0, m, load(drift, 0, m) + change)
        store(recent, 0, m, spread(recent, 0))
        if in_turn:
            square += change * change
            store(seen, 0, m, load(seen, 0, m) + change)
    return total_of(square)


@_jit
def sweep(
    first, last, in_turn, width, indptr, indices, weights, a, old, new, seen, drift, degrees, ties,
    numbers, scratch,
):  # fmt: skip
    """Update rows first..last-1 from `old` into `new`; return three numbers.

    The change of R less its entropy, as these rows see it; the most that edges to other blocks,
    whose rows move meanwhile, can add to it; and the sum of z log z as it now is.

    Parameters
    ----------
    first, last : int
        The block. What is old and new may be one array where it is the only block, in turn.
    in_turn : bool
        Whether a row sees the new values of the rows before it.
    width : int
        Columns in a register, of which k is a multiple.
    indptr, indices, weights : ndarray
        W in CSR, its weights times factor lam.
    a, old, new : ndarray of shape (n, k)
    seen, drift : ndarray of shape (1, k)
        d'Z as the rows see it, and by how much they change it, which is added to both where the
        balance counts. In turn it is seen after each `batch` of rows, so that a row need not wait
        for the one before.
    degrees : ndarray of shape (n,)
    ties : ndarray of shape (n,)
        lam times the weight of each row's edges to rows that move at once with it.
    numbers : (float, float, float, int)
        t, c, 2 lam gamma / sum d and the batch.
    scratch : ndarray of shape (3, 1, k)
    """
    t, c, pull, batch = numbers
    s, x, recent = scratch[0], scratch[1], scratch[2]
    k = a.shape[1]
    if k == 2 * width and t > 0:
        return _sweep_lines(
            first, last, in_turn, width, indptr, indices, weights, a, old, new, seen, drift,
            degrees, ties, numbers, scratch,
        )  # fmt: skip
    for m in range(0, k, width):
        store(recent, 0, m, spread(recent, 0))
    gained, most, entropy = 0.0, 0.0, 0.0
    for begin in range(first, last, batch):
        zero = spread(s, 0)
        linear, moved, inner, product = zero, zero, zero, 1.0
        for p in range(begin, min(begin + batch, last)):
            d = degrees[p]
            lo, shift = first if in_turn else p, s.dtype.type(pull * d)
            _field(p, lo, width, indptr, indices, weights, a, old, new, seen, shift, s)
            own = 0.5 * pull * d * d * batch
            if t > 0:
                # A batch's own part of the balance is convex: where a hub makes it large, c covers.
                part, whole = _soft(p, old, t, max(c, own / t - 1), width, s, x)
            else:
                part, whole = _hard(p, old, own, s, x)
            inverse, tie = s.dtype.type(1) / whole, ties[p]
            square = zero
            for m in range(0, k, width):
                after = load(x, 0, m) * inverse
                change = after - load(old, p, m)
                linear += change * load(s, 0, m)
                square += change * change
                if pull > 0:
                    store(recent, 0, m, load(recent, 0, m) + change * d)
                store(new, p, m, after)
            moved += square * tie
            inner += part * inverse
            product *= whole
        # One logarithm, and one sum over columns, for several rows.
        entropy += total_of(inner) - np.log(product)
        gained -= total_of(linear)
        most += total_of(moved)
        if pull > 0:
            gained += _share(seen, drift, recent, in_turn, width) * 0.5 * pull
    return gained, most, entropy


@_jit
def descend(
    n_passes, enough, entropy, width, indptr, indices, weights, a, z, seen, drift, degrees, ties,
    numbers, scratch,
):  # fmt: skip
    """Sweep one block in place until a pass gains no more than `enough`.

    Return the change of R, the number of passes and the sum of z log z, which was `entropy`.
    """
    total = 0.0
    for i in range(n_passes):
        gained, _, now = sweep(
            0, len(z), True, width, indptr, indices, weights, a, z, z, seen, drift, degrees, ties,
            numbers, scratch,
        )  # fmt: skip
        gained += numbers[0] * (now - entropy)
        entropy = now
        total += gained
        if -gained <= enough:
            return total, i + 1, entropy
    return total, n_passes, entropy


@_sums
def tied(first, last, in_turn, indptr, indices, w, found):
    """Write the weight of each row's edges to rows that move at once with it to `found`."""
    for p in range(first, last):
        total = 0.0
        for e in range(indptr[p], indptr[p + 1]):
            if not in_turn or indices[e] < first or indices[e] >= last:
                total += w[e]
        found[p] = total


@_jit
def crossing(first, last, in_turn, width, indptr, indices, weights, old, new):
    """Change of R by edges whose two ends, of different blocks, moved at once: each edge once."""
    k = old.shape[1]
    total = 0.0
    for p in range(first, last):
        product = spread(old, 0)
        for e in range(indptr[p], indptr[p + 1]):
            q = indices[e]
            if q >= last or (not in_turn and q > p):
                edge = spread(old, 0)
                for m in range(0, k, width):
                    change = load(new, p, m) - load(old, p, m)
                    edge += change * (load(new, q, m) - load(old, q, m))
                product += edge * weights[e]
        total -= total_of(product)
    return total


@_jit
def start(first, last, width, a, t, z, scratch):
    """Write softmax(a / t), or its one-hot limit where t = 0, to z; return the sum of z log z."""
    s, x = scratch[0], scratch[1]
    entropy = 0.0
    for p in range(first, last):
        for m in range(0, a.shape[1], width):
            store(s, 0, m, load(a, p, m))
            store(z, p, m, spread(z, 0))
        if t > 0:
            inner, whole = _soft(p, z, t, 0.0, width, s, x)
        else:
            inner, whole = _hard(p, z, -np.inf, s, x)
        inverse = s.dtype.type(1) / whole
        entropy += total_of(inner) * inverse - np.log(whole)
        for m in range(0, a.shape[1], width):
            store(z, p, m, load(x, 0, m) * inverse)
    return entropy


@_jit
def terms(first, last, width, indptr, indices, w, a, z, labels, values):
    """Label the rows and add sum_p z_pl a_pl to `values`; return the sum of w z.z."""
    k = a.shape[1]
    pairs = 0.0
    for p in range(first, last):
        best = 0
        for m in range(k):
            if z[p, m] > z[p, best]:
                best = m
        labels[p] = best
        row = spread(z, 0)
        for m in range(0, k, width):
            own = load(z, p, m)
            near = spread(z, 0)
            for e in range(indptr[p], indptr[p + 1]):
                near += load(z, indices[e], m) * w[e]
            row += own * near
        for m in range(k):
            values[m] += z[p, m] * a[p, m]
        pairs += total_of(row)
    return pairs


@_sums
def inside(first, last, indptr, indices, w, labels):
    """Weight of the edges of rows first..last-1 that stay inside a cluster."""
    total = 0.0
    for p in range(first, last):
        for e in range(indptr[p], indptr[p + 1]):
            if labels[indices[e]] == labels[p]:
                total += w[e]
    return total


@_jit
def measure(first, last, width, rows, modes, squared, a, z, values, nearest, distances, near):
    """Write the kernel between rows and modes to a; find what it is worth, and the nearest rows.

    `modes` are transposed, (d, k), in units of the kernel width, as the rows are, and fewer than
    the columns of a, whose rest is filled with ``NOTHING``. `values` gains sum_p z_pl a_pl;
    `nearest` and `distances` keep the row of the smallest squared distance to each mode, and
    `near` is scratch.
    """
    d, k = modes.shape
    real = len(nearest)
    for p in range(first, last):
        for m in range(0, k, width):
            square = spread(near, 0)
            for j in range(d):
                gap = load(modes, j, m) - spread(near, rows[p, j])
                square += gap * gap
            store(near, 0, m, square)
            square = square * (-0.5)
            store(a, p, m, square if squared else exp_of_negative(square))
        for m in range(real):
            values[m] += z[p, m] * a[p, m]
            if near[0, m] < distances[m]:
                distances[m], nearest[m] = near[0, m], p
        for m in range(real, k):
            a[p, m] = NOTHING


@_sums
def shift(first, last, rows, z, labels, modes, still, totals, weights):
    """Add each row times z k to `totals` of its own cluster, unless `still`; z k to `weights`."""
    d = rows.shape[1]
    half = rows.dtype.type(-0.5)
    for p in range(first, last):
        m = labels[p]
        if still[m]:
            continue
        square = rows.dtype.type(0)
        for j in range(d):
            gap = rows[p, j] - modes[m, j]
            square += gap * gap
        w = z[p, m] * np.exp(square * half)
        weights[m] += w
        for j in range(d):
            totals[m, j] += w * rows[p, j]
