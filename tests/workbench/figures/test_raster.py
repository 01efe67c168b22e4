"""Rasters: orientation, colours, borders and the places of numbers."""

import io

import numpy as np
import pytest
from PIL import Image

from workbench.figures.raster import (
    borders,
    in_shades,
    indexed_png,
    layout_image,
    pixel_centres,
    shades,
    well_inside,
)


def pixels(png):
    return np.asarray(Image.open(io.BytesIO(png)).convert("RGB"))


def test_the_first_row_is_at_the_bottom():
    """Index rows rise with y, image rows fall: the top right value is the image's top right."""
    picture = pixels(indexed_png(np.array([[0, 1], [2, 3]]), ["red", "lime", "blue", "white"]))
    np.testing.assert_array_equal(picture[0, 0], [0, 0, 255])
    np.testing.assert_array_equal(picture[0, 1], [255, 255, 255])
    np.testing.assert_array_equal(picture[1, 0], [255, 0, 0])
    np.testing.assert_array_equal(picture[1, 1], [0, 255, 0])


def test_pixel_centres_run_right_then_up():
    centres = pixel_centres((0, 2, 10, 14), 2)
    np.testing.assert_allclose(centres, [[0.5, 11], [1.5, 11], [0.5, 13], [1.5, 13]])


def test_the_image_spans_its_box_beneath_the_traces():
    image = layout_image(b"png", (-1, 2, -3, 5))
    assert (image["x"], image["y"]) == (-1, 5)
    assert (image["sizex"], image["sizey"]) == (3, 8)
    assert (image["xanchor"], image["yanchor"]) == ("left", "top")
    assert image["layer"] == "below"
    assert image["source"] == "data:image/png;base64,cG5n"


def test_a_field_takes_its_scale_from_low_to_high():
    index, colours = in_shades(np.array([[-1.0, 0.5], [1.0, 2.0]]), ["#000000", "#ffffff"], 101)
    np.testing.assert_array_equal(index, [[0, 50], [67, 100]])
    assert (colours[0], colours[-1]) == ("#000000", "#ffffff")


def test_a_constant_field_is_drawn():
    index, _ = in_shades(np.ones((2, 2)), ["#102030", "#ffffff"], 5)
    np.testing.assert_array_equal(index, 0)


def test_shades_start_and_end_with_the_scale():
    assert shades(["#102030", "#ff0000"], 5)[::4] == ["#102030", "#ff0000"]


def test_borders_mark_one_side_only():
    edge = borders(np.array([[0, 0, 1], [0, 0, 1], [2, 2, 2]]))
    np.testing.assert_array_equal(edge, [[0, 1, 0], [1, 1, 1], [0, 0, 0]])


def test_numbers_sit_in_the_broadest_part():
    """A thin arm drags the mean of a region out of its middle, not its number."""
    regions = np.zeros((40, 40), int)
    regions[5:20, 5:20] = 1
    regions[12, 20:39] = 1
    row, column = well_inside(regions)[1]
    assert abs(row - 12) <= 1 and abs(column - 12) <= 1


def test_the_largest_of_two_pieces_is_numbered():
    regions = np.zeros((40, 40), int)
    regions[2:8, 2:8] = 1
    regions[20:35, 20:35] = 1
    row, column = well_inside(regions)[1]
    assert 20 < row < 35 and 20 < column < 35


def test_numbers_keep_off_what_is_avoided():
    regions, avoid = np.zeros((41, 41), int), np.zeros((41, 41), bool)
    avoid[15:26, 15:26] = True
    row, column = well_inside(regions, avoid)[0]
    assert not avoid[int(row), int(column)]


@pytest.mark.parametrize("avoid", [None, np.ones((9, 9), bool)])
def test_the_smallest_region_still_gets_its_place(avoid):
    regions = np.zeros((9, 9), int)
    regions[4, 6] = 3
    assert well_inside(regions, avoid)[3] == (4.0, 6.0)
