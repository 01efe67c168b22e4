"""Exact Voronoi edges against a brute-force raster and against cases drawn by hand."""

import numpy as np
import pytest

from workbench.figures.raster import pixel_centres
from workbench.figures.voronoi import voronoi_edges

BOX = (-2.0, 3.0, -1.0, 2.0)


def distances_to_segments(points, edges):
    start, way = edges[:, 0], edges[:, 1] - edges[:, 0]
    share = np.einsum("psi,si->ps", points[:, None] - start, way) / np.sum(way**2, axis=1)
    foot = start + np.clip(share, 0, 1)[..., None] * way
    return np.linalg.norm(points[:, None] - foot, axis=2).min(axis=1)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [2, 3, 5, 12])
def test_edges_follow_the_raster(k, seed):
    """Every change of the nearest memory between two pixels lies on an edge, and only there."""
    memories = np.random.default_rng(seed).uniform(-1, 2, (k, 2))
    size = 120
    pixels = pixel_centres(BOX, size)
    nearest = np.linalg.norm(pixels[:, None] - memories, axis=2).argmin(1).reshape(size, size)
    grid = pixels.reshape(size, size, 2)
    changes = [
        (grid[:, 1:] + grid[:, :-1])[nearest[:, 1:] != nearest[:, :-1]] / 2,
        (grid[1:] + grid[:-1])[nearest[1:] != nearest[:-1]] / 2,
    ]
    edges = voronoi_edges(memories, BOX)
    pixel = 5.0 / size
    assert distances_to_segments(np.concatenate(changes), edges).max() <= pixel

    share = np.linspace(0, 1, 11)[:, None, None]
    on_edges = (edges[:, 0] + share * (edges[:, 1] - edges[:, 0])).reshape(-1, 2)
    ordered = np.sort(np.linalg.norm(on_edges[:, None] - memories, axis=2), axis=1)
    np.testing.assert_allclose(ordered[:, 0], ordered[:, 1], rtol=1e-9)
    assert on_edges[:, 0].min() >= BOX[0] - 1e-9 and on_edges[:, 0].max() <= BOX[1] + 1e-9
    assert on_edges[:, 1].min() >= BOX[2] - 1e-9 and on_edges[:, 1].max() <= BOX[3] + 1e-9


def test_two_memories_share_one_full_bisector():
    (edge,) = voronoi_edges([[0, 0], [1, 0]], BOX)
    np.testing.assert_allclose(edge[:, 0], 0.5)
    np.testing.assert_allclose(np.sort(edge[:, 1]), [-1, 2])


@pytest.mark.parametrize("memories", [[[0.5, 0.5]], [[0.5, 0.5]] * 4])
def test_one_place_has_no_edge(memories):
    assert voronoi_edges(memories, BOX).shape == (0, 2, 2)


def test_collinear_memories_have_parallel_edges():
    edges = voronoi_edges([[0, 0], [1, 1], [-1, -1], [0.1, 0.1]], (-3, 3, -3, 3))
    assert len(edges) == 3
    directions = edges[:, 1] - edges[:, 0]
    np.testing.assert_allclose(directions.sum(1), 0, atol=1e-9)


def test_duplicates_change_nothing():
    once = voronoi_edges([[0, 0], [1, 0], [0, 1]], BOX)
    twice = voronoi_edges([[0, 0], [1, 0], [0, 1], [1, 0], [0, 0]], BOX)
    np.testing.assert_allclose(once, twice)


def test_four_on_a_square_meet_in_a_point():
    """The diagonal pairs share a corner, not an edge."""
    edges = voronoi_edges([[0, 0], [1, 0], [1, 1], [0, 1]], (-1, 2, -1, 2))
    assert len(edges) == 4
    ends = edges.reshape(-1, 2)
    assert np.sum(np.all(np.isclose(ends, 0.5), axis=1)) == 4


def test_a_far_offset_keeps_its_digits():
    memories = np.array([[0.0, 0.0], [1.0, 0.0], [0.3, 0.8]])
    near = voronoi_edges(memories, (-1, 2, -1, 2))
    far = voronoi_edges(memories + 1e6, (1e6 - 1, 1e6 + 2, 1e6 - 1, 1e6 + 2))
    np.testing.assert_allclose(far - 1e6, near, atol=1e-6)


def test_unit_memories_give_the_sectors_of_the_sphere():
    """The nearest unit memory is that of largest inner product, at any distance from 0."""
    angles = np.array([0.2, 1.7, 4.0])
    units = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    edges = voronoi_edges(units, (-2, 2, -2, 2))
    crossing = edges[:, 0, 0] * edges[:, 1, 1] - edges[:, 0, 1] * edges[:, 1, 0]
    np.testing.assert_allclose(crossing, 0, atol=1e-9)  # each edge points at the origin
