"""The surface, the globe and the fall of the energy, by the numbers that they draw."""

from typing import Any

import numpy as np
import pytest

from workbench.figures import globe, surface

ACROSS, UP = np.linspace(0, 1, 4), np.linspace(2, 3, 3)
HEIGHTS = np.arange(12.0).reshape(3, 4)
LABELS = np.array([[0, 0, 1, 1]] * 3)
FILLS = ["#111111", "#eeeeee"]


def drawn(shade=None, overlays=()) -> Any:
    shade = shade or surface.by_basin(LABELS, FILLS)
    return surface.surface_figure(
        ACROSS, UP, HEIGHTS, shade,
        overlays=overlays, top=8.0, levels=(1, 8, 1), titles=("x", "y", "energy"),
    )  # fmt: skip


def test_the_surface_has_the_heights_and_is_cut():
    figure = drawn()
    trace = figure.data[0]
    np.testing.assert_array_equal(trace.z, HEIGHTS)
    assert trace.z.dtype == np.float32 and list(trace.x) == pytest.approx(list(ACROSS))
    assert figure.layout.scene.zaxis.range[1] == 8.0
    assert trace.contours.z.size == 1 and figure.layout.scene.uirevision == "kept"


def test_basins_have_their_own_colours():
    trace = drawn().data[0]
    np.testing.assert_array_equal(trace.surfacecolor, LABELS)
    at = (trace.surfacecolor - trace.cmin) / (trace.cmax - trace.cmin)
    for share, label in zip(at.ravel(), LABELS.ravel(), strict=True):
        below = [colour for stop, colour in trace.colorscale if stop <= share]
        assert below[-1] == FILLS[label]


def test_heights_have_a_scale():
    trace = drawn(surface.by_height(HEIGHTS, 0, 8, ["#000000", "#ffffff"])).data[0]
    np.testing.assert_array_equal(trace.surfacecolor, HEIGHTS)
    assert (trace.cmin, trace.cmax) == (0, 8)


def test_a_way_stands_just_above_the_surface():
    points, heights = np.array([[0.0, 2.0], [1.0, 3.0]]), np.array([4.0, 1.0])
    path = surface.lifted(points, heights, 10.0)
    np.testing.assert_allclose(path[:, 2], heights + surface.LIFT * 10)
    line, steps, start = surface.trail_traces(path, path, path[0] + 1, heights)
    assert list(line["x"]) == [0, 1] and len(steps["x"]) == 1 and list(start["x"]) == [1]
    assert "step 0 of 1" in start["hovertext"][0]
    assert len(drawn(overlays=[line, steps, start]).data) == 4


def test_memories_at_one_place_share_a_pin():
    memories = np.array([[0.5, 2.5], [0.1, 2.1], [0.5, 2.5]])
    _, heads = surface.memory_pins(memories, np.array([1.0, 2.0, 1.0]), 10.0)
    assert heads["text"] == ["2", "1, 3"]
    np.testing.assert_allclose(heads["z"], [2 + 10 * surface.PIN, 1 + 10 * surface.PIN])
    assert drawn(overlays=[heads]).data[1].mode == "markers+text"


def test_lines_break_between_pieces():
    path = surface.with_gaps(np.zeros((2, 2, 3)))
    assert path.shape == (6, 3) and np.isnan(path[[2, 5]]).all()


def test_the_fall_has_its_levels():
    figure: Any = surface.descent_figure(np.array([3.0, 2.0, 1.5]), {"bottom": 1.0}, "#086ade")
    way, level = figure.data
    assert list(way.y) == [3, 2, 1.5] and list(way.x) == [0, 1, 2]
    assert list(level.y) == [1, 1] and figure.layout.xaxis.dtick == 1


@pytest.mark.parametrize("dark", [False, True])
def test_the_globe_is_a_sphere(dark):
    angle = np.linspace(-np.pi, np.pi, 13)
    slope = np.linspace(-np.pi / 2, np.pi / 2, 7)[:, None]
    places = np.stack(
        [np.cos(slope) * np.cos(angle), np.cos(slope) * np.sin(angle), np.sin(slope) + 0 * angle],
        -1,
    )
    shade = surface.by_basin(np.zeros((7, 13), int), FILLS)
    start, tangent = np.array([1.0, 0, 0]), np.array([0, 0.5, 0])
    overlays = [
        globe.grid_trace(places, dark),
        globe.contour_trace(np.ones((2, 2, 3)), dark),
        *globe.memory_pins(np.eye(3), dark),
        *globe.velocity_arrow(start, tangent, dark),
    ]
    figure: Any = globe.globe_figure(
        places, shade, overlays=overlays, facing=np.array([1.0, 1, 0]), dark=dark
    )
    sphere = figure.data[0]
    np.testing.assert_allclose(sphere.x**2 + sphere.y**2 + sphere.z**2, 1, atol=1e-6)
    assert figure.layout.scene.aspectmode == "cube"
    eye = figure.layout.scene.camera.eye
    assert eye.x == pytest.approx(eye.y) and eye.z == 0
    assert [trace.name for trace in figure.data[-2:]] == ["velocity", "velocity"]
    assert figure.data[-1].u[0] == 0 and figure.data[-1].v[0] > 0
    assert globe.velocity_arrow(start, 0 * tangent) == []
