"""How a table lies in a text: delimiter, comments, lines before it, and where its names stand.

A guess is made from the first rows; each one that is not the plain case is said, and each can be
decided otherwise by a Reading.
"""

import csv
import io
import re
from typing import NamedTuple

from workbench.intake.cells import Dialect, Row, rows, spaced, without_comments, without_lines
from workbench.intake.comments import COMMENTS, skip_comments
from workbench.intake.delimiter import (
    NONE,
    common,
    filled_width,
    first_rows,
    is_number,
    said,
    sniff,
    start_of,
)
from workbench.intake.names import names_first, numeric_places
from workbench.number_cells import MISSING
from workbench.table import DataError, Repair
from workbench.words import count

PREFACE_ROWS = 50
MOST_COLUMNS = 20_000


class Layout(NamedTuple):
    """Where the cells of a table stand.

    Attributes
    ----------
    body : str
        The rows, without the line of names and what stands before it.
    offset : int
        Lines before the body.
    dialect : Dialect
    width : int
        Number of columns.
    names : list of str or None
        As they were written; None where there is no line of names.
    repairs : tuple of Repair
    trailing : int
        Nameless columns at the end of the line of names that no row has.
    """

    body: str
    offset: int
    dialect: Dialect
    width: int
    names: list[str] | None
    repairs: tuple[Repair, ...] = ()
    trailing: int = 0


def layout(text, name, reading, known=None, named=False):
    """Tell how a table lies in a text.

    Parameters
    ----------
    text : str
    name : str
        Of the file, for sentences.
    reading : Reading
        What is decided instead of guessed.
    known : str, optional
        The delimiter, where nobody has to guess it.
    named : bool, default False
        Whether the first line is known to hold the names.

    Returns
    -------
    Layout

    Raises
    ------
    DataError
        Where there is no table.
    """
    if not re.search(r"[^\s,;|\"']", text):
        raise DataError(f"{name} has no filled cell: choose a file with a header line and rows.")
    text, declared = _declared_delimiter(text)
    text, reading = _one_byte(text, reading)
    text, before = _after_told_lines(text, name, reading)
    marks = () if known else COMMENTS if reading.comment is None else (reading.comment,)
    text, dialect, found = _parted(text, known or reading.delimiter or declared, marks)
    sample = first_rows(start_of(text), dialect, cut=len(text) > len(start_of(text)))
    width = common([filled_width(row.cells) for row in sample])
    heading, text, repairs = skip_comments(text, marks, dialect, width, reading)
    found += repairs
    sample = first_rows(start_of(text), dialect, cut=len(text) > len(start_of(text)))
    told = reading.skip is not None or bool(reading.header)
    if not (told or named):
        sample, skipped = _after_preface(sample, width)
        found += skipped
    first = sample[0].first if sample else 1
    names, offset = None, first - 1
    if heading and reading.header is None:
        names = heading
        sentence = "The names stand in a line of comment."
        found.append(Repair(sentence, {"header": 0}, "Read no names"))
    elif sample and _header(sample, width, reading, named):
        names, remark = _names(sample[0], width, reading)
        found += remark
        offset, sample = sample[0].last, sample[1:]
    width, names, trailing = _columns(sample, names, width, reading)
    if width > MOST_COLUMNS:
        raise DataError(f"{name} has {width:,} columns, and {MOST_COLUMNS:,} are allowed.")
    if names is None:
        found.append(_no_names(width, before + offset))
    body = without_lines(text, offset)
    return Layout(body, before + offset, dialect, width, names, tuple(found), trailing)


def _after_told_lines(text, name, reading):
    """Leave out the lines before the table that a Reading tells of."""
    lines = (reading.skip or 0) + max(0, (reading.header or 0) - 1)
    rest = without_lines(text, lines) if lines else text
    if not re.search(r"\S", rest):
        raise DataError(f"{name} has nothing below line {lines}: the table should begin there.")
    return rest, lines


def _parted(text, told, marks):
    """Tell what parts the cells; spaces are made even at once."""
    found, delimiter = [], told
    if delimiter is None:
        bare = start_of(text)
        for mark in filter(None, marks):
            bare = without_comments(bare, mark, ",")[0]
        delimiter = sniff(bare if bare.strip() else start_of(text))
        if delimiter not in (",", NONE):
            found.append(said(delimiter))
    return spaced(text) if delimiter == " " else text, Dialect(delimiter), found


def _no_names(width, lines):
    names = f"columns are named f1 to f{width}" if width > 1 else "the column is named f1"
    undo = {"header": 1, "skip": lines} if lines else {"header": 1}
    return Repair(f"No line of names, so {names}.", undo, "Take the first line as names")


def _declared_delimiter(text):
    """Take the delimiter of a first line like `sep=;`, which Excel writes and obeys."""
    declared = re.match(r"sep=([,;\t|])(?=\r|\n)", text, flags=re.IGNORECASE)
    return (text[declared.end() :], declared[1]) if declared else (text, None)


def _one_byte(text, reading):
    """Put another delimiter in the place of one that Arrow does not take, such as §."""
    mark = reading.delimiter
    if mark is None or (mark.isascii() and mark not in '"\r\n'):
        return text, reading
    if mark in '"\r\n':
        raise DataError(f"delimiter={mark!r} should be a character that can part cells.")
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\n")
    for row in rows(text, Dialect(mark)):
        writer.writerow(row.cells)
    return written.getvalue(), reading.model_copy(update={"delimiter": ","})


def _after_preface(sample, width):
    """Leave out what stands before the table; return the other rows and what to say."""
    kept = sample[_preface(sample, width) :]
    if len(kept) == len(sample):
        return sample, []
    filled = len(sample) - len(kept)
    example = " ".join(sample[0].cells).strip()
    example = example if len(example) <= 60 else f"{example[:60]}…"
    return kept, [
        Repair(
            f"{count(filled, 'line')} before the table skipped: {example}",
            {"skip": 0},
            "Read them as rows" if filled > 1 else "Read it as a row",
        )
    ]


def _preface(sample, width):
    """Count the rows before the table: narrower, and without numbers where the rows have them."""
    full = [row.cells for row in sample if filled_width(row.cells) == width]
    if width < 2 or len(full) < 2 or (sample and _has_row_names(sample[0].cells, sample[1:])):
        return 0
    numeric = numeric_places(full[len(full) // 2 :], width)
    end, candidate = 0, None
    for i, row in enumerate(sample[:PREFACE_ROWS]):
        like_rows = _like_rows(row.cells, numeric)
        if filled_width(row.cells) >= width:
            if like_rows or not numeric:
                break
            candidate = i
        elif like_rows:
            break
        else:
            end = i + 1
    if end >= len(sample):
        return 0
    if candidate is not None and candidate < end and _like_rows(sample[end].cells, numeric):
        return candidate  # that was the line of names, and a short row below it
    return end


def _like_rows(cells, numeric):
    there = [cells[place] for place in numeric if place < len(cells) and cells[place].strip()]
    return bool(there) and all(is_number(cell) or cell.strip().lower() in MISSING for cell in there)


def _header(sample, width, reading, named):
    """Tell whether the first row holds names."""
    if reading.header is not None:
        return reading.header > 0
    if named or not sample:
        return True
    return names_first(sample[0].cells, [row.cells for row in sample[1:]], width)


def _names(row: Row, width, reading):
    """Return the names of a header row, without a remark behind the last one of a full width."""
    mark = reading.comment if reading.comment is not None else "#"
    remarks = [
        i
        for i, cell in enumerate(row.cells)
        if mark and i + 1 >= width and re.search(rf"\s{re.escape(mark)}\s", cell)
    ]
    if not remarks:
        return list(row.cells), []
    place = remarks[0]
    last, remark = re.split(rf"\s+{re.escape(mark)}\s", row.cells[place], maxsplit=1)
    remark = ",".join([remark, *row.cells[place + 1 :]]).strip()
    repair = Repair(f"A remark behind the names left out: {remark}.", {"comment": ""}, "Keep it")
    return [*row.cells[:place], last], [repair]


def _columns(body, names, width, reading):
    """Settle the number of columns and fit the names to it."""
    raw = [len(row.cells) for row in body]
    usual = common(raw) if raw else 0
    if usual > width and raw.count(usual) >= 0.9 * len(raw):
        width = usual
    if names is None:
        return max(width, 1), None, 0
    if not body:
        return len(names), names, 0
    if _has_row_names(names, body):
        return width, ["", *names[: width - 1]], 0
    needed = filled_width(names)
    trailing = len(names) - max(needed, width)
    if trailing > 0 and not reading.keep_empty and usual <= max(needed, width):
        return max(needed, width), names[: max(needed, width)], trailing
    width = max(width, len(names))
    return width, [*names, *[""] * (width - len(names))], 0


def _has_row_names(names, body):
    """Tell the manner of R, which writes no name above its row names."""
    wider = all(len(row.cells) == len(names) + 1 and row.cells[0].strip() for row in body)
    return len(body) > 1 and len(names) > 1 and wider and any(row.cells[-1].strip() for row in body)
