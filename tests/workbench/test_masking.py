"""What a choice of hidden values comes to."""

import numpy as np
import pytest

from workbench.builtin import builtin
from workbench.dataset import DataError, prepare
from workbench.masking import Masking, another_row, hidden_columns, hidden_number, of_features


@pytest.fixture(scope="module")
def digits():
    return prepare(builtin("digits"))


@pytest.fixture(scope="module")
def iris():
    return prepare(builtin("iris"))


def test_a_share_hides_that_many_columns_by_the_seed(digits):
    chosen = [hidden_columns(Masking(share=0.5, seed=seed), digits) for seed in (0, 0, 1)]
    assert [int(each.sum()) for each in chosen] == [30, 30, 30]  # round(.5 * 61)
    assert (chosen[0] == chosen[1]).all() and (chosen[0] != chosen[2]).any()


@pytest.mark.parametrize(("share", "n", "expected"), [(0.01, 4, 1), (0.99, 4, 3), (0.5, 1, 1)])
def test_one_is_hidden_and_one_visible_where_there_are_two(share, n, expected):
    assert hidden_number(share, n) == max(1, expected)


def test_halves_of_an_image_are_its_halves(digits):
    image = np.zeros((5, 64), dtype=bool)
    for at, how in enumerate(("top", "bottom", "left", "right", "centre")):
        image[at, np.flatnonzero(digits.pixels)] = hidden_columns(Masking(how=how), digits)
    top, bottom, left, right, centre = image.reshape(5, 8, 8)
    assert not top[4:].any() and top[:4, 2:6].all()
    assert (top ^ bottom)[:, 2:6].all() and (left ^ right)[2:6, 1:7].all()
    assert not left[:, 4:].any()
    assert centre.sum() == 16 and centre[2:6, 2:6].all()


def test_a_half_of_a_table_is_refused(iris):
    with pytest.raises(DataError, match="no images"):
        hidden_columns(Masking(how="top"), iris)


def test_by_hand_hides_what_is_named_and_forgets_columns_that_are_gone(iris):
    chosen = hidden_columns(Masking(how="hand", cells=(1, 3, 99)), iris)
    assert chosen.tolist() == [False, True, False, True]


def test_a_category_is_hidden_whole(tmp_path):
    from workbench.intake import read_table
    from workbench.preparation import Preparation

    text = "a,colour\n" + "\n".join(f"{i},{['red', 'green', 'blue'][i % 3]}" for i in range(12))
    table = read_table(text.encode(), "colours.csv")
    dataset = prepare(table, Preparation(features=("a", "colour")))
    assert of_features(np.array([False, True]), dataset).tolist() == [False, True, True, True]


def test_it_travels_in_a_link_and_a_forged_one_is_refused():
    masking = Masking(row=7, how="hand", cells=(1, 2), start="min")
    assert Masking.of_text(masking.to_text()) == masking
    assert Masking.of_text(masking.changed(how="share").to_text()).cells == ()
    with pytest.raises(DataError):
        Masking.of_text("nonsense")


def test_another_row_is_another_and_the_same_again(iris):
    rows = {another_row(Masking(row=3, seed=seed), iris) for seed in (0, 0, 1, 2)}
    assert 3 not in rows and len(rows) == 3
