"""DEC descends KL(p || q) from k-means, and from random rows ends worse."""

from typing import Any

import numpy as np
import pytest
import torch
from sklearn import cluster
from sklearn.datasets import load_digits, make_blobs
from sklearn.utils.estimator_checks import parametrize_with_checks

from workbench.baselines.dec import DEC, centre_gradient, divergence, soft_assignment, target
from workbench.methods import METHODS
from workbench.metrics import ari, nmi, silhouette
from workbench.progress import Cancelled

Lloyd: Any = cluster.KMeans
DIGITS: Any = load_digits()


@parametrize_with_checks([DEC(n_clusters=3, n_init=1, max_iter=300)])
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def slow_assignment(rows, centres):
    q = np.zeros((len(rows), len(centres)))
    for i, row in enumerate(rows):
        for j, centre in enumerate(centres):
            q[i, j] = 1 / (1 + ((row - centre) ** 2).sum())
        q[i] /= q[i].sum()
    return q


def slow_target(q):
    p = np.zeros_like(q)
    for i in range(len(q)):
        for j in range(q.shape[1]):
            p[i, j] = q[i, j] ** 2 / q[:, j].sum()
        p[i] /= p[i].sum()
    return p


def slow_divergence(p, q):
    return sum(a * np.log(a / b) for a, b in zip(p.ravel(), q.ravel(), strict=True)) / len(p)


@pytest.fixture
def scene():
    rng = np.random.default_rng(0)
    return rng.normal(size=(40, 3)), rng.normal(size=(5, 3))


def test_each_formula_against_slow_sums(scene):
    rows, centres = scene
    q = slow_assignment(rows, centres)
    p = slow_target(q)
    fast = soft_assignment(*map(torch.tensor, scene))
    assert np.allclose(fast, q)
    assert np.allclose(target(fast), p)
    assert float(divergence(target(fast), fast)) == pytest.approx(slow_divergence(p, q))
    assert torch.isfinite(divergence(torch.eye(3), torch.eye(3)))


def test_the_gradient_is_that_of_the_divergence(scene):
    rows, centres = scene
    p = slow_target(slow_assignment(*scene))
    slope = centre_gradient(*map(torch.tensor, (rows, centres, p))).numpy()
    for j, t in np.ndindex(centres.shape):
        nudge = np.zeros_like(centres)
        nudge[j, t] = 1e-5
        above, below = (slow_divergence(p, slow_assignment(rows, centres + s * nudge))
                        for s in (1, -1))  # fmt: skip
        assert slope[j, t] == pytest.approx((above - below) / 2e-5, abs=1e-8)


def test_a_start_descends_to_a_settled_assignment():
    blobs: Any = make_blobs(300, centers=4, cluster_std=0.5, random_state=1)
    X, y = blobs
    model = DEC(4, n_init=1, random_state=0).fit(X)
    assert ari(model.labels_, y) == 1.0
    assert model.n_iter_ < model.max_iter and model.n_found_ == 4
    assert model.labels_.tolist() == model.predict(X).tolist()
    begun = DEC(4, n_init=1, max_iter=1, learning_rate=1e-9, random_state=0).fit(X)
    assert model.divergence_ < begun.divergence_
    nearest = ((X[:, None] - model.cluster_centers_) ** 2).sum(2).min(1).sum()
    assert model.loss_ == pytest.approx(nearest, rel=1e-4)


def test_from_random_rows_it_ends_worse_as_in_table_1():
    X, y = DIGITS.data[:600] / 16, DIGITS.target[:600]
    seeds = range(3)
    settings: dict[str, Any] = {"n_init": 1, "max_iter": 2000}
    lloyd = [Lloyd(10, n_init=1, random_state=seed).fit_predict(X) for seed in seeds]
    seeded, by_lot = (
        [DEC(10, start=start, random_state=seed, **settings).fit_predict(X) for seed in seeds]
        for start in ("k-means", "random")
    )
    for score in (lambda labels: silhouette(X, labels), lambda labels: nmi(labels, y)):
        base, good, poor = (
            np.mean([score(labels) for labels in each]) for each in (lloyd, seeded, by_lot)
        )
        assert poor < good - 0.04 and good > base - 0.05


def test_the_divergence_does_not_choose_between_starts():
    X = DIGITS.data[:400] / 16
    together = torch.zeros(10, 64).double()
    q = soft_assignment(torch.tensor(X), together)
    assert float(divergence(target(q), q)) == pytest.approx(0, abs=1e-12)
    models = [DEC(10, n_init=n, start="random", max_iter=300, random_state=0).fit(X)
              for n in (1, 5)]  # fmt: skip
    assert models[1].loss_ < models[0].loss_


def test_it_reports_inside_a_start_and_stops_when_asked():
    X = DIGITS.data[:300]
    model = DEC(10, n_init=2, tol=0, max_iter=560, random_state=0)
    shares = [snapshot.start for snapshot in model.fit_iter(X)]
    assert shares == pytest.approx([0, 0, 0.25, 0.5, 0.75, 1, 1, 1, 1.25, 1.5, 1.75, 2])
    with pytest.raises(Cancelled):
        list(model.fit_iter(X, stop=lambda: True))


def global_numbers():
    state: Any = np.random.get_state()  # noqa: NPY002 - it must not change
    return state[1].tolist()


def test_it_leaves_the_global_generators_alone():
    X = DIGITS.data[:100]
    before, numbers = torch.get_rng_state(), global_numbers()
    first, second = (DEC(3, max_iter=200, random_state=5).fit(X) for _ in range(2))
    assert torch.equal(before, torch.get_rng_state())
    assert numbers == global_numbers()
    assert first.cluster_centers_.tolist() == second.cluster_centers_.tolist()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"start": "there"}, "start='there' should be one of k-means, random."),
        ({"update_interval": 0}, "update_interval=0 should be a whole number >= 1."),
        ({"learning_rate": -1}, "learning_rate=-1 should be > 0."),
        ({"tol": -1}, "tol=-1 should be >= 0."),
        ({"dtype": "int8"}, "dtype='int8' should be one of float32, float64."),
    ],
)
def test_a_wrong_setting_is_named(settings, words):
    with pytest.raises(ValueError) as caught:
        DEC(2, **settings).fit(np.eye(4))
    assert str(caught.value) == words


def test_the_registry_knows_both():
    for key, start in (("dec", "k-means"), ("dec_random", "random")):
        model = METHODS[key].build(METHODS[key].complete({"n_clusters": 3}), random_state=7)
        assert isinstance(model, DEC) and model.start == start and model.n_clusters == 3
