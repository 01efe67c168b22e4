"""One fit of a comparison: timed, measured, scored, and a sentence where it fails."""

import re
import time
import warnings
from types import SimpleNamespace

import numpy as np

from workbench import metrics
from workbench.device import settle
from workbench.entry import Entry
from workbench.fitting import unfitted
from workbench.methods import METHODS
from workbench.peak_memory import PeakMemory
from workbench.progress import Cancelled, Progress, training
from workbench.run import too_many_clusters
from workbench.table import DataError


def enter(recipe, X, judge, *, pixels=None, null=False, report=lambda _: None, stop=lambda: False):
    """Fit one Recipe to rows and score what it finds, in this process and thread.

    Parameters
    ----------
    recipe : Recipe
    X : ndarray of shape (n, d)
        NaN marks a missing value.
    judge : Judge
        Of these rows.
    pixels : ndarray of bool, optional
        Of `Dataset.pixels`, for methods of images.
    null : bool, default False
        Whether they were drawn without clusters.
    report : callable, optional
        Called with a Progress.
    stop : callable, optional
        Polled while the method trains.

    Returns
    -------
    Entry
        With a sentence in `error` where it failed.
    """
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            model, seconds, peak = _trained(recipe, X, pixels, report, stop)
            if model is None:
                return Entry(recipe, null, seconds=seconds, cancelled=True)
            report(Progress("scoring"))
            labels = _by_size(model.labels_)
            scores = judge.scores(labels)
        except Exception as error:
            return Entry(recipe, null, error=failure(error), warnings=_sentences(heard))
    told = _sentences(heard)
    found = len(np.unique(labels[labels >= 0]))
    if not found:
        told = (*told, "Every row was left without a cluster.")
    return Entry(recipe, null, labels, scores, seconds, peak, found, warnings=told)


def _trained(recipe, X, pixels, report, stop):
    """The fitted model, None where it was stopped, with seconds and bytes."""
    method = METHODS[recipe.method]
    report(Progress("preparing"))
    fault = too_many_clusters(SimpleNamespace(X=X), recipe.settings.get("n_clusters", 1))
    if fault:
        raise DataError(fault)
    device, _ = settle(recipe.device)
    model = unfitted(method, recipe, device=device, pixels=pixels)
    rows = method.rows(X)
    memory = PeakMemory()
    memory.start()
    began = time.perf_counter()
    if hasattr(model, "fit_iter"):
        for snapshot in model.fit_iter(rows, stop=stop):
            report(training(snapshot))
    else:
        model.fit(rows)
    seconds = time.perf_counter() - began
    return (None if stop() else model), seconds, memory.read()


def _by_size(labels):
    labels = np.asarray(labels, np.int64)
    k = int(labels.max(initial=-1)) + 1
    if not k:
        return labels
    return np.where(labels >= 0, np.argsort(metrics.size_order(labels, k))[labels], -1)


def failure(error):
    """Say in one sentence why a fit came to nothing.

    Parameters
    ----------
    error : Exception

    Returns
    -------
    str
    """
    words = _first_sentence(str(error))
    if isinstance(error, MemoryError) or "allocate memory" in str(error).lower():
        return NO_MEMORY
    if "out of memory" in str(error).lower():
        return NO_MEMORY
    if isinstance(error, Cancelled):
        return "It was stopped before it had found anything."
    if "converge" in f"{type(error).__name__} {error}".lower():
        return f"It did not converge: {words}"
    if isinstance(error, ValueError) and not isinstance(error, np.linalg.LinAlgError):
        return words
    return f"It stopped at a fault ({type(error).__name__}): {words}"


NO_MEMORY = "It needed more memory than it may take."


def _first_sentence(text, limit=240):
    """The first sentence of a message, on one line."""
    line = " ".join(text.split())
    end = re.search(r"[.!?](?=\s+[A-Z])", line)
    line = line[: end.end()] if end else line
    line = line if len(line) <= limit else f"{line[:limit].rstrip()}..."
    return line if line.endswith((".", "!", "?")) else f"{line or 'nothing more is known'}."


def _sentences(heard):
    """What warnings say to the reader, each once."""
    told = [
        _first_sentence(str(each.message))
        for each in heard
        if issubclass(each.category, UserWarning) and not issubclass(each.category, FutureWarning)
    ]
    return tuple(dict.fromkeys(told))
