"""Sets of rows as short text, both ways."""

import tracemalloc

import numpy as np
import pytest

from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.rows import row_ranges, row_text
from workbench.table import DataError


def row_numbers(text):
    return [row for first, last in row_ranges(text) for row in range(first, last + 1)]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [([], ""), ([5], "5"), ([3, 1, 2], "1-3"), ([1, 2, 4, 9, 10, 2], "1-2,4,9-10")],
)
def test_both_ways(numbers, text):
    assert row_text(numbers) == text
    assert row_numbers(text) == sorted(set(numbers))


def test_random_sets_come_back():
    rng = np.random.default_rng(0)
    for share in (0.02, 0.5, 0.98):
        rows = np.flatnonzero(rng.random(2000) < share) + 1
        np.testing.assert_array_equal(row_numbers(row_text(rows)), rows)


@pytest.mark.parametrize("text", ["0", "2,1", "5-3", "1-", "a", "1,,2", "1-3,3", "-1"])
def test_what_is_not_a_set_of_rows(text):
    with pytest.raises(DataError, match="should be rising row numbers"):
        row_ranges(text)


def test_a_short_text_that_names_very_many_rows_costs_nothing():
    parts = [f"{i * 10**8 + 1}-{(i + 1) * 10**8}" for i in range(90)]
    tracemalloc.start()
    preparation = Preparation(rows=",".join(parts))
    assert tracemalloc.get_traced_memory()[1] < 2**20
    tracemalloc.stop()
    with pytest.raises(DataError, match="row=9000000000 should be one of the 3 rows"):
        prepare(read_table(b"x\n1\n2\n3\n", "t.csv"), preparation)


def test_too_many_scattered_rows_are_a_sentence():
    with pytest.raises(DataError, match="too scattered"):
        row_text(np.arange(1, 50_001, 2))
