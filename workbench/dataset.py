"""From a table of text cells to a prepared matrix, with everything that was done said in words."""

from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from workbench.builtin import BUILTIN, builtin
from workbench.columns import PreparedColumn, cells_of, fit_column
from workbench.pixels import pixels_of
from workbench.preparation import GUESSED, USABLE, Preparation
from workbench.preparation_words import either_order, left_out, steps, warnings, without_reference
from workbench.roles import guess_roles, no_features, roles_of
from workbench.rows import row_ranges
from workbench.table import DataError, Table, fingerprint
from workbench.words import count, listing

__all__ = [
    "BUILTIN",
    "Applied",
    "DataError",
    "Dataset",
    "Table",
    "builtin",
    "default_features",
    "fingerprint",
    "prepare",
]


class Applied(NamedTuple):
    """Another table, prepared like the first.

    Attributes
    ----------
    X : ndarray of shape (m, d)
    row_ids : ndarray of int, shape (m,)
        Row numbers in that table, counted from 1.
    notes : tuple of str
        What to know about it, one sentence each.
    """

    X: np.ndarray
    row_ids: np.ndarray
    notes: tuple[str, ...]


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
        Reference labels, "" where a row has none; None where no row has one.
    features : tuple of str, length d
        Names; a category has several, such as "colour = red".
    row_ids : ndarray of int, shape (n,)
        Row numbers in the table, counted from 1.
    source : Table
        The table that it was prepared from.
    preparation : Preparation
        What was decided about it.
    label : str or None
        Column of the reference labels.
    steps, warnings : tuple of str
        What was done, and what to know about it, one sentence each.
    fingerprint : str
        Hash of the table, its reading and the preparation.
    columns : tuple of PreparedColumn
        How each column became features, in their order.
    """

    name: str
    X: np.ndarray
    y: np.ndarray | None
    features: tuple[str, ...]
    row_ids: np.ndarray
    source: Table
    preparation: Preparation
    label: str | None
    steps: tuple[str, ...]
    warnings: tuple[str, ...]
    fingerprint: str
    columns: tuple[PreparedColumn, ...] = field(repr=False)

    @property
    def origins(self):
        """Column of the table that each feature comes from, length d."""
        return tuple(column.name for column in self.columns for _ in column.features)

    @cached_property
    def gaps(self):
        """Which values no cell of the table says, filled or not: bool, (n, d)."""
        if self.preparation.impute not in ("mean", "median"):
            return np.isnan(self.X)
        parts = [column.values(self.source)[0] for column in self.columns]
        return np.isnan(np.column_stack(parts)[self.row_ids - 1])

    @cached_property
    def pixels(self):
        """Pixels that the features are, see `workbench.pixels`; None where rows are no images."""
        return pixels_of(self)

    @property
    def complete(self):
        """Whether all rows of the table are rows of the matrix."""
        return len(self.row_ids) == len(self.source.frame)

    def restore(self, points):
        """Take prepared points back to the table's own units.

        Parameters
        ----------
        points : ndarray of shape (m, d)
            Points in the space of `X`.

        Returns
        -------
        ndarray of shape (m, d)
            Numbers in their unit, dates in days since 1970, categories as shares.
        """
        places = np.cumsum([0, *(len(column.features) for column in self.columns)])
        return np.column_stack(
            [
                column.restore(points[:, low:high])
                for column, low, high in zip(self.columns, places, places[1:], strict=False)
            ]
        )

    def apply(self, table):
        """Prepare another table in the same way.

        Parameters
        ----------
        table : Table
            With the same columns; others are left alone.

        Returns
        -------
        Applied

        Raises
        ------
        DataError
            Where columns are missing, most cells of one are not what it should hold, or no row has
        a value.
        """
        return apply(self.columns, self.preparation, table)


def apply(columns, preparation, table):
    """Prepare a table by columns that were fitted before, see `Dataset.apply`."""
    lacking = [column.name for column in columns if column.name not in table.frame.columns]
    if lacking:
        raise DataError(f"{table.name} lacks {count(len(lacking), 'column')}: {listing(lacking)}.")
    notes = []
    parts = []
    for column in columns:
        values, found = column.values(table)
        parts.append(values)
        notes += found
    X = np.column_stack(parts)
    kept = _kept(X, np.isnan(X), preparation)
    if not kept.any():
        raise DataError(f"No row of {table.name} has a value in the columns that are needed.")
    if not kept.all():
        notes.append(f"{count((~kept).sum(), 'row')} without usable values not clustered.")
    return Applied(_filled(X[kept], columns), np.flatnonzero(kept) + 1, tuple(notes))


def default_features(table, preparation=GUESSED):
    """Name the columns that are features unless others are chosen.

    Parameters
    ----------
    table : Table
    preparation : Preparation, optional
        Roles that are decided.

    Returns
    -------
    tuple of str
        The columns whose role is numeric.
    """
    roles = roles_of(table, preparation)
    return tuple(name for name, role in roles.items() if role == "numeric")


def prepare(table, preparation=GUESSED):
    """Prepare a table for clustering.

    Each column becomes one feature, or, a category, several; missing, unreadable and infinite
    cells become NaN, or are filled as the preparation says; constant columns, and rows without
    any value, are left out.

    Parameters
    ----------
    table : Table
        What was read.
    preparation : Preparation, optional
        What is decided instead of guessed.

    Returns
    -------
    Dataset

    Raises
    ------
    DataError
        For unknown columns, roles that cannot be features, fewer than two rows.
    """
    guesses = guess_roles(table)
    roles = roles_of(table, preparation, guesses)
    names = _choose(table, preparation, roles, guesses)
    if len(table.frame) < 2:
        raise DataError(
            f"{table.name} has one row only, and clustering needs at least two: choose a file with "
            "more rows."
        )
    chosen = _chosen_rows(table, preparation)
    blocks = {name: cells_of(table, name, roles[name]) for name in names}
    for cells in blocks.values():
        cells.require_readable(table)
    varied, gaps, kept = _varied(blocks, chosen, preparation)
    columns = tuple(fit_column(blocks[name], kept, preparation) for name in varied)
    parts = [column.values(table)[0][kept] for column in columns]
    X = _filled(np.column_stack(parts), columns)
    label = next((name for name, role in roles.items() if role == "label"), None)
    y = None if label is None else _references(table, label)[kept]
    return Dataset(
        name=table.name,
        X=X,
        y=y if y is not None and np.any(y != "") else None,
        features=tuple(feature for column in columns for feature in column.features),
        row_ids=np.flatnonzero(kept) + 1,
        source=table,
        preparation=preparation,
        label=label,
        steps=steps(columns, preparation, roles, kept),
        warnings=(
            *left_out(guesses, roles, names, varied, preparation),
            *warnings({name: blocks[name] for name in varied}, chosen, kept, gaps, X, preparation),
            *either_order(table, columns),
            *without_reference(label, y, kept),
        ),
        fingerprint=fingerprint(table.key, preparation.model_dump_json()),
        columns=columns,
    )


def _choose(table, preparation, roles, guesses):
    if preparation.features is None:
        names = tuple(name for name, role in roles.items() if role == "numeric")
        if not names:
            raise DataError(no_features(table, guesses))
    else:
        names = preparation.features
    named = (*names, *preparation.log, *preparation.weights)
    unknown = [name for name in named if name not in roles]
    if unknown:
        raise DataError(f"column={unknown[0]!r} should be one of the columns of {table.name}.")
    for name in names:
        if roles[name] not in USABLE:
            raise DataError(
                f"column={name!r} cannot be clustered as {roles[name]}: give it another role, such "
                "as numeric or category."
            )
        counted = roles[name] == "numeric" or (
            roles[name] == "ordinal" and table.numbers[name].is_numeric
        )
        if name in preparation.log and not counted:
            raise DataError(
                f"column={name!r} cannot be on a log scale as {roles[name]}, only numbers can: "
                "untick Log, or give it the role numeric."
            )
    return tuple(name for name in roles if name in names)


def _chosen_rows(table, preparation):
    chosen = np.ones(len(table.frame), dtype=bool)
    if preparation.rows:
        ranges = row_ranges(preparation.rows)
        last = ranges[-1][1]
        if last > len(chosen):
            raise DataError(f"row={last} should be one of the {len(chosen):,} rows.")
        chosen[:] = False
        for first, end in ranges:
            chosen[first - 1 : end] = True
    return chosen


def _varied(blocks, chosen, preparation):
    """Leave out columns that are constant over the clustered rows; find these rows and gaps.

    Where rows with a gap are not clustered, a column that is left out can bring rows back, in
    which others vary: so one goes at a time, that with most gaps first.
    """
    varied = [name for name, cells in blocks.items() if not _is_constant(cells.values[chosen])]
    while varied:
        gaps = np.column_stack([np.isnan(blocks[name].values) for name in varied])
        kept = chosen & _kept(gaps, gaps, preparation)
        if kept.sum() < 2:
            raise DataError(
                f"Only {count(kept.sum(), 'row')} {'has' if kept.sum() == 1 else 'have'} usable "
                "values in the chosen columns, and clustering needs at least two: choose other "
                "columns."
            )
        flat = [at for at, name in enumerate(varied) if _is_constant(blocks[name].values[kept])]
        if not flat:
            return varied, gaps, kept
        del varied[max(flat, key=gaps[chosen].sum(axis=0).__getitem__)]
    raise DataError("Every chosen column is constant: choose a column whose values differ.")


def _references(table, label):
    """Words of the reference labels; "" where a row has none."""
    words = table.frame[label].str.strip()
    return words.mask(words.str.lower().isin(table.missing), "").to_numpy(dtype=str)


def _is_constant(values):
    """Judge whether the spread is no more than rounding (a sum can leave 0.30000000000000004)."""
    known = values[~np.isnan(values)]
    if not len(known):
        return True
    return np.ptp(known) <= 4 * np.finfo(np.float64).eps * np.abs(known).max()


def _kept(values, gaps, preparation):
    return ~(gaps.any(axis=1) if preparation.impute == "drop" else gaps.all(axis=1))


def _filled(X, columns):
    """Fill gaps with what each column's choice says; NaN stays where it is left to the method."""
    fill = np.array([value for column in columns for value in column.fill])
    if np.isnan(fill).all():
        return X
    return np.where(np.isnan(X), fill, X)
