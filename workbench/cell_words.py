"""Prepared values written as the cells of a table: numbers in their unit, words, dates."""

import re

import numpy as np
import pandas as pd

from workbench.columns import OTHER

_MOST_DECIMALS = 6
_FRACTION = re.compile(r"\d[.,](\d+)\D*$")


def decimals_of(table, column):
    """Digits behind the decimal mark in a column: the most that a cell has, up to 6.

    Parameters
    ----------
    table : workbench.table.Table
    column : workbench.columns.PreparedColumn

    Returns
    -------
    int
        0 for what is no number.
    """
    if column.words or column.role in ("category", "date"):
        return 0
    mark = column.decimal or "."
    cells = table.frame[column.name].str.strip()
    cells = cells[cells.str.contains(mark, regex=False)].head(5000)
    found = [match[1] for match in map(_FRACTION.search, cells) if match]
    return min(_MOST_DECIMALS, max(map(len, found), default=0))


def cells_in_words(column, points, decimals=0):
    """Write prepared values of a column as it writes its cells.

    A category takes the word with the highest share, ordered words the nearest.

    Parameters
    ----------
    column : workbench.columns.PreparedColumn
    points : ndarray, shape (m, features)
    decimals : int, default 0

    Returns
    -------
    list of str, length m
    """
    raw = column.restore(points)
    if column.role == "category":
        words = [*column.words, OTHER] if column.other else list(column.words)
        return [words[place] for place in highest_share(column, raw)]
    if column.order:
        places = np.clip(np.rint(raw[:, 0]), 0, len(column.order) - 1).astype(int)
        return [column.order[place] for place in places]
    if column.role == "date":
        days = pd.to_datetime(raw[:, 0], unit="D", errors="coerce").round("s")
        return [*days.strftime(column.form or "%Y-%m-%d")]
    written = [f"{value:.{decimals}f}" for value in raw[:, 0]]
    return [text.replace(".", column.decimal or ".") for text in written]


def highest_share(column, shares):
    """Place of the word with the highest share in rows of a category, (m,).

    Parameters
    ----------
    column : workbench.columns.PreparedColumn
        Of two words the first has the only feature.
    shares : ndarray, shape (m, features)

    Returns
    -------
    ndarray of int
    """
    if len(column.words) + column.other == 2 and shares.shape[1] == 1:
        return (shares[:, 0] < 0.5).astype(int)
    return shares.argmax(axis=1)
