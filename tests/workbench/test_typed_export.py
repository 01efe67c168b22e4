"""Parquet and Excel hold numbers as numbers and lose no text on the way."""

import io
import re
import zipfile

import numpy as np
import pyarrow.parquet as pq
import pytest

from workbench.dataset import DataError
from workbench.intake import read_table
from workbench.notes import Notes
from workbench.recipe import Builtin, Recipe
from workbench.typed_export import (
    EXCEL_ROWS,
    empty_cells,
    excel_fault,
    format_note,
    labelled_excel,
    labelled_parquet,
)

TEXT = (
    "id;long;whole;price;note\r\n"
    "007;12345678901234567890;1;1,50;=1+1\r\n"
    "008;12345678901234567891;;-2,5;http://a.b\r\n"
    "009;12345678901234567892;3;unknown;\r\n"
    "010;12345678901234567893;4;2,25;x\r\n"
    "011;12345678901234567894;5;2,75;y\r\n"
)
LABELS = np.array([0, 1, 1, 0])
ROWS = np.array([1, 2, 4, 5])


@pytest.fixture
def table():
    return read_table(TEXT.encode(), "t.csv")


def test_parquet_has_numbers_where_they_say_what_the_text_says(table):
    recipe = Recipe(data=Builtin(name="iris"))
    payload = labelled_parquet(table, LABELS, ROWS, notes=Notes(names={1: "dear"}), recipe=recipe)
    found = pq.read_table(io.BytesIO(payload))
    kinds = {field.name: str(field.type) for field in found.schema}
    assert kinds["whole"] == kinds["cluster"] == "int64" and kinds["price"] == "double"
    assert "string" in kinds["id"] and "string" in kinds["long"] and "string" in kinds["note"]
    assert found["id"].to_pylist()[0] == "007"
    assert found["long"].to_pylist()[1] == "12345678901234567891"
    assert found["whole"].to_pylist() == [1, None, 3, 4, 5]
    assert found["price"].to_pylist() == [1.5, -2.5, None, 2.25, 2.75]
    assert found["cluster"].to_pylist() == [1, 2, None, 2, 1]
    assert found["cluster name"].to_pylist() == [None, "dear", None, "dear", None]
    assert found["note"].to_pylist()[0] == "=1+1"
    assert Recipe.from_json(found.schema.metadata[b"basinscope.recipe"]) == recipe


def test_cells_that_parquet_cannot_hold_are_said(table):
    assert empty_cells(table) == (
        "1 cell of price is no number and therefore empty in Parquet; CSV and Excel keep the text."
    )
    assert empty_cells(read_table(b"x\n1\n\n3\n", "t.csv")) == ""


SIGNS = (
    "x;pct;mixed;pi;near;cost;none\n"
    "$5;50%;50%;3.14159265358979323846;0.30000000000000004;USD 1;\n"
    "€6;25%;0.5;2.5;0.000012345678901234567;USD 2;(3)\n"
    "$7;5%;10%;1;1.5e-300;;-4\n"
)


def test_text_that_says_more_than_its_number_stays_text():
    table = read_table(SIGNS.encode(), "t.csv")
    found = pq.read_table(io.BytesIO(labelled_parquet(table, np.zeros(3, int)))).to_pydict()
    assert found["x"] == ["$5", "€6", "$7"] and found["mixed"] == ["50%", "0.5", "10%"]
    assert found["pi"] == ["3.14159265358979323846", "2.5", "1"]
    assert found["near"] == [0.1 + 0.2, 0.000012345678901234567, 1.5e-300]
    assert found["pct"] == [50, 25, 5] and found["cost"] == [1, 2, None]
    assert found["none"] == [None, -3, -4]
    cells = sheet(labelled_excel(table, np.zeros(3, int)))
    assert cells["A2"] == ("text", "$5") and cells["B2"] == ("number", "50")
    assert cells["C3"] == ("text", "0.5") and cells["D2"] == ("text", "3.14159265358979323846")


def test_a_sign_that_is_left_out_is_said():
    table = read_table(SIGNS.encode(), "t.csv")
    words = "Numbers are written without their sign: pct in % and cost in USD."
    assert format_note("parquet", table) == format_note("xlsx", table) == words
    assert "sign" not in format_note("csv", table)
    assert format_note("parquet", read_table(b"x\n1\n2\n", "t.csv")) == ""


def sheet(payload):
    """Cells of the first sheet: (kind, text) by place."""
    text = zipfile.ZipFile(io.BytesIO(payload)).read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in text and "hyperlink" not in text
    cells = {}
    for place, kind, inner in re.findall(r'<c r="(\w+)"[^>]*?(t="\w+")?>(.*?)</c>', text, re.S):
        cells[place] = ("number" if not kind else "text", re.sub(r"<[^>]+>", "", inner))
    return cells


def test_excel_has_numbers_and_text_and_never_a_formula(table):
    cells = sheet(labelled_excel(table, LABELS, ROWS, notes=Notes(names={1: "=2"})))
    assert cells["A2"] == ("text", "007") and cells["B2"] == ("text", "12345678901234567890")
    assert cells["C2"] == ("number", "1") and "C3" not in cells
    assert cells["D2"] == ("number", "1.5") and cells["D4"] == ("text", "unknown")
    assert cells["E2"] == ("text", "=1+1") and cells["E3"] == ("text", "http://a.b")
    assert cells["F1"] == ("text", "cluster") and cells["F2"] == ("number", "1")
    assert cells["F4"] == ("text", "not clustered") and cells["G3"] == ("text", "=2")


def test_what_excel_cannot_hold_gets_a_sentence():
    assert excel_fault(EXCEL_ROWS - 1, 16_384) == ""
    assert excel_fault(EXCEL_ROWS, 3) == (
        "A sheet of Excel holds 1,048,575 rows below the names, and the table has 1,048,576: "
        "take CSV or Parquet."
    )
    assert "16,384 columns" in excel_fault(3, 16_385)
    table = read_table(b"x,note\n1,a\n2," + b"b" * 40_000 + b"\n", "t.csv")
    with pytest.raises(DataError, match=r"note has a cell of 40,000 characters"):
        labelled_excel(table, np.array([0, 1]))
