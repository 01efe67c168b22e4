"""Rows that stand for their cluster, and rows that fit none."""

import time

import numpy as np
import pytest

from tests.workbench.exploring import blobs, dataset_of, run_of
from workbench.remarkable import FAR, outliers, representatives
from workbench.rule import Rule, rule_of


def nearest_rule(prototypes):
    prototypes = np.asarray(prototypes, float)
    k, d = prototypes.shape
    return Rule(prototypes, np.zeros(d), None, 0.0, 1, None, np.ones(k), True)


def test_a_planted_outlier_is_found_and_ordinary_rows_are_not():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(200, 3)), rng.normal(size=(200, 3)) + 12])
    labels = np.repeat([0, 1], 200)
    X[7], X[300] = [0, 9, 0], [12, 12, 30]
    found = outliers(nearest_rule([[0, 0, 0], [12, 12, 12]]), X, labels)
    assert found.rows[:2].tolist() == [300, 7] and len(found.rows) <= 8
    distance = np.linalg.norm(X[300] - 12)
    own = np.linalg.norm(X[200:] - 12, axis=1)
    median = np.median(own)
    assert found.distances[300] == pytest.approx(distance)
    assert found.times[300] == pytest.approx(distance / median)
    spread = 1.4826 * np.median(np.abs(own - median))
    assert found.scores[300] == pytest.approx((distance - median) / spread) and distance > FAR


def test_what_cannot_be_judged_is_not():
    X = np.zeros((12, 1))
    X[-1] = 5
    labels = np.array([0] * 10 + [1, -1])
    found = outliers(nearest_rule([[0.0], [0.0]]), X, labels)
    assert found.small == (1,) and len(found.rows) == 0
    assert np.isnan(found.scores[[10, 11]]).all() and (found.scores[:10] == 0).all()
    lone = outliers(nearest_rule([[0.0]]), X, np.zeros(12, int))
    assert lone.rows.tolist() == [11], "all the others lie on the prototype"


def test_representatives_are_the_nearest_of_each_cluster():
    X, _ = blobs(90, 3)
    X[5, 1] = np.nan
    dataset = dataset_of(X)
    run = run_of(dataset)
    rule = rule_of(run)
    rows, distances = representatives(rule, dataset.X, run.labels)
    off = np.linalg.norm(rule.inside(dataset.X)[:, None] - rule.attractors(), axis=2)[
        np.arange(90), run.labels
    ]
    for label in np.unique(run.labels):
        own = np.flatnonzero(run.labels == label)
        expected = own[np.argsort(off[own])[:3]]
        assert rows[run.labels[rows] == label].tolist() == expected.tolist()
    assert distances == pytest.approx(off[rows])


def test_representatives_of_small_clusters_and_of_none():
    X = np.arange(4.0)[:, None]
    rows, _ = representatives(nearest_rule([[0.0], [3.0]]), X, np.array([0, 0, 0, 1]), each=2)
    assert rows.tolist() == [0, 1, 3]
    assert representatives(nearest_rule([[0.0]]), X, np.full(4, -1))[0].tolist() == []


def test_many_rows_are_quick():
    X, y = blobs(100_000, 12)
    rule = nearest_rule(np.array([X[y == label].mean(axis=0) for label in range(3)]))
    began = time.monotonic()
    outliers(rule, X, y)
    representatives(rule, X, y)
    assert time.monotonic() - began < 5
