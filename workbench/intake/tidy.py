"""What is tidied once cells are read: names, empty columns, totals, rows turned into columns."""

import re

import numpy as np
import pandas as pd

from workbench.number_cells import MISSING, decimal_marks, read_numbers
from workbench.table import DataError, Repair
from workbench.words import count, listing

_SEEN = 1000  # rows that tell the decimal mark
_TOTAL = re.compile(
    r"\s*(grand |sub)?(total|totals|sum|sums|summe|gesamt|gesamtsumme|insgesamt|somme|totaux|"
    r"totale|totaal|suma|soma|summa|yhteensä|razem|celkem|итого|всего|合計|合计|总计)\b.*",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\D*(\d+)\D*", re.ASCII)


def unique(first):
    """Make column names unique, and give those that are blank a number.

    Parameters
    ----------
    first : list of str
        As they were written.

    Returns
    -------
    list of str
    """
    names, used, taken = [], set(), set(first)
    for i, cell in enumerate(first):
        base = cell if cell.strip() else f"column {i + 1}"
        name, number = base, 2
        while name in used or (name != cell and name in taken):
            name, number = f"{base} ({number})", number + 1
        names.append(name)
        used.add(name)
    return names


def tidy(frame, place, name, reading):
    """Leave out empty rows at the end, a row of totals and empty columns; turn rows if asked.

    Parameters
    ----------
    frame : pandas.DataFrame
    place : Layout
    name : str
        Of the file, for sentences.
    reading : Reading

    Returns
    -------
    frame : pandas.DataFrame
    dropped : list of (line, reason, text)
        Rows that are left out.
    repairs : tuple of Repair

    Raises
    ------
    DataError
        Where no row or no value is left.
    """
    repairs, dropped = [], []
    if place.width > 1 and not reading.keep_empty:
        frame, found = _without_empty_end(frame)
        repairs += found
    if frame.empty:
        raise DataError(
            f"{name} has a header line and no rows below it."
            if place.names
            else f"{name} has no filled cell."
        )
    frame, found, dropped = _totals(frame, place, reading)
    repairs += found
    written = dict(zip(frame.columns, place.names or frame.columns, strict=True))
    frame, found = _empty_columns(frame, place, name, reading)
    repairs += found
    changed = [column for column in frame.columns if written[column] != column]
    if changed:
        repairs.append(Repair(f"Blank or repeated column names were changed: {listing(changed)}."))
    if reading.transpose:
        frame, found = _turned(frame, name)
        repairs += found
    elif _features_in_rows(frame):
        repairs.append(
            Repair(
                "Rows look like features: each has a name, and the columns are numbered.",
                {"transpose": True},
                "Turn rows into columns",
            )
        )
    return frame, dropped, tuple(repairs)


def _empty(cells):
    start = cells.iloc[:_SEEN].str.strip()
    return not start.any() and not cells.str.strip().any()


def _without_empty_end(frame):
    end = len(frame)
    while end and not any(str(cell).strip() for cell in frame.iloc[end - 1]):
        end -= 1
    if end == len(frame):
        return frame, []
    sentence = f"{count(len(frame) - end, 'empty row')} at the end left out."
    return frame.iloc[:end], [Repair(sentence, {"keep_empty": True}, "Keep empty rows and columns")]


def _empty_columns(frame, place, name, reading):
    if reading.keep_empty:
        return frame, []
    empty = [column for column in frame.columns if _empty(frame[column])]
    if len(empty) == len(frame.columns):
        raise DataError(f"{name} has no filled cell.")
    number = len(empty) + place.trailing
    if not number or (len(frame) < 2 and not place.trailing):
        return frame, []
    named = [column for column in empty if not re.fullmatch(r"column \d+( \(\d+\))?", column)]
    which = f": {listing(named)}" if named else " without a name"
    repair = Repair(
        f"Dropped {count(number, 'empty column')}{which}.",
        {"keep_empty": True},
        "Keep empty columns",
    )
    return frame.drop(columns=empty), [repair]


def _totals(frame, place, reading):
    """Leave out a last row that is named a total and holds the sums of the columns."""
    if reading.keep_totals or len(frame) < 3:
        return frame, [], []
    cells = [str(cell) for cell in frame.iloc[-1]]
    title = next((cell for cell in cells if cell.strip()), "")
    if not _TOTAL.fullmatch(title):
        return frame, [], []
    decimal, _ = decimal_of(frame, place.dialect.delimiter, reading)
    sums = matches = 0
    for column in frame.columns:
        values = read_numbers(frame[column], decimal, reading).values
        if not np.isfinite(values[-1]) or not np.isfinite(values[:-1]).any():
            continue
        sums += 1
        total = np.nansum(values[:-1])
        size = np.nansum(np.abs(values[:-1]))
        matches += abs(values[-1] - total) <= max(1e-6 * size, 0.01 * abs(total), 1e-9)
    if not sums or matches < sums / 2:
        return frame, [], []
    text = place.dialect.delimiter.join(cells)
    body = place.body.rstrip("\r\n")
    line = place.offset + len(re.findall(r"\r\n|\r|\n", body)) + 1
    repair = Repair(
        f"The last row, “{title.strip()}”, holds the sums of the columns and is left out.",
        {"keep_totals": True},
        "Keep the row of totals",
    )
    return frame.iloc[:-1], [repair], [(line, "sums of the columns", text)]


def _features_in_rows(frame):
    """Tell whether rows are named and columns only numbered: 1, 2, 3, ..."""
    numbered = [_NUMBERED.fullmatch(str(column)) for column in frame.columns]
    values = [int(found[1]) for found in numbered if found]
    words = len(frame.columns) - len(values)
    if not 1 <= words <= 3 or len(values) < 10 or len(frame) < 2 * len(values):
        return False
    in_turn = all(b - a == 1 for a, b in zip(values, values[1:], strict=False))
    return in_turn and values[0] in (0, 1) and _titles(frame) is not None


def _titles(frame):
    """Return the column of text with another value in every row: names of the rows."""
    for column in frame.columns:
        cells = frame[column]
        if cells.is_unique and not read_numbers(cells.iloc[:_SEEN]).is_numeric:
            return column
    return None


def _turned(frame, name):
    """Turn rows into columns, named by the first column of distinct text."""
    if len(frame) > 20_000:
        raise DataError(
            f"{name} has {len(frame):,} rows: turned into columns, more than 20,000 are too many."
        )
    titles = _titles(frame)
    rest = [column for column in frame.columns if column != titles]
    seen = frame.iloc[:_SEEN]
    numeric = [column for column in rest if read_numbers(seen[column]).is_numeric]
    kept = numeric or rest
    names = [f"row {i + 1}" for i in range(len(frame))]
    if titles is not None:
        names = [str(cell) for cell in frame[titles]]
    names = unique(names)
    turned = pd.DataFrame(frame[kept].to_numpy(dtype=object).T, columns=names).astype("str")
    first = unique([*names, "column"])[-1]
    turned.insert(0, first, pd.Series([str(column) for column in kept], dtype="str"))
    lost = [column for column in rest if column not in kept]
    sentence = f"Rows were turned into columns: {count(len(turned), 'row')}."
    if lost:
        sentence = f"{sentence[:-1]}; {listing(lost)} left out, as text."
    return turned, [Repair(sentence, {"transpose": False}, "Turn columns back into rows")]


def decimal_of(frame, delimiter, reading):
    """Tell the decimal mark of a table from its first rows.

    Parameters
    ----------
    frame : pandas.DataFrame
    delimiter : str
        Between commas, a comma in a number rather stands between thousands.
    reading : Reading

    Returns
    -------
    decimal : {".", ","}
    repairs : tuple of Repair
    """
    if reading.decimal is not None:
        return reading.decimal, ()
    cells = [str(cell).strip() for cell in frame.head(_SEEN).to_numpy(dtype=object).ravel()]
    cells = [cell for cell in cells if cell.lower() not in MISSING]
    commas, points = decimal_marks(cells)
    if not commas and not points and delimiter != ",":
        commas = sum(bool(re.fullmatch(r"[+-]?\d{1,3},\d{3}", cell)) for cell in cells)
    if commas <= points:
        return ".", ()
    return ",", (Repair("Numbers have a decimal comma.", {"decimal": "."}, "Read a decimal point"),)
