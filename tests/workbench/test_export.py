"""The download is the table that came in, cell for cell, and one column more."""

import csv
import io

import numpy as np
import pytest

from workbench.dataset import prepare
from workbench.export import (
    cluster_columns,
    clusterings_csv,
    file_name,
    formula_note,
    formulas,
    labelled_csv,
)
from workbench.intake import read_table
from workbench.notes import Notes
from workbench.recipe import Builtin, Recipe, Upload


def rows(payload, delimiter=","):
    return list(csv.reader(io.StringIO(payload.decode("utf-8"), newline=""), delimiter=delimiter))


def test_rows_order_columns_and_cells_stay():
    text = 'id,x,note\n007,1.50,"a, b"\n008,2.0,"line\nbreak"\n009,1e3,"say ""so"""\n010,,é\n'
    table = read_table(text.encode(), "t.csv")
    found = rows(labelled_csv(table, np.array([1, 0, 1, 0])))
    original = rows(text.encode())
    assert [row[:-1] for row in found] == original
    assert [row[-1] for row in found] == ["cluster", "2", "1", "2", "1"]


def test_rows_left_out_are_not_clustered():
    table = read_table(b"x,name\n1,a\n,b\n9,c\n10,d\n", "t.csv")
    dataset = prepare(table)
    found = rows(labelled_csv(table, np.array([0, 1, -1]), dataset.row_ids))
    assert [row[-1] for row in found[1:]] == ["1", "not clustered", "2", "not clustered"]


def test_the_delimiter_is_the_original_one():
    text = "a;b\n1,5;x\n2,5;y;\n"
    table = read_table(text.encode(), "t.csv")
    payload = labelled_csv(table, np.array([0, 1]))
    assert payload == b"a;b;cluster\n1,5;x;1\n2,5;y;2\n"


def test_the_new_column_has_a_name_of_its_own():
    table = read_table(b"cluster,x\n1,3\n4,6\n", "t.csv")
    payload = labelled_csv(table, np.array([0, 1]))
    assert rows(payload)[0] == ["cluster", "x", "cluster (Basinscope)"]
    assert list(table.frame.columns) == ["cluster", "x"]
    again = labelled_csv(read_table(payload, "again.csv"), np.array([0, 1]))
    assert rows(again)[0][-1] == "cluster (Basinscope) (Basinscope)"


def test_several_methods_have_a_column_each():
    table = read_table(b"x,cluster by SLK\n1,=a\n,b\n9,c\n10,d\n", "t.csv")
    row_ids = prepare(table).row_ids
    found = {"k-means": np.array([0, 1, 1]), "SLK": np.array([0, -1, 0])}
    written = rows(clusterings_csv(table, found, row_ids))
    assert written[0][2:] == ["cluster by k-means", "cluster by SLK (Basinscope)"]
    assert [row[2] for row in written[1:]] == ["1", "not clustered", "2", "2"]
    assert [row[3] for row in written[1:]] == ["1", "not clustered", "not clustered", "1"]
    assert written[1][1] == "'=a", "harmless in a spreadsheet"


def test_line_ends_are_the_original_ones():
    text = b'a,b\r\n1,"two\nlines"\r\n3,x\r\n'
    payload = labelled_csv(read_table(text, "t.csv"), np.array([0, 1]))
    assert payload == b'a,b,cluster\r\n1,"two\nlines",1\r\n3,x,2\r\n'


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("sales.csv", "sales"),
        ("Étude n° 2 (final).tsv", "Étude-n-2-final"),
        ("../../etc/passwd", "passwd"),
        ("???.csv", "table"),
        ("x" * 300 + ".csv", "x" * 60),
    ],
)
def test_the_download_is_named_for_table_method_and_k(name, stem):
    table = read_table(b"x\n1\n2\n", name)
    recipe = Recipe(data=Upload(fingerprint=table.fingerprint), settings={"n_clusters": 2})
    assert file_name(recipe, table) == f"{stem}-clam-k2.csv"
    wine = Recipe(data=Builtin(name="wine"), settings={"n_clusters": 3})
    assert file_name(wine, table) == "wine-clam-k3.csv"


FORMULAS = "x,y,=z\n1,=1+1,-5\n2,@a,-\n3,+44 20,+1.5e3\n4,\tb,-2 %\n5,＝A1,--\n6,a=b,-a\n"


def test_cells_that_a_spreadsheet_would_run_are_made_harmless_and_counted():
    table = read_table(FORMULAS.encode(), "t.csv")
    found = rows(labelled_csv(table, np.zeros(6, int)))
    assert [row[1] for row in found] == ["y", "'=1+1", "'@a", "+44 20", "'\tb", "'＝A1", "a=b"]
    assert [row[2] for row in found] == ["'=z", "-5", "-", "+1.5e3", "-2 %", "--", "'-a"]
    assert formulas(table) == 6
    assert formula_note(6) == (
        "6 cells that a spreadsheet would run are prefixed with an apostrophe."
    )
    assert formula_note(0) == ""


def test_a_formula_behind_a_line_feed_is_made_harmless():
    table = read_table(b'x,y\n1,"\n=1+1"\n2,b\n', "t.csv")
    found = rows(labelled_csv(table, np.zeros(2, int)))
    assert found[1][1] == "'\n=1+1" and formulas(table) == 1


def test_a_formula_behind_another_delimiter_is_quoted():
    table = read_table(b"a;b\nx,=1+1;1,5\n|@y;2,5\nz\t-1;3,5\n", "t.csv")
    payload = labelled_csv(table, np.zeros(3, int))
    assert payload == b'a;b;cluster\n"x,=1+1";1,5;1\n"|@y";2,5;1\n"z\t-1";3,5;1\n'
    assert read_table(payload, "again.csv").frame[["a", "b"]].equals(table.frame)


def test_formulas_stay_where_cells_are_wanted_as_written():
    table = read_table(FORMULAS.encode(), "t.csv")
    found = rows(labelled_csv(table, np.zeros(6, int), as_written=True))
    assert [row[:-1] for row in found] == rows(FORMULAS.encode())
    assert formula_note(1, as_written=True) == (
        "1 cell that a spreadsheet would run stands as written."
    )


def test_names_and_notes_travel_along_and_are_made_harmless_too():
    table = read_table(b"x,cluster name\n1,a\n2,b\n3,c\n", "t.csv")
    notes = Notes(names={0: "Young, urban", 1: "=SUM(A1)"}, texts={1: "two\nlines"})
    found = rows(labelled_csv(table, np.array([0, 1, -1]), notes=notes))
    assert found[0] == ["x", "cluster name", "cluster", "cluster name (Basinscope)", "cluster note"]
    assert [row[2:] for row in found[1:]] == [
        ["1", "Young, urban", ""],
        ["2", "'=SUM(A1)", "two\nlines"],
        ["not clustered", "", ""],
    ]
    assert formulas(table, notes) == 1


def test_columns_of_clusters_are_whole_numbers_or_missing():
    table = read_table(b"x\n1\n2\n3\n", "t.csv")
    (cluster,) = cluster_columns(table, np.array([1, -1]), np.array([3, 1])).to_numpy().T
    assert [None if value != value else value for value in cluster] == [None, None, 2]


def test_a_long_table_is_written_in_pieces_that_fit():
    text = "x,y\n" + "".join(f'{i},"a,{i}"\n' for i in range(70_000))
    payload = labelled_csv(read_table(text.encode(), "t.csv"), np.arange(70_000) % 3)
    expected = ["x,y,cluster", *(f'{i},"a,{i}",{i % 3 + 1}' for i in range(70_000))]
    assert payload.decode().splitlines() == expected


def test_an_empty_cell_between_spaces_keeps_its_place():
    table = read_table(b'a b c\n1 "" 3\n4 5 ""\n"" 6 "7\t8"\n9 1 2\n', "t.txt")
    payload = labelled_csv(table, np.array([0, 1, 0, 1]))
    assert payload.splitlines()[1] == b'1 "" 3 1'
    again = read_table(payload, "again.txt")
    assert again.delimiter == table.delimiter == " "
    assert again.frame["cluster"].tolist() == ["1", "2", "1", "2"]
    assert again.frame.drop(columns="cluster").equals(table.frame)


def test_a_download_reads_back_to_the_same_table():
    text = "a\tb\n0.10\t NA \n\t'q'\n3\t\n"
    table = read_table(text.encode("utf-16"), "t.csv")
    again = read_table(labelled_csv(table, np.array([0, 1, 0])), "again.csv")
    assert again.delimiter == "\t"
    assert again.frame.drop(columns="cluster").equals(table.frame)
