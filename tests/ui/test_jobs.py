"""Jobs: progress, cancel, failure as a sentence, warnings of their own thread only."""

import threading
import time
import warnings

import pytest

from ui.jobs import Jobs, Progress


def wait_until(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def test_progress_then_outcome():
    step = threading.Event()

    def work(report, stop):
        report(Progress(step=1, n_steps=4, loss=2.5))
        assert step.wait(5)
        return "clusters"

    job = Jobs(workers=1).start(work)
    wait_until(lambda: job.snapshot.progress)
    seen = job.snapshot
    assert seen.active and seen.progress == Progress(1, 4, 2.5)
    assert seen.seconds_left is not None and seen.outcome is None
    step.set()
    assert job.finished.wait(5)
    assert job.snapshot.state == "done" and job.snapshot.outcome == "clusters"
    assert job.snapshot.seconds_left is None
    assert seen.outcome is None, "a snapshot already taken must not change"


def test_cancel_stops_within_a_second_and_keeps_the_outcome():
    def work(report, stop):
        while not stop():
            time.sleep(0.002)
        return "what there was"

    job = Jobs(workers=1).start(work)
    wait_until(lambda: job.snapshot.state == "running")
    began = time.monotonic()
    job.cancel()
    assert job.finished.wait(1)
    assert time.monotonic() - began < 1
    assert job.cancelled and job.snapshot.outcome == "what there was"


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        (ValueError("k=9 should be <= 4."), "k=9 should be <= 4."),
        (MemoryError(), "There is not enough memory."),
        (KeyError("secret"), "The run stopped at a fault of ours (KeyError)."),
    ],
)
def test_a_failure_is_a_sentence(fault, sentence):
    def work(report, stop):
        raise fault

    job = Jobs(workers=1).start(work)
    assert job.finished.wait(5)
    assert (job.snapshot.state, job.snapshot.error) == ("failed", sentence)


def test_each_job_keeps_its_own_warnings():
    pool = Jobs(workers=2)
    together = threading.Barrier(2)

    def warn(name):
        def work(report, stop):
            together.wait(5)
            for _ in range(2):
                warnings.warn(f"{name} stopped early.", UserWarning, stacklevel=1)
            together.wait(5)

        return work

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        first, second = pool.start(warn("one")), pool.start(warn("two"))
        assert first.finished.wait(5) and second.finished.wait(5)
    assert first.snapshot.warnings == ("one stopped early.",)
    assert second.snapshot.warnings == ("two stopped early.",)


def test_a_full_queue_says_so_and_empties_again():
    pool, go_on = Jobs(workers=1, queue=1), threading.Event()
    held = [pool.start(lambda report, stop: go_on.wait(5)) for _ in range(2)]
    with pytest.raises(ValueError, match="Too many runs are waiting"):
        pool.start(lambda report, stop: None)
    go_on.set()
    assert all(job.finished.wait(5) for job in held)
    wait_until(lambda: pool._places._value > 0)
    assert pool.start(lambda report, stop: "later").finished.wait(5)
