"""What columns seem to be, and the reasons that are told."""

import numpy as np
import pytest

from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.roles import date_format, form_in_words, guess_roles, roles_of

N = 60
RNG = np.random.default_rng(0)


def table(**columns):
    """Return a table of given cells beside a measure, which keeps codes from being the most."""
    columns = {
        "height": [f"{v:.3f}" for v in RNG.normal(size=N)],
        "depth": [f"{v:.3f}" for v in RNG.normal(size=N)],
        **columns,
    }
    rows = zip(*columns.values(), strict=True)
    text = "\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)])
    return read_table(text.encode(), "table.csv")


def repeated(*cells):
    return [cells[i % len(cells)] for i in range(N)]


@pytest.mark.parametrize(
    ("name", "cells", "role"),
    [
        ("weight", [f"{v:.2f}" for v in RNG.normal(size=N)], "numeric"),
        ("Region", repeated(1, 2, 3), "category"),  # codes
        ("legs", repeated(2, 4, 6, 8), "numeric"),  # whole numbers, but no codes from 0 or 1
        ("stars", repeated(1, 2, 3, 4, 5), "numeric"),
        ("rare", [0] * (N - 1) + [1], "numeric"),  # no category of one row
        ("store_id", repeated(1, 2, 3), "category"),
        ("CustomerID", list(range(1, N + 1)), "id"),
        ("host_id", RNG.permutation(10 * N)[:N].tolist(), "id"),
        ("Sample Number", [i % 20 + 1 for i in range(N)], "id"),
        ("Year", list(range(1900, 1900 + N)), "numeric"),
        ("name", [f"person {i}" for i in range(N)], "id"),
        ("colour", repeated("red", "green", "blue"), "category"),
        ("paid", repeated("yes", "no"), "category"),
        ("day", [f"2024-03-{i % 28 + 1:02d}" for i in range(N)], "date"),
        ("when", [f"{i % 28 + 1:02d}/03/2024" for i in range(N)], "date"),
        ("remark", [f"a long remark about thing {i % 7} that goes on and on" for i in range(N)],
         "ignore"),
        ("flat", ["7"] * N, "ignore"),
        ("void", ["NA"] * N, "ignore"),
        ("sparse", ["5", "6"] + [""] * (N - 2), "ignore"),
        ("class", repeated("a", "b"), "label"),
        ("Target", repeated(0, 1), "label"),
        ("answer", [*range(30), *repeated("yes", "no")[:30]], "category"),
    ],
)  # fmt: skip
def test_a_column_seems_to_be(name, cells, role):
    guess = guess_roles(table(**{name: cells}))[name]
    assert guess.role == role, guess
    assert bool(guess.why) == (role != "numeric")


def test_codes_that_are_most_of_the_numbers_stay_numbers():
    flags = {f"flag {c}": RNG.integers(0, 2, N).tolist() for c in "abcde"}
    assert {guess_roles(table(**flags))[name].role for name in flags} == {"numeric"}


def test_columns_of_one_family_are_alike():
    pixels = {f"pixel_{i}": RNG.integers(0, 17, N).tolist() for i in range(6)}
    pixels["pixel_9"] = repeated(0, 1)
    assert guess_roles(table(**pixels))["pixel_9"].role == "numeric"


def test_what_is_decided_goes_before_the_guess():
    given = table(kind=repeated("a", "b"), **{"class": repeated("u", "v")})
    roles = roles_of(given, Preparation(roles={"kind": "label", "gone": "id"}))
    assert roles["kind"] == "label" and roles["class"] == "category" and "gone" not in roles


@pytest.mark.parametrize(
    ("cells", "form"),
    [
        (["2024-01-31", "2023-12-01"], "%Y-%m-%d"),
        (["31/01/2024", "01/12/2023"], "%d/%m/%Y"),
        (["12/31/2024", "01/12/2023"], "%m/%d/%Y"),
        (["31.01.2024", "NA"], "%d.%m.%Y"),
        (["12", "13"], None),
        (["red", "blue"], None),
    ],
)
def test_the_format_of_dates(cells, form):
    import pandas as pd

    assert date_format(pd.Series(cells, dtype="str")) == form


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ("%d/%m/%y", "day/month/year"),
        ("%Y-%m-%dT%H:%M:%S", "year-month-day time"),
        ("%b %d, %Y", "month day, year"),
        ("", "year-month-day"),
    ],
)
def test_a_format_in_words(form, words):
    assert form_in_words(form) == words
