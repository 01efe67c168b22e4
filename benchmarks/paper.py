"""How near do we come to Tables 1, 2 and 9, with the paper's settings and with our defaults?

Needs ``--data DIR``, the folder of the reference sets. What is computed is kept in
``benchmarks/.cache``, so that a run cut off by ``--minutes`` goes on where it stopped.

With ``--all`` every method of the bench runs on every set that it can, and docs/results.md is
written (see `benchmarks.tables`).

Two selection rules never mix: *by own objective* (k-means: inertia; ClAM: loss on fixed masks) and
*by SC* (the highest silhouette among the restarts; the paper's rule).
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import torch
from sklearn import datasets
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score
from sklearn.preprocessing import StandardScaler

from benchmarks.report import Report
from clam_core import ClAM
from clam_core.selection import silhouettes
from workbench.papers import TABLES

CACHE = Path(__file__).parent / ".cache" / "paper.json"
VERSION = 3
"""To be raised whenever training or selection changes: older answers are then forgotten."""


KMEANS_BARS = ("Zoo", "Ecoli", "USPS", "CTG", "Segment")
CLAM_BARS = ("Zoo", "Ecoli", "MovLib", "USPS")
OWN = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
}
GRID = {
    "factor": (0.25, 0.5, 1, 2, 4),  # of beta="auto"
    "n_steps": (5, 10, 20),
    "corruption": ("mask", "none"),
    "init": ("k-means++", "gaussian"),
}
SEEDS = tuple(range(60))
"""Twenty leave the mean gain uncertain by a quarter of what it is."""
STARTS = 1000


def main(
    report: Report,
    data: Path | None = None,
    minutes: float | None = None,
    *,
    every: bool = False,
    limit: float | None = None,
) -> None:
    if every:
        from benchmarks import tables

        return tables.main(report, data, minutes, limit)
    if data is None:
        print("Needs --data DIR, a folder with zoo.csv.gz and the other sets; nothing was run.")
        report.missed.append("all of it")
        return
    store = Store(CACHE, time.monotonic() + 60 * (minutes or 10))
    tables = {name: read(data / f"{row.file}.csv.gz") for name, row in TABLES.items()}
    try:
        for name, row in TABLES.items():
            published_settings(report, store, name, row, *tables[name])
        best_over_grid(report, store, tables)
        defaults(report, store, tables)
    except OutOfTime as unfinished:
        print(f"\nOut of time before {unfinished}; run again to go on from here.")
        report.missed.append("unfinished")


class OutOfTime(Exception):
    """The budget ended before a figure could be computed."""


class Store:
    """Answers already computed, on disk, and the time left for more."""

    def __init__(self, path: Path, deadline: float) -> None:
        self.path, self.deadline = path, deadline
        kept = json.loads(path.read_text()) if path.exists() else {}
        self.answers: dict[str, dict] = kept.get(f"version {VERSION}", {})

    def get(self, key: str, compute: Callable[..., dict], *args, **settings) -> dict:
        if key not in self.answers:
            if time.monotonic() > self.deadline:
                raise OutOfTime(key)
            self.answers[key] = compute(*args, **settings)
            self.path.parent.mkdir(exist_ok=True)
            self.path.write_text(json.dumps({f"version {VERSION}": self.answers}))
        return self.answers[key]


def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Standardised features and the label of each row."""
    table = pd.read_csv(path)
    return StandardScaler().fit_transform(table.drop(columns="label")), table["label"].to_numpy()


def judged(X: np.ndarray, y: np.ndarray, labelings: np.ndarray, objective: np.ndarray) -> dict:
    """Scores under both rules, and under the product's own (all clusters first, then SC)."""
    rows = np.arange(len(X))
    if len(X) > 10_000:
        rows = np.random.default_rng(0).choice(len(X), 10_000, replace=False)
    scores, found = silhouettes(torch.from_numpy(X[rows]), torch.from_numpy(labelings[:, rows]))
    kept = {
        "own objective": int(np.argmin(objective)),
        "SC": int(np.argmax(scores)),
        "all clusters, then SC": int(np.lexsort((scores, found))[-1]),
    }
    return {
        rule: {
            "SC": float(scores[i]),
            "NMI": float(normalized_mutual_info_score(y, labelings[i])),
            "ARI": float(adjusted_rand_score(y, labelings[i])),
            "non-empty": int(found[i]),
        }
        for rule, i in kept.items()
    }


def kmeans(X: np.ndarray, y: np.ndarray, starts: int, seed: int = 0) -> dict:
    """k-means from single starts, 1000 steps at most each."""
    k = len(set(y))
    once: dict[str, Any] = {"n_init": 1, "max_iter": 1000}
    fits = [KMeans(k, **once, random_state=10_000 * seed + i).fit(X) for i in range(starts)]
    return judged(X, y, np.array([f.labels_ for f in fits], dtype=np.int64),
                  np.array([f.inertia_ for f in fits]))  # fmt: skip


def clam(X: np.ndarray, y: np.ndarray, **settings) -> dict:
    """ClAM's restarts, all of them kept."""
    model = ClAM(len(set(y)), **settings).fit(X)
    judgement = judged(X, y, model.predict_restarts(X), model.restart_losses_)
    return judgement | {"beta": model.beta_}


def show(report: Report, title: str, scores: dict, bars: dict | None = None) -> None:
    for measure, value in scores.items():
        report.figure(f"{title}: {measure}", value, (bars or {}).get(measure))


def published_settings(report, store, name, row, X, y) -> None:
    """Table 6's settings, 10 restarts, beside k-means from as many starts and from 1000."""
    report.heading(
        f"{name} {X.shape[0]} x {X.shape[1]}, {len(set(y))} classes. Paper: k-means SC, NMI, ARI "
        f"{row.kmeans.line}; ClAM {row.clam.line}"
    )
    many = store.get(f"{name}/kmeans/{STARTS}", kmeans, X, y, STARTS)
    few = store.get(f"{name}/kmeans/10", kmeans, X, y, 10)
    ours = store.get(
        f"{name}/table 6", clam, X, y,
        **row.settings(), n_init=10, random_state=0,
    )  # fmt: skip
    for rule in ("own objective", "SC"):
        show(report, f"{name}, k-means, {STARTS} starts, by {rule}", many[rule])
        if rule == "own objective" and name in KMEANS_BARS:
            gap = abs(many[rule]["SC"] - row.kmeans.silhouette)
            report.figure(f"{name}, k-means: |SC - Table 1|", round(gap, 4), 0.005, at_least=False)
        show(report, f"{name}, k-means, 10 starts, by {rule}", few[rule])
        show(report, f"{name}, ClAM with Table 6's settings, by {rule}", ours[rule])


def best_over_grid(report, store, tables) -> None:
    """ClAM by SC over a stated grid, at most two empty clusters; the paper's way to Table 1."""
    report.heading(f"ClAM by SC over the grid {GRID}, 32 restarts each, at most 2 empty clusters")
    for name in CLAM_BARS:
        X, y = tables[name]
        best, at = None, ""
        auto = store.get(f"{name}/auto beta", auto_beta_of, X, y)["beta"]
        for factor, n_steps, corruption, init in itertools.product(*GRID.values()):
            at_this = f"{factor} auto beta, T = {n_steps}, {corruption}, {init}"
            found = store.get(
                f"{name}/grid/{at_this}", clam, X, y, beta=factor * auto, n_steps=n_steps,
                corruption=corruption, init=init, n_init=32, random_state=0,
            )  # fmt: skip
            for rule in ("SC", "all clusters, then SC"):
                scores = found[rule]
                if scores["non-empty"] < len(set(y)) - 2:
                    continue
                if best is None or scores["SC"] > best["SC"]:
                    best, at = scores, at_this
        assert best is not None
        print(f"{name}: best at {at}; Table 1 has {TABLES[name].clam.silhouette}")
        show(report, f"{name}, ClAM over the grid, by SC", best,
             {"SC": TABLES[name].clam.silhouette - 0.015})  # fmt: skip


def auto_beta_of(X: np.ndarray, y: np.ndarray) -> dict:
    return {"beta": float(ClAM(len(set(y)), n_init=1, n_epochs=1, random_state=0).fit(X).beta_)}


def defaults(report, store, tables) -> None:
    """Out of the box against k-means from as many starts, under both of k-means' rules."""
    report.heading("Our defaults against k-means from 16 starts; means over seeds 0 to 59")
    tables = tables | {name: standardised(load) for name, load in OWN.items()}
    gains: dict[str, list[float]] = {"own objective": [], "SC": []}
    alike: list[float] = []  # both by SC, where ClAM may keep a restart with fewer clusters
    for name, (X, y) in tables.items():
        ours = [store.get(f"{name}/defaults/{s}", clam, X, y, random_state=s) for s in SEEDS]
        theirs = [store.get(f"{name}/kmeans/16/{s}", kmeans, X, y, 16, s) for s in SEEDS]
        show(report, f"{name}, ClAM as it comes", mean_of(ours, "all clusters, then SC"))
        show(report, f"{name}, ClAM by own objective", mean_of(ours, "own objective"))
        show(report, f"{name}, ClAM by SC", mean_of(ours, "SC"))
        for rule, gained in gains.items():
            against = mean_of(theirs, rule)
            show(report, f"{name}, k-means by {rule}", against)
            gained.append(mean_of(ours, "all clusters, then SC")["NMI"] - against["NMI"])
        alike.append(mean_of(ours, "SC")["NMI"] - mean_of(theirs, "SC")["NMI"])
    report.heading(f"Mean gain in NMI over {len(tables)} sets")
    report.figure("against k-means by inertia", float(np.mean(gains["own objective"])), 0.012)
    report.figure("against k-means by SC", float(np.mean(gains["SC"])), 0.008)
    report.figure("both by SC", float(np.mean(alike)))


def standardised(load) -> tuple[np.ndarray, np.ndarray]:
    bunch = load()
    return StandardScaler().fit_transform(bunch.data), bunch.target


def mean_of(judgements: list[dict], rule: str) -> dict:
    return {m: float(np.mean([j[rule][m] for j in judgements])) for m in judgements[0][rule]}
