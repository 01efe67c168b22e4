"""The energy as a landscape: heights, valleys, passes, and a particle's way."""

import numpy as np
import pytest
import torch

import clam_core
from tests.oracles import energy as slow_energy
from ui import fields
from workbench import energy_surface as es
from workbench import ground
from workbench.globe import GLOBES, on_globe, random_angles, wrapped

MEMORIES = np.array([[0.2, 0.7], [0.45, 0.4], [0.85, 0.35]])
WEIGHTS = (1.0, 4.0, 0.5)
GLOBE = np.array(GLOBES["globe-3"].memories)
KINDS = ("euclidean", "weighted", "spherical")
BETAS = (1e-3, 1.0, 20.0, 1e3)


def setting(kind, beta, shape=None):
    memories = GLOBE if kind == "spherical" else MEMORIES
    energy = clam_core.make_energy(kind, WEIGHTS if kind == "weighted" else None)
    box = ground.WORLD if kind == "spherical" else fields.frame(memories, kind)
    grid = ground.places(*ground.ticks(box, shape or (21, 31)), kind)
    return memories, energy, grid, es.landscape(grid, memories, energy, beta)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("beta", BETAS)
def test_heights_are_the_energy_above_its_lowest_valley(kind, beta):
    memories, energy, grid, found = setting(kind, beta)
    rho = torch.as_tensor(memories)
    values = energy.value(torch.as_tensor(grid.reshape(-1, grid.shape[-1])), rho, beta).numpy()
    np.testing.assert_allclose(found.heights.ravel() + found.floor, values, atol=1e-9)
    assert found.heights.min() > -1e-9 and found.bottoms.min() == 0
    lowest = energy.value(torch.as_tensor(found.attractors), rho, beta).numpy()
    np.testing.assert_allclose(lowest, found.floor + found.bottoms, atol=1e-9)


def test_heights_follow_equation_1_term_by_term():
    memories, _, grid, found = setting("euclidean", 7.0)
    for row, column in ((0, 0), (10, 15), (20, 3)):
        expected = slow_energy(grid[row, column][None], memories, 7.0)
        assert found.heights[row, column] + found.floor == pytest.approx(
            float(np.squeeze(expected))
        )


def test_the_globe_has_radius_1_everywhere():
    memories, energy, grid, found = setting("spherical", 5.0)
    walk = es.way((3.0, -1.0, 2.0), memories, energy, 5.0, found, n_steps=10)
    for points in (grid, walk.iterates, walk.trail, found.attractors):
        np.testing.assert_allclose(np.linalg.norm(points, axis=-1), 1, atol=1e-12)
    np.testing.assert_allclose(walk.tangent @ walk.iterates[0], 0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("n_steps", [1, 10, None])
def test_the_way_lies_on_the_surface_and_never_rises(kind, beta, n_steps):
    memories, energy, _, found = setting(kind, beta)
    start = (0.3, -0.5, 0.9) if kind == "spherical" else (0.6, 0.9)
    walk = es.way(start, memories, energy, beta, found, n_steps=n_steps)
    for points, told in ((walk.iterates, walk.heights), (walk.trail, walk.trail_heights)):
        measured = es.heights(points, memories, energy, beta, found.floor)
        np.testing.assert_allclose(told, measured, atol=1e-9)
    assert np.diff(walk.heights).max() <= 1e-9
    assert np.diff(walk.trail_heights).max() <= 1e-9


@pytest.mark.parametrize("kind", ["euclidean", "spherical"])
def test_full_steps_end_at_the_bottom_of_the_valley(kind):
    memories, energy, _, found = setting(kind, 30.0)
    start = memories[1] + 0.05
    walk = es.way(start, memories, energy, 30.0, found, n_steps=None)
    np.testing.assert_allclose(walk.iterates[-1], found.attractors[walk.valley], atol=1e-3)
    assert walk.label == found.owners[walk.valley] == walk.nearest == 1
    assert len(walk.iterates) < 100  # it stops when it rests


def test_the_pass_between_two_memories_is_half_way():
    memories = np.array([[0.0, 0.0], [1.0, 0.0]])
    energy, beta = clam_core.make_energy("euclidean"), 20.0
    grid = ground.places(*ground.ticks((-0.5, 1.5, -1.0, 1.0), (81, 80)), "euclidean")
    found = es.landscape(grid, memories, energy, beta)
    middle = es.heights(np.array([[0.5, 0.0]]), memories, energy, beta, found.floor)[0]
    assert found.depths == pytest.approx([middle, middle], rel=0.02)
    assert list(found.neighbours) == [1, 0] and list(found.owners) == [0, 1]
    assert found.valleys[40, 10] == 0 and found.valleys[40, -10] == 1


def test_one_valley_has_no_way_out():
    _, _, _, found = setting("euclidean", 0.1)
    assert len(found.attractors) == 1 and not found.valleys.any()
    assert np.isinf(found.depths).all()


@pytest.mark.parametrize("kind", KINDS)
def test_basins_of_the_grid_are_the_engines_own(kind):
    memories, energy, grid, _ = setting(kind, 10.0)
    flat = torch.as_tensor(grid.reshape(-1, grid.shape[-1])).float()
    rho = torch.as_tensor(memories).float()
    for n_steps in (10, None):
        own = clam_core.basins(flat, rho, energy=energy, beta=10.0, n_steps=n_steps).labels
        found = es.labels(grid, memories, energy, 10.0, n_steps)
        assert np.mean(found.ravel() != own.numpy()) < 0.01


def test_borders_of_voronoi_cells_are_straight():
    memories = np.array([[0.0, 0.0], [1.0, 0.0]])
    energy = clam_core.make_energy("euclidean")
    across, up = ground.ticks((-1.0, 2.03, -1.5, 1.5), (30, 31))

    def relabel(places):
        return es.labels(places, memories, energy, 1e3, 10)

    regions = relabel(ground.places(across, up, "euclidean"))
    pieces = ground.borders(across, up, regions, "euclidean", relabel)
    np.testing.assert_allclose(pieces[..., 0], 0.5, atol=(across[1] - across[0]) / 100)
    assert len(ground.borders(across, up, 0 * regions, "euclidean", relabel)) == 0


def test_the_cut_keeps_the_memories_and_the_start():
    memories, energy, _, found = setting("euclidean", 100.0)
    top = es.ceiling(found, memories)
    between = es.heights(memories.mean(axis=0)[None], memories, energy, 100.0, found.floor)[0]
    assert max(between, *(found.bottoms + found.depths)) < top < found.heights.max()
    assert es.ceiling(found, memories, start=3.0) > 3.0
    single = es.landscape(found.places, memories[:1], energy, 1.0)
    assert 0 < es.ceiling(single, memories[:1]) < single.heights.max()


@pytest.mark.parametrize("centred", [False, True])
def test_ticks_reach_the_edges_or_the_middles_of_cells(centred):
    across, up = ground.ticks((0.0, 4.0, 0.0, 2.0), (2, 4), centred=centred)
    assert list(across) == (
        [0.5, 1.5, 2.5, 3.5] if centred else pytest.approx([0, 4 / 3, 8 / 3, 4])
    )
    assert list(up) == ([0.5, 1.5] if centred else [0.0, 2.0])


def test_angles_and_directions_undo_each_other():
    degrees = np.array(random_angles(20, seed=3))
    np.testing.assert_allclose(ground.angles(ground.directions(degrees)), degrees, atol=1e-9)
    assert np.allclose(np.linalg.norm(on_globe(degrees), axis=1), 1, atol=1e-4)


def test_memories_of_the_plane_are_wrapped_around_the_globe():
    places = np.array(wrapped(MEMORIES))
    np.testing.assert_allclose(np.linalg.norm(places, axis=1), 1, atol=1e-4)
    middle = (MEMORIES.min(axis=0) + MEMORIES.max(axis=0)) / 2
    distance = np.linalg.norm(MEMORIES - middle, axis=1)
    angle = np.degrees(np.arccos(np.clip(places[:, 0], -1, 1)))
    np.testing.assert_allclose(angle, 100 * distance / distance.max(), atol=0.05)
    assert wrapped(MEMORIES[:1]) == ((1.0, 0.0, 0.0),)
