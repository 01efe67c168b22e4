"""Which character parts the cells, told from the first rows."""

import csv
import re
from collections import Counter

from workbench.intake.cells import Dialect, rows, spaced
from workbench.number_cells import MISSING
from workbench.table import DataError, Repair

DELIMITERS = (",", ";", "\t", "|", "^", "~", "\x1f", "\x01", " ")  # a tie goes to the first
NONE = "\x1e"  # what parts the cells of a single column: nothing that occurs
DELIMITER_WORDS = {
    ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar", "^": "caret", "~": "tilde",
    " ": "spaces", "\x1f": "unit separator", "\x01": "control-A",
}  # fmt: skip
SNIFFED_CHARACTERS = 64_000
SNIFFED_ROWS = 200
SEEN_LINES = 5
FIRST_LINE = 0.5  # what it counts that the first line is as wide as the others

_LINE_END = re.compile(r"\r\n|\r|\n")
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*%?", re.ASCII)
_COMMA_NUMBER = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*", re.ASCII)


def said(delimiter):
    """Say which delimiter was taken, where it is not the comma."""
    word = DELIMITER_WORDS[delimiter]
    sentence = "Cells are parted by spaces." if delimiter == " " else f"Read as {word}-separated."
    return Repair(sentence, {"delimiter": ","}, "Read as comma-separated")


def start_of(text):
    """Return the first lines of a text: enough to see how it is made."""
    if len(text) <= SNIFFED_CHARACTERS:
        return text
    for lines, found in enumerate(_LINE_END.finditer(text), 1):
        if found.end() >= SNIFFED_CHARACTERS and lines >= SEEN_LINES:
            return text[: found.end()]
    return text


def sniff(start):
    """Choose the delimiter under which rows are even and cells read best."""
    cut = len(start) >= SNIFFED_CHARACTERS
    scores = {mark: _evenness(start, mark, cut) for mark in DELIMITERS if mark in start}
    best = max(scores, key=scores.__getitem__, default=",")
    if scores.get(best, 0.0) > 0.0:
        return best
    return "," if "," not in start else NONE


def _evenness(start, delimiter, cut):
    space = delimiter == " "
    sample = first_rows(spaced(start) if space else start, Dialect(delimiter), cut)
    sample = [row.cells for row in sample if any(cell.strip() for cell in row.cells)]
    width = common([filled_width(cells) for cells in sample])
    if width < 2:
        width = common([len(cells) for cells in sample])
    if width < 2:
        return 0.0
    full = [cells for cells in sample if len(cells) >= width and filled_width(cells) <= width]
    even = len(full) / len(sample)
    cells = [c for row in full[1:] for c in row[:width] if c.strip().lower() not in MISSING]
    readable = sum(is_number(cell, delimiter) for cell in cells) / max(1, len(cells))
    if space and (even < 0.9 or readable < 0.3):
        return 0.0  # words of a sentence
    # A decimal comma parts every row in two, but not the line of names.
    first = FIRST_LINE if len(sample[0]) == width else 0.0
    return even + readable + first


def is_number(cell, delimiter=";"):
    """Whether a cell reads as a number in a file whose cells the delimiter parts."""
    comma = delimiter != "," and _COMMA_NUMBER.fullmatch(cell)
    return bool(comma or _NUMBER.fullmatch(cell))


def first_rows(start, dialect, cut):
    """Return the first rows, without one that may be cut off, and without blank lines."""
    found = []
    try:
        for row in rows(start, dialect):
            found.append(row)
            if len(found) > SNIFFED_ROWS:
                break
    except csv.Error as error:
        raise DataError(f"The table cannot be read: {error}.") from error
    if cut and 2 < len(found) <= SNIFFED_ROWS:
        found.pop()
    return [row for row in found if any(cell.strip() for cell in row.cells)]


def filled_width(cells):
    """Width of a row without empty cells at its end."""
    return next((i for i in range(len(cells), 0, -1) if cells[i - 1].strip()), 0)


def common(widths):
    """Return the most common width; a tie goes to the larger one."""
    counts = Counter(widths)
    return max(counts, key=lambda width: (counts[width], width), default=1) or 1
