"""From text whose layout is known to cells: parsed by Arrow, uneven lines made even first."""

import csv
import io
import re
from typing import NamedTuple

import pandas as pd
import pyarrow as pa
import pyarrow.csv as pacsv

_LONGEST_CELL = 2**27  # characters
_LONGEST_ROW = 2**30
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Dialect(NamedTuple):
    """How cells stand in a line.

    Attributes
    ----------
    delimiter : str
        A space stands for any run of spaces.
    quoted : bool
        Whether quotation marks hold a cell together; else they are letters.
    """

    delimiter: str = ","
    quoted: bool = True


class Row(NamedTuple):
    """A row and the lines that it stands in, counted from 1."""

    cells: list[str]
    first: int
    last: int


class Uneven(NamedTuple):
    """A row that has not as many cells as there are columns."""

    line: int
    width: int
    text: str


def rows(text, dialect):
    """Walk through the rows of a text one by one; blank lines are rows without cells.

    Parameters
    ----------
    text : str or iterable of str
        Text, or its lines.
    dialect : Dialect

    Yields
    ------
    Row

    Raises
    ------
    csv.Error
        Where a cell is longer than Python's csv module allows.
    """
    lines = (found[0] for found in _LINE.finditer(text)) if isinstance(text, str) else text
    csv.field_size_limit(_LONGEST_CELL)
    quoting = csv.QUOTE_MINIMAL if dialect.quoted else csv.QUOTE_NONE
    reader = csv.reader(lines, delimiter=dialect.delimiter, quoting=quoting)
    before = 0
    for cells in reader:
        yield Row(cells, before + 1, reader.line_num)
        before = reader.line_num


def without_lines(text, lines):
    """Leave out the first lines of a text."""
    start = 0
    for found, _ in zip(_LINE.finditer(text), range(lines), strict=False):
        start = found.end()
    return text[start:]


def spaced(text):
    """Write runs of spaces as one, as they stand between cells; in quotation marks they stay."""
    text = re.sub(r"(?m)^[ \t]+|[ \t]+(?=\r|\n|\Z)", "", text)
    if '"' not in text:
        return re.sub(r"[ \t]+", " ", text)
    return re.sub(r'("(?:[^"]|"")*")|[ \t]+', lambda found: found[1] or " ", text)


def without_comments(text, mark, delimiter, alone=False):
    """Empty the lines that begin with a mark, unless they stand inside quotation marks.

    Parameters
    ----------
    text : str
    mark : str
    delimiter : str
    alone : bool, default False
        Whether there is one column: blank lines are cells there, so such lines go altogether.

    Returns
    -------
    text : str
        With as many lines as before, unless `alone`.
    lines : list of str
        What was emptied.
    """
    found = []
    between = re.escape(delimiter)
    ending = r"(?:\r\n|\r|\n|\Z)" if alone else r"(?=\r|\n|\Z)"
    pattern = re.compile(
        rf'(?:(?<=^)|(?<={between}))"(?:[^"]|"")*"|^[ \t]*{re.escape(mark)}[^\r\n]*{ending}'
    , re.MULTILINE)  # fmt: skip

    def emptied(match):
        if not match[0].lstrip(" \t").startswith(mark):
            return match[0]
        found.append(match[0].strip())
        return ""

    return pattern.sub(emptied, text), found


def parsed(text, dialect, width):
    """Parse cells of even rows.

    Parameters
    ----------
    text : str
        Without the line of names.
    dialect : Dialect
    width : int
        Number of columns; in a table of one, a blank line is a missing cell.

    Returns
    -------
    pandas.DataFrame or None
        Columns 0, 1, ...; None where rows are uneven.
    """
    names = [str(i) for i in range(width)]
    if not text:
        return pd.DataFrame({name: [] for name in names}, dtype="str")
    uneven = []
    payload = text.encode(errors="replace")

    def skip(row):
        uneven.append(row.number)
        return "skip"

    try:
        table = pacsv.read_csv(
            pa.BufferReader(payload),
            pacsv.ReadOptions(
                use_threads=False,
                column_names=names,
                block_size=min(max(2**24, _longest(payload)), _LONGEST_ROW),
            ),
            pacsv.ParseOptions(
                delimiter=dialect.delimiter,
                quote_char='"' if dialect.quoted else False,
                newlines_in_values=dialect.quoted,
                ignore_empty_lines=width > 1,
                invalid_row_handler=skip,
            ),
            pacsv.ConvertOptions(
                column_types=dict.fromkeys(names, pa.large_string()), strings_can_be_null=False
            ),
        )
    except pa.ArrowInvalid:
        return None
    return None if uneven else table.to_pandas()


def _longest(payload):
    """Bound the length of a row: the whole text, where a line may be longer than a block."""
    step = 2**20
    gaps = range(0, len(payload), step)
    long = any(
        payload.find(b"\n", i, i + step) < 0 and payload.find(b"\r", i, i + step) < 0 for i in gaps
    )
    return len(payload) + 1 if long else 0


def even(text, dialect, width, cut):
    """Make rows as wide as the header: fill up short ones, leave out or cut those that hold more.

    Parameters
    ----------
    text : str
    dialect : Dialect
    width : int
    cut : bool
        Whether rows with more values are cut instead of left out.

    Returns
    -------
    text : str
    short, long : list of Uneven
        Rows that had fewer or more values, by their line in `text`.

    Raises
    ------
    csv.Error
        Where a cell is longer than Python's csv module allows.
    """
    lines = _LINE.findall(text)
    short, long = [], []
    for row in rows(lines, dialect):
        cells = row.cells
        if len(cells) == width:
            continue
        place = slice(row.first - 1, row.last)
        if len(cells) <= 1 and not any(cell.strip() for cell in cells):  # a blank line
            if width > 1:
                lines[place] = [""] * (row.last - row.first + 1)
            continue
        written = ""
        if len(cells) < width:
            short.append(Uneven(row.first, len(cells), ""))
            written = _line(cells + [""] * (width - len(cells)), dialect)
        elif not any(cell.strip() for cell in cells[width:]):
            written = _line(cells[:width], dialect)
        else:
            filled = max(i + 1 for i, cell in enumerate(cells) if cell.strip())
            long.append(Uneven(row.first, filled, "".join(lines[place]).rstrip("\r\n")))
            written = _line(cells[:width], dialect) if cut else ""
        lines[place] = [written, *[""] * (row.last - row.first)]
    return "".join(lines), short, long


def unclosed(text, dialect):
    """Find the line with a quotation mark that is never closed.

    Parameters
    ----------
    text : str
    dialect : Dialect

    Returns
    -------
    int or None
        Counted from 1.
    """
    if not dialect.quoted or '"' not in text:
        return None
    last = None
    for last in rows(text, dialect):  # noqa: B007 - the last row is what is asked for
        pass
    if last is None:
        return None
    lines = _LINE.findall(text)[last.first - 1 :]
    try:
        list(csv.reader(lines, delimiter=dialect.delimiter, strict=True))
    except csv.Error as error:
        return last.first if "unexpected end" in str(error) else None
    return None


def _line(cells, dialect):
    if not dialect.quoted:
        return dialect.delimiter.join(cells) + "\n"
    line = io.StringIO(newline="")
    csv.writer(line, delimiter=dialect.delimiter, lineterminator="\n").writerow(cells)
    return line.getvalue()
