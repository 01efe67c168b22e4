"""Blocks of rows, and threads that share them: compiled code lets go of Python's lock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numba
import numpy as np

_ROWS_A_BLOCK = 8192
_MOST_BLOCKS = 16

Run = Callable[[Callable[[int], Any]], list[Any]]
"""Calls a function with each block's number and returns what it returned, in order."""


def block_edges(n: int) -> list[int]:
    """Where blocks of n rows begin and end: by size alone, so that threads change no result."""
    count = max(1, min(_MOST_BLOCKS, n // _ROWS_A_BLOCK))
    return [int(edge) for edge in np.linspace(0, n, count + 1)]


@contextmanager
def workers(n_blocks: int) -> Iterator[Run]:
    """Give a function that runs all blocks on as many threads as Numba may use.

    Threads of our own serve any threading layer, and several sessions at once, which Numba's own
    do not everywhere.
    """
    n_threads = min(n_blocks, numba.get_num_threads())
    if n_threads == 1:
        yield lambda function: [function(i) for i in range(n_blocks)]
        return
    with ThreadPoolExecutor(n_threads) as pool:
        yield lambda function: list(pool.map(function, range(n_blocks)))
