"""Scores against scikit-learn's and slow ones, and numbers that keep their meaning."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import silhouette_samples as sklearn_silhouettes
from sklearn.metrics import silhouette_score

from workbench import metrics
from workbench.metrics import (
    accuracy,
    ari,
    fill_gaps,
    match_labels,
    matching,
    nmi,
    order_by_size,
    sampling_note,
    silhouette,
    silhouette_samples,
    size_order,
)


def groups(n=300, k=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    return rng.normal(0, 0.3, (n, 2)) + np.array([[0, 0], [3, 0], [0, 3]])[y % 3], y


def test_the_exact_silhouette_is_that_of_scikit_learn():
    X, y = groups()
    assert silhouette(X, y) == pytest.approx(silhouette_score(X, y), abs=1e-12)
    values, rows = silhouette_samples(X, y)
    assert rows.tolist() == list(range(300)) and values.mean() == pytest.approx(silhouette(X, y))


def test_the_silhouette_does_not_move_with_the_origin():
    X, y = groups()
    assert silhouette(X + 1e7, y) == pytest.approx(silhouette(X, y), abs=1e-6)


def test_a_sampled_silhouette_is_near_the_exact_one_and_fixed_by_its_seed():
    X, y = groups(3000)
    exact, sampled = silhouette(X, y), silhouette(X, y, sample=500)
    assert sampled == pytest.approx(exact, abs=0.02) and sampled != exact
    assert sampled == silhouette(X, y, sample=500) != silhouette(X, y, sample=500, seed=1)


def test_the_sample_is_stratified():
    y = np.repeat([0, 1, 2, 3], [700, 250, 49, 1])
    X = np.random.default_rng(0).normal(size=(1000, 2))
    values, rows = silhouette_samples(X, y, sample=100)
    assert len(values) == len(rows) == 100 == len(set(rows))
    counts = np.bincount(y[rows])
    assert np.abs(counts - [70, 25, 5, 1]).max() <= 1 and counts[3] == 1
    assert rows.tolist() == sorted(rows)


def test_a_sample_is_said():
    assert sampling_note(10_000) == ""
    assert sampling_note(60_000) == (
        "The silhouette is of a stratified sample of 10,000 of 60,000 rows."
    )


def test_where_a_silhouette_is_not_defined():
    X, y = groups(10)
    for labels in (np.zeros(10, int), np.arange(10), np.full(10, -1)):
        assert np.isnan(silhouette(X, labels))
        assert len(silhouette_samples(X, labels)[0]) == 0


def test_rows_that_are_not_clustered_count_for_nothing():
    X, y = groups()
    far = np.vstack([X, [[1e3, 1e3]]])
    labels = np.append(y, -1)
    assert silhouette(far, labels) == pytest.approx(silhouette(X, y), abs=1e-9)
    assert ari(labels, np.append(y, 9)) == nmi(labels, np.append(y, 9)) == 1.0
    assert accuracy(labels, np.append(y, 9)) == 1.0


def test_gaps_count_as_their_columns_mean():
    X, y = groups()
    gaps = X.copy()
    gaps[::7, 0] = np.nan
    filled = np.where(np.isnan(gaps), np.nanmean(gaps, axis=0), gaps)
    assert silhouette(gaps, y) == pytest.approx(silhouette(filled, y), abs=1e-12)
    np.testing.assert_array_equal(fill_gaps(gaps), filled)
    assert fill_gaps(X) is X
    assert fill_gaps(np.array([[np.nan, 1.0]]), np.array([5.0, 6.0])).tolist() == [[5.0, 1.0]]


def test_accuracy_is_the_best_over_all_matchings():
    rng = np.random.default_rng(0)
    labels, y = rng.integers(0, 4, 60), rng.integers(0, 4, 60)
    slow = max(
        np.mean(np.array(numbers)[labels] == y) for numbers in itertools.permutations(range(4))
    )
    assert accuracy(labels, y) == pytest.approx(slow)
    assert accuracy(labels, np.array(list("abcd"))[y]) == pytest.approx(slow)
    assert np.isnan(accuracy(np.array([-1]), np.array(["a"])))


@pytest.mark.parametrize(("k", "classes"), [(2, 5), (5, 2)])
def test_accuracy_with_more_clusters_than_classes_or_fewer(k, classes):
    rng = np.random.default_rng(1)
    labels, y = rng.integers(0, k, 40), rng.integers(0, classes, 40)
    few, many = (labels, y) if k < classes else (y, labels)
    slow = max(
        np.mean(np.array(numbers)[few] == many) for numbers in itertools.permutations(range(5), 2)
    )
    assert accuracy(labels, y) == pytest.approx(slow)


def test_matched_labels_overlap_most_with_the_reference():
    rng = np.random.default_rng(2)
    reference = rng.integers(0, 5, 200)
    renamed = np.array([3, 0, 4, 1, 2])[reference]
    assert match_labels(renamed, reference).tolist() == reference.tolist()
    noisy = np.where(rng.random(200) < 0.2, rng.integers(0, 5, 200), renamed)
    matched = match_labels(noisy, reference)
    slow = max(
        np.sum(np.array(numbers)[noisy] == reference)
        for numbers in itertools.permutations(range(5))
    )
    assert np.sum(matched == reference) == slow
    assert ari(matched, noisy) == 1.0


def test_matching_is_a_permutation_and_rests_where_nothing_differs():
    assert matching(np.array([0, 1, 2, 2]), np.array([0, 0, 0, 0])).tolist() != []
    assert sorted(matching(np.array([0, 1, 2, 2]), np.array([1, 0, 0, 0]))) == [0, 1, 2]
    assert match_labels(np.array([0, 1, 1]), np.array([0, 0, 1])).tolist() == [0, 1, 1]
    assert match_labels(np.array([-1, 0, 1]), np.array([0, 1, 0])).tolist() == [-1, 1, 0]
    assert match_labels(np.array([-1, -1]), np.array([-1, -1])).tolist() == [-1, -1]


def test_clusters_beyond_the_reference_take_free_numbers():
    matched = match_labels(np.array([0, 0, 1, 1, 2]), np.array([1, 1, 0, 0, 0]))
    assert matched.tolist() == [1, 1, 0, 0, 2]


def test_clusters_are_numbered_by_size_then_first_row():
    labels = np.array([3, 1, 1, 0, 3, 1, -1, 0])
    centres = np.array([[0.0], [1.0], [2.0], [3.0]])
    ordered, moved = order_by_size(labels, centres)
    assert ordered.tolist() == [1, 0, 0, 2, 1, 0, -1, 2]
    assert moved.ravel().tolist() == [1, 3, 0, 2]
    assert size_order(labels, 4).tolist() == [1, 3, 0, 2]


def test_numbering_does_not_depend_on_the_method_that_numbered():
    labels = np.random.default_rng(3).integers(0, 6, 100)
    expected, _ = order_by_size(labels, np.zeros((6, 1)))
    for numbers in itertools.islice(itertools.permutations(range(6)), 0, 720, 37):
        found, _ = order_by_size(np.array(numbers)[labels], np.zeros((6, 1)))
        assert found.tolist() == expected.tolist()


def test_silhouettes_are_told_in_blocks_and_stop_between_them(monkeypatch):
    monkeypatch.setattr(metrics, "_MEMORY", 0.1)  # MiB: some 40 rows at a time
    X = np.random.default_rng(0).normal(size=(300, 3))
    labels = np.arange(300) % 4
    labels[0] = 7  # alone
    told = []
    values, rows = metrics.silhouette_samples(
        X, labels, step=lambda *each: told.append(each) and False
    )
    assert len(told) > 3 and told[-1] == (300, 300) and len(rows) == 300
    np.testing.assert_allclose(values, np.asarray(sklearn_silhouettes(X, labels)), atol=1e-12)
    stopped, none = metrics.silhouette_samples(X, labels, step=lambda done, planned: done > 100)
    assert len(stopped) == len(none) == 0


@pytest.mark.parametrize("score", [metrics.nmi, metrics.ari, metrics.accuracy])
def test_rows_without_a_reference_do_not_count(score):
    labels = np.array([0, 0, 1, 1, 0, -1])
    words = np.array(["a", "a", "b", "a", "", ""])
    assert score(labels, words) == score(labels[:4], words[:4]) < 1
    assert np.isnan(score(labels, np.full(6, "")))
