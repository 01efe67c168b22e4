"""A Recipe run from start to finish."""

import numpy as np
import pytest

from workbench.builtin import builtin
from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.progress import PHASES, Cancelled
from workbench.recipe import Builtin, Recipe, Upload
from workbench.run import cluster_means, run, too_many_clusters

OWN_UNITS = Preparation(scaling="none")


def iris(**settings):
    settings = {"n_clusters": 3, "n_epochs": 20, "n_init": 4} | settings
    recipe = Recipe(data=Builtin(name="iris"), settings=settings)
    return recipe, prepare(builtin("iris"))


def test_progress_runs_from_the_start_to_the_last_epoch():
    told = []
    run(*iris(), report=told.append)
    steps = [each for each in told if each.phase == "training"]
    assert [each.done for each in steps] == list(range(21))
    assert all(each.planned == 20 and np.isfinite(each.loss) for each in steps)
    assert tuple(dict.fromkeys(each.phase for each in told)) == PHASES
    assert all(each.done <= each.planned for each in told)


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
        report=lambda told: told.phase == "training" and reached.append(told),
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
    assert found.n_epochs == 16 and found.beta is None and found.restarts is None
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
    found = run(recipe, data, report=told.append)
    assert found.n_found == 3 and found.beta is None and not found.cancelled
    assert {each.planned for each in told if each.phase == "training"} == {2}
    assert all(isinstance(value, float) for value in found.history)
    assert found.scores["ari"] > 0.4 and set(found.rival) == set(found.scores)


@pytest.mark.parametrize("method", ["clam", "kmeans", "slk"])
@pytest.mark.parametrize("phase", PHASES[1:])
def test_a_stop_in_any_phase_keeps_what_was_reached(phase, method):
    settings = {"n_clusters": 3, "n_init": 3}
    recipe = Recipe(data=Builtin(name="wine"), method=method, settings=settings)
    dataset = prepare(builtin("wine"))
    told = []
    seen = lambda: phase in {each.phase for each in told}  # noqa: E731
    found = run(recipe, dataset, report=told.append, stop=seen)
    after = PHASES[PHASES.index(phase) + 1 :]
    assert not {each.phase for each in told} & set(after) - {"labelling"}
    assert len(found.labels) == len(dataset.X) and np.isfinite(found.scores["silhouette"])
    assert found.rival == {} and found.restarts is None


def test_a_stop_while_preparing_leaves_nothing():
    with pytest.raises(Cancelled):
        run(*iris(), stop=lambda: True)


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


@pytest.mark.parametrize("drawn", [10, 2])
def test_a_comparison_with_k_means_never_costs_the_run(drawn, monkeypatch):
    monkeypatch.setattr("workbench.run.RIVAL_ROWS", drawn)
    lines = [f"{i % 2},{i % 2}," for i in range(59)]
    lines[0] += "1"
    lines[7] += "2"
    table = read_table("\n".join(["x,y,z", *lines, "9,9,"]).encode(), "t.csv")
    preparation = Preparation(features=("x", "y", "z"), roles={"z": "numeric"})
    recipe = Recipe(
        data=Upload(fingerprint=table.fingerprint), preparation=preparation,
        settings={"n_clusters": 3, "n_init": 2, "n_epochs": 5},
    )  # fmt: skip
    found = run(recipe, prepare(table, preparation))
    assert len(found.labels) == 60
    few = [note for note in found.notes if note.startswith("There is no comparison with k-means")]
    assert (bool(found.rival), len(few)) == ((True, 0) if drawn == 10 else (False, 1))
