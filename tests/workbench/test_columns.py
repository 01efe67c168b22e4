"""Columns as features: scales, categories, orders, dates, gaps, weights; and the way back."""

import numpy as np
import pytest

from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.reading import Reading
from workbench.table import DataError

RNG = np.random.default_rng(1)
N = 200
SUMS = np.exp(RNG.normal(size=N))
COLOURS = RNG.choice(["red", "green", "blue"], N, p=[0.6, 0.3, 0.1])


def read(text):
    return read_table(text.encode(), "table.csv")


def rows(*columns, names="x,y"):
    lines = (",".join(map(str, row)) for row in zip(*columns, strict=True))
    return read("\n".join([names, *lines]))


PAIR = rows(SUMS, COLOURS, names="sum,colour")


@pytest.mark.parametrize(
    ("scaling", "low", "high"),
    [("min-max", 0.0, 1.0), ("none", SUMS.min(), SUMS.max())],
)
def test_ends_after_scaling(scaling, low, high):
    X = prepare(PAIR, Preparation(scaling=scaling)).X
    np.testing.assert_allclose([X.min(), X.max()], [low, high])


def test_a_robust_scale_has_median_0_and_quartiles_1_apart():
    X = prepare(PAIR, Preparation(scaling="robust")).X
    low, middle, high = np.quantile(X, [0.25, 0.5, 0.75])
    np.testing.assert_allclose([middle, high - low], [0, 1], atol=1e-12)


@pytest.mark.parametrize("scaling", ["standard", "robust", "min-max", "none"])
@pytest.mark.parametrize("log", [(), ("sum",)])
def test_restore_is_the_way_back(scaling, log):
    chosen = Preparation(scaling=scaling, log=log, features=("sum", "colour"), weights={"sum": 3})
    dataset = prepare(PAIR, chosen)
    back = dataset.restore(dataset.X)
    np.testing.assert_allclose(back[:, 0], SUMS)
    assert dataset.features[1:] == ("colour = red", "colour = green", "colour = blue")
    np.testing.assert_allclose(back[:, 1:], COLOURS[:, None] == ["red", "green", "blue"], atol=1e-9)


def test_a_logarithm_is_taken_before_scaling():
    X = prepare(PAIR, Preparation(log=("sum",))).X[:, 0]
    logs = np.log(SUMS)
    np.testing.assert_allclose(X, (logs - logs.mean()) / logs.std())
    zero = prepare(rows([0, 1, 3], [1, 2, 4]), Preparation(log=("x",), scaling="none"))
    np.testing.assert_allclose(zero.X[:, 0], np.log([1, 2, 4]))


@pytest.mark.parametrize("words", [["yes", "no"], ["a", "b", "c"], list("abcdefgh")])
def test_a_category_differs_as_much_as_a_number(words):
    cells = RNG.choice(words, 3000)
    numbers = RNG.normal(size=3000)
    X = prepare(rows(cells, numbers), Preparation(features=("x", "y"))).X
    first, second = X[RNG.integers(0, 3000, 20_000)], X[RNG.integers(0, 3000, 20_000)]
    squares = (first - second) ** 2
    category, number = squares[:, :-1].sum(axis=1).mean(), squares[:, -1].mean()
    assert category == pytest.approx(number, rel=0.1) == pytest.approx(2, rel=0.1)


def test_two_words_need_one_feature_and_rare_words_share_one():
    assert prepare(rows(["a", "b", "a"], [1, 2, 3]), Preparation(features=("x",))).features == (
        "x = a",
    )
    cells = [*"aaaabbbccdef"]
    chosen = Preparation(features=("x",), most_categories=3, scaling="none")
    dataset = prepare(rows(cells, range(12)), chosen)
    assert dataset.features == ("x = a", "x = b", "x: other values")
    assert (dataset.X[:, 2] > 0).tolist() == [cell in "cdef" for cell in cells]


def test_a_missing_category_is_a_gap_in_all_of_its_features():
    table = rows(["a", "b", "", "c"] * 5, range(20))
    X = prepare(table, Preparation(features=("x", "y"))).X
    assert np.isnan(X[2, :3]).all() and not np.isnan(X[[0, 1, 3]]).any()


@pytest.mark.parametrize(("impute", "value"), [("mean", 2.75), ("median", 2.0)])
def test_gaps_are_filled_in_the_columns_own_units(impute, value):
    table = rows([1, 2, "", 2, 6], [5, 6, 7, 8, 9])
    dataset = prepare(table, Preparation(impute=impute))
    assert dataset.restore(dataset.X)[2, 0] == pytest.approx(value)


def test_rows_with_gaps_can_stay_out():
    dataset = prepare(rows([1, 2, "", 2, 6], [5, 6, 7, 8, 9]), Preparation(impute="drop"))
    assert dataset.row_ids.tolist() == [1, 2, 4, 5] and not np.isnan(dataset.X).any()
    assert "1 row with a missing cell left unclustered: row 3." in dataset.warnings


def test_a_weight_multiplies_squared_differences():
    plain, heavy = (prepare(PAIR, Preparation(weights=w)).X for w in ({}, {"sum": 4.0}))
    np.testing.assert_allclose(heavy, 2 * plain)


def test_an_order_is_known_or_told():
    table = rows(["low", "high", "medium", "low"], [1, 2, 3, 4])
    chosen = Preparation(features=("x",), roles={"x": "ordinal"}, scaling="none")
    dataset = prepare(table, chosen)
    assert dataset.X[:, 0].tolist() == [0, 2, 1, 0]
    assert "x in the order low, medium and high." in dataset.steps


def test_dates_are_days():
    table = rows(["1970-01-02", "1970-01-11", "NA"], [1, 2, 3])
    chosen = Preparation(features=("x", "y"), roles={"x": "date"}, scaling="none")
    np.testing.assert_array_equal(prepare(table, chosen).X[:, 0], [1, 10, np.nan])


def test_chosen_rows_keep_their_numbers():
    dataset = prepare(PAIR, Preparation(rows="3-10,50"))
    assert dataset.row_ids.tolist() == [*range(3, 11), 50] and not dataset.complete
    assert "Only 9 chosen rows clustered." in dataset.steps


@pytest.mark.parametrize("impute", ["leave", "mean", "median", "drop"])
def test_applied_to_the_same_table_it_gives_the_same_rows(impute):
    table = rows([*SUMS[:-1], ""], COLOURS, names="sum,colour")
    dataset = prepare(table, Preparation(features=("sum", "colour"), impute=impute))
    X, row_ids, notes = dataset.apply(table)
    np.testing.assert_array_equal(X, dataset.X)
    np.testing.assert_array_equal(row_ids, dataset.row_ids)
    assert len(notes) == (impute == "drop")


def test_another_table_is_scaled_by_the_first():
    dataset = prepare(PAIR, Preparation(features=("sum", "colour")))
    new = read("colour,sum,more\nred,1,x\nviolet,2,y\n")
    X, row_ids, notes = dataset.apply(new)
    assert row_ids.tolist() == [1, 2]
    np.testing.assert_allclose(dataset.restore(X)[:, 0], [1, 2])
    assert np.isnan(X[1, 1:]).all()
    assert notes == ("colour: values that were not there before: violet.",)
    with pytest.raises(DataError, match="lacks 1 column: sum"):
        dataset.apply(read("colour,x\nred,1\n"))


def test_told_spellings_of_missing_count_in_categories_too():
    table = read_table(
        b"x,y\na,1\nunknown,2\nb,3\nc,4\n", "table.csv", Reading(missing=("unknown",))
    )
    dataset = prepare(table, Preparation(features=("x", "y")))
    assert dataset.features == ("x = a", "x = b", "x = c", "y")
    assert np.isnan(dataset.X[1, :3]).all()


def test_a_date_that_is_told_to_be_missing_is_a_gap():
    told = Reading(missing=("1900-01-01",))
    table = read_table(b"x,y\n1970-01-02,1\n1900-01-01,2\n1970-01-11,3\n", "t.csv", told)
    chosen = Preparation(features=("x", "y"), roles={"x": "date"}, scaling="none")
    dataset = prepare(table, chosen)
    np.testing.assert_array_equal(dataset.X[:, 0], [1, np.nan, 10])
    np.testing.assert_array_equal(dataset.apply(table).X, dataset.X)


@pytest.mark.parametrize("second", ["1970-01-03T00:00:00Z", "1970-01-03T02:00:00+02:00"])
def test_dates_with_a_zone_are_days_in_greenwich(second):
    table = rows(["1970-01-02T00:00:00Z", second, "1970-01-05T12:00:00Z"], [1, 2, 3])
    chosen = Preparation(features=("x",), roles={"x": "date"}, scaling="none")
    assert prepare(table, chosen).X[:, 0].tolist() == [1, 2, 4.5]


def test_a_log_scale_minds_clustered_rows_only():
    table = rows([-5, 1, 2, 4], [1, 2, 3, 4])
    dataset = prepare(table, Preparation(log=("x",), rows="2-4", scaling="none"))
    np.testing.assert_allclose(dataset.X[:, 0], np.log([1, 2, 4]))
    with pytest.raises(DataError, match="column='x' has negative numbers"):
        prepare(table, Preparation(log=("x",)))


def test_cells_of_new_rows_that_cannot_be_read_are_told():
    table = rows([1, 2, 3, 4, 5], [f"2024-01-0{i}" for i in range(1, 6)], names="kg,day")
    chosen = Preparation(features=("kg", "day"), roles={"day": "date"}, log=("kg",))
    dataset = prepare(table, chosen)
    days = [f"2024-01-0{i}" for i in range(1, 7)]
    notes = dataset.apply(rows([1, "20 kg", 0, -5, 2, 3], days, names="kg,day")).notes
    assert notes == (
        "kg: 1 unreadable cell taken as missing, row 2.",
        "kg: 2 zero or negative cells taken as missing, rows 3 and 4.",
    )
    with pytest.raises(DataError, match="column='day' should hold dates: fewer than 80% of its"):
        dataset.apply(rows([1, 2], ["01.02.2024", "02.02.2024"], names="kg,day"))
    with pytest.raises(DataError, match="column='kg' should hold numbers"):
        dataset.apply(rows(["1 kg", "2 kg"], days[:2], names="kg,day"))
