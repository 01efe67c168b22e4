"""The update of Z for fixed modes, which never raises the relaxation R."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from slk_core import kernels
from slk_core.graph import Graph
from slk_core.lanes import WIDTH, padded
from slk_core.threads import Run, workers

Stop = Callable[[], bool]
_BATCH, _LARGE = 8, 1024
"""Rows that see one d'Z together, and from how many rows on."""
_FIRST_C, _RAISE, _DECAY, _LEAST_C = 0.25, 2.0, 0.8, 0.05


@dataclass(frozen=True)
class Coupling:
    """What ties rows to each other.

    Attributes
    ----------
    lam : float
        Weight of the Laplacian.
    balance : float
        gamma, weight of the balance term.
    factor : float
        2 minimises the bound; the published program has 1, with all rows updated at once and
        nothing that keeps R from rising.
    """

    lam: float
    balance: float = 0.0
    factor: float = 2.0

    @property
    def guarded(self) -> bool:
        """Whether R must not rise."""
        return self.factor == 2

    def pull(self, graph: Graph) -> float:
        """2 lam gamma / sum(d), with the factor in place of 2."""
        total = graph.total
        return self.factor * self.lam * self.balance / total if total > 0 else 0.0

    def enough(self, graph: Graph, t: float) -> float:
        """A c at which no update raises R: lam (1 + gamma) max(d) / t bounds the curvature."""
        if not len(graph.degrees) or t <= 0:
            return 0.0
        return self.lam * (1 + self.balance) * float(graph.degrees.max()) / t


class Proximal:
    """The weight c of the proximal term: raised when R would rise, then left to decay."""

    def __init__(self) -> None:
        self.c = 0.0

    def rise(self, enough: float) -> bool:
        """Raise c, up to what is always enough; False when it is there already."""
        if self.c >= enough:
            return False
        self.c = min(max(_FIRST_C, _RAISE * self.c), enough)
        return True

    def decay(self) -> None:
        """Let c fall after a pass that was accepted."""
        self.c = self.c * _DECAY if self.c > _LEAST_C else 0.0


class Assignment:
    r"""Z, and its update for fixed modes.

    .. math:: z_p = \mathrm{softmax}\left( \frac{(a_p + 2 \lambda b_p) / t + c \log z_p}{1 + c}
        \right), \quad b = W Z

    with the balance's slope taken from :math:`2 \lambda b`: equation 8 of Ziko et al. (2018) with a
    proximal term. Rows of a block are updated in turn, where c = 0 already is exact descent;
    c is needed where blocks move at once.

    Parameters
    ----------
    graph : Graph
    n_clusters : int
    coupling : Coupling
    dtype : numpy dtype
    at_once : bool, default False
        Update all rows at once, as the paper has it, whatever the blocks.

    Attributes
    ----------
    z : ndarray of shape (n, k)
        In the graph's order, with k padded to whole registers, as :meth:`columns` makes them.
    c : float
        Proximal weight of the last pass that was accepted.
    """

    def __init__(
        self, graph: Graph, n_clusters: int, coupling: Coupling, dtype, *, at_once: bool = False
    ) -> None:
        self.graph, self.coupling = graph, coupling
        self.at_once = at_once or not coupling.guarded
        n, edges = len(graph.degrees), graph.edges
        self._blocks = list(zip(edges[:-1], edges[1:], strict=True))
        self._in_place = len(self._blocks) == 1 and not self.at_once
        self._width = WIDTH[np.dtype(dtype)]
        self.z = self.columns(n, n_clusters, dtype)
        self._next = self.z if self._in_place else self.columns(n, n_clusters, dtype)
        self._entropies = [0.0] * len(self._blocks)
        self._weights = (coupling.factor * coupling.lam * graph.weights).astype(dtype)
        self._pull = coupling.pull(graph)
        self._proximal = Proximal()
        self._scratch = np.zeros((len(self._blocks), 3, 1, self.z.shape[1]), dtype)
        self._ties = np.zeros_like(graph.degrees)
        for first, last in self._blocks:
            csr = graph.indptr, graph.indices, graph.weights
            kernels.tied(first, last, not self.at_once, *csr, self._ties)
        self._ties *= coupling.lam
        self._batch = _BATCH if len(self.z) >= _LARGE else 1
        self.c = 0.0

    @staticmethod
    def columns(n: int, n_clusters: int, dtype) -> NDArray:
        """Zeros (n, k), k padded to whole registers, rows aligned to cache lines where they fit."""
        k = padded(n_clusters, dtype)
        size = n * k * np.dtype(dtype).itemsize
        memory = np.zeros(size + 64, np.uint8)
        first = -memory.ctypes.data % 64
        return memory[first : first + size].view(dtype).reshape(n, k)

    @property
    def entropy(self) -> float:
        """Sum of z log z over all rows."""
        return float(sum(self._entropies))

    def start(self, a: NDArray, t: float) -> None:
        """Set Z to softmax(a / t), one-hot where t = 0."""
        with workers(len(self._blocks)) as run:
            self._entropies = run(
                lambda i: kernels.start(
                    *self._blocks[i], self._width, a, t, self.z, self._scratch[i]
                )
            )
        self._proximal.c = self.c = 0.0

    def descend(
        self, a: NDArray, t: float, *, n_passes: int, enough: float, stop: Stop | None = None
    ) -> int:
        """Update until a pass lowers R by no more than `enough`, or is stopped.

        Parameters
        ----------
        a : ndarray of shape (n, k)
            Kernel to the modes, in the graph's order.
        t : float
            Entropy weight; 0 assigns hard.
        n_passes : int
        enough : float
        stop : callable returning bool, optional
            Asked before each pass, where there are several blocks.

        Returns
        -------
        int
            Passes made.
        """
        if self._in_place:
            return self._in_turn(a, t, n_passes, enough)
        with workers(len(self._blocks)) as run:
            for i in range(n_passes):
                if stop is not None and stop():
                    return i
                if -self._pass(run, a, t) <= enough:
                    return i + 1
        return n_passes

    def _in_turn(self, a: NDArray, t: float, n_passes: int, enough: float) -> int:
        """All rows in turn, in place: descends for any W."""
        _, done, entropy = kernels.descend(
            n_passes, enough, self.entropy, self._width, *self._csr(), a, self.z, self._sums(),
            np.zeros_like(self.z[:1]), self.graph.degrees, self._ties,
            (float(t), 0.0, self._pull, self._batch), self._scratch[0],
        )  # fmt: skip
        self._entropies = [entropy]
        return done

    def _pass(self, run: Run, a: NDArray, t: float) -> float:
        """One pass over all blocks; the change of R, never above 0 where it is guarded."""
        slack = 1e-9 * len(a)
        while True:
            change, entropies = self._try(run, a, t, self._proximal.c)
            if change <= 0 or not self.coupling.guarded:
                break
            if change <= slack or not self._proximal.rise(self.coupling.enough(self.graph, t)):
                # Blocks at once cannot descend any more (rounding, t = 0): one pass in turn.
                self._in_turn(a, t, 1, 0.0)
                return 0.0
        self.c = self._proximal.c
        self._proximal.decay()
        self.z, self._next = self._next, self.z
        self._entropies = entropies
        return change

    def _try(self, run: Run, a: NDArray, t: float, c: float) -> tuple[float, list[float]]:
        """Sweep all blocks into the spare Z; the change of R (or a bound of it), the entropies.

        An edge whose ends both move adds -2 lam w times the product of their changes, which is at
        most lam w times the sum of their squares: where that leaves R falling it is good enough.
        """
        numbers = float(t), float(c), self._pull, self._batch
        before = self._sums()
        seen = [before.copy() for _ in self._blocks]
        drift = [np.zeros_like(before) for _ in self._blocks]

        def sweep(i: int) -> tuple[float, float, float]:
            return kernels.sweep(
                *self._blocks[i], not self.at_once, self._width, *self._csr(), a, self.z,
                self._next, seen[i], drift[i], self.graph.degrees,
                self._ties, numbers, self._scratch[i],
            )  # fmt: skip

        def crossing(i: int) -> float:
            return kernels.crossing(
                *self._blocks[i], not self.at_once, self._width, *self._csr(), self.z, self._next
            )

        gained, most, entropies = zip(*run(sweep), strict=True)
        change = sum(gained) + t * (sum(entropies) - sum(self._entropies))
        if not self.coupling.guarded:
            return change, list(entropies)
        moved = [each.astype(np.float64) for each in drift]
        together = float(np.square(np.sum(moved, axis=0)).sum())
        # What a block's own rows did to the balance in turn is counted already.
        apart = sum(float(np.square(each).sum()) for each in moved if not self.at_once)
        change += self._pull / 2 * (together - apart)
        if change + sum(most) <= 0:
            return change + sum(most), list(entropies)
        return change + sum(run(crossing)), list(entropies)

    def _csr(self) -> tuple[NDArray, NDArray, NDArray]:
        return self.graph.indptr, self.graph.indices, self._weights

    def _sums(self) -> NDArray:
        """D'Z, where it counts."""
        if self._pull == 0:
            return np.zeros_like(self.z[:1])
        return (self.graph.degrees @ self.z)[None]
