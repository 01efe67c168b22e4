"""What the table of columns says becomes a preparation, as short as it can be."""

import pytest

from ui.preparation_controls import chosen_columns, overview
from workbench.facts import column_facts
from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.roles import guess_roles
from workbench.table import DataError

ROWS = "".join(f"r{i},{i * 0.5},{i * i},{'red' if i % 2 else 'blue'}\n" for i in range(40))
TABLE = read_table(f"id,x,y,colour\n{ROWS}".encode(), "table.csv")
GUESSES = guess_roles(TABLE)


def shown(preparation=None):
    facts = column_facts(TABLE, GUESSES)
    return overview(TABLE, preparation or Preparation(), GUESSES, facts)


def edited(**cells):
    frame = shown()
    for column, changes in cells.items():
        for name, value in changes.items():
            frame.loc[frame["Column"] == name, column] = value
    return frame


def test_nothing_changed_is_nothing_written():
    found = chosen_columns(shown(), TABLE, GUESSES)
    assert Preparation(**found) == Preparation()


def test_what_is_changed_comes_back():
    frame = edited(Use={"colour": True}, Log={"y": True}, Weight={"x": 2.5}, Role={"id": "ignore"})
    found = Preparation(**chosen_columns(frame, TABLE, GUESSES))
    assert found.features == ("x", "y", "colour")
    assert found.log == ("y",) and dict(found.weights) == {"x": 2.5}
    assert dict(found.roles) == {"id": "ignore"}
    again = shown(found)
    assert again.drop(columns=["Looks like"]).equals(frame.drop(columns=["Looks like"]))


def test_no_column_chosen_and_two_labels_are_a_sentence():
    with pytest.raises(DataError, match="Choose at least one column"):
        chosen_columns(edited(Use={"x": False, "y": False}), TABLE, GUESSES)
    with pytest.raises(DataError, match="x and colour are all labels"):
        chosen_columns(edited(Role={"x": "label", "colour": "label"}), TABLE, GUESSES)


def test_a_label_is_never_a_feature():
    found = chosen_columns(edited(Role={"x": "label"}), TABLE, GUESSES)
    assert Preparation(**found).features is None  # y is all that is numeric now
