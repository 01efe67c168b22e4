"""Explanations add up, flips flip, and neither is shorter than it can be."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

from tests.workbench.exploring import blobs, dataset_of, run_of
from workbench.dataset import prepare
from workbench.explanation import explain, second
from workbench.flip import shortest_flip
from workbench.methods import METHODS
from workbench.rule import rule_of

ENERGIES = ("euclidean", "weighted", "spherical")


@lru_cache
def fitted(energy="euclidean", method="clam", gaps=False, **settings):
    X, _ = blobs(120, 4, apart=1.5)
    if gaps:
        X[np.random.default_rng(2).random(X.shape) < 0.1] = np.nan
    dataset = dataset_of(X)
    told = {"energy": energy, "n_epochs": 5} if method == "clam" else {}
    run = run_of(dataset, method, **told, **settings)
    return dataset, run, rule_of(run)


@lru_cache
def model_of(run, dataset):
    """Fit the run's own model once more, with clusters numbered as the run numbers them."""
    from workbench.metrics import size_order

    recipe = run.recipe
    model = (
        METHODS[recipe.method]
        .build(recipe.settings, device="cpu", dtype=recipe.dtype, random_state=recipe.seed)
        .fit(dataset.X)
    )
    numbers = np.argsort(size_order(model.labels_, len(model.cluster_centers_)))
    return lambda rows: numbers[model.predict(rows)]


@pytest.mark.parametrize("energy", ENERGIES)
@pytest.mark.parametrize("gaps", [False, True])
def test_the_rule_gives_the_labels_of_the_run(energy, gaps):
    dataset, run, rule = fitted(energy, gaps=gaps)
    assert (rule.labels(rule.inside(dataset.X)) == run.labels).mean() > 0.99


def test_the_rule_of_k_means_is_the_nearest_centre():
    dataset, run, rule = fitted(method="kmeans", gaps=True)
    assert (rule.labels(rule.inside(dataset.X)) == run.labels).all() and rule.decides


def test_that_of_slk_does_not_decide_alone():
    dataset, run, rule = fitted(method="slk")
    told = explain(rule, dataset, run.labels, 0)
    assert not rule.decides and told.flip is None and told.switches == ()
    assert sum(bar.gap for bar in told.bars) == pytest.approx(told.gap, abs=1e-6)


@pytest.mark.parametrize("energy", ENERGIES)
@pytest.mark.parametrize("gaps", [False, True])
def test_bars_add_up_to_the_gap_of_the_energy_itself(energy, gaps):
    import torch

    import clam_core

    dataset, run, rule = fitted(energy, gaps=gaps)
    assert run.beta is not None
    kind = clam_core.make_energy(energy, run.weights if energy == "weighted" else None)
    points = torch.from_numpy(rule.inside(dataset.X))
    memories = torch.from_numpy(run.prototypes)
    affinity = kind.log_affinity(points, memories, run.beta).numpy()
    entropy = clam_core.entropy(points, memories, energy=kind, beta=run.beta).numpy()
    for row in range(0, 120, 39):
        told = explain(rule, dataset, run.labels, row)
        assert sum(bar.gap for bar in told.bars) == pytest.approx(told.gap, abs=1e-6)
        expected = affinity[row, told.label] - affinity[row, told.other]
        assert told.gap == pytest.approx(expected, abs=1e-6)
        assert told.entropy == pytest.approx(entropy[row], abs=1e-9)
        absent = {bar.column for bar in told.bars if bar.missing}
        assert absent == {"abcd"[at] for at in np.flatnonzero(np.isnan(dataset.X[row]))}


def grades(n=90):
    """Return a dataset of a number, a category of three words, an order and a date."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    return dataset_of(
        rng.normal(size=(n, 1)) + y[:, None],
        roles={"colour": "category", "size": "ordinal", "day": "date"},
        features=("colour", "size", "day"),
        colour=np.array(["red", "green", "blue"])[(y + (rng.random(n) < 0.2)) % 3],
        size=np.array(["small", "medium", "large"])[(y + (rng.random(n) < 0.3)) % 3],
        day=np.datetime64("2024-01-01") + 10 * y + rng.integers(0, 9, n),
    )


@lru_cache
def graded(method="kmeans"):
    dataset = grades()
    run = run_of(dataset, method)
    return dataset, run, rule_of(run)


def test_features_of_one_column_share_a_bar():
    dataset, run, rule = graded()
    assert dataset.origins.count("colour") == 3
    for row in range(0, 90, 11):
        told = explain(rule, dataset, run.labels, row)
        assert sorted(bar.column for bar in told.bars) == ["a", "colour", "day", "size"]
        assert sum(bar.gap for bar in told.bars) == pytest.approx(told.gap, abs=1e-9)
        point, centres = dataset.X[row], run.prototypes[[told.other, told.label]]
        of = np.array(dataset.origins) == "colour"
        far, own = np.square(point - centres)[:, of].sum(axis=1)
        assert {bar.column: bar.gap for bar in told.bars}["colour"] == pytest.approx(far - own)


@pytest.mark.parametrize("energy", [*ENERGIES, "kmeans"])
def test_a_flipped_row_gets_the_other_label_by_the_model_itself(energy):
    method = "kmeans" if energy == "kmeans" else "clam"
    dataset, run, rule = fitted(energy, method)
    predict = model_of(run, dataset)
    assert (predict(dataset.X) == run.labels).all()
    flipped = 0
    for row in range(0, 120, 23):
        told = explain(rule, dataset, run.labels, row)
        if told.flip is not None:
            flipped += 1
            assert predict(told.flip.point[None])[0] == told.flip.into != run.labels[row]
    assert flipped >= 4


def test_before_the_flip_the_label_is_its_own():
    dataset, run, rule = fitted()
    for row in range(0, 120, 29):
        flip = shortest_flip(rule, dataset.X[row], run.labels[row])
        assert flip is not None
        path = dataset.X[row] + np.linspace(0, 0.999, 50)[:, None] * (flip.point - dataset.X[row])
        assert (rule.labels(path) == run.labels[row]).all()


def test_among_nearest_centres_the_flip_is_the_way_to_the_nearest_bisector():
    dataset, run, rule = fitted(method="kmeans", n_clusters=6)
    for row in range(0, 120, 17):
        point, own = dataset.X[row], run.labels[row]
        squares = np.square(point - run.prototypes).sum(axis=1)
        apart = np.linalg.norm(run.prototypes - run.prototypes[own], axis=1)
        ways = [(squares[at] - squares[own]) / (2 * apart[at]) for at in range(6) if at != own]
        flip = shortest_flip(rule, point, own)
        assert flip is not None and flip.distance == pytest.approx(min(ways), abs=1e-4)


def test_in_the_plane_no_direction_leaves_a_basin_much_sooner():
    X, _ = blobs(90, 2, apart=2)
    dataset = dataset_of(X)
    run = run_of(dataset)
    rule = rule_of(run)
    angles = np.linspace(0, 2 * np.pi, 181)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    for row in range(0, 90, 17):
        flip = shortest_flip(rule, dataset.X[row], run.labels[row])
        assert flip is not None
        inside = dataset.X[row] + 0.9 * flip.distance * circle
        assert (rule.labels(inside) == run.labels[row]).all()


@pytest.mark.parametrize("method", ["clam", "kmeans"])
def test_one_column_alone_switches_at_the_value_told_in_the_tables_units(method):
    dataset, run, rule = fitted(method=method)
    predict, seen = model_of(run, dataset), 0
    for row in range(0, 120, 29):
        for switch in explain(rule, dataset, run.labels, row).switches:
            at = dataset.features.index(switch.column)
            column = dataset.columns[at]
            point = dataset.X[[row]].copy()
            assert switch.was == pytest.approx(dataset.restore(point)[0, at])
            assert isinstance(switch.value, float) and isinstance(switch.was, float)
            step = 1e-6 * (switch.value - switch.was)
            for value, label in ((switch.value + step, switch.into),
                                 (switch.value - 10 * step, run.labels[row])):  # fmt: skip
                point[0, at] = (value - column.centre[0]) / column.scale[0]
                assert predict(point)[0] == label
            seen += 1
    assert seen >= 3


def test_words_and_days_alone_switch_as_told():
    dataset, run, rule = graded()
    predict, seen = model_of(run, dataset), set()
    for row in range(0, 90, 2):
        for switch in explain(rule, dataset, run.labels, row).switches:
            if switch.column == "a":
                continue
            frame = dataset.source.frame.copy()
            assert frame.loc[row, switch.column] == switch.was != switch.value
            frame.loc[row, switch.column] = switch.value
            other = dataset.apply(replace(dataset.source, frame=frame)).X
            assert predict(other[[row]])[0] == switch.into
            seen.add(switch.column)
    assert seen == {"colour", "size", "day"}


@pytest.mark.parametrize("impute", ["mean", "median"])
def test_a_word_is_never_exchanged_for_a_filled_gap_nor_a_gap_for_a_word(impute):
    full = grades()
    frame = full.source.frame.copy()
    blank = np.arange(0, 90, 4)
    for name in ("colour", "day"):
        frame.loc[blank, name] = ""
    filled = full.preparation.model_copy(update={"impute": impute})
    dataset = prepare(replace(full.source, frame=frame), filled)
    run = run_of(dataset, "kmeans")
    rule, seen = rule_of(run), set()
    for row in range(0, 90, 2):
        for switch in explain(rule, dataset, run.labels, row).switches:
            assert row not in blank or switch.column not in ("colour", "day")
            assert "" not in (switch.value, switch.was)
            seen.add(switch.column)
    assert "colour" in seen


def test_one_cluster_and_one_feature():
    X, _ = blobs(30, 1, k=2)
    dataset = dataset_of(X)
    run = run_of(dataset, n_clusters=1)
    told = explain(rule_of(run), dataset, run.labels, 0)
    assert told.other == -1 and told.bars == () and told.flip is None
    run = run_of(dataset, "kmeans", n_clusters=2)
    told = explain(rule_of(run), dataset, run.labels, 0)
    (switch,) = told.switches
    assert told.flip is not None and switch.column == "a"
    assert told.flip.distance == pytest.approx(switch.distance, abs=1e-4)


def test_an_empty_cluster_is_no_alternative():
    evidence = np.array([3.0, 2.0, 1.0])
    assert second(evidence, 0, occupied=np.array([0, 2])) == 2
    assert second(evidence, 0, occupied=np.array([0])) == -1
