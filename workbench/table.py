"""A table of text cells, and the error that its readers raise."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from workbench.reading import Reading
from workbench.value import NOTHING

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


class Repair(NamedTuple):
    """One thing that was not taken as it stood.

    Attributes
    ----------
    sentence : str
    undo : mapping of str to value
        Fields of Reading that take it back; empty where nothing can.
    offer : str
        What the button that takes it back says.
    """

    sentence: str
    undo: Mapping[str, Any] = NOTHING
    offer: str = ""


def _none_rejected():
    return pd.DataFrame({"line": [], "reason": [], "text": []})


@dataclass(frozen=True, eq=False)
class Table:
    r"""Cells as they were written, with what was repaired while reading.

    Parameters
    ----------
    frame : pandas.DataFrame
        Every cell the original text; column names are unique.
    name : str
        Name of the file or the built-in table.
    repairs : tuple of Repair
        What was not taken as it stood.
    delimiter : str
        What separated the cells.
    fingerprint : str
        Hash of the original bytes.
    decimal : str, default "."
        Decimal mark of the numbers.
    line_end : str, default "\n"
        What ended the lines.
    rejected : pandas.DataFrame
        Line, reason and text of each row that is not in the frame.
    reading : Reading
        What was decided about how it is read.
    """

    frame: pd.DataFrame
    name: str
    repairs: tuple[Repair, ...]
    delimiter: str
    fingerprint: str
    decimal: str = "."
    line_end: str = "\n"
    rejected: pd.DataFrame = field(default_factory=_none_rejected)
    reading: Reading = Reading()

    @cached_property
    def key(self):
        """Hash of the bytes and of how they were read."""
        return fingerprint(self.fingerprint, self.reading.model_dump_json())

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
