"""Two kept runs: what differs, how far they agree, whose colours are whose."""

import numpy as np
import pytest

from workbench.recipe import Builtin, Recipe
from workbench.record import Record
from workbench.side_by_side import agreement, differences

IRIS = Recipe(data=Builtin(name="iris"), settings={"n_clusters": 3})


def record(labels, rows=None, recipe=IRIS):
    labels = np.asarray(labels)
    rows = np.arange(1, len(labels) + 1) if rows is None else np.asarray(rows)
    arrays = {"labels": labels, "row_ids": rows}
    return Record(recipe.to_json(), recipe.key(), {"k": int(labels.max()) + 1}, arrays)


def test_only_what_differs_is_listed():
    other = IRIS.changed(settings={"n_clusters": 4, "beta": 2.5}, seed=7, data=Builtin(name="wine"))
    found = {each.what: each[1:] for each in differences(IRIS.to_json(), other.to_json())}
    assert found == {
        "name": ("iris", "wine"), "n_clusters": ("3", "4"), "beta": ("auto", "2.5"),
        "seed": ("0", "7"),
    }  # fmt: skip
    assert differences(IRIS.to_json(), IRIS.to_json()) == ()


def test_what_one_recipe_lacks_is_a_dash():
    other = IRIS.changed(preparation={"weights": {"petal": 2.0}})
    (found,) = differences(IRIS.to_json(), other.to_json())
    assert found == ("preparation weights petal", "—", "2.0")


def test_labels_of_the_same_groups_agree_whatever_their_numbers():
    found = agreement(record([0, 0, 1, 1, 2]), record([1, 1, 0, 0, 2]))
    assert found is not None and found.rows == 5
    assert found.ari == pytest.approx(1) and found.nmi == pytest.approx(1)
    assert found.numbers.tolist() == [1, 0, 2]


def test_only_rows_that_both_have_are_compared():
    first = record([0, 0, 1, 1, -1], rows=[1, 2, 3, 4, 5])
    second = record([1, 0, 0, 1, 2, 3], rows=[9, 3, 4, 2, 5, 8])
    found = agreement(first, second)
    assert found is not None and found.rows == 3 and found.ari == pytest.approx(1)
    assert sorted(found.numbers) == [0, 1, 2, 3] and found.numbers[1] == 0


def test_other_tables_have_nothing_in_common():
    wine = IRIS.changed(data=Builtin(name="wine"))
    assert agreement(record([0, 1]), record([0, 1], recipe=wine)) is None
    assert agreement(record([0, 1], rows=[1, 2]), record([0, 1], rows=[3, 4])) is None
