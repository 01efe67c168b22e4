"""Painted points as a table: the CSV, the way back, and what no browser of ours sends."""

import numpy as np
import pytest

from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.painting import (
    INKS,
    MOST,
    NAME,
    SIDE,
    drawing,
    drawing_of,
    is_drawing,
    painted_table,
    to_csv,
)
from workbench.table import DataError

rng = np.random.default_rng(0)
SPRAYED = [[int(x), int(y), int(ink)] for x, y, ink in rng.integers(0, [1001, 1001, 6], (300, 3))]


def test_a_drawing_becomes_the_table_that_its_csv_is_and_comes_back():
    points = drawing({"points": SPRAYED})
    table, payload = painted_table(points)
    again = read_table(payload, NAME)
    assert table.fingerprint == again.fingerprint and table.frame.equals(again.frame)
    assert not table.repairs and not table.column_repairs and not len(table.rejected)
    assert drawing_of(table) == points and is_drawing(table)
    places = table.frame[["x", "y"]].astype(float).to_numpy()
    np.testing.assert_allclose(places, np.array(points)[:, :2] / SIDE)


def test_several_inks_are_reference_labels_and_one_is_none():
    table, _ = painted_table(drawing({"points": SPRAYED}))
    assert prepare(table).label == "label"
    assert set(prepare(table).y) == set(INKS)
    assert prepare(table).features == ("x", "y")
    one = to_csv([(x, y, 3) for x, y, _ in SPRAYED])
    assert one.startswith(b"x,y\n") and b"d" not in one


def test_points_may_coincide_and_lie_on_the_edge():
    points = drawing({"points": [[0, 0, 0], [0, 0, 0], [SIDE, SIDE, 5]]})
    table, payload = painted_table(points)
    assert payload == b"x,y,label\n0,0,a\n0,0,a\n1,1,f\n"
    assert drawing_of(table) == points


@pytest.mark.parametrize(
    "message",
    [
        None, 7, "points", {}, {"points": None}, {"points": "abc"}, {"points": {"0": [1, 2, 0]}},
        {"points": [1, 2, 0]}, {"points": [[1, 2]]}, {"points": ["120"]}, {"points": [[1, 2, 6]]},
        {"points": [[1, 2, -1]]}, {"points": [[-1, 2, 0]]}, {"points": [[1, 1001, 0]]},
        {"points": [[0.5, 2, 0]]}, {"points": [[True, 2, 0]]}, {"points": [[1, 10**400, 0]]},
        {"points": [[float("nan"), 2, 0]]}, {"points": [[1, 2, [0]]]},
    ],
)  # fmt: skip
def test_a_forged_message_is_one_clear_sentence(message):
    with pytest.raises(DataError, match="came in an unknown form: reload the page"):
        drawing(message)


def test_nothing_and_too_much_are_said():
    with pytest.raises(DataError, match="No point is painted"):
        drawing({"points": []})
    with pytest.raises(DataError, match=r"points=2,001 should be at most 2,000: erase some\."):
        drawing({"points": [[1, 1, 0]] * (MOST + 1)})
    assert len(drawing({"points": [[1, 1, 0]] * MOST})) == MOST


@pytest.mark.parametrize(
    "cells", [b"a,b\n1,2\n", b"x,y\n0.5,7\n", b"x,y,label\n0,0,zebra\n0,1,a\n"]
)
def test_a_file_that_only_bears_the_name_is_no_drawing(cells):
    named = read_table(cells, NAME)
    assert not is_drawing(named)
    with pytest.raises(DataError):
        drawing_of(named)
