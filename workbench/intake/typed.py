"""Files whose cells have types: workbooks, Parquet, Arrow and JSON become text, once."""

import csv
import io
import json
import re
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pyarrow.csv as pacsv
import pyarrow.ipc as ipc
import pyarrow.parquet as pq

from workbench.intake.sheets import CELLS, LETTERS, cell_text, sheet_text
from workbench.table import DataError
from workbench.words import count

CELL_LIMIT = 100_000_000
TEXT_LIMIT = 2**30  # bytes: a few words in a small file can stand in very many cells
pc: Any = pyarrow.compute  # whose functions are made when it is imported


class Content(NamedTuple):
    """What was found inside a file.

    Attributes
    ----------
    payload : bytes
        Of a text file; empty where there are `rows`.
    text : str
        Cells of a workbook, of JSON or of Parquet, written as comma-separated text.
    said : str
        What it was read from; empty for plain text.
    sheets : tuple of str
        Names to choose between, where there are several.
    chosen : str
        The one of them that was read.
    named : bool
        Whether the first row is known to hold the names.
    kind : str
        "An Excel workbook" and the like, empty for plain text.
    endings : tuple of str
        What the names of such files end with.
    """

    payload: bytes = b""
    text: str = ""
    said: str = ""
    sheets: tuple[str, ...] = ()
    chosen: str = ""
    named: bool = False
    kind: str = ""
    endings: tuple[str, ...] = ()


def workbook(payload, name, sheet):
    """Read a sheet of a workbook: the one that is named, or the first with a table."""
    try:
        titles, title, text = sheet_text(payload, sheet)
    except OverflowError as error:
        raise DataError(
            f"{name} has a sheet of more than {count(CELLS, 'cell')} or {LETTERS // 2**20:,} MiB: "
            "upload fewer rows."
        ) from error
    except (OSError, ValueError) as error:
        raise DataError(
            f"{name} is a workbook that cannot be opened, broken, too large or with cells too far "
            "apart: save the sheet as CSV and upload that."
        ) from error
    if not titles:
        raise DataError(f"{name} is a workbook without any table: fill a sheet and upload it.")
    if title is None:
        raise DataError(f"sheet={sheet!r} should be one of {', '.join(map(repr, titles))}.")
    return Content(
        text=text,
        said=f"the sheet {title}",
        sheets=titles if len(titles) > 1 else (),
        chosen=title,
        kind="An Excel workbook",
        endings=(".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".zip"),
    )


def _written(rows):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def columns(payload, name):
    """Read Parquet or Arrow; each column becomes text by Arrow's own exact rules."""
    try:
        read = _parquet if payload.startswith(b"PAR1") else _arrow
        table = read(payload, name)
        _refuse_text(sum(_letters(c) for column in table.columns for c in column.chunks), name)
        table = table.rename_columns([str(title) for title in table.column_names])
        table = pa.table([_column_text(column) for column in table.columns], table.column_names)
        sink = io.BytesIO()
        names = _written([table.column_names])
        pacsv.write_csv(table, sink, pacsv.WriteOptions(include_header=False))
        text = names + sink.getvalue().decode()
    except DataError:
        raise
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
        raise DataError(f"{name} is a Parquet or Arrow file and broken.") from error
    return Content(text=text, named=True)


def _parquet(payload, name):
    """Read Parquet, its words once each, so that it takes no more than it says it takes."""
    metadata = pq.read_metadata(pa.BufferReader(payload))
    _refuse_cells(metadata.num_rows, metadata.num_columns, name)
    leaves = [metadata.schema.column(i) for i in range(metadata.num_columns)]
    size = 0
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        values = [group.column(i).num_values for i in range(metadata.num_columns)]
        size += group.total_byte_size
        size += sum(n * leaf.length for n, leaf in zip(values, leaves, strict=True))
    _refuse_text(size, name)
    words = [
        leaf.path
        for leaf in leaves
        if leaf.physical_type == "BYTE_ARRAY" and leaf.logical_type.type != "DECIMAL"
    ]
    file = pq.ParquetFile(pa.BufferReader(payload), read_dictionary=words)
    return file.read(use_threads=False)


def _arrow(payload, name):
    file = ipc.open_file(pa.BufferReader(payload))
    batches, rows, size = [], 0, 0
    for batch in map(file.get_batch, range(file.num_record_batches)):
        rows, size = rows + batch.num_rows, size + batch.nbytes
        _refuse_cells(rows, batch.num_columns, name)
        _refuse_text(size, name)
        batches.append(batch)
    return pa.Table.from_batches(batches, file.schema)


def _refuse_cells(rows, columns, name):
    if rows * columns > CELL_LIMIT:
        raise DataError(
            f"{name} has {rows:,} x {columns:,} cells, more than {CELL_LIMIT:,}: upload fewer rows."
        )


def _refuse_text(size, name):
    if size > TEXT_LIMIT:
        raise DataError(
            f"{name} unfolds to more than {TEXT_LIMIT // 2**20:,} MiB of cells: upload fewer rows."
        )


def _letters(cells):
    """Count the bytes of cells written out, without writing them: shared words once for each."""
    kind = cells.type
    if pa.types.is_dictionary(kind):
        return pc.sum(_lengths(cells.dictionary).take(cells.indices)).as_py() or 0
    if pa.types.is_map(kind):
        return _letters(cells.keys) + _letters(cells.items)
    if pa.types.is_struct(kind):
        return sum(map(_letters, cells.flatten()))
    if any(of_kind(kind) for of_kind in _LISTS):
        return _letters(cells.flatten())
    if isinstance(cells, pa.ExtensionArray):
        return _letters(cells.storage)
    return pc.sum(_lengths(cells)).as_py() or 0


_LISTS = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
_WORDS = (
    pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary,
    pa.types.is_fixed_size_binary,
)  # fmt: skip
_VIEWS = (pa.types.is_string_view, pa.types.is_binary_view)
_PLAIN = (pa.types.is_primitive, pa.types.is_decimal, pa.types.is_null)


def _lengths(cells):
    """Count the bytes of each cell that is no list of others; numbers are short."""
    kind = cells.type
    if any(of_kind(kind) for of_kind in _WORDS):
        return pc.binary_length(cells)
    if any(of_kind(kind) for of_kind in _VIEWS):  # of 16 bytes, which begin with the length
        start, end = cells.offset, cells.offset + len(cells)
        return pa.array(np.frombuffer(cells.buffers()[1], np.int32)[::4][start:end])
    if any(of_kind(kind) for of_kind in _PLAIN):
        return pa.array(np.full(len(cells), 8))
    raise DataError(f"A column of {kind} cannot be read: save it as plain text or numbers.")


def _column_text(column):
    plain = (pa.types.is_integer, pa.types.is_boolean, pa.types.is_decimal, pa.types.is_date)
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        text = column
    elif pa.types.is_floating(kind):
        text = pc.replace_substring_regex(column.cast(pa.string()), r"\.0$", "")
    elif any(of_kind(kind) for of_kind in plain):
        text = column.cast(pa.string())
    else:
        text = pa.array([cell_text(value) for value in column.to_pylist()], pa.string())
    return pc.fill_null(text, "")


def records(payload, name, surely):
    """Read JSON: a list of records, or one record a line. Numbers keep their digits."""
    text = payload.decode("utf-8-sig", errors="replace")
    try:
        found = _loads(text)
        if isinstance(found, dict):  # the table stands under one of its names
            lists = [value for value in found.values() if _is_records(value)]
            found = lists[0] if len(lists) == 1 else [found]
    except ValueError:
        try:
            found = [_loads(line) for line in re.split(r"[\r\n]+", text) if line.strip()]
        except ValueError as error:
            if not surely:
                return None  # a text that begins with a bracket
            raise DataError(f"{name} looks like JSON and is not: {error}.") from error
    if not _is_records(found):
        if not surely:
            return None
        raise DataError(f"{name} is JSON, but no list of records: save the table as CSV.")
    titles = list(dict.fromkeys(title for record in found for title in record))
    rows = [[cell_text(record.get(title)) for title in titles] for record in found]
    written = _written([titles, *rows]).encode(errors="replace")  # JSON can hold half a letter
    return Content(text=written.decode(), named=True)


def _loads(text):
    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _is_records(value):
    return isinstance(value, list) and bool(value) and all(isinstance(r, dict) for r in value)
