"""Compiled sums of the distances between rows, each pair once, for rows sorted by cluster.

A distance is the root of summed squared differences, never of |x|^2 + |y|^2 - 2 xy: nothing
cancels, however far from the origin the rows lie, and rows that are equal are exactly 0 apart. With
three rows against eight in registers that costs no more than the matrix product would.

Rows lie in panels (p, d, 8) of eight, so that a register reads four of them at once.
"""

from typing import Any

import numpy as np
from numba import njit, uint64

from slk_core.lanes import load, spread, store

PANEL = 8  # rows in two registers
ROWS = 48  # of one block, with its squares small enough for the nearest cache
WIDE = 64  # rows that a block is laid against at a time
_GROUP = 3  # rows of a block in registers: with more the compiler runs out of them

# Numba's cache follows this file only: after a change in slk_core/lanes.py, clear __pycache__.
_jit: Any = njit(
    nogil=True, error_model="numpy", cache=True, fastmath={"contract", "nsz", "arcp", "reassoc"}
)


def panels_of(X, order):
    """Lay rows into panels, in float64.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    order : ndarray of int, shape (s,)
        Which rows, and in which order.

    Returns
    -------
    ndarray of shape (p, d, 8)
        Filled up with zeros to a multiple of 64 rows.
    """
    d = X.shape[1]
    panels = np.zeros((-(-len(order) // WIDE) * (WIDE // PANEL), d, PANEL))
    for first in range(0, len(panels), ROWS):  # a few at a time: no second copy of all rows
        part = order[first * PANEL : (first + ROWS) * PANEL]
        rows = np.zeros((len(panels[first : first + ROWS]) * PANEL, d))
        rows[: len(part)] = X[part]
        panels[first : first + ROWS] = rows.reshape(-1, PANEL, d).transpose(0, 2, 1)
    return panels


@_jit
def _squares(n_rows, rows, panels, first, squares):
    """Write the squared distances between rows and the panels from `first` on."""
    zero = spread(squares, 0.0)
    for number in range(WIDE // PANEL):
        panel, j = panels[first + number], PANEL * number
        for i in range(0, n_rows, _GROUP):
            p, q, r = rows[i], rows[i + 1], rows[i + 2]
            p0 = p1 = q0 = q1 = r0 = r1 = zero
            for t in range(uint64(rows.shape[1])):  # unsigned: no index from the end to test for
                x0, x1 = load(panel, t, 0), load(panel, t, 4)
                gap0, gap1 = x0 - p[t], x1 - p[t]
                p0 += gap0 * gap0
                p1 += gap1 * gap1
                gap0, gap1 = x0 - q[t], x1 - q[t]
                q0 += gap0 * gap0
                q1 += gap1 * gap1
                gap0, gap1 = x0 - r[t], x1 - r[t]
                r0 += gap0 * gap0
                r1 += gap1 * gap1
            store(squares, i, j, p0)
            store(squares, i, j + 4, p1)
            store(squares, i + 1, j, q0)
            store(squares, i + 1, j + 4, q1)
            store(squares, i + 2, j, r0)
            store(squares, i + 2, j + 4, r1)


@_jit
def _roots(squares, begin, end, totals):
    """Return the sum of distances begin..end-1, each of which is added to `totals`."""
    total = 0.0
    for j in range(begin, end):
        distance = np.sqrt(squares[j])
        total += distance
        totals[j - begin] += distance
    return total


@_jit
def add_block(first, last, cluster, ends, panels, rows, squares, totals, own, nearest):
    """Add up the distances between rows first..last-1 and all rows from `first` on.

    Parameters
    ----------
    first, last : int
        At most 48 rows, all of one cluster.
    cluster : int
        Theirs; the clusters before it are finished.
    ends : ndarray of int, shape (k,)
        Where the rows of each cluster end.
    panels : ndarray of shape (p, d, 8)
    rows, squares : ndarray of shape (48, d), (48, 64)
        Scratch.
    totals : ndarray of shape (n,)
        Gains, for each row after the block, its distances to the block.
    own : ndarray of shape (n,)
        Gains, for each row of the block, the distances to the block and the rest of the cluster.
    nearest : ndarray of shape (n,)
        Lowered, for each row of the block, to the smallest mean distance to a later cluster.
    """
    n_rows, n = last - first, ends[-1]
    for i in range(-(-n_rows // _GROUP) * _GROUP):
        row = min(first + i, last - 1)
        for t in range(rows.shape[1]):
            rows[i, t] = panels[row // PANEL, t, row % PANEL]
    sums, unused = np.zeros(n_rows), np.zeros(WIDE)
    other = cluster
    for begin in range(first - first % WIDE, n, WIDE):
        _squares(n_rows, rows, panels, begin // PANEL, squares)
        j, end = max(begin, first), min(begin + WIDE, n)
        while j < end:
            inside = j < last  # such a pair is met from both its ends
            stop = min(end, last if inside else ends[other])
            gaining = unused if inside else totals[j:stop]
            for i in range(n_rows):
                sums[i] += _roots(squares[i], j - begin, stop - begin, gaining)
            if stop == ends[other]:
                for i in range(n_rows):
                    if other == cluster:
                        own[first + i] += sums[i]
                    else:
                        mean = sums[i] / (ends[other] - ends[other - 1])
                        nearest[first + i] = min(nearest[first + i], mean)
                    sums[i] = 0.0
                other += 1
            j = stop


@_jit
def finish_cluster(first, last, totals, own, nearest):
    """Hand what rows first..last-1, a whole cluster, added to `totals` to the rows it is of."""
    for j in range(first, last):
        own[j] += totals[j]
        totals[j] = 0.0
    for j in range(last, len(totals)):
        nearest[j] = min(nearest[j], totals[j] / (last - first))
        totals[j] = 0.0
