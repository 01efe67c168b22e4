"""Which columns set each cluster apart, and by how much."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

CLEAR = 0.5
"""Effects from here on are told: Cohen's "medium", for d and for h alike."""
MOST_CATEGORIES = 50
"""A text column with more kinds of cells names its rows rather than groups them."""
_ROUNDING = 1e-9  # of a column's deviation


@dataclass(frozen=True, eq=False)
class Described:
    """One column of the table as clusters are described by it.

    Attributes
    ----------
    name : str
        Of the table's column.
    used : bool
        Whether the rows were clustered by it.
    values : ndarray of float, shape (n,)
        Numbers in the table's own units, places in `order` or days since 1970, NaN where one is
        missing; of a column of categories their positions in `categories`, -1 where one is missing.
    categories : tuple of str
        The most frequent first; empty for numbers.
    order : tuple of str
        Words of an ordinal column, from its low end.
    dates : bool
        Whether values are days.
    """

    name: str
    used: bool
    values: np.ndarray
    categories: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    dates: bool = False


class Trait(NamedTuple):
    """What a column says about a cluster.

    Attributes
    ----------
    column : str
    used : bool
        Whether the rows were clustered by it.
    effect : float
        Cohen's d of numbers, Cohen's h of categories; infinite where nothing varies but between.
    category : str
        The one whose share differs most; empty for numbers.
    inside, outside : float
        Mean of the cluster and of all other rows, or share of the category.
    """

    column: str
    used: bool
    effect: float
    category: str
    inside: float
    outside: float


@dataclass(frozen=True, eq=False)
class Profiles:
    """Effect of every column on every cluster.

    Attributes
    ----------
    columns : tuple of Described
        Those that tell most about some cluster first.
    traits : tuple of tuple of Trait
        By cluster, then by column in that order.
    left_out : tuple of str
        Columns that cannot describe a cluster: as many kinds of cells as there are rows, or one.
    """

    columns: tuple[Described, ...]
    traits: tuple[tuple[Trait, ...], ...]
    left_out: tuple[str, ...]

    @property
    def effects(self):
        """Effects (k, c); NaN where one is not defined."""
        shape = (len(self.traits), len(self.columns))
        return np.array([[t.effect for t in row] for row in self.traits], float).reshape(shape)

    def telling(self, label):
        """Return the traits of a cluster, the strongest first."""
        known = [trait for trait in self.traits[label] if not np.isnan(trait.effect)]
        return sorted(known, key=lambda trait: -abs(trait.effect))


def described(dataset):
    """Read every column of a dataset's table as numbers or categories.

    A column is one of categories where its cells are text, or where it was encoded as such.

    Parameters
    ----------
    dataset : Dataset

    Returns
    -------
    columns : tuple of Described
    left_out : tuple of str
        Names of columns that cannot describe a cluster.
    """
    found, left_out = [], []
    for name in dataset.source.frame.columns:
        column = _described(dataset, str(name))
        if column is None:
            left_out.append(str(name))
        else:
            found.append(column)
    return tuple(found), tuple(left_out)


def _described(dataset, name):
    rows = dataset.row_ids - 1
    own = {column.name: column for column in dataset.columns}.get(name)
    numbers = dataset.source.numbers[name]
    order, dates = (), False
    if own is not None and own.role in ("ordinal", "date"):
        at = dataset.origins.index(name)
        values = np.where(dataset.gaps[:, at], np.nan, dataset.restore(dataset.X)[:, at])
        order, dates = own.order, own.role == "date"
    elif numbers.is_numeric and (own is None or own.role == "numeric"):
        values = numbers.values[rows]
    else:
        cells = dataset.source.frame[name].iloc[rows].astype(str).str.strip()
        known = cells.mask(cells.str.lower().isin(dataset.source.missing))
        return _categories(known, name, own is not None)
    known = values[~np.isnan(values)]
    if not len(known) or np.ptp(known) == 0:
        return None
    return Described(name, own is not None, values, order=order, dates=dates)


def _categories(cells, name, used):
    positions, kinds = pd.factorize(cells)
    counts = np.bincount(positions[positions >= 0], minlength=len(kinds))
    if not 2 <= len(kinds) <= MOST_CATEGORIES or counts.max() < 2:
        return None
    order = np.argsort(-counts, kind="stable")
    place = np.append(np.argsort(order), -1)  # the last for what is missing
    return Described(name, used, place[positions], tuple(str(kinds[at]) for at in order))


def profiles(dataset, labels, k):
    """Say of every cluster how it differs from all other rows, column by column.

    Numbers: Cohen's d, the difference of the means over the pooled deviation, of the known cells.
    Categories: Cohen's h = 2 asin(sqrt(p)) - 2 asin(sqrt(q)) of the category in which the share p
    in the cluster and q elsewhere differ most. Both call .2 small, .5 medium and .8 large (Cohen,
    Statistical Power Analysis for the Behavioral Sciences, 1988). No test of significance is made:
    clusters differ in what they were found by, whatever the data are.

    Parameters
    ----------
    dataset : Dataset
    labels : ndarray of int, shape (n,)
        Clusters; rows with -1 do not count.
    k : int
        Number of clusters, empty ones included.

    Returns
    -------
    Profiles
    """
    labels = np.asarray(labels)
    columns, left_out = described(dataset)
    traits = [
        _category_traits(column, labels, k) if column.categories else _traits(column, labels, k)
        for column in columns
    ]
    strength = [_strength(of_column) for of_column in traits]
    order = sorted(range(len(columns)), key=lambda at: -strength[at])
    by_cluster = tuple(tuple(traits[at][label] for at in order) for label in range(k))
    return Profiles(tuple(columns[at] for at in order), by_cluster, left_out)


def _strength(of_column):
    effects = np.abs([trait.effect for trait in of_column])
    return float(np.nanmax(effects)) if not np.isnan(effects).all() else -1.0


def cohens_d(values, labels, k):
    """Return Cohen's d of each cluster against all other rows.

    Parameters
    ----------
    values : ndarray of shape (n,)
        NaN where one is missing.
    labels : ndarray of int, shape (n,)
        Clusters; rows with -1 do not count.
    k : int

    Returns
    -------
    effects, inside, outside : ndarray of shape (k,)
        d, and the means; NaN where a side has no known value, infinite where neither side varies
        and they differ.
    """
    known = (labels >= 0) & ~np.isnan(values)
    labels, values = labels[known], values[known]
    none = np.full(k, np.nan)
    if not len(values):
        return none, none, none
    middle, unit = values.mean(), values.std()
    if unit <= 1e-14 * np.abs(values).max():
        unit = 1.0  # all the same, but for what a mean rounds
    standard = (values - middle) / unit
    counts = np.bincount(labels, minlength=k)
    rest = len(values) - counts
    with np.errstate(divide="ignore", invalid="ignore"):
        means = np.bincount(labels, standard, k) / counts
        others = -(means * counts) / rest  # all of them sum to nothing
        within = np.bincount(labels, (standard - np.nan_to_num(means)[labels]) ** 2, k)
        # Of the rest: what varies within clusters, and their means about the mean of the rest.
        square = np.nansum(counts * means**2) - np.nan_to_num(counts * means**2)
        outside = np.maximum(within.sum() - within + square - rest * others**2, 0)
        pooled = np.sqrt((within + outside) / (len(values) - 2))
        difference = means - others
        effects = difference / pooled
    flat = pooled <= _ROUNDING
    same = np.abs(difference) <= _ROUNDING
    limit = np.where(same, 0.0, np.copysign(np.inf, difference))
    effects = np.where(flat, limit, effects)
    effects[(counts == 0) | (rest == 0)] = np.nan
    return effects, means * unit + middle, others * unit + middle


def cohens_h(inside, outside):
    """Return Cohen's h of two shares, `2 asin(sqrt(p)) - 2 asin(sqrt(q))`."""
    return 2 * np.arcsin(np.sqrt(inside)) - 2 * np.arcsin(np.sqrt(outside))


def _traits(column, labels, k):
    return [
        Trait(column.name, column.used, float(effect), "", float(inside), float(outside))
        for effect, inside, outside in zip(*cohens_d(column.values, labels, k), strict=True)
    ]


def category_counts(column, labels, k):
    """Count a column's categories in each cluster.

    Parameters
    ----------
    column : Described
        Of categories.
    labels : ndarray of int, shape (n,)
        Clusters; rows with -1 do not count.
    k : int

    Returns
    -------
    ndarray of int, shape (k, c)
    """
    known = (labels >= 0) & (column.values >= 0)
    c = len(column.categories)
    pairs = labels[known] * c + column.values[known]
    return np.bincount(pairs, minlength=k * c).reshape(k, c)


def _category_traits(column, labels, k):
    counts = category_counts(column, labels, k)
    rest = counts.sum(axis=0) - counts
    found = []
    for own, other in zip(counts, rest, strict=True):
        if not own.sum() or not other.sum():
            found.append(Trait(column.name, column.used, np.nan, "", np.nan, np.nan))
            continue
        inside, outside = own / own.sum(), other / other.sum()
        effects = cohens_h(inside, outside)
        at = int(np.argmax(np.abs(effects)))
        found.append(
            Trait(
                column.name,
                column.used,
                float(effects[at]),
                column.categories[at],
                float(inside[at]),
                float(outside[at]),
            )
        )
    return found
