"""How much faster are many configurations as one batch than one by one?"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.clam import blobs, images
from benchmarks.report import Report, median_time
from clam_core import ClAM, fit_batch


def main(report: Report, data=None, minutes=None) -> None:
    ClAM(3, n_init=2, n_epochs=1, random_state=0).fit(blobs(50, 4, 3))  # compile outside the clock
    zoo, segment, pictures = blobs(101, 16, 7), blobs(2310, 19, 7), images(5000, 784, 10)
    for n_init in (1, 4, 10, 16):
        case(report, "Zoo-sized", zoo, 7, n_init, 16)
    for n_init in (4, 16):
        case(report, "Segment-sized", segment, 7, n_init, 8, n_epochs=5)
    for n_init in (1, 4):
        case(report, "Image-sized", pictures, 10, n_init, 8, n_epochs=1, n_steps=5)


def case(report, title, X, k, n_init, n_configurations, **settings: Any) -> None:
    """As many betas as told, selection left out, which costs the same both ways."""
    report.heading(f"{title}: {n_configurations} betas x {n_init} restarts")
    settings = {"n_init": n_init, "selection": "loss", "random_state": 0} | settings
    models = [
        ClAM(k, beta=float(beta), **settings) for beta in np.logspace(-1, 0.5, n_configurations)
    ]
    alone = median_time(lambda: [model.fit(X) for model in models], 3)
    memories = [model.restarts_ for model in models]
    together = median_time(lambda: list(fit_batch(models, X)), 3)
    same = all(
        (before == model.restarts_).all() for before, model in zip(memories, models, strict=True)
    )
    report.figure(f"{title}, {n_init} restarts, one by one", alone, unit="s")
    report.figure(f"{title}, {n_init} restarts, as one batch", together, unit="s")
    report.figure(f"{title}, {n_init} restarts, quicker", alone / together, unit="times")
    report.figure(f"{title}, {n_init} restarts, same to the last bit", float(same), 1)
