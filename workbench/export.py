"""Labels beside the rows as they were written, for the reader to take away as text."""

import re
from dataclasses import replace
from importlib import import_module
from pathlib import PurePath
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from workbench.notes import Notes
from workbench.words import count

pc: Any = import_module("pyarrow.compute")  # which makes its functions as it is imported

NOT_CLUSTERED = "not clustered"
_LONGEST = 60  # characters of a table's name within a file's
_ROWS_AT_ONCE = 65_536
# What spreadsheets take for the beginning of a formula, wide forms as in East Asian text included,
# unless it is a number or a dash for a missing value.
_STARTS = r"=+\-@\t\r\n＝＋－＠"
_FORMULA = rf"^[{_STARTS}]"
_PARTED_FORMULA = rf"[,;\t|][{_STARTS}]"  # for one that parts cells at another mark
_HARMLESS = r"^(-+|[+-][\d.,' ]*\d(\.|[eE][+-]?\d+)?\s?%?)$"


def cluster_columns(table, labels, row_ids=None, notes=None):
    """Columns that say the cluster of every row of a table, in its order.

    Parameters
    ----------
    table : Table
        What was read.
    labels : ndarray of int, shape (n,)
        Clusters from 0; -1 for not clustered.
    row_ids : ndarray of int, shape (n,), optional
        The table's row of each label, from 1; by default every row has one.
    notes : Notes, optional
        Names and notes of clusters.

    Returns
    -------
    pandas.DataFrame
        "cluster", an integer from 1 or missing; "cluster name" where a cluster has one; and
        "cluster note" where one has a note. A name that the table has already gets
        " (Basinscope)" behind it, since "cluster_2" would read as the second cluster.
    """
    notes = notes or Notes()
    labels = np.asarray(labels)
    rows = np.arange(len(labels)) if row_ids is None else np.asarray(row_ids) - 1
    every = np.full(len(table.frame), -1)
    every[rows] = labels
    cluster = pd.arrays.IntegerArray(every + 1, every < 0)
    columns: dict[str, Any] = {"cluster": cluster}
    for name, words in (("cluster name", notes.names), ("cluster note", notes.texts)):
        if words:
            columns[name] = pd.Series(every, dtype=int).map(dict(words)).astype("str")
    return pd.DataFrame({_free(name, table.frame.columns): c for name, c in columns.items()})


def _free(name, taken):
    while name in taken:
        name = f"{name} (Basinscope)"
    return name


def labelled_csv(table, labels, row_ids=None, *, notes=None, as_written=False):
    """Write a table with the cluster of each row behind its columns.

    Rows, their order, columns and cells are those of the table, digit for digit, but that cells
    which a spreadsheet would run as formulas get an apostrophe in front. Delimiter and line ends
    are the original ones, the encoding is UTF-8.

    Parameters
    ----------
    table, labels, row_ids, notes
        As for `cluster_columns`; a row without a cluster is written "not clustered".
    as_written : bool, default False
        Whether to leave formulas as they are.

    Returns
    -------
    bytes
    """
    added = cluster_columns(table, labels, row_ids, notes)
    missing = [NOT_CLUSTERED, *[""] * (added.shape[1] - 1)]
    return _csv(table, added, missing, as_written)


def clusterings_csv(table, clusterings, row_ids=None):
    """Write a table with the cluster of each row by each of several methods.

    Parameters
    ----------
    table : Table
    clusterings : mapping of str to ndarray of int, shape (n,)
        Labels by the name of their method.
    row_ids : ndarray of int, shape (n,), optional
        As for `cluster_columns`.

    Returns
    -------
    bytes
        As of `labelled_csv`, with a column "cluster by NAME" for each.
    """
    columns = {
        _free(f"cluster by {name}", table.frame.columns): cluster_columns(
            table, labels, row_ids
        ).iloc[:, 0]
        for name, labels in clusterings.items()
    }
    return _csv(table, pd.DataFrame(columns), [NOT_CLUSTERED] * len(columns), False)


def _csv(table, added, missing, as_written):
    """Write a table and the columns behind it, each with its word for a missing cell."""
    cells = [arrow_text(table.frame[name]) for name in table.frame.columns]
    cells += [arrow_text(added[name], word) for name, word in zip(added, missing, strict=True)]
    names = [*map(str, table.frame.columns), *added]
    header = [pa.chunked_array([[name]], pa.large_string()) for name in names]
    if not as_written:
        header, cells = [*map(_harmless, header)], [*map(_harmless, cells)]
    marks = (table.delimiter, table.line_end)
    return b"".join([*_lines(header, *marks), *_lines(cells, *marks)])


def table_csv(table, frame, added):
    """Write changed cells of a table, and columns behind them, as its own file would have them.

    Parameters
    ----------
    table : Table
        Its delimiter and line ends hold.
    frame : pandas.DataFrame
        Cells in place of the table's, as text.
    added : mapping of str to sequence of str, length n

    Returns
    -------
    bytes
        As of `labelled_csv`.
    """
    columns = {_free(name, frame.columns): cells for name, cells in added.items()}
    behind = pd.DataFrame(columns, index=frame.index, dtype="str")
    return _csv(replace(table, frame=frame), behind, [""] * len(columns), False)


def formulas(table, notes=None):
    """Count the cells, names of columns and words of notes that a spreadsheet would run.

    Parameters
    ----------
    table : Table
    notes : Notes, optional

    Returns
    -------
    int
    """
    notes = notes or Notes()
    said = [*map(str, table.frame.columns), *notes.names.values(), *notes.texts.values()]
    found = [_runs(pa.chunked_array([said], pa.large_string()))]
    found += [_runs(arrow_text(table.frame[name])) for name in table.frame.columns]
    return int(sum(pc.sum(cells).as_py() or 0 for cells in found))


def formula_note(number, *, as_written=False):
    """Say what became of cells that a spreadsheet would run; nothing where there are none.

    Parameters
    ----------
    number : int
        From `formulas`.
    as_written : bool, default False

    Returns
    -------
    str
    """
    if not number:
        return ""
    which = f"{count(number, 'cell')} that a spreadsheet would run"
    if as_written:
        return f"{which} {'stands' if number == 1 else 'stand'} as written."
    return f"{which} {'is' if number == 1 else 'are'} prefixed with an apostrophe."


def file_name(recipe, table, ending="csv"):
    """Name the download by table, method and k, where it was asked for: "wine-clam-k3.csv".

    Parameters
    ----------
    recipe : Recipe
    table : Table
    ending : str, default "csv"

    Returns
    -------
    str
        Letters, digits, "-" and "_" before the ending.
    """
    stem = recipe.data.name if recipe.data.kind == "builtin" else PurePath(table.name).stem
    asked = f"-k{recipe.settings['n_clusters']}" if "n_clusters" in recipe.settings else ""
    return f"{plain_name(stem)}-{recipe.method}{asked}.{ending}"


def plain_name(text):
    """Keep letters, digits, "-" and "_" of a name, 60 characters of it at most."""
    return re.sub(r"[^\w]+", "-", text)[:_LONGEST].strip("-_") or "table"


def arrow_text(column, missing=""):
    """Return cells as Arrow's text, whose functions work beside the interpreter's lock.

    Parameters
    ----------
    column : pandas.Series or array
    missing : str, default ""
        What stands for a missing cell.

    Returns
    -------
    pyarrow.ChunkedArray of large_string
    """
    cells = pa.array(column, from_pandas=True)
    chunks = cells if isinstance(cells, pa.ChunkedArray) else pa.chunked_array([cells])
    return pc.fill_null(chunks.cast(pa.large_string()), missing)


def _runs(cells):
    """Whether a spreadsheet would run each cell."""
    suspect = pc.match_substring_regex(cells, _FORMULA)
    if not pc.any(suspect).as_py():
        return suspect
    return pc.and_not(suspect, pc.match_substring_regex(cells, _HARMLESS))


def _harmless(cells):
    runs = _runs(cells)
    if not pc.any(runs).as_py():
        return cells
    return pc.if_else(runs, _joined("'", cells), cells)


def _lines(cells, delimiter, line_end):
    """Join cells to lines of text, as bytes; Arrow does it beside the interpreter's lock."""
    special = rf'[{re.escape(delimiter)}"\r\n]|{_PARTED_FORMULA}'
    if delimiter == " ":  # any run of blanks parts cells, and none at all is no cell
        special = rf"^$|\t|{special}"
    for start in range(0, len(cells[0]), _ROWS_AT_ONCE):
        some = [_quoted(column.slice(start, _ROWS_AT_ONCE), special) for column in cells]
        ended = _joined(_joined(*some, between=delimiter), line_end).combine_chunks()
        first, *_, last = np.frombuffer(ended.buffers()[1], np.int64)[[0, len(ended)]]
        yield ended.buffers()[2][first:last].to_pybytes()


def _quoted(cells, special):
    """Quote the cells that would else not read back."""
    needs = pc.match_substring_regex(cells, special)
    if not pc.any(needs).as_py():
        return cells
    doubled = pc.replace_substring(cells, '"', '""')
    return pc.if_else(needs, _joined('"', doubled, '"'), cells)


def _joined(*parts, between=""):
    """Join cells and words, row by row."""
    words = [
        pa.scalar(p, pa.large_string()) if isinstance(p, str) else p for p in (*parts, between)
    ]
    return pc.binary_join_element_wise(*words)
