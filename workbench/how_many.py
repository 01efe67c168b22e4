"""How many clusters: several criteria side by side, since each means something else."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from workbench.fitting import fitted_labels, fitted_model
from workbench.gap import Gap, gap, one_error_rule, references
from workbench.metrics import fill_gaps, stratified

ROWS = 2000  # looked at; silhouettes cost their square, and the gap clusters them again and again
MOST_K = 10
REFERENCES = 20
_STARTS = 4  # of k-means, for the data and for each reference alike
_TREE_SETTINGS = {"n_init": 4}
_WIDE = 1.25  # high over low: a narrower plateau means nothing
_NOTHING = 1e-12  # of the spread: rows of a cluster coincide


@dataclass(frozen=True, eq=False)
class HowMany:
    """What each criterion says for each k.

    Attributes
    ----------
    ks : tuple of int
        From 1.
    curves : mapping of str to ndarray, shape (m,)
        "silhouette", "calinski", "davies" and "gap"; NaN where one is not defined.
    errors : ndarray of shape (m,)
        Of the gap.
    picks : mapping of str to int or None
        By criterion, "tree" too; None where it favours no k.
    plateau : tuple of float or None
        The two ends in beta of the attractor tree's widest plateau.
    method : str
        Key of the method whose clusters the first three judge; the gap's are k-means'.
    rows, n : int
        Rows looked at, and rows there are.
    tree_of : int
        Memories of the tree; 0 where there is none.
    seconds : float
    cancelled : bool
        Whether some k are missing.
    """

    ks: tuple[int, ...]
    curves: Mapping[str, np.ndarray]
    errors: np.ndarray
    picks: Mapping[str, int | None]
    plateau: tuple[float, float] | None
    method: str
    rows: int
    n: int
    tree_of: int
    seconds: float
    cancelled: bool


@dataclass
class _Course:
    """How far the work is, and whether to go on."""

    steps: int
    report: Any
    stop: Any
    done: int = field(default=0)

    def step(self):
        """Count one piece of work; False where it should end."""
        self.done += 1
        self.report(self.done, self.steps)
        return not self.stop()


def how_many(
    dataset,
    recipe,
    ks=range(1, MOST_K + 1),
    report=lambda *_: None,
    stop=lambda: False,
    *,
    method="kmeans",
    labels=None,
):
    """Judge numbers of clusters by five criteria.

    Silhouette (highest; Rousseeuw, 1987), Calinski-Harabasz (highest; 1974), Davies-Bouldin
    (lowest; 1979), the gap statistic (one-standard-error rule; 2001), and the widest plateau of
    the attractor tree of a ClAM with as many memories as the largest k, or twelve.

    Parameters
    ----------
    dataset : Dataset
    recipe : Recipe
        Its seed draws the sample and all starts; its settings count where `method` is its own.
    ks : sequence of int, default 1 to 10
        Numbers of clusters, from 1 one after the other; those beyond the distinct rows are left
        out.
    report : callable, optional
        Called with pieces of work done and planned.
    stop : callable, optional
        Polled between pieces.
    method : {"kmeans", "clam", "slk"}, default "kmeans"
        Whose clusters silhouette, Calinski-Harabasz and Davies-Bouldin judge.
    labels : ndarray of int, shape (n,), optional
        Clusters that are known already: a sample of more than 2000 rows then holds the same share
        of each.

    Returns
    -------
    HowMany
    """
    began = time.monotonic()
    X = _sample(fill_gaps(np.asarray(dataset.X, float)), labels, recipe.seed)
    distinct = len(np.unique(X, axis=0))
    ks = tuple(k for k in ks if k <= distinct)
    course = _Course(len(ks) * (REFERENCES + 1) + 1, report, stop)
    curves = {name: np.full(len(ks), np.nan) for name in ("silhouette", "calinski", "davies")}
    whole = _judge(X, ks, curves, course, _chooser(recipe, method, stop))
    gaps = _gaps(X, ks, course, recipe.seed) if whole else None
    whole = whole and gaps is not None
    tree, tree_of = _tree(X, recipe, max(ks, default=1), distinct, stop) if whole else (None, 0)
    whole = whole and not stop()
    course.step()
    told = gaps or [Gap(np.nan, np.nan)] * len(ks)
    if tree is not None and tree.high / tree.low < _WIDE:
        tree = None
    return HowMany(
        ks=ks,
        curves=curves | {"gap": np.array([each.value for each in told])},
        errors=np.array([each.error for each in told]),
        picks={
            "silhouette": _pick(ks, curves["silhouette"]),
            "calinski": _pick(ks, curves["calinski"]),
            "davies": _pick(ks, -curves["davies"]),
            "gap": one_error_rule(ks, gaps) if gaps else None,
            "tree": tree.count if tree is not None else None,
        },
        plateau=(tree.low, tree.high) if tree is not None else None,
        method=method,
        rows=len(X),
        n=len(dataset.X),
        tree_of=tree_of,
        seconds=time.monotonic() - began,
        cancelled=not whole,
    )


def _sample(X, labels, seed):
    labels = np.zeros(len(X), int) if labels is None else labels
    return X[stratified(labels, ROWS, seed)]


def _chooser(recipe, method, stop):
    """Return a function of (X, k, seed) that clusters the rows, or None when it was stopped."""
    if method == "kmeans":
        return lambda X, k, seed: _k_means(X, k, seed).labels_
    if method != recipe.method:
        recipe = recipe.changed(method=method)
    return lambda X, k, seed: fitted_labels(
        recipe.changed(settings={"n_clusters": k}, seed=seed), X, stop=stop
    )[0]


def _k_means(X, k, seed) -> Any:
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits

    starts: Any = _STARTS
    with threadpool_limits(1):  # on small data two threads cost more than they bring
        return KMeans(k, n_init=starts, random_state=seed).fit(X)


def _judge(X, ks, curves, course, cluster):
    """Fill the three curves that judge labels; False where it was stopped."""
    from sklearn.metrics import calinski_harabasz_score, davies_bouldin_score, silhouette_score

    scores = {
        "silhouette": silhouette_score,
        "calinski": calinski_harabasz_score,
        "davies": davies_bouldin_score,
    }
    centred = X - X.mean(axis=0)
    for at, k in enumerate(ks):
        if 2 <= k < len(X):
            labels = cluster(X, k, at)
            if labels is None:
                return False
            if 2 <= len(np.unique(labels)) < len(X):
                for name, score in scores.items():
                    curves[name][at] = score(centred, labels)
        if not course.step():
            return False
    return True


def _gaps(X, ks, course, seed):
    """Gap of every k, or None where it was stopped."""
    floor = _NOTHING * max(float(np.square(X - X.mean(axis=0)).sum()), np.finfo(float).tiny)
    within = [max(_k_means(X, k, seed).inertia_, floor) for k in ks]
    reference = np.empty((REFERENCES, len(ks)))
    for at, drawn in enumerate(references(X, REFERENCES, np.random.default_rng(seed))):
        for place, k in enumerate(ks):
            reference[at, place] = max(_k_means(drawn, k, seed).inertia_, floor)
            if not course.step():
                return None
    return [gap(own, drawn) for own, drawn in zip(within, reference.T, strict=True)]


def _tree(X, recipe, most, distinct, stop):
    """Widest plateau of the attractors of a ClAM's memories, and how many memories it has."""
    import torch

    import clam_core

    k = min(max(most, 12), distinct)
    own = recipe.method == "clam" and recipe.settings["energy"] != "spherical"
    base = recipe if own else recipe.changed(method="clam", settings={})
    settings = {"n_clusters": k, "energy": "euclidean"} | _TREE_SETTINGS
    model = fitted_model(base.changed(settings=settings), X, stop=stop)
    if model is None or k < 2:
        return None, 0
    memories = torch.from_numpy(np.asarray(model.cluster_centers_, float))
    tree = clam_core.attractor_tree(memories, energy=clam_core.make_energy("euclidean"))
    return tree.widest, k


def _pick(ks, values):
    return None if np.isnan(values).all() else ks[int(np.nanargmax(values))]
