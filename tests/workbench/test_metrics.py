"""Scores against scikit-learn's and slow ones, and numbers that keep their meaning."""

import itertools

import numpy as np
import pytest

from workbench import metrics
from workbench.metrics import (
    accuracy,
    ari,
    fill_gaps,
    match_labels,
    matching,
    nmi,
    order_by_size,
    silhouette,
    size_order,
)


def groups(n=300, k=3, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    return rng.normal(0, 0.3, (n, 2)) + np.array([[0, 0], [3, 0], [0, 3]])[y % 3], y


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


@pytest.mark.parametrize("score", [metrics.nmi, metrics.ari, metrics.accuracy])
def test_rows_without_a_reference_do_not_count(score):
    labels = np.array([0, 0, 1, 1, 0, -1])
    words = np.array(["a", "a", "b", "a", "", ""])
    assert score(labels, words) == score(labels[:4], words[:4]) < 1
    assert np.isnan(score(labels, np.full(6, "")))
