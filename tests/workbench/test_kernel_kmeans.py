# pyright: reportArgumentType=false
"""Kernel k-means against the equations as they stand."""

from typing import Any

import numpy as np
import pytest

from workbench.baselines import kernel_kmeans
from workbench.baselines.kernel_kmeans import Kernel, KernelKMeans

X = np.random.default_rng(3).normal(size=(70, 4)) + 3 * np.eye(4)[np.arange(70) % 3]


def squares(left, right, sigma, labels, k):
    """K_pp - 2 (K z_l)_p / n_l + z_l'K z_l / n_l^2, one term after the other."""
    found = np.full((len(left), k), np.inf)
    for label in range(k):
        own = right[labels == label]
        if not len(own):
            continue
        across = np.exp(-((left[:, None] - own) ** 2).sum(axis=2) / (2 * sigma**2))
        within = np.exp(-((own[:, None] - own) ** 2).sum(axis=2) / (2 * sigma**2))
        found[:, label] = 1 - 2 * across.mean(axis=1) + within.mean()
    return found


@pytest.mark.parametrize("sigma", [0.7, 2.0, 9.0])
def test_the_outcome_is_a_fixed_point_with_that_loss(sigma):
    model = KernelKMeans(3, sigma=sigma, random_state=1).fit(X)
    expected = squares(X, X, sigma, model.labels_, 3)
    np.testing.assert_array_equal(model.labels_, expected.argmin(axis=1))
    assert model.loss_ == pytest.approx(expected.min(axis=1).sum(), rel=1e-5)
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_new_rows_join_the_nearest_centre():
    model = KernelKMeans(3, random_state=1).fit(X)
    new = np.random.default_rng(4).normal(size=(40, 4)) * 2
    expected = squares(new, X, model.sigma_, model.labels_, 3).argmin(axis=1)
    np.testing.assert_array_equal(model.predict(new), expected)


def test_a_start_that_is_cut_short_predicts_by_the_clusters_that_it_shows():
    model = KernelKMeans(3, n_init=1, max_iter=1, random_state=1).fit(X)
    expected = squares(X, X, model.sigma_, model.labels_, 3).argmin(axis=1)
    assert (expected != model.labels_).any()
    np.testing.assert_array_equal(model.predict(X), expected)


def test_a_wide_kernel_is_k_means():
    width: Any = 600.0
    model = KernelKMeans(3, sigma=width, random_state=0).fit(X)
    distances = ((X[:, None] - model.cluster_centers_) ** 2).sum(axis=2)
    np.testing.assert_array_equal(model.labels_, distances.argmin(axis=1))
    assert model.loss_ * 600.0**2 == pytest.approx(distances.min(axis=1).sum(), rel=1e-3)


def test_blocks_of_the_kernel_are_its_rows(monkeypatch):
    whole = KernelKMeans(3, random_state=0).fit(X)
    monkeypatch.setattr(kernel_kmeans, "HELD_ROWS", 5)
    monkeypatch.setattr(kernel_kmeans, "_BLOCK", 1e-2)
    Z = np.eye(70, dtype=np.float32)
    assert len(list(Kernel(X, X, 1.5)._blocks())) > 3
    expected = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / 4.5) - 1
    for held in (False, True):
        np.testing.assert_allclose(Kernel(X, X, 1.5, held=held) @ Z, expected, atol=1e-6)
    np.testing.assert_array_equal(KernelKMeans(3, random_state=0).fit(X).labels_, whole.labels_)


def test_far_from_the_origin_nothing_changes():
    near, far = (KernelKMeans(3, random_state=0).fit(X + shift) for shift in (0, 1e6))
    np.testing.assert_array_equal(near.labels_, far.labels_)
