"""Arrays beneath the basin picture."""

import numpy as np
import pytest

import clam_core
from ui import fields
from workbench.figures.voronoi import voronoi_edges

MEMORIES = np.array([[0.0, 0.0], [1.0, 0.1], [0.4, 0.9]])
EUCLIDEAN = clam_core.make_energy("euclidean")
BOX = fields.frame(MEMORIES, "euclidean")
SIZE = 60


def test_the_frame_is_a_square_around_everything():
    points = np.array([[5.0, -3.0]])
    for shown in (None, points):
        left, right, bottom, top = fields.frame(MEMORIES, "euclidean", shown)
        assert right - left == pytest.approx(top - bottom)
        everything = MEMORIES if shown is None else np.concatenate([MEMORIES, shown])
        assert left < everything[:, 0].min() and right > everything[:, 0].max()
        assert bottom < everything[:, 1].min() and top > everything[:, 1].max()


@pytest.mark.parametrize("memories", [np.zeros((1, 2)), np.full((3, 2), 7.0)])
def test_the_frame_of_one_place_has_a_size(memories):
    left, right, _, _ = fields.frame(memories, "euclidean")
    assert right - left > 0


def test_the_sphere_is_framed_around_zero():
    left, right, bottom, top = fields.frame(MEMORIES, "spherical")
    assert left == bottom == -right == -top and right > 1


def test_large_beta_is_voronoi():
    found = fields.partition(MEMORIES, EUCLIDEAN, 1e3, None, BOX, size=SIZE)
    cells = fields.nearest(MEMORIES, EUCLIDEAN, BOX, size=SIZE)
    assert np.mean(found.labels != cells) < 0.002
    assert len(found.attractors) == 3 and found.entropy < 0.05


def test_small_beta_has_one_basin():
    found = fields.partition(MEMORIES, EUCLIDEAN, 1e-3, None, BOX, size=SIZE)
    assert len(found.attractors) == 1 and not found.regions.any()
    np.testing.assert_allclose(found.attractors[0], MEMORIES.mean(axis=0), atol=1e-3)
    assert found.entropy == pytest.approx(np.log(3), abs=1e-3)


def test_steps_and_attractors_differ_at_small_beta():
    steps = fields.partition(MEMORIES, EUCLIDEAN, 1e-3, 10, BOX, size=SIZE)
    assert len(np.unique(steps.labels)) > 1


def test_regions_tell_attractors_of_one_memory_apart():
    """Three memories on a triangle can have a fourth attractor, in their middle."""
    triangle = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(0.75)]])
    box = fields.frame(triangle, "euclidean")
    found = fields.partition(triangle, EUCLIDEAN, 2.9, None, box, size=SIZE)
    assert len(found.attractors) == 4 and found.regions.max() == 3
    assert len(set(found.region_labels)) == 3
    for region, label in enumerate(found.region_labels):
        assert np.all(found.labels[found.regions == region] == label)


def test_the_raster_is_the_right_way_up():
    cells = fields.nearest(np.array([[0.0, 0.0], [0.0, 1.0]]), EUCLIDEAN, (-1, 1, -0.5, 1.5), 10)
    assert not cells[:5].any() and cells[5:].all()


@pytest.mark.parametrize("name", ["entropy", "energy"])
def test_fields_agree_with_their_definition(name):
    box, size, beta = (-1.0, 2.0, -1.0, 2.0), 12, 3.0
    values = fields.scalar(name, MEMORIES, EUCLIDEAN, beta, box, size)
    step = 3.0 / size
    point = np.array([-1 + 4.5 * step, -1 + 7.5 * step])  # column 4, row 7
    logits = -beta * np.sum((MEMORIES - point) ** 2, axis=1)
    p = np.exp(logits) / np.exp(logits).sum()
    wanted = -np.sum(p * np.log(p)) if name == "entropy" else -np.log(np.exp(logits).sum()) / beta
    assert values[7, 4] == pytest.approx(wanted, rel=1e-4)


def test_numbers_lie_in_their_regions_and_off_the_markers():
    found = fields.partition(MEMORIES, EUCLIDEAN, 50.0, 10, BOX)
    edges = voronoi_edges(MEMORIES, BOX)
    places = fields.number_places(found.regions, BOX, MEMORIES, edges)
    pixel = (BOX[1] - BOX[0]) / fields.SIZE
    for region, (x, y) in enumerate(places):
        row, column = int((y - BOX[2]) / pixel), int((x - BOX[0]) / pixel)
        assert found.regions[row, column] == region
        distance = np.linalg.norm(MEMORIES - [x, y], axis=1).min()
        assert distance > 0.03 * (BOX[1] - BOX[0])


def test_zero_is_refused_on_the_sphere():
    with pytest.raises(ValueError, match="memory 2"):
        fields.on_screen(np.array([[1.0, 0.0], [0.0, 0.0]]), "spherical")
