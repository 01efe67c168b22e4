"""Labels beside the rows as typed files: Parquet and Excel."""

import io

import numpy as np
import pandas as pd

from workbench.export import (
    NOT_CLUSTERED,
    arrow_text,
    cluster_columns,
    formula_note,
    formulas,
    labelled_csv,
    pc,
)
from workbench.table import DataError
from workbench.words import count, listing

EXCEL_ROWS = 1_048_576  # its own limits, the line of names included
EXCEL_COLUMNS = 16_384
EXCEL_CHARACTERS = 32_767
_EXACT = 2**53  # beyond, not every whole number is a float64
_SHOWN = 10**15  # beyond, Excel shows other digits than it was given


def labelled_parquet(table, labels, row_ids=None, *, notes=None, recipe=None):
    """Write a table with the cluster of each row as a Parquet file.

    Columns of numbers are written as numbers, whole ones as integers, and a cell of theirs that
    is no number as null (`empty_cells` says how many). Numbers that would lose digits, leading
    zeros, or signs that their cells do not share stay text, as everything else. A sign that all
    have is left out (`common_signs` says which). A row without a cluster has null.

    Parameters
    ----------
    table, labels, row_ids, notes
        As for `workbench.export.cluster_columns`.
    recipe : Recipe, optional
        Kept as JSON in the file's metadata under "basinscope.recipe".

    Returns
    -------
    bytes
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    added = cluster_columns(table, labels, row_ids, notes)
    columns = {str(name): typed(table, name) for name in table.frame.columns}
    columns |= {name: added[name] for name in added}
    arrays = {name: pa.array(column, from_pandas=True) for name, column in columns.items()}
    written = pa.table(arrays)
    if recipe is not None:
        written = written.replace_schema_metadata({"basinscope.recipe": recipe.to_json()})
    sink = io.BytesIO()
    pq.write_table(written, sink, compression="zstd")
    return sink.getvalue()


def labelled_excel(table, labels, row_ids=None, *, notes=None):
    """Write a table with the cluster of each row as an Excel workbook of one sheet.

    The columns that Parquet has as numbers are written as numbers; every other cell as text, so
    that Excel never runs one as a formula and opens no link. A row without a cluster is written
    "not clustered".

    Parameters
    ----------
    table, labels, row_ids, notes
        As for `workbench.export.cluster_columns`.

    Returns
    -------
    bytes

    Raises
    ------
    DataError
        In one sentence, where the table is larger than a sheet.
    """
    import xlsxwriter  # only where it serves

    added = cluster_columns(table, labels, row_ids, notes)
    fault = excel_fault(len(table.frame), len(table.frame.columns) + len(added.columns))
    if fault:
        raise DataError(fault)
    sink = io.BytesIO()
    # Row by row: only the row in hand is in memory.
    with xlsxwriter.Workbook(sink, {"constant_memory": True}) as book:
        sheet = book.add_worksheet("rows with clusters")
        sheet.freeze_panes(1, 0)
        bold = book.add_format({"bold": True})
        names = [*map(str, table.frame.columns), *added.columns]
        for column, name in enumerate(names):
            sheet.write_string(0, column, _short(name, "the names"), bold)
        for row, cells in enumerate(_excel_rows(table, added), start=1):
            for column, cell in enumerate(cells):
                if isinstance(cell, str):
                    if cell:
                        sheet.write_string(row, column, _short(cell, names[column]))
                else:
                    sheet.write_number(row, column, cell)
    return sink.getvalue()


def excel_fault(n_rows, n_columns):
    """Say why a table does not fit on a sheet of Excel; nothing where it does.

    Parameters
    ----------
    n_rows, n_columns : int
        Without the line of names; with the columns of clusters.

    Returns
    -------
    str
    """
    if n_rows >= EXCEL_ROWS:
        return (
            f"A sheet of Excel holds {EXCEL_ROWS - 1:,} rows below the names, and the table has "
            f"{n_rows:,}: take CSV or Parquet."
        )
    if n_columns > EXCEL_COLUMNS:
        return (
            f"A sheet of Excel holds {EXCEL_COLUMNS:,} columns, and with the clusters there are "
            f"{n_columns:,}: take CSV or Parquet."
        )
    return ""


def typed(table, name):
    """Return a column as numbers where they say the same as the text, else as its text.

    Parameters
    ----------
    table : Table
    name : str

    Returns
    -------
    pandas.Series
        "Int64", "Float64" or the column itself.
    """
    cells, column = table.frame[name], table.numbers[name]
    if not column.is_numeric:
        return cells
    missing = np.isnan(column.values)
    known = column.values[~missing]
    if np.any(np.abs(known) >= _EXACT) or _says_more(cells) or _common_sign(column) is None:
        return cells
    if np.array_equal(known, np.trunc(known)):
        whole = np.where(missing, 0, column.values).astype(np.int64)
        return pd.Series(pd.arrays.IntegerArray(whole, missing))
    return pd.Series(pd.arrays.FloatingArray(np.where(missing, 0, column.values), missing))


_MORE = r"^\s*[+-]?0\d|[1-9](?:[., '’\x{a0}\x{202f}\x{2009}]?\d){17}"


def _says_more(cells):
    """Whether some have leading zeros, or more than the 17 digits that a number can hold."""
    return pc.any(pc.match_substring_regex(arrow_text(cells), _MORE)).as_py()


def _common_sign(column):
    """The sign of all numbers of a column, empty where they have none; None where they differ."""
    if not column.signs:
        return ""
    sign, *others = column.signs
    shared = not others and column.signs[sign] == np.isfinite(column.values).sum()
    return sign if shared else None


def common_signs(table):
    """Say which signs a typed file leaves out, since all numbers of a column have it; else nothing.

    Parameters
    ----------
    table : Table

    Returns
    -------
    str
    """
    signs = [
        f"{name} in {_common_sign(table.numbers[name])}"
        for name in table.frame.columns
        if table.numbers[name].signs and not pd.api.types.is_string_dtype(typed(table, name))
    ]
    return f"Numbers are written without their sign: {listing(signs)}." if signs else ""


def empty_cells(table):
    """Say which columns of numbers have cells that a typed file cannot hold; else nothing.

    Parameters
    ----------
    table : Table

    Returns
    -------
    str
    """
    odd = {}
    for name in table.frame.columns:
        column = table.numbers[name]
        lost = int((column.infinite | column.unreadable).sum())
        if lost and column.is_numeric and not pd.api.types.is_string_dtype(typed(table, name)):
            odd[name] = lost
    if not odd:
        return ""
    lost = sum(odd.values())
    return (
        f"{count(lost, 'cell')} of {listing(list(odd))} {'is' if lost == 1 else 'are'} no number "
        "and therefore empty in Parquet; CSV and Excel keep the text."
    )


def _excel_rows(table, added):
    columns = []
    for name in table.frame.columns:
        text, read = table.frame[name].to_numpy(dtype=object), typed(table, name)
        if pd.api.types.is_numeric_dtype(read):
            known = np.asarray(read.notna()) & (np.abs(table.numbers[name].values) < _SHOWN)
            text = text.copy()
            text[known] = np.asarray(read[known], dtype=object)
        columns.append(text)
    columns.append(added.iloc[:, 0].astype(object).fillna(NOT_CLUSTERED).to_numpy())
    columns += [added[name].astype(object).fillna("").to_numpy() for name in added.columns[1:]]
    return zip(*columns, strict=True)


def _short(text, name):
    if len(text) > EXCEL_CHARACTERS:
        raise DataError(
            f"{name} has a cell of {len(text):,} characters, and Excel takes "
            f"{EXCEL_CHARACTERS:,}: take CSV or Parquet."
        )
    return text


FORMATS = {"csv": "CSV", "parquet": "Parquet", "xlsx": "Excel"}
"""Name of each format of labels, by the ending of its files."""


def labelled_file(
    ending, table, labels, row_ids=None, *, notes=None, recipe=None, as_written=False
):
    """Write a table with the cluster of each row in the format of an ending.

    Parameters
    ----------
    ending : {"csv", "parquet", "xlsx"}
    table, labels, row_ids, notes
        As for `workbench.export.cluster_columns`.
    recipe : Recipe, optional
        Kept in a Parquet file's metadata.
    as_written : bool, default False
        Whether formulas stay in CSV; no other format runs any.

    Returns
    -------
    bytes
    """
    if ending == "csv":
        return labelled_csv(table, labels, row_ids, notes=notes, as_written=as_written)
    if ending == "parquet":
        return labelled_parquet(table, labels, row_ids, notes=notes, recipe=recipe)
    return labelled_excel(table, labels, row_ids, notes=notes)


def format_note(ending, table, notes=None, *, as_written=False):
    """Say what a format does to cells of this table; nothing where it leaves all as they are.

    Parameters
    ----------
    ending : {"csv", "parquet", "xlsx"}
    table : Table
    notes : Notes, optional
    as_written : bool, default False

    Returns
    -------
    str
    """
    if ending == "csv":
        return formula_note(formulas(table, notes), as_written=as_written)
    empty = empty_cells(table) if ending == "parquet" else ""
    return " ".join(filter(None, [common_signs(table), empty]))
