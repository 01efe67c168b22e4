"""Text cells as numbers: marks, signs, gaps; what is read past is counted."""

import numpy as np
import pandas as pd
import pytest

from workbench.number_cells import read_numbers
from workbench.reading import Reading
from workbench.table import Table

NAN = np.nan


def read(cells, mark=".", **reading):
    return read_numbers(pd.Series(cells, dtype="str"), mark, Reading(**reading))


def column(*cells, mark=".", **reading):
    return read(list(cells), mark, **reading)


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1.5", 1.5),
        (" 8 ", 8),
        ("+2e0", 2),
        ("-.5", -0.5),
        ("−5", -5),
        ("$127.72", 127.72),
        ("-$2", -2),
        ("$-1.5", -1.5),
        ("5 €", 5),
        ("EUR 7", 7),
        ("7 kr", 7),
        ("£1,234.50", 1234.5),
        ("0.60%", 0.6),
        ("(12.5)", -12.5),
        ("($1,000)", -1000),
        ("12.5-", -12.5),
        ("1,412", 1412),
        ("1,234,567.5", 1234567.5),
        ("12,34,567", 1234567),
        ("1 234", 1234),
        ("1\u202f234", 1234),
        ("1’000.5", 1000.5),
        ("1'000'000", 1000000),
    ],
)
def test_every_manner_of_a_number(cell, value):
    assert column(cell).values[0] == value


@pytest.mark.parametrize(
    "cell",
    ["x", "(a)", "()", "$", "%", "1,23,4", "1_000", "0x10", "٣", "1-2", "2020-01-01", "12:30",
     "5' 3", "1.2.3", "0 500", "00,123", "0,12,345", "$5 $6", "USDA", "(-5)", "5 kroner", "½"],
)  # fmt: skip
def test_what_is_no_number_stays_unreadable(cell):
    found = column("1", cell)
    assert np.isnan(found.values[1]) and found.unreadable.tolist() == [False, True]


@pytest.mark.parametrize(
    "word",
    ["", "  ", "NA", "n/a", "N/A", "#N/A", "NaN", "null", "None", "-", "--", "?", "#DIV/0!", ".",
     "–", "<NA>", r"\N"],
)  # fmt: skip
def test_every_spelling_of_a_missing_cell(word):
    found = column("1", word)
    assert found.blank.tolist() == [False, True]
    assert found.spellings == ({word.strip(): 1} if word.strip() else {})


def test_infinite_cells_are_told_from_unreadable_ones():
    found = column("1", "inf", "-Infinity", "1e400", "x", "NaN")
    assert found.infinite.tolist() == [False, True, True, True, False, False]
    assert found.unreadable.tolist() == [False] * 4 + [True, False]
    assert np.isnan(found.values[1:]).all()


def test_decimal_commas_with_points_between_thousands():
    found = column("1,5", "2", "1.234", "1.234,5", "1.234.567", "-0,25", "1,2e3", mark=",")
    assert found.values.tolist() == [1.5, 2, 1234, 1234.5, 1234567, -0.25, 1200]
    assert found.groups == {".": 3}


def test_a_zero_before_the_mark_is_no_group_of_thousands():
    found = read(["0,250", "1.5", "2.75"])
    np.testing.assert_array_equal(found.values, [NAN, 1.5, 2.75])
    assert found.unreadable.tolist() == [True, False, False]
    assert column("1.200,5", "0.125", "-0.125", mark=",").values.tolist() == [1200.5, 0.125, -0.125]


def test_blanks_around_a_number_change_nothing():
    cells = ["1.200", " 1.300", "1.300\u00a0", "1.400,5", " 2,5 ", "\t-1.600"]
    found = column(*cells, mark=",")
    assert found.values.tolist() == [1200, 1300, 1300, 1400.5, 2.5, -1600]
    assert found.values.tolist() == column(*map(str.strip, cells), mark=",").values.tolist()


def test_a_column_goes_by_its_own_decimal_mark():
    found = column("1,5", "2,25")
    assert (found.decimal, found.values.tolist()) == (",", [1.5, 2.25])
    found = column("1.5", "1.234", mark=",")
    assert (found.decimal, found.values.tolist()) == (".", [1.5, 1.234])
    assert np.isnan(read(["1,5", "2,25"], ".", decimal=".").values).all()


def test_what_a_reading_decides():
    assert np.isnan(column("$5", "5%", "(5)", plain_numbers=True).values).all()
    assert np.isnan(column("1,412", thousands="").values).all()
    assert column("1'412", "1,412", thousands="'").values.tolist()[0] == 1412
    assert column("999", "-999.0", "7", missing=("999", "-999")).blank.tolist() == [
        True,
        True,
        False,
    ]


def test_eighty_percent_of_numbers_make_a_column_of_numbers():
    assert column("1", "2", "3", "4", "word", "", "?").is_numeric
    assert not column("1", "2", "3", "word", "").is_numeric
    assert not column("", "?").is_numeric


def test_a_column_of_many_words_is_not_tried_word_by_word():
    words = [f"name {i}" for i in range(5000)]
    found = read([*words, "NA", "3"])
    assert found.values[-1] == 3 and found.blank[-2]
    assert found.unreadable.sum() == 5000


def test_what_is_read_past_is_said_by_kind_with_its_undo():
    frame = pd.DataFrame(
        {"p": ["$1", "$2", "?"], "q": ["1,412", "($3)", "4-"], "r": ["1,5", "2,5", "3,5"]},
        dtype="str",
    )
    table = Table(frame, "t.csv", (), ";", "0" * 32)
    assert [(r.sentence, dict(r.undo)) for r in table.column_repairs] == [
        ("The sign $ is read past in p and q: 3 cells.", {"plain_numbers": True}),
        ("The comma stands between thousands in q: 1 cell.", {"thousands": ""}),
        ("Numbers in brackets are below zero in q: 1 cell.", {"plain_numbers": True}),
        ("Numbers with a minus behind are below zero in q: 1 cell.", {"plain_numbers": True}),
        ("? is read as missing in p: 1 cell.", {}),
        ("Unlike the others, the decimal mark is a comma in r.", {"decimal": "."}),
    ]
