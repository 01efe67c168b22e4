"""From a table of text cells to a prepared matrix, with everything that was done said in words."""

from dataclasses import dataclass, field

import numpy as np

from workbench.builtin import BUILTIN, builtin
from workbench.table import NUMERIC_SHARE, DataError, Table, fingerprint
from workbench.words import count, listing, numbered

__all__ = [
    "BUILTIN",
    "DataError",
    "Dataset",
    "Table",
    "builtin",
    "default_columns",
    "fingerprint",
    "numeric",
    "prepare",
    "row_counter",
]


@dataclass(frozen=True, eq=False)
class Dataset:
    """A prepared matrix and where it came from.

    Parameters
    ----------
    name : str
        Name of the table.
    X : ndarray of shape (n, d), float64
        Prepared values; NaN marks a missing cell.
    y : ndarray of str, shape (n,), or None
        Reference labels.
    features : tuple of str, length d
        Column names.
    row_ids : ndarray of int, shape (n,)
        Row numbers in the table, counted from 1.
    source : Table
        The table that it was prepared from.
    steps, warnings : tuple of str
        What was done, and what to know about it, one sentence each.
    fingerprint : str
        Hash of the table's fingerprint and the preparation.
    offset, scale : ndarray of shape (d,)
        `X * scale + offset` is in the table's own units.
    """

    name: str
    X: np.ndarray
    y: np.ndarray | None
    features: tuple[str, ...]
    row_ids: np.ndarray
    source: Table
    steps: tuple[str, ...]
    warnings: tuple[str, ...]
    fingerprint: str
    offset: np.ndarray = field(repr=False)
    scale: np.ndarray = field(repr=False)

    def restore(self, points):
        """Take prepared points back to the table's own units.

        Parameters
        ----------
        points : ndarray of shape (m, d)
            Points in the space of `X`.

        Returns
        -------
        ndarray of shape (m, d)
        """
        return points * self.scale + self.offset


def numeric(table):
    """Name the columns of numbers.

    A column is numeric where at least 80 % of its non-missing cells are finite numbers.

    Parameters
    ----------
    table : Table
        What was read.

    Returns
    -------
    tuple of str
    """
    return tuple(name for name, column in table.numbers.items() if column.is_numeric)


def row_counter(table):
    """Name the column that only counts the rows, if there is one.

    It is the first column, holds 0, 1, 2, ... or 1, 2, 3, ..., and is nameless or named like an
    index; as a feature it would sort the rows into blocks by their place in the file.

    Parameters
    ----------
    table : Table
        What was read.

    Returns
    -------
    str or None
    """
    name = str(table.frame.columns[0])
    words = name.strip().lower().replace("_", " ")
    values = table.numbers[name].values
    counts = len(values) > 1 and values[0] in (0.0, 1.0) and bool(np.all(np.diff(values) == 1.0))
    named = words in {"column 1", "index", "row", "no", "no.", "nr", "#"} or words.endswith("id")
    return name if counts and named else None


def default_columns(table):
    """Name the columns that are features unless others are chosen.

    Parameters
    ----------
    table : Table
        What was read.

    Returns
    -------
    tuple of str
        The numeric columns without a row counter.
    """
    counter = row_counter(table)
    return tuple(name for name in numeric(table) if name != counter)


def prepare(table, *, columns=None, label=None, standardise=True):
    """Prepare a table's numbers for clustering.

    Missing, unreadable and infinite cells become NaN; constant columns and rows without any
    number are left out; with `standardise`, each column becomes (x - mean) / deviation over its
    known cells, with the population's deviation, in float64.

    Parameters
    ----------
    table : Table
        What was read.
    columns : tuple of str, optional
        Features; by default all columns of numbers but the label and a row counter.
    label : str, optional
        Column of reference labels, kept out of the features.
    standardise : bool, default True
        Whether to give every column mean 0 and deviation 1.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        For unknown columns, text columns, an empty selection, fewer than two rows.
    """
    names, steps = _choose(table, columns, label)
    read = {name: table.numbers[name] for name in names}
    _refuse_text(read, table)
    steps += _kept_words(names)
    constant = tuple(name for name in names if _is_constant(read[name].values))
    features = tuple(name for name in names if name not in constant)
    if len(table.frame) < 2:
        raise DataError(
            f"{table.name} has one row only, and clustering needs at least two: choose a file with "
            "more rows."
        )
    if not features:
        raise DataError("Every chosen column is constant: choose a column whose values differ.")
    X = np.column_stack([read[name].values for name in features])
    kept = ~np.isnan(X).all(axis=1)
    if kept.sum() < 2:
        raise DataError(
            "Only one row has a number in the chosen columns, and clustering needs at least two: "
            "choose other columns."
        )
    X, offset, scale = _standardised(X[kept]) if standardise else _as_it_is(X[kept])
    steps += (_STANDARDISED if standardise else "Values are used in their own units.",)
    y = None if label is None else table.frame[label].to_numpy(dtype=str)[kept]
    return Dataset(
        name=table.name,
        X=X,
        y=y,
        features=features,
        row_ids=np.flatnonzero(kept) + 1,
        source=table,
        steps=steps,
        warnings=_warnings(read, features, constant, kept, X),
        fingerprint=fingerprint(table.fingerprint, repr((features, label, bool(standardise)))),
        offset=offset,
        scale=scale,
    )


_STANDARDISED = "Each column is standardised: mean 0 and deviation 1 over its known cells."


def _choose(table, columns, label):
    known = set(table.frame.columns)
    unknown = [name for name in (*(columns or ()), *filter(None, [label])) if name not in known]
    if unknown:
        raise DataError(f"column={unknown[0]!r} should be one of the columns of {table.name}.")
    if columns is not None:
        if not columns:
            raise DataError("columns=() should name at least one column.")
        if len(set(columns)) < len(columns):
            raise DataError("columns should name each column once.")
        if label in columns:
            raise DataError(f"label={label!r} should not be one of the features too.")
        return tuple(columns), ()
    counter = row_counter(table)
    names = tuple(n for n in numeric(table) if n not in (label, counter))
    if not names:
        raise DataError(f"{table.name} has no column of numbers to cluster.")
    left_out = counter is not None and counter != label
    return names, ((f"{counter} only counts the rows and is left out.",) if left_out else ())


def _refuse_text(read, table):
    for name, column in read.items():
        if not column.is_numeric:
            raise DataError(
                f"column={name!r} should hold numbers: fewer than {NUMERIC_SHARE:.0%} of its "
                f"filled cells in {table.name} are."
            )


def _kept_words(names):
    return (f"{count(len(names), 'column')} of numbers chosen.",)


def _is_constant(values):
    """Judge whether the spread is no more than rounding (a sum can leave 0.30000000000000004)."""
    known = values[~np.isnan(values)]
    return np.ptp(known) <= 4 * np.finfo(np.float64).eps * np.abs(known).max()


def _standardised(X):
    # Twice: the first mean of values near 1e7 carries an error that the second one removes.
    first = np.nanmean(X, axis=0)
    centred = X - first
    rest = np.nanmean(centred, axis=0)
    centred -= rest
    scale = np.sqrt(np.nanmean(centred**2, axis=0))
    return centred / scale, first + rest, scale


def _as_it_is(X):
    return X, np.zeros(X.shape[1]), np.ones(X.shape[1])


def _warnings(read, features, constant, kept, X):
    found = []
    if constant:
        found.append(f"Constant, so left out: {listing(constant)}.")
    for name in features:
        column = read[name]
        for kind, cells in (("infinite", column.infinite), ("unreadable", column.unreadable)):
            rows = np.flatnonzero(cells) + 1
            if len(rows):
                found.append(
                    f"{name}: {count(len(rows), f'{kind} cell')} taken as missing, "
                    f"{numbered('row', rows)}."
                )
    gaps = np.isnan(X)
    if gaps.any():
        found.append(
            f"{count(gaps.sum(), 'cell')} in {count(gaps.any(axis=1).sum(), 'row')} missing: "
            "ClAM recalls them, other methods use the column's mean."
        )
    if not kept.all():
        rows = np.flatnonzero(~kept) + 1
        found.append(
            f"{count(len(rows), 'row')} without any number left unclustered: "
            f"{numbered('row', rows)}."
        )
    distinct = _few_distinct(X)
    if distinct:
        found.append(f"Only {distinct} distinct rows: they fill at most {distinct} clusters.")
    return tuple(found)


def _few_distinct(X, most=20):
    """Count distinct rows where they are few; the first rows settle it for nearly all tables."""
    if len(X) <= most or len(np.unique(X[:1000], axis=0)) > most:
        return 0
    distinct = len(np.unique(X, axis=0))
    return distinct if distinct <= most else 0
