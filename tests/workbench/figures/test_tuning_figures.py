"""Figures of a tuning: the numbers that they plot."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from workbench.figures.tuning import map_figure, sweep_figure

SCORES = np.array([[0.1, 0.2], [0.5, np.nan], [0.3, 0.4]])
EMPTY = np.array([[1, 0], [0, 0], [0, 2]])
TITLES = ("β", "silhouette (SC)")


def legal(figure) -> Any:
    go.Figure(figure.to_dict())  # raises at an unknown property
    return figure


def swept(values=(0.1, 1.0, 10.0), scale="log", scores=SCORES, **changes) -> Any:
    settings = {"scale": scale, "titles": TITLES, "empty": EMPTY} | changes
    return legal(sweep_figure(values, (2, 10), scores, **settings))


@pytest.mark.parametrize("dark", [False, True])
def test_a_line_for_each_t_with_k_means_the_default_and_the_best(dark):
    drawn = swept(rival=("k-means", 0.25), default=(1.0, 0.45, 0.02), best=(1, 0), dark=dark)
    two, ten, rival, default, best = drawn.data
    assert [trace.name for trace in drawn.data] == [
        "T = 2", "T = 10", "k-means", "default", "best",
    ]  # fmt: skip
    np.testing.assert_array_equal(two.y, SCORES[:, 0])
    assert ten.connectgaps and list(ten.x) == [0.1, 1.0, 10.0]
    assert list(rival.y) == [0.25, 0.25] and rival.x[0] < 0.1 and rival.x[1] > 10
    assert (default.x, default.y) == ((1.0,), (0.45,)) and default.error_y.array == (0.02,)
    assert (best.x[0], best.y[0]) == (1.0, 0.5)
    assert drawn.layout.xaxis.type == "log"


def test_empty_clusters_make_a_mark_hollow_and_are_told():
    two, ten = swept().data
    assert list(two.marker.symbol) == ["circle-open", "circle", "circle"]
    assert list(ten.marker.symbol) == ["square", "square", "square-open"]
    assert ten.customdata[2][1] == "2 empty" and ten.customdata[2][0] == "10"


def test_words_have_places_of_their_own_and_no_lines():
    drawn = swept(
        ("mean", "min", "max"), "choice", rival=("k-means", 0.3), default=("min", 0.5, 0.0),
        best=(1, 0),
    )  # fmt: skip
    two, ten, _, default, best = drawn.data
    assert two.mode == "markers" and list(drawn.layout.xaxis.ticktext) == ["mean", "min", "max"]
    assert two.x[0] < 0 < ten.x[0] and default.x == (1,)
    assert best.x[0] == two.x[1]


def test_what_is_not_known_is_not_drawn():
    drawn = swept(rival=("k-means", np.nan), default=(1.0, np.nan, 0.1))
    assert len(drawn.data) == 2
    alone = swept((0.5,), "linear", SCORES[:1], empty=EMPTY[:1])
    assert alone.layout.xaxis.range[0] < 0.5 < alone.layout.xaxis.range[1]
    nothing = swept(scores=np.full((3, 2), np.nan))
    assert len(nothing.data) == 2


def test_losses_far_apart_have_a_logarithmic_axis():
    losses = np.array([[1.0, 2.0], [80.0, 1.0], [2.0, 2.0]])
    assert swept(scores=losses, titles=("β", "loss")).layout.yaxis.type == "log"
    assert swept(scores=1 + losses / 100, titles=("β", "loss")).layout.yaxis.type is None


def mapped(**changes) -> Any:
    settings = {"title": "silhouette (SC)", "empty": EMPTY} | changes
    return legal(map_figure((0.1, 1.0, 10.0), (2, 10), SCORES, **settings))


@pytest.mark.parametrize("dark", [False, True])
def test_a_map_is_coloured_against_k_means(dark):
    drawn = mapped(rival=("k-means", 0.25), best=(1, 0), dark=dark)
    heat, circles, ring = drawn.data
    np.testing.assert_array_equal(np.array(heat.z, float), SCORES.T)
    assert (heat.zmin + heat.zmax) / 2 == 0.25 and heat.zmax == 0.5
    assert heat.colorbar.ticktext[1] == "k-means 0.250"
    assert sorted(zip(circles.x, circles.y, strict=True)) == [(0, 0), (2, 1)]
    assert (ring.x, ring.y) == ((1,), (0,))
    assert list(drawn.layout.yaxis.ticktext) == ["2", "10"]


def test_a_map_without_a_rival_has_one_kind_of_colour():
    higher, lower = mapped(), mapped(lower=True)
    scales = [[stop[1] for stop in drawn.data[0].colorscale] for drawn in (higher, lower)]
    assert scales[0] == scales[1][::-1]
    assert higher.data[0].zmin is None
    blank = map_figure(
        (0.1, 1.0, 10.0), (2, 10), np.full((3, 2), np.nan), title="", empty=EMPTY,
        rival=("k-means", 0.2),
    )  # fmt: skip
    assert len(legal(blank).data) == 2
