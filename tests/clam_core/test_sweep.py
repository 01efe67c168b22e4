"""Configurations trained as one batch: each model is what it would have become alone."""

from typing import Any

import numpy as np
import pytest

from clam_core import ClAM, batches, fit_batch

BETAS = (0.05, 0.4, 3.0)
RATES = (0.1, 0.01, 0.3)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(3)
    return rng.normal(size=(90, 5)) + 3 * rng.integers(3, size=(90, 1))


def configurations(**settings: Any):
    settings = {"n_init": 4, "n_epochs": 3, "random_state": 7} | settings
    return [
        ClAM(3, beta=beta, learning_rate=rate, **settings)
        for beta, rate in zip(BETAS, RATES, strict=True)
    ]


def drain(models, X, stop=None):
    return list(fit_batch(models, X, stop=stop))


CASES = [
    {"engine": "numba"},
    {"engine": "numba", "loss": "absolute", "schedule": "plateau", "mask_rate": 0.5},
    {"engine": "numba", "energy": "weighted", "n_init": 7},
    {"engine": "torch"},
    {"engine": "torch", "loss": "absolute", "selection": "loss"},
    {"engine": "autograd", "schedule": "constant"},
    {"energy": "spherical"},
    {"engine": "torch", "corruption": "noise", "n_steps": 1},
]


@pytest.mark.parametrize("settings", CASES, ids=lambda case: "-".join(map(str, case.values())))
def test_a_batch_gives_the_models_of_one_by_one(rows, settings):
    together = configurations(**settings, dtype="float64")
    assert drain(together, rows)[-1] == (3, 3)
    for model, alone in zip(together, configurations(**settings, dtype="float64"), strict=True):
        alone.fit(rows)
        np.testing.assert_allclose(model.restarts_, alone.restarts_, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(model.history_, alone.history_, rtol=1e-9)
        assert (model.labels_ == alone.labels_).all()
        assert (model.restart_, model.beta_, model.engine_, model.n_iter_) == (
            alone.restart_, alone.beta_, alone.engine_, alone.n_iter_,
        )  # fmt: skip


def test_lanes_do_not_look_at_each_other(rows):
    """Registers of other company: the same to the last bit, in single precision."""
    together = configurations(engine="numba")
    drain(together, rows)
    for model, alone in zip(together, configurations(engine="numba"), strict=True):
        assert (model.restarts_ == alone.fit(rows).restarts_).all()


def test_rows_with_gaps_and_a_sampled_selection_agree_too(rows):
    X = np.tile(rows, (25, 1)) + np.arange(25 * len(rows))[:, None] / 1e3
    X[::7, 1] = np.nan
    settings: dict[str, Any] = {"n_epochs": 1, "n_init": 2}
    together = configurations(**settings)
    drain(together, X)
    for model, alone in zip(together, configurations(**settings), strict=True):
        alone.fit(X)
        assert (model.restarts_ == alone.restarts_).all()
        assert model.restart_ == alone.restart_


def test_an_automatic_beta_is_found_once_for_all_rates(rows):
    models = [ClAM(3, n_init=2, n_epochs=2, learning_rate=r, random_state=1) for r in (0.1, 0.02)]
    drain(models, rows)
    alone = ClAM(3, n_init=2, n_epochs=2, learning_rate=0.02, random_state=1).fit(rows)
    assert models[1].beta_ == alone.beta_
    assert (models[1].restarts_ == alone.restarts_).all()


def test_models_are_grouped_by_all_but_beta_and_rate():
    plain = ClAM(3, beta=1.0, random_state=0)
    others = [
        ClAM(3, beta=2.0, learning_rate=0.5, random_state=0),
        ClAM(3, beta=1.0, n_steps=5, random_state=0),
        ClAM(3, random_state=0),
        ClAM(3, beta=9.0, mask_rate=0.3, random_state=0),
        ClAM(3, beta=9.0, n_steps=5, random_state=0),
        ClAM(3, beta=9.0, init=np.zeros((3, 2)), random_state=0),
        ClAM(3, beta=8.0, init=np.zeros((3, 2)), random_state=0),
        ClAM(3, beta=8.0, init=np.ones((3, 2)), random_state=0),
    ]
    assert batches([plain, *others]) == [[0, 1], [2, 5], [3], [4], [6, 7], [8]]


def test_models_of_several_batches_are_refused(rows):
    with pytest.raises(ValueError, match="differ in nothing but beta and learning_rate"):
        fit_batch([ClAM(3, beta=1.0), ClAM(3, beta=1.0, n_steps=2)], rows)
    with pytest.raises(ValueError, match=r"beta=-1 should be > 0"):
        fit_batch([ClAM(3, beta=1.0), ClAM(3, beta=-1)], rows)


def test_a_stop_leaves_usable_models(rows):
    models = configurations(n_epochs=50)
    iterator = fit_batch(models, rows, stop=lambda: models[0] is not None and bool(asked))
    asked = []
    next(iterator)
    next(iterator)
    asked.append(True)
    assert next(iterator)[0] < 50
    assert list(iterator) == []
    for model in models:
        assert model.n_iter_ < 50
        assert len(model.predict(rows)) == len(rows)


def test_a_hopeless_configuration_harms_no_other(rows):
    settings: dict[str, Any] = {"n_init": 2, "n_epochs": 2, "random_state": 0, "engine": "numba"}
    pair = [ClAM(3, beta=0.5, **settings), ClAM(3, beta=0.5, learning_rate=1e30, **settings)]
    with pytest.warns(UserWarning, match="not finite"):
        drain(pair, rows)
    alone = ClAM(3, beta=0.5, **settings).fit(rows)
    assert (pair[0].restarts_ == alone.restarts_).all()
