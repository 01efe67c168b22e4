"""Sets of rows as short text: "1-20,35"."""

import re

import numpy as np

from workbench.table import DataError

_RANGE = re.compile(r"(\d{1,10})(?:-(\d{1,10}))?")
MOST = 20_000  # characters: what a link can carry


def row_ranges(text):
    """Read a set of rows; a short text can name very many, so they stay ranges.

    Parameters
    ----------
    text : str
        Rising numbers and ranges, from 1: "1-20,35"; "" for none given.

    Returns
    -------
    list of (first, last)
        Rising; both ends belong to the range.

    Raises
    ------
    DataError
        Where it is not such a text.
    """
    ranges, last = [], 0
    for part in text.split(",") if text else ():
        found = _RANGE.fullmatch(part)
        first, end = (int(found[1]), int(found[2] or found[1])) if found else (0, 0)
        if not last < first <= end:
            raise DataError(f"rows={part!r} should be rising row numbers, such as '1-20,35'.")
        ranges.append((first, end))
        last = end
    return ranges


def row_text(numbers):
    """Write a set of rows as text.

    Parameters
    ----------
    numbers : sequence of int
        From 1, in any order.

    Returns
    -------
    str

    Raises
    ------
    DataError
        Where the text would be longer than a link can carry.
    """
    rows = np.unique(np.asarray(numbers, dtype=np.int64))
    if not len(rows):
        return ""
    cuts = np.flatnonzero(np.diff(rows) > 1) + 1
    runs = np.split(rows, cuts)
    text = ",".join(f"{run[0]}" if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    if len(text) > MOST:
        raise DataError(
            f"These {len(rows):,} rows are too scattered to be written down: choose fewer."
        )
    return text
