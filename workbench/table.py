"""A table of text cells, and the error that its readers raise."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import pandas as pd

from workbench.number_cells import MISSING, NUMERIC_SHARE, Column, read_numbers
from workbench.reading import Reading
from workbench.value import NOTHING
from workbench.words import count, listing

__all__ = [
    "MISSING",
    "NUMERIC_SHARE",
    "Column",
    "DataError",
    "Repair",
    "Table",
    "fingerprint",
]


class DataError(ValueError):
    """Data that cannot be used; its text is one sentence fit for the screen."""


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
    sheets : tuple of str
        Sheets of the workbook or tables of the archive, where there are several.
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
    sheets: tuple[str, ...] = ()

    @cached_property
    def missing(self):
        """Spellings of a missing cell, in lower case, those that the reading adds included."""
        return MISSING | {word.strip().lower() for word in self.reading.missing}

    @cached_property
    def key(self):
        """Hash of the bytes and of how they were read."""
        return fingerprint(self.fingerprint, self.reading.model_dump_json())

    @cached_property
    def numbers(self):
        """Every column read as numbers, by name."""
        return {
            name: read_numbers(self.frame[name], self.decimal, self.reading)
            for name in self.frame.columns
        }

    @cached_property
    def column_repairs(self):
        """What was read past in the columns of numbers, one Repair for each kind."""
        read = {name: column for name, column in self.numbers.items() if column.is_numeric}
        return tuple(_column_repairs(read, self.decimal))


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


_MARK_NAMES = {
    ",": "comma",
    ".": "point",
    " ": "space",
    "\u00a0": "hard space",
    "\u202f": "narrow space",
    "\u2009": "thin space",
}


def _column_repairs(read, decimal):
    """Say what was read past, by kind and not by column, since tables can have many."""
    for sign, names, cells in _by_word(read, "signs"):
        yield Repair(
            f"The sign {sign} is read past in {listing(names)}: {count(cells, 'cell')}.",
            {"plain_numbers": True},
            "Keep signs as text",
        )
    for mark, names, cells in _by_word(read, "groups"):
        yield Repair(
            f"The {_MARK_NAMES.get(mark, mark)} stands between thousands in {listing(names)}: "
            f"{count(cells, 'cell')}.",
            {"thousands": ""},
            "Read no thousands marks",
        )
    for manner, names, cells in _by_word(read, "negatives"):
        yield Repair(
            f"Numbers {manner} are below zero in {listing(names)}: {count(cells, 'cell')}.",
            {"plain_numbers": True},
            f"Keep numbers {manner} as text",
        )
    for word, names, cells in _by_word(read, "spellings"):
        yield Repair(f"{word} is read as missing in {listing(names)}: {count(cells, 'cell')}.")
    names = [name for name, column in read.items() if column.decimal != decimal]
    if names:
        mark = _MARK_NAMES[read[names[0]].decimal]
        yield Repair(
            f"Unlike the others, the decimal mark is a {mark} in {listing(names)}.",
            {"decimal": decimal},
            f"Read a decimal {_MARK_NAMES[decimal]} only",
        )


def _by_word(read, kind):
    """Give each sign, mark, manner or spelling with its columns and the number of cells."""
    found = {}
    for name, column in read.items():
        for word, cells in getattr(column, kind).items():
            found.setdefault(word, {})[name] = cells
    return [(word, list(names), sum(names.values())) for word, names in found.items()]
