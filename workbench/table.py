"""A table of text cells, and the error that its readers raise."""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

MISSING = frozenset({"", "na", "n/a", "#n/a", "nan", "null", "none", "-", "--", "?"})
NUMERIC_SHARE = 0.8  # of the non-missing cells; the rest are named in a warning


class DataError(ValueError):
    """Data that cannot be used; its text is one sentence fit for the screen."""


@dataclass(frozen=True, eq=False)
class Column:
    """One column read as numbers.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Finite numbers, and NaN for every cell that is none.
    blank, infinite, unreadable : ndarray of bool, shape (n,)
        Which cells are no number, by reason.
    """

    values: np.ndarray
    blank: np.ndarray
    infinite: np.ndarray
    unreadable: np.ndarray

    @cached_property
    def is_numeric(self):
        """Whether at least 80 % of the non-missing cells are finite numbers."""
        usable = np.isfinite(self.values).sum()
        return bool(usable > 0 and usable >= NUMERIC_SHARE * (~self.blank).sum())


@dataclass(frozen=True, eq=False)
class Table:
    r"""Cells as they were written, with what was repaired while reading.

    Parameters
    ----------
    frame : pandas.DataFrame
        Every cell the original text; column names are unique.
    name : str
        Name of the file or the built-in table.
    repairs : tuple of str
        One sentence for each thing that was not taken as it stood.
    delimiter : str
        What separated the cells.
    fingerprint : str
        Hash of the original bytes.
    decimal : str, default "."
        Decimal mark of the numbers.
    line_end : str, default "\n"
        What ended the lines.
    """

    frame: pd.DataFrame
    name: str
    repairs: tuple[str, ...]
    delimiter: str
    fingerprint: str
    decimal: str = "."
    line_end: str = "\n"

    @cached_property
    def numbers(self):
        """Every column read as numbers, by name."""
        return {name: _read(self.frame[name], self.decimal) for name in self.frame.columns}


def _read(cells, decimal):
    """Read text cells as numbers; only cells that are no finite number cost a second look."""
    text = cells if decimal == "." else _decimal_points(cells)
    values = _parsed(text)
    infinite = np.isinf(values)
    values[infinite] = np.nan
    odd = np.flatnonzero(np.isnan(values) & ~infinite)
    blank = np.zeros(len(values), dtype=bool)
    if len(odd):
        blank[odd] = cells.iloc[odd].str.strip().str.lower().isin(MISSING)
    return Column(values, blank, infinite, np.isnan(values) & ~infinite & ~blank)


def _parsed(text):
    """Parse a column at once where every cell is a number, twenty times as quick as one by one."""
    try:
        values = text.astype("float64[pyarrow]").to_numpy()
    except (ValueError, ImportError):
        values = pd.to_numeric(text, errors="coerce")
    return np.array(values, dtype=np.float64)


def _decimal_points(cells):
    """Read `1,5` as 1.5; a cell that has both marks stays as it is, and unreadable."""
    plain = cells.str.match(r"\s*[+-]?\d*,\d*([eE][+-]?\d+)?\s*$")
    return cells.where(~plain, cells.str.replace(",", ".", regex=False))


def fingerprint(*parts):
    """Hash bytes and text into 32 hexadecimal digits.

    Parameters
    ----------
    *parts : bytes or str
        What the fingerprint stands for; order and borders count.

    Returns
    -------
    str
    """
    digest = hashlib.sha256()
    for part in parts:
        payload = part.encode() if isinstance(part, str) else part
        digest.update(len(payload).to_bytes(8, "big"))
        digest.update(payload)
    return digest.hexdigest()[:32]
