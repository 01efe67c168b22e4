"""SLK's Figure 1 and what its text claims: modes, descent, agreement, linear time.

The text at hand has lost the tables and all figures but the first, so claims stand in place of
numbers.
"""

import math
import time
from functools import partial

import numpy as np

from workbench import metrics
from workbench.figures import palette
from workbench.figures.curves import curves_figure
from workbench.figures.graph import objective_figure
from workbench.figures.tiles import tiles_figure
from workbench.methods import METHODS
from workbench.progress import Cancelled
from workbench.reproduction.item import Claim, Compared, Outcome, Panel, Parts, built, fitted
from workbench.reproduction.reasons import CLOSE
from workbench.table import DataError
from workbench.toys import blobs
from workbench.words import listing

LOST = "The text at hand has lost the paper's tables, so there is no number to compare with."
VARIANTS = {
    "SLK-MS": ("slk", {"modes": "mean-shift"}),
    "SLK-BO": ("slk", {"modes": "byproduct"}),
    "LK": ("lk", {}),
    "K-means": ("kmeans", {}),
    "NCUT": ("spectral", {"affinity": "slk-graph"}),
    "K-modes": ("kmodes", {}),
    "Kernel k-means": ("kernel_kmeans", {}),
    "SpectralNet": ("spectral_net", {"n_init": 1}),
}
"""The methods that the paper compares, by method and settings of the registry."""
_SIZES = (1000, 2000, 4000, 8000)
STARTS = 3
MOST = 5000  # rows, all pairs of which E's exact modes need
_DRAWN = 12


def images(asked, report, stop):
    """Modes of images beside the means of k-means: Figure 1."""
    rows = asked.sources[0].load()
    if not rows.side:
        raise DataError(f"{rows.name} has {rows.X.shape[1]:,} features: rows should be images.")
    parts = Parts(2, report)
    X = rows.X[:MOST]
    kmeans = fitted(built(METHODS["kmeans"], {"n_clusters": rows.k}), X, stop, parts)
    parts.done()
    asked_for = {"n_clusters": rows.k, "modes": "byproduct", "n_init": STARTS}
    slk = fitted(built(METHODS["slk"], asked_for), X, stop, parts)
    if stop():
        raise Cancelled
    parts.done()
    both = {"k-means": kmeans.cluster_centers_, "SLK-BO": slk.cluster_centers_}
    apart = {name: float(_to_nearest(found, X).mean()) for name, found in both.items()}
    filled = np.unique(slk.labels_)
    shown = filled[:_DRAWN]
    numbers = metrics.matching(kmeans.labels_, slk.labels_)
    means = np.full_like(both["SLK-BO"], 0.0)
    means[numbers[: len(both["k-means"])]] = both["k-means"]
    pictures = rows.restored(np.stack([means[shown], both["SLK-BO"][shown]], axis=1))
    which = "each" if len(shown) == len(filled) else f"the first {len(shown)}"
    words = (
        f"{len(filled)} of {rows.k} clusters have rows by SLK-BO. Of {which}, the mean of k-means, "
        "and the mode of SLK-BO, which is a row of the table."
    )
    draw = partial(
        tiles_figure, pictures, side=rows.side, columns=["mean", "mode"],
        rows=[str(number + 1) for number in shown], signed=False,
    )  # fmt: skip
    claim = Claim(
        "A mode is a row of the data; a mean of k-means blurs several and is none.",
        f"Mean distance to the nearest row: {apart['SLK-BO']:.2f} for modes, "
        f"{apart['k-means']:.2f} for means.",
        apart["SLK-BO"] < 1e-3 < apart["k-means"],
    )
    table = tuple(
        Compared(rows.name, f"{name}, to the nearest row", ours=value, why=LOST)
        for name, value in apart.items()
    )
    panel = Panel("Means and modes", words, lambda dark: draw(dark=dark))
    return Outcome(table, (claim,), (panel,), ("The paper shows MNIST and LabelMe.",))


def _to_nearest(points, X):
    from sklearn.metrics import pairwise_distances

    return pairwise_distances(points, X).min(axis=1).round(5)  # of a row to itself: 0


def labels_of(name, X, k, stop, **settings):
    """Return the labels of one of the `VARIANTS`, with settings that it has."""
    key, own = VARIANTS[name]
    method = METHODS[key]
    known = {parameter.name for parameter in method.parameters}
    every = {"n_clusters": k, "n_init": STARTS, **own, **settings}
    if key == "slk" and "coupling" in settings:
        every["selection"] = "objective"
    model = built(method, {name: value for name, value in every.items() if name in known})
    return fitted(model, method.rows(X), stop).labels_


def descent(asked, report, stop):
    """E and R by iteration."""
    rows = asked.sources[0].load()
    parts = Parts(1, report)
    settings = {"n_clusters": rows.k, "n_init": 1}
    model = built(METHODS["slk"], settings).set_params(anneal=(1.0,))  # the paper's, all along
    history = fitted(model, rows.X, stop, parts).history_
    relaxed = np.array([snapshot.relaxation for snapshot in history])
    rises = np.diff(relaxed)
    worst = float(rises.max(initial=0.0))
    exact = max(1e-5 * float(np.abs(relaxed).max()), 1e-9)
    claim = Claim(
        "The bound never lets the relaxation R rise.",
        f"In {len(rises)} iterations the largest rise is {worst:.2g}.",
        worst <= exact,
    )
    first, last = history[0], history[-1]
    table = tuple(
        Compared(rows.name, f"{name} {when}", ours=float(getattr(at, field)), why=LOST)
        for name, field in (("E", "objective"), ("R", "relaxation"))
        for when, at in (("at the start", first), ("at the end", last))
    )
    panels = tuple(
        Panel(
            title,
            f"{title}: from {getattr(first, name):.4g} to {getattr(last, name):.4g} in "
            f"{len(history) - 1} iterations, with the terms that it consists of.",
            partial(_objective, history, name, title),
        )
        for name, title in (("objective", "E, discrete"), ("relaxation", "R, relaxed"))
    )
    notes = (
        "At λ = 1.25 c(k), one start, the entropy weight 1 as in the paper. E counts whole rows "
        "and may rise.",
    )
    return Outcome(table, (claim,), panels, notes)


def _objective(history, name, title, dark):
    terms = [getattr(snapshot, f"{name}_terms") for snapshot in history]
    return objective_figure(
        [getattr(snapshot, name) for snapshot in history],
        {part: [getattr(term, part) for term in terms]
         for part in ("unary", "laplacian", "balance", "entropy")},
        stages=[], title=title, colours=palette.colours(4), dark=dark,
    )  # fmt: skip


def agreement(asked, report, stop):
    """NMI and ACC with the classes for every method that the paper compares."""
    parts = Parts(len(asked.sources) * len(VARIANTS), report)
    table, best = [], []
    for source in asked.sources:
        rows = source.load()
        scores = {}
        for name, (key, _) in VARIANTS.items():
            if stop():
                break
            labels, reason = _or_reason(name, key, rows, stop)
            for measure, score in (("NMI", metrics.nmi), ("ACC", metrics.accuracy)):
                ours = math.nan if labels is None else score(labels, rows.y)
                table.append(Compared(rows.name, f"{name}, {measure}", ours=ours, why=reason))
                scores[name, measure] = ours
            parts.done()
        if scores:
            best.append((rows.name, leaders(scores)))
    if not table:
        raise Cancelled
    leads = sum(any(name.startswith("SLK") for name in names) for _, names in best)
    claim = Claim(
        "SLK is competitive in agreement with the classes.",
        "Highest NMI: " + "; ".join(f"{of}: {listing(names)}" for of, names in best) + ".",
        leads >= len(best) / 2,
    )
    notes = (
        "Standardised columns, defaults of each method, chosen without labels.",
        "SLK-MS finds its modes by mean shift, SLK-BO as a by-product of the bound; NCUT is "
        "spectral clustering on SLK's own graph. Scores within .005 are called equal.",
    )
    return Outcome(tuple(table), (claim,), (), notes)


def _or_reason(name, key, rows, stop):
    if len(rows.X) > METHODS[key].max_rows:
        return None, f"It is not run on more than {METHODS[key].max_rows:,} rows."
    try:
        return labels_of(name, rows.X, rows.k, stop), LOST
    except Cancelled:
        return None, "It was cancelled."
    except ValueError as error:
        return None, str(error)


def leaders(scores):
    """Name all methods whose NMI is the highest, or as good as that.

    Parameters
    ----------
    scores : mapping of (str, str) to float
        By name and measure; NaN where there is none.

    Returns
    -------
    list of str
    """
    known = {name: value for (name, measure), value in scores.items() if measure == "NMI"}
    most = np.nanmax([*known.values(), -1.0])
    return [name for name, value in known.items() if value >= most - CLOSE]


def linear_time(asked, report, stop):
    """Seconds of an iteration of SLK against the number of rows."""
    parts = Parts(len(_SIZES), report)
    seconds = []
    _seconds_of_iteration(_SIZES[0] // 10, stop)  # what compiles does so now
    for n in _SIZES:
        if stop():
            break
        seconds.append(_seconds_of_iteration(n, stop))
        parts.done()
    if len(seconds) < 2:
        raise Cancelled
    sizes = _SIZES[: len(seconds)]
    slope = float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
    table = tuple(
        Compared(f"{n:,} points", "milliseconds an iteration", ours=1000 * value, why=LOST)
        for n, value in zip(sizes, seconds, strict=True)
    )
    claim = Claim(
        "The cost of an iteration is linear in the number of rows.",
        f"From {sizes[0]:,} to {sizes[-1]:,} points the time of an iteration grows as n to the "
        f"power of {slope:.2f}.",
        slope < 1.3,
    )
    words = (
        "Milliseconds of an iteration against the number of points, which grow as n to the power "
        f"of {slope:.2f}."
    )
    draw = partial(
        curves_figure, list(sizes), {"SLK": [1000 * value for value in seconds]},
        level=("the first", 1000 * seconds[0]), titles=("points", "ms an iteration"),
        colours=palette.colours(1), log=True,
    )  # fmt: skip
    panel = Panel("Time", words, lambda dark: draw(dark=dark))
    notes = ("Four blobs in the plane, drawn by us; the graph is built before the clock starts.",)
    return Outcome(table, (claim,), (panel,), notes)


def _seconds_of_iteration(n, stop):
    from slk_core.affinity import knn_affinity

    X, _ = blobs(n)
    model = built(METHODS["slk"], {"n_clusters": 4, "n_init": 1})
    model.set_params(affinity=knn_affinity(X))
    began = time.perf_counter()
    fitted(model, X, stop)
    return (time.perf_counter() - began) / model.n_iter_
