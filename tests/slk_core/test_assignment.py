# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
"""The update of Z: R never rises, the oracle agrees, and factor 1 lets R rise."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from slk_core import coupling, discrete, relaxed
from slk_core.assignment import Assignment, Coupling
from slk_core.graph import Graph
from slk_core.kernels import NOTHING
from slk_core.torch_assignment import TorchAssignment
from tests.slk_core import oracle

ENGINES = [Assignment, TorchAssignment]
TWO_POINTS = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[0.9, 0.1], [0.3, 0.7]])


def graph_of(W, dtype=np.float64, blocks=1):
    graph = Graph.of(sparse.csr_array(W), dtype)
    return replace(graph, edges=[int(e) for e in np.linspace(0, len(W), blocks + 1)])


def columns(a, dtype=np.float64):
    wide = Assignment.columns(*a.shape, dtype)
    wide[:] = NOTHING
    wide[:, : a.shape[1]] = a
    return wide


def random_problem(seed, n=40, k=5, density=0.15):
    rng = np.random.default_rng(seed)
    W = rng.random((n, n)) * (rng.random((n, n)) < density)
    W = (W + W.T) / 2
    np.fill_diagonal(W, 0)
    return W, rng.random((n, k)), oracle.softmax(3 * rng.normal(size=(n, k)))


def set_z(engine, a, Z, t):
    """Begin at a given Z: softmax of its logarithm."""
    engine.start(columns(t * np.log(np.maximum(Z, 1e-12)), a.dtype), t)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("blocks", [1, 3, 40])
@pytest.mark.parametrize("lam", [0.0, 0.5, 3.0, 20.0])
@pytest.mark.parametrize("t", [1.0, 0.2, 0.0])
@pytest.mark.parametrize("batch", [1, 8])
def test_r_never_rises(engine, blocks, lam, t, batch):
    for seed in range(4):
        W, a, Z = random_problem(seed)
        balance = [0.0, 0.3][seed % 2]
        update = engine(graph_of(W, blocks=blocks), 5, Coupling(lam, balance), np.float64)
        update._batch = batch
        set_z(update, a, Z, t)
        before = oracle.relaxed(update.z[:, :5], a, W, lam, t, balance)
        for _ in range(15):
            update.descend(columns(a), t, n_passes=1, enough=0.0)
            after = oracle.relaxed(update.z[:, :5], a, W, lam, t, balance)
            assert after <= before + 1e-9 * max(1, abs(before))
            before = after
        np.testing.assert_allclose(update.z.sum(axis=1), 1, atol=1e-12)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("at_once", [True, False])
def test_two_points_do_not_cycle(engine, at_once):
    W, a = TWO_POINTS
    Z = np.array([[0.99, 0.01], [0.01, 0.99]])
    plain = Z
    for _ in range(50):
        plain = oracle.at_once(plain, a, W, 6.0)
    assert np.abs(oracle.at_once(plain, a, W, 6.0) - plain).max() > 0.5  # it cycles for ever
    settings = {"at_once": True} if at_once and engine is Assignment else {}
    update = engine(graph_of(W), 2, Coupling(6.0), np.float64, **settings)
    set_z(update, a, Z, 1.0)
    values = [oracle.relaxed(update.z[:, :2], a, W, 6.0)]
    raised = []
    for _ in range(60):
        update.descend(columns(a), 1.0, n_passes=1, enough=0.0)
        values.append(oracle.relaxed(update.z[:, :2], a, W, 6.0))
        raised.append(update.c)
    assert (np.diff(values) <= 1e-12).all()
    assert update.z[:, :2].argmax(axis=1).tolist() in ([0, 0], [1, 1])
    if at_once or engine is TorchAssignment:
        assert max(raised) > 0


def test_factor_one_lets_r_rise():
    """At the minimum of R, half of lam pulls rows apart again."""
    W, a, Z = random_problem(0)
    right = Assignment(graph_of(W), 5, Coupling(4.0), np.float64)
    set_z(right, a, Z, 1.0)
    right.descend(columns(a), 1.0, n_passes=100, enough=0.0)
    published = Assignment(graph_of(W), 5, Coupling(4.0, factor=1), np.float64)
    set_z(published, a, right.z[:, :5], 1.0)
    values = []
    for _ in range(5):
        values.append(oracle.relaxed(published.z[:, :5], a, W, 4.0))
        published.descend(columns(a), 1.0, n_passes=1, enough=-1.0)
    assert max(np.diff(values)) > 1e-3


@pytest.mark.parametrize("balance", [0.0, 0.3])
@pytest.mark.parametrize("k", [1, 2, 5, 8, 9, 21, 33, 40])
def test_a_pass_is_the_oracles(k, balance):
    W, a, Z = random_problem(k, n=30, k=k)
    update = Assignment(graph_of(W), k, Coupling(1.5, balance), np.float64)
    set_z(update, a, Z, 1.0)
    Z = update.z[:, :k].copy()
    update.descend(columns(a), 1.0, n_passes=1, enough=0.0)
    np.testing.assert_allclose(
        update.z[:, :k], oracle.in_turn(Z, a, W, 1.5, balance=balance), atol=1e-9
    )


@pytest.mark.parametrize("factor", [1.0, 2.0])
def test_all_rows_at_once_is_the_oracles_too(factor):
    W, a, Z = random_problem(3)
    tie = Coupling(0.2, 0.3, factor)
    updates = [
        Assignment(graph_of(W), 5, tie, np.float64, at_once=True),
        TorchAssignment(graph_of(W), 5, tie, np.float64),
    ]
    for update in updates:
        set_z(update, a, Z, 0.7)
        start = update.z[:, :5].copy()
        update.descend(columns(a), 0.7, n_passes=1, enough=0.0)
        expected = oracle.at_once(start, a, W, 0.2, 0.7, factor=factor, balance=0.3)
        np.testing.assert_allclose(update.z[:, :5], expected, atol=1e-9)


def test_float32_stays_near_the_oracle():
    W, a, Z = random_problem(1)
    update = Assignment(graph_of(W, np.float32), 5, Coupling(1.0, 0.3), np.float32)
    set_z(update, a.astype(np.float32), Z, 1.0)
    Z = update.z[:, :5].astype(np.float64)
    for _ in range(5):
        update.descend(columns(a, np.float32), 1.0, n_passes=1, enough=-1.0)
        Z = oracle.in_turn(Z, a, W, 1.0, balance=0.3)
    np.testing.assert_allclose(update.z[:, :5], Z, atol=1e-4)


def test_objectives_are_the_oracles():
    W, a, Z = random_problem(0)
    labels = Z.argmax(axis=1)
    hard = np.eye(5)[labels]
    given = discrete(labels, a, sparse.csr_array(W), lam=0.7, balance=0.2)
    assert given.total == pytest.approx(oracle.discrete(hard, a, W, 0.7, 0.2))
    soft = relaxed(Z, a, sparse.csr_array(W), lam=0.7, entropy_weight=0.4, balance=0.2)
    assert soft.total == pytest.approx(oracle.relaxed(Z, a, W, 0.7, 0.4, 0.2))
    at_hard = relaxed(hard, a, sparse.csr_array(W), lam=0.7, balance=0.2)
    assert given.total == pytest.approx(at_hard.total + 0.7 * W.sum())


def test_coupling():
    assert coupling(1) == 0
    assert coupling(2) == 2
    assert coupling(3) == pytest.approx(4 * np.log(2))
    assert coupling(2) < coupling(3) < coupling(100)
