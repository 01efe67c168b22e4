"""Which values of a row are hidden: the choice, and what it comes to on a table."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from workbench.recipe import from_text, to_text
from workbench.table import DataError
from workbench.value import Value

How = Literal["share", "top", "bottom", "left", "right", "centre", "hand"]
MOST_CELLS = 16_384  # of a row that are named one by one: an image of 128 x 128


class Masking(Value):
    """A row and what is hidden of it.

    Parameters
    ----------
    row : int, default 1
        Its number in the table, from 1.
    how : str, default "share"
        A share at random; of an image also its half at the top, bottom, left or right or the square
        in its centre; or "hand": the cells that are named.
    share : float, default 0.3
        Of the row's columns, in (0, 1).
    seed : int, default 0
        Of the random share, and of what "another row" is.
    start : {"mean", "min", "max"}, default "mean"
        What a hidden value starts at: the column's mean, minimum or maximum.
    cells : tuple of int, default ()
        Columns hidden by hand, counted from 0.
    """

    row: Annotated[int, Field(ge=1)] = 1
    how: How = "share"
    share: Annotated[float, Field(gt=0, lt=1)] = 0.3
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 0
    start: Literal["mean", "min", "max"] = "mean"
    cells: tuple[Annotated[int, Field(ge=0)], ...] = Field(default=(), max_length=MOST_CELLS)

    def changed(self, **values):
        """Return a checked copy with some values changed."""
        return type(self)(**{**self.model_dump(), **values})

    def to_text(self):
        """Pack it as short text for an address."""
        kept = self if self.how == "hand" else self.changed(cells=())
        return to_text(kept.model_dump(mode="json", exclude_defaults=True))

    @classmethod
    def of_text(cls, text):
        """Read what `to_text` wrote.

        Raises
        ------
        DataError
            Where the text is forged or cut, or a value is not legal.
        """
        return from_text(cls, text)


def hidden_columns(masking, dataset):
    """Say which columns of a dataset a choice hides.

    A column of several features, such as a category, is hidden whole: one of its features would
    give the others away.

    Parameters
    ----------
    masking : Masking
    dataset : workbench.dataset.Dataset

    Returns
    -------
    ndarray of bool, shape (c,)
        True where the column is hidden.

    Raises
    ------
    DataError
        Where the choice does not fit the table.
    """
    n_columns = len(dataset.columns)
    if masking.how == "hand":
        hidden = np.zeros(n_columns, dtype=bool)
        named = np.array(masking.cells, dtype=int)
        hidden[named[named < n_columns]] = True
        return hidden
    if masking.how == "share":
        n_hidden = hidden_number(masking.share, n_columns)
        rng = np.random.default_rng((masking.seed, masking.row))
        hidden = np.zeros(n_columns, dtype=bool)
        hidden[rng.permutation(n_columns)[:n_hidden]] = True
        return hidden
    if dataset.pixels is None:
        raise DataError(
            f"how={masking.how!r} should be a share or cells by hand: these rows are no images."
        )
    return _part(masking.how, dataset.pixels)


def hidden_number(share, n_columns):
    """Columns that a share comes to: at least one is hidden, and one visible where there are two.

    Parameters
    ----------
    share : float
    n_columns : int

    Returns
    -------
    int
    """
    return max(1, min(round(share * n_columns), n_columns - 1))


def _part(how, pixels):
    """Which of the pixels that are features lie in a part of the image."""
    side = int(round(len(pixels) ** 0.5))
    down, across = np.divmod(np.flatnonzero(pixels), side)
    middle = (side - 1) / 2
    quarter = side / 4
    inside = {
        "top": down < middle,
        "bottom": down > middle,
        "left": across < middle,
        "right": across > middle,
        "centre": (np.abs(down - middle) < quarter) & (np.abs(across - middle) < quarter),
    }
    return inside[how]


def of_features(columns, dataset):
    """Spread a choice of columns over their features.

    Parameters
    ----------
    columns : ndarray of bool, shape (..., c)
    dataset : workbench.dataset.Dataset

    Returns
    -------
    ndarray of bool, shape (..., d)
    """
    widths = [len(column.features) for column in dataset.columns]
    return np.repeat(columns, widths, axis=-1)


def another_row(masking, dataset):
    """Draw another row by the seed and the present row, so that the same link draws the same.

    Parameters
    ----------
    masking : Masking
    dataset : workbench.dataset.Dataset

    Returns
    -------
    int
        Its number in the table.
    """
    others = dataset.row_ids[dataset.row_ids != masking.row]
    return int(np.random.default_rng((masking.seed, masking.row, 1)).choice(others))
