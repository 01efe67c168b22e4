"""The paper's figures: what each preset is meant to show, by a slow recursion of its own."""

import numpy as np
import pytest

from workbench import toys
from workbench.baselines.kmeans import KMeans
from workbench.metrics import ari


def recall(x, memories, beta, n_steps, step_size):
    """Equations 2 and 4, as they stand."""
    for _ in range(n_steps):
        squared = ((x[:, None] - memories) ** 2).sum(axis=2)
        pull = np.exp(-beta * (squared - squared.min(axis=1, keepdims=True)))
        pull /= pull.sum(axis=1, keepdims=True)
        x = x + step_size * (pull @ memories - x)
    return x


def nearest(x, memories):
    return ((x[:, None] - memories) ** 2).sum(axis=2).argmin(axis=1)


def after_steps(x, memories, beta):
    return nearest(recall(x, memories, beta, 10, 0.1), memories)


def at_attractor(x, memories, beta):
    return nearest(recall(x, memories, beta, 3000, 1.0), memories)


CASES = [
    (toys.FIGURE_3_I, 0, 0),
    (toys.FIGURE_3_II, 1, 0),
    (toys.FIGURE_3_III, 0, 1),
]


@pytest.mark.parametrize(("preset", "end", "start"), CASES, ids=lambda case: str(case)[:30])
def test_each_case_ends_where_the_figure_says(preset, end, start):
    memories, x = np.array(preset.memories), np.array([preset.particle])
    assert nearest(x, memories).tolist() == [start]
    assert preset.n_steps == 10
    assert after_steps(x, memories, preset.beta).tolist() == [end]
    assert at_attractor(x, memories, preset.beta).tolist() == [end]


def test_case_two_needs_the_third_memory():
    preset = toys.FIGURE_3_II
    memories, x = np.array(preset.memories), np.array([preset.particle])
    assert after_steps(x, memories[:2], preset.beta).tolist() == [0]
    assert after_steps(x, memories, 100 * preset.beta).tolist() == [0]


def test_case_three_starts_farthest_from_its_end_and_holds_off_the_axis():
    preset = toys.FIGURE_3_III
    memories, x = np.array(preset.memories), np.array([preset.particle])
    distances = np.linalg.norm(memories - x, axis=1)
    assert distances.argmax() == 0
    beside = x + [[0.0, 0.02], [0.0, -0.02]]
    assert after_steps(beside, memories, preset.beta).tolist() == [0, 0]
    assert at_attractor(beside, memories, preset.beta).tolist() == [0, 0]
    assert after_steps(beside, memories, 100 * preset.beta).tolist() == [1, 2]


@pytest.mark.parametrize("preset", [p for p, _, _ in CASES[1:]], ids=lambda p: p.key)
def test_every_memory_of_a_case_keeps_an_attractor(preset):
    memories = np.array(preset.memories)
    ends = at_attractor(memories, memories, preset.beta)
    assert ends[0] == 0 and len(set(ends)) > 1


@pytest.mark.parametrize("preset", [toys.FIGURE_4, toys.FIGURE_11, toys.FIGURE_12])
def test_basins_come_to_match_the_cells_as_beta_grows(preset):
    memories = np.array(preset.memories)
    steps = (np.arange(80) + 0.5) / 80
    x = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    cells = nearest(x, memories)
    leaving = [(after_steps(x, memories, beta) != cells).mean() for beta in preset.betas]
    assert leaving[0] > 0.4
    assert leaving == sorted(leaving, reverse=True)
    assert leaving[-1] < 0.01
    between = (after_steps(x, memories, preset.beta) != cells).mean()
    assert 0.05 < between < 0.2


def test_presets_are_in_the_papers_convention():
    assert toys.FIGURE_11.betas == toys.FIGURE_12.betas
    assert [2 * beta for beta in toys.FIGURE_11.betas] == [
        0.001, 0.1, 1, 10, 15, 20, 25, 30, 50, 100,
    ]  # fmt: skip
    assert [2 * beta for beta in toys.FIGURE_4.betas] == [0.001, 10, 100]
    assert all(preset.beta in preset.betas for preset in toys.PRESETS.values())
    assert all(key == preset.key for key, preset in toys.PRESETS.items())


@pytest.mark.parametrize("n_clusters", [2, 3])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("standardise", [False, True])
def test_k_means_cuts_elongated_clusters_across(n_clusters, seed, standardise):
    X, y = toys.elongated(n_clusters, seed=seed)
    if standardise:
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    found = KMeans(n_clusters, n_init=10, random_state=0).fit_predict(X)
    assert ari(found, y) < (0.05 if n_clusters == 2 else 0.2)
    assert np.bincount(y).tolist() == [600 // n_clusters] * n_clusters


@pytest.mark.parametrize("seed", range(3))
def test_outliers_mislead_k_means_but_not_absolute_errors(seed):
    X, y = toys.outliers(seed=seed)
    inlier = y >= 0
    assert (~inlier).sum() == 6
    clean = KMeans(2, n_init=10, random_state=0).fit_predict(X[inlier])
    assert ari(clean, y[inlier]) > 0.95
    misled = KMeans(2, n_init=10, random_state=0).fit_predict(X)
    assert ari(misled[inlier], y[inlier]) < 0.05

    def absolute(labels):
        return sum(np.abs(X[labels == c] - np.median(X[labels == c], axis=0)).sum() for c in (0, 1))

    assert absolute(np.where(inlier, y, 1)) < absolute(misled)


def test_random_memories_are_fixed_by_their_seed():
    first = toys.random_memories(5, 3)
    assert first == toys.random_memories(5, 3) != toys.random_memories(5, 4)
    assert len(set(first)) == 5
    assert all(0 <= c <= 1 for position in first for c in position)


@pytest.mark.parametrize("draw", [toys.moons, toys.circles, toys.blobs, toys.outliers])
def test_toys_are_fixed_by_their_seed(draw):
    (X, y), (again, _), (other, _) = draw(seed=1), draw(seed=1), draw(seed=2)
    assert X.shape == (len(y), 2)
    assert np.array_equal(X, again) and not np.array_equal(X, other)
