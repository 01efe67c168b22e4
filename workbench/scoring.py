"""What a run is worth: silhouettes of its rows, and agreement with reference labels."""

from dataclasses import replace

import numpy as np

from workbench import metrics
from workbench.device import settle
from workbench.progress import each_step
from workbench.silhouettes import EXACT, sampling_margin
from workbench.words import count

_HASTY_ROWS = 2000  # scored where the answer should come at once


def row_silhouettes(X, labels, *, device, report, stop):
    """Return the silhouettes of rows, those rows, and a sentence where they are a sample.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    labels : ndarray of int, shape (n,)
    device : str
    report : callable
        Takes a Progress.
    stop : callable returning bool
        What it stops is scored on 2000 rows, which takes no time.

    Returns
    -------
    values : ndarray of shape (s,)
    rows : ndarray of int, shape (s,)
    note : str
    """
    values = rows = np.empty(0)
    if not stop():
        step = each_step("scoring", report, stop)
        values, rows = metrics.silhouette_samples(X, labels, step=step, device=device)
    if stop() and not len(values):
        values, rows = metrics.silhouette_samples(X, labels, sample=_HASTY_ROWS)
    n_rows = np.count_nonzero(labels >= 0)
    if len(values) in (0, n_rows):
        return values, rows, ""
    margin = sampling_margin(X, labels, rows, device=device)
    return values, rows, metrics.sampling_note(n_rows, len(rows), margin)


def scores_of(silhouettes, labels, y):
    """Return the mean silhouette, and NMI and ARI where there are reference labels."""
    scores = {"silhouette": float(silhouettes.mean()) if len(silhouettes) else float("nan")}
    if y is not None:
        scores |= {"nmi": metrics.nmi(labels, y), "ari": metrics.ari(labels, y)}
    return scores


def is_partly_scored(run):
    """Whether a run has silhouettes of a sample only, and few enough rows to score them all."""
    return 0 < len(run.scored) < np.count_nonzero(run.labels >= 0) <= EXACT


def score_all(run, report, stop):
    """Score all rows of a run that has silhouettes of a sample.

    Parameters
    ----------
    run : workbench.run.Run
    report : callable
        Takes a Progress.
    stop : callable returning bool

    Returns
    -------
    workbench.run.Run
        The same one where it was stopped.
    """
    values, rows = metrics.silhouette_samples(
        run.dataset.X, run.labels, sample=EXACT, step=each_step("scoring", report, stop),
        device=settle(run.recipe.device)[0],
    )  # fmt: skip
    if not len(values):
        return run
    n_rows = np.count_nonzero(run.labels >= 0)
    before = metrics.sampling_note(n_rows, len(run.scored))
    rival = ", that of k-means of a sample" if run.rival else ""
    said = f"The silhouette is of all {count(n_rows, 'row')}{rival}."
    return replace(
        run,
        silhouettes=values,
        scored=rows,
        scores=run.scores | {"silhouette": float(values.mean())},
        notes=tuple(said if note.startswith(before[:-1]) else note for note in run.notes),
    )
