"""Tuning on tiny data: what is trained, judged, kept and said to be best."""

import time

import numpy as np
import pytest

from workbench.builtin import builtin
from workbench.dataset import prepare
from workbench.preparation import Preparation
from workbench.progress import Cancelled
from workbench.recipe import Builtin, Recipe
from workbench.run import run
from workbench.sweeps import SWEEPS, Plan, coarse_first, values_of
from workbench.table import DataError
from workbench.trials import Trial
from workbench.tuning import tune

FEW = {"n_clusters": 3, "n_init": 2, "n_epochs": 2, "batch_size": 64}


@pytest.fixture(scope="module")
def iris():
    return prepare(builtin("iris"), Preparation())


def recipe(**settings):
    return Recipe(data=Builtin(name="iris"), settings=FEW | settings)


def tuned(dataset, plan, **settings):
    return list(tune(recipe(**settings), dataset, plan))


@pytest.fixture(scope="module")
def whole(iris):
    return tuned(iris, Plan("beta", (2, 10)))


def test_the_outcome_grows_to_the_whole_plan(whole):
    sizes = [len(each.trials) for each in whole]
    assert sizes[0] == 0 and sizes == sorted(sizes)
    last = whole[-1]
    assert last.planned == len(last.trials) == 17 * 2
    assert [each.ended for each in whole] == [""] * (len(whole) - 1) + ["whole"]
    assert last.grid("silhouette", "silhouette").shape == (17, 2)
    assert np.isfinite(last.grid("loss", "loss")).all()
    assert last.measures == ("silhouette", "nmi", "loss")


def test_betas_lie_around_what_auto_finds(whole):
    last = whole[-1]
    assert last.values[8] == pytest.approx(last.beta, rel=1e-3)
    assert last.values[-1] / last.values[0] == pytest.approx(1e4, rel=1e-2)


@pytest.mark.parametrize("rule", ["silhouette", "loss"])
def test_the_best_is_a_recipe_that_gives_the_same_again(whole, iris, rule):
    last = whole[-1]
    place = last.best(rule)
    again = run(last.recipe_of(place, rule), iris, compared=False)
    assert again.scores["silhouette"] == pytest.approx(
        last.trials[place].value("silhouette", rule), abs=1e-5
    )
    assert again.scores["nmi"] == pytest.approx(last.trials[place].value("nmi", rule))
    assert again.n_found == last.trials[place].n_found(rule)


def test_the_best_has_most_clusters_and_then_the_highest_score(whole):
    last = whole[-1]
    best = last.trials[last.best("silhouette")]
    for trial in last.trials.values():
        mine = trial.n_found("silhouette"), trial.value("silhouette", "silhouette")
        assert mine <= (best.n_found("silhouette"), best.value("silhouette", "silhouette"))
    lowest = last.trials[last.best("loss")].value("loss", "loss")
    assert lowest == np.nanmin(last.grid("loss", "loss"))


def test_k_means_has_as_many_starts_and_the_same_rule(whole):
    rival = whole[-1].rival
    assert rival is not None and len(rival.losses) == FEW["n_init"]
    assert rival.value("loss", "loss") == rival.losses.min()
    assert rival.value("silhouette", "silhouette") == rival.silhouettes.max()


@pytest.mark.parametrize("sweep", [key for key in SWEEPS if key != "beta"])
def test_every_sweep_runs(iris, sweep):
    last = tuned(iris, Plan(sweep, (1, 3)))[-1]
    assert last.ended == "whole"
    assert {trial.settings["n_steps"] for trial in last.trials.values()} == {1, 3}
    swept = SWEEPS[sweep].setting
    assert {trial.settings[swept] for trial in last.trials.values()} == set(last.values)
    again = last.recipe_of(last.best("loss"), "loss")
    assert again.settings["selection"] == "loss"
    if swept.startswith("mask"):
        assert again.settings["corruption"] == "mask"


def test_a_spent_budget_keeps_what_is_done(iris, monkeypatch):
    """The clock runs out after the third look at it that follows the first batch."""
    found = []
    generator = tune(recipe(), iris, Plan("beta", (2, 10), seconds=3600))
    clock = time.monotonic
    for each in generator:
        found.append(each)
        if len(each.trials) and len(found) == 2:
            monkeypatch.setattr(time, "monotonic", lambda: clock() + 4000)
    assert found[-1].ended == "budget"
    assert 0 < len(found[-1].trials) < found[-1].planned
    assert np.isnan(found[-1].grid("silhouette", "silhouette")).any()
    assert found[-1].best("silhouette") in found[-1].trials


def test_a_cancel_keeps_what_is_done(iris):
    asked, found, told = [], [], []
    for each in tune(
        recipe(n_init=40), iris, Plan("beta", (2, 10)), report=told.append,
        stop=lambda: bool(asked),
    ):  # fmt: skip
        found.append(each)
        if each.trials:
            asked.append(True)
    assert found[-1].ended == "cancelled"
    assert 0 < len(found[-1].trials) < found[-1].planned
    assert [each.phase for each in told[:1]] == ["preparing"]
    assert all(0 <= each.done <= each.planned == 34 for each in told[1:])


def test_a_cancel_before_anything_is_done_has_nothing_to_keep(iris):
    with pytest.raises(Cancelled):
        list(tune(recipe(), iris, Plan(), stop=lambda: True))


def test_a_budget_too_small_for_one_configuration_says_so(iris):
    with pytest.raises(DataError, match="budget of 1e-06 seconds ended"):
        tuned(iris, Plan(seconds=1e-6))


def test_too_many_clusters_are_refused(iris):
    with pytest.raises(DataError, match="lower k"):
        tuned(iris, Plan(), n_clusters=200)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"sweep": "gamma"}, "sweep='gamma' should be one of"),
        ({"steps": (0, 2)}, "T=0 should be"),
        ({"seconds": 0}, "seconds=0 should be > 0"),
    ],
)
def test_a_plan_says_what_is_wrong(values, words):
    with pytest.raises(DataError, match=words):
        Plan(**values)


def test_mask_rates_hide_different_numbers_of_columns():
    rng = np.random.default_rng(0)
    few = values_of(Plan("mask_rate"), rng.normal(size=(9, 4)), 1.0)
    assert few == (0.25, 0.5, 0.75)
    many = values_of(Plan("mask_rate"), rng.normal(size=(9, 12)), 1.0)
    hidden = [round(float(rate) * 12) for rate in many]
    assert len(set(hidden)) == len(hidden) and list(many) == sorted(many)
    with pytest.raises(DataError, match="two columns"):
        values_of(Plan("mask_rate"), rng.normal(size=(9, 1)), 1.0)


def test_an_order_from_coarse_to_fine():
    assert coarse_first(1) == [0]
    assert sorted(coarse_first(17)) == list(range(17))
    assert coarse_first(8)[:3] == [0, 4, 2]


def test_the_first_t_are_spread_over_all(iris):
    found = tuned(iris, Plan("mask_value", (1, 2, 3, 5)))[-1]
    assert list(dict.fromkeys(t for _, t in found.trials)) == [0, 2, 1, 3]


def test_a_trial_counts_empty_clusters_and_knows_no_silhouette_of_one():
    losses, scores = np.array([1.0, 2.0]), np.array([-1.0, 0.4])
    trial = Trial({"n_clusters": 4}, losses, scores, np.array([1, 3]), {})
    assert trial.empty("silhouette") == 1 and trial.empty("loss") == 3
    assert np.isnan(trial.value("silhouette", "loss")) and np.isnan(trial.value("nmi", "loss"))
    assert trial.value("silhouette", "silhouette") == 0.4
    single = Trial({"n_clusters": 3}, losses[:1], np.array([-1.0]), np.array([3]), {})
    assert np.isnan(single.value("silhouette", "loss")), "three rows, each a cluster of its own"


def test_large_tables_are_scored_on_a_sample(monkeypatch):
    monkeypatch.setattr("workbench.trials.ROWS", 40)
    iris = prepare(builtin("iris"), Preparation())
    last = tuned(iris, Plan("mask_value", (2,)))[-1]
    assert (last.rows, last.n) == (40, 150)
