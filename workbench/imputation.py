"""Gaps of a table filled by recall, and how far off that is where known values were hidden."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from workbench.cell_words import cells_in_words, decimals_of, highest_share
from workbench.completion import DONORS, NEIGHBOURS, dynamics_of, known_values, starting_values
from workbench.dataset import DataError
from workbench.export import table_csv
from workbench.fitting import fitted_model
from workbench.masking import hidden_number, of_features
from workbench.progress import Cancelled, Progress
from workbench.run import too_many_clusters

FILLS = ("recall", "mean", "median", "neighbours")
REPEATS = 5
FEWEST_ROWS = 10
_HELD_OUT = 0.2  # of the rows, in each repeat
_MOST_HELD = 500


class Filling(NamedTuple):
    """A table whose gaps recall has filled.

    Attributes
    ----------
    frame : pandas.DataFrame
        All its cells as text, gaps of the columns used filled.
    rows : ndarray of int, shape (f,)
        Number in the table of each row with a filled cell, from 1; one entry for each cell.
    columns : tuple of str, length f
    cells : tuple of str, length f
        What was filled in.
    left : dict of str to int
        Gaps that stay, by column: no feature, or in rows that are not clustered.
    overwritten : int
        Filled cells in which something was written, but no value of the column.
    """

    frame: pd.DataFrame
    rows: NDArray
    columns: tuple[str, ...]
    cells: tuple[str, ...]
    left: dict[str, int]
    overwritten: int


def column_gaps(dataset):
    """Say which columns each row lacks: bool, (n, c)."""
    firsts = np.cumsum([0, *(len(column.features) for column in dataset.columns)])[:-1]
    return dataset.gaps[:, firsts]


def filled_table(run):
    """Fill the gaps of a run's table by recall: they start at the column's mean and alone move.

    Parameters
    ----------
    run : workbench.run.Run
        Of ClAM.

    Returns
    -------
    Filling
    """
    dataset, table = run.dataset, run.dataset.source
    dynamics = dynamics_of(run.recipe, run.prototypes, run.weights, run.beta)
    gaps = column_gaps(dataset)
    where = np.flatnonzero(gaps.any(axis=1))
    X = known_values(dataset)
    hidden = np.isnan(X[where])
    ends = np.where(hidden, starting_values(X), X[where])
    if len(where):
        ends = dynamics.ends(ends, hidden)
    frame = table.frame.copy()
    rows, columns, cells, overwritten = [], [], [], 0
    for at, (column, points) in enumerate(_by_column(dataset, ends)):
        lacking = np.flatnonzero(gaps[where, at])
        words = cells_in_words(column, points[lacking], decimals_of(table, column))
        numbers = dataset.row_ids[where[lacking]]
        place = frame.columns.get_loc(column.name)
        overwritten += int((~_blank(frame.iloc[numbers - 1, place], table)).sum())
        frame.iloc[numbers - 1, place] = words
        rows += numbers.tolist()
        columns += [column.name] * len(words)
        cells += words
    order = np.argsort(rows, kind="stable")
    return Filling(
        frame,
        np.array(rows, dtype=int)[order],
        tuple(columns[at] for at in order),
        tuple(cells[at] for at in order),
        _left(table, frame),
        overwritten,
    )


def _left(table, frame):
    blank = {str(name): int(_blank(frame[name], table).sum()) for name in frame.columns}
    return {name: number for name, number in blank.items() if number}


def _blank(cells, table):
    return cells.str.strip().str.lower().isin(table.missing)


def _by_column(dataset, points):
    """Columns with their part of points (m, d)."""
    places = np.cumsum([0, *(len(column.features) for column in dataset.columns)])
    return [
        (column, points[:, low:high])
        for column, low, high in zip(dataset.columns, places, places[1:], strict=False)
    ]


def filled_csv(run, filling):
    """Write a table with its gaps filled, and a last column that names what was filled in each row.

    Parameters
    ----------
    run : workbench.run.Run
    filling : Filling

    Returns
    -------
    bytes
        CSV with the table's own delimiter and line ends, in UTF-8; cells that a spreadsheet would
        run as formulas get an apostrophe in front.
    """
    named = [""] * len(filling.frame)
    for row, column in zip(filling.rows, filling.columns, strict=True):
        named[row - 1] += f"; {column}" if named[row - 1] else column
    return table_csv(run.dataset.source, filling.frame, {"filled by recall": named})


@dataclass(frozen=True, eq=False)
class Errors:
    """How far fills are off where known values were hidden; r repeats, c columns, 4 fills.

    Attributes
    ----------
    columns : tuple of str, length c
    categories : ndarray of bool, shape (c,)
        Columns of words without an order: their error is the share of wrong words.
    prepared : ndarray, shape (4, r)
        Root mean squared error over all hidden numbers, in prepared units; NaN where there is none.
    wrong : ndarray, shape (4, r)
        Share of wrong words over all hidden words of categories.
    own : ndarray, shape (4, r, c)
        By column: root mean squared error in the column's own units, or share of wrong words.
    n_hidden : ndarray of int, shape (r,)
        Values that were hidden and scored.
    patterned : bool
        Whether rows of the table with gaps lent their pattern, instead of a share at random.
    """

    columns: tuple[str, ...]
    categories: NDArray
    prepared: NDArray
    wrong: NDArray
    own: NDArray
    n_hidden: NDArray
    patterned: bool


def imputation_errors(
    recipe,
    dataset,
    *,
    share=0.2,
    repeats=REPEATS,
    report=lambda _: None,
    stop=lambda: False,
):
    """Hide known values of rows that training has not seen, fill them, and measure the error.

    In each repeat a fifth of the rows is held out. ClAM is trained on the others, which also give
    column means, medians and nearest rows. Each row that was held out is hidden in the columns
    that a row drawn from those with gaps lacks; in a table without gaps, in a share of its columns.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of ClAM; repeat r is trained with its seed + r.
    dataset : workbench.dataset.Dataset
        Its scaling is that of the whole table.
    share : float, default 0.2
        Of the columns to hide, where the table has no gaps.
    repeats : int, default 5
    report, stop
        As for `workbench.run.run`.

    Returns
    -------
    Errors

    Raises
    ------
    DataError
        Where there are too few rows, columns, or values of a column.
    Cancelled
        Where it was stopped.
    """
    n, n_columns = len(dataset.X), len(dataset.columns)
    if n < FEWEST_ROWS:
        raise DataError(
            f"The table has {n} rows; measuring the error needs at least {FEWEST_ROWS}, for some "
            "are held out."
        )
    if n_columns < 2:
        raise DataError(
            "The table has one column; measuring the error needs at least two, for recall goes by "
            "what stays visible."
        )
    X, gaps = known_values(dataset), column_gaps(dataset)
    found = []
    for repeat in range(repeats):
        report(Progress("measuring", repeat, repeats))
        rng = np.random.default_rng((recipe.seed, repeat))
        held = rng.permutation(n)[: held_out_rows(n)]
        hidden = _hidden(gaps, held, share, rng)
        asked = recipe.changed(seed=(recipe.seed + repeat) % 2**32)
        found.append(_repeat(asked, dataset, X, held, hidden, rng, stop))
    report(Progress("measuring", repeats, repeats))
    prepared, wrong, own = (np.stack(part, axis=1) for part in zip(*found, strict=True))
    return Errors(
        columns=tuple(column.name for column in dataset.columns),
        categories=np.array([column.role == "category" for column in dataset.columns]),
        prepared=prepared,
        wrong=wrong,
        own=own[..., :-1],
        n_hidden=own[0, :, -1].astype(int),
        patterned=bool(gaps.any()),
    )


def held_out_rows(n):
    """Return how many of n rows are held out in each repeat: a fifth, 500 at most."""
    return min(_MOST_HELD, max(2, round(_HELD_OUT * n)))


def _hidden(gaps, held, share, rng):
    """Columns to hide of the rows held out, (m, c): known ones, and never all that a row has."""
    n_columns = gaps.shape[1]
    known = ~gaps[held]
    lenders = gaps[gaps.any(axis=1)]
    if len(lenders):
        hidden = lenders[rng.integers(len(lenders), size=len(held))] & known
    else:
        order = rng.random((len(held), n_columns)).argsort(axis=1)
        hidden = order < hidden_number(share, n_columns)
    hidden[~(known & ~hidden).any(axis=1)] = False
    return hidden


def _repeat(recipe, dataset, X, held, hidden, rng, stop):
    """Errors of one repeat: prepared (4,), wrong (4,), own (4, c + 1), the last their number."""
    rest = np.delete(np.arange(len(X)), held)
    train, truth = X[rest], X[held]
    _check_rest(dataset, train, recipe.settings["n_clusters"])
    lost = of_features(hidden, dataset)
    seen = np.where(lost, np.nan, truth)
    model = fitted_model(recipe, train, stop=stop)
    if model is None:
        raise Cancelled
    dynamics = dynamics_of(recipe, model.cluster_centers_, model.weights_, model.beta_)
    unknown = np.isnan(seen)
    mean = starting_values(train)
    donors = train
    if len(train) > DONORS:
        donors = train[rng.choice(len(train), DONORS, replace=False)]
    fills = (
        dynamics.ends(np.where(unknown, mean, seen), unknown),
        np.where(unknown, mean, seen),
        np.where(unknown, np.nanmedian(train, axis=0), seen),
        _by_neighbours(donors, seen),
    )
    return tuple(
        map(np.stack, zip(*(_errors(dataset, truth, f, hidden) for f in fills), strict=True))
    )


def _check_rest(dataset, train, k):
    """Refuse in a sentence what cannot be learned from the rows that are not held out."""
    for column, part in _by_column(dataset, train):
        if np.isnan(part).all():
            raise DataError(
                f"{column.name} has so few values that a repeat holds all of them out: leave this "
                "column out."
            )
    fault = too_many_clusters(replace(dataset, X=train), k)
    if fault:
        raise DataError(f"With some rows held out, {fault}")


def _by_neighbours(donors, seen):
    from sklearn.impute import KNNImputer

    imputer = KNNImputer(n_neighbors=NEIGHBOURS, keep_empty_features=True)
    return imputer.fit(donors).transform(seen)


def _errors(dataset, truth, fill, hidden):
    squares, wrong, own = [], [], []
    parts = zip(_by_column(dataset, truth), _by_column(dataset, fill), hidden.T, strict=True)
    for (column, true), (_, filled), which in parts:
        true, filled = true[which], filled[which]
        if not which.any():
            own.append(np.nan)
        elif column.role == "category":
            places = (highest_share(column, column.restore(part)) for part in (true, filled))
            wrong.append(np.not_equal(*places))
            own.append(wrong[-1].mean())
        else:
            squares.append(np.square(filled - true).ravel())
            gaps = column.restore(filled) - column.restore(true)
            own.append(np.sqrt(np.square(gaps).mean()))
    rms = np.sqrt(np.concatenate(squares).mean()) if squares else np.nan
    share = np.concatenate(wrong).mean() if wrong else np.nan
    return np.array(rms), np.array(share), np.array([*own, hidden.sum()], float)
