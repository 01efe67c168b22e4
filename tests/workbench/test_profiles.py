"""Effects against slow ones, and the columns that may describe a cluster."""

import time

import numpy as np
import pytest

from tests.workbench.exploring import blobs, dataset_of
from workbench.dataset import prepare
from workbench.distributions import distributions
from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.profiles import category_counts, cohens_d, cohens_h, described, profiles
from workbench.reading import Reading


def slow_d(inside, outside):
    """Cohen's d as it is written in books."""
    n, m = len(inside), len(outside)
    spread = (n - 1) * inside.var(ddof=1) + (m - 1) * outside.var(ddof=1)
    return (inside.mean() - outside.mean()) / np.sqrt(spread / (n + m - 2))


@pytest.mark.parametrize("offset", [0.0, 1e7])
def test_d_is_that_of_the_books_without_gaps_and_rows_not_clustered(offset):
    rng = np.random.default_rng(0)
    labels = rng.integers(-1, 4, 200)
    values = rng.normal(size=200) * 3 + labels + offset
    values[rng.random(200) < 0.2] = np.nan
    effects, inside, outside = cohens_d(values, labels, 4)
    known = ~np.isnan(values)
    for label in range(4):
        own, rest = known & (labels == label), known & (labels >= 0) & (labels != label)
        assert effects[label] == pytest.approx(slow_d(values[own], values[rest]), abs=1e-6)
        assert inside[label] == pytest.approx(values[own].mean())
        assert outside[label] == pytest.approx(values[rest].mean())


def test_effects_that_nothing_defines():
    one = cohens_d(np.arange(5.0), np.zeros(5, int), 1)
    assert np.isnan(one[0]).all() and one[1][0] == 2
    empty = cohens_d(np.arange(4.0), np.array([0, 0, 2, 2]), 3)[0]
    assert np.isnan(empty[1]) and np.isfinite(empty[[0, 2]]).all()
    apart = cohens_d(np.array([1.0, 1, 5, 5]), np.array([0, 0, 1, 1]), 2)[0]
    assert apart.tolist() == [-np.inf, np.inf]
    same = cohens_d(np.full(4, 0.1), np.array([0, 0, 1, 1]), 2)[0]
    assert same.tolist() == [0, 0]
    assert np.isnan(cohens_d(np.full(3, np.nan), np.array([0, 1, 1]), 2)[0]).all()


def test_h_is_even_and_spans_from_minus_pi_to_pi():
    assert cohens_h(1.0, 0.0) == pytest.approx(np.pi) == -cohens_h(0.0, 1.0)
    assert cohens_h(0.3, 0.3) == 0 and cohens_h(0.6, 0.2) == -cohens_h(0.2, 0.6)


def test_columns_that_were_not_clustered_on_describe_clusters_too():
    X, y = blobs()
    dataset = dataset_of(
        X,
        income=1000 + 500 * y + np.arange(len(y)) % 7,
        colour=np.where(y == 0, "red", np.where(np.arange(len(y)) % 2, "blue", "")),
        name=[f"person {at}" for at in range(len(y))],
        always=["yes"] * len(y),
    )
    found = profiles(dataset, y, 3)
    used = {column.name: column.used for column in found.columns}
    assert used == {"a": True, "b": True, "c": True, "income": False, "colour": False}
    assert set(found.left_out) == {"name", "always"}
    strong = {trait.column: trait.effect for trait in found.telling(0)}
    assert strong["income"] < -1.5 and list(map(abs, strong.values())) == sorted(
        map(abs, strong.values()), reverse=True
    )
    (colour,) = [trait for trait in found.traits[0] if trait.column == "colour"]
    assert (colour.category, colour.inside, colour.outside) == ("red", 1, 0)
    assert colour.effect == pytest.approx(np.pi)
    strength = np.abs(found.effects).max(axis=0)
    assert (np.diff(strength) <= 0).all()


def test_columns_are_described_by_their_roles():
    X, y = blobs(30, 1)
    dataset = dataset_of(
        X,
        roles={"grade": "category", "size": "ordinal", "day": "date"},
        features=("grade", "size", "day"),
        grade=y + 1,
        size=np.array(["small", "medium", "large"])[y],
        day=np.datetime64("2024-01-01") + y,
    )
    found = {column.name: column for column in profiles(dataset, y, 3).columns}
    assert all(column.used for column in found.values())
    assert set(found["grade"].categories) == {"1", "2", "3"}
    counts = category_counts(found["grade"], y, 3)
    assert counts.sum() == 30 and sorted(counts.max(axis=0)) == [10, 10, 10]
    assert found["size"].order == ("small", "medium", "large") and not found["size"].categories
    assert found["size"].values == pytest.approx(y)
    assert found["day"].dates and found["day"].values == pytest.approx(19723 + y)


def test_only_known_cells_describe_a_cluster():
    lines = [f"{i},{('small', 'large', '')[i % 3]},{('2024-01-02', '', '2024-01-09')[i % 3]},"
             f"{('red', 'blue', 'unknown')[i % 3]}" for i in range(30)]  # fmt: skip
    table = read_table(
        "\n".join(["x,size,day,colour", *lines]).encode(), "t.csv", Reading(missing=("unknown",))
    )
    preparation = Preparation(
        features=("x", "size", "day"), roles={"size": "ordinal", "day": "date"}, impute="mean"
    )
    found = {column.name: column for column in described(prepare(table, preparation))[0]}
    np.testing.assert_allclose(found["size"].values[:3], [0, 1, np.nan])
    np.testing.assert_allclose(found["day"].values[:3], [19724, np.nan, 19731])
    assert set(found["colour"].categories) == {"red", "blue"} and found["colour"].values[2] == -1


def test_one_cluster_has_no_effects():
    X, _ = blobs(20, 2)
    found = profiles(dataset_of(X), np.zeros(20, int), 1)
    assert np.isnan(found.effects).all() and found.telling(0) == []


def test_distributions_share_their_bins_and_miss_no_value():
    rng = np.random.default_rng(1)
    values, labels = rng.normal(size=500), rng.integers(0, 3, 500)
    values[::9] = np.nan
    labels[:20] = -1
    edges, found = distributions(values, labels, 4)
    for label in range(3):
        own = values[(labels == label) & ~np.isnan(values)]
        assert found[label].n == len(own) and found[label].density.sum() == pytest.approx(1)
        assert found[label].quantiles == pytest.approx(
            np.quantile(own, [0.05, 0.25, 0.5, 0.75, 0.95])
        )
        assert len(found[label].density) == len(edges) - 1
    assert found[3].n == 0 and found[3].density.sum() == 0 and np.isnan(found[3].quantiles).all()


def test_few_distinct_values_have_a_bin_each():
    values = np.array([1.0, 1, 2, 10, 10, 10])
    edges, (only,) = distributions(values, np.zeros(6, int), 1)
    assert edges == pytest.approx([0.5, 1.5, 6, 14]) and only.density == pytest.approx(
        [1 / 3, 1 / 6, 1 / 2]
    )
    edges, (only,) = distributions(np.zeros(3), np.zeros(3, int), 1)
    assert edges[0] < 0 < edges[1] and only.density.tolist() == [1]


def test_many_rows_are_quick():
    X, y = blobs(100_000, 12)
    dataset = dataset_of(X)
    began = time.monotonic()
    found = profiles(dataset, y, 3)
    distributions(found.columns[0].values, y, 3)
    assert time.monotonic() - began < 5
