"""Which restart finds the paper's Figure 1, and which selection rule finds that restart?

Two elongated clusters; noise of 0.01 as corruption, memories from N(0.2, 0.1), 10 epochs, 200
restarts. ARI against the truth of every restart, of the one that the loss picks, and of those that
the silhouette picks, Euclidean or under the covariance of the whole data; and the same for k-means
from the same starts. Untrained memories are counted beside them.
"""

from typing import Any

import numpy as np
import torch
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score

from benchmarks.report import Report
from clam_core import ClAM
from clam_core.selection import silhouettes, whitened
from workbench.toys import elongated

SEEDS, RESTARTS, FOUND = range(10), 200, 0.95


def main(report: Report, data=None, minutes=None) -> None:
    aris: dict[str, list[np.ndarray]] = {}
    picks: dict[str, list[float]] = {}
    for seed in SEEDS:
        X, y = elongated(2, seed=seed)
        starts = np.random.default_rng(seed).normal(0.2, 0.1, size=(RESTARTS, 2, 2))
        for name, (labelings, objective) in contenders(X, starts, seed).items():
            scores = np.array([adjusted_rand_score(y, labels) for labels in labelings])
            aris.setdefault(name, []).append(scores)
            for rule, index in chosen(X, labelings, objective).items():
                picks.setdefault(f"{name}, picked by {rule}", []).append(float(scores[index]))
    for name, scores in aris.items():
        report.heading(f"{name}: ARI of {RESTARTS} restarts, seeds 0 to 9")
        every = np.concatenate(scores)
        for share in (10, 50, 90):
            report.figure(f"{name}: ARI, percentile {share}", float(np.percentile(every, share)))
        report.figure(f"{name}: share of restarts with ARI >= .9", float((every >= 0.9).mean()))
        for rule, values in picks.items():
            if rule.startswith(f"{name},"):
                report.figure(f"{rule}: mean ARI", float(np.mean(values)))
                bar = 8 if rule == "ClAM, picked by Mahalanobis silhouette" else None
                hits = sum(value >= FOUND for value in values)
                report.figure(f"{rule}: seeds with ARI >= {FOUND}", hits, bar)


def contenders(X: np.ndarray, starts: np.ndarray, seed: int) -> dict:
    """Labels of every restart and the objective that each method has of its own."""
    model = ClAM(
        2, beta=150, corruption="noise", noise_scale=0.01 / X.std(0).mean(), init=starts,
        n_init=RESTARTS, n_epochs=10, learning_rate=0.02, batch_size=32, schedule="constant",
        selection="loss", random_state=seed,
    ).fit(X)  # fmt: skip
    once: dict[str, Any] = {"n_init": 1}
    kmeans = [KMeans(2, init=start, **once).fit(X) for start in starts]
    nearest = ((X[None, :, None] - starts[:, None]) ** 2).sum(3).argmin(2)
    return {
        "ClAM": (model.predict_restarts(X), model.restart_losses_),
        "k-means": (
            np.array([fit.labels_ for fit in kmeans], dtype=np.int64),
            np.array([fit.inertia_ for fit in kmeans]),
        ),
        "untrained memories": (nearest, None),
    }


def chosen(X: np.ndarray, labelings: np.ndarray, objective: np.ndarray | None) -> dict[str, int]:
    rows, labels = torch.from_numpy(X), torch.from_numpy(labelings)
    picked = {
        "silhouette": int(silhouettes(rows, labels)[0].argmax()),
        "Mahalanobis silhouette": int(silhouettes(whitened(rows), labels)[0].argmax()),
    }
    return picked if objective is None else {"own objective": int(objective.argmin())} | picked
