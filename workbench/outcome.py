"""What a fitted method says about its data, the same for every method."""

from dataclasses import dataclass

import numpy as np

from workbench.metrics import order_by_size, sampling_note, silhouette


@dataclass(frozen=True, eq=False)
class Outcome:
    """A clustering whose clusters are numbered by size, then by first row.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Clusters from 0.
    prototypes : ndarray of shape (k, d)
        In the units of the dataset's X; those of empty clusters come last.
    sizes : ndarray of int, shape (k,)
        Rows of each cluster.
    n_found : int
        Clusters that have a row.
    silhouette : float
        NaN where it is not defined.
    notes : tuple of str
        What to know about it, one sentence each.
    """

    labels: np.ndarray
    prototypes: np.ndarray
    sizes: np.ndarray
    n_found: int
    silhouette: float
    notes: tuple[str, ...]


def outcome(model, dataset):
    """Collect what a fitted estimator found.

    Parameters
    ----------
    model : estimator
        Fitted to the dataset; has `labels_` and `cluster_centers_`.
    dataset : Dataset
        What it was fitted to.

    Returns
    -------
    Outcome
    """
    labels, prototypes = order_by_size(model.labels_, model.cluster_centers_)
    sizes = np.bincount(labels[labels >= 0], minlength=len(prototypes))
    found = int((sizes > 0).sum())
    notes = [sampling_note(int((labels >= 0).sum()))]
    if found < len(prototypes):
        notes.append(f"{len(prototypes)} clusters were asked for, and {found} have rows.")
    return Outcome(
        labels=labels,
        prototypes=prototypes,
        sizes=sizes,
        n_found=found,
        silhouette=silhouette(dataset.X, labels),
        notes=tuple(filter(None, notes)),
    )
