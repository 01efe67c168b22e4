"""What the graph adds to prototypes: SLK beside K-modes, k-means and ClAM, and lambda swept."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench import metrics
from workbench.dataset import DataError, Dataset
from workbench.graph_notes import graph_notes
from workbench.methods import METHODS
from workbench.recipe import Recipe
from workbench.run import too_many_clusters

SWEPT = (0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0, 1.25, 1.5, 2.0, 3.0)
"""Values of lambda in a sweep, in units of c(k); 0 is K-modes."""


@dataclass(frozen=True, eq=False)
class LaplacianRun:
    """What SLK found, and the graph that it found it on.

    Clusters are numbered by size.

    Attributes
    ----------
    labels : ndarray of int, shape (n,)
    certainty : ndarray, shape (n,)
        Largest share of each row, from 1/k to 1.
    modes : ndarray, shape (k, d)
        In the units of the prepared data.
    mode_rows : ndarray of int, shape (k,)
        Positions of the rows that the modes are, or the nearest to them.
    exact : bool
        Whether the modes are rows themselves.
    edges : ndarray of int, shape (e, 2)
        Pairs of neighbouring rows, each once.
    history : tuple of slk_core.Snapshot
        Of the start kept.
    lam, unit : float
        Weight of the Laplacian as used, and c(k) t / 2 in which it is measured.
    cut : float
        Share of the edges that join two clusters.
    notes : tuple of str
        What to know about the graph, one sentence each.
    """

    labels: np.ndarray
    certainty: np.ndarray
    modes: np.ndarray
    mode_rows: np.ndarray
    exact: bool
    edges: np.ndarray
    history: tuple[Any, ...]
    lam: float
    unit: float
    cut: float
    notes: tuple[str, ...]

    @property
    def n_found(self):
        """Clusters that have rows."""
        return len(np.unique(self.labels))


@dataclass(frozen=True, eq=False)
class Sweep:
    """Clusters as lambda grows from 0, each numbered to overlap most with those before.

    Attributes
    ----------
    units : tuple of float
        lambda in units of c(k).
    labels : ndarray of int, shape (s, n)
    cut : ndarray, shape (s,)
        Share of the edges that join two clusters.
    found : ndarray of int, shape (s,)
        Clusters that have rows.
    """

    units: tuple[float, ...]
    labels: np.ndarray
    cut: np.ndarray
    found: np.ndarray


def laplacian_run(recipe: Recipe, dataset: Dataset) -> LaplacianRun:
    """Fit SLK.

    Parameters
    ----------
    recipe : Recipe
        Of the method "slk".
    dataset : Dataset
        Missing values count as their column's mean.

    Returns
    -------
    LaplacianRun

    Raises
    ------
    ValueError
        In one sentence, if settings and data do not fit.
    """
    from slk_core.settings import lam_unit  # compiles; only needed here

    fault = too_many_clusters(dataset, recipe.settings["n_clusters"])
    if fault:
        raise DataError(fault)
    model = _fitted(recipe, dataset)
    k = len(model.cluster_centers_)
    order = metrics.size_order(model.labels_, k)
    labels = np.argsort(order)[model.labels_]
    edges = edges_of(model.affinity_)
    return LaplacianRun(
        labels=labels,
        certainty=np.asarray(model.soft_assignment_.max(axis=1), float),
        modes=model.cluster_centers_[order],
        mode_rows=model.mode_rows_[order],
        exact=recipe.settings["modes"] in ("byproduct", "exact"),
        edges=edges,
        history=tuple(model.history_),
        lam=model.lam_,
        unit=lam_unit(model),
        cut=share_cut(labels, edges),
        notes=graph_notes(model),
    )


def edges_of(W):
    """Pairs of rows that an affinity joins, each once, shape (e, 2)."""
    from scipy import sparse

    pairs = sparse.triu(W, 1).tocoo()
    return np.column_stack([pairs.row, pairs.col]).astype(np.int64)


def share_cut(labels, edges):
    """Share of the edges whose ends lie in different clusters; 0 without edges."""
    return float(np.mean(labels[edges[:, 0]] != labels[edges[:, 1]])) if len(edges) else 0.0


def sweep(recipe: Recipe, dataset: Dataset, units=SWEPT) -> Sweep:
    """Fit SLK for each lambda, on one graph.

    Parameters
    ----------
    recipe : Recipe
        Of the method "slk"; its own lambda does not count.
    dataset : Dataset
    units : sequence of float, default `SWEPT`
        Rising, in units of c(k).

    Returns
    -------
    Sweep
    """
    first = _fitted(recipe.changed(settings={"coupling": float(units[0])}), dataset)
    order = metrics.size_order(first.labels_, recipe.settings["n_clusters"])
    labelings = [np.argsort(order)[first.labels_]]
    edges = edges_of(first.affinity_)
    for value in units[1:]:
        asked = recipe.changed(settings={"coupling": float(value)})
        labels = _fitted(asked, dataset, graph_of=first).labels_
        labelings.append(metrics.match_labels(labels, labelings[-1]))
    return Sweep(
        units=tuple(units),
        labels=np.stack(labelings),
        cut=np.array([share_cut(labels, edges) for labels in labelings]),
        found=np.array([len(np.unique(labels)) for labels in labelings]),
    )


def rivals(recipe: Recipe, dataset: Dataset, labels) -> Mapping[str, np.ndarray]:
    """Clusters of methods that see prototypes only, numbered to overlap most with given ones.

    Parameters
    ----------
    recipe : Recipe
        Its k and seed count.
    dataset : Dataset
    labels : ndarray of int, shape (n,)

    Returns
    -------
    mapping of str to ndarray of int, shape (n,)
        By the method's name.
    """
    found = {}
    for key in ("kmeans", "clam"):
        method = METHODS[key]
        settings = method.complete({"n_clusters": recipe.settings["n_clusters"]})
        model = method.build(settings, device="cpu", dtype=recipe.dtype, random_state=recipe.seed)
        found[method.name] = metrics.match_labels(model.fit(dataset.X).labels_, labels)
    return found


def _fitted(recipe, dataset, graph_of=None):
    """Fit SLK, on the graph and with the kernel width of another fit to the same rows if given."""
    method = METHODS[recipe.method]
    model = method.build(
        recipe.settings, device=recipe.device, dtype=recipe.dtype, random_state=recipe.seed
    )
    rows = method.rows(dataset.X)
    if graph_of is None:
        return model.fit(rows)
    return model.set_params(sigma=graph_of.sigma_).fit(rows, affinity=graph_of.affinity_)
