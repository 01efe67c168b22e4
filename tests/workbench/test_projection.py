"""Planes lift back, and layouts exist for every table however small."""

import warnings

import numpy as np
import pytest
from sklearn.decomposition import PCA

from workbench.projection import enough_for_umap, pca_plane, strip, umap_embedding


@pytest.mark.parametrize("shape", [(50, 6), (8, 30), (2, 3), (5, 5)])
def test_the_plane_is_that_of_the_principal_components(shape):
    X = np.random.default_rng(0).normal(size=shape) * np.arange(1, shape[1] + 1) + 100
    plane, reference = pca_plane(X), PCA(2).fit(X)
    np.testing.assert_allclose(plane.shares, reference.explained_variance_ratio_, atol=1e-10)
    if shape != (2, 3):  # two rows have no second direction of their own
        np.testing.assert_allclose(
            np.abs(plane.flatten(X)), np.abs(reference.transform(X)), atol=1e-8
        )


@pytest.mark.parametrize("n_features", [1, 2, 3, 40])
def test_points_of_the_plane_lift_and_flatten_to_themselves(n_features):
    X = np.random.default_rng(1).normal(size=(60, n_features)) + 5
    plane = pca_plane(X)
    points = plane.flatten(X)
    assert points.shape == (60, 2)
    np.testing.assert_allclose(plane.flatten(plane.lift(points)), points, atol=1e-12)
    if n_features <= 2:
        np.testing.assert_allclose(plane.lift(points), X, atol=1e-12)


def test_two_features_are_their_own_plane():
    X = np.random.default_rng(2).normal(size=(20, 2)) * [1, 5]
    plane = pca_plane(X)
    np.testing.assert_array_equal(plane.flatten(X), X)
    np.testing.assert_allclose(plane.shares, X.var(axis=0) / X.var(axis=0).sum())


def test_one_feature_is_a_strip():
    X = np.arange(5.0)[:, None]
    points = pca_plane(X).flatten(X)
    assert points[:, 0].tolist() == [-2, -1, 0, 1, 2] and not points[:, 1].any()
    assert pca_plane(X).shares == (1.0, 0.0)
    assert not umap_embedding(X)[:, 1].any()


def test_signs_are_settled():
    X = np.random.default_rng(3).normal(size=(30, 4)) * [4, 3, 2, 1]
    one, other = pca_plane(X), pca_plane(-X[::-1])
    np.testing.assert_allclose(one.axes, other.axes, atol=1e-12)
    assert (one.axes.max(axis=1) == np.abs(one.axes).max(axis=1)).all()


def test_a_gap_lies_at_the_mean():
    X = np.random.default_rng(4).normal(size=(30, 4))
    X[3, 1] = np.nan
    plane = pca_plane(X)
    filled = X.copy()
    filled[3, 1] = np.nanmean(X[:, 1])
    np.testing.assert_allclose(plane.flatten(X), plane.flatten(filled))
    np.testing.assert_allclose(plane.axes, pca_plane(filled).axes)


def test_equal_rows_make_no_nan():
    for n_features in (1, 2, 3):
        plane = pca_plane(np.full((6, n_features), 7.0))
        assert plane.shares == (0.0, 0.0)
        assert np.isfinite(plane.flatten(np.full((6, n_features), 7.0))).all()


def test_the_grid_is_of_pixel_centres_from_the_bottom():
    plane = pca_plane(np.random.default_rng(5).normal(size=(9, 2)))
    grid = plane.grid((0, 2, 10, 14), 2)
    assert grid.tolist() == [[0.5, 11], [1.5, 11], [0.5, 13], [1.5, 13]]


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6, 17])
def test_umap_lays_out_any_number_of_rows_without_a_warning(n):
    X = np.random.default_rng(6).normal(size=(n, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        points = umap_embedding(X)
    assert points.shape == (n, 2) and np.isfinite(points).all()
    assert enough_for_umap(X) == (n >= 5)
    if n < 5:
        np.testing.assert_allclose(points, pca_plane(X).flatten(X), atol=1e-12)


def test_umap_is_fixed_by_its_seed_and_keeps_groups_apart():
    rng = np.random.default_rng(7)
    y = np.repeat([0, 1], 40)
    X = rng.normal(size=(80, 5)) + 12 * y[:, None] + 1e6
    X[0, 0] = np.nan
    points = umap_embedding(X, seed=1)
    np.testing.assert_array_equal(points, umap_embedding(X, seed=1))
    assert not np.array_equal(points, umap_embedding(X, seed=2))
    gap = np.linalg.norm(points[y == 0].mean(axis=0) - points[y == 1].mean(axis=0))
    assert gap > 2 * max(points[y == label].std() for label in (0, 1))


def test_copies_of_few_points_have_a_layout():
    X = np.repeat([[1.0, 1, 0], [5, 5, 1], [9, 1, 2]], 14, axis=0)
    points = umap_embedding(X)
    assert np.isfinite(points).all() and len(np.unique(points.round(9), axis=0)) == 3
    six = np.repeat(np.random.default_rng(8).normal(size=(6, 3)), 20, axis=0)
    assert np.isfinite(umap_embedding(six)).all()


def test_a_strip_keeps_values_and_spreads_equals():
    values = np.array([3.0, 1.0, 3.0, 3.0, 2.0])
    places = strip(values)
    np.testing.assert_array_equal(places[:, 0], values)
    assert np.all(np.abs(places[:, 1]) <= 1)
    assert np.ptp(places[values == 3.0, 1]) > 0.5
    np.testing.assert_array_equal(places, strip(values))
