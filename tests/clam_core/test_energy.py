# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalSubscript=false, reportOptionalOperand=false
# pyright: reportAssignmentType=false, reportGeneralTypeIssues=false
"""Energies: velocity against autograd of the energy, oracles, extremes."""

import numpy as np
import pytest
import torch

from clam_core import Euclidean, Spherical, Weighted, make_energy
from clam_core.energy import squared_distances
from tests import oracles

KINDS = ["euclidean", "weighted", "spherical"]


def made(kind, k):
    weights = np.linspace(0.5, 2, k) if kind == "weighted" else None
    log_weights = np.log(weights) if kind == "weighted" else 0.0
    return make_energy(kind, weights), log_weights


@pytest.fixture
def points():
    rng = np.random.default_rng(0)
    return torch.tensor(rng.normal(size=(20, 5))), torch.tensor(rng.normal(size=(4, 5)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("beta", [0.01, 1.0, 30.0])
def test_value_is_the_paper_s(kind, beta, points):
    x, memories = points
    energy, log_weights = made(kind, 4)
    x = energy.project(x)
    expected = oracles.energy(x.numpy(), memories.numpy(), beta, kind, log_weights)
    np.testing.assert_allclose(energy.value(x, memories, beta), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_velocity_is_the_energy_s_own_share_of_its_gradient(kind, points):
    x, memories = points
    energy, _ = made(kind, 4)
    x = energy.project(x).requires_grad_()
    (gradient,) = torch.autograd.grad(energy.value(x, memories, 0.7).sum(), x)
    factor = 1.0 if kind == "spherical" else 0.5
    torch.testing.assert_close(energy.velocity(x, memories, 0.7), -factor * gradient)


def test_equal_weights_are_no_weights(points):
    x, memories = points
    weighted = make_energy("weighted", [3.0] * 4)
    torch.testing.assert_close(
        weighted.velocity(x, memories, 0.7), Euclidean().velocity(x, memories, 0.7)
    )


def test_linear_form_gives_the_softmax_of_the_affinities(points):
    x, memories = points
    for kind in KINDS:
        energy, _ = made(kind, 4)
        rows, keys = energy.project(x), energy.keys(memories)
        logits = energy.bias(keys, 0.7) + energy.gain(0.7) * rows @ keys.T
        torch.testing.assert_close(
            torch.softmax(logits, 1),
            torch.softmax(energy.log_affinity(rows, memories, 0.7), 1),
        )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("beta", [1e-5, 1e6])
@pytest.mark.parametrize("offset", [0.0, 1e4])
def test_extremes_stay_finite(kind, beta, offset, points):
    x, memories = (p.float() + offset for p in points)
    memories[1] = memories[0]
    energy, _ = made(kind, 4)
    assert torch.isfinite(energy.value(x, memories, beta)).all()
    assert torch.isfinite(energy.velocity(x, memories, beta)).all()


def test_distances_survive_an_offset():
    rng = np.random.default_rng(1)
    x, memories = rng.normal(size=(50, 3)), rng.normal(size=(6, 3))
    shifted = [np.round((p + 1e4) * 2**9) / 2**9 for p in (x, memories)]  # exact in float32
    expected = ((shifted[0][:, None] - shifted[1][None]) ** 2).sum(2)
    found = squared_distances(*(torch.tensor(p, dtype=torch.float32) for p in shifted))
    np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-4)
    assert (squared_distances(found, found) >= 0).all()


def test_visible_coordinates_stay_on_the_sphere():
    x = Spherical().project(torch.tensor([[1.0, 2.0, 2.0], [3.0, 0.0, 4.0]]))
    hidden = torch.tensor([False, True, True])
    moved = Spherical().project(x + torch.tensor([0.0, 1.0, -0.5]), hidden)
    torch.testing.assert_close(moved[:, 0], x[:, 0])
    torch.testing.assert_close(moved.norm(dim=1), torch.ones(2))


@pytest.mark.parametrize(
    ("kind", "weights", "words"),
    [
        ("cosine", None, "energy='cosine' should be one of"),
        ("euclidean", [1.0], "weights should be None"),
        ("weighted", None, "weights=None should be"),
        ("weighted", [1.0, 0.0], "should be a list of finite numbers > 0"),
        ("weighted", [1.0, np.nan], "should be a list of finite numbers > 0"),
    ],
)
def test_bad_settings_get_a_sentence(kind, weights, words):
    with pytest.raises(ValueError, match=words):
        make_energy(kind, weights)


def test_weighted_takes_weights_per_restart(points):
    x, memories = points
    both = Weighted(torch.tensor([[0.0, 0, 0, 0], [1.0, 0, 0, 0]]).double())
    stacked = memories.expand(2, -1, -1)
    found = both.log_affinity(x, stacked, 1.0)
    torch.testing.assert_close(found[1, :, 0], found[0, :, 0] + 1)
