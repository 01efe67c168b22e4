"""From the bytes of an uploaded file to a table; what is guessed or repaired is said, never silent.

The way of a file: what is inside it (`files`), its text (`text`), where the table
lies in it (`layout`), its cells (`cells`), and what is tidied (`tidy`).
"""

import csv
import re

import pandas as pd

from workbench.intake.cells import even, parsed, unclosed
from workbench.intake.delimiter import NONE
from workbench.intake.files import content
from workbench.intake.layout import layout
from workbench.intake.text import decode
from workbench.intake.tidy import decimal_of, tidy, unique
from workbench.reading import GUESSED
from workbench.table import DataError, Repair, Table, fingerprint
from workbench.words import count, listing, numbered


def read_table(payload, name, reading=GUESSED):
    """Read the bytes of a file with one table.

    Text with any delimiter and in any usual encoding, Excel, Parquet, Arrow, JSON records, each
    also compressed or in an archive. Every cell stays the text that was written; numbers, dates
    and truth values of a typed file become text once. Each guess and each repair that is not the
    plain case is said in `repairs`, with the fields of Reading that take it back.

    Parameters
    ----------
    payload : bytes
        The file.
    name : str
        Its name, for sentences.
    reading : Reading, optional
        What is decided instead of guessed.

    Returns
    -------
    Table
        The rows of the file are those of `frame` and those of `rejected`; lines of comment, lines
        before the table and blank lines are no rows.

    Raises
    ------
    DataError
        In one sentence, where there is no table to be read.
    """
    inside = content(payload, name, reading.sheet)
    repairs = _said_content(inside, name)
    if inside.text:
        text, known = inside.text, ","
    else:
        text, decoded = decode(inside.payload, name, reading.encoding)
        repairs, known = repairs + decoded, None
    if not re.search(r"\S", text):
        raise DataError(f"{name} is empty: choose a file with a header line and rows.")
    place = layout(text, name, reading, known, inside.named)
    frame, rejected, found = _cells(place, name, reading)
    repairs += place.repairs + found
    frame.columns = unique(place.names or [f"f{i + 1}" for i in range(place.width)])
    frame, dropped, found = tidy(frame, place, name, reading)
    repairs += found
    decimal, found = decimal_of(frame, place.dialect.delimiter, reading)
    return Table(
        frame,
        name,
        repairs + found,
        "," if place.dialect.delimiter in (NONE, " ") and place.width == 1
        else place.dialect.delimiter,
        fingerprint(payload),
        decimal,
        _line_end(text),
        rejected=_rejected(rejected + dropped),
        reading=reading,
        sheets=inside.sheets,
    )  # fmt: skip


def _said_content(inside, name):
    """Say what a file is in spite of its name, and which of several sheets is read."""
    if inside.kind and not name.lower().endswith(inside.endings):
        return (Repair(f"{inside.kind}, in spite of its name."), *_said_sheet(inside))
    return _said_sheet(inside)


def _said_sheet(inside):
    if len(inside.sheets) < 2:
        return ()
    others = [sheet for sheet in inside.sheets if sheet != inside.chosen]
    first = others[0]
    return (
        Repair(
            f"Only {inside.said} is read; there is also {listing(others)}.",
            {"sheet": first},
            f"Read {first} instead",
        ),
    )


def _cells(place, name, reading):
    """Parse the body; uneven lines are looked at one by one only where there are some."""
    body, dialect, width = place.body, place.dialect, place.width
    if width == 1:
        body = re.sub(r"[\r\n]+\Z", "", body)
    found = ()
    if body.count('"') % 2:
        body, dialect, found = _closed(place, body, name)
    frame = parsed(body, dialect, width)
    if frame is not None:
        return frame, [], found
    try:
        if not found:
            body, dialect, found = _closed(place, body, name)
        body, short, long = even(body, dialect, width, reading.long_rows == "cut")
    except csv.Error as error:
        raise DataError(f"{name} cannot be read: {error}.") from error
    frame = parsed(body, dialect, width)
    if frame is None:
        raise DataError(f"{name} cannot be read: its rows are not of one width.")
    kept = len(frame)
    if len(long) > kept and reading.long_rows == "reject":
        raise DataError(
            f"{name} has more values in most lines than in its first: the first line should name "
            "the columns."
        )
    found += _uneven(short, long, width, place.offset, reading)
    if reading.long_rows == "cut":
        return frame, [], found
    reason = f"more than {count(width, 'value')}"
    return frame, [(row.line + place.offset, reason, row.text) for row in long], found


def _closed(place, body, name):
    """Read quotation marks as letters where one is never closed and the rows are even without."""
    line = unclosed(body, place.dialect)
    if line is None:
        return body, place.dialect, ()
    letters = place.dialect._replace(quoted=False)
    if place.width < 2 or parsed(body, letters, place.width) is None:
        raise DataError(
            f"{name} opens a quotation mark in line {line + place.offset} that is never closed."
        )
    sentence = (
        f"A quotation mark in line {line + place.offset} is never closed, so quotation marks are "
        "read as letters."
    )
    return body, letters, (Repair(sentence),)


def _uneven(short, long, width, offset, reading):
    found = []
    if short:
        lines = [row.line + offset for row in short]
        if len(short) == 1:
            had = f"Line {lines[0]} has {count(short[0].width, 'value')} instead of {width}"
            found.append(Repair(f"{had}: the rest is missing."))
        else:
            found.append(
                Repair(
                    f"{count(len(short), 'row')} with fewer than {count(width, 'value')}, the rest "
                    f"is missing: {numbered('line', lines)}."
                )
            )
    if not long:
        return tuple(found)
    lines = [row.line + offset for row in long]
    cut = reading.long_rows == "cut"
    fate = f"cut to {width}" if cut else "left out: shown below"
    undo = {"long_rows": "reject" if cut else "cut"}
    each = "its" if len(long) == 1 else "their"
    offer = "Leave out what was cut" if cut else f"Keep {each} first {count(width, 'value')}"
    if len(long) == 1:
        had = f"Line {lines[0]} has {count(long[0].width, 'value')} instead of {width}"
        found.append(Repair(f"{had} and is {fate}.", undo, offer))
    else:
        found.append(
            Repair(
                f"{count(len(long), 'row')} with more than {count(width, 'value')} "
                f"{fate} ({numbered('line', lines)}).",
                undo,
                offer,
            )
        )
    return tuple(found)


def _rejected(rows):
    lines = [line for line, _, _ in rows]
    return pd.DataFrame(
        {
            "line": pd.Series(lines, dtype="int64"),
            "reason": pd.Series([reason for _, reason, _ in rows], dtype="str"),
            "text": pd.Series([text for _, _, text in rows], dtype="str"),
        }
    )


def _line_end(text):
    found = re.search(r"\r\n|\r|\n", text)
    return found[0] if found else "\n"
