"""Attractors: merging, splitting, the fourth one, stability."""

import math

import numpy as np
import pytest
import torch

from clam_core import Euclidean, Spherical, attractors, make_energy

TRIANGLE = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.5, math.sqrt(3) / 2]], dtype=torch.float64)


def test_two_memories_split_at_the_critical_beta():
    """Two memories 2 apart: v = tanh(2 beta v) has one solution up to beta = 1/2."""
    pair = torch.tensor([[-1.0, 0.0], [1.0, 0.0]], dtype=torch.float64)
    assert len(attractors(pair, energy=Euclidean(), beta=0.49)) == 1
    found = attractors(pair, energy=Euclidean(), beta=0.6)
    assert len(found) == 2
    v = float(found[1, 0])
    assert math.isclose(v, math.tanh(2 * 0.6 * v), rel_tol=1e-9)


def test_a_triangle_can_have_a_fourth_attractor():
    counts = {
        beta: len(attractors(TRIANGLE, energy=Euclidean(), beta=beta)) for beta in (1.0, 2.9, 50.0)
    }
    assert counts[1.0] == 1
    assert counts[50.0] == 3
    between = [
        len(attractors(TRIANGLE, energy=Euclidean(), beta=b)) for b in np.linspace(2.6, 3.1, 26)
    ]
    assert 4 in between


@pytest.mark.parametrize("kind", ["euclidean", "weighted", "spherical"])
@pytest.mark.parametrize("d", [1, 2, 3, 20])
@pytest.mark.parametrize("beta", [0.05, 1.0, 20.0, 1e6])
def test_every_attractor_is_a_stable_fixed_point(kind, d, beta):
    rng = np.random.default_rng(d)
    memories = torch.tensor(rng.normal(size=(5, d)) + (3 if kind != "spherical" else 0))
    energy = make_energy(kind, [1, 2, 3, 4, 0.5] if kind == "weighted" else None)
    found = attractors(memories, energy=energy, beta=beta)
    assert len(found) >= 1
    again = energy.project(energy.pull(found, memories, beta))
    assert (again - found).abs().max() < 1e-7
    nudged = energy.project(found + 1e-4 * torch.tensor(rng.normal(size=found.shape)))
    assert (
        energy.value(found, memories, beta) <= energy.value(nudged, memories, beta) + 1e-9
    ).all()


def test_all_memories_are_attractors_at_large_beta_and_duplicates_count_once():
    rng = np.random.default_rng(0)
    memories = torch.tensor(rng.normal(size=(6, 3)))
    memories[5] = memories[0]
    found = attractors(memories, energy=Euclidean(), beta=1e4)
    torch.testing.assert_close(found, memories[:5])


def test_queries_that_creep_past_a_critical_beta_are_no_attractors():
    """A hair above one, full steps take tens of thousands to leave where it was."""
    memories = torch.tensor(np.random.default_rng(20).normal(size=(20, 2)))
    assert len(attractors(memories, energy=Euclidean(), beta=36.3253)) == 18


def test_they_follow_a_shift_and_keep_dtype():
    far = attractors((TRIANGLE + 1e4).float(), energy=Euclidean(), beta=20.0)
    assert far.dtype == torch.float32
    near = attractors(TRIANGLE, energy=Euclidean(), beta=20.0)
    np.testing.assert_allclose(far - 1e4, near, atol=2e-3)


def test_one_memory_and_the_sphere():
    one = torch.tensor([[3.0, 4.0]])
    torch.testing.assert_close(attractors(one, energy=Euclidean(), beta=1.0), one)
    torch.testing.assert_close(attractors(one, energy=Spherical(), beta=1.0), one / 5)
