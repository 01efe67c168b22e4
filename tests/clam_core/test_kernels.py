"""The compiled engine against plain recall in d dimensions, differentiated by torch."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from numba import njit

from clam_core import warm_up
from clam_core.lane_engine import LaneEngine
from clam_core.lanes import SMALLEST_LOGIT, WIDTH, exp_of_negative, load, store

TOLERANCE = {np.float32: 2e-5, np.float64: 1e-10}


def oracle_loss(memories, log_weights, rows, starts, moves, scored, problem):
    """Summed loss of rows by equations 1, 4, 9 and 10, nothing rearranged; moves, scored (n, d)."""
    points = torch.where(moves, starts, rows)
    for _ in range(problem["n_steps"]):
        pull = memories[None] - points[:, None]
        logits = log_weights - problem["beta"] * (pull**2).sum(2)
        velocity = (torch.softmax(logits, 1)[:, :, None] * pull).sum(1)
        points = torch.where(moves, points + problem["step_size"] * velocity, points)
    error = torch.where(scored, points - rows, torch.zeros(()))
    return error.abs().sum() if problem["loss"] == "absolute" else (error**2).sum()


class Oracle:
    """One restart in float64: torch's autograd and torch's Adam."""

    def __init__(self, memories, log_weights, problem):
        self.problem = problem
        self.memories = torch.tensor(memories, dtype=torch.float64, requires_grad=True)
        self.log_weights = torch.tensor(log_weights, dtype=torch.float64, requires_grad=True)
        learned = [self.memories] + ([self.log_weights] if problem["learn_weights"] else [])
        self.adam = torch.optim.Adam(learned)

    def summed(self, X, hidden, start, missing=None):
        """Loss of a batch with the gradients left in place, and the number of scored values."""
        rows = torch.tensor(X, dtype=torch.float64)
        gaps = torch.zeros(rows.shape, dtype=torch.bool) if missing is None else missing
        moves, scored = torch.tensor(hidden) | gaps, torch.tensor(hidden) & ~gaps
        starts = rows if start is None else torch.tensor(start).double().expand(rows.shape)
        self.adam.zero_grad()
        self.log_weights.grad = None
        parts = (self.memories, self.log_weights, rows, starts, moves, scored, self.problem)
        loss = oracle_loss(*parts)
        loss.backward()
        return loss.item(), int(scored.sum())

    def run(self, X, hidden, start, rates, batch_size, missing=None):
        total = count = 0
        for i, (own_hidden, rate) in enumerate(zip(hidden, rates, strict=True)):
            part = slice(i * batch_size, (i + 1) * batch_size)
            own_start = start[part] if np.ndim(start) == 2 else start
            gaps = None if missing is None else torch.tensor(missing[part])
            loss, scored = self.summed(X[part], own_hidden, own_start, gaps)
            for values in (self.memories, self.log_weights):
                values.grad = None if values.grad is None else values.grad / scored
            self.adam.param_groups[0]["lr"] = float(rate)
            self.adam.step()
            total, count = total + loss, count + scored
        return total / count


def problem(seed=0, *, r=3, n=24, d=6, k=4, batch_size=8, hide=2, corruption="mask", **changes):
    """A random problem: the engine's arguments and those of a pass."""
    generator = np.random.default_rng(seed)
    settings = {"beta": 0.7, "n_steps": 5, "step_size": 0.2, "loss": "squared"}
    settings |= {"learn_weights": False} | changes
    X = generator.normal(size=(n, d))
    n_batches = -(-n // batch_size)
    hidden = np.ones((n_batches, d), bool)
    start = None
    if corruption == "mask":
        start = generator.normal(scale=0.3, size=d)
        hidden = np.argsort(generator.random((n_batches, d)), 1) < hide
    elif corruption == "noise":
        start = X + generator.normal(scale=0.2, size=(n, d))
    return {
        "memories": generator.normal(size=(r, k, d)),
        "log_weights": generator.normal(scale=0.5, size=(r, k)),
        "settings": settings,
        "X": X,
        "hidden": hidden,
        "start": start,
        "rates": generator.uniform(0.01, 0.1, size=(n_batches, r)),
        "batch_size": batch_size,
    }


def engine(case, dtype):
    return LaneEngine(case["memories"], case["log_weights"], dtype=dtype, **case["settings"])


def oracles(case):
    pairs = zip(case["memories"], case["log_weights"], strict=True)
    return [Oracle(*pair, case["settings"]) for pair in pairs]


def close(actual, expected, dtype, factor=1.0):
    """Agreement relative to the largest value."""
    expected = np.asarray(expected)
    scale = np.abs(expected).max() + 1e-30
    np.testing.assert_allclose(actual / scale, expected / scale, atol=factor * TOLERANCE[dtype])


def check(case, dtype, missing=None):
    """One batch's gradient tightly, then the losses and memories of a whole pass."""
    lanes = engine(case, dtype)
    first = slice(0, case["batch_size"])
    start = case["start"][first] if np.ndim(case["start"]) == 2 else case["start"]
    gaps = None if missing is None else missing[first]
    one = (case["X"][first], case["hidden"][:1], start)
    lanes.run(*one, 0 * case["rates"][:1], case["batch_size"], missing=gaps)
    gradient, weight_gradient = lanes._summed_gradient()
    np.testing.assert_array_equal(lanes.memories, case["memories"].astype(dtype))
    for restart, oracle in enumerate(oracles(case)):
        gaps = None if missing is None else torch.tensor(missing[first])
        oracle.summed(one[0], one[1][0], start, gaps)
        close(gradient[restart], oracle.memories.grad, dtype)
        close(weight_gradient[restart], oracle.log_weights.grad, dtype)

    lanes = engine(case, dtype)
    evaluated = lanes.evaluate(
        case["X"][first], case["hidden"][:1], start, case["batch_size"],
        missing=None if missing is None else missing[first],
    )  # fmt: skip
    loss = lanes.run(
        case["X"], case["hidden"], case["start"], case["rates"], case["batch_size"], missing=missing
    )
    for restart, oracle in enumerate(oracles(case)):
        scored = oracle.summed(one[0], one[1][0], start, gaps)
        close(evaluated[restart], scored[0] / scored[1], dtype)
        expected = oracle.run(
            case["X"], case["hidden"], case["start"], case["rates"][:, restart],
            case["batch_size"], missing,
        )  # fmt: skip
        close(loss[restart], expected, dtype)
        # Adam divides small gradients by their own size, and their errors with them.
        close(lanes.memories[restart], oracle.memories.detach(), dtype, 10)
        close(lanes.log_weights[restart], oracle.log_weights.detach(), dtype, 10)


DTYPES = pytest.mark.parametrize("dtype", [np.float32, np.float64])


@DTYPES
@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize("corruption", ["mask", "noise", "none"])
def test_equals_autograd(corruption, loss, dtype):
    check(problem(corruption=corruption, loss=loss, learn_weights=True), dtype)


@DTYPES
@pytest.mark.parametrize("r", [1, 8, 10, 16, 17])
def test_equals_autograd_for_any_number_of_restarts(r, dtype):
    check(problem(r=r), dtype)


@DTYPES
@pytest.mark.parametrize(
    "shape",
    [
        {"k": 1},
        {"d": 1, "corruption": "none"},
        {"d": 1, "hide": 1},
        {"hide": 1, "k": 9},
        {"hide": 6},
        {"hide": 5, "k": 3},
        {"d": 17, "hide": 7, "k": 5},
        {"d": 3, "k": 11, "n": 9, "batch_size": 9},
        {"n": 19},
        {"n": 9},
        {"batch_size": 1, "n": 3},
        {"n_steps": 1, "step_size": 1.0},
        {"n_steps": 2, "step_size": 0.5},
        {"n_steps": 10, "step_size": 1.0},
    ],
)
def test_equals_autograd_for_any_shape(shape, dtype):
    check(problem(learn_weights=True, **shape), dtype)


@DTYPES
@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize("share", [0.05, 0.5])
def test_equals_autograd_with_missing_values(share, loss, dtype):
    case = problem(learn_weights=True, loss=loss, n=21, d=9)
    missing = np.random.default_rng(1).random(case["X"].shape) < share
    missing[:8] &= missing[0]  # rows that share their gaps, and some without any
    case["X"][missing] = 0
    check(case, dtype, missing)


@pytest.mark.parametrize("corruption", ["noise", "none"])
def test_missing_values_start_where_told_without_a_mask(corruption):
    case = problem(corruption=corruption, d=3)
    missing = np.random.default_rng(1).random(case["X"].shape) < 0.3
    case["start"] = np.where(missing, 0.4, case["X"] if corruption == "none" else case["start"])
    case["X"][missing] = 0
    check(case, np.float64, missing)


def test_missing_values_are_not_read():
    case = problem()
    missing = np.random.default_rng(1).random(case["X"].shape) < 0.3
    lanes = [engine(case, np.float64) for _ in range(2)]
    losses = []
    for own, value in zip(lanes, [0.0, 5.0], strict=True):
        X = np.where(missing, value, case["X"])
        losses.append(own.run(X, case["hidden"], case["start"], case["rates"], 8, missing=missing))
    np.testing.assert_array_equal(*losses)
    np.testing.assert_array_equal(lanes[0].memories, lanes[1].memories)


def test_a_batch_with_nothing_to_score_changes_nothing():
    case = problem(n=8)
    missing = np.broadcast_to(case["hidden"][0], case["X"].shape)
    lanes = engine(case, np.float64)
    loss = lanes.run(case["X"], case["hidden"], case["start"], case["rates"], 8, missing=missing)
    np.testing.assert_array_equal(loss, 0)
    np.testing.assert_array_equal(lanes.memories, case["memories"])


@DTYPES
def test_evaluate_is_the_loss_before_the_step_and_changes_nothing(dtype):
    case = problem(n=8)
    lanes = engine(case, dtype)
    evaluated = lanes.evaluate(case["X"], case["hidden"], case["start"], 8)
    np.testing.assert_array_equal(lanes.memories, case["memories"].astype(dtype))
    loss = lanes.run(case["X"], case["hidden"], case["start"], case["rates"], 8)
    np.testing.assert_array_equal(evaluated, loss)
    assert (lanes.memories != case["memories"].astype(dtype)).any()


@DTYPES
def test_fixed_weights_stay(dtype):
    case = problem()
    lanes = engine(case, dtype)
    lanes.run(case["X"], case["hidden"], case["start"], case["rates"], 8)
    np.testing.assert_array_equal(lanes.log_weights, case["log_weights"].astype(dtype))


@DTYPES
@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize("beta", [1e-5, 1e6])
def test_extreme_beta_stays_finite(beta, loss, dtype):
    case = problem(beta=beta, n=40, learn_weights=True, loss=loss)
    lanes = engine(case, dtype)
    for _ in range(20):
        loss = lanes.run(case["X"], case["hidden"], case["start"], case["rates"], 8)
    for values in (loss, lanes.memories, lanes.log_weights):
        assert np.isfinite(values).all()


def test_small_beta_equals_autograd():
    check(problem(beta=1e-5), np.float64)


def test_large_beta_leaves_the_nearest_memory():
    case = problem(beta=1e6, corruption="none", step_size=1.0, n_steps=3)
    lanes = engine(case, np.float64)
    loss = lanes.evaluate(case["X"], case["hidden"], None, 8)
    squares = ((case["X"][None, :, None] - case["memories"][:, None]) ** 2).sum(3)
    np.testing.assert_allclose(loss, squares.min(2).mean(1) / case["X"].shape[1], rtol=1e-6)


@DTYPES
def test_duplicates_share_their_fate(dtype):
    case = problem(k=4)
    case["X"][:] = case["X"][0]
    case["memories"][:, 1] = case["memories"][:, 0]
    case["log_weights"][:] = 0
    check(case, dtype)
    lanes = engine(case, dtype)
    lanes.run(case["X"], case["hidden"], case["start"], case["rates"], 8)
    np.testing.assert_allclose(lanes.memories[:, 1], lanes.memories[:, 0], atol=1e-6)


def test_nan_is_not_hidden():
    case = problem()
    case["memories"][1, 2, 3] = np.nan
    loss = engine(case, np.float32).run(case["X"], case["hidden"], case["start"], case["rates"], 8)
    np.testing.assert_array_equal(np.isnan(loss), [False, True, False])


def test_restarts_do_not_touch_each_other():
    case = problem(r=17)
    together = engine(case, np.float64)
    together.run(case["X"], case["hidden"], case["start"], case["rates"], 8)
    for restart in (0, 7, 16):
        part = slice(restart, restart + 1)
        own = LaneEngine(
            case["memories"][part], case["log_weights"][part], dtype=np.float64, **case["settings"]
        )
        own.run(case["X"], case["hidden"], case["start"], case["rates"][:, part], 8)
        np.testing.assert_array_equal(own.memories[0], together.memories[restart])


def test_restore_sets_memories_and_keeps_the_moments():
    case = problem()
    arguments = (case["X"], case["hidden"], case["start"], case["rates"], 8)
    lanes, fresh = engine(case, np.float64), engine(case, np.float64)
    lanes.run(*arguments)
    lanes.restore(case["memories"], case["log_weights"])
    np.testing.assert_array_equal(lanes.memories, case["memories"])
    np.testing.assert_array_equal(lanes.log_weights, case["log_weights"])
    lanes.run(*arguments)
    fresh.run(*arguments)
    assert (lanes.memories != fresh.memories).any()


def test_memories_are_copies():
    lanes = engine(problem(), np.float32)
    before = lanes.memories
    lanes.memories[:] = 0
    lanes.log_weights[:] = 9
    np.testing.assert_array_equal(lanes.memories, before)
    assert (lanes.log_weights != 9).all()


def test_polling_changes_nothing_and_stopping_ends_early():
    case = problem(n=4000, batch_size=4)
    arguments = (case["X"], case["hidden"], case["start"], case["rates"], 4)
    plain, polled, stopped = (engine(case, np.float64) for _ in range(3))
    loss = plain.run(*arguments)
    polls = []
    np.testing.assert_allclose(polled.run(*arguments, lambda: polls.append(1)), loss, rtol=1e-12)
    np.testing.assert_array_equal(polled.memories, plain.memories)
    assert polls
    first = stopped.run(*arguments, lambda: True)
    expected = engine(case, np.float64).run(
        case["X"][:4], case["hidden"][:1], case["start"], case["rates"][:1], 4
    )
    np.testing.assert_array_equal(first, expected)


def test_read_only_and_strided_arrays_are_accepted():
    case = problem()
    expected = engine(case, np.float64).run(
        case["X"], case["hidden"], case["start"], case["rates"], 8
    )
    X = np.asfortranarray(case["X"])
    X.flags.writeable = False
    hidden = np.broadcast_to(case["hidden"], case["hidden"].shape)
    loss = engine(case, np.float64).run(X, hidden, case["start"], case["rates"], 8)
    np.testing.assert_array_equal(loss, expected)


def test_training_lowers_the_loss():
    generator = np.random.default_rng(0)
    X = generator.normal(scale=5, size=(1, 4, 8))[0][generator.integers(0, 4, 160)]
    X += generator.normal(scale=0.3, size=X.shape)
    lanes = LaneEngine(
        X[generator.integers(0, 160, (16, 4))], np.zeros((16, 4)), beta=0.1, n_steps=10,
        step_size=0.1, loss="squared", learn_weights=False, dtype=np.float32,
    )  # fmt: skip
    hidden = np.argsort(generator.random((10, 8)), 1) < 1
    before = lanes.evaluate(X, hidden, X.mean(0), 16)
    for _ in range(100):
        lanes.run(X, hidden, X.mean(0), np.full((10, 16), 0.05), 16)
    after = lanes.evaluate(X, hidden, X.mean(0), 16)
    assert (after < before).all()
    assert after.min() < 0.1


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_exp_is_as_accurate_as_its_argument(dtype):
    width = WIDTH[np.dtype(dtype)]
    exponents = -np.geomspace(1e-6, SMALLEST_LOGIT[np.finfo(dtype).bits] * -0.999, 400 * width)
    exponents = exponents.astype(dtype).reshape(1, 400, width)
    out = np.empty_like(exponents)
    exponentiate(exponents, out)
    exact = np.exp(exponents.astype(np.longdouble))
    units = np.abs(out - exact) / (exact * np.finfo(dtype).eps)
    assert (units <= 2 - exponents / 2).all()
    for number, value in [(0, 1), (-1e4, 0), (-np.inf, 0), (np.nan, np.nan)]:
        exponents[:] = number
        exponentiate(exponents, out)
        np.testing.assert_array_equal(out, dtype(value))


@njit
def exponentiate(exponents, out):
    for i in range(exponents.shape[1]):
        store(out, 0, i, exp_of_negative(load(exponents, 0, i)))


def test_a_second_process_loads_the_compiled_code():
    warm_up()
    program = (
        "from clam_core import kernels, warm_up; warm_up();"
        "print(sum(kernels.run_batches.stats.cache_hits.values()),"
        "sum(kernels.run_batches.stats.cache_misses.values()))"
    )
    root = Path(__file__).parents[2]
    printed = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    hits, misses = map(int, printed.split())
    assert hits >= 1
    assert misses == 0
