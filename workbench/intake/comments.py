"""Lines of comment among the rows."""

import io
import re

from workbench.intake.cells import rows, without_comments
from workbench.intake.delimiter import SNIFFED_ROWS, is_number, start_of
from workbench.table import Repair
from workbench.words import count

COMMENTS = ("#", "%", "//")


def skip_comments(text, marks, dialect, width, reading):
    """Empty lines of comment; return the names too, where the last one before the rows has them."""
    for mark in filter(None, marks):
        begins = rf"^[ \t]*{re.escape(mark)}"
        if mark not in text or not re.search(begins, text, re.MULTILINE):
            continue
        emptied, lines = without_comments(text, mark, dialect.delimiter, alone=width == 1)
        if reading.comment is None and not _are_comments(lines, mark, text, dialect, width):
            continue
        if not lines:
            continue
        heading = _heading(lines, mark, text, dialect, width)
        said = len(lines) - bool(heading)
        example = lines[0] if len(lines[0]) <= 60 else f"{lines[0][:60]}…"
        repair = Repair(
            f"{count(said, 'line')} of comment skipped: {example}",
            {"comment": ""},
            "Read lines of comment as rows",
        )
        return heading, emptied, [repair] if said else []
    return None, text, []


def _are_comments(lines, mark, text, dialect, width):
    """Tell comments from rows that begin with the mark: these are many, or as wide as the rest."""
    blank_name = rf"{re.escape(mark)}\s*{re.escape(dialect.delimiter)}"  # a column called "#"
    if not lines or re.match(blank_name, lines[0]):
        return False
    total = sum(1 for line in io.StringIO(start_of(text), newline="") if line.strip())
    early = sum(line.lstrip().startswith(mark) for line in start_of(text).splitlines())
    if early > total / 2:
        return False
    alike = [_split(line, dialect) for line in lines[:SNIFFED_ROWS]]
    as_rows = sum(len(cells) == width for cells in alike)
    if width == 1:
        return text.lstrip("\r\n \t").startswith(mark) and mark == "#"
    return as_rows <= len(alike) / 2 or (as_rows == len(alike) == 1 and _starts(text, mark))


def _starts(text, mark):
    return text.lstrip().startswith(mark)


def _heading(lines, mark, text, dialect, width):
    """Return names that stand in the last line of comment before the rows, in place of a header."""
    leading = []
    for line in io.StringIO(start_of(text), newline=""):
        if line.lstrip(" \t").startswith(mark):
            leading.append(line)
        elif line.strip():
            first = _split(line, dialect)
            break
    else:
        return None
    if not leading or width < 2:
        return None
    cells = _split(leading[-1].strip()[len(mark) :].strip(" \t"), dialect)
    named = len(cells) == width and not any(is_number(cell) for cell in cells)
    return cells if named and any(is_number(cell) for cell in first) else None


def _split(line, dialect):
    return next((row.cells for row in rows(line.rstrip("\r\n"), dialect)), [])
