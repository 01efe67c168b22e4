"""Numbers and lists in sentences."""

import pytest

from workbench.words import count, listing, numbered, plain


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 rows"), (1, "1 row"), (2, "2 rows"), (1797, "1,797 rows")]
)
def test_a_count_agrees_with_its_noun(number, text):
    assert count(number, "row") == text


@pytest.mark.parametrize(
    ("n", "text"),
    [
        (0, ""),
        (1, "1"),
        (2, "1 and 2"),
        (3, "1, 2 and 3"),
        (5, "1, 2, 3, 4 and 5"),
        (8, "1, 2, 3, 4, 5 and 3 more"),
    ],
)
def test_a_list_names_a_few(n, text):
    assert listing(range(1, n + 1)) == text


def test_numbers_agree_with_their_noun():
    assert numbered("row", [18]) == "row 18"
    assert numbered("row", [18, 41]) == "rows 18 and 41"


@pytest.mark.parametrize(
    ("number", "text"), [(1, "1"), (0.01, "0.01"), (1e-5, "0.00001"), (1e6, "1,000,000")]
)
def test_numbers_are_written_without_an_exponent(number, text):
    assert plain(number) == text
