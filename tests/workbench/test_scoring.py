"""Scores of a run: of a sample first, of all rows where asked."""

import numpy as np
import pytest

from workbench import scoring
from workbench.dataset import builtin, prepare
from workbench.preparation import Preparation
from workbench.recipe import Builtin, Recipe
from workbench.run import run
from workbench.silhouettes import silhouette


@pytest.fixture
def sampled(monkeypatch):
    monkeypatch.setattr("workbench.silhouettes.quick_rows", lambda d: 120)
    data = prepare(builtin("iris"), Preparation())
    recipe = Recipe(data=Builtin(name="iris"), method="kmeans", settings={"n_clusters": 3})
    return run(recipe, data)


def go_on():
    return False


def test_a_sample_is_told_with_its_margin(sampled):
    assert len(sampled.scored) == 120 and scoring.is_partly_scored(sampled)
    assert any("of 120 of 150 rows; that of all rows is within" in note for note in sampled.notes)


def test_all_rows_are_scored_where_asked(sampled):
    told = []
    whole = scoring.score_all(sampled, told.append, go_on)
    exact = silhouette(sampled.dataset.X, sampled.labels, sample=150)
    assert whole.scores["silhouette"] == pytest.approx(exact) == whole.silhouettes.mean()
    assert whole.scores["ari"] == sampled.scores["ari"] and whole.key == sampled.key
    assert whole.notes == ("The silhouette is of all 150 rows.",)
    assert not scoring.is_partly_scored(whole)
    assert told[-1].phase == "scoring" and told[-1].done == told[-1].planned == 150


def test_a_stop_leaves_the_run_as_it_was(sampled):
    assert scoring.score_all(sampled, lambda told: None, lambda: True) is sampled


def test_what_is_stopped_is_scored_in_haste():
    X = np.random.default_rng(0).normal(size=(3000, 2))
    labels = (X[:, 0] > 0).astype(int)
    given = {"device": "cpu", "report": lambda told: None}
    values, rows, note = scoring.row_silhouettes(X, labels, stop=lambda: True, **given)
    assert len(values) == len(rows) == 2000 and "2,000 of 3,000 rows" in note
    values, rows, note = scoring.row_silhouettes(X, 0 * labels, stop=go_on, **given)
    assert len(values) == len(rows) == 0 and note == ""
