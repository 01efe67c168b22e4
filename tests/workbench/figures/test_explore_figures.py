"""Effects, spreads, shares, gaps and criteria by their traces."""

from typing import Any

import numpy as np
import pytest

from workbench.figures.clusters import clusters_figure
from workbench.figures.explanation import BARS_SHOWN, gap_figure, signed
from workbench.figures.how_many import criterion_figure, stability_figure
from workbench.figures.profiles import (
    CLUSTERS_SHOWN,
    COLUMNS_SHOWN,
    effect_text,
    effects_figure,
    shares_figure,
    spread_figure,
)
from workbench.figures.silhouettes import silhouettes_figure

COLOURS = ["#111111", "#222222", "#333333"]


def traces(figure) -> list[Any]:
    return list(figure.data)


def layout(figure) -> Any:
    return figure.layout


@pytest.mark.parametrize("dark", [False, True])
def test_columns_run_down_and_clusters_across(dark):
    effects = np.array([[2.5, -1.0], [np.inf, np.nan], [-np.inf, 0.0]])
    figure = effects_figure(effects, ["a", "b"], [True, False], ["1", "2", "big"], dark=dark)
    (heat,) = traces(figure)
    assert np.array(heat.z).shape == (2, 3)
    assert [list(row) for row in heat.text] == [["2.5", "∞", "−∞"], ["−1.0", "—", "0.0"]]
    assert list(layout(figure).yaxis.ticktext) == ["a", "<i>b</i>"]
    assert list(layout(figure).xaxis.ticktext) == ["1", "2", "big"]


def test_a_large_map_is_cut_to_a_screen():
    effects = np.ones((50, 80))
    figure = effects_figure(effects, [f"c{at}" for at in range(80)], [True] * 80, list(range(50)))
    (heat,) = traces(figure)
    assert np.array(heat.z).shape == (COLUMNS_SHOWN, CLUSTERS_SHOWN) and heat.texttemplate is None


def test_effects_are_written_with_a_true_minus():
    assert [effect_text(value) for value in (-0.04, 0.96, -1.25)] == ["0.0", "1.0", "−1.2"]


def spread(n=(3, 0, 2), **told):
    edges = np.array([0.0, 1, 2, 4])
    quantiles = [np.array([0.1, 0.5, 1, 1.5, 2]), np.full(5, np.nan), np.arange(5.0)]
    density = [np.array([0.5, 0.5, 0]), np.zeros(3), np.array([0, 0, 1.0])]
    clusters = list(zip(n, quantiles, density, strict=True))
    return spread_figure(
        edges, clusters, ["one", "two", "three"], colours=COLOURS, title="x", **told
    )


def test_an_outline_is_as_wide_as_values_are_frequent_and_ends_where_they_do():
    outline, quartiles, middle, *others = traces(spread())
    assert len(others) == 3, "the empty cluster has no outline"
    assert max(outline.x) == 2 and min(others[0].x) == 2
    lanes = np.array(outline.y)
    assert lanes.max() == pytest.approx(-lanes.min()) and others[0].y[0] < 2 < others[0].y[-1]
    assert list(quartiles.x) == [0.5, 1.5] and list(middle.x) == [1.0]
    assert "median 1, half from 0.5 to 1.5" in outline.text


def test_dates_and_words_are_written_as_such():
    figure = spread(dates=True)
    outline = traces(figure)[0]
    assert outline.x[0].startswith("1970-01-01") and "median 1970-01-02" in outline.text
    figure = spread(order=("low", "middle", "high"))
    assert "median middle" in traces(figure)[0].text
    assert list(layout(figure).xaxis.ticktext) == ["low", "middle", "high"]


def test_shares_add_up_within_a_cluster_and_rare_categories_join():
    counts = np.arange(45).reshape(3, 15)
    figure = shares_figure(counts, [f"kind {at}" for at in range(15)], ["1", "2", "3"])
    (heat,) = traces(figure)
    z = np.array(heat.z)
    assert z.shape == (12, 3) and z.sum(axis=0) == pytest.approx(1, abs=1e-6)
    assert layout(figure).yaxis.ticktext[-1] == "4 others"
    empty = shares_figure(np.zeros((1, 2), int), ["a", "b"], ["1"])
    assert np.array(traces(empty)[0].z).tolist() == [[0], [0]]


def test_bars_add_up_to_the_last():
    gaps = np.array([5.0, -3.0, *np.linspace(2, -1, 20)])
    (bars,) = traces(gap_figure([f"c{at}" for at in range(22)], gaps, unit="nats"))
    assert len(bars.x) == BARS_SHOWN + 1 and list(bars.measure)[-1] == "total"
    assert sum(bars.x[:-1]) == pytest.approx(gaps.sum()) == pytest.approx(bars.x[-1])
    assert bars.customdata[-2] == "11 others" and signed(-0.5) == "−0.5" and signed(2) == "+2"


def test_a_criterion_marks_its_pick():
    figure = criterion_figure(
        range(1, 5), [np.nan, 0.2, 0.9, 0.4], pick=3, title="s", colour="#111111"
    )
    line, ring = traces(figure)
    assert list(line.x) == [1, 2, 3, 4] and (list(ring.x), list(ring.y)) == ([3], [0.9])
    assert len(traces(criterion_figure([1], [0.1], pick=None, title="s", colour="#111"))) == 1
    assert len(traces(criterion_figure([1, 2], [1, 2], pick=9, title="s", colour="#111"))) == 1


def test_stability_stands_between_its_lines():
    figure = stability_figure(
        [0.9, 0.5], ["1", "2"], colours=COLOURS[:2], trusted=0.75, doubted=0.6
    )
    assert list(traces(figure)[0].x) == [0.9, 0.5]
    assert sorted(shape.x0 for shape in layout(figure).shapes) == [0.6, 0.75]


def test_selected_points_are_counted_within_their_trace():
    labels, rows = np.array([0, 1, 0, 1]), np.array([10, 20, 30, 40])
    chosen = np.array([False, True, True, True])
    figure = clusters_figure(
        np.zeros((4, 2)), labels, rows, colours=COLOURS, selected=chosen, selectable=True
    )
    assert [list(trace.selectedpoints) for trace in traces(figure)[:2]] == [[1], [0, 1]]
    plain = clusters_figure(np.zeros((4, 2)), labels, rows, colours=COLOURS)
    assert all(trace.selectedpoints is None for trace in traces(plain))
    assert layout(figure).clickmode == "event+select" != layout(plain).clickmode


def test_rows_lie_on_the_edge_of_the_silhouettes():
    values, labels = np.array([0.1, 0.9, 0.5, -0.2]), np.array([0, 0, 1, 1])
    rows = np.array([10, 20, 30, 40])
    figure = silhouettes_figure(
        values, labels, colours=COLOURS, rows=rows, selected=np.array([True, False, False, True])
    )
    points = traces(figure)[-1]
    assert list(points.customdata) == [20, 10, 30, 40]
    assert list(points.x) == [0.9, 0.1, 0.5, -0.2] and list(points.selectedpoints) == [1, 3]
    assert list(layout(figure).yaxis.ticktext) == ["1", "2"]
