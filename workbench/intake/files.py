"""What is inside a file: archives, workbooks and columns of bytes become text, once."""

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable

from workbench.intake.typed import Content, columns, records, workbook
from workbench.table import DataError

UNPACKED_LIMIT = 2**30  # bytes that a file may unfold to: a small one can hold a very large text
_STEP = 2**20
_SHEET_ENDINGS = (".csv", ".tsv", ".tab", ".txt", ".data", ".dat", ".json", ".parquet", ".xlsx")

_REFUSED = (
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"PK\x05\x06", "an archive without any file in it"),
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
    around = Content()
    for _ in range(3):  # a workbook in an archive that is compressed: no file is nested deeper
        unfold = next((unfold for mark, unfold in _COMPRESSED if payload.startswith(mark)), None)
        if unfold is not None:
            payload = _unfolded(payload, name, unfold)
        elif payload.startswith(_ZIP) and not _is_workbook(payload, name):
            around = _member(payload, name, sheet)
            payload = around.payload
            sheet = None if sheet in around.sheets else sheet
        else:
            break
    found = _opened(payload, name, sheet)
    if found.sheets:
        return found
    return found._replace(said=around.said, sheets=around.sheets, chosen=around.chosen)


def _opened(payload, name, sheet):
    if not payload:
        raise DataError(f"{name} is empty (0 bytes): choose a file with a header line and rows.")
    for mark, kind in _REFUSED:
        if payload.startswith(mark):
            raise DataError(f"{name} is {kind}, not a table: save the table as CSV and upload it.")
    if payload[257:262] == b"ustar":
        raise DataError(f"{name} is a tar archive: take the table out of it and upload that.")
    if payload.startswith(_ZIP):
        _refuse_large(sum(info.file_size for info in _archive(payload, name).infolist()), name)
    if payload.startswith((_ZIP, _OLE)):
        return workbook(payload, name, sheet)
    if payload.startswith((b"PAR1", b"ARROW1")):
        return columns(payload, name)
    start = payload[:200].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doc", b"<html", b"<?xml")):
        raise DataError(f"{name} is a web page or XML, not a table: save the table as CSV.")
    if start.startswith((b"[{", b"{", b"[")):
        found = records(payload, name, surely=start.startswith((b"[{", b"{")))
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
        raise DataError(f"{name} is an archive without any file in it: put the table into it.")
    tables = {info.filename: info for info in tables}  # a name can be there twice
    title = sheet if sheet in tables else next(iter(tables))
    chosen = tables[title]
    _refuse_large(chosen.file_size, name)
    if chosen.flag_bits & 1:
        raise DataError(f"{name} is locked by a password: unlock it and upload it again.")
    inside = _unfolded(payload, name, lambda _: archive.open(chosen))
    names = tuple(tables) if len(tables) > 1 else ()
    return Content(inside, said=f"{title} in the archive", sheets=names, chosen=title)
