"""ClAM's Figure 6: memories that are images, at epochs of their training."""

from functools import partial

import numpy as np

from workbench.figures.tiles import tiles_figure
from workbench.methods import METHODS
from workbench.progress import Cancelled
from workbench.reproduction.item import Claim, Compared, Outcome, Panel, Parts, built
from workbench.table import DataError

EPOCHS = (0, 5, 10, 20, 50, 100)
"""Those of the figure's panels."""
_STEPS = 10
_MOST = 5000  # rows: an epoch of more takes long, and prototypes look the same
_DRAWN = 12  # prototypes


def evolution(asked, report, stop):
    """Train ClAM on images and keep its memories at the epochs of the figure.

    Parameters
    ----------
    asked : Asked
        Its first source: square images.
    report, stop : callable
        As for a job.

    Returns
    -------
    Outcome

    Raises
    ------
    DataError
        Where rows are not square images.
    """
    rows = asked.sources[0].load()
    if not rows.side:
        raise DataError(
            f"{rows.name} has {rows.X.shape[1]:,} features: rows should be square images of 8 x 8 "
            "pixels or more."
        )
    X = rows.X
    if len(X) > _MOST:
        X = X[np.sort(np.random.default_rng(0).choice(len(X), _MOST, replace=False))]
    kept, losses = _trained(X, rows.k, report, stop)
    last = max(kept)
    total = np.linalg.norm(kept[last] - kept[0])
    ways = {epoch: 1 - np.linalg.norm(kept[last] - at) / total for epoch, at in kept.items()}
    return Outcome(
        rows=_rows(rows.name, losses, ways),
        claims=(_claim(ways, last),),
        panels=(_panel(rows, kept),),
        notes=_notes(rows, X),
    )


def _trained(X, k, report, stop):
    """Memories (k, d) and loss by epoch."""
    settings = {
        "n_clusters": k, "n_steps": _STEPS, "n_epochs": EPOCHS[-1], "n_init": 1,
        "init": "gaussian", "schedule": "plateau", "learning_rate": 0.01, "corruption": "mask",
    }  # fmt: skip
    parts = Parts(1, report)
    kept, losses = {}, {}
    for snapshot in built(METHODS["clam"], settings).fit_iter(X, stop=stop):
        parts.within(snapshot.step / EPOCHS[-1])
        if snapshot.step in EPOCHS:
            kept[snapshot.step] = np.array(snapshot.prototypes).reshape(-1, k, X.shape[1])[0]
            losses[snapshot.step] = float(snapshot.objective)
    if len(kept) < 2:
        raise Cancelled
    return kept, losses


def _rows(name, losses, ways):
    silent = "The paper draws the memories and prints no number for them."
    rows = []
    for epoch, loss in losses.items():
        rows.append(Compared(name, f"loss at epoch {epoch}", ours=loss, why=silent))
        way = f"way gone by epoch {epoch}"
        rows.append(Compared(name, way, ours=float(ways[epoch]), why=silent))
    return tuple(rows)


def _claim(ways, last):
    early, late = ways.get(10, 0.0), ways.get(50, 0.0)
    return Claim(
        "Memories start at random, show patterns from about epoch 10, and hardly move after 50.",
        f"At epoch 10 they have gone {early:.0%} of their way, at epoch 50 {late:.0%}, of "
        f"{last} epochs.",
        bool(early > 0.2 and late > 0.8),
    )


def _panel(rows, kept):
    shown = min(rows.k, _DRAWN)
    images = np.stack([kept[epoch][:shown] for epoch in kept], axis=1)
    if rows.name == "Yale":
        images = _upright(images, rows.side)
    words = (
        f"{shown} memories at epochs {', '.join(map(str, kept))}: amber above 0, blue below, the "
        "page's own colour at 0. Each column has a scale of its own."
    )
    columns = [f"epoch {epoch}" if not epoch else str(epoch) for epoch in kept]
    draw = partial(_drawn, images, rows.side, columns, [str(number + 1) for number in range(shown)])
    return Panel("Memories by epoch", words, draw)


def _upright(images, side):
    """Turn faces of Yale, whose pixels run down the image."""
    square = images.reshape(*images.shape[:2], side, side)
    return square.swapaxes(2, 3).reshape(images.shape)


def _drawn(images, side, columns, names, dark):
    return tiles_figure(images, side=side, columns=columns, rows=names, dark=dark)


def _notes(rows, X):
    notes = [
        f"{len(X):,} images of {rows.side} x {rows.side} pixels, standardised; k = {rows.k}, "
        "T = 10, one start from random memories, β chosen automatically."
    ]
    if len(X) < len(rows.X):
        notes.append(f"They are drawn evenly from {len(rows.X):,}.")
    if rows.name != "FMNIST":
        notes.append("The paper shows the 60,000 images of Fashion MNIST; these are others.")
    return tuple(notes)
