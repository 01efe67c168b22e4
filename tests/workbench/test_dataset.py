"""From text cells to a matrix: nothing is lost without a word, rows keep their numbers."""

import numpy as np
import pytest

from workbench.dataset import DataError, default_features, prepare
from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.reading import Reading
from workbench.roles import guess_roles

OWN_UNITS = Preparation(scaling="none")


def read(text):
    return read_table(text.encode(), "table.csv")


@pytest.mark.parametrize(
    "spelling", ["", " ", "NA", "N/A", "n/a", "nan", "NaN", "null", "None", "-", "--", "?", "#N/A"]
)
def test_every_spelling_of_missing(spelling):
    table = read(f"x,y\n1,5\n{spelling},6\n3,8\n")
    dataset = prepare(table, OWN_UNITS)
    np.testing.assert_array_equal(dataset.X, [[1, 5], [np.nan, 6], [3, 8]])
    assert dataset.warnings == (
        "1 cell in 1 row missing: ClAM recalls them, other methods use the column's mean.",
    )
    assert table.frame.loc[1, "x"] == spelling


def test_missing_words_stay_text_in_columns_of_text():
    table = read("code,x\nNA,1\nNE,2\n")
    assert table.frame["code"].tolist() == ["NA", "NE"]
    assert default_features(table) == ("x",)


def test_four_fifths_of_numbers_make_a_column_numeric():
    table = read("a,b\n1,1\n2,2\n3,3\n4,x\nlow,y\n")
    assert default_features(table) == ("a",)  # four of five, against three of five


def test_unreadable_and_infinite_cells_are_missing_and_named():
    rows = ["1", "2", "oops", "inf", "5", "6", "-Infinity", "1e400", *map(str, range(9, 25))]
    text = "x,y\n" + "".join(f"{cell},{i}\n" for i, cell in enumerate(rows))
    dataset = prepare(read(text), OWN_UNITS)
    assert np.flatnonzero(np.isnan(dataset.X[:, 0])).tolist() == [2, 3, 6, 7]
    assert "x: 3 infinite cells taken as missing, rows 4, 7 and 8." in dataset.warnings
    assert "x: 1 unreadable cell taken as missing, row 3." in dataset.warnings


def test_many_rows_are_counted_rather_than_listed():
    text = "x,y\n" + "".join(f"{'bad' if i % 6 == 0 else i},{i}\n" for i in range(60))
    assert prepare(read(text)).warnings[0] == (
        "x: 10 unreadable cells taken as missing, rows 1, 7, 13, 19, 25 and 5 more."
    )


def test_columns_are_standardised_over_their_known_cells():
    dataset = prepare(read("x,y\n1,10\n2,\n3,30\n,40\n"))
    known = ~np.isnan(dataset.X)
    assert known.sum(axis=0).tolist() == [3, 3]
    np.testing.assert_allclose(np.nanmean(dataset.X, axis=0), 0, atol=1e-15)
    np.testing.assert_allclose(np.nanstd(dataset.X, axis=0), 1)
    np.testing.assert_allclose(dataset.restore(dataset.X)[0], [1, 10])
    assert any("standardised" in step for step in dataset.steps)


def test_values_far_from_the_origin_keep_their_digits():
    x = np.random.default_rng(0).normal(size=200)
    text = "x,y\n" + "".join(f"{1e7 + v!r},{v!r}\n" for v in x.tolist())
    dataset = prepare(read(text))
    assert abs(dataset.X.mean()) < 1e-9
    np.testing.assert_allclose(dataset.X[:, 0], dataset.X[:, 1], atol=1e-8)


def test_constant_columns_are_dropped_by_name():
    rounding = 0.1 + 0.2
    text = f"a,b,c,d\n1,7,{rounding!r},\n2,7,0.3,9\n3,,0.3,\n"
    dataset = prepare(read(text))
    assert dataset.features == ("a",)
    assert dataset.warnings[0] == "Constant, so left out: b, c and d."


def test_time_stamps_a_second_apart_are_not_constant():
    dataset = prepare(read("t,y\n1700000000.5,1\n1700000001.5,2\n"))
    assert dataset.features == ("t", "y")


def test_rows_keep_their_numbers_when_others_are_left_out():
    dataset = prepare(read("x,name\n1,a\n,b\n9,c\n10,d\n"))
    assert dataset.row_ids.tolist() == [1, 3, 4]
    assert "1 row without any number left unclustered: row 2." in dataset.warnings
    assert len(dataset.source.frame) == 4


def test_a_column_that_is_wholly_empty_costs_no_row():
    payload = b"x,void,y\n1,,2\n2,,3\n4,,\n"
    table = read_table(payload, "table.csv", Reading(keep_empty=True))
    asked = Preparation(features=("x", "void", "y"), roles={"void": "numeric"}, impute="drop")
    dataset = prepare(table, asked)
    assert dataset.features == ("x", "y") and dataset.row_ids.tolist() == [1, 2]
    assert "Empty, so left out: void." in dataset.warnings


def test_features_keep_the_tables_order_however_they_are_chosen():
    table = read("b,a,c\n1,5,2\n2,7,1\n3,6,9\n")
    one, other = (prepare(table, Preparation(features=names)) for names in (("c", "b"), ("b", "c")))
    assert one.features == other.features == ("b", "c")
    np.testing.assert_array_equal(one.X, other.X)


def test_labels_follow_their_rows_and_are_no_feature():
    labelled = Preparation(roles={"kind": "label"})
    dataset = prepare(read("x,y,kind\n1,1,1\n,,2\n3,2,3\n"), labelled)
    assert dataset.features == ("x", "y")
    assert np.array(dataset.y).tolist() == ["1", "3"]


def test_few_distinct_rows_are_counted():
    text = "x,y\n" + "1,1\n5,5\n9,1\n" * 13
    assert prepare(read(text)).warnings == ("Only 3 distinct rows: they fill at most 3 clusters.",)


@pytest.mark.parametrize("name", ["", "ID", "CustomerID", "member_id", "index", "no."])
def test_a_column_that_counts_the_rows_is_left_out(name):
    table = read(f"{name},x,y\n1,5,2\n2,7,1\n3,6,9\n")
    counter = name or "column 1"
    assert guess_roles(table)[counter] == ("id", "only counts the rows")
    assert prepare(table).features == ("x", "y")
    assert f"{counter} looks like an identifier, so left out." in prepare(table).steps
    chosen = Preparation(features=(counter, "x"), roles={counter: "numeric"})
    assert prepare(table, chosen).features == (counter, "x")


def test_a_measure_that_happens_to_count_is_kept():
    assert default_features(read("day,x\n1,5\n2,7\n3,6\n")) == ("day", "x")


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"features": ("x", "z")}, "column='z' should be one of the columns of table.csv"),
        ({"features": ("name",), "roles": {"name": "numeric"}}, "column='name' should hold numb"),
        ({"features": ("flat",), "roles": {"flat": "numeric"}}, "Every chosen column is constant"),
        ({"features": ("x",), "roles": {"x": "label"}}, "column='x' cannot be clustered as label"),
        ({"log": ("x",)}, "column='x' has negative numbers"),
        ({"rows": "2-9"}, "row=9 should be one of the 3 rows"),
    ],
)
def test_a_choice_that_cannot_be_served(choice, words):
    with pytest.raises(DataError) as caught:
        prepare(read("x,name,flat\n1,a,4\n-2,b,4\n3,c,4\n"), Preparation(**choice))
    assert words in str(caught.value)


def test_text_only_and_too_few_rows():
    with pytest.raises(DataError, match="no column of numbers"):
        prepare(read("a,b\nx,y\nz,w\n"))
    with pytest.raises(DataError, match="one row only"):
        prepare(read("a,b\n1,2\n"))
    with pytest.raises(DataError, match="constant or empty"):
        prepare(read("a,b\nNA,?\n,-\n"))


def test_the_fingerprint_follows_table_and_preparation():
    table = read("x,y,k\n1,2,a\n2,5,b\n3,1,a\n")
    one = prepare(table).fingerprint
    assert one == prepare(table).fingerprint
    others = {
        prepare(table, Preparation(features=("x",))).fingerprint,
        prepare(table, Preparation(roles={"k": "label"})).fingerprint,
        prepare(table, OWN_UNITS).fingerprint,
        prepare(read("x,y,k\n1,2,a\n2,5,b\n3,1,b\n")).fingerprint,
    }
    assert len(others | {one}) == 5


def test_what_is_constant_is_judged_on_the_rows_that_are_clustered():
    dropping = Preparation(impute="drop", features=("a", "b", "c"))
    text = "a,b,c\n1,5,\n2,5,\n3,6,1\n4,6,2\n5,6,3\n"
    dataset = prepare(read(text), dropping)
    assert dataset.features == ("a", "c") and np.isfinite(dataset.X).all()
    assert "Constant, so left out: b." in dataset.warnings
    # Without c, which is constant where b is known, b varies.
    text = "a,b,c\n1,5,\n2,6,\n3,7,1\n4,7,1\n5,,3\n"
    dataset = prepare(read(text), dropping)
    assert dataset.features == ("a", "b") and dataset.row_ids.tolist() == [1, 2, 3, 4]


def test_blank_reference_labels_are_no_class():
    table = read("x,y,kind\n1,1,a \n2,2,NA\n3,2,\n4,5,a\n5,1,b\n")
    dataset = prepare(table, Preparation(roles={"kind": "label"}))
    assert dataset.y is not None and dataset.y.tolist() == ["a", "", "", "a", "b"]
    said = "kind: 2 rows without a reference label left out of the scores against it, rows 2 and 3."
    assert said in dataset.warnings
    empty = Preparation(roles={"kind": "label"}, rows="2-3", features=("x",))
    assert prepare(table, empty).y is None


@pytest.mark.parametrize("role", ["date", "category", "ordinal"])
def test_only_numbers_are_on_a_log_scale(role):
    table = read("x,day\n1,2024-01-02\n2,2024-01-03\n3,2024-02-02\n")
    chosen = Preparation(features=("x", "day"), roles={"day": role}, log=("day",))
    with pytest.raises(DataError, match=f"column='day' cannot be on a log scale as {role}, only"):
        prepare(table, chosen)


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("05/04/2020", ("d: its dates fit month/day/year as well as day/month/year, by which they "
                        "are read.",)),
        ("25/04/2020", ()),
    ],
)  # fmt: skip
def test_it_is_said_how_dates_are_read(last, said):
    table = read(f"x,d\n1,03/04/2020\n2,04/04/2020\n3,{last}\n")
    dataset = prepare(table, Preparation(features=("x", "d"), roles={"d": "date"}))
    assert "d as days since 1970, read as day/month/year." in dataset.steps
    assert tuple(each for each in dataset.warnings if each.startswith("d:")) == said
