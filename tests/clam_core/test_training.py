# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalSubscript=false, reportOptionalOperand=false
# pyright: reportAssignmentType=false, reportGeneralTypeIssues=false
"""Corruption, schedules, seeding, selection, and the epochs that tie them together."""

import numpy as np
import pytest
import torch
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import silhouette_score

from clam_core import Euclidean, Spherical
from clam_core.corruption import Intact, Mask, Noise
from clam_core.kspace import KSpaceEngine
from clam_core.lane_engine import LaneEngine
from clam_core.schedule import Schedule
from clam_core.seeding import auto_beta, initial_memories, plus_plus
from clam_core.selection import best_restart, silhouettes
from clam_core.training import Trainer, how_many_next, normalised_weights
from tests import oracles


@pytest.fixture
def rng():
    return np.random.default_rng(0)


@pytest.mark.parametrize(
    ("rate", "d", "expected"), [(0.15, 16, 2), (0.15, 4, 1), (0.01, 10, 1), (0.99, 5, 4)]
)
def test_masks_hide_the_rate_without_replacement(rate, d, expected, rng):
    mask = Mask(rate, np.arange(d, dtype=np.float32), np.arange(d))
    hidden, start = mask.draw(np.zeros((3, d), np.float32), 500, rng)
    assert (hidden.sum(1) == expected).all()
    assert hidden.any(0).all(), "every coordinate is hidden now and then, the first one too"
    np.testing.assert_array_equal(start, np.arange(d))


def test_constant_columns_are_never_hidden(rng):
    mask = Mask(0.9, np.zeros(5, np.float32), np.array([0, 2]))
    hidden, _ = mask.draw(np.zeros((3, 5), np.float32), 200, rng)
    assert not hidden[:, [1, 3, 4]].any()
    assert (hidden.sum(1) == 2).all()


def test_noise_has_its_scale_and_nothing_is_intact(rng):
    X = np.zeros((400, 50), np.float32)
    hidden, start = Noise(0.3).draw(X, 2, rng)
    assert hidden.all()
    assert abs(start.std() - 0.3) < 0.01
    hidden, start = Intact().draw(X, 2, rng)
    assert hidden.all()
    assert start is None


def test_cosine_falls_to_nothing():
    schedule = Schedule("cosine", 0.1, 10, 2)
    rates = np.concatenate([schedule.rates(e, 4) for e in range(10)])
    assert rates.shape == (40, 2)
    assert rates[0, 0] == 0.1
    assert (np.diff(rates[:, 0]) < 0).all()
    assert rates[-1, 0] < 1e-3


def test_plateau_waits_five_epochs_for_each_restart_alone():
    schedule = Schedule("plateau", 0.1, 100, 2)
    for epoch in range(6):
        schedule.report(np.array([1.0, 1.0 - 0.1 * epoch]))
    np.testing.assert_allclose(schedule.rates(6, 1)[0], [0.08, 0.1])
    for _ in range(1000):
        schedule.report(np.array([1.0, 1.0]))
    np.testing.assert_allclose(schedule.rates(7, 1)[0], 1e-5)


@pytest.mark.parametrize("init", ["k-means++", "data", "gaussian"])
def test_seeds_are_distinct_and_differ_by_restart(init, rng):
    X = make_blobs(200, 3, centers=4, random_state=0)[0].astype(np.float32)
    seeds = initial_memories(X, 4, 3, init=init, rng=rng)
    assert seeds.shape == (3, 4, 3)
    assert seeds.dtype == np.float32
    assert len(np.unique(seeds.reshape(12, 3), axis=0)) >= 8
    assert not np.array_equal(seeds[0], seeds[1])
    if init == "data":
        assert all((row == X).all(1).any() for row in seeds.reshape(12, 3))


def test_lloyd_steps_lower_the_inertia(rng):
    X = make_blobs(300, 3, centers=5, random_state=0)[0]

    def inertia(memories):
        return ((X[:, None] - memories[None]) ** 2).sum(2).min(1).mean()

    none, three = (
        [inertia(m) for m in initial_memories(
            X, 5, 8, init="k-means++", rng=np.random.default_rng(0), lloyd_steps=steps)]
        for steps in (0, 3)
    )  # fmt: skip
    assert np.mean(three) < np.mean(none)


@pytest.mark.parametrize("energy", [Euclidean(), Spherical()])
def test_auto_beta_meets_its_entropy(energy, rng):
    X = make_blobs(150, 4, centers=3, random_state=0)[0]
    if not energy.flat:
        X /= np.linalg.norm(X, axis=1, keepdims=True)
    beta = auto_beta(X, 3, energy=energy, rng=np.random.default_rng(1), n_seedings=1)
    (seeds,) = plus_plus(X, 3, 1, np.random.default_rng(1))
    kind = "euclidean" if energy.flat else "spherical"
    p = oracles.softmax(oracles.logits(X, seeds, beta, kind))
    share = -(p * np.log(np.maximum(p, 1e-300))).sum(1).mean() / np.log(3)
    assert share == pytest.approx(0.2, abs=1e-6)


def test_auto_beta_knows_its_unit():
    X = make_blobs(150, 4, centers=3, random_state=0)[0]
    betas = [
        auto_beta(scale * X, 3, energy=Euclidean(), rng=np.random.default_rng(0))
        for scale in (1, 10)
    ]
    assert betas[0] / betas[1] == pytest.approx(100, rel=1e-6)


def test_silhouettes_are_scikit_learn_s(rng):
    X = rng.normal(size=(60, 3))
    labelings = rng.integers(4, size=(3, 60))
    labelings[1, 0] = 9  # a cluster of one
    labelings[2] = 1
    scores, found = silhouettes(torch.tensor(X), torch.tensor(labelings))
    for r in range(2):
        assert scores[r] == pytest.approx(silhouette_score(X, labelings[r]), abs=1e-9)
        assert scores[r] == pytest.approx(oracles.silhouette(X, labelings[r]), abs=1e-9)
    assert scores[2] == -1
    assert list(found) == [len(set(labels)) for labels in labelings]


def test_labelings_after_a_stop_have_no_silhouette(rng):
    X, labelings = (
        torch.tensor(rng.normal(size=(30, 2))),
        torch.tensor(rng.integers(3, size=(4, 30))),
    )
    turns = iter([False, False, True])
    scores, _ = silhouettes(X, labelings, lambda: next(turns))
    assert np.isfinite(scores[:2]).all() and np.isnan(scores[2:]).all()


def test_the_restart_kept():
    losses = np.array([3.0, 1.0, 2.0, np.nan])
    assert best_restart(losses, None, None) == 1
    scores, found = np.array([0.5, 0.9, 0.4, 0.99]), np.array([4, 3, 4, 4])
    assert best_restart(losses, scores, found) == 0, "non-empty clusters come first"


def trained(X, *, rate=0.1, n_epochs=8, beta=0.5, kind="cosine", r=2, stop=None, large=False):
    rng = np.random.default_rng(0)
    memories = initial_memories(X, 3, r, init="k-means++", rng=rng)
    engine = KSpaceEngine(
        memories, np.zeros((r, 3)), beta=beta, n_steps=5, step_size=0.2, loss="squared",
        learn_weights=False, dtype=torch.float32,
    )  # fmt: skip
    trainer = Trainer(
        X, None, engine=engine, corruption=Mask(0.3, X.mean(0), np.arange(X.shape[1])),
        schedule=Schedule(kind, rate, n_epochs, r), batch_size=16, rng=rng,
    )  # fmt: skip
    trainer._large = large
    return trainer, list(trainer.epochs(stop))


@pytest.fixture
def blobs():
    X = make_blobs(200, 5, centers=3, random_state=0)[0].astype(np.float32)
    return (X - X.mean(0)) / X.std(0)


@pytest.mark.parametrize("large", [False, True])
def test_training_lowers_the_loss_and_keeps_the_best(blobs, large):
    trainer, snapshots = trained(blobs, large=large)
    assert [s.step for s in snapshots] == list(range(9))
    assert snapshots[-1].objective < snapshots[0].objective
    every = np.stack([s.losses for s in snapshots])
    np.testing.assert_allclose(trainer.losses, every.min(0))
    np.testing.assert_array_equal(np.stack(trainer.history), every)
    assert snapshots[3].prototypes.dtype == np.float64


def test_the_best_epoch_s_memories_have_the_best_loss(blobs):
    trainer, _ = trained(blobs, rate=0.5, kind="constant")
    engine = trainer.engine
    engine._memories.copy_(torch.from_numpy(trainer.memories))
    np.testing.assert_allclose(trainer._evaluate(), trainer.losses, rtol=1e-6)


def lanes(X, missing=None, *, corruption, kind="plateau", r=18, learn_weights=False, n_epochs=24):
    """A trainer on the compiled engine, in two registers of restarts."""
    rng = np.random.default_rng(0)
    engine = LaneEngine(
        initial_memories(X, 3, r, init="data", rng=rng), np.zeros((r, 3)), beta=0.5, n_steps=4,
        step_size=0.25, loss="squared", learn_weights=learn_weights, dtype=np.float32,
    )  # fmt: skip
    return Trainer(
        X, missing, engine=engine, corruption=corruption, batch_size=16, rng=rng,
        schedule=Schedule(kind, np.linspace(0.05, 0.4, r), n_epochs, r),
    )  # fmt: skip


@pytest.mark.parametrize("kind", ["plateau", "cosine", "constant"])
@pytest.mark.parametrize("corruption", ["mask", "noise", "none", "gaps"])
def test_epochs_run_ahead_are_those_run_one_by_one(blobs, corruption, kind):
    X, gaps = blobs[:90], None
    how = {"noise": Noise(0.3), "none": Intact()}.get(
        corruption, Mask(0.3, X.mean(0), np.arange(X.shape[1]))
    )
    if corruption == "gaps":
        gaps = np.random.default_rng(1).random(X.shape) < 0.1
    told = {"corruption": how, "kind": kind, "learn_weights": corruption == "none"}
    single, several = lanes(X, gaps, **told), lanes(X, gaps, **told)
    single._paced = False
    several._paced, several._ahead = False, 5
    pairs = list(zip(single.epochs(), several.epochs(), strict=True))
    assert len(pairs) == 25
    for one, other in pairs:
        for name, value in vars(one).items():
            np.testing.assert_array_equal(value, getattr(other, name), err_msg=name)
    for name, value in single.trained()._asdict().items():
        np.testing.assert_array_equal(value, getattr(several.trained(), name), err_msg=name)
    np.testing.assert_array_equal(single.schedule.state, several.schedule.state)
    if kind == "plateau":
        assert (several.schedule.state[0] < np.linspace(0.05, 0.4, 18)).any(), "none ever waited"


def test_what_was_run_ahead_and_not_asked_for_is_not_kept(blobs):
    mask = Mask(0.3, blobs.mean(0), np.arange(5))
    short, left = lanes(blobs, corruption=mask, n_epochs=24), lanes(blobs, corruption=mask)
    short._paced = left._paced = False
    left._ahead = 24
    for trainer in (short, left):
        for snapshot in trainer.epochs():
            if snapshot.step == 3:
                break
    for name, value in short.trained()._asdict().items():
        np.testing.assert_array_equal(value, getattr(left.trained(), name), err_msg=name)


def test_a_stop_is_heard_between_epochs_run_ahead(blobs):
    trainer = lanes(blobs, corruption=Intact())
    trainer._paced, trainer._ahead = False, 24
    steps = []
    for snapshot in trainer.epochs(lambda: len(steps) == 3):
        steps.append(snapshot.step)
    assert steps == [0, 1, 2, 2]


@pytest.mark.parametrize(
    ("count", "seconds", "expected"), [(1, 0.5, 1), (1, 1e-4, 2), (8, 0.02, 8), (8, 0.04, 4)]
)
def test_short_epochs_are_run_ahead_and_long_ones_are_not(count, seconds, expected):
    assert how_many_next(count, seconds) == expected


def test_stopping_ends_after_the_current_pass(blobs):
    trainer, snapshots = trained(blobs, stop=lambda: True)
    assert [s.step for s in snapshots] == [0, 0], "an epoch cut short is not completed"
    assert np.isfinite(trainer.memories).all()


def test_a_lost_restart_warns_once_and_keeps_its_last_good_memories(blobs):
    rng = np.random.default_rng(0)
    memories = initial_memories(blobs, 3, 2, init="k-means++", rng=rng)
    engine = KSpaceEngine(
        memories, np.zeros((2, 3)), beta=0.5, n_steps=5, step_size=0.2, loss="squared",
        learn_weights=False, dtype=torch.float32,
    )  # fmt: skip
    trainer = Trainer(
        blobs, None, engine=engine, corruption=Intact(),
        schedule=Schedule("constant", 0.1, 4, 2), batch_size=16, rng=rng,
    )  # fmt: skip
    with pytest.warns(ConvergenceWarning, match="1 of 2 restarts is not finite") as caught:
        for snapshot in trainer.epochs():
            if snapshot.step == 1:
                engine._memories[1] = torch.nan
            assert np.isfinite(snapshot.prototypes).all()
    assert len(caught) == 1
    assert np.isfinite(trainer.memories).all()
    assert np.isfinite(trainer.losses).all()
    assert [losses[1] for losses in trainer.history[2:]] == 3 * [trainer.history[1][1]]


def test_weights_have_mean_one():
    np.testing.assert_allclose(normalised_weights(np.log([1.0, 3.0]) + 50), [0.5, 1.5])
