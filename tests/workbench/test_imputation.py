"""Gaps filled by recall, and the error of it measured on values that were hidden."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from workbench import imputation
from workbench.builtin import builtin
from workbench.completion import complete
from workbench.dataset import DataError, prepare
from workbench.imputation import column_gaps, filled_csv, filled_table, imputation_errors
from workbench.intake import read_table
from workbench.masking import of_features
from workbench.preparation import Preparation
from workbench.progress import Cancelled
from workbench.recipe import Builtin, Recipe, Upload
from workbench.run import run

SAMPLE = Path(__file__).parents[2] / "assets/samples/customers.csv"
QUICK = {"n_clusters": 3, "n_init": 2, "n_epochs": 5}
IRIS = Recipe(data=Builtin(name="iris"), method="clam", settings=QUICK)


@pytest.fixture(scope="module")
def customers():
    table = read_table(SAMPLE.read_bytes(), "customers.csv")
    names = ("region", "age", "income_thousands", "visits_a_month", "basket", "returned_share")
    dataset = prepare(table, Preparation(features=names))
    recipe = Recipe(data=Upload(fingerprint=table.fingerprint), method="clam", settings=QUICK)
    return run(recipe, dataset, compared=False)


def test_every_gap_is_filled_by_the_completion_of_its_row(customers):
    filling = filled_table(customers)
    dataset = customers.dataset
    gaps = column_gaps(dataset)
    assert len(filling.cells) == gaps.sum() > 0
    assert filling.left == {} and filling.overwritten == 0
    row = filling.rows[0]
    position = int(np.flatnonzero(dataset.row_ids == row)[0])
    found = complete(customers, position, np.zeros(dataset.X.shape[1], dtype=bool))
    place = dataset.features.index(filling.columns[0])
    own = dataset.restore(found.end[None])[0, place]
    assert float(filling.cells[0]) == pytest.approx(own, abs=0.05 + 1e-9)
    before, after = dataset.source.frame, filling.frame
    assert (before != after).to_numpy().sum() == gaps.sum()


def test_the_file_names_what_was_filled(customers):
    filling = filled_table(customers)
    rows = [*csv.reader(io.StringIO(filled_csv(customers, filling).decode()))]
    assert rows[0][-1] == "filled by recall" and len(rows) == 241
    named = {int(row[0]): row[-1] for row in rows[1:] if row[-1]}
    expected = {}
    for number, column in zip(filling.rows, filling.columns, strict=True):
        expected.setdefault(number, []).append(column)
    assert named == {number: "; ".join(names) for number, names in expected.items()}


def test_gaps_that_are_no_feature_are_left_and_said():
    text = SAMPLE.read_bytes()
    dataset = prepare(read_table(text, "c.csv"), Preparation(features=("age", "basket")))
    filling = filled_table(run(IRIS, dataset, compared=False))
    assert "income_thousands" in filling.left and "basket" not in filling.left


def test_errors_are_measured_on_the_pattern_of_the_gaps(customers):
    found = imputation_errors(customers.recipe, customers.dataset, repeats=2)
    assert found.patterned and found.own.shape == (4, 2, 6)
    lacking = column_gaps(customers.dataset).any(axis=0)
    assert np.isnan(found.own[:, :, ~lacking]).all()
    assert np.isfinite(found.prepared).all() and (found.n_hidden > 0).all()


def test_a_category_is_wrong_or_right():
    table = read_table(SAMPLE.read_bytes(), "c.csv")
    names = ("region", "age", "visits_a_month")
    dataset = prepare(table, Preparation(features=names, impute="drop"))
    recipe = IRIS.changed(seed=1)
    found = imputation_errors(recipe, dataset, repeats=2, share=0.4)
    assert found.categories.tolist() == [True, False, False]
    assert ((found.wrong > 0) & (found.wrong <= 1)).all()


def test_the_mean_is_off_by_about_one_deviation():
    found = imputation_errors(IRIS, prepare(builtin("iris")), share=0.25, repeats=3)
    assert not found.patterned
    assert found.n_hidden.tolist() == [30, 30, 30]  # a fifth of 150 rows, one column of four
    assert 0.7 < found.prepared[1].mean() < 1.3
    assert found.prepared[3].mean() < found.prepared[0].mean() < found.prepared[1].mean()


def test_training_never_sees_what_is_hidden(monkeypatch):
    """Values of held-out rows may be anything: models and fills of the others stay."""
    seen = []
    fit = imputation.fitted_model

    def noted(recipe, X, **given):
        seen.append(X)
        return fit(recipe, X, **given)

    monkeypatch.setattr(imputation, "fitted_model", noted)
    dataset = prepare(builtin("iris"))
    imputation_errors(IRIS, dataset, repeats=1)
    assert len(seen[0]) == 120
    held = np.random.default_rng((0, 0)).permutation(150)[:30]
    assert (seen[0] == np.delete(dataset.X, held, axis=0)).all()


def test_too_little_is_refused_in_a_sentence():
    few = prepare(read_table(b"a,b\n1,2\n2,3\n4,1\n", "few.csv"))
    with pytest.raises(DataError, match="has 3 rows; measuring the error needs at least 10"):
        imputation_errors(IRIS, few)
    one = prepare(builtin("iris"), Preparation(features=("sepal length (cm)",)))
    with pytest.raises(DataError, match="at least two"):
        imputation_errors(IRIS, one)


def test_what_the_rows_left_cannot_tell_is_refused_in_a_sentence():
    alike = b"a,b\n" + b"1,2\n3,4\n" * 9 + b"5,9\n7,8\n"
    with pytest.raises(DataError, match="With some rows held out, k = 4 is more than the 3 dist"):
        for seed in range(20):  # one of them holds out a row that has no twin
            asked = IRIS.changed(settings={"n_clusters": 4}, seed=seed)
            imputation_errors(asked, prepare(read_table(alike, "alike.csv")), repeats=1)
    rare = "a,b,c\n1,2,3\n2,5,4\n" + "".join(f"{i},{i * i % 7},\n" for i in range(10))
    dataset = prepare(read_table(rare.encode(), "rare.csv"), Preparation(features=("a", "b", "c")))
    with pytest.raises(DataError, match="c has so few values that a repeat holds all of them out"):
        for seed in range(40):
            imputation_errors(IRIS.changed(seed=seed), dataset, repeats=1)


@pytest.mark.parametrize("table", ["iris", "gaps"])
def test_no_fill_knows_what_is_hidden(table, monkeypatch, customers):
    """Other values where it is hidden leave every fill as it was."""
    dataset = customers.dataset if table == "gaps" else prepare(builtin("iris"))
    recipe = customers.recipe if table == "gaps" else IRIS
    fills, hid, changed = [], [], dataset.X.copy()

    def noted(dataset, truth, fill, hidden):
        fills.append(fill)
        hid.append(hidden)
        return np.array(0.0), np.array(0.0), np.zeros(len(dataset.columns) + 1)

    monkeypatch.setattr(imputation, "_errors", noted)
    imputation_errors(recipe, dataset, repeats=1)
    n = len(dataset.X)
    held = np.random.default_rng((recipe.seed, 0)).permutation(n)[: imputation.held_out_rows(n)]
    lost = of_features(hid[0], dataset)
    assert lost.any()
    changed[held] = np.where(lost, 99.0, changed[held])
    imputation_errors(recipe, replace(dataset, X=changed), repeats=1)
    for before, after in zip(fills[:4], fills[4:], strict=True):
        np.testing.assert_array_equal(before[lost], after[lost])


def test_it_stops_when_told():
    with pytest.raises(Cancelled):
        imputation_errors(IRIS, prepare(builtin("iris")), stop=lambda: True)
