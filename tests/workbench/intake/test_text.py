"""Delimited text of every make becomes a table, cell by cell as it was written."""

import pandas as pd
import pytest

from workbench.intake import read_table
from workbench.reading import Reading
from workbench.table import DataError


def cells(table):
    return table.frame.to_numpy().tolist()


def names(table):
    return list(table.frame.columns)


def said(table):
    return [repair.sentence for repair in table.repairs]


def read(text, encoding="utf-8", **reading):
    return read_table(text.encode(encoding), "table.csv", Reading(**reading))


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", "^", "~", "\x1f"])
def test_every_delimiter_is_told(delimiter):
    table = read(f"a{delimiter}b\n1{delimiter}x\n2{delimiter}y\n")
    assert table.delimiter == delimiter
    assert names(table) == ["a", "b"]
    assert cells(table) == [["1", "x"], ["2", "y"]]
    assert len(table.repairs) == (delimiter != ",")


@pytest.mark.parametrize("delimiter", [":", "§", "x", "\t"])
def test_any_delimiter_can_be_declared(delimiter):
    text = f'a{delimiter}b\n1{delimiter}"2{delimiter}\n3"\n4{delimiter}5\n'
    assert cells(read(text, delimiter=delimiter)) == [["1", f"2{delimiter}\n3"], ["4", "5"]]


def test_runs_of_spaces_part_cells_of_numbers_but_not_words():
    table = read(' a   b\tc\n1  2   "x  y"\n  4 5 6 \n')
    assert (table.delimiter, names(table)) == (" ", ["a", "b", "c"])
    assert cells(table) == [["1", "2", "x  y"], ["4", "5", "6"]]
    words = read("title\nthe old man\na day out\n")
    assert cells(words) == [["the old man"], ["a day out"]]


def test_a_semicolon_file_with_decimal_commas_is_said_to_be_one():
    """Read with commas it would be one column, and nobody would be told."""
    table = read("a;b;c\n1,5;2;3\n2,5;4;1e1\n")
    assert (table.delimiter, table.decimal) == (";", ",")
    assert [table.numbers[name].values.tolist() for name in "abc"] == [[1.5, 2.5], [2, 4], [3, 10]]
    assert said(table) == ["Read as semicolon-separated.", "Numbers have a decimal comma."]
    assert cells(table)[0] == ["1,5", "2", "3"]


def test_two_columns_of_decimal_commas_are_not_three():
    table = read("mass, kg;height, m\n1,5;2,5\n1,7;2,8\n")
    assert names(table) == ["mass, kg", "height, m"]
    assert table.numbers["height, m"].values.tolist() == [2.5, 2.8]


def test_one_decimal_comma_among_words_parts_no_cells():
    lines = (f"0,{i};red;k{i % 3}" for i in range(9))
    table = read("\n".join(["height;colour;kind", *lines]))
    assert list(table.frame.columns) == ["height", "colour", "kind"]
    assert said(table) == ["Read as semicolon-separated.", "Numbers have a decimal comma."]


def test_semicolons_with_decimal_points_stay_points():
    assert read("a;b\n1.5;x,y\n2.5;z\n").decimal == "."


def test_text_full_of_commas_under_semicolons():
    assert cells(read("name;n\nSmith, J;1\nDoe, A, B;2\n")) == [
        ["Smith, J", "1"],
        ["Doe, A, B", "2"],
    ]


def test_a_single_column_keeps_commas_and_blank_cells():
    assert cells(read("x\n1\n\n3\n\n")) == [["1"], [""], ["3"]]
    assert cells(read("name\nSmith, J\nEve\nDoe\nAnn\n")) == [
        ["Smith, J"],
        ["Eve"],
        ["Doe"],
        ["Ann"],
    ]


def test_the_delimiter_that_excel_declares():
    table = read("sep=;\r\na;b\r\n1;2\r\n3;4\r\n")
    assert (table.delimiter, table.line_end) == (";", "\r\n")
    assert cells(table) == [["1", "2"], ["3", "4"]]


def test_quoted_cells_keep_delimiters_newlines_and_quotes():
    table = read('a,b\n"one\ntwo, three","say ""so"""\n5" pipe,2\n')
    assert cells(table) == [["one\ntwo, three", 'say "so"'], ['5" pipe', "2"]]


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_every_line_ending(ending):
    table = read(ending.join(["a,b", "1,2", "", "3,4", ""]))
    assert cells(table) == [["1", "2"], ["3", "4"]]
    assert table.line_end == ending


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-be", "cp1252"],
)
def test_every_encoding(encoding):
    table = read("name,µm\nSant Martí,1\nMünchen,2\n", encoding)
    assert names(table) == ["name", "µm"]
    assert cells(table) == [["Sant Martí", "1"], ["München", "2"]]
    assert bool(table.repairs) == (not encoding.startswith("utf-8"))


def test_bytes_that_windows_does_not_know_are_read_as_latin_1():
    table = read_table(b"a,b\n\x81,1\n\xe9,2\n", "old.csv")
    assert cells(table)[1][0] == "é"
    assert "latin-1" in said(table)[0]


def test_a_broken_letter_among_many_leaves_utf_8():
    table = read_table(b"word,n\n" + "äöüßéèñ,1\n".encode() * 3 + b"\xff,2\n", "t.csv")
    assert cells(table)[0][0] == "äöüßéèñ" and cells(table)[3][0] == "\ufffd"
    assert said(table) == ["1 character cannot be read as UTF-8 and shown as \ufffd."]


def test_zero_characters_go_and_are_counted():
    table = read("a,b\n1,\x002\n3,4\n")
    assert cells(table) == [["1", "2"], ["3", "4"]]
    assert said(table) == ["1 zero character left out: no text has them."]


def test_cells_are_the_original_text():
    text = "id,x\n007,1.50\nNA,+2e0\n 8 ,1234567890123456789\n"
    assert cells(read(text)) == [["007", "1.50"], ["NA", "+2e0"], [" 8 ", "1234567890123456789"]]


def test_the_word_na_stays_a_word_among_words():
    table = read("code,x\nNA,1\nNE,NA\nNO,3\n")
    assert cells(table)[0] == ["NA", "1"]
    assert not table.numbers["code"].is_numeric
    assert table.numbers["x"].blank.tolist() == [False, True, False]
    assert [r.sentence for r in table.column_repairs] == ["NA is read as missing in x: 1 cell."]


def test_the_same_bytes_can_be_read_again_and_again():
    payload = b"a,b\n1,2\n"
    assert cells(read_table(payload, "x.csv")) == cells(read_table(payload, "x.csv"))


def test_repeated_and_blank_names_end_up_unique():
    table = read("score,score,score.1,score,, ,score (2)\n1,2,3,4,5,6,7\n")
    assert names(table) == ["score", "score (3)", "score.1", "score (4)", "column 5", "column 6",
                            "score (2)"]  # fmt: skip
    assert cells(table) == [list("1234567")]
    assert "score (3)" in said(table)[0]


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("15.26,14.84\n14.88,14.57\n", False),
        ("1,2,3\n4,5,6\n", False),
        ("A11 6 A34 1169\nA12 48 A32 5951\nA14 12 A34 2096\nA11 42 A32 7882\n", False),
        ("ill,72,M,f,?\nwell,15,F,f,3.5\nwell,24,M,t,2\nill,?,F,f,1\n", False),
        ("r1,0.5,0.3\nr2,0.2,0.1\nr3,0.4,0.7\n", False),
        ("x:ABC\nx:DEF\ny:GHI\nx:JKL\n", False),
        ("red,small\nblue,big\nred,big\nblue,small\n", False),
        ("title,code,1,2,3\nabc,x_1,4,7,1\nefg,x_2,5,2,2\n", True),
        (",1980,1981\nNorth,1,2\nSouth,3,4\n", True),
        ("town,2011,2001,2021\nA,1,2,5\nB,3,4,6\n", True),
        ("0,1,2,3\n0.5,0.2,0.1,4.5\n0.1,0.2,0.3,0.4\n", True),
        ("name,city\nAnn,Oslo\nBob,Rome\nEve,Rome\n", True),
        ("sample,400,405,410\nx,1.5,2,3\ny,4,5,6\n", True),
        ("r1,1,2,3\nr2,4,5,6\nr3,1,8,9\n", False),
        ("Rent\n100\n200\n", True),
        ("a,b\n?,1\nNA,2\n", True),
    ],
)
def test_names_are_told_from_values(text, there):
    table = read(text)
    lines = text.strip().split("\n")
    assert len(table.frame) == len(lines) - there
    assert any("No line of names" in sentence for sentence in said(table)) != there


def test_a_trailing_delimiter_makes_no_column():
    for text in ("a,b,\n1,2,\n3,5,\n", "a,b,\n1,2\n3,5\n", "a,b\n1,2,\n3,5,\n"):
        table = read(text)
        assert names(table) == ["a", "b"] and cells(table) == [["1", "2"], ["3", "5"]]
        assert said(table) == ["Dropped 1 empty column without a name."]


def test_a_few_trailing_delimiters_are_nothing():
    table = read("a,b\n1,2,\n3,4,,\n5,6\n")
    assert cells(table) == [["1", "2"], ["3", "4"], ["5", "6"]]
    assert table.repairs == () and not len(table.rejected)


def test_ragged_lines_are_named_and_shown():
    table = read('a,b,c\n1,2,3\n"x\ny",5\n7,8,"9\n",10\n11,12,13,,\n')
    assert cells(table) == [["1", "2", "3"], ["x\ny", "5", ""], ["11", "12", "13"]]
    assert said(table) == [
        "Line 3 has 2 values instead of 3: the rest is missing.",
        "Line 5 has 4 values instead of 3 and is left out: shown below.",
    ]
    assert table.rejected.to_numpy().tolist() == [[5, "more than 3 values", '7,8,"9\n",10']]


def test_many_ragged_lines_are_counted():
    table = read("a,b\n" + "1,2\n" * 20 + "1\n" * 8 + "1,2,3\n" * 7)
    assert said(table)[0] == (
        "8 rows with fewer than 2 values, the rest is missing: lines 22, 23, 24, 25, 26 and 3 more."
    )
    assert len(table.rejected) == 7 and len(table.frame) == 28


def test_row_names_in_the_manner_of_r():
    table = read("x,y\nr1,1,2\nr2,3,4\n")
    assert names(table) == ["column 1", "x", "y"]
    assert cells(table) == [["r1", "1", "2"], ["r2", "3", "4"]]


def test_lines_before_the_table_are_left_out():
    table = read("Levels, June\nUnit: m\n\nYear,Value\n1880,-0.1\n1881,\n1882,0.3\n")
    assert names(table) == ["Year", "Value"] and len(table.frame) == 3
    assert said(table) == ["2 lines before the table skipped: Levels  June"]
    table = read("A report\n\nname;city\nAnn;Oslo\nBob;Rome\n")
    assert names(table) == ["name", "city"]


def test_a_short_first_row_is_not_taken_for_a_line_before_the_table():
    assert names(read("a,b,c\n1,2\n3,4,5\n6,7,8\n")) == ["a", "b", "c"]
    assert names(read("a,b,c\nfoo\n3,4,5\n6,7,8\n")) == ["a", "b", "c"]


def test_comments_at_the_top_below_the_names_and_among_the_rows():
    text = '# made by hand\nx,y,z  # s, m, m\n# begun\n1,2,3\n"a\n# b",5,6\n#done\n7,8,9\n'
    table = read(text)
    assert names(table) == ["x", "y", "z"]
    assert cells(table) == [["1", "2", "3"], ["a\n# b", "5", "6"], ["7", "8", "9"]]
    assert said(table) == [
        "3 lines of comment skipped: # made by hand",
        "A remark behind the names left out: s, m, m.",
    ]


def test_names_in_a_comment_and_rows_that_begin_with_its_mark():
    assert names(read("# made\n# id,x,y\na,1,2\nb,3,4\n")) == ["id", "x", "y"]
    assert cells(read("tag,n\n#a,1\n#b,2\n")) == [["#a", "1"], ["#b", "2"]]
    assert names(read("#,x\n1,2\n2,3\n")) == ["#", "x"]


def test_a_mark_within_a_name_is_no_remark():
    table = read("Total # of visits,Age,Income\n1,2,3\n4,5,6\n")
    assert names(table) == ["Total # of visits", "Age", "Income"] and said(table) == []
    assert names(read("Total # of visits,Age # in years, or so\n1,2\n4,5\n")) == [
        "Total # of visits",
        "Age",
    ]


def test_a_quotation_mark_that_is_never_closed():
    table = read('a,b\n"1,2\n3,4\n')
    assert cells(table) == [['"1', "2"], ["3", "4"]]
    assert "line 2 is never closed" in said(table)[0]
    with pytest.raises(DataError, match="quotation mark in line 3"):
        read('a,b\n"x, y",1\n"2,3,4\n')


def test_totals_are_rows_that_are_left_out():
    table = read("item;x;y\na;1,5;2\nb;2,5;3\nc;1;1\nGesamt;5;6\n")
    assert len(table.frame) == 3
    assert table.rejected.to_numpy().tolist() == [[5, "sums of the columns", "Gesamt;5;6"]]
    assert len(read("item,x\na,1\nb,3\nTotal,9\n").frame) == 3, "it is no sum"
    assert len(read("item,x\na,1\nb,3\nc,4\n").frame) == 3, "it has no such name"


def test_empty_columns_and_empty_rows_at_the_end_go():
    table = read("a,gap,b\n1,,2\n, ,\n3,,4\n,,\n,,\n")
    assert names(table) == ["a", "b"]
    assert cells(table) == [["1", "2"], ["", ""], ["3", "4"]]
    assert said(table) == [
        "2 empty rows at the end left out.",
        "Dropped 1 empty column: gap.",
    ]


def test_told_lines_and_names():
    text = "p,1\nq,2\na,b\nu,v\n1,2\n"
    assert names(read(text, skip=2)) == ["a", "b"]
    assert names(read(text, header=4)) == ["u", "v"]
    assert names(read(text, skip=1, header=2)) == ["a", "b"]
    assert names(read(text, skip=3, header=0)) == ["f1", "f2"]
    table = read("p\n" + "a,b\n1,2,3\n4,5\n", skip=1)
    assert table.rejected["line"].tolist() == [3]


def test_more_spellings_of_missing_cells():
    table = read("x,y\n999,1\n-999.0,2\n3,999\n", missing=("999", "-999"))
    assert table.numbers["x"].blank.tolist() == [True, True, False]
    assert cells(table)[0] == ["999", "1"]


def test_rows_can_become_columns():
    head = "gene," + ",".join(str(i) for i in range(1, 13)) + ",note\n"
    rows = "".join(
        f"g{i}," + ",".join(str(i * 100 + j) for j in range(1, 13)) + ",x\n" for i in range(40)
    )
    table = read(head + rows)
    offered = table.repairs[-1]
    assert offered.undo == {"transpose": True}
    turned = read(head + rows, **offered.undo)
    assert names(turned) == ["column", *(f"g{i}" for i in range(40))]
    assert cells(turned)[1][:3] == ["2", "2", "102"]
    assert "note left out, as text" in said(turned)[-1]


def test_a_huge_line_and_a_huge_cell_are_read():
    assert read(",".join(["1.5"] * 3000)).frame.shape == (1, 3000)
    cell = "y" * 300_000
    assert cells(read(f"a,b\n{cell},1\n2\n"))[0][0] == cell
    assert names(read(f"{cell},b\n1,2\n"))[0] == cell


def test_a_wide_and_long_file_reads_as_it_was_written():
    frame = pd.DataFrame({f"c{i}": [f"{i}.{j}0" for j in range(3000)] for i in range(30)})
    assert read(frame.to_csv(index=False)).frame.equals(frame.astype("str"))


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (b"", "is empty (0 bytes)"),
        (b"\xef\xbb\xbf\r\n  \n", "is empty"),
        (b",,\n,,\n", "no filled cell"),
        (b"a,b,c\n", "no rows below"),
        (b"a", "no rows below"),
        (b"a,b\n\x00\x01\x02,3\n", "not a text file"),
        (b"<!DOCTYPE html><html>", "a web page"),
        (b"1," * 30_000, "30,001 columns, and 20,000 are allowed"),
    ],
)
def test_what_is_no_table_gets_one_sentence(payload, words):
    with pytest.raises(DataError) as caught:
        read_table(payload, "upload.csv")
    message = str(caught.value)
    assert words in message
    assert message.startswith("upload.csv") and message.endswith(".") and "\n" not in message


@pytest.mark.parametrize(
    ("reading", "words"),
    [
        ({"encoding": "nope"}, "encoding='nope' should be"),
        ({"encoding": "hex"}, "encoding='hex' should be"),
        ({"delimiter": '"'}, "delimiter='\"' should be"),
        ({"skip": 99}, "nothing below line 99"),
    ],
)
def test_a_reading_that_cannot_be_gets_one_sentence(reading, words):
    with pytest.raises(DataError) as caught:
        read_table(b"a,b\n1,2\n", "t.csv", Reading(**reading))
    assert words in str(caught.value)


def test_the_fingerprint_is_of_the_bytes_and_the_key_of_the_reading_too():
    first, second = read_table(b"a,b\n1,2\n", "x.csv"), read_table(b"a,b\n1,2\n", "y.csv")
    assert first.fingerprint == second.fingerprint and first.key == second.key
    assert first.fingerprint != read_table(b"a,b\n1,3\n", "x.csv").fingerprint
    other = read_table(b"a,b\n1,2\n", "x.csv", Reading(header=0))
    assert other.fingerprint == first.fingerprint and other.key != first.key
