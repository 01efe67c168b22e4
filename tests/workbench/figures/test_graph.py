"""The graph's figures: the numbers that they plot."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from workbench.figures import images
from workbench.figures.captions import GraphNumbers, graph_sentence
from workbench.figures.graph import MOST_EDGES, graph_figure, objective_figure, sweep_figure

POSITIONS = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])
LABELS = np.array([0, 0, 1, 1])
COLOURS = ["#086ade", "#be3508"]


def figure(**changes) -> Any:
    asked = {
        "edges": np.array([[0, 1], [1, 2]]),
        "modes": np.array([[0.5, 0], [0.5, 1]]),
        "colours": COLOURS,
    }
    certainty = np.array([1.0, 0.5, 0.75, 1.0])
    drawn = graph_figure(POSITIONS, LABELS, certainty, np.arange(1, 5), **(asked | changes))
    go.Figure(drawn.to_dict())  # raises at an unknown property
    return drawn


def test_edges_are_one_line_with_gaps():
    line = figure().data[0]
    np.testing.assert_allclose(line.x, [0, 1, np.nan, 1, 0, np.nan])
    np.testing.assert_allclose(line.y, [0, 0, np.nan, 0, 1, np.nan])


def test_certainty_is_opacity():
    first, second = figure().data[1:3]
    np.testing.assert_allclose(first.marker.opacity, [1, 0.25])
    np.testing.assert_allclose(second.marker.opacity, [0.625, 1])
    assert list(first.customdata) == [1, 2]


def test_modes_are_ringed_and_numbered():
    rings = figure().data[-1]
    assert list(rings.text) == ["1", "2"] and list(rings.x) == [0.5, 0.5]


def test_too_many_edges_are_drawn_by_chance():
    edges = np.random.default_rng(0).integers(0, 4, (2 * MOST_EDGES, 2))
    assert len(figure(edges=edges).data[0].x) == 3 * MOST_EDGES


def test_a_sweep_has_a_frame_for_each_lambda():
    labels = np.array([[0, 1, 0, 1], [0, 0, 1, 1]])
    drawn: Any = go.Figure(sweep_figure(POSITIONS, (0.0, 1.25), labels, colours=COLOURS).to_dict())
    assert [frame.name for frame in drawn.frames] == ["0", "1.25"]
    assert list(drawn.frames[1].data[0].marker.color) == [COLOURS[0]] * 2 + [COLOURS[1]] * 2
    assert [step.label for step in drawn.layout.sliders[0].steps] == ["0", "1.25"]


def test_colours_do_not_move_up_when_a_cluster_is_empty():
    palette = [*COLOURS, "#2b7446"]
    shown = [trace.name for trace in figure(colours=palette).data[1:-1]]
    assert shown == ["cluster 1", "cluster 2"]
    moved = graph_figure(
        POSITIONS, np.array([0, 0, 2, 2]), np.ones(4), np.arange(4), edges=np.empty((0, 2), int),
        modes=np.zeros((3, 2)), colours=palette,
    )  # fmt: skip
    drawn: Any = moved.data[1:-1]
    assert [trace.marker.color for trace in drawn] == [palette[0], palette[2]]


def test_terms_that_are_nothing_are_left_out():
    terms = {"unary": [-1, -2], "laplacian": [3, 2], "balance": [0, 0], "entropy": [0, 0]}
    drawn: Any = objective_figure([2, 0], terms, stages=[0], title="E", colours=["red"] * 4)
    assert [trace.name for trace in drawn.data] == ["E", "prototypes", "graph"]
    assert len(drawn.layout.shapes) == 1 and drawn.layout.shapes[0].x0 == 0.5


NUMBERS = GraphNumbers(n=400, k=2, found=2, coupling=1.25, moved=30, cut=0.01, cut_alone=0.04)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({}, "30 of 400 rows are in another cluster"),
        ({}, "fall from 4.0 % to 1.0 %"),
        ({"cut": 0.05}, "rise from 4.0 % to 5.0 %"),
        ({"moved": 1}, "1 of 400 row is in another"),
        ({"moved": 0}, "changes no row's cluster"),
        ({"found": 1}, "1 of 2 clusters have rows"),
        ({"coupling": 0.0}, "the graph does not count"),
        ({"k": 1, "found": 1}, "one cluster, whatever"),
    ],
)
def test_the_sentence_says_what_lambda_did(changes, told):
    values = {**NUMBERS.__dict__, **changes}
    assert told in graph_sentence(GraphNumbers(**values))


def test_pixels_are_known_by_their_names():
    assert images.side_of(64, [f"pixel_{i}" for i in range(64)]) == 8
    assert images.side_of(64, [f"column {i}" for i in range(64)]) == 0
    assert images.side_of(60, [f"pixel_{i}" for i in range(60)]) == 0


def test_an_image_is_dark_where_its_values_are_large():
    shown = images.enlarged(np.array([0, 1, 0.5, 1]), 2, scale=3)
    assert shown.shape == (6, 6)
    assert shown[0, 0] == 255 and shown[0, 5] == 0
