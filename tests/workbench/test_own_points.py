"""Two columns of a table as points of a lesson."""

import numpy as np
import pytest

from workbench.intake import read_table
from workbench.own_points import MOST, in_square, numeric_columns, own_points, standardised
from workbench.painting import painted_table
from workbench.table import DataError


def table(text, name="mine.csv"):
    return read_table(text.encode(), name)


def of_columns(columns, names="ab"):
    rows = "\n".join(",".join(f"{value:.6g}" for value in row) for row in columns)
    return table(f"{','.join(names)}\n{rows}\n")


def test_one_scale_keeps_shapes():
    rng = np.random.default_rng(0)
    drawn = rng.normal([300, -20], [4, 2], (500, 2))
    found = own_points(of_columns(drawn), "a", "b").points
    assert found.dtype == np.float64 and found.shape == (500, 2)
    np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-9)
    np.testing.assert_allclose(np.sqrt((found**2).mean()), 1)
    np.testing.assert_allclose(found[:, 0].std() / found[:, 1].std(), 2, rtol=0.1)


def test_other_units_have_scales_of_their_own_and_it_is_said():
    rng = np.random.default_rng(0)
    found = own_points(of_columns(rng.normal(size=(100, 2)) * [1, 1e4]), "a", "b")
    np.testing.assert_allclose(found.points.std(axis=0), 1)
    assert found.notes == ("a and b spread differently: each axis has a scale of its own.",)


@pytest.mark.parametrize("scale", [1e-300, 1.0, 1e300])
def test_no_magnitude_is_too_large_or_too_small(scale):
    places = np.array([[0.0, 1.0], [1.0, 3.0], [2.0, 0.0]])
    found, even = standardised(places * scale)
    assert even
    np.testing.assert_allclose(found, standardised(places)[0])


def test_points_on_a_line_stay_on_it():
    found = own_points(table("a,b\n1,5\n2,5\n4,5\n"), "a", "b").points
    np.testing.assert_allclose(found[:, 1], 0)
    np.testing.assert_allclose(np.sqrt((found**2).mean()), 1)


def test_gaps_are_left_out_and_counted():
    found = own_points(table("a,b\n1,2\n,3\n3,n/a\n4,1\n5,6\n"), "a", "b")
    assert len(found.points) == 3
    assert found.notes == ("2 rows with a gap in a or b left out.",)


def test_text_columns_are_no_axes():
    named = table(
        "label,a,name,b\n" + "".join(f"{'uv'[i % 2]},{i},n{i},{i % 7}\n" for i in range(40))
    )
    assert set(numeric_columns(named)) == {"a", "b"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,word\nx,y\nz,w\n", "mine.csv has 0 columns of numbers"),
        ("name,a\nx,1.5\nz,2.5\n", "mine.csv has 1 column of numbers"),
    ],
)
def test_too_few_columns_are_one_sentence(text, words):
    with pytest.raises(DataError, match=words):
        numeric_columns(table(text))


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("a,b\n1,2\n", "1 different point "),
        ("a,b\n1,2\n1,2\n3,4\n3,4\n", "2 different points "),
        ("a,b\n1,2\n3,\n,4\n", "1 different point "),
    ],
)
def test_fewer_than_three_places_are_one_sentence(text, count):
    with pytest.raises(DataError, match=f"mine.csv has {count}in a and b"):
        own_points(table(text), "a", "b")


def test_one_column_cannot_be_both_axes():
    with pytest.raises(DataError, match="The axes are both a"):
        own_points(table("a,b\n1,2\n3,4\n5,7\n"), "a", "a")


def test_a_million_rows_are_drawn_evenly_and_always_alike():
    rng = np.random.default_rng(0)
    rows = 1_000_000
    lines = [f"{i % 100},{x}" for i, x in enumerate(rng.integers(0, 1000, rows).tolist())]
    large = table("a,b\n" + "\n".join(lines) + "\n")
    found = own_points(large, "a", "b")
    assert found.points.shape == (MOST, 2)
    assert found.notes[0] == "2,000 of 1,000,000 rows drawn evenly, always the same ones."
    assert found.fingerprint == own_points(large, "a", "b").fingerprint
    np.testing.assert_allclose(found.points.std(axis=0), 1, rtol=0.01)
    quarters = np.histogram(found.points[:, 0], 4)[0]
    assert (abs(quarters - MOST / 4) < 90).all(), "not drawn evenly"


def test_painted_points_are_points_too():
    painted, _ = painted_table([(100, 200, 0), (300, 400, 0), (900, 100, 0)])
    assert len(own_points(painted, "x", "y").points) == 3


def test_in_the_square_shapes_are_kept():
    found = in_square(np.array([[0.0, 0.0], [4.0, 1.0], [2.0, 2.0]]))
    np.testing.assert_allclose(found, [[0.05, 0.275], [0.95, 0.5], [0.5, 0.725]])
