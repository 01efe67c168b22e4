"""SLK beside its rivals, and lambda swept, as the page shows them."""

import numpy as np
import pytest

from slk_core import SLK
from slk_core.settings import lam_unit
from workbench.builtin import builtin
from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.laplacian import laplacian_run, rivals, share_cut, sweep
from workbench.metrics import ari
from workbench.recipe import Builtin, Recipe, from_link, to_link


def recipe(name="moons", **settings):
    return Recipe(
        data=Builtin(name=name), method="slk",
        settings={"n_clusters": 2, "n_init": 4} | settings,
    )  # fmt: skip


def dataset(name="moons"):
    return prepare(builtin(name))


@pytest.fixture(scope="module")
def moons():
    return laplacian_run(recipe(), dataset()), dataset()


def test_clusters_are_numbered_by_size_and_so_are_their_modes(moons):
    run, data = moons
    sizes = np.bincount(run.labels, minlength=2)
    assert list(sizes) == sorted(sizes, reverse=True)
    assert run.modes.shape == (2, 2) and list(run.labels[run.mode_rows]) == [0, 1]
    assert np.all((run.certainty > 0) & (run.certainty <= 1 + 1e-6))


def test_edges_join_each_pair_once(moons):
    run, data = moons
    assert np.all(run.edges[:, 0] < run.edges[:, 1])
    assert len(np.unique(run.edges, axis=0)) == len(run.edges)
    assert run.cut == share_cut(run.labels, run.edges)


def test_the_graph_follows_shapes_that_prototypes_cannot(moons):
    run, data = moons
    alone = rivals(recipe(), data, run.labels)
    assert set(alone) == {"k-means", "ClAM"}
    assert ari(run.labels, data.y) > max(ari(labels, data.y) for labels in alone.values())


def test_lambda_is_measured_in_units_of_the_coexistence_coupling(moons):
    run, _ = moons
    assert run.lam == pytest.approx(1.25 * run.unit)
    assert run.unit == pytest.approx(lam_unit(SLK(2))) == 1.0  # c(2) = 2, t = 1


def test_a_sweep_begins_without_the_graph_and_keeps_numbers():
    found = sweep(recipe(), dataset(), units=(0.0, 1.0, 1.25))
    alone = laplacian_run(recipe(coupling=0.0), dataset())
    assert ari(found.labels[0], alone.labels) == 1
    assert found.cut[0] == pytest.approx(alone.cut)
    assert found.labels.shape == (3, 400) and np.all(found.found <= 2)
    same = (found.labels[1:] == found.labels[:-1]).mean(axis=1)
    assert np.all(same >= 0.5), "numbers follow the overlap"


def test_gaps_count_as_the_columns_mean():
    data = dataset("iris")
    data.X[3, 1] = np.nan
    found = laplacian_run(recipe("iris", n_clusters=3), data)
    assert found.n_found == 3


def test_more_clusters_than_rows_is_a_sentence():
    with pytest.raises(ValueError, match="k = 200 is more than the 150 rows: lower k"):
        laplacian_run(recipe("iris", n_clusters=200), dataset("iris"))


def test_links_keep_every_setting():
    asked = recipe(coupling=0.75, n_neighbors=7, modes="byproduct", balance=0.1)
    assert from_link(to_link(asked))[0] == asked


def three_groups():
    """Twenty rows round each of three corners that lie far apart."""
    places = np.repeat([[0, 0], [100, 100], [0, 100]], 20, axis=0)
    points = places + np.random.default_rng(0).normal(size=(60, 2))
    text = "x,y\n" + "".join(f"{x},{y}\n" for x, y in points)
    return prepare(read_table(text.encode(), "corners.csv"))


@pytest.mark.parametrize(
    ("settings", "notes"),
    [
        (
            {"n_clusters": 2},
            (
                "The graph has 3 separate pieces at 5 neighbours; with k below 3 some are joined "
                "at will: raise k, or take more neighbours.",
            ),
        ),
        (
            {"n_clusters": 3},
            (
                "The graph has 3 separate pieces at 5 neighbours: only modes, not edges, can join "
                "them.",
            ),
        ),
        ({"n_clusters": 2, "n_neighbors": 40}, ()),
        ({"n_clusters": 1}, ()),
        ({"n_clusters": 2, "coupling": 0.0}, ()),
        (
            {"n_clusters": 3, "n_neighbors": 100},
            ("Each row has only 59 neighbours, so the graph joins all rows.",),
        ),
    ],
)
def test_a_graph_in_pieces_or_without_enough_rows_is_told(settings, notes):
    asked = recipe(**({"n_neighbors": 5, "n_init": 1} | settings))
    assert laplacian_run(asked, three_groups()).notes == notes
