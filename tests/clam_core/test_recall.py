# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalSubscript=false, reportOptionalOperand=false
# pyright: reportAssignmentType=false, reportGeneralTypeIssues=false
"""Recall: oracles, and the invariants that make it associative memory."""

import numpy as np
import pytest
import torch

from clam_core import (
    Euclidean,
    Spherical,
    assign,
    basins,
    entropy,
    make_energy,
    recall,
    recall_path,
    voronoi,
    walk,
)
from tests import oracles

SHAPES = [(40, 2, 3), (40, 3, 7), (40, 12, 4), (300, 30, 5), (7, 1, 3), (5, 4, 1)]


def standardised(n, d, k, seed=0):
    """Blobs at unit variance and memories near them, as after standardisation."""
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(k, d))
    x = centres[rng.integers(k, size=n)] + 0.4 * rng.normal(size=(n, d))
    mean, spread = x.mean(0), x.std(0)
    return (x - mean) / spread, (centres + 0.1 * rng.normal(size=(k, d)) - mean) / spread


def tensors(*arrays, dtype=torch.float64):
    return [torch.tensor(a, dtype=dtype) for a in arrays]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["euclidean", "weighted", "spherical"])
@pytest.mark.parametrize("beta", [0.01, 1.0, 100.0])
def test_float64_agrees_with_the_oracle(shape, kind, beta):
    x, memories = standardised(*shape)
    weights = np.linspace(0.5, 2, shape[2]) if kind == "weighted" else None
    log_weights = np.log(weights) if weights is not None else 0.0
    expected = oracles.recall(x, memories, beta, 10, 0.1, kind, log_weights)
    settings = {"energy": make_energy(kind, weights), "beta": beta, "n_steps": 10}
    found = recall(*tensors(x, memories), **settings).numpy()
    path = recall_path(*tensors(x, memories), **settings)
    assert np.linalg.norm(found - expected) <= 1e-10 * np.linalg.norm(expected)
    assert np.linalg.norm(path[-1].numpy() - expected) <= 1e-10 * np.linalg.norm(expected)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["euclidean", "spherical"])
@pytest.mark.parametrize("n_steps", [10, None])
def test_other_devices_run_the_same_steps(shape, kind, n_steps, monkeypatch):
    """What a GPU would run, run here: torch operations in place of compiled code."""
    settings = {"energy": make_energy(kind), "beta": 1.0, "n_steps": n_steps}
    x, memories = tensors(*standardised(*shape))
    compiled = basins(x, memories, **settings)
    labels = assign(x, memories, **(settings | {"n_steps": 10}))
    monkeypatch.setattr(walk, "_compiled", lambda x: False)
    plain = basins(x, memories, **settings)
    torch.testing.assert_close(plain.endpoints, compiled.endpoints, rtol=1e-8, atol=1e-8)
    assert torch.equal(plain.labels, compiled.labels)
    assert torch.equal(assign(x, memories, **(settings | {"n_steps": 10})), labels)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", ["euclidean", "spherical"])
@pytest.mark.parametrize("beta", [0.01, 1.0, 10.0, 100.0])
def test_float32_agrees_with_the_oracle(shape, kind, beta):
    x, memories = (p.astype(np.float32) for p in standardised(*shape))
    expected = oracles.recall(x, memories, beta, 10, 0.1, kind)
    found = recall(
        *tensors(x, memories, dtype=torch.float32), energy=make_energy(kind), beta=beta, n_steps=10
    ).numpy()
    assert np.linalg.norm(found - expected) <= 1e-5 * np.linalg.norm(expected)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("shared", [True, False])
def test_hidden_coordinates_alone_move(shape, shared):
    x, memories = standardised(*shape)
    rng = np.random.default_rng(3)
    hidden = rng.random(x.shape[1] if shared else x.shape) < 0.5
    expected = oracles.recall(x, memories, 1.0, 8, 0.3, hidden=hidden)
    found = recall(
        *tensors(x, memories),
        energy=Euclidean(), beta=1.0, n_steps=8, step_size=0.3, hidden=torch.tensor(hidden),
    ).numpy()  # fmt: skip
    np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
    visible = ~np.broadcast_to(hidden, x.shape)
    np.testing.assert_array_equal(found[visible], x[visible])


@pytest.mark.parametrize("kind", ["euclidean", "weighted", "spherical"])
@pytest.mark.parametrize("step_size", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("beta", [0.1, 3.0, 100.0])
def test_energy_never_rises(kind, step_size, beta):
    x, memories = tensors(*standardised(60, 4, 5))
    energy = make_energy(kind, [0.2, 1, 1, 3, 2] if kind == "weighted" else None)
    path = recall_path(x, memories, energy=energy, beta=beta, n_steps=30, step_size=step_size)
    energies = torch.stack([energy.value(v, memories, beta) for v in path])
    assert (energies.diff(dim=0) <= 1e-12).all()


@pytest.mark.parametrize("kind", ["euclidean", "spherical"])
@pytest.mark.parametrize("n_steps", [10, None])
def test_large_beta_gives_voronoi(kind, n_steps):
    x, memories = tensors(*standardised(500, 3, 5))
    energy = make_energy(kind)
    clear = oracles.margin(energy.project(x).numpy(), energy.keys(memories).numpy()) > 1e-3
    found = basins(x, memories, energy=energy, beta=1e5, n_steps=n_steps).labels
    assert torch.equal(found[clear], voronoi(x, memories, energy=energy)[clear])


@pytest.mark.parametrize("weights", [None, [1.0, 2.0, 5.0]])
def test_small_beta_gives_one_basin_at_the_weighted_mean(weights):
    x, memories = tensors(*standardised(200, 3, 3))
    energy = make_energy("weighted" if weights else "euclidean", weights)
    found = basins(x, memories, energy=energy, beta=1e-5)
    mean = np.average(memories.numpy(), axis=0, weights=weights)
    assert found.settled.all()
    assert len(found.labels.unique()) == 1
    np.testing.assert_allclose(found.endpoints, np.tile(mean, (200, 1)), atol=1e-3)


def test_small_beta_after_t_steps_keeps_a_third_of_the_start():
    x, memories = tensors(*standardised(50, 3, 4))
    found = recall(x, memories, energy=Euclidean(), beta=1e-9, n_steps=10)
    torch.testing.assert_close(found, 0.9**10 * x + (1 - 0.9**10) * memories.mean(0))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("beta", [1e-5, 1e-2, 1.0, 1e3, 1e6])
@pytest.mark.parametrize("offset", [0.0, 1e4])
@pytest.mark.parametrize("shape", [(200, 2, 4), (200, 12, 4)])
def test_extremes_are_finite_and_labels_hold_where_they_are_clear(dtype, beta, offset, shape):
    x, memories = (np.round(p * 2**9) / 2**9 + offset for p in standardised(*shape))
    x[:5], x[:, 1] = x[0], offset  # duplicates and a constant column
    memories[:, 1] = offset
    ends = oracles.recall(x, memories, beta, 10, 0.1)
    clear = oracles.margin(ends, memories) > 1e-3
    settings = {"energy": Euclidean(), "beta": beta, "n_steps": 10}
    found = basins(*tensors(x, memories, dtype=dtype), **settings)
    assert torch.isfinite(found.endpoints).all()
    assert torch.isfinite(found.energies).all()
    expected = oracles.nearest(ends, memories)
    np.testing.assert_array_equal(found.labels.numpy()[clear], expected[clear])
    labels = assign(*tensors(x, memories, dtype=dtype), **settings)
    np.testing.assert_array_equal(labels.numpy()[clear], expected[clear])


@pytest.mark.parametrize("kind", ["euclidean", "weighted", "spherical"])
@pytest.mark.parametrize("shape", [(60, 2, 5), (60, 9, 3)])
def test_assign_is_the_basin_s_label(kind, shape):
    x, memories = tensors(*standardised(*shape))
    energy = make_energy(kind, np.arange(1.0, shape[2] + 1) if kind == "weighted" else None)
    settings = {"energy": energy, "beta": 2.0, "n_steps": 6}
    found = basins(x, memories, **settings)
    assert torch.equal(assign(x, memories, **settings), found.labels)
    assert torch.equal(found.labels, voronoi(found.endpoints, memories, energy=energy))
    torch.testing.assert_close(found.energies, energy.value(found.endpoints, memories, 2.0))


def test_attractor_mode_ends_where_nothing_moves():
    x, memories = tensors(*standardised(300, 2, 5))
    found = basins(x, memories, energy=Euclidean(), beta=4.0)
    assert found.settled.all()
    moves = Euclidean().velocity(found.endpoints, memories, 4.0)
    assert moves.abs().max() < 1e-8
    early = basins(x, memories, energy=Euclidean(), beta=4.0, n_steps=10)
    assert not early.settled.all()


def test_chunks_change_nothing():
    x, memories = tensors(*standardised(30_000, 2, 9), dtype=torch.float32)
    settings = {"energy": Euclidean(), "beta": 3.0, "n_steps": 5}
    whole = basins(x, memories, **settings)
    part = basins(x[17_000:17_100], memories, **settings)
    torch.testing.assert_close(whole.endpoints[17_000:17_100], part.endpoints)
    assert torch.equal(whole.labels[17_000:17_100], part.labels)


def test_entropy_runs_from_nothing_to_log_k():
    x, memories = tensors(*standardised(80, 3, 4))
    flat = entropy(x, memories, energy=Euclidean(), beta=1e-9)
    np.testing.assert_allclose(flat, np.log(4), rtol=1e-6)
    sharp = entropy(memories, memories, energy=Euclidean(), beta=1e6)
    assert (sharp == 0).all()
    p = oracles.softmax(oracles.logits(x.numpy(), memories.numpy(), 0.5))
    expected = -(p * np.log(p)).sum(1)
    np.testing.assert_allclose(entropy(x, memories, energy=Euclidean(), beta=0.5), expected)


def test_spherical_iterates_stay_on_the_sphere():
    x, memories = tensors(*standardised(50, 3, 4))
    path = recall_path(x, memories, energy=Spherical(), beta=3.0, n_steps=12)
    torch.testing.assert_close(path.norm(dim=2), torch.ones(13, 50, dtype=torch.float64))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_cuda_agrees_with_cpu():
    x, memories = tensors(*standardised(300, 30, 5))
    settings = {"energy": Euclidean(), "beta": 0.5, "n_steps": 10}
    found = recall(x.cuda(), memories.cuda(), **settings).cpu()
    torch.testing.assert_close(found, recall(x, memories, **settings))
