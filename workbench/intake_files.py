"""What is inside a file: archives, workbooks and columns of bytes become text, once."""

import bz2
import csv
import datetime
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable
from typing import NamedTuple

from workbench.table import DataError
from workbench.words import count

UNPACKED_LIMIT = 2**30  # bytes that a file may unfold to: a small one can hold a very large text
CELL_LIMIT = 100_000_000
_STEP = 2**20
_SHEET_ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".data", ".dat", ".json", ".parquet", ".xlsx")

_REFUSED = (
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"Rar!", "a rar archive"),
    (b"%PDF", "a PDF"),
    (b"\x89HDF", "an HDF5 file"),
    (b"SQLite format 3", "a SQLite database"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
)
_OLE = b"\xd0\xcf\x11\xe0"  # old Excel workbooks, and encrypted new ones
_ZIP = b"PK\x03\x04"


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
    named: bool = False
    kind: str = ""
    endings: tuple[str, ...] = ()


def content(payload, name, sheet=None):
    """Look into a file: know it by its first bytes, never by its name.

    Parameters
    ----------
    payload : bytes
    name : str
        For sentences.
    sheet : str, optional
        Which sheet of a workbook or file of an archive; by default the first with a table.

    Returns
    -------
    Content

    Raises
    ------
    DataError
        Where it is of a kind that holds no table, broken, or larger than allowed.
    """
    said, sheets = "", ()
    for _ in range(3):  # a workbook in an archive that is compressed: no file is nested deeper
        unfold = next((unfold for mark, unfold in _COMPRESSED if payload.startswith(mark)), None)
        if unfold is not None:
            payload = _unfolded(payload, name, unfold)
        elif payload.startswith(_ZIP) and not _is_workbook(payload, name):
            payload, said, sheets = _member(payload, name, sheet)
            sheet = None
        else:
            break
    found = _opened(payload, name, sheet)
    return found._replace(sheets=found.sheets or sheets, said=found.said or said)


def _opened(payload, name, sheet):
    if not payload:
        raise DataError(f"{name} is empty (0 bytes): choose a file with a header line and rows.")
    for mark, kind in _REFUSED:
        if payload.startswith(mark):
            raise DataError(f"{name} is {kind}, not a table: save the table as CSV and upload it.")
    if payload[257:262] == b"ustar":
        raise DataError(f"{name} is a tar archive: take the table out of it and upload that.")
    if payload.startswith((_ZIP, _OLE)):
        return _workbook(payload, name, sheet)
    if payload.startswith((b"PAR1", b"ARROW1")):
        return _columns(payload, name)
    start = payload[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doc", b"<html", b"<?xml")):
        raise DataError(f"{name} is a web page or XML, not a table: save the table as CSV.")
    if start.startswith((b"[{", b"{", b"[")):
        found = _records(payload, name, surely=start.startswith((b"[{", b"{")))
        if found is not None:
            return found
    return Content(payload)


def _gunzip(payload):
    return gzip.GzipFile(fileobj=io.BytesIO(payload))


def _bunzip(payload):
    return bz2.BZ2File(io.BytesIO(payload))


def _unxz(payload):
    return lzma.LZMAFile(io.BytesIO(payload))


_COMPRESSED: tuple[tuple[bytes, Callable], ...] = (
    (b"\x1f\x8b", _gunzip),
    (b"BZh", _bunzip),
    (b"\xfd7zXZ", _unxz),
)


def _unfolded(payload, name, unfold):
    """Decompress step by step, so that a small file cannot fill the memory."""
    parts, size = [], 0
    try:
        with unfold(payload) as stream:
            while part := stream.read(_STEP):
                parts.append(part)
                size += len(part)
                _refuse_large(size, name)
    except (OSError, EOFError, lzma.LZMAError, ValueError, zipfile.BadZipFile) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{name} is compressed and broken: it may have been cut.") from error
    except Exception as error:  # zlib.error, and what a forged archive makes zipfile raise
        raise DataError(f"{name} is compressed and broken: {error}.") from error
    return b"".join(parts)


def _refuse_large(size, name):
    if size > UNPACKED_LIMIT:
        raise DataError(
            f"{name} unfolds to more than {UNPACKED_LIMIT // 2**20:,} MiB: upload fewer rows."
        )


def _archive(payload, name):
    try:
        return zipfile.ZipFile(io.BytesIO(payload))
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
        raise DataError(f"{name} is a zip archive and broken: it may have been cut.") from error


def _is_workbook(payload, name):
    names = _archive(payload, name).namelist()
    return any(n.startswith(("xl/", "content.xml", "[Content_Types]")) for n in names)


def _member(payload, name, sheet):
    """Take the one table out of an archive, or the chosen one of several."""
    archive = _archive(payload, name)
    files = [
        info
        for info in archive.infolist()
        if not info.is_dir() and not info.filename.rpartition("/")[2].startswith((".", "__"))
        and not info.filename.startswith("__MACOSX")
    ]  # fmt: skip
    tables = [i for i in files if i.filename.lower().removesuffix(".gz").endswith(_SHEET_ENDINGS)]
    tables = tables or files
    if not tables:
        raise DataError(f"{name} is an archive without any file in it.")
    names = tuple(info.filename for info in tables)
    chosen = tables[names.index(sheet)] if sheet in names else tables[0]
    _refuse_large(chosen.file_size, name)
    if chosen.flag_bits & 1:
        raise DataError(f"{name} is locked by a password: unlock it and upload it again.")
    inside = _unfolded(payload, name, lambda _: archive.open(chosen))
    return inside, f"{chosen.filename} in the archive", names if len(names) > 1 else ()


def _workbook(payload, name, sheet):
    from python_calamine import CalamineError, CalamineWorkbook

    if payload.startswith(_ZIP):
        _refuse_large(sum(info.file_size for info in _archive(payload, name).infolist()), name)
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(payload))
        sheets = {}
        for title in book.sheet_names:
            page = book.get_sheet_by_name(title)
            if page.total_height * page.total_width > CELL_LIMIT:
                raise DataError(f"{name} has more than {count(CELL_LIMIT, 'cell')} in {title}.")
            rows = page.to_python(skip_empty_area=True)
            if len(rows) > 1 and any(str(cell).strip() for row in rows for cell in row):
                sheets[title] = rows
    except DataError:
        raise
    except (CalamineError, OSError, ValueError, TypeError) as error:
        raise DataError(
            f"{name} is a workbook that cannot be opened: save the sheet as CSV and upload that."
        ) from error
    if not sheets:
        raise DataError(f"{name} is a workbook without any table: fill a sheet and upload it.")
    title = sheet if sheet in sheets else next(iter(sheets))
    text = _written([[_cell_text(cell) for cell in row] for row in sheets[title]])
    names = tuple(sheets) if len(sheets) > 1 else ()
    return Content(
        text=text,
        said=f"the sheet {title}",
        sheets=names,
        kind="An Excel workbook",
        endings=(".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".zip"),
    )


def _cell_text(cell):
    """Write a typed cell as text, once: numbers in their shortest form, dates by ISO 8601."""
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


def _written(rows):
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _columns(payload, name):
    """Read Parquet or Arrow; each column becomes text by Arrow's own exact rules."""
    import pyarrow as pa
    import pyarrow.csv as pacsv
    import pyarrow.ipc as ipc
    import pyarrow.parquet as pq

    try:
        if payload.startswith(b"PAR1"):
            file = pq.ParquetFile(pa.BufferReader(payload))
            rows, columns = file.metadata.num_rows, file.metadata.num_columns
            _refuse_cells(rows, columns, name)
            table = file.read(use_threads=False)
        else:
            table = ipc.open_file(pa.BufferReader(payload)).read_all()
            _refuse_cells(table.num_rows, table.num_columns, name)
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


def _refuse_cells(rows, columns, name):
    if rows * columns > CELL_LIMIT:
        raise DataError(
            f"{name} has {rows:,} x {columns:,} cells, more than {CELL_LIMIT:,}: upload fewer rows."
        )


def _column_text(column):
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        text = column
    elif pa.types.is_floating(kind):
        text = pc.replace_substring_regex(column.cast(pa.string()), r"\.0$", "")
    elif pa.types.is_integer(kind) or pa.types.is_boolean(kind) or pa.types.is_decimal(kind):
        text = column.cast(pa.string())
    elif pa.types.is_date(kind):
        text = column.cast(pa.string())
    else:
        text = pa.chunked_array(
            [pa.array([_cell_text(v) for v in column.to_pylist()], pa.string())]
        )
    return pc.fill_null(text, "")


def _records(payload, name, surely):
    """Read JSON: a list of records, or one record a line. Numbers keep their digits."""
    text = payload.decode("utf-8-sig", errors="replace")
    try:
        found = _loads(text)
        if isinstance(found, dict):  # the table stands under one of its names
            lists = [value for value in found.values() if _is_records(value)]
            found = lists[0] if len(lists) == 1 else [found]
    except ValueError:
        try:
            found = [_loads(line) for line in text.splitlines() if line.strip()]
        except ValueError as error:
            if not surely:
                return None  # a text that begins with a bracket
            raise DataError(f"{name} looks like JSON and is not: {error}.") from error
    if not _is_records(found):
        if not surely:
            return None
        raise DataError(f"{name} is JSON, but no list of records: save the table as CSV.")
    titles = list(dict.fromkeys(title for record in found for title in record))
    rows = [[_cell_text(record.get(title)) for title in titles] for record in found]
    return Content(text=_written([titles, *rows]), named=True)


def _loads(text):
    try:
        return json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _is_records(value):
    return isinstance(value, list) and bool(value) and all(isinstance(r, dict) for r in value)
