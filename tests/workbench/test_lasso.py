"""Outlines against a slow rule."""

import numpy as np

from workbench.lasso import inside


def winding(outline, point):
    """Sum of the angles under which a point sees the edges: a full turn where it lies inside."""
    corners = np.asarray(outline, float) - point
    angles = np.arctan2(corners[:, 1], corners[:, 0])
    turns = (np.roll(angles, -1) - angles + np.pi) % (2 * np.pi) - np.pi
    return abs(turns.sum()) > np.pi


def test_an_outline_takes_what_it_winds_about():
    rng = np.random.default_rng(0)
    angles = np.sort(rng.uniform(0, 2 * np.pi, 25))
    outline = np.column_stack([np.cos(angles), np.sin(angles)]) * rng.uniform(0.4, 1, (25, 1))
    points = rng.uniform(-1, 1, (500, 2))
    expected = [winding(outline, point) for point in points]
    assert inside(outline, points).tolist() == expected and 50 < sum(expected) < 450


def test_a_rectangle_and_no_outline():
    points = np.array([[0.5, 0.5], [1.5, 0.5], [0.5, -0.1]])
    square = [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert inside(square, points).tolist() == [True, False, False]
    assert not inside(np.empty((0, 2)), points).any()
