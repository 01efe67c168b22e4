"""Agreement over seeds: 1 where nothing differs, slow oracles for the rest."""

import numpy as np
import pytest

from tests.workbench.exploring import blobs, dataset_of
from workbench import stability as module
from workbench.recipe import Recipe, Upload
from workbench.stability import jaccard, stability


def recipe(method="clam", **settings):
    quick = {"n_init": 2, "n_epochs": 10} if method == "clam" else {"n_init": 1}
    return Recipe(
        data=Upload(fingerprint="0" * 32),
        method=method,
        settings={"n_clusters": 3} | quick | settings,
    )


def test_clear_groups_are_found_by_every_seed():
    X, y = blobs(90, 2, apart=10, seed=3)
    told = []
    found = stability(dataset_of(X), recipe(), y, 4, report=lambda *at: told.append(at))
    assert found.seeds == (1, 2, 3, 4, 5) and len(found.pairs) == 10
    assert found.pairs == pytest.approx(1) and found.clusters[:3] == pytest.approx(1)
    assert np.isnan(found.clusters[3]) and told[-1] == (5, 5) and not found.cancelled


def test_noise_is_not():
    X = np.random.default_rng(0).uniform(size=(120, 2))
    found = stability(dataset_of(X), recipe("kmeans", n_clusters=6), np.arange(120) % 6, 6)
    assert (found.pairs < 0.95).any() and (found.clusters < 0.6).all()
    assert np.diag(found.agreement) == pytest.approx(1)


def test_one_seed_agrees_with_itself():
    X, y = blobs(60, 2)
    found = stability(dataset_of(X), recipe(), y, 3, seeds=[4, 4])
    assert found.pairs == pytest.approx(1)


def test_jaccard_is_that_of_sets():
    rng = np.random.default_rng(0)
    labels, others = rng.integers(0, 3, 50), rng.integers(0, 4, 50)
    found = jaccard(labels, others, 5)
    for i in range(3):
        for j in range(4):
            one, two = set(np.flatnonzero(labels == i)), set(np.flatnonzero(others == j))
            assert found[i, j] == pytest.approx(len(one & two) / len(one | two))
    assert (found[3:] == 0).all()


def test_a_cancelled_search_keeps_the_seeds_it_has():
    X, y = blobs(60, 2)
    seen = []
    found = stability(
        dataset_of(X), recipe("kmeans"), y, 3,
        report=lambda done, _: seen.append(done), stop=lambda: len(seen) > 2,
    )  # fmt: skip
    assert found.cancelled and len(found.seeds) == 2 and len(found.pairs) == 1
    none = stability(dataset_of(X), recipe("kmeans"), y, 3, stop=lambda: True)
    assert none.seeds == () and len(none.pairs) == 0 and np.isnan(none.clusters).all()


def test_many_rows_are_sampled(monkeypatch):
    monkeypatch.setattr(module, "ROWS", 300)
    X, y = blobs(5000, 2)
    labels = np.where(np.arange(5000) % 50 == 0, -1, y)
    found = stability(dataset_of(X), recipe("kmeans"), labels, 3, seeds=[1, 2])
    assert (found.rows, found.n) == (300, 5000) and len(found.pairs) == 1
