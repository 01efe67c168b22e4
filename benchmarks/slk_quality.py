"""How well does SLK cluster without a label, beside the paper's variants and its rivals?

Eighteen sets; those of ``--data DIR`` are left out without it. Columns are standardised, pixels
only divided by their largest value. One start each for ten seeds, and of these ten the one with
the least normalised cut, or the lowest E: choices that see no label. NCUT cuts the same graph.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.cluster import KMeans, SpectralClustering
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from benchmarks.report import Report
from slk_core import SLK
from workbench.metrics import accuracy, ari, nmi
from workbench.toys import circles, elongated, moons

SEEDS = tuple(range(10))
REFERENCE = {
    "MNIST 5k": "mnist_5k", "Zoo": "zoo", "Ecoli": "ecoli", "MovLib": "movement_libras",
    "Yale": "yale", "CTG": "ctg", "Segment": "segment", "MicePE": "mice_protein",
}  # fmt: skip
PIXELS = ("digits", "MNIST 5k", "Yale")
VARIANTS = {
    "SLK-MS": {},
    "SLK-MS, balance .3": {"balance": 0.3},
    "SLK-BO": {"modes": "byproduct"},
    "SLK-Means": {"modes": "means"},
    "SLK, exact modes": {"modes": "exact"},
    "K-modes": {"lam": 0.0, "entropy_weight": 0.0},
}
MEASURES: dict[str, Callable] = {"ACC": accuracy, "NMI": nmi, "ARI": ari}
BARS = {
    ("SLK-MS", "mean of one start", "ACC"): 0.68,
    ("SLK-MS", "mean of one start", "NMI"): 0.58,
    ("SLK-MS", "least cut of ten", "ACC"): 0.73,
    ("SLK-MS", "least cut of ten", "NMI"): 0.66,
}
Judged = dict[str, dict[str, float]]  # rule -> measure -> value


def main(report: Report, data: Path | None = None, minutes: float | None = None) -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    sets = own_sets() | (reference_sets(data) if data else {})
    if data is None:
        print(f"Without --data DIR these are left out: {', '.join(REFERENCE)}.")
    found: dict[str, list[Judged]] = {}
    for name, (X, y) in sets.items():
        report.heading(f"{name}: {X.shape[0]} x {X.shape[1]}, {len(set(y))} classes")
        for method, judged in every_method(X, y).items():
            found.setdefault(method, []).append(judged)
            print(f"{method:18} " + "; ".join(line(rule, told) for rule, told in judged.items()))
    report.heading(f"Means over {len(sets)} sets")
    for method, judged in found.items():
        for rule in judged[0]:
            for measure in MEASURES:
                value = float(np.mean([each[rule][measure] for each in judged]))
                report.figure(
                    f"{method}, {rule}: {measure}", value, BARS.get((method, rule, measure))
                )
    rival = np.mean([each["mean of one start"]["ACC"] for each in found["NCUT"]])
    ours = np.mean([each["least cut of ten"]["ACC"] for each in found["SLK-MS"]])
    report.figure("ACC above NCUT's on the same graph", float(ours - rival), 0.0)


def line(rule: str, told: dict[str, float]) -> str:
    """One rule's scores on one line."""
    scores = ", ".join(f"{measure} {told[measure]:.3f}" for measure in MEASURES)
    spread = f" (+- {told['spread']:.3f})" if "spread" in told else ""
    worth = f" at {told['worth']:.5g}" if "worth" in told else ""
    return f"{rule}: {scores}{spread}{worth}"


def every_method(X: np.ndarray, y: np.ndarray) -> dict[str, Judged]:
    """Scores of each method under each rule of choice."""
    k = len(set(y))
    W, judged = None, {}
    for name, settings in VARIANTS.items():
        fits = [SLK(k, n_init=1, random_state=seed, **settings).fit(X) for seed in SEEDS]
        W = fits[0].affinity_
        judged[name] = by_rules(
            [fit.labels_ for fit in fits],
            y,
            {
                "least cut of ten": [fit.cuts_[0] for fit in fits],
                "lowest E of ten": [fit.objective_ for fit in fits],
            },
        )
    once: dict[str, Any] = {"n_init": 1}
    centres = [KMeans(k, **once, random_state=seed).fit(X) for seed in SEEDS]
    judged["k-means"] = by_rules(
        [fit.labels_ for fit in centres],
        y,
        {"lowest inertia of ten": [float(fit.inertia_ or 0) for fit in centres]},
    )
    cuts = [
        SpectralClustering(k, affinity="precomputed", random_state=seed).fit(W).labels_
        for seed in SEEDS[:3]
    ]
    judged["NCUT"] = by_rules(cuts, y, {})
    return judged


def by_rules(labelings, y, worth: dict[str, list[float]]) -> Judged:
    """Mean and spread over single starts, and by each rule the start of the least worth."""
    scores = [
        {name: measure(labels, y) for name, measure in MEASURES.items()} for labels in labelings
    ]
    mean = {name: float(np.mean([each[name] for each in scores])) for name in MEASURES}
    mean["spread"] = float(np.std([each["ACC"] for each in scores]))
    judged = {"mean of one start": mean}
    for rule, values in worth.items():
        best = int(np.argmin(values))
        judged[rule] = scores[best] | {"worth": float(values[best])}
    return judged


def own_sets() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Sets that come with scikit-learn, and toys."""
    load = {
        "iris": datasets.load_iris, "wine": datasets.load_wine,
        "breast cancer": datasets.load_breast_cancer, "digits": datasets.load_digits,
    }  # fmt: skip
    made = {name: (bunch().data, bunch().target) for name, bunch in load.items()}
    made |= {
        "moons": moons(), "circles": circles(), "elongated 2": elongated(2),
        "elongated 3": elongated(3), "swiss roll": swiss_roll(), "closed curves": closed_curves(),
    }  # fmt: skip
    return {name: (prepared(X, name), y) for name, (X, y) in made.items()}


def reference_sets(folder: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    found = {}
    for name, stem in REFERENCE.items():
        table = pd.read_csv(folder / f"{stem}.csv.gz")
        X = table.drop(columns="label").to_numpy(float)
        found[name] = prepared(X, name), table["label"].to_numpy()
    return found


def prepared(X: np.ndarray, name: str) -> np.ndarray:
    return X / np.abs(X).max() if name in PIXELS else StandardScaler().fit_transform(X)


def swiss_roll(n_samples: int = 1000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw a rolled sheet in four parts along the roll, with gaps between."""
    X, place = datasets.make_swiss_roll(2 * n_samples, noise=0.1, random_state=seed)
    share = (place - place.min()) / np.ptp(place) * 4
    kept = (share % 1 > 0.08) & (share % 1 < 0.92)
    return X[kept][:n_samples], share[kept][:n_samples].astype(int)


def closed_curves(
    n_samples: int = 900, d: int = 50, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Draw three smooth closed curves through each other's middle, in 50 dimensions."""
    rng = np.random.default_rng(seed)
    y = np.arange(n_samples) % 3
    angle = rng.uniform(0, 2 * np.pi, n_samples)
    waves = np.stack([f(m * angle) for m in (1, 2, 3) for f in (np.cos, np.sin)], axis=1)
    ways = rng.normal(size=(3, waves.shape[1], d)) / np.repeat([1, 2, 3], 2)[:, None]
    X = np.einsum("nw,nwd->nd", waves, ways[y])
    return X + rng.normal(0, 0.1, X.shape), y
