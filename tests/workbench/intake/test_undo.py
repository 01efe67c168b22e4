"""Each repair can be undone: reading again with what it says gives the other reading."""

import pytest

from workbench.intake import read_table
from workbench.reading import Reading

CASES = {
    "delimiter": ("a;b\n1;2\n3;4\n", "semicolon", (2, 1)),
    "spaces": ("a b\n1 2\n3 4\n", "parted by spaces", (2, 1)),
    "decimal": ("a;b\n1,5;2\n3,5;4\n", "decimal comma", (2, 2)),
    "preface": ("Title\na,b\n1,2\n3,4\n", "before the table", (3, 2)),
    "comments": ("a,b\n1,2\n#d\n3,4\n", "of comment skipped", (3, 2)),
    "no names": ("1.5,2\n3,4\n", "No line of names", (1, 2)),
    "no names below a title": ("Title\n\n1.5,2\n3,4\n5,7\n", "No line of names", (2, 2)),
    "names in a comment": ("#a,b\n1,2\n3,4\n", "in a line of comment", (2, 2)),
    "long rows": ("a,b\n1,2\n3,4,5\n", "left out: shown below", (2, 2)),
    "empty columns": ("a,b,c\n1,,2\n3,,4\n", "empty column", (2, 3)),
    "empty rows": ("a,b\n1,2\n,\n,\n", "at the end left out", (3, 2)),
    "totals": ("a,b\nx,1\ny,2\nSum,3\n", "sums of the columns", (3, 2)),
    "features in rows": (
        "g,0,1,2,3,4,5,6,7,8,9\n" + "".join(f"g{i}" + ",1.5" * 10 + "\n" for i in range(30)),
        "look like features", (10, 31),
    ),
}  # fmt: skip


def said(table, words):
    return [repair for repair in table.repairs if words in repair.sentence]


@pytest.mark.parametrize("case", CASES)
def test_undoing_a_repair_and_taking_it_back(case):
    text, words, shape = CASES[case]
    table = read_table(text.encode(), "t.csv")
    (repair,) = said(table, words)
    assert repair.undo and repair.offer
    undone = read_table(text.encode(), "t.csv", Reading(**repair.undo))
    assert undone.frame.shape == shape
    assert not said(undone, words)
    assert undone.fingerprint == table.fingerprint and undone.key != table.key


def test_another_encoding():
    payload = "name,x\nSant Martí,1\n".encode("cp1252")
    (repair,) = read_table(payload, "t.csv").repairs
    undone = read_table(payload, "t.csv", Reading(**repair.undo))
    assert undone.frame.iloc[0, 0] == "Sant Mart\ufffd"


def test_signs_and_thousands_marks_of_columns():
    text = b'p,q\n$1,"1,412"\n$2,5\n$3,6\n$4,7\n$5,8\n'
    signs, thousands = read_table(text, "t.csv").column_repairs
    assert not read_table(text, "t.csv", Reading(**signs.undo)).numbers["p"].is_numeric
    table = read_table(text, "t.csv", Reading(**thousands.undo))
    assert table.numbers["q"].unreadable.tolist() == [True, False, False, False, False]


def test_a_cut_row_can_be_left_out_again():
    table = read_table(b"a,b\n1,2\n3,4,5\n", "t.csv", Reading(long_rows="cut"))
    (repair,) = table.repairs
    assert repair.sentence == "Line 3 has 3 values instead of 2 and is cut to 2."
    assert Reading(**repair.undo) == Reading()


def test_turned_rows_can_be_turned_back():
    table = read_table(b"name,x,y\np,1,2\nq,3,4\n", "t.csv", Reading(transpose=True))
    assert table.frame.to_numpy().tolist() == [["x", "1", "3"], ["y", "2", "4"]]
    assert dict(table.repairs[-1].undo) == {"transpose": False}
