"""The silhouette of each row (Rousseeuw, 1987): exact, or of a sample with an interval."""

from typing import NamedTuple

import numpy as np

from workbench.filling import fill_gaps
from workbench.progress import go_on

EXACT = 100_000
"""Most rows that are scored without a sample, where one waits for it."""
_SECONDS = 1.0  # for which a score is waited for where nobody asked for all rows
_FEWEST = 10_000  # rows that are scored whatever it takes
_PAIR, _PAIR_AND_COLUMN = 0.9e-9, 0.06e-9  # seconds on one core of 2021
_GROUPS = 20  # of a sample, which tell how far it may be off
_LOOKS = 64  # at whether to stop, at least
_BETWEEN = 0.2  # seconds between two looks, about
_MEMORY = 2**28  # bytes of distances at a time on a graphics card


def silhouette(X, labels, *, sample=None, seed=0, device="cpu"):
    """Return the mean silhouette (Rousseeuw, 1987).

    `s = (b - a) / max(a, b)`, with a the mean distance to the own cluster and b the mean distance
    to the nearest other one; gaps count as their column's mean, rows with label -1 not at all.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Prepared values, NaN where one is missing.
    labels : ndarray of int, shape (n,)
        Clusters; -1 for not clustered.
    sample : int, optional
        Above that many rows, as many are scored against each other, the same share of every
        cluster; by default as many as take about a second, see `quick_rows`.
    seed : int, default 0
        Fixes the sample.
    device : str, default "cpu"
        Where to compute; a kind that has no float64 leaves it to the CPU.

    Returns
    -------
    float
        NaN for fewer than two clusters, or where every row is its own.
    """
    values, _ = silhouette_samples(X, labels, sample=sample, seed=seed, device=device)
    return float(values.mean()) if len(values) else float("nan")


def silhouette_samples(X, labels, *, sample=None, seed=0, step=go_on, device="cpu"):
    """Return the silhouette of each scored row.

    Every pair of rows is met once, and nothing of size n x n or n x k is held.

    Parameters
    ----------
    X, labels, sample, seed, device
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
    X, labels = np.asarray(X), np.asarray(labels)
    rows = stratified(labels, quick_rows(X.shape[1]) if sample is None else sample, seed)
    values = _silhouettes(_filled(X), labels, rows, step, device)
    return (values, rows) if len(values) else (values, np.empty(0, dtype=np.int64))


class Interval(NamedTuple):
    """A mean silhouette and how far that of all rows may be from it.

    Attributes
    ----------
    value : float
        Mean silhouette of the scored rows.
    low, high : float
        Bounds; the value itself where all rows were scored.
    n_scored : int
    """

    value: float
    low: float
    high: float
    n_scored: int


def silhouette_interval(X, labels, *, sample=None, seed=0, level=0.95, device="cpu"):
    """Return the mean silhouette with an interval for that of all rows.

    Parameters
    ----------
    X, labels, sample, seed, device
        As for `silhouette`.
    level : float, default 0.95
        In how many of many samples the interval holds the silhouette of all rows.

    Returns
    -------
    Interval
        NaN where no silhouette is defined.
    """
    values, rows = silhouette_samples(X, labels, sample=sample, seed=seed, device=device)
    if not len(values):
        return Interval(np.nan, np.nan, np.nan, 0)
    value = float(values.mean())
    margin = sampling_margin(X, labels, rows, level=level, seed=seed, device=device)
    return Interval(value, max(value - margin, -1.0), min(value + margin, 1.0), len(rows))


def sampling_margin(X, labels, rows, *, level=0.95, seed=0, device="cpu"):
    """Return the half width of an interval around the mean silhouette of a sample.

    By random groups: the sample is dealt into 20 stratified ones, each with a silhouette of its
    own, `margin = t sqrt((1 - s/n) var(groups) / 20)` (Wolter, *Introduction to Variance
    Estimation*, 2007, chapter 2). That the rows of a sample share the rows that they are measured
    against, which the spread of single silhouettes would not show, is in it.

    Parameters
    ----------
    X, labels, device
        As for `silhouette`.
    rows : ndarray of int, shape (s,)
        Positions of the sample.
    level : float, default 0.95
    seed : int, default 0
        Fixes the groups.

    Returns
    -------
    float
        0 where the sample is all rows, NaN where a group is too small to have a silhouette.
    """
    from scipy.stats import t

    X, labels = _filled(np.asarray(X)), np.asarray(labels)
    left_out = 1 - len(rows) / np.count_nonzero(labels >= 0)
    if left_out <= 0:
        return 0.0
    dealt = np.random.default_rng(seed).permutation(rows)
    dealt = dealt[np.argsort(labels[dealt], kind="stable")]
    groups = [dealt[first::_GROUPS] for first in range(_GROUPS)]
    values = [_silhouettes(X, labels, group, go_on, device) for group in groups]
    if not all(map(len, values)):
        return float("nan")
    spread = np.std([each.mean() for each in values], ddof=1)
    return float(t.ppf((1 + level) / 2, _GROUPS - 1) * spread * np.sqrt(left_out / _GROUPS))


def warm_up():
    """Compile what the CPU needs, or load it from Numba's cache on disk."""
    silhouette(np.arange(3.0)[:, None], np.array([0, 0, 1]))


def silhouette_seconds(n, d):
    """Estimate how long silhouettes of n rows with d columns take on one core.

    Returns
    -------
    float
        Within a factor of about two.
    """
    return n * n / 2 * (_PAIR + _PAIR_AND_COLUMN * d)


def quick_rows(d):
    """Return how many rows with d columns are scored in about a second, and 10,000 at least.

    By the count of columns alone, so that a score is the same on every machine.
    """
    rows = (2 * _SECONDS / (_PAIR + _PAIR_AND_COLUMN * d)) ** 0.5
    return max(_FEWEST, int(rows // 1000) * 1000)


def sampling_note(n_rows, n_scored, margin=float("nan")):
    """Say that a silhouette is of a sample, where it is.

    Parameters
    ----------
    n_rows : int
        Clustered rows.
    n_scored : int
        Rows that were scored.
    margin : float, optional
        Half width of the interval, of 95 %.

    Returns
    -------
    str
        One sentence, or nothing.
    """
    if n_rows <= n_scored:
        return ""
    near = f"; that of all rows is within {margin:.2g} of it (95 %)" if margin >= 0 else ""
    return f"The silhouette is of a stratified sample of {n_scored:,} of {n_rows:,} rows{near}."


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


def _filled(X):
    """Numbers without gaps, in the precision that they come in."""
    return fill_gaps(X if X.dtype.kind == "f" else X.astype(np.float64))


def _silhouettes(X, labels, rows, step, device):
    """Silhouettes of rows measured against each other; none where they are not defined."""
    _, cluster, sizes = np.unique(labels[rows], return_inverse=True, return_counts=True)
    if not 2 <= len(sizes) < len(rows):
        return np.empty(0)
    order = np.argsort(cluster, kind="stable")
    if device.startswith("cuda"):
        found = _by_torch(X[rows[order]], sizes, step, device)
    else:
        found = _compiled(X, rows[order], sizes, step)
    if found is None:
        return np.empty(0)
    own, nearest = found
    sizes = np.repeat(sizes, sizes)
    a = own / np.maximum(sizes - 1, 1)
    width = (nearest - a) / np.maximum(np.maximum(a, nearest), np.finfo(np.float64).tiny)
    values = np.empty(len(rows))
    values[order] = np.where(sizes > 1, width, 0.0)  # a cluster of one row scores 0
    return values


def _compiled(X, order, sizes, step):
    """Sum of the distances to the own cluster and mean of those to the nearest other one."""
    from workbench import distance_sums

    n, d = len(order), X.shape[1]
    panels, ends = distance_sums.panels_of(X, order), np.cumsum(sizes)
    rows = np.zeros((distance_sums.ROWS, d))
    squares = np.zeros((distance_sums.ROWS, distance_sums.WIDE))
    totals, own, nearest = np.zeros(n), np.zeros(n), np.full(n, np.inf)
    pairs, told = n * n / 2, 0.0
    enough = min(pairs / _LOOKS, _BETWEEN / (_PAIR + _PAIR_AND_COLUMN * d))
    for cluster, end in enumerate(ends):
        begin = end - sizes[cluster]
        for first in range(begin, end, distance_sums.ROWS):
            last = min(first + distance_sums.ROWS, end)
            distance_sums.add_block(
                first, last, cluster, ends, panels, rows, squares, totals, own, nearest
            )
            done = pairs - (n - last) ** 2 / 2
            if done - told >= enough and last < n:
                told = done
                if step(int(n * done / pairs), n):
                    return None
        distance_sums.finish_cluster(begin, end, totals, own, nearest)
    step(n, n)
    return own, nearest


def _by_torch(points, sizes, step, device):
    """As `_compiled`, some rows after the others against all rows."""
    import torch

    points = torch.as_tensor(points, dtype=torch.float64, device=device)
    sizes = torch.as_tensor(sizes, device=device)
    cluster = torch.repeat_interleave(torch.arange(len(sizes), device=device), sizes)
    n, found = len(points), []
    for rows in torch.arange(n, device=device).split(max(1, _MEMORY // (16 * n))):
        # Differences, not products: nothing cancels, and equal rows are exactly 0 apart.
        distances = torch.cdist(points[rows], points, compute_mode="donot_use_mm_for_euclid_dist")
        sums = torch.zeros(len(rows), len(sizes), dtype=torch.float64, device=device)
        sums.index_add_(1, cluster, distances)
        mine = cluster[rows, None]
        own = sums.gather(1, mine).squeeze(1)
        nearest = (sums / sizes).scatter_(1, mine, torch.inf).min(1).values
        found.append(torch.stack([own, nearest]))
        done = int(rows[-1]) + 1
        if step(done, n) and done < n:
            return None
    return torch.cat(found, dim=1).cpu().numpy()
