"""The affinity as the passes read it: CSR arrays, neighbouring rows near each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.csgraph import reverse_cuthill_mckee

from slk_core.affinity import degrees
from slk_core.threads import block_edges


@dataclass(frozen=True)
class Graph:
    """A symmetric W in an order of its own.

    Attributes
    ----------
    indptr, indices, weights : ndarray
        CSR of W with rows and columns in `order`.
    degrees : ndarray of shape (n,)
        d, its row sums, in that order.
    order : int64 ndarray of shape (n,)
        Row order[i] of the data stands at place i.
    edges : list of int
        Where the blocks begin and end.
    """

    indptr: NDArray
    indices: NDArray
    weights: NDArray
    degrees: NDArray
    order: NDArray
    edges: list[int]

    @classmethod
    def of(cls, W: Any, dtype: Any) -> Graph:
        """Take a symmetric CSR W (n, n); several blocks are ordered by reverse Cuthill-McKee."""
        n = W.shape[0]
        edges, order = block_edges(n), np.arange(n)
        if len(edges) > 2:
            order = reverse_cuthill_mckee(W, symmetric_mode=True).astype(np.int64)
            W = W[order][:, order]
        return cls(
            W.indptr, W.indices, W.data.astype(dtype), degrees(W).astype(dtype), order, edges
        )

    @property
    def total(self) -> float:
        """Sum of all weights."""
        return float(self.degrees.sum(dtype=np.float64))

    def put_back(self, values: NDArray) -> NDArray:
        """Return rows that stand in this order (n, ...) in the order of the data."""
        back = np.empty_like(values)
        back[self.order] = values
        return back
