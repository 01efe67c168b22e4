"""The alternation of Z and modes: a generator, one Snapshot per outer iteration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from slk_core import kernels
from slk_core.assignment import Assignment, Coupling, Stop
from slk_core.graph import Graph
from slk_core.lanes import WIDTH
from slk_core.modes import Modes, ModeUpdate
from slk_core.objective import Terms, balance_term
from slk_core.selection import Selection
from slk_core.threads import workers

_PASSES = 50


@dataclass(frozen=True)
class Snapshot:
    """What one outer iteration (Z, then modes) left behind.

    Attributes
    ----------
    step : int
        Outer iterations completed in this start; 0 shows the seeds.
    start, n_starts : int
        Which start, from 0, of how many.
    objective : float
        E, equation 1, with the balance term.
    relaxation : float
        R, equation 2, with the balance term, at ``entropy_weight``: it never rises from one
        Snapshot of a start to the next while that weight stays.
    objective_terms, relaxation_terms : Terms
        What they consist of.
    modes : float64 ndarray of shape (k, d)
    mode_rows : int64 ndarray of shape (k,)
        The rows that the modes are, or the nearest to them.
    labels : int64 ndarray of shape (n,)
    c : float
        Proximal weight of the last update of Z.
    entropy_weight : float
        t.
    n_passes : int
        Updates of Z in this iteration.
    """

    step: int
    start: int
    n_starts: int
    objective: float
    relaxation: float
    objective_terms: Terms
    relaxation_terms: Terms
    modes: NDArray
    mode_rows: NDArray
    labels: NDArray
    c: float
    entropy_weight: float
    n_passes: int

    @property
    def prototypes(self) -> NDArray:
        """The modes, by the name that all engines share."""
        return self.modes

    @property
    def n_found(self) -> int:
        """Clusters that have rows."""
        return len(np.unique(self.labels))


@dataclass
class Best:
    """The best start so far, in the graph's order."""

    snapshot: Snapshot
    z: NDArray
    history: list[Snapshot]


class Trainer:
    """Runs the starts, one after the other, and keeps the best.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
        In units of the kernel width, in the graph's order.
    graph : Graph
    coupling : Coupling
    kind : str
        How modes are found.
    stages : sequence of float
        Entropy weights, one after the other, Z kept.
    max_iter : int
        Outer iterations at each of them.
    tol : float
        An iteration that lowers R by less than tol for each row is the last.
    reset : bool
        Whether Z begins anew, from the modes alone, at each iteration.
    selection : {"cut", "objective", "silhouette"}, default "cut"
        Which start is kept: of the least normalised cut (of equal ones E), of the least E, or of
        the highest silhouette.
    engine : callable, optional
        Makes the Assignment.
    """

    def __init__(
        self,
        rows: NDArray,
        graph: Graph,
        coupling: Coupling,
        *,
        kind: str,
        stages: Sequence[float],
        max_iter: int,
        tol: float,
        reset: bool = False,
        selection: str = "cut",
        engine: Any = Assignment,
    ) -> None:
        self.rows, self.graph, self.coupling = rows, graph, coupling
        self.stages, self.max_iter, self.tol, self.reset = tuple(stages), max_iter, tol, reset
        self._engine = engine
        self._modes = ModeUpdate(rows, kind, guarded=coupling.guarded)
        n = len(rows)
        W = sparse.csr_array((graph.weights, graph.indices, graph.indptr), shape=(n, n))
        self._selection = Selection(selection, rows, W)
        self._least: tuple[float, float] = (np.inf, np.inf)
        self.best: Best | None = None
        self.objectives: list[float] = []
        self.cuts: list[float] = []

    def run(self, seeds: Sequence[NDArray], stop: Stop | None = None) -> Iterator[Snapshot]:
        """Yield one Snapshot per iteration of each start, after one of its seeds (k, d)."""
        engine, a = None, None
        for i, points in enumerate(seeds):
            if engine is None or a is None:
                n, k = len(self.rows), len(points)
                engine = self._engine(self.graph, k, self.coupling, self.rows.dtype)
                a = engine.columns(n, k, self.rows.dtype)
            history: list[Snapshot] = []
            try:
                for snapshot in self._start(points, engine, a, stop):
                    snapshot = replace(snapshot, start=i, n_starts=len(seeds))
                    history.append(snapshot)
                    yield snapshot
            finally:
                if history:
                    self._keep(history, engine.z)
            if stop is not None and stop():
                return

    def _keep(self, history: list[Snapshot], z: NDArray) -> None:
        last = history[-1]
        self.objectives.append(last.objective)
        labels = last.labels[self.graph.order]
        self.cuts.append(self._selection.cut(labels, len(last.modes)))
        worth = self._selection.worth(labels, self.cuts[-1], last.objective)
        if worth <= self._least:
            self._least = worth
            slim = [replace(each, labels=each.labels[:0]) for each in history]
            self.best = Best(last, z.copy(), slim)

    def _start(
        self, points: NDArray, engine: Any, a: NDArray, stop: Stop | None
    ) -> Iterator[Snapshot]:
        labels = np.zeros(len(self.rows), np.int64)
        modes = self._modes.measure(points, a, engine.z)
        engine.start(a, self.stages[0])
        step, enough = 0, self.tol * len(self.rows)
        sums = self._sums(a, engine.z, labels)
        modes = replace(modes, values=sums[0][: len(points)])
        yield self._snapshot(step, self.stages[0], modes, sums, labels, engine, a, 0)
        for t in self.stages:
            before = np.inf
            for _ in range(self.max_iter):
                if stop is not None and stop():
                    return
                if self.reset:
                    engine.start(a, t)
                passes = engine.descend(a, t, n_passes=_PASSES, enough=enough, stop=stop)
                sums = self._sums(a, engine.z, labels)
                modes = self._modes.update(
                    replace(modes, values=sums[0][: len(points)]), a, engine.z, labels
                )
                step += 1
                snapshot = self._snapshot(step, t, modes, sums, labels, engine, a, passes)
                yield snapshot
                if before - snapshot.relaxation <= enough:
                    break
                before = snapshot.relaxation

    def _sums(self, a: NDArray, z: NDArray, labels: NDArray) -> tuple[NDArray, float, float]:
        """Label the rows; sum z a of each mode, sum w z.z, and the weight inside clusters."""
        graph, width = self.graph, WIDTH[z.dtype]
        blocks = list(zip(graph.edges[:-1], graph.edges[1:], strict=True))
        values = np.zeros((len(blocks), a.shape[1]))
        csr = graph.indptr, graph.indices, graph.weights
        with workers(len(blocks)) as run:
            pairs = run(lambda i: kernels.terms(*blocks[i], width, *csr, a, z, labels, values[i]))
            within = run(lambda i: kernels.inside(*blocks[i], *csr, labels))
        return values.sum(axis=0), sum(pairs), sum(within)

    def _snapshot(
        self,
        step: int,
        t: float,
        modes: Modes,
        sums: tuple[NDArray, float, float],
        labels: NDArray,
        engine: Any,
        a: NDArray,
        passes: int,
    ) -> Snapshot:
        graph, lam, gamma = self.graph, self.coupling.lam, self.coupling.balance
        _, pair, within = sums
        k = len(modes.points)
        soft = balance_term(graph.degrees @ engine.z, graph.degrees, lam, gamma)
        hard = np.bincount(labels, graph.degrees, minlength=k)
        relaxation = Terms(-float(modes.values.sum()), -lam * pair, soft, t * engine.entropy)
        objective = Terms(
            -float(a[np.arange(len(a)), labels].sum(dtype=np.float64)),
            lam * (graph.total - within),
            balance_term(hard, graph.degrees, lam, gamma),
        )
        return Snapshot(
            step, 0, 1, objective.total, relaxation.total, objective, relaxation,
            modes.points.copy(), graph.order[modes.rows], graph.put_back(labels), engine.c, t,
            passes,
        )  # fmt: skip
