# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalSubscript=false, reportOptionalOperand=false
# pyright: reportAssignmentType=false, reportGeneralTypeIssues=false
"""Restarts judged one by one: Figure 1 told honestly."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, silhouette_score

from workbench.builtin import builtin
from workbench.dataset import prepare
from workbench.methods import METHODS
from workbench.papers import FIGURE_1
from workbench.restarts import Restarts, judge


@pytest.fixture(scope="module")
def fitted():
    dataset = prepare(builtin("elongated2"))
    settings = METHODS["clam"].complete({"n_clusters": 2, **FIGURE_1})
    model = METHODS["clam"].build(settings, device="cpu", dtype="float32", random_state=0)
    return model.fit(dataset.X), dataset


def test_scores_are_those_of_each_restart_s_labels(fitted):
    model, dataset = fitted
    found = judge(model, dataset)
    labelings = model.predict_restarts(dataset.X)
    assert len(found.ari) == len(labelings) == FIGURE_1["n_init"]
    for r in (0, 7, found.kept):
        expected = silhouette_score(dataset.X, labelings[r])
        assert found.scores["silhouette"][r] == pytest.approx(expected, abs=1e-6)
        assert found.ari[r] == pytest.approx(adjusted_rand_score(dataset.y, labelings[r]))
    np.testing.assert_array_equal(found.scores["loss"], model.restart_losses_)


def test_it_counts_its_steps_and_is_nothing_where_it_is_stopped(fitted):
    steps = []
    judge(*fitted, step=lambda done, planned: steps.append((done, planned)))
    many = 2 * int(FIGURE_1["n_init"])
    assert steps == [(done, many) for done in range(many)]
    assert judge(*fitted, step=lambda done, planned: done == many - 1) is None


def test_figure_1_is_found_by_the_mahalanobis_silhouette_and_missed_by_the_loss(fitted):
    model, dataset = fitted
    found = judge(model, dataset)
    assert found.ari[found.picked("mahalanobis")] >= 0.95
    assert found.ari[found.picked("loss")] < 0.1
    assert found.ari[found.picked("silhouette")] < 0.1
    assert found.ari[found.kept] >= 0.95
    assert (found.ari >= 0.9).mean() < 0.5, "most restarts miss it"


def restarts(rule, kept):
    """Three restarts of which the one with the best scores found a cluster less."""
    scores = {
        "loss": np.array([3.0, 1.0, 2.0]),
        "silhouette": np.array([0.5, 0.9, 0.4]),
        "mahalanobis": np.array([0.3, 0.8, 0.6]),
    }
    return Restarts(scores, None, np.array([3, 2, 3]), kept, rule)


def test_silhouettes_choose_among_the_restarts_that_found_most_clusters():
    every = restarts("loss", 1)
    assert list(every.full) == [True, False, True]
    assert [every.picked(rule) for rule in every.scores] == [1, 0, 2]


def test_the_rule_in_use_picks_what_was_kept():
    assert restarts("silhouette", 2).picked("silhouette") == 2


@pytest.mark.parametrize("rule", ["silhouette", "mahalanobis", "loss"])
def test_each_rule_picks_as_the_model_does(rule):
    dataset = prepare(builtin("iris"))
    settings = {"n_clusters": 5, "n_init": 8, "n_epochs": 5, "init": "gaussian"}
    complete = METHODS["clam"].complete(settings | {"selection": rule})
    model = METHODS["clam"].build(complete, device="cpu", dtype="float32", random_state=0)
    found = judge(model.fit(dataset.X), dataset)
    assert found.rule == rule
    others = Restarts(found.scores, None, found.found, found.kept, "another")
    assert others.picked(rule) == model.restart_
