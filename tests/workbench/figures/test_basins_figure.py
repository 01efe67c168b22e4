"""The basin picture by its traces and layout."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from workbench.figures.basins import (
    attractor_stars,
    basin_numbers,
    basins_figure,
    colour_bar,
    contour_lines,
    data_points,
    memory_markers,
    recall_line,
    voronoi_lines,
)


def drawn(trace) -> Any:
    return go.Figure([trace]).data[0]


BOX = (-1.0, 3.0, -2.0, 2.0)


@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_lies_beneath_its_traces(dark):
    markers = memory_markers(np.array([[0.0, 1.0], [2.0, 0.5]]), np.array([0.25, 0.75]), dark)
    figure: Any = basins_figure(b"png", BOX, overlays=[markers], dark=dark)
    (image,) = figure.layout.images
    assert image.layer == "below"
    assert (image.x, image.y, image.sizex, image.sizey) == (-1, 2, 4, 4)
    assert not figure.layout.xaxis.showgrid and not figure.layout.yaxis.showgrid
    assert figure.layout.yaxis.scaleanchor == "x" and figure.layout.yaxis.scaleratio == 1
    assert figure.layout.xaxis.range == (-1, 3) and figure.layout.yaxis.range == (-2, 2)
    assert len(figure.data) == 1


def test_zoom_outlives_new_pictures():
    one = basins_figure(b"one", BOX, overlays=[])
    two = basins_figure(b"two", BOX, overlays=[], dark=True)
    assert one.layout.uirevision == two.layout.uirevision is not None


def test_memories_are_numbered_and_tell_their_share():
    trace = drawn(memory_markers(np.array([[0.0, 1.0], [2.0, 0.5]]), np.array([0.25, 0.75])))
    assert list(trace.text) == ["1", "2"]
    assert "25.0% of the picture" in trace.hovertext[0]


def test_equal_memories_share_a_marker():
    trace = drawn(memory_markers(np.array([[1.0, 1], [0, 0], [1, 1]]), np.array([0.5, 0.5, 0.0])))
    assert sorted(trace.text) == ["1, 3", "2"]
    np.testing.assert_allclose(trace.x, [0, 1])


def test_voronoi_edges_are_dashed_and_apart():
    edges = np.array([[[0, 0], [1, 1]], [[2, 2], [3, 3]]], float)
    trace = drawn(voronoi_lines(edges))
    assert trace.line.dash != "solid"
    np.testing.assert_allclose(trace.x, [0, 1, np.nan, 2, 3, np.nan])


def test_no_edges_draw_nothing():
    assert len(drawn(voronoi_lines(np.empty((0, 2, 2)))).x) == 0


def test_points_that_leave_their_cell_have_another_symbol():
    points = np.zeros((3, 2))
    trace = drawn(
        data_points(points, np.array([0, 1, 1]), np.array([False, True, False]), ["red", "blue"])
    )
    assert list(trace.marker.symbol) == ["circle", "x", "circle"]
    assert list(trace.marker.color) == ["red", "blue", "blue"]
    assert list(trace.customdata) == [0, 1, 2]


def test_contours_lie_on_the_pixel_centres():
    trace = drawn(contour_lines(np.zeros((4, 4)), BOX, "energy"))
    assert (trace.x0, trace.dx, trace.y0, trace.dy) == (-0.5, 1, -1.5, 1)
    assert trace.contours.showlabels


def test_numbers_and_stars_and_ways():
    assert list(drawn(basin_numbers([[0, 1]], ["1"])).text) == ["1"]
    assert drawn(attractor_stars(np.array([[0.5, 0.5]]))).marker.symbol == "star"
    way = drawn(recall_line(np.array([[0.0, 0.0], [1.0, 1.0], [1.5, 1.2]])))
    assert way.marker.symbol[0] == "circle-open" and way.hovertext[-1] == "step 2 of 2"


def test_the_colour_bar_has_the_ends_and_the_name_of_its_field():
    trace = drawn(colour_bar(["#000000", "#ffffff"], 0, 1.1, "entropy (nats)"))
    assert (trace.marker.cmin, trace.marker.cmax) == (0, 1.1)
    assert trace.marker.colorbar.title.text == "entropy (nats)"
