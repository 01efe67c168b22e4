"""What Python computes for the lessons: true to the engines, small, the same each time."""

import base64
import json

import numpy as np
import pytest

from workbench.dataset import DataError
from workbench.lessons.clouds import rays, three_groups, two_moons
from workbench.lessons.frames import LAMBDAS, MOST_POINTS, completion_loss, frames


@pytest.fixture(scope="module")
def many():
    return np.random.default_rng(0).normal(size=(MOST_POINTS, 2))


def slow_loss(rows, memories, fill, beta, n_steps):
    """Complete each row with each coordinate hidden, one number after another."""
    total = 0.0
    for row in rows:
        for axis in range(2):
            v = row.copy()
            v[axis] = fill[axis]
            for _ in range(n_steps):
                share = np.exp(-beta * np.square(memories - v).sum(1))
                v[axis] += ((share / share.sum() @ memories)[axis] - v[axis]) / n_steps
            total += (v[axis] - row[axis]) ** 2
    return total / rows.size


def test_losses_are_those_of_the_memories_shown():
    rows = np.array(three_groups())[:20]
    memories = np.array([[1.0, 0.5], [-1.0, 0.2], [0.0, -1.5]])
    found = completion_loss(rows, memories, rows.mean(0))
    assert found == pytest.approx(slow_loss(rows, memories, rows.mean(0), 1.0, 10), abs=1e-9)


def test_training_finds_the_groups_and_lies_beyond_their_middles():
    points = np.array(three_groups())
    made = frames("training", points)
    memories = np.array(made["memories"])
    assert memories.shape == (61, 3, 2)
    assert len(made["losses"]) == 61
    assert made["losses"][-1] < 0.15 * made["losses"][0]
    middles = np.array([points[i::3].mean(axis=0) for i in range(3)])
    own = np.square(memories[-1][:, None] - middles).sum(2).argmin(1)
    assert sorted(own) == [0, 1, 2]
    reach = np.linalg.norm(memories[-1], axis=1) / np.linalg.norm(middles[own], axis=1)
    assert (reach > 1.3).all()
    assert frames("training", points) == made


def test_the_graph_starts_with_modes_alone_and_follows_its_edges():
    points = np.array(two_moons())
    made = frames("graph", points)
    labels = np.array([list(map(int, each)) for each in made["labels"]])
    edges = np.frombuffer(base64.b64decode(made["edges"]), "<u2").reshape(-1, 2)
    gaps = np.square(points[:, None] - points[made["modes"][0]]).sum(2)
    assert (labels[0] == gaps.argmin(1)).all()
    moon = np.arange(len(points)) % 2
    right = [max((own == moon).mean(), (own != moon).mean()) for own in labels]
    assert right[0] < 0.9
    assert right[LAMBDAS.index(1.25)] == 1
    cut = [(own[edges[:, 0]] != own[edges[:, 1]]).sum() for own in labels]
    assert 4 * cut[LAMBDAS.index(1.25)] < cut[0]
    near = np.exp(-np.square(points[:, None] - points).sum(2) / (2 * made["sigma"] ** 2))
    densest = [int(near[:, labels[0] == mode].sum(1).argmax()) for mode in range(2)]
    assert made["modes"][0] == densest
    assert frames("graph", points) == made


@pytest.mark.parametrize(("picture", "largest"), [("training", 100_000), ("graph", 200_000)])
def test_frames_of_many_points_are_small(many, picture, largest):
    assert len(json.dumps(frames(picture, many))) < largest


@pytest.mark.parametrize("picture", ["plane", "circle"])
def test_other_pictures_need_nothing(picture):
    assert frames(picture, rays()) == {}


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (np.zeros((3, 2)), "12 to 2,000"),
        (np.zeros((MOST_POINTS + 1, 2)), "12 to 2,000"),
        (np.zeros((50, 2)), "different places"),
        (np.full((50, 2), np.nan), "finite"),
    ],
)
def test_points_that_make_no_lesson_are_refused_in_a_sentence(points, words):
    with pytest.raises(DataError, match=words):
        frames("training", points)


@pytest.mark.parametrize("picture", ["training", "graph"])
def test_a_dozen_points_in_a_line_are_enough(picture):
    line = np.column_stack([np.linspace(-1, 1, 12), np.zeros(12)])
    made = frames(picture, line)
    assert "NaN" not in json.dumps(made)
