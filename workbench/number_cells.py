"""Text cells read as numbers: decimal marks, thousands, currency and percent signs, gaps."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute

from workbench.reading import GUESSED

pc: Any = pyarrow.compute  # whose functions are made when it is imported
MISSING = frozenset({
    "", "na", "n/a", "#n/a", "n.a.", "n.a", "<na>", "nan", "null", "none", "nil", "missing", "-",
    "--", "---", "–", "—", "?", ".", "\\n", "#div/0!", "#value!", "#ref!", "#name?", "#num!",
    "#null!", "#n/a!",
})  # fmt: skip
"""Spellings of a missing cell, in lower case."""
NUMERIC_SHARE = 0.8  # of the non-missing cells; the rest are named in a warning
CURRENCIES = "$€£¥₹₽₩₺₪฿₫₴₦"
_CODES = "USD|EUR|GBP|CHF|JPY|CNY|INR|AUD|CAD|SEK|NOK|DKK|PLN|CZK|HUF|BRL|RUB|TRY|ZAR|kr|Fr|zł|Kč"
_GROUP_MARKS = (",", ".", " ", "\u00a0", "\u202f", "\u2009", "'", "’")
_SEEN = 2000  # cells that settle what is looked for in a column
_PLAIN = r"^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$"
_COMMA = r"^-?\d*,\d+(?:[eE][+-]?\d+)?$"
_POINT_GROUPS = r"^-?[1-9]\d{0,2}(?:\.\d{3})+$"
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_SIGN = re.compile(rf"[{CURRENCIES}]|(?:{_CODES})(?![A-Za-z])|(?<![A-Za-z])(?:{_CODES})|%")
_INFINITE = frozenset({"inf", "infinity", "∞"})


@dataclass(frozen=True, eq=False)
class Column:
    """One column read as numbers.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Finite numbers, and NaN for every cell that is none.
    blank, infinite, unreadable : ndarray of bool, shape (n,)
        Which cells are no number, by reason.
    signs : mapping of str to int
        How many cells have each currency or percent sign.
    groups : mapping of str to int
        How many cells have each thousands mark.
    negatives : mapping of str to int
        How many cells are below zero in each manner of accountants: "in brackets" and the like.
    spellings : mapping of str to int
        How many cells say in a word that they are missing.
    decimal : str
        Decimal mark.
    """

    values: np.ndarray
    blank: np.ndarray
    infinite: np.ndarray
    unreadable: np.ndarray
    signs: Mapping[str, int] = field(default_factory=dict)
    groups: Mapping[str, int] = field(default_factory=dict)
    negatives: Mapping[str, int] = field(default_factory=dict)
    spellings: Mapping[str, int] = field(default_factory=dict)
    decimal: str = "."

    @cached_property
    def is_numeric(self):
        """Whether at least 80 % of the non-missing cells are finite numbers."""
        usable = np.isfinite(self.values).sum()
        return bool(usable > 0 and usable >= NUMERIC_SHARE * (~self.blank).sum())


class _Cell(NamedTuple):
    """What one spelling stands for."""

    kind: str  # "number", "blank", "infinite" or "unreadable"
    value: float = np.nan
    signs: tuple[str, ...] = ()
    group: str = ""
    negative: str = ""  # in which manner, where not by a minus before it


_BLANK, _UNREADABLE = _Cell("blank"), _Cell("unreadable")


def read_numbers(cells, decimal=".", reading=GUESSED):
    """Read a column of text as numbers.

    Cells that are plain numbers are parsed at once; every other spelling is looked at once.

    Parameters
    ----------
    cells : pandas.Series of str
    decimal : {".", ","}, default "."
        Decimal mark of the table; a column that has the other one only is read by that.
    reading : Reading, optional
        Thousands mark, further spellings of a missing value, whether signs are read past.

    Returns
    -------
    Column
    """
    text = _arrow(cells)
    if reading.decimal is None:
        decimal = _mark_of(text, decimal)
    values = _plain_values(text, decimal, reading)
    if reading.missing:
        values[np.isin(values, _as_numbers(reading.missing))] = np.nan
    odd = np.flatnonzero(~np.isfinite(values))
    kinds = np.zeros(len(values), dtype="U1")
    counts = {kind: Counter() for kind in ("signs", "groups", "negatives", "spellings")}
    if len(odd):
        codes, spelled = pd.factorize(cells.iloc[odd].to_numpy(dtype=object))
        read = _look_up([str(cell) for cell in spelled], decimal, reading)
        values[odd] = np.array([cell.value for cell in read])[codes]
        kinds[odd] = np.array([cell.kind[0] for cell in read])[codes]
        _tally(read, spelled, np.bincount(codes, minlength=len(read)), counts)
    return Column(
        values,
        *(kinds == kind for kind in "biu"),
        decimal=decimal,
        **counts,
    )


def _arrow(cells):
    """Take the cells as they lie in memory, where pandas keeps them in Arrow's way."""
    text = pa.array(cells.array, from_pandas=True)
    chunks = text if isinstance(text, pa.ChunkedArray) else pa.chunked_array([text])
    return chunks.cast(pa.large_string())


def _plain_values(text, decimal, reading):
    """Parse the cells that are plain numbers at once; NaN for all others."""
    if decimal == ",":
        text = pc.utf8_trim_whitespace(text)
        if reading.thousands in (None, ".") and _contains(text, "."):
            grouped = pc.match_substring_regex(text, _POINT_GROUPS)
            text = pc.if_else(grouped, None, text)
        commas = pc.match_substring_regex(text, _COMMA)
        text = pc.if_else(commas, pc.replace_substring(text, ",", "."), text)
    try:
        values = pc.cast(text, pa.float64())
    except pa.ArrowInvalid:
        trimmed = pc.utf8_trim_whitespace(text)
        plain = pc.match_substring_regex(trimmed, _PLAIN)
        values = pc.cast(pc.if_else(plain, trimmed, None), pa.float64())
    return np.array(values.to_numpy(), dtype=np.float64)


def _contains(text, mark):
    return pc.any(pc.match_substring(text, mark)).as_py()


def _mark_of(text, decimal):
    """Tell a column's own decimal mark where its first cells show one mark and only that."""
    seen = [str(cell).strip() for cell in text.slice(0, _SEEN).to_pylist()]
    commas, points = decimal_marks(seen)
    return "," if commas and not points else "." if points and not commas else decimal


_SURE = {
    mark: re.compile(rf"[^\w.,]*(?:\d{{1,3}}(?:{other}\d{{3}})+{mark}\d+|\d*{mark}(?!\d{{3}}\b)\d+"
                     rf"|0{mark}\d+|\d{{4,}}{mark}\d+)(?:[eE][+-]?\d+)?\W*", re.ASCII)
    for mark, other in ((",", r"\."), (r"\.", ","))
}  # fmt: skip


def decimal_marks(cells):
    """Count cells that show their decimal mark beyond doubt: 1,5 but not 1,500.

    Parameters
    ----------
    cells : iterable of str

    Returns
    -------
    commas, points : int
    """
    commas = points = 0
    for cell in cells:
        commas += bool(_SURE[","].fullmatch(cell))
        points += bool(_SURE[r"\."].fullmatch(cell))
    return commas, points


def _look_up(spelled, decimal, reading):
    """Read each spelling; where none of many is a number, the others are not tried."""
    read_past = not reading.plain_numbers
    missing = MISSING | {word.strip().lower() for word in reading.missing}
    numbers = _as_numbers(reading.missing)
    marks = _GROUP_MARKS if reading.thousands is None else tuple(reading.thousands)
    marks = tuple(mark for mark in marks if mark != decimal)
    groups = [(m, _grouped(m, decimal)) for m in marks]
    tried = spelled[:: max(1, len(spelled) // _SEEN)]
    words = len(tried) > 100 and all(
        _read(cell, decimal, groups, missing, numbers, read_past).kind in ("unreadable", "blank")
        for cell in tried
    )
    if words:
        return [_BLANK if cell.strip().lower() in missing else _UNREADABLE for cell in spelled]
    return [_read(cell, decimal, groups, missing, numbers, read_past) for cell in spelled]


def _grouped(mark, decimal):
    group, point = re.escape(mark), re.escape(decimal)
    west = rf"[1-9]\d{{0,2}}(?:{group}\d{{3}})+"
    india = rf"[1-9]\d?(?:{group}\d{{2}})+{group}\d{{3}}"
    return re.compile(rf"[+-]?(?:{west}|{india})(?:{point}\d*)?", re.ASCII)


def _read(cell, decimal, groups, missing, numbers, read_past):
    text = cell.strip().replace("−", "-")
    if text.lower() in missing or cell.strip().lower() in missing:
        return _BLANK
    if text.lstrip("+-").lower() in _INFINITE:
        return _Cell("infinite")
    signs, negative, group = [], "", ""
    if read_past:
        text, signs, negative = _bare(text)
    for mark, pattern in groups:
        if mark in text and pattern.fullmatch(text):
            text, group = text.replace(mark, ""), mark
            break
    if decimal == "," and "." not in text:
        text = text.replace(",", ".", 1)
    if not _NUMBER.fullmatch(text):
        return _UNREADABLE
    value = -float(text) if negative else float(text)
    if not np.isfinite(value):
        return _Cell("infinite")
    if value in numbers:
        return _BLANK
    return _Cell("number", value, tuple(signs), group, negative)


def _bare(text):
    """Take off brackets, a currency or percent sign, and a minus behind the number."""
    inner, negative = text, ""
    if text.startswith("(") and text.endswith(")"):
        inner, negative = text[1:-1].strip(), "in brackets"
    signs = _SIGN.findall(inner)
    if len(signs) > 1:
        return text, [], ""
    inner = _SIGN.sub("", inner).strip()
    inner = re.sub(r"^([+-])\s+", r"\1", inner)
    if not negative and inner.endswith("-") and inner[:1].isdigit():
        inner, negative = inner[:-1].strip(), "with a minus behind"
    if negative and not inner[:1].isdigit() and not inner.startswith("."):
        return text, [], ""
    return inner, signs, negative


def _as_numbers(words):
    found = []
    for word in words:
        text = word.strip().replace(",", ".")
        if _NUMBER.fullmatch(text):
            found.append(float(text))
    return np.array(found)


def _tally(read, spelled, times, counts):
    """Count cells by sign, thousands mark, manner of being below zero, and spelling."""
    for cell, word, n in zip(read, spelled, times, strict=True):
        for sign in cell.signs:
            counts["signs"][sign] += int(n)
        if cell.group:
            counts["groups"][cell.group] += int(n)
        if cell.negative:
            counts["negatives"][cell.negative] += int(n)
        if cell.kind == "blank" and str(word).strip():
            counts["spellings"][str(word).strip()] += int(n)
