"""Columns that are pixels: constant ones fill up the square, and DCEC runs on Digits."""

from typing import Any

import numpy as np

from workbench.comparison import compare
from workbench.dataset import builtin, prepare
from workbench.pixels import image_side
from workbench.preparation import Preparation
from workbench.recipe import Builtin, Recipe
from workbench.run import run

DIGITS: Any = prepare(builtin("digits"))
QUICK = {"n_clusters": 10, "n_epochs": 1, "max_iter": 2}


def test_squares():
    assert [image_side(d) for d in (4, 16, 60, 64, 784)] == [0, 4, 0, 8, 28]


def test_constant_columns_fill_up_the_square():
    assert DIGITS.X.shape[1] == 61
    assert np.flatnonzero(~DIGITS.pixels).tolist() == [0, 32, 39]
    assert DIGITS.pixels.shape == (64,)


def test_columns_that_are_no_images_have_no_pixels():
    assert prepare(builtin("iris")).pixels is None
    fewer = Preparation(features=DIGITS.features[:50])
    assert prepare(builtin("digits"), fewer).pixels is None


def test_a_square_of_columns_needs_no_other():
    few: Any = prepare(builtin("digits"), Preparation(features=DIGITS.features[:16]))
    assert few.pixels.tolist() == [True] * 16


def test_dcec_runs_on_digits():
    recipe = Recipe(data=Builtin(name="digits"), method="dcec", settings=QUICK)
    found = run(recipe, DIGITS, compared=False)
    assert found.prototypes.shape == (10, 61)
    entries: Any = compare(DIGITS, [recipe])
    entry, null = entries
    assert entry.done, entry.error
    assert null.done, null.error
    assert np.array_equal(entry.labels, found.labels)
