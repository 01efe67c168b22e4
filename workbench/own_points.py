"""A table's rows as points of a picture: two columns, on a scale that fits every lesson."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from workbench.roles import guess_roles
from workbench.table import DataError, fingerprint
from workbench.words import count

MOST = 2000  # points that a picture moves at a hand's speed
FEWEST = 3  # places: with fewer there is nothing to learn from
UNEVEN = 4  # times as wide as high: beyond it one scale for both axes would flatten the picture
SEED = 0  # of the draw, where there are too many rows


@dataclass(frozen=True, eq=False)
class OwnPoints:
    """Points of a person's own for a picture.

    Parameters
    ----------
    points : ndarray of shape (n, 2), float64
        Mean 0, and deviation about 1 along both axes; n <= 2,000.
    name : str
        Of the table that they are of.
    axes : tuple of (str, str)
        The columns.
    notes : tuple of str
        What was left out or changed, one sentence each.
    """

    points: np.ndarray
    name: str
    axes: tuple[str, str]
    notes: tuple[str, ...] = ()

    @cached_property
    def fingerprint(self):
        """Hash of the points, for caches of what is computed from them."""
        return fingerprint(self.points.tobytes())


def numeric_columns(table, guesses=None):
    """Return the columns that can be axes, in the table's order.

    Parameters
    ----------
    table : workbench.table.Table
    guesses : dict of str to Guess, optional
        What its columns seem to be, where that is at hand.

    Returns
    -------
    tuple of str
        Those that seem to be measures, else all that hold numbers (identifiers and codes too).

    Raises
    ------
    DataError
        Where there are fewer than two.
    """
    guesses = guesses or guess_roles(table)
    numbers = tuple(name for name, column in table.numbers.items() if column.is_numeric)
    measures = tuple(name for name in numbers if guesses[name].role == "numeric")
    found = measures if len(measures) > 1 else numbers
    if len(found) < 2:
        raise DataError(
            f"{table.name} has {count(len(found), 'column')} of numbers, and a picture in the "
            "plane needs two: choose another file."
        )
    return found


def own_points(table, across, up):
    """Make points of two columns of a table.

    Parameters
    ----------
    table : workbench.table.Table
    across, up : str
        Columns of numbers.

    Returns
    -------
    OwnPoints

    Raises
    ------
    DataError
        In one sentence, where fewer than three different points are left.
    """
    if across == up:
        raise DataError(f"The axes are both {across}: choose two different columns.")
    cells = np.column_stack([table.numbers[name].values for name in (across, up)]).astype(float)
    rows = np.flatnonzero(np.isfinite(cells).all(axis=1))
    notes = []
    if len(rows) < len(cells):
        gaps = len(cells) - len(rows)
        notes.append(f"{count(gaps, 'row')} with a gap in {across} or {up} left out.")
    whole = len(rows)
    if whole > MOST:
        rows = np.sort(np.random.default_rng(SEED).choice(rows, MOST, replace=False))
        notes.append(f"{MOST:,} of {whole:,} rows drawn evenly, always the same ones.")
    places = len(np.unique(cells[rows], axis=0))
    if places < FEWEST:
        raise DataError(
            f"{table.name} has {count(places, 'different point')} in {across} and {up}, and a "
            f"lesson needs at least {FEWEST}."
        )
    points, even = standardised(cells[rows])
    if not even:
        notes.append(f"{across} and {up} spread differently: each axis has a scale of its own.")
    return OwnPoints(points, table.name, (across, up), tuple(notes))


def standardised(points):
    """Centre points, and bring their deviation to about 1.

    One scale for both axes keeps shapes; where one axis spreads more than `UNEVEN` times as much
    as the other, in other units as it seems, each has its own.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        At least two of them different.

    Returns
    -------
    points : ndarray of shape (n, 2)
    even : bool
        Whether both axes have one scale.
    """
    # In units of the largest, since squares of very large or small numbers are not finite.
    largest = np.abs(points).max(axis=0)
    ratio = largest / largest.max()
    centred = points / np.where(largest > 0, largest, 1)
    centred = centred - centred.mean(axis=0)
    low, high = np.sort(centred.std(axis=0) * ratio)
    if low == 0 or high <= UNEVEN * low:
        centred = centred * ratio
        return centred / np.sqrt((centred**2).mean()), True
    return centred / centred.std(axis=0), False


def in_square(points):
    """Move and scale points into the unit square, where the memories of the figures lie.

    Parameters
    ----------
    points : ndarray of shape (n, 2)
        At least two of them different.

    Returns
    -------
    ndarray of shape (n, 2)
        Their shape is kept; from 0.05 to 0.95 along the longer side, in the middle of the other.
    """
    low, high = points.min(axis=0), points.max(axis=0)
    return 0.5 + 0.9 * (points - (low + high) / 2) / (high - low).max()
