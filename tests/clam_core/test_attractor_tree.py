"""Attractors against beta: agreement with the search at one beta, branches, critical betas."""

import math

import numpy as np
import pytest
import torch

from clam_core import Euclidean, Spherical, attractor_tree, attractors, make_energy
from clam_core.attractor_tree import AttractorTree, Plateau

TRIANGLE = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.5, math.sqrt(3) / 2]], dtype=torch.float64)


def normal(k: int, d: int, seed: int = 0) -> torch.Tensor:
    return torch.tensor(np.random.default_rng(seed).normal(size=(k, d)) + 3)


def with_a_duplicate() -> torch.Tensor:
    memories = normal(5, 2, 4)
    memories[4] = memories[0]
    return memories


UNEQUAL = make_energy("weighted", [1e-3, 1.0, 30.0, 1e3, 5.0])
CASES = {
    "one": (normal(1, 2), Euclidean()),
    "two": (normal(2, 2), Euclidean()),
    "three": (normal(3, 2), Euclidean()),
    "five": (normal(5, 2, 5), Euclidean()),
    "eight": (normal(8, 2, 1), Euclidean()),
    "triangle": (TRIANGLE, Euclidean()),
    "square": (torch.tensor([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]), Euclidean()),
    "collinear": (torch.tensor([[0.0, 0.0], [1.0, 2.0], [1.5, 3.0], [4.0, 8.0]]), Euclidean()),
    "duplicate": (with_a_duplicate(), Euclidean()),
    "all the same": (torch.ones(3, 2), Euclidean()),
    "one dimension": (normal(6, 1, 2), Euclidean()),
    "sixteen dimensions": (normal(6, 16, 3), Euclidean()),
    "unequal weights": (normal(5, 2, 6), UNEQUAL),
    "small": (1e-4 * normal(4, 3, 7), Euclidean()),
}


@pytest.fixture(scope="module", params=CASES)
def case(request):
    memories, energy = CASES[request.param]
    return memories, energy, attractor_tree(memories, energy=energy)


def test_the_counts_are_those_at_each_beta_alone(case):
    memories, energy, tree = case
    for beta, count in list(zip(tree.betas, tree.counts, strict=True))[::4]:
        assert count == len(attractors(memories.double(), energy=energy, beta=float(beta))), beta


def test_it_begins_with_one_and_ends_with_every_distinct_memory(case):
    memories, _, tree = case
    assert len(tree.betas) == len(tree.counts) == 121
    np.testing.assert_allclose(np.diff(np.log(tree.betas), 2), 0, atol=1e-9)
    assert (tree.counts >= 1).all()
    assert tree.counts[0] == 1
    assert tree.counts[-1] == len(np.unique(memories, axis=0))


def test_every_position_is_a_stable_fixed_point(case):
    memories, energy, tree = case
    memories = memories.double()
    spread = float((memories - memories.mean(0)).norm(dim=1).max()) or 1.0
    for branch in tree.branches:
        v, beta = torch.tensor(branch.positions), torch.tensor(branch.betas).unsqueeze(1)
        assert energy.velocity(v, memories, beta).abs().max() < 1e-8 * spread
        slopes = torch.stack(
            [
                energy.pull(v + nudge, memories, beta) - energy.pull(v - nudge, memories, beta)
                for nudge in 1e-6 * spread * torch.eye(v.shape[1], dtype=v.dtype)
            ],
            2,
        ) / (2e-6 * spread)
        assert (torch.linalg.eigvals(slopes).real < 1 + 1e-6).all()


def test_labels_are_the_nearest_memories(case):
    memories, _, tree = case
    for branch in tree.branches:
        distances = torch.cdist(torch.tensor(branch.positions), memories.double()).numpy()
        chosen = np.take_along_axis(distances, branch.labels[:, None], 1)[:, 0]
        np.testing.assert_allclose(chosen, distances.min(1), atol=1e-7)


def test_branches_run_without_gaps_and_add_up(case):
    _, _, tree = case
    on_grid = [np.flatnonzero(np.isin(tree.betas, branch.betas)) for branch in tree.branches]
    assert sum(map(len, on_grid)) == tree.counts.sum()
    for places, branch in zip(on_grid, tree.branches, strict=True):
        assert (np.diff(places) == 1).all()
        assert (np.diff(branch.betas) > 0).all()
        inside = np.isin(branch.betas[1:-1], tree.betas)
        assert inside.all()  # between two betas of the grid it can only begin or end
    firsts = [branch.betas[0] for branch in tree.branches]
    assert firsts == sorted(firsts)


def test_critical_betas_bracket_a_true_change(case):
    memories, energy, tree = case
    for beta in tree.critical:
        below, above = (
            len(attractors(memories.double(), energy=energy, beta=float(beta * factor)))
            for factor in (1 - 1e-3, 1 + 1e-3)
        )
        assert below != above
    assert len(tree.critical) >= (np.diff(tree.counts) != 0).sum()


def test_plateaus_lie_between_the_critical_betas(case):
    _, _, tree = case
    assert [plateau.low for plateau in tree.plateaus] == list(tree.critical[:-1])
    assert [plateau.high for plateau in tree.plateaus] == list(tree.critical[1:])
    for plateau in tree.plateaus:
        inside = (tree.betas > plateau.low * 1.001) & (tree.betas < plateau.high / 1.001)
        assert (tree.counts[inside] == plateau.count).all()


@pytest.mark.parametrize("distance", [0.1, 2.0, 300.0])
def test_two_equal_memories_part_at_two_over_their_squared_distance(distance):
    """Along the line between them v = tanh(beta D^2 / 2 v), in units of D / 2."""
    pair = torch.tensor([[5.0, 1.0], [5.0, 1.0 + distance]], dtype=torch.float64)
    tree = attractor_tree(pair, energy=Euclidean())
    np.testing.assert_allclose(tree.critical, [2 / distance**2], rtol=1e-3)
    assert len(tree.branches) == 2
    assert tree.widest is None  # they part once: no number of attractors stands out


def test_the_triangle_has_a_window_with_a_fourth():
    tree = attractor_tree(TRIANGLE, energy=Euclidean())
    (window,) = tree.plateaus
    assert window == tree.widest
    assert window.count == 4
    # The centre is stable while 2 beta times the variance, half of the squared radius 1/3, is < 1.
    assert math.isclose(window.high, 3, rel_tol=1e-3)
    assert tree.counts[-1] == 3


def test_two_far_pairs_have_two_of_their_own():
    pairs = torch.tensor([[0.0, 0.0], [0.0, 1.0], [9.0, 0.0], [9.0, 1.0]])
    widest = attractor_tree(pairs, energy=Euclidean()).widest
    assert widest is not None and widest.count == 2
    assert math.isclose(widest.high, 2, rel_tol=2e-2)  # where a pair parts


def test_the_widest_is_wide_on_the_log_scale():
    plateaus = (Plateau(1.0, 9.0, 1), Plateau(9.0, 27.0, 2), Plateau(27.0, 60.0, 3))
    nothing = np.zeros(0)
    tree = AttractorTree(nothing, nothing.astype(int), (), nothing, plateaus)
    assert tree.widest == Plateau(9.0, 27.0, 2)


def test_equal_weights_are_the_euclidean_energy():
    memories, _ = CASES["five"]
    plain = attractor_tree(memories, energy=Euclidean())
    weighted = attractor_tree(memories, energy=make_energy("weighted", [3.0] * 5))
    np.testing.assert_array_equal(plain.counts, weighted.counts)
    np.testing.assert_allclose(plain.critical, weighted.critical, rtol=2e-3)


@pytest.mark.parametrize("scale", [1e-3, 7.0, 1e4])
def test_a_shift_changes_nothing_and_a_scale_only_the_units(scale):
    memories, _ = CASES["five"]
    plain = attractor_tree(memories, energy=Euclidean())
    shift = torch.tensor([40.0, -7.0], dtype=torch.float64) * scale
    moved = attractor_tree(memories * scale + shift, energy=Euclidean())
    np.testing.assert_allclose(moved.betas * scale**2, plain.betas, rtol=1e-9)
    np.testing.assert_array_equal(moved.counts, plain.counts)
    np.testing.assert_allclose(moved.critical * scale**2, plain.critical, rtol=2e-3)
    assert len(moved.branches) == len(plain.branches)
    first = moved.branches[0].positions[0] - shift.numpy()
    np.testing.assert_allclose(first, plain.branches[0].positions[0] * scale, rtol=1e-6)


def test_a_range_of_ones_own():
    tree = attractor_tree(TRIANGLE, energy=Euclidean(), low=10, high=40, n_betas=7)
    np.testing.assert_allclose(tree.betas[[0, -1]], [10, 40])
    assert tree.counts.tolist() == [3] * 7
    assert [len(branch.betas) for branch in tree.branches] == [7] * 3
    assert tree.critical.shape == (0,)
    assert tree.plateaus == ()


def test_a_coarse_grid_finds_the_same_critical_betas():
    memories, _ = CASES["five"]
    fine = attractor_tree(memories, energy=Euclidean())
    coarse = attractor_tree(memories, energy=Euclidean(), n_betas=13)
    np.testing.assert_allclose(coarse.critical, fine.critical, rtol=2e-3)


def test_many_memories_and_float32():
    memories = normal(64, 2, 8).float()
    tree = attractor_tree(memories, energy=Euclidean())
    assert tree.counts[[0, -1]].tolist() == [1, 64]
    beta = float(tree.betas[60])
    assert tree.counts[60] == len(attractors(memories.double(), energy=Euclidean(), beta=beta))


@pytest.mark.parametrize(
    ("memories", "settings", "message"),
    [
        (TRIANGLE, {"energy": Spherical()}, "energy='spherical' should be"),
        (TRIANGLE[0], {}, "should be finite numbers"),
        (TRIANGLE[:0], {}, "should be finite numbers"),
        (TRIANGLE * math.nan, {}, "should be finite numbers"),
        (TRIANGLE, {"energy": UNEQUAL}, "one for each of the 3 memories"),
        (TRIANGLE, {"low": 0}, "should be 0 < low < high"),
        (TRIANGLE, {"low": 3, "high": 2}, "should be 0 < low < high"),
        (TRIANGLE, {"high": math.inf}, "should be 0 < low < high"),
        (TRIANGLE, {"n_betas": 1}, "n_betas=1 should be >= 2"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(memories, settings, message):
    with pytest.raises(ValueError, match=message) as caught:
        attractor_tree(memories, **{"energy": Euclidean(), **settings})
    assert str(caught.value).endswith(".")
