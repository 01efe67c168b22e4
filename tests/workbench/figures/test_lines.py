"""Borders between regions, and level lines."""

import numpy as np
import pytest

from workbench.figures.lines import border_lines, level_lines


def test_a_border_runs_between_its_regions():
    pieces = border_lines(np.array([[0, 0, 1], [0, 0, 1], [0, 0, 1]]))
    np.testing.assert_allclose(pieces[..., 0], 1.5)
    assert sorted(pieces[..., 1].ravel()) == [0, 1, 1, 2]


def test_a_border_lies_where_it_is_told():
    def crossing(start, end, region):
        assert (end - start).tolist() == [[1, 0]] * len(start) and not region.any()
        return np.full(len(start), 0.25)

    pieces = border_lines(np.array([[0, 1], [0, 1]]), crossing)
    np.testing.assert_allclose(pieces[..., 0], 0.25)


def test_three_regions_meet_in_the_middle():
    pieces = border_lines(np.array([[0, 0], [1, 2]]))
    assert len(pieces) == 3 and np.ptp(pieces[:, 1], axis=0).max() == pytest.approx(0)


def test_one_region_has_no_border():
    assert border_lines(np.zeros((4, 5), int)).shape == (0, 2, 2)


def test_level_lines_are_exact_on_a_plane():
    row, column = np.indices((6, 7))
    pieces = level_lines(2.0 * column + row, 5.5)
    np.testing.assert_allclose(2 * pieces[..., 0] + pieces[..., 1], 5.5)
    assert len(level_lines(2.0 * column + row, 99.0)) == 0


def test_a_circle_is_about_round():
    row, column = np.indices((41, 41)) - 20
    pieces = level_lines(np.hypot(row, column).astype(float), 12.0)
    np.testing.assert_allclose(np.hypot(*(pieces - 20).reshape(-1, 2).T), 12, atol=0.02)
