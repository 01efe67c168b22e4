"""Clusters, silhouettes, prototypes and the loss by their traces."""

from typing import Any

import numpy as np
import pytest

from workbench.figures.clusters import clusters_figure
from workbench.figures.prototypes import most_telling, prototypes_figure, shortened
from workbench.figures.silhouettes import silhouettes_figure
from workbench.figures.training import loss_figure


def traces(figure) -> list[Any]:
    return list(figure.data)


COLOURS = ["#111111", "#222222", "#333333"]


def test_clusters_keep_their_colour_when_one_is_missing():
    positions = np.arange(8.0).reshape(4, 2)
    full = clusters_figure(positions, np.array([0, 1, 2, 2]), np.arange(4), colours=COLOURS)
    part = clusters_figure(positions, np.array([0, 2, 2, 0]), np.arange(4), colours=COLOURS)
    by_name = {trace.name: trace.marker.color for trace in traces(full)}
    assert all(by_name[trace.name] == trace.marker.color for trace in traces(part))
    assert [trace.name for trace in traces(part)] == ["cluster 1", "cluster 3", "centres"]


def test_points_carry_their_rows_and_numbers_lie_on_top():
    positions = np.arange(8.0).reshape(4, 2)
    rows = np.array([10, 20, 30, 40])
    figure = clusters_figure(positions, np.array([1, 0, 1, -1]), rows, colours=COLOURS)
    carried = {trace.name: list(trace.customdata) for trace in traces(figure)[:-1]}
    assert carried == {"not clustered": [40], "cluster 1": [20], "cluster 2": [10, 30]}
    numbers = traces(figure)[-1]
    assert numbers.type == "scatter" and list(numbers.text) == ["1", "2"]
    np.testing.assert_allclose(numbers.x, [2, 2])


def test_colour_is_not_the_only_code():
    figure = clusters_figure(np.zeros((3, 2)), np.arange(3), np.arange(3), colours=COLOURS)
    assert len({trace.marker.symbol for trace in traces(figure)[:-1]}) == 3


def test_a_strip_has_numbers_across_and_nothing_up():
    figure = clusters_figure(
        np.zeros((3, 2)), np.arange(3), np.arange(3), colours=COLOURS, equal=False, scale=True,
        titles=("width", ""),
    )  # fmt: skip
    assert figure.layout.xaxis.showticklabels and figure.layout.xaxis.title.text == "width"
    assert not figure.layout.yaxis.showticklabels and not figure.layout.yaxis.showgrid
    assert figure.layout.yaxis.scaleanchor is None


def test_many_points_are_drawn_by_webgl():
    labels = np.zeros(3500, int)
    figure = clusters_figure(np.zeros((3500, 2)), labels, np.arange(3500), colours=COLOURS)
    assert [trace.type for trace in traces(figure)] == ["scattergl", "scatter"]


def test_silhouettes_are_sorted_bars_with_their_mean():
    values, labels = np.array([0.1, 0.9, -0.2, 0.5]), np.array([0, 0, 1, 1])
    figure = silhouettes_figure(values, labels, colours=COLOURS)
    first, second = traces(figure)
    np.testing.assert_allclose(first.x, [0, 0.9, 0.9, 0.1, 0.1, 0])
    np.testing.assert_allclose(second.x, [0, 0.5, 0.5, -0.2, -0.2, 0])
    assert max(first.y) < min(second.y)
    assert figure.layout.xaxis.range[0] < -0.2
    assert list(figure.layout.yaxis.ticktext) == ["1", "2"]
    assert figure.layout.annotations[0].text == "mean 0.325"


def test_silhouettes_of_a_large_cluster_are_thinned():
    figure = silhouettes_figure(np.linspace(-1, 1, 50_000), np.zeros(50_000, int), colours=COLOURS)
    assert len(traces(figure)[0].x) < 1000
    assert "50,000 rows" in traces(figure)[0].text


def test_each_memory_stands_above_its_mean():
    memories, means = np.array([[2.0, 1.0], [np.nan, np.nan]]), np.array([[1.0, 0.5], [0, -3]])
    (heat,) = traces(prototypes_figure(memories, means, ["a", "b"]))
    assert list(heat.y) == ["memory 1", "mean 1", "memory 2", "mean 2"]
    np.testing.assert_allclose(heat.z, [[2, 1], [1, 0.5], [np.nan, np.nan], [0, -3]])
    assert heat.zmax == -heat.zmin == pytest.approx(3, rel=0.05)
    assert heat.texttemplate


def test_columns_named_by_numbers_are_words():
    values = np.array([[1.0, 2.0, 3.0]])
    figure = prototypes_figure(values, values, ["2019", "2021", "2020"])
    (heat,) = traces(figure)
    assert list(heat.x) == ["2019", "2021", "2020"]
    assert figure.layout.xaxis.type == figure.layout.yaxis.type == "category"
    assert list(figure.layout.xaxis.ticktext) == list(heat.x)


def test_long_names_are_shortened_on_the_axis_and_whole_on_hover():
    long = "mean distance between the petals (cm)"
    values = np.array([[1.0, 2.0]])
    figure = prototypes_figure(values, values, [long, "x"])
    assert [list(row) for row in traces(figure)[0].hovertext] == [[long, "x"]] * 2
    assert list(figure.layout.xaxis.ticktext) == [shortened(long), "x"]
    assert len(shortened(long)) == 18 and shortened(long).startswith("mean distanc")
    assert list(figure.layout.xaxis.tickvals) == [long, "x"], "named, since a name may be a number"


def test_only_the_most_telling_features_are_shown():
    means = np.zeros((2, 100))
    means[0, 7] = 5
    means[1, 93] = 2
    assert {7, 93} <= set(most_telling(means, 60)) and len(most_telling(means, 60)) == 60
    names = [str(i) for i in range(100)]
    (heat,) = traces(prototypes_figure(means, means, names))
    assert len(heat.x) == 60 and heat.texttemplate is None


def test_the_loss_starts_at_epoch_zero():
    line, kept = traces(loss_figure([3.0, 1.5, 2.0]))
    assert list(line.x) == [0, 1, 2] and list(line.y) == [3, 1.5, 2]
    assert (kept.x[0], kept.y[0]) == (1, 1.5), "the epoch whose memories are kept"


def test_a_map_of_many_clusters_and_columns_stays_a_small_message():
    values = np.random.default_rng(0).normal(size=(200, 784))
    figure = prototypes_figure(values, values, [f"pixel_{i}" for i in range(784)])
    assert len(str(figure.to_json())) < 1e6
    assert figure.layout.height <= 960
