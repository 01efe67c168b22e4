"""Workbooks, read in a process of their own that ends where one takes too much.

A few bytes can name a cell so far from the others, or a text in so many cells, that the rectangle
between them fills the memory, and the reader then ends its process. So this file is also run as a
program, which imports nothing of the house.
"""

import csv
import datetime
import io
import itertools
import json
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from python_calamine import CalamineWorkbook

MEMORY = 2**32  # bytes that the process may take
CELLS = 100_000_000
LETTERS = 2**30
_TOO_MUCH = 3  # what the process returns


class Sheet(NamedTuple):
    """One sheet of a workbook as text.

    Attributes
    ----------
    titles : tuple of str
        The sheets that hold a table.
    title : str or None
        The one that was read; None where it is none of them.
    text : str
        Its cells, written as comma-separated text.
    """

    titles: tuple[str, ...]
    title: str | None
    text: str


def sheet_text(payload, sheet=None):
    """Read a sheet of a workbook: the one that is named, or the first with a table.

    Parameters
    ----------
    payload : bytes
    sheet : str, optional

    Returns
    -------
    Sheet

    Raises
    ------
    OverflowError
        Where the sheet has more cells or letters than allowed.
    ValueError
        Where the workbook is broken, or takes too much memory to be opened.
    """
    asked = json.dumps([sheet, MEMORY, CELLS, LETTERS])
    command = [sys.executable, "-P", __file__, asked]  # -P: no file beside this one is imported
    ended = subprocess.run(
        command, input=payload, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    if ended.returncode == _TOO_MUCH:
        raise OverflowError("too many cells or letters")
    if ended.returncode:
        raise ValueError("broken, or too large for the memory")
    first, _, text = ended.stdout.partition(b"\n")
    titles, title = json.loads(first)
    return Sheet(tuple(titles), title, text.decode())


def cell_text(cell):
    """Write a typed cell as text, once: numbers in their shortest form, dates by ISO 8601."""
    if isinstance(cell, str):
        return cell
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        whole = cell.is_integer() and abs(cell) < 1e15
        return str(int(cell)) if whole else repr(cell)
    if isinstance(cell, datetime.datetime):
        plain = cell.isoformat(sep=" ")
        return plain.removesuffix(" 00:00:00")
    if isinstance(cell, (datetime.date, datetime.time)):
        return cell.isoformat()
    if isinstance(cell, bytes):
        return cell.decode(errors="replace")
    if isinstance(cell, (dict, list)):
        return json.dumps(cell, ensure_ascii=False, default=str)
    return str(cell)


def _bound(memory):
    """Let this process take no more memory, and be the first to go, where the system sees to it."""
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


def _chosen(book, sheet):
    """Return the titles of sheets with a table, and the chosen sheet; one is held at a time."""
    titles, chosen = [], None
    for title in book.sheet_names:
        page = book.get_sheet_by_name(title)
        if page.height > 1 and page.width > 0:
            titles.append(title)
            if title == sheet or (sheet is None and chosen is None):
                chosen = page
    return titles, chosen


def _write(stream, page, cells, letters):
    """Write the rows from the first filled cell on; tell whether they are as few as allowed."""
    if page.height * page.width > cells:
        return False
    line = io.StringIO(newline="")
    writer = csv.writer(line, lineterminator="\n")
    for row in itertools.islice(page.iter_rows(), page.start[0], None):
        writer.writerow([cell_text(cell) for cell in row])
        letters -= stream.write(line.getvalue().encode())
        if letters < 0:
            return False
        line.seek(0)
        line.truncate()
    return True


def _main():
    sheet, memory, cells, letters = json.loads(sys.argv[1])
    _bound(memory)
    book = CalamineWorkbook.from_filelike(io.BytesIO(sys.stdin.buffer.read()))
    titles, page = _chosen(book, sheet)
    stream = sys.stdout.buffer
    stream.write(json.dumps([titles, page and page.name]).encode() + b"\n")
    allowed = page is None or _write(stream, page, cells, letters)
    stream.flush()
    return 0 if allowed else _TOO_MUCH


if __name__ == "__main__":
    sys.exit(_main())
