"""From the bytes of an uploaded file to a table; what is repaired is said, never silent."""

import codecs
import csv
import io
import re

import pandas as pd

from workbench.reading import GUESSED
from workbench.table import DataError, Repair, Table, fingerprint
from workbench.words import count, listing, numbered

DELIMITERS = (",", ";", "\t", "|")
SNIFFED_CHARACTERS = 64_000
SNIFFED_ROWS = 200

_SIGNATURES = (
    (b"PK\x03\x04", "a zip archive"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "a Feather file"),
    (b"\x1f\x8b", "compressed by gzip"),
    (b"BZh", "compressed by bzip2"),
    (b"\xfd7zXZ", "compressed by xz"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"%PDF", "a PDF"),
    (b"\x89HDF", "an HDF5 file"),
    (b"SQLite format 3", "a SQLite database"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")
_COMMA_NUMBER = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*")


def read_table(payload, name, reading=GUESSED):
    """Read the bytes of a delimited text file.

    Every cell stays the text that was written. The encoding is told from the byte order mark,
    else UTF-8, else Windows-1252; the delimiter from what makes even rows of readable cells.

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

    Raises
    ------
    DataError
        In one sentence, where there is no table to be read.
    """
    _refuse_other_formats(payload, name)
    text, repairs = _decode(payload, name)
    text, delimiter = _declared_delimiter(text)
    if not text.strip():
        raise DataError(f"{name} is empty: choose a file with a header line and rows.")
    _refuse_other_text(text, name)
    delimiter = delimiter or _sniff(text)
    frame, found = _parse(text, delimiter, name)
    repairs += found
    frame, found = _named(frame)
    repairs += found
    if frame.empty:
        raise DataError(f"{name} has a header line and no rows below it.")
    decimal = _decimal(frame, delimiter)
    if decimal == ",":
        repairs += ("Numbers are read with a decimal comma.",)
    line_end = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    repairs = tuple(Repair(sentence) for sentence in repairs)
    return Table(
        frame, name, repairs, delimiter, fingerprint(payload), decimal, line_end, reading=reading
    )


def _refuse_other_formats(payload, name):
    if not payload:
        raise DataError(f"{name} is empty (0 bytes): choose a file with a header line and rows.")
    for signature, kind in _SIGNATURES:
        if payload.startswith(signature):
            if kind == "a zip archive" and b"xl/" in payload:
                kind = "an Excel workbook"
            raise DataError(f"{name} is {kind}, not a CSV: save the table as CSV and upload that.")


def _refuse_other_text(text, name):
    start = text.lstrip()[:200].lower()
    for sign, kind in (("<", "a web page or XML"), ("{", "JSON"), ("[{", "JSON")):
        if start.startswith(sign):
            raise DataError(f"{name} is {kind}, not a CSV: save the table as CSV and upload that.")


def _decode(payload, name):
    """Turn bytes into text, and say which encoding was taken where it was not UTF-8."""
    text, encoding = _text(payload)
    if "\0" in text:
        raise DataError(f"{name} is not a text file: save the table as CSV and upload that.")
    repairs = () if encoding == "utf-8" else (f"Read as {encoding}, since it is not UTF-8.",)
    return text, repairs


def _text(payload):
    for mark, encoding in _MARKS:
        if payload.startswith(mark):
            return payload[len(mark) :].decode(encoding, errors="replace"), encoding
    for encoding in (*_unmarked_utf16(payload), "utf-8", "cp1252"):
        try:
            return payload.decode(encoding), encoding
        except UnicodeDecodeError:
            continue
    return payload.decode("latin-1"), "latin-1"  # every byte is a letter there


def _unmarked_utf16(payload):
    """Tell UTF-16 without its mark by where the zero bytes of plain letters lie."""
    start = payload[:2000]
    even, odd = start[0::2].count(0), start[1::2].count(0)
    if odd > 0.4 * len(start) / 2 and even == 0:
        return ("utf-16-le",)
    if even > 0.4 * len(start) / 2 and odd == 0:
        return ("utf-16-be",)
    return ()


def _declared_delimiter(text):
    """Take the delimiter of a first line like `sep=;`, which Excel writes and obeys."""
    declared = re.match(r"sep=([,;\t|])\r?\n", text, flags=re.IGNORECASE)
    return (text[declared.end() :], declared[1]) if declared else (text, None)


def _sniff(text):
    """Choose the delimiter under which rows are as wide as the header and cells read best."""
    start = text[:SNIFFED_CHARACTERS]
    scores = {delimiter: _evenness(start, delimiter) for delimiter in DELIMITERS}
    return max(DELIMITERS, key=lambda delimiter: scores[delimiter])  # a tie goes to the first


def _evenness(start, delimiter):
    rows = []
    try:
        for row in csv.reader(io.StringIO(start, newline=""), delimiter=delimiter):
            if row:
                rows.append(row)
            if len(rows) > SNIFFED_ROWS:
                break
    except csv.Error:
        return -1.0
    if len(start) == SNIFFED_CHARACTERS and 2 < len(rows) <= SNIFFED_ROWS:
        rows.pop()  # it may be cut
    width = len(rows[0]) if rows else 0
    if width < 2:
        return 0.0
    even = sum(len(row) == width for row in rows) / len(rows)
    cells = [cell for row in rows[1:] for cell in row if cell.strip()]
    readable = sum(_is_number(cell, delimiter) for cell in cells) / max(1, len(cells))
    return even + readable


def _is_number(cell, delimiter):
    comma = delimiter != "," and _COMMA_NUMBER.fullmatch(cell)
    return bool(comma or _NUMBER.fullmatch(cell))


def _parse(text, delimiter, name):
    """Parse cells, the header among them; uneven lines are looked at one by one."""
    one_column = not any(delimiter in line for line in text[:SNIFFED_CHARACTERS].splitlines())
    try:
        frame = pd.read_csv(
            io.StringIO(text.rstrip("\r\n") if one_column else text),
            header=None,
            dtype=str,
            sep=delimiter,
            na_filter=False,
            skip_blank_lines=not one_column,  # there, a blank line is a missing cell
        )
    except pd.errors.ParserError as error:
        unclosed = re.search(r"EOF inside string starting at row (\d+)", str(error))
        if unclosed:
            line = int(unclosed[1]) + 1
            raise DataError(
                f"{name} opens a quotation mark in line {line} that is never closed."
            ) from error
        return _even(text, delimiter, name)
    if len(frame.columns) > 1 and (frame.iloc[:, -1] == "").any():
        return _even(text, delimiter, name)  # a short line was filled up without a word
    return frame, ()


def _even(text, delimiter, name):
    """Make lines as wide as the header: fill up short ones, leave out those that hold more."""
    rows, lines = [], []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for row in reader:
            if row:
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise DataError(f"{name} cannot be read at line {reader.line_num}: {error}.") from error
    width = len(rows[0])
    if _has_row_names(rows, width):
        rows[0] = ["", *rows[0]]
        width += 1
    kept, short, long = [], [], []
    for row, line in zip(rows, lines, strict=True):
        if any(cell.strip() for cell in row[width:]):
            long.append(line)
            continue
        if len(row) < width:
            short.append(line)
        kept.append(row[:width] + [""] * (width - len(row)))
    if len(long) > len(kept):
        raise DataError(
            f"{name} has more values in most lines than in its first: the first line should name "
            "the columns."
        )
    return pd.DataFrame(kept, dtype="str"), _uneven(short, long, width)


def _has_row_names(rows, width):
    """Tell the manner of R, which writes no name above its row names."""
    wider = all(len(row) == width + 1 and row[0].strip() for row in rows[1:])
    return len(rows) > 1 < width and wider and any(row[-1].strip() for row in rows[1:])


def _uneven(short, long, width):
    found = []
    if short:
        found.append(
            f"Fewer than {count(width, 'value')}, so filled up as missing: "
            f"{numbered('line', short)}."
        )
    if long:
        found.append(f"More than {count(width, 'value')}, so left out: {numbered('line', long)}.")
    return tuple(found)


def _named(frame):
    """Take the names from the first line, unless it holds numbers only; make them unique."""
    first = [str(cell) for cell in frame.iloc[0]]
    if len(frame) > 1 and all(_NUMBER.fullmatch(cell) for cell in first):
        frame.columns = [f"f{i + 1}" for i in range(len(first))]
        return frame, (f"The first line holds numbers, so columns are named f1 to f{len(first)}.",)
    names, changed = _unique(first)
    frame = frame.iloc[1:].reset_index(drop=True)
    frame.columns = names
    repairs = ()
    if changed:
        repairs = (f"Blank or repeated column names were changed: {listing(changed)}.",)
    return frame, repairs


def _unique(first):
    names, changed = [], []
    taken = set(first)
    for i, cell in enumerate(first):
        base = cell if cell.strip() else f"column {i + 1}"
        name, number = base, 2
        while name in names or (name != cell and name in taken):
            name, number = f"{base} ({number})", number + 1
        if name != cell:
            changed.append(name)
        names.append(name)
    return names, changed


def _decimal(frame, delimiter):
    """Tell the decimal mark; in a file with commas between cells it is the point."""
    if delimiter == ",":
        return "."
    cells = [str(cell) for cell in frame.head(SNIFFED_ROWS).to_numpy().ravel()]
    commas = sum(bool(_COMMA_NUMBER.fullmatch(cell)) for cell in cells)
    points = sum("." in cell and bool(_NUMBER.fullmatch(cell)) for cell in cells)
    return "," if commas > points else "."
