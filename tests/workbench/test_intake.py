"""Files of every shape become a table or one clear sentence."""

import gzip
import io
import json
import zipfile

import pandas as pd
import pytest

from workbench.dataset import DataError, default_features, prepare
from workbench.intake import read_table
from workbench.preparation import Preparation


def cells(table):
    return table.frame.to_numpy().tolist()


def read(text, encoding="utf-8"):
    return read_table(text.encode(encoding), "table.csv")


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_every_delimiter_is_told(delimiter):
    table = read(f"a{delimiter}b\n1{delimiter}x\n2{delimiter}y\n")
    assert table.delimiter == delimiter
    assert list(table.frame.columns) == ["a", "b"]
    assert cells(table) == [["1", "x"], ["2", "y"]]


def test_semicolons_with_decimal_commas():
    table = read("a;b;c\n1,5;2;3\n2,5;4;1e1\n")
    assert (table.delimiter, table.decimal) == (";", ",")
    assert prepare(table, Preparation(scaling="none")).X.tolist() == [[1.5, 2, 3], [2.5, 4, 10]]
    assert "decimal comma" in table.repairs[0].sentence
    assert cells(table)[0] == ["1,5", "2", "3"]


def test_two_columns_of_decimal_commas_are_not_three():
    table = read("mass, kg;height, m\n1,5;2,5\n1,7;2,8\n")
    assert list(table.frame.columns) == ["mass, kg", "height, m"]
    assert prepare(table, Preparation(scaling="none")).X.tolist() == [[1.5, 2.5], [1.7, 2.8]]


def test_semicolons_with_decimal_points_stay_points():
    assert read("a;b\n1.5;x,y\n2.5;z\n").decimal == "."


def test_text_full_of_commas_under_semicolons():
    table = read("name;n\nSmith, J;1\nDoe, A, B;2\n")
    assert cells(table) == [["Smith, J", "1"], ["Doe, A, B", "2"]]


def test_the_delimiter_that_excel_declares():
    table = read("sep=;\r\na;b\r\n1;2\r\n3;4\r\n")
    assert table.delimiter == ";"
    assert cells(table) == [["1", "2"], ["3", "4"]]


def test_quoted_cells_keep_delimiters_newlines_and_quotes():
    table = read('a,b\n"one\ntwo, three","say ""so"""\nplain,2\n')
    assert cells(table) == [["one\ntwo, three", 'say "so"'], ["plain", "2"]]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_line_ending(ending):
    assert cells(read(ending.join(["a,b", "1,2", "3,4", ""]))) == [["1", "2"], ["3", "4"]]


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_every_encoding(encoding):
    table = read("name,µm\nSant Martí,1\nMünchen,2\n", encoding)
    assert list(table.frame.columns) == ["name", "µm"]
    assert cells(table) == [["Sant Martí", "1"], ["München", "2"]]
    assert bool(table.repairs) == (not encoding.startswith("utf-8"))


def test_bytes_that_windows_does_not_know_are_read_as_latin_1():
    table = read_table(b"a,b\n\x81,1\n\xe9,2\n", "old.csv")
    assert cells(table)[1][0] == "é"
    assert "latin-1" in table.repairs[0].sentence


def test_cells_are_the_original_text():
    text = "id,x\n007,1.50\nNA,+2e0\n 8 ,1234567890123456789\n"
    assert cells(read(text)) == [["007", "1.50"], ["NA", "+2e0"], [" 8 ", "1234567890123456789"]]


def test_repeated_and_blank_names_end_up_unique():
    table = read("score,score,score.1,score,, ,score (2)\n1,2,3,4,5,6,7\n")
    names = list(table.frame.columns)
    assert names == ["score", "score (3)", "score.1", "score (4)", "column 5", "column 6",
                     "score (2)"]  # fmt: skip
    assert cells(table) == [list("1234567")]
    assert "score (3)" in table.repairs[0].sentence


def test_a_first_line_of_numbers_is_a_row():
    table = read("15.26,14.84\n14.88,14.57\n")
    assert list(table.frame.columns) == ["f1", "f2"]
    assert len(table.frame) == 2
    assert "f1 to f2" in table.repairs[0].sentence


def test_a_name_among_numbers_makes_a_header():
    assert list(read(",1980,1981\nNorth,1,2\n").frame.columns) == ["column 1", "1980", "1981"]


def test_a_trailing_delimiter_makes_no_feature():
    for text in ("a,b,\n1,2,\n3,5,\n", "a,b,\n1,2\n3,5\n"):
        table = read(text)
        assert default_features(table) == ("a", "b")
        assert list(table.frame.columns) == ["a", "b", "column 3"]


def test_trailing_delimiters_below_a_header_without_one():
    table = read("a,b\n1,2,\n3,4,,\n5,6\n")
    assert cells(table) == [["1", "2"], ["3", "4"], ["5", "6"]]
    assert table.repairs == ()


def test_ragged_lines_are_named():
    table = read('a,b,c\n1,2,3\n"x\ny",5\n7,8,9,10\n11,12,13,,\n')
    assert cells(table) == [["1", "2", "3"], ["x\ny", "5", ""], ["11", "12", "13"]]
    assert tuple(repair.sentence for repair in table.repairs) == (
        "Fewer than 3 values, so filled up as missing: line 4.",
        "More than 3 values, so left out: line 5.",
    )


def test_many_ragged_lines_are_counted():
    table = read("a,b\n" + "1,2\n" * 20 + "1\n" * 8)
    assert table.repairs[0].sentence.endswith("lines 22, 23, 24, 25, 26 and 3 more.")


def test_row_names_in_the_manner_of_r():
    table = read("x,y\nr1,1,2\nr2,3,4\n")
    assert list(table.frame.columns) == ["column 1", "x", "y"]
    assert cells(table) == [["r1", "1", "2"], ["r2", "3", "4"]]


def test_a_first_line_that_is_no_header_is_refused_rather_than_most_rows_lost():
    with pytest.raises(DataError, match="first line should name the columns"):
        read("# made on Monday\na,b\n1,2\n3,4\n")


def test_one_column_keeps_its_blank_cells():
    table = read("x\n1\n\n3\n\n")
    assert cells(table) == [["1"], [""], ["3"]]


def test_one_row_is_a_table_and_is_refused_by_prepare():
    table = read("a,b\n1,2\n")
    assert cells(table) == [["1", "2"]]
    with pytest.raises(DataError, match="table.csv has one row only"):
        prepare(table)


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (b"", "is empty (0 bytes)"),
        (b"\xef\xbb\xbf\r\n  \n", "is empty"),
        (b"a,b,c\n", "no rows below"),
        (b"a", "no rows below"),
        (b'a,b\n1,"2\n3,4\n', "quotation mark in line 2"),
        (b"PAR1\x15\x04", "a Parquet file"),
        (gzip.compress(b"a,b\n1,2\n", mtime=0), "compressed by gzip"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "an old Excel workbook"),
        (b"%PDF-1.7", "a PDF"),
        (b"a,b\n\x00\x01\x02,3\n", "not a text file"),
        (b"<!DOCTYPE html><html>", "a web page"),
        (b'{"a": 1}', "JSON"),
        (b'[{"a": 1}]', "JSON"),
    ],
)
def test_what_is_no_table_gets_one_sentence(payload, words):
    with pytest.raises(DataError) as caught:
        read_table(payload, "upload.csv")
    message = str(caught.value)
    assert words in message
    assert message.startswith("upload.csv") and message.endswith(".") and "\n" not in message


def test_archives_and_workbooks_are_told_apart():
    for member, words in (("xl/workbook.xml", "an Excel workbook"), ("a.csv", "a zip archive")):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            archive.writestr(member, "x")
        with pytest.raises(DataError, match=words):
            read_table(buffer.getvalue(), "upload.csv")


def test_the_fingerprint_is_of_the_bytes_and_not_of_the_name():
    first, second = read_table(b"a,b\n1,2\n", "x.csv"), read_table(b"a,b\n1,2\n", "y.csv")
    assert first.fingerprint == second.fingerprint
    assert first.fingerprint != read_table(b"a,b\n1,3\n", "x.csv").fingerprint


def test_a_wide_and_long_file_reads_as_it_was_written():
    frame = pd.DataFrame({f"c{i}": [f"{i}.{j}0" for j in range(3000)] for i in range(30)})
    table = read(frame.to_csv(index=False))
    assert table.frame.equals(frame.astype("str"))


def expected(data_dir):
    return {e["file"]: e for e in json.loads((data_dir / "messy" / "expected.json").read_text())}


BEYOND = {  # files that need more than a first reading: preface, comments, spaces, sheets
    "14_noaa_anomalies_preface.csv",
    "22_german_credit_headerless_spaces.txt",
    "23_hypothyroid_question_marks.data",
    "34_tickers_text_only_cr.csv",
    "36_used_cars_excel.xlsx",
    "40_excel_named_as_csv.csv",
    "46_header_only.csv",
    "47_empty.csv",
    "52_comment_lines.csv",
}
# Where the numeric columns left after `prepare` are those expected, and every gap with them.
RIGHT = {
    "01_mall_customers.csv",
    "04_old_faithful_rownames.csv",
    "06_country_indicators.csv",
    "08_credit_card_customers.csv",
    "10_mice_protein_semicolon_decimal_comma.csv",
    "18_bike_commute_empty_columns.csv",
    "25_leukemia_genes_in_rows.csv",
    "26_natural_gas_dashes.csv",
    "29_data_survey_tuple_headers.csv",
    "31_orders_not_aggregated.csv",
    "35_one_numeric_column.csv",
    "43_infinities.csv",
    "44_ragged_rows.csv",
    "50_duplicate_and_blank_headers.csv",
    "53_three_distinct_points.csv",
}


@pytest.mark.data
def test_untidy_files_give_a_table_or_a_sentence(data_dir):
    for file, right in expected(data_dir).items():
        try:
            table = read_table((data_dir / "messy" / file).read_bytes(), file)
        except DataError as error:
            assert file in BEYOND and "\n" not in str(error)
            continue
        if file not in BEYOND:
            assert table.frame.shape == (right["rows"], right["columns"]), file
        assert table.frame.columns.is_unique
        try:
            dataset = prepare(table)
        except DataError as error:
            assert "\n" not in str(error)
            continue
        if file in RIGHT:
            found = dataset.X.shape[1], int(pd.isna(dataset.X).sum())
            assert found == (right["n_numeric"], right["missing_numeric_cells"]), file
            if right["numeric"] and file != "50_duplicate_and_blank_headers.csv":
                assert list(dataset.features) == right["numeric"]


@pytest.mark.data
def test_the_reference_sets_read_to_the_last_digit(data_dir):
    with gzip.open(data_dir / "sets" / "mice_protein_missing.csv.gz") as file:
        payload = file.read()
    dataset = prepare(read_table(payload, "mice.csv"), Preparation(scaling="none"))
    plain = pd.read_csv(io.BytesIO(payload))
    assert dataset.X.shape == (1080, 77)
    assert int(pd.isna(dataset.X).sum()) == 1396
    assert (pd.isna(dataset.X) | (plain.drop(columns="label").to_numpy() == dataset.X)).all()
