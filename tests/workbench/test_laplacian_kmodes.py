# pyright: reportArgumentType=false
"""Laplacian K-modes against slow oracles, and on the graph of SLK."""

from itertools import chain, combinations
from typing import Any

import numpy as np
import pytest

from slk_core import SLK, discrete
from workbench.baselines import laplacian_kmodes as lk
from workbench.baselines.laplacian_kmodes import LaplacianKModes
from workbench.baselines.simplex import to_simplex
from workbench.baselines.slk_graph import slk_graph
from workbench.methods import METHODS

X = np.random.default_rng(0).normal(size=(60, 3)) + 4 * np.eye(3)[np.arange(60) % 3]


def nearest_on_simplex(v):
    """The best of the projections to all faces: of each, v less what its sum has too much."""
    k = len(v)
    faces = chain.from_iterable(combinations(range(k), size) for size in range(1, k + 1))
    found = []
    for face in map(list, faces):
        z = np.zeros(k)
        z[face] = v[face] - (v[face].sum() - 1) / len(face)
        if (z >= 0).all():
            found.append(z)
    return min(found, key=lambda z: ((z - v) ** 2).sum())


@pytest.mark.parametrize("scale", [0.1, 1.0, 50.0])
def test_the_projection_is_the_nearest_point_of_any_face(scale):
    V = np.random.default_rng(1).normal(size=(40, 4)) * scale
    V[0], V[1] = 0.25, [1.0, 0.0, 0.0, 0.0]
    np.testing.assert_allclose(to_simplex(V), [nearest_on_simplex(v) for v in V], atol=1e-12)
    np.testing.assert_allclose(to_simplex(V[:, :1]), 1.0)


def problem_of(lam: Any = 0.8, k=3):
    model = LaplacianKModes(k, lam=lam)
    return model, model._prepare(X)


def slow_relaxation(Z, a, W, lam):
    """Lam tr(Z'LZ) - sum z a as half the sum over all pairs."""
    W = W.toarray()
    pairs = ((Z[:, None] - Z) ** 2).sum(axis=2)
    return lam / 2 * (W * pairs).sum() - (Z * a).sum()


@pytest.mark.parametrize("lam", [0.05, 0.8, 20.0])
def test_the_relaxation_falls_to_its_minimum_in_the_z_step(lam, monkeypatch):
    _, problem = problem_of(lam)
    rng = np.random.default_rng(2)
    a, Z = rng.uniform(size=(60, 3)), to_simplex(rng.normal(size=(60, 3)))
    values = [slow_relaxation(Z, a, problem.W, lam)]
    monkeypatch.setattr(lk, "_Z_AT_REST", 0.0)
    for passes in (1, 2, 3, 4, 6, 9, 14, 30):
        monkeypatch.setattr(lk, "_PASSES", passes)
        values.append(slow_relaxation(lk.assigned(Z, a, problem), a, problem.W, lam))
    assert np.diff(values).max() < 1e-9
    monkeypatch.setattr(lk, "_PASSES", 1000)
    best = lk.assigned(Z, a, problem)
    floor = slow_relaxation(best, a, problem.W, lam)
    for _ in range(20):  # convex: no point of the simplex near it is lower
        other = to_simplex(best + rng.normal(size=best.shape) * 0.01)
        assert slow_relaxation(other, a, problem.W, lam) > floor - 1e-9


def test_modes_rise_to_peaks():
    _, problem = problem_of()
    rng = np.random.default_rng(3)
    Z, C = to_simplex(rng.normal(size=(60, 3))), problem.rows[:3]

    def density(C):
        distances = ((problem.rows[:, None] - C) ** 2).sum(axis=2)
        return (Z * np.exp(-distances / 2)).sum(axis=0)

    reached = lk.shifted(problem.rows, Z, C)
    assert (density(reached) >= density(C)).all()
    for step in 0.05 * np.concatenate([np.eye(3), -np.eye(3)]):
        assert (density(reached + step) <= density(reached) + 1e-4).all()


def test_the_graph_and_the_width_are_those_of_slk():
    model = SLK(3, random_state=0).fit(X)
    W, sigma, _ = slk_graph(X, 10)
    assert abs(W - model.affinity_).max() == 0 and sigma == model.sigma_
    for kind in ("binary", "gaussian"):
        model = SLK(3, affinity_kind=kind, n_neighbors=4, random_state=0).fit(X)
        assert abs(slk_graph(X, 4, kind=kind).W - model.affinity_).max() < 1e-7
    same = np.zeros((9, 2))
    assert slk_graph(same, 3).sigma == SLK(1, random_state=0).fit(same).sigma_


def test_equal_coupling_is_equal_lambda_and_e_is_that_of_slk():
    built = {}
    for key in ("slk", "lk"):
        method = METHODS[key]
        settings = method.complete({"n_clusters": 3, "coupling": 0.7, "n_init": 2})
        built[key] = method.build(settings, device="cpu", dtype="float64", random_state=0).fit(X)
    model = built["lk"]
    assert model.lam_ == built["slk"].lam_
    assert LaplacianKModes(3).fit(X).lam_ == pytest.approx(SLK(3).fit(X).lam_)
    distances = ((X[:, None] - model.cluster_centers_) ** 2).sum(axis=2) / model.sigma_**2
    a = np.exp(-distances / 2)
    expected = discrete(model.labels_, a, model.affinity_, lam=model.lam_).total
    assert model.objective_ == model.loss_ == pytest.approx(expected)
    relaxed = slow_relaxation(model.shares_, a, model.affinity_, model.lam_)
    assert model.relaxation_ == pytest.approx(relaxed) and relaxed <= expected + 1e-9


def test_without_its_graph_it_is_k_modes():
    no_graph: Any = 0.0
    model = LaplacianKModes(3, lam=no_graph, random_state=0).fit(X)
    distances = ((X[:, None] - model.cluster_centers_) ** 2).sum(axis=2)
    np.testing.assert_array_equal(model.labels_, distances.argmin(axis=1))
    np.testing.assert_array_equal(model.predict(X), model.labels_)


def test_the_step_is_never_too_long():
    for n_neighbors in (2, 5, 30):
        W = slk_graph(X, n_neighbors).W.toarray()
        top = np.linalg.eigvalsh(np.diag(W.sum(axis=1)) - W)[-1]
        assert top <= lk.largest_eigenvalue(slk_graph(X, n_neighbors).W) <= 1.03 * top


def test_new_rows_follow_their_neighbours():
    model = LaplacianKModes(3, random_state=0).fit(X)
    new = X + np.random.default_rng(5).normal(size=X.shape) * 0.05
    assert np.mean(model.predict(new) == model.labels_) > 0.95
