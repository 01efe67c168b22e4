"""Built-in tables read like uploaded ones and lose no digit."""

import numpy as np
import pytest
from sklearn import datasets

from workbench.builtin import BUILTIN, CLASSES, builtin
from workbench.dataset import DataError, default_features, prepare
from workbench.intake import read_table
from workbench.preparation import Preparation


@pytest.mark.parametrize("name", list(BUILTIN))
def test_every_table_is_ready_to_cluster(name):
    table = builtin(name)
    assert table.frame.columns[-1] == "class"
    assert "class" not in default_features(table)
    dataset = prepare(table)
    assert np.isfinite(dataset.X).all()
    assert len(np.unique(np.array(dataset.y))) > 1
    assert len(dataset.X) == len(table.frame)


@pytest.mark.parametrize("name", ["iris", "wine", "digits", "breast_cancer"])
def test_numbers_read_back_to_the_last_bit(name):
    X = datasets.__dict__[f"load_{name}"]().data
    table = builtin(name)
    again = read_table(table.frame.to_csv(index=False).encode(), "again.csv")
    for each in (table, again):
        dataset = prepare(each, Preparation(scaling="none"))
        np.testing.assert_array_equal(dataset.X, X[:, np.ptp(X, axis=0) > 0])


def test_a_seed_moves_toys_and_only_them():
    assert builtin("moons", seed=1).fingerprint != builtin("moons", seed=2).fingerprint
    assert builtin("moons", seed=1).fingerprint == builtin("moons", seed=1).fingerprint
    assert builtin("iris", seed=1).fingerprint == builtin("iris", seed=2).fingerprint


def test_outliers_have_a_class_of_their_own():
    kinds = builtin("outliers").frame["class"].tolist()
    assert kinds[-1] == "outlier" and kinds.count("outlier") == 6
    assert kinds.count("left") == kinds.count("right") == 100


def test_an_unknown_name():
    with pytest.raises(DataError, match="name='sun' should be one of 'iris'"):
        builtin("sun")


@pytest.mark.parametrize("name", BUILTIN)
def test_groups_are_counted(name):
    words = set(builtin(name).frame["class"]) - {"outlier"}
    assert CLASSES[name] == len(words)
