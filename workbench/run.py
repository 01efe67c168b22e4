"""One clustering of a dataset, start to finish: fit, label, score, compare."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from workbench import metrics
from workbench.dataset import DataError, Dataset, fingerprint
from workbench.device import settle
from workbench.fitting import unfitted
from workbench.graph_notes import graph_notes
from workbench.methods import METHODS
from workbench.progress import Cancelled, Progress, each_step, training
from workbench.recipe import Recipe
from workbench.restarts import Restarts, judge
from workbench.scoring import row_silhouettes, scores_of
from workbench.words import count

RIVAL_ROWS = 5000  # k-means is a quick comparison: more rows hardly move its centres
RIVAL_STARTS = 16


@dataclass(frozen=True, eq=False)
class Run:
    """What one Recipe found; clusters are numbered by size, then by first row.

    Attributes
    ----------
    recipe : Recipe
        What was run.
    dataset : Dataset
        What it was run on.
    labels : ndarray of int, shape (n,)
        -1 for a row that the method left without a cluster.
    prototypes : ndarray, shape (k, d)
        In the units of the prepared data; those of empty clusters come last.
    weights : ndarray, shape (k,)
        Of each prototype in the energy; all 1 where the method has none.
    means : ndarray, shape (k, d)
        Of the rows of each cluster; NaN where it is empty.
    sizes : ndarray of int, shape (k,)
    silhouettes, scored : ndarray, shape (s,)
        Silhouettes and the positions of their rows; empty where none is defined.
    scores : dict of str to float
        "silhouette", and "nmi" and "ari" where there are reference labels.
    rival : dict of str to float
        The same of k-means; empty where it was not asked for, the run was cancelled, or the rows
        drawn for it have too few distinct ones.
    restarts : Restarts or None
        Of a method that trains several, unless the run was cancelled.
    beta : float or None
        Inverse temperature used, where the method has one.
    history : tuple of float
        Loss of the restart kept: at the start, then after each epoch, one that was cut short too.
    n_epochs : int
        Epochs planned, or starts where these come one after the other; 0 for a method without.
    seconds : float
        Training time.
    cancelled : bool
    notes : tuple of str
        What to know about it, one sentence each.
    model : estimator or None
        That was fitted; None where the run was kept without it.
    """

    recipe: Recipe
    dataset: Dataset
    labels: np.ndarray
    prototypes: np.ndarray
    weights: np.ndarray
    means: np.ndarray
    sizes: np.ndarray
    silhouettes: np.ndarray
    scored: np.ndarray
    scores: dict[str, float]
    rival: dict[str, float]
    restarts: Restarts | None
    beta: float | None
    history: tuple[float, ...]
    n_epochs: int
    seconds: float
    cancelled: bool
    notes: tuple[str, ...]
    model: Any = None

    @cached_property
    def key(self):
        """What tells a run from others: a hash of its Recipe, its table and what it found."""
        return fingerprint(self.recipe.key(), self.dataset.fingerprint, self.labels.tobytes())

    @property
    def n_found(self):
        """Clusters that have rows."""
        return int((self.sizes > 0).sum())


def run(
    recipe: Recipe,
    dataset: Dataset,
    *,
    report: Callable[[Progress], object] = lambda _: None,
    stop: Callable[[], bool] = lambda: False,
    compared: bool = True,
) -> Run:
    """Fit the method of a Recipe, label and score.

    Parameters
    ----------
    recipe : Recipe
        Of a method that clusters.
    dataset : Dataset
    report : callable, optional
        Called with a Progress in each phase, many times in the long ones.
    stop : callable, optional
        Polled in each phase, between batches, starts and blocks of rows; what was reached until
        then is kept, and what was not begun left out.
    compared : bool, default True
        Whether to score k-means beside it, and every restart.

    Returns
    -------
    Run

    Raises
    ------
    ValueError
        In one sentence, if settings and data do not fit.
    Cancelled
        Where it was stopped before there was a model to keep.
    """
    report(Progress("preparing"))
    fault = too_many_clusters(dataset, recipe.settings.get("n_clusters", 1))
    if fault:
        raise DataError(fault)
    device, note = settle(recipe.device)
    method = METHODS[recipe.method]
    model = unfitted(
        method, recipe, device=device, pixels=dataset.pixels if method.images else None
    )
    began = time.monotonic()
    done, n_epochs = _fit(model, method.rows(dataset.X), report, stop)
    seconds = time.monotonic() - began
    cancelled = stop() and done < n_epochs

    labels, prototypes = metrics.order_by_size(model.labels_, model.cluster_centers_)
    silhouettes, scored, sampled = row_silhouettes(
        dataset.X, labels, device=device, report=report, stop=stop
    )
    notes = [note, sampled, *graph_notes(model), _left_alone(labels)]
    rival, restarts = {}, None
    if compared and not stop():
        if hasattr(model, "restarts_"):
            restarts = judge(model, dataset, step=each_step("comparing", report, stop))
        if recipe.method != "kmeans":
            rival, note = _rival(recipe, dataset, labels, device, report, stop)
            notes.append(note)
    if compared and stop() and not cancelled:
        notes.append(LEFT_OUT)
    return Run(
        recipe=recipe,
        dataset=dataset,
        labels=labels,
        prototypes=prototypes,
        weights=_weights(model)[metrics.size_order(model.labels_, len(prototypes))],
        means=cluster_means(dataset.X, labels, len(prototypes)),
        sizes=np.bincount(labels[labels >= 0], minlength=len(prototypes)),
        silhouettes=silhouettes,
        scored=scored,
        scores=scores_of(silhouettes, labels, dataset.y),
        rival=rival,
        restarts=restarts,
        beta=getattr(model, "beta_", None),
        history=tuple(getattr(told, "objective", told) for told in getattr(model, "history_", ())),
        n_epochs=int(n_epochs),
        seconds=seconds,
        cancelled=cancelled,
        notes=tuple(filter(None, notes)),
        model=model,
    )


LEFT_OUT = "It was stopped before it was compared with k-means, so that comparison is missing."


def _left_alone(labels):
    alone = int((labels < 0).sum())
    if not alone:
        return ""
    are, them = ("is", "it") if alone == 1 else ("are", "them")
    share = f"{alone / len(labels):.0%}"
    return f"{count(alone, 'row')} ({share}) {are} in no cluster; the scores leave {them} out."


def _weights(model):
    return getattr(model, "weights_", np.ones(len(model.cluster_centers_)))


def too_many_clusters(dataset, k):
    """Say why k clusters cannot be found in a dataset.

    Parameters
    ----------
    dataset : Dataset
    k : int

    Returns
    -------
    str
        One sentence, or nothing where they can.
    """
    n = len(dataset.X)
    if k > n:
        return f"k = {k} is more than the {count(n, 'row')}: lower k."
    first = dataset.X[: 10 * k]
    complete = first[~np.isnan(first).any(axis=1)]  # they nearly always settle it, at once
    for rows in (complete, dataset.X):
        if len(rows) < k:
            continue
        filled = metrics.fill_gaps(rows)
        centred = filled - filled.mean(axis=0)
        largest = np.abs(centred).max()
        points = (centred / (largest or 1)).astype(np.float32)  # as the method computes
        distinct = len(np.unique(points, axis=0))
        if distinct >= k:
            return ""
    return f"k = {k} is more than the {count(distinct, 'distinct row')}: lower k."


def cluster_means(X, labels, k):
    """Return the mean of the known values of each cluster, (k, d); NaN where it has none."""
    means = np.full((k, X.shape[1]), np.nan)
    for label in np.unique(labels[labels >= 0]):
        rows = X[labels == label]
        known = ~np.isnan(rows)
        sums, counts = np.where(known, rows, 0).sum(axis=0), known.sum(axis=0)
        np.divide(sums, counts, out=means[label], where=counts > 0)
    return means


def _fit(model, X, report, stop):
    """Train with reports; the epochs or starts done, and those planned."""
    done = planned = 0
    for snapshot in model.fit_iter(X, stop=stop):
        if not planned and stop():
            raise Cancelled
        told = training(snapshot)
        done, planned = told.done, told.planned
        report(told)
        if done == planned:  # what follows the last one is no training any more
            report(Progress("labelling"))
    report(Progress("labelling"))
    return done, planned


def _rival(recipe, dataset, labels, device, report, stop):
    """Scores of k-means under the kind of rule that chose the restart, found on some rows.

    The note says why there are none, where that is no choice.
    """
    from threadpoolctl import threadpool_limits

    k = recipe.settings.get("n_clusters") or int(labels.max(initial=-1)) + 1
    if not k:
        return {}, NOTHING_FOUND
    X = metrics.fill_gaps(dataset.X)  # before rows are drawn, which may know none of a column
    rows = X[metrics.stratified(labels + 1, RIVAL_ROWS, recipe.seed)]  # those in no cluster, too
    settings = METHODS["kmeans"].complete(
        {
            "n_clusters": k,
            "n_init": RIVAL_STARTS,
            "selection": rival_rule(recipe),
        }
    )
    model = METHODS["kmeans"].build(
        settings, device="cpu", dtype="float64", random_state=recipe.seed
    )
    try:
        starts = model.fit_iter(rows, stop=stop)
    except ValueError:  # fewer distinct rows than clusters
        return {}, FEW_DRAWN
    with threadpool_limits(1):  # on small data two threads cost more than they bring
        for start, planned, _ in starts:
            report(Progress("comparing", start, planned))
        found = model.predict(X)
    step = each_step("comparing", report, stop)
    silhouettes, _ = metrics.silhouette_samples(X, found, step=step, device=device)
    return ({} if stop() else scores_of(silhouettes, found, dataset.y)), ""


NOTHING_FOUND = "There is no comparison with k-means: no cluster was found."
FEW_DRAWN = (
    f"There is no comparison with k-means: the {RIVAL_ROWS:,} rows that were drawn for it have "
    "fewer distinct ones than there are clusters."
)


def rival_rule(recipe):
    """Return the rule by which k-means' start is kept: of the kind that the Recipe uses."""
    by_shape = recipe.settings.get("selection") in ("silhouette", "mahalanobis")
    return "silhouette" if by_shape else "loss"
