"""Compiled training of all restarts at once, one in each SIMD lane: batches, gradient, Adam.

One row x with hidden coordinates h (the rest are visible), with a = step_size, is recalled by

    s^0 = log eps + 2 beta (R_v x_v + R_h x^0_h) - beta ||rho||^2,    p^t = softmax(s^t)
    s^{t+1} = (1-a) s^t + a base + 2 beta a K p^t,                    K = R_h R_h'
    x^T_h = (1-a)^T x^0_h + R_h' w,    w = sum_t a (1-a)^{T-1-t} p^t

where base is s^0 without its x^0 term: equation 4 of Saha et al. (ICML 2023) iterated in the k
dimensions of the logits s. Its gradient, by hand, with S^t the derivative by s^t (S^T = 0):

    S^t = (1-a) S^{t+1} + p^t * (q^t - <p^t, q^t>)
    q^t = a (1-a)^{T-1-t} wbar + 2 beta a K S^{t+1}

K is either formed, or applied as R_h (R_h' p) where few coordinates are hidden. A row with missing
values has hidden coordinates of its own; rows that share theirs are recalled together.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

from clam_core.lanes import (
    WIDTH,
    exp_of_negative,
    larger,
    load,
    magnitude,
    narrowed,
    root,
    sign,
    spread,
    squared,
    store,
    without_subnormals,
)
from clam_core.schedule import after_epoch

# Numba's cache follows this file only: after a change in lanes.py or schedule.py, clear
# clam_core/__pycache__.
OPTIONS = {
    "nogil": True,
    "error_model": "numpy",
    "fastmath": {"contract", "reassoc", "nsz", "arcp"},
    # No allocation is possible, so no array needs its references counted: twice as fast.
    "_nrt": False,
}
_jit = njit(**OPTIONS)
_cached = njit(cache=True, **OPTIONS)
# Without leave to reorder: what comes of it is the same, to the last bit, as where Python does it.
_EXACT: dict[str, Any] = OPTIONS | {"fastmath": False}
_exact = njit(cache=True, **_EXACT)
_exact_inside = njit(**_EXACT)
_after_epoch = _exact_inside(after_epoch)
MEAN_DECAY, SQUARE_DECAY, EPSILON = 0.9, 0.999, 1e-8  # Adam
TILE = 8  # rows that are recalled together


class Rule(NamedTuple):
    """What one step of training does: what stays the same throughout, for all restarts."""

    n_steps: int
    step_size: float
    absolute: bool
    learn_weights: bool


class Block(NamedTuple):
    """The restarts of one register: memories (k, d, w), log weights (1, k, w), Adam's moments.

    Each has its own beta: ``gains`` (1, 4, w) holds beta, 2 beta, 2 beta a and 1 / (2 beta a).
    """

    gains: np.ndarray
    memories: np.ndarray
    log_weights: np.ndarray
    gradient: np.ndarray
    weight_gradient: np.ndarray
    mean: np.ndarray
    square: np.ndarray
    weight_mean: np.ndarray
    weight_square: np.ndarray


class Rows(NamedTuple):
    """Rows in batches, and what each batch hides."""

    points: np.ndarray  # (n, d)
    start: np.ndarray  # (n, d), or (1, d) for all: where hidden coordinates start
    stride: int  # 1, or 0 where one start is for all
    hidden: np.ndarray  # (B, d)
    missing: np.ndarray  # (n, d), or no row where nothing is missing
    batch_size: int


class Pace(NamedTuple):
    """Learning rates of the epochs to come, and how they follow the loss of one block."""

    shares: np.ndarray  # (e, B) of a restart's rate
    state: np.ndarray  # (3, w), see `clam_core.schedule`
    plateau: bool


class Course(NamedTuple):
    """What each epoch leaves of one block: sums of the loss over what is scored, and copies."""

    rates: np.ndarray  # (e, w)
    trained: np.ndarray  # (e, w) sums, before each step
    losses: np.ndarray  # (e, w) sums, on the rows that judge
    memories: np.ndarray  # (e, k, d, w)
    log_weights: np.ndarray  # (e, k, w)


class Work(NamedTuple):
    """Scratch arrays, so that nothing is allocated while training."""

    no_gaps: np.ndarray  # all False
    order: np.ndarray  # scored, then other hidden, then visible coordinates
    offset: np.ndarray  # log eps - beta ||rho||^2
    base: np.ndarray  # later the derivative by it
    start: np.ndarray  # R_h x^0_h, later S^0
    share: np.ndarray  # w
    error: np.ndarray  # x^T_h - x_h, later the derivative by it
    hidden: np.ndarray  # R_h
    turned: np.ndarray  # 2 beta a R_h'
    hidden_gradient: np.ndarray
    gram: np.ndarray  # 2 beta a K
    gram_gradient: np.ndarray
    logits: np.ndarray  # later wbar
    product: np.ndarray  # 2 beta a K times p^t or S^t, later q^t
    p: np.ndarray  # p^t of row i of a tile of n at [t n + i], as in the next three
    s: np.ndarray  # S^t
    p_turned: np.ndarray  # 2 beta a R_h' p^t
    s_turned: np.ndarray  # 2 beta a R_h' S^t
    total: np.ndarray  # loss of one batch


def work_arrays(batch_size, k, d, n_steps, dtype):
    """Scratch for batches of up to `batch_size` rows."""
    path = n_steps * TILE
    shapes = {
        "offset": (1, k),
        "base": (batch_size, k),
        "start": (batch_size, k),
        "share": (batch_size, k),
        "error": (batch_size, d),
        "hidden": (k, d),
        "turned": (d, k),
        "hidden_gradient": (k, d),
        "gram": (k, k),
        "gram_gradient": (k, k),
        "logits": (TILE, k),
        "product": (TILE, k),
        "p": (path, k),
        "s": (path + TILE, k),
        "p_turned": (path, d),
        "s_turned": (path + TILE, d),
        "total": (1, 1),
    }
    lanes = {name: lane_array(shape, dtype) for name, shape in shapes.items()}
    return Work(no_gaps=np.zeros(d, np.bool_), order=np.empty(d, np.int64), **lanes)


def lane_array(shape, dtype):
    """Zeros of shape (*shape, WIDTH), aligned to cache lines."""
    shape = (*shape, WIDTH[np.dtype(dtype)])
    size = int(np.prod(shape)) * np.dtype(dtype).itemsize
    memory = np.zeros(size + 64, np.uint8)
    first = -memory.ctypes.data % 64
    return memory[first : first + size].view(dtype).reshape(shape)


@_jit
def _next_three(i, n):
    """The three indices after i, or the last of n in place of those beyond."""
    return min(i + 1, n - 1), min(i + 2, n - 1), min(i + 3, n - 1)


@_jit
def _multiply(out, i, vectors, j, n, matrix, rows, columns):
    """Write matrix vectors[j+t] to out[i+t] for t < n, by the first `rows` and `columns`.

    Four at a time; where two or three are left, the last several times over: quicker than each
    alone.
    """
    ta = 0
    while ta + 1 < n:
        tb, tc, te = _next_three(ta, n)
        for m in range(rows):
            a = b = c = e = spread(out, 0.0)
            for q in range(columns):
                v = load(matrix, m, q)
                a += v * load(vectors, j + ta, q)
                b += v * load(vectors, j + tb, q)
                c += v * load(vectors, j + tc, q)
                e += v * load(vectors, j + te, q)
            store(out, i + ta, m, a)
            store(out, i + tb, m, b)
            store(out, i + tc, m, c)
            store(out, i + te, m, e)
        ta += 4
    if ta < n:
        for m in range(rows):
            a = spread(out, 0.0)
            for q in range(columns):
                a += load(matrix, m, q) * load(vectors, j + ta, q)
            store(out, i + ta, m, a)


@_jit
def _add_outer(out, left, i, right, j, n, rows, columns):
    """Add sum_{t<n} left[i+t] (x) right[j+t] to out, four columns at a time as in `_multiply`."""
    for m in range(rows):
        for qa in range(0, columns, 4):
            qb, qc, qe = _next_three(qa, columns)
            a, b = load(out, m, qa), load(out, m, qb)
            c, e = load(out, m, qc), load(out, m, qe)
            for t in range(n):
                v = load(left, i + t, m)
                a += v * load(right, j + t, qa)
                b += v * load(right, j + t, qb)
                c += v * load(right, j + t, qc)
                e += v * load(right, j + t, qe)
            store(out, m, qa, a)
            store(out, m, qb, b)
            store(out, m, qc, c)
            store(out, m, qe, e)


@_jit
def _project(out, points, row, stride, n, memories, columns):
    """Write sum_j points[row + i stride, j] memories[m, j], j in columns, to out[i, m]."""
    for m in range(memories.shape[0]):
        i = 0
        while i + 4 <= n:
            a = b = c = e = spread(out, 0.0)
            first = row + i * stride
            for j in columns:
                v = load(memories, m, j)
                a += v * points[first, j]
                b += v * points[first + stride, j]
                c += v * points[first + 2 * stride, j]
                e += v * points[first + 3 * stride, j]
            store(out, i, m, a)
            store(out, i + 1, m, b)
            store(out, i + 2, m, c)
            store(out, i + 3, m, e)
            i += 4
        while i < n:
            a = spread(out, 0.0)
            for j in columns:
                a += load(memories, m, j) * points[row + i * stride, j]
            store(out, i, m, a)
            i += 1


@_jit
def _add_projected(out, left, points, row, stride, n, factor, columns):
    """Add factor sum_i left[i, m] points[row + i stride, j] to out[m, j]: _project backwards."""
    for m in range(out.shape[0]):
        q = 0
        while q + 4 <= len(columns):
            ja, jb, jc, je = columns[q], columns[q + 1], columns[q + 2], columns[q + 3]
            a = b = c = e = spread(out, 0.0)
            for i in range(n):
                v = load(left, i, m)
                a += v * points[row + i * stride, ja]
                b += v * points[row + i * stride, jb]
                c += v * points[row + i * stride, jc]
                e += v * points[row + i * stride, je]
            store(out, m, ja, load(out, m, ja) + a * factor)
            store(out, m, jb, load(out, m, jb) + b * factor)
            store(out, m, jc, load(out, m, jc) + c * factor)
            store(out, m, je, load(out, m, je) + e * factor)
            q += 4
        while q < len(columns):
            a = spread(out, 0.0)
            for i in range(n):
                a += load(left, i, m) * points[row + i * stride, columns[q]]
            store(out, m, columns[q], load(out, m, columns[q]) + a * factor)
            q += 1


@_jit
def _sort_coordinates(order, hidden, missing):
    """Fill `order` with scored, other moving and visible coordinates; count the first two."""
    scored = moving = 0
    for j in range(len(order)):
        if hidden[j] and not missing[j]:
            order[moving], order[scored] = order[scored], j
            scored += 1
            moving += 1
        elif missing[j]:
            order[moving] = j
            moving += 1
    end = moving
    for j in range(len(order)):
        if not hidden[j] and not missing[j]:
            order[end] = j
            end += 1
    return scored, moving


@_jit
def _equal(left, right):
    same = True
    for j in range(len(left)):
        same = same and left[j] == right[j]
    return same


@_jit
def _fill(array, first, rows, columns, number):
    for m in range(first, first + rows):
        for q in range(columns):
            store(array, m, q, spread(array, number))


@_jit
def _prepare_batch(block, work):
    """Set the logits' constant part log eps - beta ||rho||^2, and the sums to zero."""
    k, d = block.memories.shape[:2]
    beta = load(block.gains, 0, 0)
    for m in range(k):
        square = spread(block.memories, 0.0)
        for j in range(d):
            v = load(block.memories, m, j)
            square += v * v
        store(work.offset, 0, m, load(block.log_weights, 0, m) - square * beta)
    _fill(work.total, 0, 1, 1, 0.0)
    _fill(block.gradient, 0, k, d, 0.0)
    _fill(block.weight_gradient, 0, 1, k, 0.0)


@_jit
def _prepare_rows(points, start, stride, row, n, moving, block, work):
    """Gather R_h and both projections of the rows: base is finished, start is R_h x^0_h."""
    k = block.memories.shape[0]
    gain, pull = load(block.gains, 0, 1), load(block.gains, 0, 2)
    for m in range(k):
        for q in range(moving):
            v = load(block.memories, m, work.order[q])
            store(work.hidden, m, q, v)
            store(work.turned, q, m, v * pull)
    _project(work.base, points, row, 1, n, block.memories, work.order[moving:])
    _project(work.start, start, row * stride, stride, n, block.memories, work.order[:moving])
    for i in range(n):
        for m in range(k):
            base = load(work.offset, 0, m) + load(work.base, i, m) * gain
            store(work.base, i, m, base)


@_jit
def _prepare_gram(moving, block, work):
    """Form 2 beta a K."""
    k, pull = work.gram.shape[0], load(block.gains, 0, 2)
    _multiply(work.gram, 0, work.hidden, 0, k, work.hidden, k, moving)
    for m in range(k):
        for q in range(k):
            v = load(work.gram, m, q) * pull
            store(work.gram, m, q, v)
    _fill(work.gram_gradient, 0, k, k, 0.0)


@_jit
def _apply_gram(vectors, turned, t, n, moving, few, work):
    """Write 2 beta a K vectors[t:t+n] to work.product; the way through R_h' stays in turned."""
    k = work.gram.shape[0]
    if few:
        _multiply(turned, t, vectors, t, n, work.turned, moving, k)
        _multiply(work.product, 0, turned, t, n, work.hidden, k, moving)
    else:
        _multiply(work.product, 0, vectors, t, n, work.gram, k, k)


@_jit
def _softmax(out, t, logits, n):
    k = out.shape[1]
    for i in range(n):
        top = load(logits, i, 0)
        for m in range(1, k):
            top = larger(load(logits, i, m), top)
        total = spread(out, 0.0)
        for m in range(k):
            v = exp_of_negative(load(logits, i, m) - top)
            store(out, t + i, m, v)
            total += v
        total = 1.0 / total
        for m in range(k):
            store(out, t + i, m, load(out, t + i, m) * total)


@_jit
def _recall(i, n, moving, few, rule, block, work):
    """Recall rows i..i+n-1: leave their p^t, and their w in work.share[i:i+n]."""
    k, a = work.gram.shape[0], rule.step_size
    gain = load(block.gains, 0, 1)
    p_turned = narrowed(work.p_turned, moving)
    for row in range(n):
        for m in range(k):
            logit = load(work.base, i + row, m) + load(work.start, i + row, m) * gain
            store(work.logits, row, m, logit)
    for t in range(rule.n_steps):
        _softmax(work.p, t * n, work.logits, n)
        if t + 1 < rule.n_steps:
            _apply_gram(work.p, p_turned, t * n, n, moving, few, work)
            for row in range(n):
                for m in range(k):
                    logit = load(work.base, i + row, m) * a + load(work.logits, row, m) * (1 - a)
                    store(work.logits, row, m, logit + load(work.product, row, m))
    for row in range(n):
        for m in range(k):
            share = spread(work.share, 0.0)
            for t in range(rule.n_steps):
                share = share * (1 - a) + load(work.p, t * n + row, m)
            store(work.share, i + row, m, share * a)


@_jit
def _score(i, n, points, start, row, stride, scored, moving, rule, block, work):
    """Add the rows' loss to work.total; leave its derivative by x^T in work.error[i:i+n]."""
    _multiply(work.error, i, work.share, i, n, work.turned, moving, work.gram.shape[0])
    scale = load(block.gains, 0, 3)
    left = (1 - rule.step_size) ** rule.n_steps
    total = load(work.total, 0, 0)
    for t in range(i, i + n):
        for q in range(scored):
            j = work.order[q]
            gap = start[(row + t) * stride, j] * left - points[row + t, j]
            error = load(work.error, t, q) * scale + gap
            if rule.absolute:
                total += magnitude(error)
                store(work.error, t, q, sign(error))
            else:
                total += squared(error)
                store(work.error, t, q, error * 2.0)
        for q in range(scored, moving):
            store(work.error, t, q, spread(work.error, 0.0))
    store(work.total, 0, 0, total)


@_jit
def _go_back(i, n, moving, few, rule, work):
    """Differentiate the steps of rows whose p^t is left: S^t, by the module's equation."""
    k, a, last = work.gram.shape[0], rule.step_size, rule.n_steps - 1
    p_turned, s_turned = narrowed(work.p_turned, moving), narrowed(work.s_turned, moving)
    _multiply(work.logits, 0, work.error, i, n, work.hidden, k, moving)  # wbar
    _fill(work.product, 0, n, k, 0.0)
    _fill(work.s, (last + 1) * n, n, k, 0.0)
    share = a
    for t in range(last, -1, -1):
        if t < last:
            _apply_gram(work.s, s_turned, (t + 1) * n, n, moving, few, work)
        for row in range(n):
            mean = spread(work.s, 0.0)
            for m in range(k):
                q = load(work.product, row, m) + load(work.logits, row, m) * share
                store(work.product, row, m, q)
                mean += q * load(work.p, t * n + row, m)
            for m in range(k):
                own = load(work.p, t * n + row, m) * (load(work.product, row, m) - mean)
                later = load(work.s, (t + 1) * n + row, m)
                store(work.s, t * n + row, m, later * (1 - a) + own)
        share *= 1 - a
    if few:
        _add_outer(work.hidden_gradient, work.s, n, p_turned, 0, last * n, k, moving)
        _add_outer(work.hidden_gradient, work.p, 0, s_turned, n, last * n, k, moving)
    else:
        _add_outer(work.gram_gradient, work.s, n, work.p, 0, last * n, k, k)
    for row in range(n):
        for m in range(k):
            later = spread(work.s, 0.0)
            for t in range(1, last + 1):
                later += load(work.s, t * n + row, m)
            store(work.start, i + row, m, load(work.s, row, m))
            store(work.base, i + row, m, load(work.s, row, m) + later * a)


@_jit
def _pass_gram_on(moving, work):
    """Add the gradient through K = R_h R_h': (Kbar + Kbar') R_h. Overwrites work.hidden."""
    k = work.gram.shape[0]
    for m in range(k):
        for q in range(m + 1):
            both = load(work.gram_gradient, m, q) + load(work.gram_gradient, q, m)
            store(work.gram_gradient, m, q, both)
            store(work.gram_gradient, q, m, both)
    _multiply(work.hidden, 0, work.gram_gradient, 0, k, work.turned, moving, k)
    for m in range(k):
        for q in range(moving):
            v = load(work.hidden_gradient, m, q) + load(work.hidden, m, q)
            store(work.hidden_gradient, m, q, v)


@_jit
def _gather_gradient(points, start, stride, row, n, moving, block, work):
    """Add what the rows left (S^0, the derivative by base, w, the error) to the gradient."""
    k = block.memories.shape[0]
    _add_outer(work.hidden_gradient, work.share, 0, work.error, 0, n, k, moving)
    for m in range(k):
        for q in range(moving):
            j = work.order[q]
            v = load(block.gradient, m, j) + load(work.hidden_gradient, m, q)
            store(block.gradient, m, j, v)
        by_base = load(block.weight_gradient, 0, m)
        for i in range(n):
            by_base += load(work.base, i, m)
        store(block.weight_gradient, 0, m, by_base)
    hidden, visible = work.order[:moving], work.order[moving:]
    factor = load(block.gains, 0, 1)
    _add_projected(block.gradient, work.base, points, row, 1, n, factor, visible)
    _add_projected(block.gradient, work.start, start, row * stride, stride, n, factor, hidden)


@_jit
def _run_rows(points, start, stride, row, n, scored, moving, rule, block, work, learn):
    """Add loss and gradient of n rows with the same hidden coordinates."""
    k, path = block.memories.shape[0], n * rule.n_steps
    # Six products with R_h a step and row, which cost as seven, or three with K and its making.
    few = 7 * moving * path <= 3 * k * path + 2 * moving * k
    _prepare_rows(points, start, stride, row, n, moving, block, work)
    if learn:
        _fill(work.hidden_gradient, 0, k, moving, 0.0)
    if not few:
        _prepare_gram(moving, block, work)
    for i in range(0, n, TILE):
        m = min(TILE, n - i)
        _recall(i, m, moving, few, rule, block, work)
        _score(i, m, points, start, row, stride, scored, moving, rule, block, work)
        if learn:
            _go_back(i, m, moving, few, rule, work)
    if learn:
        if not few:
            _pass_gram_on(moving, work)
        _gather_gradient(points, start, stride, row, n, moving, block, work)


@_jit
def _adam(values, gradient, mean, square, scale, rate, steps):
    """One step of Adam (Kingma and Ba, 2015) down scale * gradient."""
    mean_share, square_share = 1 - MEAN_DECAY**steps, 1 - SQUARE_DECAY**steps
    rate = rate * (1 / mean_share)
    scale_root = 1 / np.sqrt(square_share)
    for m in range(values.shape[0]):
        for j in range(values.shape[1]):
            g = load(gradient, m, j) * scale
            new_mean = load(mean, m, j) * MEAN_DECAY + g * (1 - MEAN_DECAY)
            new_square = load(square, m, j) * SQUARE_DECAY + g * g * (1 - SQUARE_DECAY)
            store(mean, m, j, without_subnormals(new_mean))
            store(square, m, j, without_subnormals(new_square))
            change = rate * new_mean / (root(new_square) * scale_root + EPSILON)
            store(values, m, j, load(values, m, j) - change)


@_jit
def _learn(rule, block, scored, rate, steps):
    """Finish the gradient by the term of -beta ||rho||^2, and let Adam take a step."""
    gain = load(block.gains, 0, 1)
    for m in range(block.memories.shape[0]):
        pull = load(block.weight_gradient, 0, m) * gain
        for j in range(block.memories.shape[1]):
            g = load(block.gradient, m, j) - pull * load(block.memories, m, j)
            store(block.gradient, m, j, g)
    scale = 1 / scored
    _adam(block.memories, block.gradient, block.mean, block.square, scale, rate, steps)
    if rule.learn_weights:
        _adam(
            block.log_weights,
            block.weight_gradient,
            block.weight_mean,
            block.weight_square,
            scale,
            rate,
            steps,
        )


@_cached
def run_batches(rows, first, last, rule, block, work, rates, steps, totals):
    """Run batches first..last-1, with learning unless `rates` is empty; return what was scored."""
    learn = len(rates) > 0
    points, start, stride, missing = rows.points, rows.start, rows.stride, rows.missing
    all_scored = 0
    for batch in range(first, last):
        row = batch * rows.batch_size
        end = min(row + rows.batch_size, len(points))
        batch_scored = 0
        _prepare_batch(block, work)
        while row < end:
            stop, gaps = end, work.no_gaps
            if len(missing):
                stop, gaps = row + 1, missing[row]
                while stop < end and _equal(missing[stop], gaps):
                    stop += 1
            scored, moving = _sort_coordinates(work.order, rows.hidden[batch], gaps)
            if scored:
                _run_rows(
                    points, start, stride, row, stop - row, scored, moving, rule, block, work, learn
                )
            batch_scored += scored * (stop - row)
            row = stop
        for lane in range(len(totals)):
            totals[lane] += work.total[0, 0, lane]
        all_scored += batch_scored
        if learn and batch_scored:
            _learn(rule, block, batch_scored, load(rates, batch, 0), steps + batch + 1)
    return all_scored


@_exact_inside
def _copy(out, values):
    flat, numbers = out.reshape(out.size), values.reshape(values.size)
    for i in range(out.size):
        flat[i] = numbers[i]


@_exact_inside
def _rows_of(rows, row, n, batch, n_batches):
    """The n rows from `row` on, which are the batches from `batch` on."""
    end = row + n
    return Rows(
        rows.points[row:end],
        rows.start[row:end] if rows.stride else rows.start,
        rows.stride,
        rows.hidden[batch : batch + n_batches],
        rows.missing[row:end] if len(rows.missing) else rows.missing,
        rows.batch_size,
    )


@_exact
def run_epochs(rows, n, judged, rule, block, work, pace, rates, steps, course):
    """Run epochs of n rows each, judge the memories after each; return what was scored then.

    `rates` (B, 1, w) is scratch for those of one epoch's batches.
    """
    n_batches, scored, zero = len(rates), 0, np.int64(0)  # a plain 0 would be compiled once more
    for epoch in range(len(course.losses)):
        _copy(course.rates[epoch], pace.state[0])
        for batch in range(n_batches):
            for lane in range(rates.shape[2]):
                rates[batch, 0, lane] = pace.shares[epoch, batch] * pace.state[0, lane]
        totals = course.trained[epoch]
        own = _rows_of(rows, epoch * n, n, epoch * n_batches, n_batches)
        trained = run_batches(own, zero, n_batches, rule, block, work, rates, steps, totals)
        steps += n_batches
        scored = run_batches(
            judged, zero, len(judged.hidden), rule, block, work, rates[:0], zero,
            course.losses[epoch],
        )  # fmt: skip
        if pace.plateau:
            for lane in range(len(totals)):
                rate, best, stale = pace.state[0, lane], pace.state[1, lane], pace.state[2, lane]
                rate, best, stale = _after_epoch(rate, best, stale, totals[lane] / max(trained, 1))
                pace.state[0, lane], pace.state[1, lane], pace.state[2, lane] = rate, best, stale
        _copy(course.memories[epoch], block.memories)
        _copy(course.log_weights[epoch], block.log_weights[0])
    return scored
