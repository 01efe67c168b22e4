# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalSubscript=false, reportOptionalOperand=false
# pyright: reportAssignmentType=false, reportGeneralTypeIssues=false
"""The torch engines: loss and gradient against finite differences of a NumPy oracle."""

import numpy as np
import pytest
import torch

from clam_core.direct import DirectEngine
from clam_core.engines import Adam, Batch
from clam_core.kspace import KSpaceEngine
from tests import oracles

BETA, T, STEP = 0.3, 6, 0.25
R, K, D, B = 3, 4, 7, 9


def case(kind, learned, seed=0):
    rng = np.random.default_rng(seed)
    memories, x = rng.normal(size=(R, K, D)), rng.normal(size=(B, D))
    log_weights = rng.normal(size=(R, K)) if learned else np.zeros((R, K))
    hidden, start = np.ones(D, dtype=bool), x
    if kind == "mask":
        hidden = np.isin(np.arange(D), [0, 3, 6])
        start = rng.normal(size=D)
    elif kind == "noise":
        start = x + 0.3 * rng.normal(size=x.shape)
    return memories, log_weights, x, hidden, start


def batch_of(kind, x, hidden, start, dtype=torch.float64):
    columns = None if hidden.all() else torch.from_numpy(np.flatnonzero(hidden))
    begin = None if kind == "none" else torch.tensor(start, dtype=dtype)
    return Batch(torch.tensor(x, dtype=dtype), columns, begin, None)


def engine_of(cls, memories, log_weights, loss, learned, dtype=torch.float64, beta=BETA):
    return cls(
        memories, log_weights, beta=beta, n_steps=T, step_size=STEP, loss=loss,
        learn_weights=learned, dtype=dtype,
    )  # fmt: skip


@pytest.mark.parametrize("cls", [KSpaceEngine, DirectEngine])
@pytest.mark.parametrize("kind", ["mask", "noise", "none"])
@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize("learned", [False, True])
def test_loss_and_gradient_are_the_oracle_s(cls, kind, loss, learned):
    memories, log_weights, x, hidden, start = case(kind, learned)
    engine = engine_of(cls, memories, log_weights, loss, learned)
    found = engine.gradient(batch_of(kind, x, hidden, start))
    assert found.n_scored == B * hidden.sum()
    for r in range(R):

        def objective(m, r=r, logs=log_weights):
            return found.n_scored * oracles.loss(
                x, start, hidden, m, BETA, T, STEP,
                absolute=loss == "absolute", log_weights=logs[r],
            )  # fmt: skip

        np.testing.assert_allclose(found.loss[r], objective(memories[r]), rtol=1e-10)
        expected = oracles.slope(objective, memories[r])
        np.testing.assert_allclose(found.memories[r], expected, rtol=1e-5, atol=1e-6)
        if learned:

            def by_weight(logs, r=r):
                return objective(memories[r], r, {r: logs})

            expected = oracles.slope(by_weight, log_weights[r])
            np.testing.assert_allclose(found.log_weights[r], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("kind", ["mask", "noise", "none"])
@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize(("dtype", "bound"), [(torch.float64, 1e-12), (torch.float32, 1e-5)])
def test_k_space_agrees_with_autograd(kind, loss, dtype, bound):
    memories, log_weights, x, hidden, start = case(kind, True, seed=1)
    batch = batch_of(kind, x, hidden, start, dtype)
    quick = engine_of(KSpaceEngine, memories, log_weights, loss, True, dtype).gradient(batch)
    exact = batch_of(kind, x, hidden, start)
    plain = engine_of(DirectEngine, memories, log_weights, loss, True).gradient(exact)
    for name in ("loss", "memories", "log_weights"):
        a, b = getattr(quick, name).double(), getattr(plain, name)
        assert float((a - b).norm()) <= bound * float(b.norm()), name


@pytest.mark.parametrize("loss", ["squared", "absolute"])
@pytest.mark.parametrize("kind", ["mask", "none"])
def test_torch_s_recursion_agrees_with_the_compiled_one(kind, loss):
    memories, log_weights, x, hidden, start = case(kind, True, seed=2)
    batch = batch_of(kind, x, hidden, start)
    compiled, plain = (engine_of(KSpaceEngine, memories, log_weights, loss, True) for _ in range(2))
    plain._fused = None
    for a, b in zip(
        vars(compiled.gradient(batch)).values(), vars(plain.gradient(batch)).values(), strict=True
    ):
        torch.testing.assert_close(a, b, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", ["mask", "noise", "none"])
@pytest.mark.parametrize(("dtype", "bound"), [(torch.float64, 1e-10), (torch.float32, 1e-5)])
@pytest.mark.parametrize(("b", "d", "k"), [(37, 53, 5), (16, 16, 1), (1, 2, 3), (48, 130, 9)])
def test_any_size_fits_the_compiled_blocks(kind, dtype, bound, b, d, k):
    rng = np.random.default_rng(b)
    memories, x = rng.normal(size=(2, k, d)) / d**0.5, rng.normal(size=(b, d))
    hidden = np.arange(d) % 3 == 1 if kind == "mask" else np.ones(d, dtype=bool)
    start = rng.normal(size=d) if kind == "mask" else x + rng.normal(size=x.shape)
    engines = [
        engine_of(KSpaceEngine, memories, np.zeros((2, k)), "squared", True, kept)
        for kept in (dtype, torch.float64)
    ]
    engines[1]._fused = None
    found, exact = (
        vars(engine.gradient(batch_of(kind, x, hidden, start, kept))).values()
        for engine, kept in zip(engines, (dtype, torch.float64), strict=True)
    )
    for a, e in zip(found, exact, strict=True):
        a, e = torch.as_tensor(a).double(), torch.as_tensor(e).double()
        # One memory alone has no choice to make: its bias has no gradient but rounding.
        assert float((a - e).norm()) <= bound * float(e.norm()) + 10 * b * bound * (k == 1)


def test_a_lost_restart_is_told_and_harms_no_other():
    memories, log_weights, x, hidden, start = case("mask", False)
    batch = batch_of("mask", x, hidden, start)
    sound = engine_of(KSpaceEngine, memories, log_weights, "squared", False).gradient(batch)
    memories[1, 2, 3] = np.nan
    found = engine_of(KSpaceEngine, memories, log_weights, "squared", False).gradient(batch)
    assert torch.isfinite(found.loss).tolist() == [True, False, True]
    torch.testing.assert_close(found.memories[::2], sound.memories[::2])


def test_many_memories_are_left_to_torch():
    memories = np.random.default_rng(0).normal(size=(1, 65, 3))
    engine = engine_of(KSpaceEngine, memories, np.zeros((1, 65)), "squared", False)
    assert engine._fused is None
    assert torch.isfinite(
        engine.gradient(batch_of("none", memories[0], np.ones(3, bool), None)).memories
    ).all()


@pytest.mark.parametrize("beta", [1e-5, 1e6])
def test_extremes_are_finite(beta):
    memories, log_weights, x, hidden, start = case("mask", True)
    x[1] = x[0]
    for cls in (KSpaceEngine, DirectEngine):
        engine = engine_of(cls, memories, log_weights, "squared", True, torch.float32, beta)
        found = engine.gradient(batch_of("mask", x, hidden, start, torch.float32))
        assert torch.isfinite(found.memories).all()


def test_gaps_move_and_are_never_scored():
    memories, log_weights, x, hidden, start = case("mask", False)
    missing = np.zeros_like(x, dtype=bool)
    missing[0, [1, 3]], missing[4, 5] = True, True
    begin = np.where(missing, x, start)
    columns = torch.from_numpy(np.flatnonzero(hidden))
    batch = Batch(torch.tensor(x), columns, torch.tensor(begin), torch.tensor(missing))
    engine = engine_of(DirectEngine, memories, log_weights, "squared", False)
    loss, n_scored = engine.loss(batch)
    assert n_scored == B * 3 - 1
    moving, scored = hidden | missing, hidden & ~missing
    begin = np.where(moving, begin, x)
    for r in range(R):
        ends = oracles.recall(begin, memories[r], BETA, T, STEP, hidden=moving)
        np.testing.assert_allclose(loss[r], ((ends - x)[scored] ** 2).sum(), rtol=1e-10)


@pytest.mark.parametrize("cls", [KSpaceEngine, DirectEngine])
def test_a_pass_is_its_batches_one_by_one(cls):
    memories, log_weights, x, _, start = case("mask", False)
    hidden = np.zeros((3, D), dtype=bool)
    hidden[[0, 1, 2], [1, 2, 5]] = True
    rates = np.linspace(0.1, 0.3, 9).reshape(3, R)
    whole = engine_of(cls, memories, log_weights, "squared", False)
    loss = whole.run(x, hidden, start, rates, 4)
    single = engine_of(cls, memories, log_weights, "squared", False)
    losses = [
        single.run(x[4 * i : 4 * i + 4], hidden[i : i + 1], start, rates[i : i + 1], 4)
        for i in range(3)
    ]
    np.testing.assert_allclose(single.memories, whole.memories, rtol=1e-12)
    np.testing.assert_allclose(np.average(losses, axis=0, weights=[4, 4, 1]), loss)
    restarts_alone = engine_of(cls, memories[1:2], log_weights[1:2], "squared", False)
    restarts_alone.run(x, hidden, start, rates[:, 1:2], 4)
    np.testing.assert_allclose(restarts_alone.memories[0], whole.memories[1], rtol=1e-10)


def test_evaluate_is_the_loss_before_a_step():
    memories, log_weights, x, hidden, start = case("mask", False)
    engine = engine_of(KSpaceEngine, memories, log_weights, "squared", False)
    before = engine.evaluate(x, hidden[None], start, B)
    np.testing.assert_allclose(
        engine.run(x, hidden[None], start, np.full((1, R), 0.1), B), before, rtol=1e-12
    )
    assert (engine.evaluate(x, hidden[None], start, B) != before).all()


def test_stop_is_asked_between_batches():
    memories, log_weights, x, hidden, start = case("mask", False)
    engine = engine_of(KSpaceEngine, memories, log_weights, "squared", False)
    engine.run(x, hidden[None], start, np.full((1, R), 0.1), B, stop=lambda: True)
    np.testing.assert_array_equal(engine.memories, memories)


def test_adam_is_torch_s():
    rng = np.random.default_rng(0)
    ours, theirs = (torch.tensor(rng.normal(size=(2, 3, 4))) for _ in range(2))
    theirs = ours.clone().requires_grad_()
    reference = torch.optim.Adam([theirs], lr=0.05)
    adam = Adam(ours)
    for _ in range(5):
        slope = torch.tensor(rng.normal(size=(2, 3, 4)))
        theirs.grad = slope.clone()
        reference.step()
        adam.step(ours, slope, torch.full((2, 1, 1), 0.05))
    torch.testing.assert_close(ours, theirs.detach())


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")
def test_cuda_trains_as_the_cpu_does():
    memories, log_weights, x, hidden, start = case("mask", True)
    ends = []
    for device in ("cpu", "cuda"):
        engine = KSpaceEngine(
            memories, log_weights, beta=BETA, n_steps=T, step_size=STEP, loss="squared",
            learn_weights=True, dtype=torch.float64, device=device,
        )  # fmt: skip
        engine.run(x, hidden[None], start, np.full((1, R), 0.1), B)
        ends.append(engine.memories)
    np.testing.assert_allclose(ends[0], ends[1], rtol=1e-9)
