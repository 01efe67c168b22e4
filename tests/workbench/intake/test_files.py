"""Archives, workbooks, Parquet and JSON: known by their first bytes, turned into text once."""

import bz2
import gzip
import io
import lzma
import zipfile
from decimal import Decimal

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from workbench.intake import files, read_table, sheets, typed
from workbench.reading import Reading
from workbench.table import DataError

TEXT = b"a,b\n1.50,x\n2,y\n"


def cells(table):
    return table.frame.to_numpy().tolist()


def archive(members):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name, content)
    return buffer.getvalue()


_SHEET = """<?xml version="1.0" encoding="UTF-8"?><worksheet
xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>{rows}</sheetData>
</worksheet>"""


def workbook(sheets):
    """Write the least that is a workbook: cells as numbers or as text in place."""
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    space = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    members = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="xml" '
        f'ContentType="{kind}.sheet.main+xml"/><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="r1" '
        f'Type="{space}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": '<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/'
        f'main" xmlns:r="{space}"><sheets>'
        + "".join(f'<sheet name="{n}" sheetId="{i}" r:id="s{i}"/>' for i, n in enumerate(sheets, 1))
        + "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        + "".join(
            f'<Relationship Id="s{i}" Type="{space}/worksheet" Target="worksheets/s{i}.xml"/>'
            for i in range(1, len(sheets) + 1)
        )
        + "</Relationships>",
    }
    for i, rows in enumerate(sheets.values(), 1):
        written = "".join(
            f'<row r="{r}">' + "".join(_cell(cell, "ABCDE"[c], r) for c, cell in enumerate(row))
            + "</row>"
            for r, row in enumerate(rows, 1)
        )  # fmt: skip
        members[f"xl/worksheets/s{i}.xml"] = _SHEET.format(rows=written)
    return archive(members)


def _cell(cell, column, row):
    if cell is None:
        return ""
    if isinstance(cell, str):
        return f'<c r="{column}{row}" t="inlineStr"><is><t>{cell}</t></is></c>'
    return f'<c r="{column}{row}"><v>{cell!r}</v></c>'


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_compressed_text(compress):
    payload = compress(TEXT)
    table = read_table(payload, "t.csv")
    assert cells(table) == [["1.50", "x"], ["2", "y"]] and table.repairs == ()
    with pytest.raises(DataError, match="compressed and broken"):
        read_table(compress(TEXT * 1000)[:-20], "t.csv")


def test_a_bomb_gets_a_sentence(monkeypatch):
    monkeypatch.setattr(files, "UNPACKED_LIMIT", 2**22)
    bomb = gzip.compress(b"0," * 2**22)
    assert len(bomb) < 2**16
    with pytest.raises(DataError, match="unfolds to more than 4 MiB"):
        read_table(bomb, "bomb.csv.gz")
    with pytest.raises(DataError, match="unfolds to more than 4 MiB"):
        read_table(archive({"a.csv": b"0," * 2**22}), "bomb.zip")


def test_an_archive_with_one_table_and_with_two():
    assert cells(read_table(archive({"x/t.csv": TEXT, "readme.md": "hi"}), "t.zip"))[0][0] == "1.50"
    payload = archive({"t.csv": TEXT, "__MACOSX/t.csv": "", "u.csv": "p;q\n1;2\n"})
    table = read_table(payload, "t.zip")
    assert table.sheets == ("t.csv", "u.csv")
    (repair,) = table.repairs
    assert "there is also u.csv" in repair.sentence
    other = read_table(payload, "t.zip", Reading(**repair.undo))
    assert cells(other) == [["1", "2"]] and other.repairs[0].undo == {"sheet": "t.csv"}


def with_sheet(rows):
    """Write a workbook whose sheet is made of these rows of XML."""
    with zipfile.ZipFile(io.BytesIO(workbook({"A": [[0]]}))) as file:
        members = {member: file.read(member) for member in file.namelist()}
    return archive(members | {"xl/worksheets/s1.xml": _SHEET.format(rows=rows)})


def test_cells_far_apart_get_a_sentence():
    near = '<row r="1"><c r="A1"><v>1</v></c></row><row r="2"><c r="A2"><v>2</v></c></row>'
    far = '<row r="1048576"><c r="XFD1048576"><v>3</v></c></row>'
    payload = with_sheet(near + far)
    assert len(payload) < 5000
    with pytest.raises(DataError, match="cannot be opened, .* with cells too far apart"):
        read_table(payload, "far.xlsx")
    assert cells(read_table(with_sheet(near), "near.xlsx")) == [["1"], ["2"]]


@pytest.mark.parametrize("limit", ["CELLS", "LETTERS"])
def test_a_sheet_beyond_what_is_allowed_gets_a_sentence(limit, monkeypatch):
    payload = workbook({"A": [["p", "q"], [1, 2], [3, 4]]})
    monkeypatch.setattr(sheets, limit, 5)
    with pytest.raises(DataError, match="has a sheet of more than"):
        read_table(payload, "t.xlsx")


def test_a_table_that_begins_below_and_right_of_the_corner():
    rows = [[None], [None, "x", "y"], [None, 1, 2.5], [None], [None, "a\nb", 4]]
    table = read_table(workbook({"A": rows}), "t.xlsx")
    assert list(table.frame.columns) == ["x", "y"]
    assert cells(table) == [["1", "2.5"], ["", ""], ["a\nb", "4"]]


@pytest.mark.parametrize("titles", [("data.csv.gz", "data.csv"), ("t", "the"), ("a", "a b")])
def test_names_of_tables_that_begin_alike_are_told_apart(titles):
    first, second = titles
    packed = gzip.compress(TEXT) if first.endswith(".gz") else TEXT
    table = read_table(archive({first: packed, second: TEXT}), "t.zip")
    assert table.repairs[0].sentence == f"Only {first} in the archive is read; " + (
        f"there is also {second}."
    )
    table = read_table(workbook({"x": [["p"], [1]], first[0]: [["q"], [2]]}), "t.xlsx")
    assert table.repairs[0].undo == {"sheet": first[0]}


def test_a_name_twice_in_an_archive():
    buffer = io.BytesIO(archive({"t.csv": "p\n1\n"}))
    with zipfile.ZipFile(buffer, "a") as file, pytest.warns(UserWarning, match="Duplicate"):
        file.writestr("t.csv", TEXT)
    assert cells(read_table(buffer.getvalue(), "t.zip"))[0] == ["1.50", "x"]


def test_a_workbook_of_one_table_beside_another_in_an_archive():
    payload = archive({"w.xlsx": workbook({"Sales": [["x"], [1], [2]]}), "t.csv": TEXT})
    table = read_table(payload, "t.zip")
    assert table.repairs[-1].sentence == (
        "Only w.xlsx in the archive is read; there is also t.csv."
    )


def test_a_workbook_is_read_in_spite_of_its_name():
    rows = [["Made by hand"], [None], ["name", "x", "y"], ["p", 1.5, 1e21], ["q", 70000, None]]
    payload = workbook({"Sales": rows})
    table = read_table(payload, "t.csv")
    assert list(table.frame.columns) == ["name", "x", "y"]
    assert cells(table) == [["p", "1.5", "1e+21"], ["q", "70000", ""]]
    assert [r.sentence for r in table.repairs] == [
        "An Excel workbook, in spite of its name.",
        "1 line before the table skipped: Made by hand",
    ]
    assert len(read_table(payload, "t.xlsx").repairs) == 1


def test_the_first_sheet_with_a_table_is_read_and_the_others_are_offered():
    payload = workbook({"Cover": [["Hello"]], "A": [["x"], [1], [2]], "B": [["y"], [3], [4]]})
    table = read_table(payload, "t.xlsx")
    assert table.sheets == ("A", "B") and cells(table) == [["1"], ["2"]]
    assert table.repairs[0].sentence == "Only the sheet A is read; there is also B."
    assert cells(read_table(payload, "t.xlsx", Reading(sheet="B"))) == [["3"], ["4"]]
    with pytest.raises(DataError, match="sheet='C' should be one of 'A', 'B'"):
        read_table(payload, "t.xlsx", Reading(sheet="C"))


@pytest.mark.parametrize("write", ["to_parquet", "to_feather"])
def test_columns_with_types_become_text_once(write):
    frame = pd.DataFrame(
        {
            "x": [1.5, 2.0, None],
            "third": [1 / 3, 1e300, -0.1],
            "word": ["p,q", "", None],
            "day": pd.to_datetime(["2024-01-01", "2024-01-02 12:30", None], format="ISO8601"),
            "n": [1, 2, 2**60],
            "yes": [True, False, True],
            "kind": pd.Categorical(["u", "v", "u"]),
        }
    )
    buffer = io.BytesIO()
    getattr(frame, write)(buffer)
    table = read_table(buffer.getvalue(), "t.parquet")
    assert list(table.frame.columns) == list(frame.columns)
    assert cells(table) == [
        ["1.5", "0.3333333333333333", "p,q", "2024-01-01", "1", "true", "u"],
        ["2", "1e+300", "", "2024-01-02 12:30:00", "2", "false", "v"],
        ["", "-0.1", "", "", str(2**60), "true", "u"],
    ]
    assert table.repairs == ()


NESTED = pa.table(
    {
        "list": [["p", "q"], []],
        "struct": [{"u": "x", "v": 1}, None],
        "map": pa.array([[("k", "v")], []], pa.map_(pa.string(), pa.string())),
        "bytes": pa.array([b"ab", b"cd"], pa.binary(2)),
        "large": pa.array(["x", None], pa.large_string()),
        "view": pa.array(["y", "z"], pa.string_view()),
        "price": pa.array([Decimal("1.50"), None], pa.decimal128(5, 2)),
        "count": pa.array([7, 7]).dictionary_encode(),
    }
)


def as_arrow(table):
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, table.schema) as file:
        file.write_table(table)
    return sink.getvalue()


def as_parquet(table):
    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


@pytest.mark.parametrize("write", [as_arrow, as_parquet])
def test_columns_of_every_type_are_read(write):
    assert cells(read_table(write(NESTED), "t"))[0] == [
        '["p", "q"]', '{"u": "x", "v": 1}', '[["k", "v"]]', "ab", "x", "y", "1.50", "7"
    ]  # fmt: skip


def test_cells_that_can_hide_their_size_get_a_sentence():
    column = pa.RunEndEncodedArray.from_arrays([2], ["x"])
    with pytest.raises(DataError, match="A column of run_end_encoded.* cannot be read"):
        read_table(as_arrow(pa.table({"a": column})), "t.arrow")


WORD = "x" * 2000


@pytest.mark.parametrize(
    "column",
    [
        pa.array([WORD] * 20_000),
        pa.array([[WORD]] * 20_000),
        pa.array([{"a": WORD}] * 20_000),
        pa.array([WORD.encode()] * 20_000, pa.binary(2000)),
    ],
)
def test_a_word_in_very_many_cells_gets_a_sentence(column, monkeypatch):
    monkeypatch.setattr(typed, "TEXT_LIMIT", 2**22)
    payload = as_parquet(pa.table({"a": column}))
    assert len(payload) < 2**17
    with pytest.raises(DataError, match="unfolds to more than 4 MiB of cells"):
        read_table(payload, "bomb.parquet")


def test_a_word_in_very_many_cells_of_arrow(monkeypatch):
    monkeypatch.setattr(typed, "TEXT_LIMIT", 2**22)
    words = pa.DictionaryArray.from_arrays(pa.array([0] * 20_000, pa.int8()), pa.array([WORD]))
    plain = words.cast(pa.string())
    for column in (words, plain, plain.cast(pa.string_view())):
        with pytest.raises(DataError, match="unfolds to more than 4 MiB of cells"):
            read_table(as_arrow(pa.table({"a": column})), "bomb.arrow")


@pytest.mark.parametrize(
    "text",
    [
        '[{"a": 1.50, "b": null}, {"a": 2e3, "c": "x,y"}]',
        '{"a": 1.50}\n{"a": 2e3, "c": "x,y"}\n',
        '{"rows": [{"a": 1.50}, {"a": 2e3, "c": "x,y"}], "n": 2}',
    ],
)
def test_records_of_json_keep_their_digits(text):
    table = read_table(text.encode(), "t.json")
    assert cells(table) == [["1.50", ""], ["2e3", "x,y"]]


def test_half_a_letter_in_json_is_shown_as_a_question_mark():
    table = read_table(rb'[{"a\ud800": "x\udfff"}, {"a\ud800": "y"}]', "t.json")
    assert list(table.frame.columns) == ["a?"] and cells(table) == [["x?"], ["y"]]
    told = read_table(rb"a\ud800,b" + b"\n1,2\n", "t.csv", Reading(encoding="unicode_escape"))
    assert list(told.frame.columns) == ["a?", "b"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_json_end_where_a_line_ends(end):
    lines = ['{"a": "p\u2028q"}', '{"a": "r\x85s"}', ""]
    table = read_table(end.join(lines).encode(), "t.json")
    assert cells(table) == [["p\u2028q"], ["r\x85s"]]


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (b"PAR1\x15\x04", "Parquet or Arrow file and broken"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "cannot be opened"),
        (b"PK\x03\x04" + b"x" * 60, "broken"),
        (archive({}), "archive without any file"),
        (workbook({"Cover": [["Hello"]]}), "workbook without any table"),
        (b"%PDF-1.7", "a PDF"),
        (b'{"a": ', "looks like JSON and is not"),
        (b'{"a": 1', "looks like JSON and is not"),
        (b'[{"a": 1}, 3]', "no list of records"),
        (b"[" * 100_000, "no filled cell|no rows below"),
    ],
)
def test_what_holds_no_table_gets_one_sentence(payload, words):
    with pytest.raises(DataError, match=words) as caught:
        read_table(payload, "upload.bin")
    message = str(caught.value)
    assert message.startswith("upload.bin") and message.endswith(".") and "\n" not in message
