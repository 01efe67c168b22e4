"""How much faster is training than plain autograd, and than k-means on the same data?"""

from __future__ import annotations

import resource
import time
from typing import Any

import numpy as np
import torch
from sklearn.cluster import KMeans

from benchmarks.plain import PlainTrainer
from benchmarks.report import Report, median_time
from clam_core import ClAM
from clam_core.corruption import Mask
from clam_core.kspace import KSpaceEngine
from clam_core.schedule import Schedule
from clam_core.training import Trainer


def main(report: Report, data=None, minutes=None) -> None:
    ClAM(3, n_init=2, n_epochs=1, random_state=0).fit(blobs(50, 4, 3))  # compile outside the clock
    small(report, "Zoo-sized", n=101, d=16, k=7, n_steps=10, rate=0.2, bars=(500, 1))
    small(report, "Segment-sized", n=2310, d=19, k=7, n_steps=7, rate=0.1, bars=(500, None))
    large(report)
    depth(report)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    report.heading("Memory of the whole process")
    report.figure("peak memory", peak, unit="MB")


def blobs(n: int, d: int, k: int, seed: int = 0) -> np.ndarray:
    """Overlapping groups of unequal size, standardised."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(k, 3.0))
    X = rng.normal(size=(k, d))[rng.choice(k, n, p=shares)] + 0.7 * rng.normal(size=(n, d))
    return (X - X.mean(0)) / X.std(0)


def small(report, title, *, n, d, k, n_steps, rate, bars) -> None:
    """10 restarts, 200 epochs, batches of 8: the whole of fit, selection included."""
    report.heading(f"{title}: {n} x {d}, k = {k}, T = {n_steps}, 10 restarts x 200 epochs, batch 8")
    X = blobs(n, d, k)
    model = ClAM(
        k, beta=1.0, n_steps=n_steps, n_init=10, n_epochs=200, batch_size=8, mask_rate=rate,
        schedule="plateau", selection="loss", random_state=0,
    )  # fmt: skip
    ours = median_time(lambda: model.fit(X), 3)
    plain = PlainTrainer(X[:k], beta=1.0, n_steps=n_steps, rate=rate, learning_rate=0.1)
    one_step = plain.seconds_a_step(X.astype(np.float32), 8)
    n_batches = 10 * 200 * -(-n // 8)
    report.figure(f"{title} fit", ours, unit="s")
    report.figure(f"{title} batch, all restarts", 1e6 * ours / (n_batches / 10), unit="us")
    report.figure(f"{title} autograd, one restart's batch", 1e6 * one_step, unit="us")
    report.figure(f"{title} against autograd", one_step * n_batches / ours, bars[0], unit="times")
    many: dict[str, Any] = {"n_init": 1000}
    kmeans = median_time(
        lambda: KMeans(k, **many, max_iter=1000, random_state=0).fit(X), 1, warm_up=0
    )
    report.figure(
        f"{title} against KMeans(n_init=1000)", kmeans / ours, bars[1], unit="times quicker"
    )


def images(n: int, d: int, k: int) -> np.ndarray:
    """Overlapping groups along a few dozen smooth directions, as images have them."""
    rng = np.random.default_rng(0)
    directions = np.cumsum(rng.normal(size=(40, d)), axis=1) / np.sqrt(d)
    weights = rng.normal(size=(k, 40))[rng.integers(k, size=n)] + rng.normal(size=(n, 40))
    X = (weights @ directions).astype(np.float32)
    X += 0.3 * rng.standard_normal(X.shape, dtype=np.float32)
    return (X - X.mean(0)) / X.std(0)


def trainer_of(X, *, k, n_steps, beta, batch_size) -> Trainer:
    """One restart on torch in k-space."""
    memories = X[None, :k].copy()
    engine = KSpaceEngine(
        memories, np.zeros((1, k)), beta=beta, n_steps=n_steps, step_size=1 / n_steps,
        loss="squared", learn_weights=False, dtype=torch.float32,
    )  # fmt: skip
    fill = np.zeros(X.shape[1], np.float32)
    return Trainer(
        X, None, engine=engine, corruption=Mask(0.15, fill, np.arange(X.shape[1])),
        schedule=Schedule("constant", 0.01, 1, 1), batch_size=batch_size,
        rng=np.random.default_rng(0),
    )  # fmt: skip


def large(report, n=60_000, d=784, k=10, n_steps=5, batch_size=256) -> None:
    """One epoch of one restart, its floor, and one start of k-means."""
    report.heading(f"Image-sized: {n:,} x {d}, k = {k}, T = {n_steps}, batch {batch_size}, 1 epoch")
    X = images(n, d, k)
    trainer = trainer_of(X, k=k, n_steps=n_steps, beta=0.001, batch_size=batch_size)
    ours = median_time(lambda: trainer._pass(0, None), 3)
    plain = PlainTrainer(X[:k], beta=0.001, n_steps=n_steps, rate=0.15, learning_rate=0.01)
    one_step = plain.seconds_a_step(X, batch_size)
    n_batches = -(-n // batch_size)
    report.figure("epoch", ours, unit="s")
    report.figure("batch", 1e6 * ours / n_batches, unit="us")
    report.figure("against autograd", one_step * n_batches / ours, 80, unit="times")
    once: dict[str, Any] = {"n_init": 1}
    start = time.perf_counter()
    KMeans(k, **once, random_state=0).fit(X)
    kmeans = time.perf_counter() - start
    report.figure("KMeans(n_init=1)", kmeans, unit="s")
    report.figure("epoch against KMeans(n_init=1)", ours / kmeans, 1 / 8, at_least=False)
    floor(report, X, k, n_steps, batch_size, ours)


def floor(report, X, k, n_steps, batch_size, seconds) -> None:
    """Share of what this machine needs for the bytes and operations that cannot be spared.

    Each row is read twice (inner products, gradient), the second time from cache; 4 n d k
    operations go through two matrix products. Both rates are measured here, in the same run.
    """
    n, d = X.shape
    rows, flat = torch.from_numpy(X), torch.from_numpy(X[:k].copy())
    read = median_time(lambda: rows.sum(), 3)
    many = rows[:4096]
    square = torch.randn(d, d)
    rate = 2 * len(many) * d * d / median_time(lambda: many @ square, 3)
    operations = 4 * n * d * k + 4 * n * n_steps * k * (3 * k + 12)
    report.figure("bytes read once", X.nbytes / 1e6, unit="MB")
    report.figure("operations", operations / 1e9, unit="G")
    report.figure("share of the floor", (read + operations / rate) / seconds)
    products = median_time(
        lambda: [
            (rows[i : i + batch_size] @ flat.T).T @ rows[i : i + batch_size]
            for i in range(0, n, batch_size)
        ],
        3,
    )
    report.figure("its two matrix products alone", products / seconds, unit="of an epoch")


def depth(report, n=20_000, d=784, k=10) -> None:
    """T is nearly free where d is large."""
    report.heading(f"Depth: {n:,} x {d}, k = {k}, T = 100 against T = 1")
    X = images(n, d, k)
    seconds = {}
    for n_steps in (1, 100):
        trainer = trainer_of(X, k=k, n_steps=n_steps, beta=0.001, batch_size=256)
        seconds[n_steps] = median_time(lambda t=trainer: t._pass(0, None), 3)
    report.figure("training, T = 100 / T = 1", seconds[100] / seconds[1], 4, at_least=False)
    models = {
        t: ClAM(k, beta=0.001, n_steps=t, n_init=1, n_epochs=1).fit(X[:500]) for t in (1, 100)
    }
    rows = X.astype(np.float64)
    times = {t: median_time(lambda m=m: m.predict(rows), 3) for t, m in models.items()}
    report.figure("prediction, T = 100 / T = 1", times[100] / times[1], 4, at_least=False)
