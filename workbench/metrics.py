"""Scores of a clustering, and numbers for its clusters that keep their meaning."""

import numpy as np

from workbench.filling import fill_gaps
from workbench.silhouettes import (
    sampling_note,
    silhouette,
    silhouette_interval,
    silhouette_samples,
    stratified,
)

__all__ = [
    "accuracy",
    "ari",
    "fill_gaps",
    "match_labels",
    "matching",
    "nmi",
    "order_by_size",
    "sampling_note",
    "silhouette",
    "silhouette_interval",
    "silhouette_samples",
    "size_order",
    "stratified",
]


def nmi(labels, reference):
    """Return the normalised mutual information with reference labels.

    `2 I(U; V) / (H(U) + H(V))`; rows with label -1, or no reference, are left out.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Clusters.
    reference : ndarray of shape (n,)
        Numbers or words; rows with "" do not count.

    Returns
    -------
    float
        NaN without rows.
    """
    from sklearn.metrics import normalized_mutual_info_score

    labels, reference = _clustered(labels, reference)
    return float(normalized_mutual_info_score(reference, labels)) if len(labels) else float("nan")


def ari(labels, reference):
    """Return the adjusted Rand index (Hubert and Arabie, 1985) with reference labels.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Clusters; rows with label -1 are left out.
    reference : ndarray of shape (n,)
        Numbers or words; rows with "" do not count.

    Returns
    -------
    float
        NaN without rows.
    """
    from sklearn.metrics import adjusted_rand_score

    labels, reference = _clustered(labels, reference)
    return float(adjusted_rand_score(reference, labels)) if len(labels) else float("nan")


def accuracy(labels, reference):
    """Return the share of rows that agree, clusters matched one to one with classes at best.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Clusters; rows with label -1 are left out.
    reference : ndarray of shape (n,)
        Numbers or words; rows with "" do not count.

    Returns
    -------
    float
        From 0 to 1; NaN without rows.
    """
    from scipy.optimize import linear_sum_assignment

    labels, reference = _clustered(labels, reference)
    if not len(labels):
        return float("nan")
    classes, numbered = np.unique(reference, return_inverse=True)
    shared = _contingency(labels, numbered, labels.max() + 1, len(classes))
    rows, columns = linear_sum_assignment(shared, maximize=True)
    return float(shared[rows, columns].sum() / len(labels))


def match_labels(labels, reference):
    """Renumber clusters so that they overlap most with those of another clustering.

    Numbers, and with them colours, then keep their meaning from one epoch, temperature or method
    to the next.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Clusters to renumber; -1 stays.
    reference : ndarray of int, shape (n,)
        Clusters of the same rows whose numbers are kept.

    Returns
    -------
    ndarray of int, shape (n,)
    """
    labels = np.asarray(labels)
    numbers = matching(labels, reference)
    return np.append(numbers, -1)[labels]


def matching(labels, reference):
    """Return the new number of each cluster, by which `match_labels` renumbers.

    Parameters
    ----------
    labels, reference : ndarray of int, shape (n,)
        As for `match_labels`.

    Returns
    -------
    ndarray of int, shape (k,)
        A permutation of 0 to k - 1, with k enough for both.
    """
    from scipy.optimize import linear_sum_assignment

    labels, reference = np.asarray(labels), np.asarray(reference)
    k = int(max(labels.max(initial=-1), reference.max(initial=-1))) + 1
    both = (labels >= 0) & (reference >= 0)
    shared = _contingency(labels[both], reference[both], k, k)
    _, numbers = linear_sum_assignment(shared + 1e-3 * np.eye(k), maximize=True)  # ties: as it is
    return numbers


def size_order(labels, n_clusters):
    """Order clusters by size, then by first row; empty ones come last.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Clusters; -1 for not clustered.
    n_clusters : int
        How many there are, empty ones included.

    Returns
    -------
    ndarray of int, shape (k,)
        Old numbers in their new order: `centres[order]` goes with the new numbers.
    """
    labels = np.asarray(labels)
    sizes = np.bincount(labels[labels >= 0], minlength=n_clusters)
    first = np.full(n_clusters, len(labels))
    np.minimum.at(first, labels[labels >= 0], np.flatnonzero(labels >= 0))
    return np.lexsort((first, -sizes))


def order_by_size(labels, centres):
    """Renumber clusters by size, then by first row, whatever the method numbered them.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Clusters; -1 stays.
    centres : ndarray of shape (k, d)
        One row for each cluster, empty ones included.

    Returns
    -------
    labels : ndarray of int, shape (n,)
    centres : ndarray of shape (k, d)
    """
    labels = np.asarray(labels)
    order = size_order(labels, len(centres))
    numbers = np.append(np.argsort(order), -1)
    return numbers[labels], centres[order]


def _clustered(labels, reference):
    labels, reference = np.asarray(labels), np.asarray(reference)
    counted = labels >= 0
    if reference.dtype.kind in "OU":
        counted &= reference != ""
    return labels[counted], reference[counted]


def _contingency(rows, columns, n_rows, n_columns):
    pairs = np.bincount(rows * n_columns + columns, minlength=n_rows * n_columns)
    return pairs.reshape(n_rows, n_columns)
