"""Masked completion against a slow oracle and against the engines that train."""

import dataclasses

import numpy as np
import pytest
import torch

from clam_core.engines import Batch
from clam_core.kspace import KSpaceEngine
from workbench.builtin import builtin
from workbench.cell_words import cells_in_words, decimals_of
from workbench.completion import complete, dynamics_of
from workbench.dataset import DataError, prepare
from workbench.intake import read_table
from workbench.masking import Masking, hidden_columns
from workbench.preparation import Preparation
from workbench.recipe import Builtin, Recipe
from workbench.run import run

QUICK = {"n_clusters": 3, "n_init": 2, "n_epochs": 5}


@pytest.fixture(scope="module")
def flowers():
    recipe = Recipe(data=Builtin(name="iris"), method="clam", settings=QUICK)
    return run(recipe, prepare(builtin("iris")), compared=False)


def oracle(found, position, hidden):
    """Equations 9 and 4, one coordinate at a time."""
    X, rho, beta = found.dataset.X, found.prototypes, found.beta
    v = X[position].copy()
    v[hidden] = X.mean(0)[hidden]
    path = [v.copy()]
    for _ in range(10):
        logits = np.array([-beta * sum((r - v) ** 2) for r in rho])
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        step = sum(share * (r - v) for share, r in zip(shares, rho, strict=True)) / 10
        v = np.where(hidden, v + step, v)
        path.append(v)
    return np.array(path)


def test_each_step_is_the_equations(flowers):
    hidden = np.array([True, False, True, False])
    found = complete(flowers, 60, hidden)
    assert np.allclose(found.path, oracle(flowers, 60, hidden), atol=1e-10)
    truth = flowers.dataset.X[60]
    expected = np.square((truth - found.path[-1])[hidden]).sum()
    assert found.losses[-1] == pytest.approx(expected)
    assert found.losses[0] == pytest.approx(found.error(found.rivals["mean"]))
    assert (found.path[:, ~hidden] == truth[~hidden]).all()


@pytest.mark.parametrize("start", ["mean", "min", "max"])
def test_the_squared_error_is_the_loss_of_both_engines(flowers, start):
    hidden = np.array([False, True, True, False])
    found = complete(flowers, 5, hidden, start=start)
    assert found.loss == pytest.approx(found.losses[-1], rel=1e-10)
    engine = KSpaceEngine(
        flowers.prototypes[None], np.zeros((1, 3)), beta=flowers.beta, n_steps=10, step_size=0.1,
        loss="squared", learn_weights=False, dtype=torch.float64,
    )  # fmt: skip
    X = flowers.dataset.X
    fill = {"mean": X.mean(0), "min": X.min(0), "max": X.max(0)}[start]
    columns = torch.from_numpy(np.flatnonzero(hidden))
    batch = Batch(torch.from_numpy(X[5:6]), columns, torch.from_numpy(fill), None)
    assert float(engine.loss(batch)[0]) == pytest.approx(found.loss, rel=1e-8)


def test_weights_pull(flowers):
    hidden = np.array([False, True, True, True])
    heavy = dataclasses.replace(flowers, weights=np.array([1e-9, 1.0, 1e-9]))
    found = complete(heavy, 60, hidden)
    assert found.went_to[-1] == 1
    assert found.loss == pytest.approx(found.losses[-1], rel=1e-10)


def test_nothing_hidden_costs_nothing(flowers):
    found = complete(flowers, 0, np.zeros(4, dtype=bool))
    assert found.loss == 0 and not found.losses.any()
    assert (found.path == flowers.dataset.X[0]).all()


def test_all_hidden_is_recalled_from_the_mean(flowers):
    found = complete(flowers, 0, np.ones(4, dtype=bool))
    assert np.isfinite(found.path).all()
    assert np.allclose(found.rivals["neighbours"], flowers.dataset.X.mean(0))


def test_the_rivals_are_what_they_say(flowers):
    X, hidden = flowers.dataset.X, np.array([False, False, True, True])
    rivals = complete(flowers, 20, hidden).rivals
    near = np.square((flowers.prototypes - X[20])[:, :2]).sum(1).argmin()
    assert np.allclose(rivals["memory"][2:], flowers.prototypes[near, 2:])
    far = np.square((X - X[20])[:, :2]).sum(1)
    far[20] = np.inf
    reach = np.sort(far)[4]
    assert (far <= reach).sum() >= 5
    if (far <= reach).sum() == 5:
        assert np.allclose(rivals["neighbours"][2:], X[far <= reach][:, 2:].mean(0))
    assert (rivals["mean"][:2] == X[20, :2]).all()


def test_gaps_are_always_hidden_and_never_scored():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 5)).round(3)
    lines = [",".join("" if (i, j) == (3, 2) else str(v) for j, v in enumerate(row))
             for i, row in enumerate(X)]  # fmt: skip
    table = read_table("\n".join(["a,b,c,d,e", *lines]).encode(), "gap.csv")
    dataset = prepare(table)
    recipe = Recipe(data=Builtin(name="iris"), method="clam", settings=QUICK)
    found = run(recipe, dataset, compared=False)
    for filled in (dataset, prepare(table, Preparation(impute="mean"))):
        row = complete(dataclasses.replace(found, dataset=filled), 3, np.zeros(5, dtype=bool))
        assert row.hidden.tolist() == [False, False, True, False, False]
        assert not row.scored.any() and row.loss == 0
        assert row.path[-1, 2] != row.path[0, 2]


def test_the_sphere_is_refused(flowers):
    recipe = flowers.recipe.changed(settings={"energy": "spherical"})
    with pytest.raises(DataError, match="directions"):
        dynamics_of(recipe, flowers.prototypes, flowers.weights, 1.0)


def test_cells_are_written_as_their_column_writes_them():
    text = "size;price;when;colour;shape\n" + "\n".join(
        f"{['small', 'medium', 'large'][i % 3]};{i},{i % 10}0;2020-01-{i + 1:02d};"
        f"{['red', 'blue', 'green'][i % 3]};{['round', 'flat'][i % 2]}"
        for i in range(1, 25)
    )
    table = read_table(text.encode(), "things.csv")
    names = ("size", "price", "when", "colour", "shape")
    dataset = prepare(table, Preparation(features=names, roles={"size": "ordinal"}))
    at = 0
    for column in dataset.columns:
        points = dataset.X[:, at : at + len(column.features)]
        at += len(column.features)
        words = cells_in_words(column, points, decimals_of(table, column))
        assert words == table.frame[column.name].tolist(), column.name


def test_hidden_halves_reach_the_row(flowers):
    hidden = hidden_columns(Masking(how="hand", cells=(2,)), flowers.dataset)
    assert complete(flowers, 0, hidden).scored.tolist() == [False, False, True, False]
