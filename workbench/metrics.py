"""Scores of a clustering, and numbers for its clusters that keep their meaning."""

import numpy as np

from workbench.progress import go_on

SAMPLE = 10_000  # rows; the silhouette's cost grows with their square
_MEMORY = 16  # MiB of distances at a time: between two looks at whether to stop


def fill_gaps(X, means=None):
    """Replace NaN by the column's mean.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Values, NaN where one is missing.
    means : ndarray of shape (d,), optional
        Fills; by default the means of the known values.

    Returns
    -------
    ndarray of shape (n, d)
        `X` itself where nothing is missing.
    """
    gaps = np.isnan(X)
    if not gaps.any():
        return X
    return np.where(gaps, np.nanmean(X, axis=0) if means is None else means, X)


def silhouette(X, labels, *, sample=SAMPLE, seed=0):
    """Return the mean silhouette (Rousseeuw, 1987).

    `s = (b - a) / max(a, b)`, with a the mean distance to the own cluster and b the mean distance
    to the nearest other one; gaps count as their column's mean, rows with label -1 not at all.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Prepared values, NaN where one is missing.
    labels : ndarray of int, shape (n,)
        Clusters; -1 for not clustered.
    sample : int, default 10,000
        Above that many rows, as many are scored, the same share of every cluster.
    seed : int, default 0
        Fixes the sample.

    Returns
    -------
    float
        NaN for fewer than two clusters, or where every row is its own.
    """
    values, _ = silhouette_samples(X, labels, sample=sample, seed=seed)
    return float(values.mean()) if len(values) else float("nan")


def silhouette_samples(X, labels, *, sample=SAMPLE, seed=0, step=go_on):
    """Return the silhouette of each scored row.

    Parameters
    ----------
    X, labels, sample, seed
        As for `silhouette`.
    step : Step, optional
        Told of rows done and all rows, some dozens at a time; what it stops has no silhouettes.

    Returns
    -------
    values : ndarray of shape (s,)
        Empty where a silhouette is not defined, or was stopped.
    rows : ndarray of int, shape (s,)
        Positions of the scored rows in `X`, rising; fewer than n where a sample was taken.
    """
    labels = np.asarray(labels)
    rows = stratified(labels, sample, seed)
    kinds = len(np.unique(labels[rows]))
    if not 2 <= kinds < len(rows):
        return np.empty(0), np.empty(0, dtype=np.int64)
    points = fill_gaps(np.asarray(X, dtype=np.float64))[rows]
    points = points - points.mean(axis=0)  # far from the origin, squares would lose the digits
    values = _silhouettes(points, labels[rows], step)
    return (values, rows) if len(values) else (values, np.empty(0, dtype=np.int64))


def _silhouettes(points, labels, step):
    """Silhouettes (n,) from sums of distances to each cluster, some rows after the others."""
    from sklearn.metrics import pairwise_distances_chunked

    _, cluster, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    members = np.eye(len(sizes))[cluster]
    found = []
    blocks = pairwise_distances_chunked(
        points, reduce_func=lambda distances, _: distances @ members, working_memory=_MEMORY
    )
    done = 0
    for sums in blocks:
        own = cluster[done : done + len(sums)]
        each = np.arange(len(sums))
        a = sums[each, own] / np.maximum(sizes[own] - 1, 1)
        means = sums / sizes
        means[each, own] = np.inf
        b = means.min(axis=1)
        width = (b - a) / np.maximum(np.maximum(a, b), np.finfo(np.float64).tiny)
        found.append(np.where(sizes[own] > 1, width, 0.0))  # a cluster of one row scores 0
        done += len(sums)
        if step(done, len(points)) and done < len(points):
            return np.empty(0)
    return np.concatenate(found)


def sampling_note(n_rows, sample=SAMPLE):
    """Say that a silhouette is of a sample, where it is.

    Parameters
    ----------
    n_rows : int
        Clustered rows.
    sample : int, default 10,000
        Most rows that are scored.

    Returns
    -------
    str
        One sentence, or nothing.
    """
    if n_rows <= sample:
        return ""
    return f"The silhouette is of a stratified sample of {sample:,} of {n_rows:,} rows."


def stratified(labels, sample, seed):
    """Draw the same share of each cluster, and one row of each at least.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Clusters; rows with -1 are not drawn.
    sample : int
        How many rows; all that are clustered where there are no more.
    seed : int

    Returns
    -------
    ndarray of int, shape (s,)
        Positions, rising.
    """
    rows = np.flatnonzero(labels >= 0)
    if len(rows) <= sample:
        return rows
    rows = np.random.default_rng(seed).permutation(rows)
    _, cluster, sizes = np.unique(labels[rows], return_inverse=True, return_counts=True)
    order = np.argsort(cluster, kind="stable")
    starts = np.cumsum(sizes) - sizes
    rank = np.empty(len(rows))
    rank[order] = np.arange(len(rows)) - np.repeat(starts, sizes)
    share = rank / sizes[cluster]  # how far through its cluster a row stands
    return np.sort(rows[np.argsort(share, kind="stable")[:sample]])


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
