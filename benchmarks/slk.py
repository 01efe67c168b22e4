"""How much faster is SLK than SciPy's sparse product, its own graph and spectral clustering?"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from typing import Any

THREADS = "2"
os.environ |= dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), THREADS
)  # before NumPy and Numba are imported: this comparison is on two threads

import numpy as np  # noqa: E402
from sklearn.cluster import SpectralClustering  # noqa: E402

from benchmarks.report import Report, median_time  # noqa: E402
from slk_core import SLK, knn_affinity, warm_up  # noqa: E402
from slk_core.assignment import Assignment, Coupling  # noqa: E402
from slk_core.graph import Graph  # noqa: E402
from slk_core.kernels import NOTHING  # noqa: E402
from slk_core.threads import workers  # noqa: E402

GIB = 2**20  # of the kilobytes that the system counts in


def main(report: Report, data=None, minutes=None) -> None:
    warm_up()
    update(report)
    whole(report)
    growth(report)


def blobs(n: int, d: int, k: int, seed: int = 0) -> np.ndarray:
    """Overlapping groups."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(k, d)).astype(np.float32)[rng.integers(k, size=n)]
    return X + 0.7 * rng.standard_normal((n, d), dtype=np.float32)


def problem(W, n_clusters: int) -> tuple[Assignment, np.ndarray]:
    """An update of Z over W for random kernel values, with rows that still move.

    Once none moves the change of R is rounding, and a pass asks after the edges between blocks,
    which those of a fit hardly do.
    """
    n = W.shape[0]
    a = Assignment.columns(n, n_clusters, np.float32)
    a[:] = NOTHING
    a[:, :n_clusters] = np.random.default_rng(0).random((n, n_clusters), dtype=np.float32)
    made = Assignment(Graph.of(W, np.float32), n_clusters, Coupling(3.0), np.float32)
    made.start(a, 1.0)
    made.descend(a, 1.0, n_passes=1, enough=0.0)
    return made, a


def one_pass(made: Assignment, a: np.ndarray, repeats: int = 5) -> float:
    """Seconds of one update of Z, with the change of R."""
    with workers(len(made.graph.edges) - 1) as run:
        return median_time(lambda: made._try(run, a, 1.0, 0.0), repeats)


def in_turn(*clocks: Callable[[], float], repeats: int = 9) -> list[float]:
    """Least seconds of each of several, measured in turn: a busy machine then favours none."""
    return [
        min(seconds)
        for seconds in zip(*([c() for c in clocks] for _ in range(repeats)), strict=True)
    ]


def softmax(logits: np.ndarray) -> np.ndarray:
    logits -= logits.max(axis=1, keepdims=True)
    np.exp(logits, out=logits)
    logits /= logits.sum(axis=1, keepdims=True)
    return logits


def update(report: Report, n: int = 200_000) -> None:
    """Against SciPy's CSR product plus a NumPy softmax, which do not know R."""
    report.heading(f"Update of Z: {n:,} rows, 10 neighbours, {THREADS} threads")
    W = knn_affinity(blobs(n, 4, 20))
    for n_clusters, bar in ((10, 3), (100, 5)):
        made, a = problem(W, n_clusters)
        plain, kernel = made.z[:, :n_clusters].copy(), a[:, :n_clusters].copy()
        ours, theirs = in_turn(
            lambda m=made, a=a: one_pass(m, a, 1),
            lambda p=plain, q=kernel: median_time(lambda: softmax(q + np.float32(6) * (W @ p)), 1),
        )
        spare = np.empty_like(plain)
        floor = median_time(lambda s=spare, p=plain: np.copyto(s, p), 5)
        report.figure(f"L = {n_clusters} pass", 1e3 * ours, unit="ms")
        report.figure(f"L = {n_clusters} SciPy and NumPy", 1e3 * theirs, unit="ms")
        report.figure(f"L = {n_clusters} against them", theirs / ours, bar, unit="times")
        report.figure(
            f"L = {n_clusters} above reading and writing Z once", ours / floor, unit="times"
        )


def whole(report: Report, n: int = 20_000, d: int = 16, k: int = 10) -> None:
    """One start after the graph, against the graph and against spectral clustering on it."""
    report.heading(f"Whole fit: {n:,} x {d}, L = {k}, one start")
    X = blobs(n, d, k)
    graph = median_time(lambda: knn_affinity(X), 1, warm_up=0)
    W = knn_affinity(X)
    one, ten = (SLK(k, n_init=i, random_state=0) for i in (1, 10))
    ours = median_time(lambda: one.fit(X, affinity=W), 3)
    ten_starts = median_time(lambda: ten.fit(X, affinity=W), 1, warm_up=0)
    settings: dict[str, Any] = {"affinity": "precomputed", "assign_labels": "kmeans"}
    rival = SpectralClustering(k, n_init=1, random_state=0, **settings)
    spectral = median_time(lambda: rival.fit(W.astype(np.float64)), 1, warm_up=0)
    report.figure("graph", graph, unit="s")
    report.figure("SLK after the graph, one start", ours, unit="s")
    report.figure("SLK after the graph, ten starts", ten_starts, unit="s")
    report.figure("spectral clustering after the graph", spectral, unit="s")
    report.figure("the graph against SLK", graph / ours, 1, unit="times")
    report.figure("spectral clustering against SLK", spectral / ours, 20, unit="times")


def growth(report: Report, d: int = 64, k: int = 10) -> None:
    """From 20,000 to a million rows: a pass, and the memory of the whole process."""
    report.heading(f"Growth: n x {d}, L = {k}")
    seconds = {}
    for n in (20_000, 1_000_000):
        X = blobs(n, d, k)
        start = time.perf_counter()
        W = knn_affinity(X)
        report.figure(f"{n:,} graph", time.perf_counter() - start, unit="s")
        made, a = problem(W, k)
        seconds[n] = one_pass(made, a)
        report.figure(f"{n:,} pass", 1e3 * seconds[n], unit="ms")
        del made, a
        start = time.perf_counter()
        SLK(k, n_init=1, random_state=0).fit(X, affinity=W)
        report.figure(f"{n:,} fit after the graph", time.perf_counter() - start, unit="s")
    power = np.log(seconds[1_000_000] / seconds[20_000]) / np.log(50)
    report.figure("a pass grows as n to the", float(power), 1.1, at_least=False)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / GIB
    report.figure("peak memory", peak, 4, at_least=False, unit="GiB")
