"""Criteria for k against slow ones, on data whose answer is known."""

import time
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

from tests.workbench.exploring import blobs, dataset_of
from workbench import how_many as module
from workbench.gap import Gap, gap, one_error_rule, references
from workbench.how_many import how_many
from workbench.recipe import Recipe, Upload


def recipe(**settings):
    return Recipe(
        data=Upload(fingerprint="0" * 32),
        settings={"n_clusters": 3, "n_init": 2, "n_epochs": 10} | settings,
    )


@lru_cache
def judged(kind):
    rng = np.random.default_rng(0)
    if kind == "blobs":
        centres = np.array([[0, 0], [9, 0], [0, 9]])
        X = rng.normal(size=(150, 2)) + centres[np.arange(150) % 3]
    else:
        X = rng.uniform(size=(200, 2))
    return X, how_many(dataset_of(X), recipe(), range(1, 6))


def test_three_blobs_are_three_by_every_criterion():
    _, found = judged("blobs")
    assert dict(found.picks) == dict.fromkeys(found.picks, 3) and len(found.picks) == 5
    assert found.plateau is not None and found.plateau[0] < found.plateau[1]
    assert not found.cancelled and found.tree_of == 12


def test_noise_has_one_cluster_by_the_gap():
    _, found = judged("noise")
    assert found.picks["gap"] == 1


def test_scores_are_those_of_the_clusters_and_undefined_for_one():
    X, found = judged("blobs")
    four: Any = 4
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    labels = KMeans(3, n_init=four, random_state=2).fit_predict(Z)
    assert found.curves["silhouette"][2] == pytest.approx(silhouette_score(Z, labels))
    for name in ("silhouette", "calinski", "davies"):
        assert np.isnan(found.curves[name][0]) and np.isfinite(found.curves[name][1:]).all()
    assert np.isfinite(found.curves["gap"]).all() and (found.errors > 0).all()


def test_the_gap_is_that_of_the_paper():
    found = gap(10.0, [20.0, 40.0])
    logs = np.log([20.0, 40.0])
    assert found.value == pytest.approx(logs.mean() - np.log(10))
    assert found.error == pytest.approx(logs.std() * np.sqrt(1.5))


def test_the_rule_takes_the_smallest_k_within_one_error():
    gaps = [Gap(0.1, 0.05), Gap(0.5, 0.05), Gap(0.9, 0.05), Gap(0.94, 0.05), Gap(0.2, 0.05)]
    assert one_error_rule(range(1, 6), gaps) == 3
    assert one_error_rule([1, 2], gaps[:2]) is None and one_error_rule([1], gaps[:1]) is None


def test_references_fill_the_box_along_the_principal_axes():
    rng = np.random.default_rng(0)
    flat = rng.normal(size=(300, 2)) * [10, 1]
    turn = np.array([[np.cos(1), -np.sin(1)], [np.sin(1), np.cos(1)]])
    X = flat @ turn.T + 50
    axes = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[2]
    own = (X - X.mean(axis=0)) @ axes.T
    drawn = np.concatenate(list(references(X, 5, rng)))
    inside = (drawn - X.mean(axis=0)) @ axes.T
    assert (inside >= own.min(axis=0) - 1e-9).all() and (inside <= own.max(axis=0) + 1e-9).all()
    assert inside.std(axis=0) == pytest.approx(np.ptp(own, axis=0) / np.sqrt(12), rel=0.05)


def test_the_same_seed_gives_the_same_answer_and_progress_is_told():
    X, _ = blobs(60, 2)
    told = []
    first = how_many(dataset_of(X), recipe(), range(1, 4), lambda *at: told.append(at))
    again = how_many(dataset_of(X), recipe(), range(1, 4))
    for name, values in first.curves.items():
        np.testing.assert_array_equal(values, again.curves[name])
    assert [done for done, _ in told] == list(range(1, told[-1][1] + 1))


def test_a_cancelled_search_keeps_what_it_has():
    X, _ = blobs(60, 2)
    looks = iter([False] * 2 + [True] * 1000)
    found = how_many(dataset_of(X), recipe(), range(1, 5), stop=lambda: next(looks))
    assert found.cancelled and found.picks["gap"] is None
    assert np.isfinite(found.curves["silhouette"]).sum() == 2


def test_its_own_method_is_judged_where_asked():
    X, _ = blobs(60, 2, apart=8)
    found = how_many(dataset_of(X), recipe(), range(1, 4), method="clam")
    assert found.method == "clam" and found.picks["silhouette"] in (2, 3)


def test_few_distinct_rows_and_gaps():
    X = np.repeat([[0.0, 0], [4, 4], [9, 0]], 5, axis=0)
    found = how_many(dataset_of(X), recipe(), range(1, 6))
    assert found.ks == (1, 2, 3) and found.picks["silhouette"] == 3
    X, _ = blobs(60, 3)
    X[::7, 1] = np.nan
    assert not how_many(dataset_of(X), recipe(), range(1, 3)).cancelled


def test_many_rows_are_sampled_by_cluster(monkeypatch):
    monkeypatch.setattr(module, "REFERENCES", 2)
    X, y = blobs(100_000, 4)
    began = time.monotonic()
    found = how_many(dataset_of(X), recipe(), range(1, 4), labels=y)
    assert (found.rows, found.n) == (module.ROWS, 100_000)
    assert time.monotonic() - began < 30
