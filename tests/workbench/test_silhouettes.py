"""Silhouettes against exact distances and scikit-learn's, and what a sample says of all rows."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from sklearn.metrics import silhouette_samples as sklearn_silhouettes

from workbench import distance_sums, silhouettes
from workbench.silhouettes import (
    quick_rows,
    sampling_margin,
    sampling_note,
    silhouette,
    silhouette_interval,
    silhouette_samples,
    silhouette_seconds,
    stratified,
)


def groups(n=300, k=3, d=2, seed=0, spread=0.3):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    y[: 2 * k] = np.arange(2 * k) % k
    return rng.normal(0, spread, (n, d)) + rng.normal(0, 2, (k, d))[y], y


def slow(X, labels):
    """By the definition, from all distances; rows with label -1 are left out."""
    X, labels = np.asarray(X, dtype=np.float64)[labels >= 0], labels[labels >= 0]
    distances, found = cdist(X, X), []
    for i, label in enumerate(labels):
        same = labels == label
        b = min(distances[i, labels == other].mean() for other in set(labels) - {label})
        a = distances[i, same].sum() / max(same.sum() - 1, 1)
        found.append((b - a) / max(a, b) if same.sum() > 1 and max(a, b) > 0 else 0.0)
    return np.array(found)


@pytest.mark.parametrize("n", [3, 8, 47, 48, 49, 63, 64, 65, 129, 200])
@pytest.mark.parametrize(("k", "d"), [(2, 1), (3, 7), (40, 2)])
def test_at_the_edges_of_blocks_and_panels(n, k, d):
    rng = np.random.default_rng(n)
    X, labels = rng.normal(size=(n, d)), rng.integers(0, k, n)
    labels[:2] = 0, 1
    if len(set(labels)) == n:
        labels[1:3] = 1
    values, rows = silhouette_samples(X, labels)
    assert rows.tolist() == list(range(n))
    np.testing.assert_allclose(values, slow(X, labels), atol=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_drawn_cases_are_those_of_scikit_learn(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 400)), int(rng.choice([1, 2, 5, 33, 100]))
    X = rng.normal(size=(n, d)) * rng.choice([1e-3, 1, 1e4])
    labels = rng.integers(-1, int(rng.choice([2, 5, n // 4])), n)
    labels[:5] = 0, 0, 1, 1, 3
    if rng.random() < 0.5:
        X = X[rng.integers(0, max(4, n // 3), n)]  # duplicates
    X = (
        X.astype(rng.choice(["float32", "float64"]))
        if rng.random() < 0.7
        else X.round().astype(int)
    )
    values, rows = silhouette_samples(X, labels)
    kept = labels >= 0
    np.testing.assert_array_equal(rows, np.flatnonzero(kept))
    np.testing.assert_allclose(values, slow(X, labels), atol=1e-9)
    theirs = np.asarray(sklearn_silhouettes(X[kept].astype(float), labels[kept]))
    known = np.abs(theirs - slow(X, labels)) < 1e-6  # among duplicates it meets rounding
    assert known.mean() > 0.9
    np.testing.assert_allclose(values[known], theirs[known], atol=1.1e-6)
    assert silhouette(X, labels) == values.mean()


@pytest.mark.parametrize("device", ["cpu", "torch"])
def test_nothing_cancels_far_from_the_origin(device, monkeypatch):
    if device == "torch":
        monkeypatch.setattr(silhouettes, "_compiled", by_torch)
    rng = np.random.default_rng(0)
    X, y = groups(240)
    X = np.vstack([X, X[:50], 1e9 + X[:20], 1e-9 * X[:20] - 1e9])
    y = np.concatenate([y, 7 + rng.integers(0, 2, 50), np.full(20, 9), np.full(20, 10)])
    for shift in (0.0, 1e6):
        far = X + shift
        np.testing.assert_allclose(silhouette_samples(far, y)[0], slow(far, y), atol=1e-10)


def by_torch(X, order, sizes, step):
    return silhouettes._by_torch(X[order], sizes, step, "cpu")


def test_the_way_of_the_graphics_card_in_several_blocks(monkeypatch):
    monkeypatch.setattr(silhouettes, "_MEMORY", 16 * 300 * 70)  # bytes: 70 rows at a time
    X, y = groups(k=5, d=3)
    y[0] = 8
    wanted, _ = silhouette_samples(X, y)
    monkeypatch.setattr(silhouettes, "_compiled", by_torch)
    told = []
    values, _ = silhouette_samples(X, y, step=lambda *each: told.append(each) and False)
    np.testing.assert_allclose(values, wanted, atol=1e-13)
    assert told == [(70, 300), (140, 300), (210, 300), (280, 300), (300, 300)]
    stopped, rows = silhouette_samples(X, y, step=lambda done, planned: True)
    assert len(stopped) == len(rows) == 0


@pytest.mark.gpu
def test_a_graphics_card_gives_the_same():
    X, y = groups(3000, k=7, d=20)
    values, _ = silhouette_samples(X, y, device="cuda")
    np.testing.assert_allclose(values, silhouette_samples(X, y)[0], atol=1e-12)


def test_rows_that_are_all_the_same_score_nothing():
    assert silhouette(np.full((90, 3), 0.1), np.arange(90) % 2) == 0.0


def test_each_distance_is_counted_once_for_each_end():
    X, y = groups(150, k=2, d=3)
    order = np.argsort(y, kind="stable")
    found = silhouettes._compiled(X, order, np.bincount(y), lambda *_: False)
    assert found is not None
    own, nearest = found
    distances, same = cdist(X[order], X[order]), np.equal.outer(y[order], y[order])
    np.testing.assert_allclose(own, np.where(same, distances, 0).sum(axis=1))
    np.testing.assert_allclose(nearest, np.where(same, 0, distances).sum(axis=1) / (~same).sum(1))


def test_panels_hold_the_rows_in_their_order():
    X = np.arange(3 * 500, dtype=np.float32).reshape(500, 3)
    order = np.random.default_rng(0).permutation(500)[:450]
    panels = distance_sums.panels_of(X, order)
    assert panels.shape == (64, 3, 8) and panels.dtype == np.float64
    rows = panels.transpose(0, 2, 1).reshape(-1, 3)
    np.testing.assert_array_equal(rows[:450], X[order])
    assert not rows[450:].any()


def test_where_a_silhouette_is_not_defined():
    X, _ = groups(10)
    for labels in (np.zeros(10, int), np.arange(10), np.full(10, -1)):
        assert np.isnan(silhouette(X, labels))
        assert len(silhouette_samples(X, labels)[0]) == 0
        assert np.isnan(silhouette_interval(X, labels)).any()


def test_silhouettes_are_told_and_stop():
    X, y = groups(d=3)
    told = []
    _, rows = silhouette_samples(X, y, step=lambda *each: told.append(each) and False)
    assert len(told) > 3 and told[-1] == (300, 300) and len(rows) == 300
    assert told == sorted(told)
    stopped, none = silhouette_samples(X, y, step=lambda done, planned: done > 100)
    assert len(stopped) == len(none) == 0


def test_a_sample_is_near_all_rows_and_fixed_by_its_seed():
    X, y = groups(3000)
    exact, sampled = silhouette(X, y), silhouette(X, y, sample=500)
    assert sampled == pytest.approx(exact, abs=0.02) and sampled != exact
    assert sampled == silhouette(X, y, sample=500) != silhouette(X, y, sample=500, seed=1)


def test_the_sample_is_stratified():
    y = np.repeat([0, 1, 2, 3], [700, 250, 49, 1])
    rows = stratified(y, 100, 0)
    counts = np.bincount(y[rows])
    assert len(rows) == 100 == len(set(rows)) and rows.tolist() == sorted(rows)
    assert np.abs(counts - [70, 25, 5, 1]).max() <= 1 and counts[3] == 1


@pytest.mark.parametrize("spread", [0.3, 1.5])
def test_the_interval_holds_all_rows_about_as_often_as_it_says(spread):
    X, y = groups(6000, k=4, d=3, spread=spread)
    exact = silhouette(X, y)
    found = [silhouette_interval(X, y, sample=1000, seed=seed) for seed in range(100)]
    held = np.mean([each.low <= exact <= each.high for each in found])
    off = np.std([each.value for each in found])
    margin = np.mean([(each.high - each.low) / 2 for each in found])
    assert 0.88 <= held <= 1.0
    assert margin == pytest.approx(2.09 * off, rel=0.25)  # no wider than it need be
    assert {each.n_scored for each in found} == {1000}


def test_the_interval_of_all_rows_is_their_silhouette():
    X, y = groups()
    assert silhouette_interval(X, y) == (silhouette(X, y), silhouette(X, y), silhouette(X, y), 300)


def test_a_wider_interval_is_surer():
    X, y = groups(3000)
    rows = stratified(y, 600, 0)
    few, many = (sampling_margin(X, y, rows, level=level) for level in (0.5, 0.99))
    assert 0 < few < many
    assert np.isnan(sampling_margin(X, y, rows[:30]))  # groups of one or two rows


def test_more_columns_leave_time_for_fewer_rows():
    sizes = [quick_rows(d) for d in (2, 20, 64, 10_000)]
    assert sizes == sorted(sizes, reverse=True) and sizes[-1] == 10_000
    assert silhouette_seconds(quick_rows(20), 20) == pytest.approx(1, rel=0.1)


def test_a_sample_is_said():
    assert sampling_note(10_000, 10_000) == ""
    assert sampling_note(60_000, 30_000, 0.00231) == (
        "The silhouette is of a stratified sample of 30,000 of 60,000 rows; that of all rows is "
        "within 0.0023 of it (95 %)."
    )
