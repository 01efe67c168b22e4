"""Figures of a comparison: the numbers that they plot."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from workbench.figures.clusters import SYMBOLS
from workbench.figures.disagreement import disagreement_figure
from workbench.figures.multiples import bounds, panel_figure
from workbench.figures.overlap import cell_text, overlap_figure
from workbench.figures.palette import GREY, colours

POSITIONS = np.array([[0.0, 0], [1, 0], [0, 2], [1, 2], [5, 5]])
LABELS = np.array([0, 0, 2, 2, -1])


def legal(figure) -> Any:
    go.Figure(figure.to_dict())  # raises at an unknown property
    return figure


def panel(labels=LABELS, **changes) -> Any:
    box = bounds(POSITIONS)
    drawn = panel_figure(POSITIONS, labels, np.arange(1, 6), colours=colours(3), box=box, **changes)
    return legal(drawn)


@pytest.mark.parametrize("dark", [False, True])
def test_a_panel_codes_clusters_by_colour_symbol_and_number(dark):
    points, numbers = panel(dark=dark).data
    assert list(points.marker.color) == [*colours(3)[:1] * 2, *colours(3)[2:] * 2, GREY]
    assert list(points.marker.symbol) == [SYMBOLS[0]] * 2 + [SYMBOLS[2]] * 2 + ["circle-open"]
    assert list(numbers.text) == ["1", "3"]
    np.testing.assert_allclose(numbers.x, [0.5, 0.5])
    np.testing.assert_allclose(numbers.y, [0, 2])
    assert list(points.customdata) == [1, 2, 3, 4, 5]


def test_all_panels_share_their_box():
    first, second = panel(), panel(np.zeros(5, int))
    assert first.layout.xaxis.range == second.layout.xaxis.range == (-0.25, 5.25)
    assert first.layout.yaxis.scaleanchor == "x"


def test_a_panel_of_noise_alone_has_no_numbers():
    assert list(panel(np.full(5, -1)).data[1].text or ()) == []


def test_many_clusters_have_no_room_for_numbers():
    labels = np.arange(20)
    positions = np.random.default_rng(0).normal(size=(20, 2))
    drawn = panel_figure(
        positions, labels, labels, colours=colours(20), box=bounds(positions), equal=False
    )
    assert len(drawn.data) == 1 and drawn.layout.yaxis.scaleanchor is None  # type: ignore


def test_bounds_of_one_place_are_no_point():
    left, right, bottom, top = bounds(np.zeros((3, 2)))
    assert left < right and bottom < top


def overlapping(m=3, dark=False) -> Any:
    rng = np.random.default_rng(0)
    upper, lower = (np.triu(rng.uniform(size=(m, m)), 1) for _ in range(2))
    names = [f"method {at}" for at in range(m)]
    drawn = overlap_figure(upper + upper.T, lower + lower.T, names, dark=dark)
    return legal(drawn), upper, lower.T


def test_one_measure_above_the_diagonal_and_the_other_below():
    drawn, upper, lower = overlapping()
    z = np.array(drawn.data[0].z, float)
    np.testing.assert_allclose(z[0, 1:], upper[0, 1:], rtol=1e-6)
    np.testing.assert_allclose(z[2, :2], lower[2, :2], rtol=1e-6)
    assert np.isnan(np.diag(z)).all()
    told = drawn.data[0].customdata
    assert told[0][1] == "method 0 and method 1: NMI" and told[1][0].endswith("ARI")
    numbers = [note for note in drawn.layout.annotations if note.yref != "paper"]
    assert len(numbers) == 6
    assert drawn.layout.yaxis.ticktext[0] == "method 0  1"
    assert drawn.layout.xaxis.ticktext == ("1", "2", "3")


def test_numbers_are_legible_on_every_shade():
    from workbench.figures.palette import oklab, rgb, scale

    for dark in (False, True):
        drawn, upper, _ = overlapping(4, dark)
        shades = scale("energy", dark)
        for note in drawn.layout.annotations:
            if note.yref == "paper":
                continue
            value = float(np.array(drawn.data[0].z, float)[note.y, note.x])
            shade = shades[round(value * (len(shades) - 1))]
            gap = oklab(rgb(note.font.color))[0] - oklab(rgb(shade))[0]
            assert abs(gap) > 0.3


def test_numbers_grow_short_in_small_cells():
    assert cell_text(0.834) == "0.83" and cell_text(0.834, roomy=False) == ".83"
    assert cell_text(-0.021) == "−0.02" and cell_text(1.0, roomy=False) == "1.00"
    drawn, *_ = overlapping(12)
    sizes = {note.font.size for note in drawn.layout.annotations if note.yref != "paper"}
    assert sizes == {11}


def test_rows_in_dispute_are_larger_stronger_and_on_top():
    agreement = np.array([1.0, 0.2, 1.0, 0.5, 1.0])
    drawn = legal(
        disagreement_figure(POSITIONS, agreement, np.arange(1, 6), numbered=[(1, "2"), (3, "4")])
    )
    points, texts = drawn.data
    assert list(points.customdata) == [1, 3, 5, 4, 2]
    np.testing.assert_allclose(points.marker.color, [0, 0, 0, 0.5, 0.8])
    assert points.marker.size[-1] > points.marker.size[-2] > points.marker.size[0]
    assert list(texts.text) == ["2", "4"] and list(texts.x) == [1, 1]


def test_full_agreement_needs_no_numbers():
    drawn = disagreement_figure(POSITIONS, np.ones(5), np.arange(5))
    assert len(legal(drawn).data) == 1
