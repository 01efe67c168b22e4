"""A Recipe run from start to finish."""

import numpy as np
import pytest

from workbench.builtin import builtin
from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.recipe import Builtin, Recipe, Upload
from workbench.run import cluster_means, run, too_many_clusters

OWN_UNITS = Preparation(scaling="none")


def iris(**settings):
    settings = {"n_clusters": 3, "n_epochs": 20, "n_init": 4} | settings
    recipe = Recipe(data=Builtin(name="iris"), settings=settings)
    return recipe, prepare(builtin("iris"))


def test_progress_runs_from_the_start_to_the_last_epoch():
    steps = []
    run(*iris(), report=lambda *numbers: steps.append(numbers))
    assert [step for step, _, _ in steps] == list(range(21))
    assert all(n == 20 and np.isfinite(loss) for _, n, loss in steps)


def test_a_run_is_whole():
    recipe, dataset = iris()
    found = run(recipe, dataset)
    assert not found.cancelled and found.n_found == 3
    assert list(found.sizes) == sorted(found.sizes, reverse=True) and found.sizes.sum() == 150
    np.testing.assert_array_equal(np.bincount(found.labels), found.sizes)
    assert set(found.scores) == set(found.rival) == {"silhouette", "nmi", "ari"}
    assert found.scores["silhouette"] == pytest.approx(found.silhouettes.mean())
    assert found.restarts is not None and len(found.restarts.found) == 4
    for label in range(3):
        own = dataset.X[found.labels == label]
        np.testing.assert_allclose(found.means[label], own.mean(axis=0))


def test_the_same_recipe_gives_the_same_run():
    runs = [run(*iris()) for _ in range(2)]
    np.testing.assert_array_equal(runs[0].labels, runs[1].labels)
    assert runs[0].rival == runs[1].rival


def test_a_stop_keeps_the_model_and_leaves_the_rest():
    reached = []
    found = run(
        *iris(n_epochs=500),
        report=lambda *numbers: reached.append(numbers),
        stop=lambda: len(reached) > 3,
    )
    assert found.cancelled and found.rival == {} and found.restarts is None
    assert len(found.labels) == 150 and np.isfinite(found.prototypes).all()
    assert len(reached) < 20
    assert len(found.history) == len(reached), "the start, whole epochs and the one cut short"


def test_labels_are_never_asked_when_there_are_none():
    recipe, _ = iris()
    dataset = prepare(builtin("iris"), Preparation(roles={"class": "ignore"}))
    assert set(run(recipe, dataset).scores) == {"silhouette"}


def test_a_method_without_epochs_runs_too():
    recipe, dataset = iris()
    recipe = Recipe(data=recipe.data, method="kmeans", settings={"n_clusters": 3})
    found = run(recipe, dataset)
    assert found.n_epochs == 0 and found.beta is None and found.restarts is None
    assert found.scores == pytest.approx(run(recipe, dataset, compared=False).scores)


def test_faults_are_sentences():
    recipe, dataset = iris(n_clusters=200)
    with pytest.raises(ValueError, match="k = 200 is more than the 150 rows: lower k."):
        run(recipe, dataset)


def test_means_skip_gaps_and_empty_clusters():
    X = np.array([[1.0, np.nan], [3.0, 4.0], [5.0, np.nan]])
    means = cluster_means(X, np.array([0, 0, 2]), 3)
    np.testing.assert_allclose(means, [[2, 4], [np.nan, np.nan], [5, np.nan]])


def test_more_clusters_than_rows_or_distinct_rows_are_refused():
    dataset = prepare(read_table(b"x,y\n" + b"1,1\n5,5\n9,\n" * 13, "t.csv"))
    assert too_many_clusters(dataset, 3) == ""
    assert too_many_clusters(dataset, 4) == "k = 4 is more than the 3 distinct rows: lower k."
    assert too_many_clusters(dataset, 40) == "k = 40 is more than the 39 rows: lower k."


def test_slk_runs_from_a_recipe_with_gaps():
    recipe = Recipe(
        data=Builtin(name="iris"), method="slk",
        settings={"n_clusters": 3, "n_init": 2},
    )  # fmt: skip
    data = prepare(builtin("iris"))
    data.X[5, 2] = np.nan
    told = []
    found = run(recipe, data, report=lambda *each: told.append(each))
    assert found.n_found == 3 and found.beta is None and not found.cancelled
    assert {planned for _, planned, _ in told} == {2}
    assert all(isinstance(value, float) for value in found.history)
    assert found.scores["ari"] > 0.4 and set(found.rival) == set(found.scores)


def table_of(points, name="t.csv"):
    return read_table(("x,y\n" + "".join(f"{x},{y}\n" for x, y in points)).encode(), name)


def quick(method, dataset, k=2, **settings):
    if method == "clam":
        settings = {"n_init": 2, "n_epochs": 5} | settings
    recipe = Recipe(
        data=Upload(fingerprint=dataset.source.fingerprint), method=method,
        settings={"n_clusters": k} | settings,
    )  # fmt: skip
    return run(recipe, dataset, compared=False)


@pytest.mark.parametrize("method", ["clam", "kmeans", "slk"])
@pytest.mark.parametrize("impute", ["leave", "mean", "median", "drop"])
def test_a_gap_stops_no_method(method, impute):
    table = table_of([(1, ""), (2, 3), (4, 5)])
    dataset = prepare(table, Preparation(impute=impute))
    found = quick(method, dataset)
    assert len(found.labels) == len(dataset.row_ids) == (2 if impute == "drop" else 3)
    assert np.isfinite(found.prototypes).all()


@pytest.mark.parametrize("method", ["clam", "kmeans", "slk"])
def test_values_far_from_the_origin_are_clustered_as_near_it(method):
    points = np.random.default_rng(0).normal(size=(60, 2)) + np.repeat([[0, 0], [6, 0]], 30, axis=0)
    near, far = (quick(method, prepare(table_of(points + at), OWN_UNITS)) for at in (0, 1e7))
    np.testing.assert_array_equal(far.labels, near.labels)
    assert far.scores == pytest.approx(near.scores, abs=1e-6)
    np.testing.assert_allclose(far.prototypes - 1e7, near.prototypes, atol=1e-4)


@pytest.mark.parametrize("seed", range(5))
def test_another_seed_that_finds_the_same_groups_numbers_them_alike(seed):
    dataset = prepare(table_of([(0, 0), (0, 1), (10, 0), (10, 1), (20, 0), (20, 1)]), OWN_UNITS)
    recipe = Recipe(
        data=Upload(fingerprint=dataset.source.fingerprint), method="kmeans", seed=seed,
        settings={"n_clusters": 3, "n_init": 8},
    )  # fmt: skip
    assert run(recipe, dataset, compared=False).labels.tolist() == [0, 0, 1, 1, 2, 2]


def test_a_graph_in_pieces_is_noted():
    table = table_of([(x, i / 10) for x in (0, 50, 100) for i in range(6)])
    found = quick("slk", prepare(table, OWN_UNITS), n_neighbors=3, n_init=1)
    (note,) = found.notes
    assert note.startswith("The graph has 3 separate pieces at 3 neighbours; with k below 3 ")
