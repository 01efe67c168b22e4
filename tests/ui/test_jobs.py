"""Jobs: progress, cancel, queue, owners, failure as a sentence, warnings of their own thread."""

import threading
import time
import warnings

import pytest
import torch
from threadpoolctl import threadpool_info

from ui.jobs import Jobs
from workbench.progress import Cancelled, Progress

TRAINING = Progress("training", 1, 4, 2.5)


def wait_until(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def until_stopped(report, stop):
    """Work of a job that trains until it is told to stop."""
    report(TRAINING)
    while not stop():
        time.sleep(0.002)
    return "what there was"


def test_progress_then_outcome():
    step = threading.Event()

    def work(report, stop):
        report(TRAINING)
        report(TRAINING._replace(done=2))
        assert step.wait(60)
        return "clusters"

    job = Jobs().start(work)
    wait_until(lambda: job.snapshot.progress and job.snapshot.progress.done == 2)
    seen = job.snapshot
    assert seen.active and seen.progress == Progress("training", 2, 4, 2.5)
    assert seen.seconds_left is not None and seen.outcome is None
    step.set()
    assert job.finished.wait(60)
    assert job.snapshot.state == "done" and job.snapshot.outcome == "clusters"
    assert job.snapshot.seconds_left is None
    assert seen.outcome is None, "a snapshot already taken must not change"


def test_time_left_is_of_each_phase():
    left = []

    def work(report, stop):
        for phase, planned in (("training", 4), ("scoring", 2), ("comparing", 3), ("comparing", 2)):
            for done in range(planned + 1):
                report(Progress(phase, done, planned))
                left.append(job.snapshot.seconds_left)
                time.sleep(0.01)

    go_on = threading.Event()
    pool = Jobs()
    job = pool.start(lambda report, stop: go_on.wait(60) and work(report, stop))
    go_on.set()
    assert job.finished.wait(60)
    begins = [at for at, value in enumerate(left) if value is None]
    assert begins == [0, 5, 8, 12], "nothing is known before a part is done"
    assert left[4] == left[7] == 0 and left[1] > left[2] > left[3]


def test_cancel_stops_and_keeps_the_outcome():
    job = Jobs().start(until_stopped)
    wait_until(lambda: job.snapshot.progress)
    job.cancel()
    assert job.finished.wait(60)
    assert job.cancelled and job.snapshot.outcome == "what there was"


@pytest.mark.parametrize("phase", [None, "preparing"])
def test_cancel_ends_at_once_what_has_nothing_to_keep(phase):
    leave = threading.Event()

    def work(report, stop):
        if phase:
            report(Progress(phase))
        leave.wait(60)  # a search that looks at nothing until it ends
        report(TRAINING)
        return "too late"

    job = Jobs().start(work)
    wait_until(lambda: job.snapshot.state == "running")
    wait_until(lambda: not phase or job.snapshot.progress)
    job.cancel()
    assert job.finished.is_set() and job.snapshot.state == "cancelled"
    leave.set()
    time.sleep(0.05)
    assert job.snapshot.state == "cancelled" and job.snapshot.outcome is None


def test_work_may_say_that_there_is_nothing_to_keep():
    def work(report, stop):
        raise Cancelled

    job = Jobs().start(work)
    assert job.finished.wait(60) and job.snapshot.state == "cancelled"


def test_dropping_keeps_nothing():
    job = Jobs().start(until_stopped)
    wait_until(lambda: job.snapshot.progress)
    job.drop()
    assert job.finished.is_set() and job.snapshot.state == "cancelled"


def test_an_outcome_is_kept_before_it_is_seen_and_never_of_what_was_dropped():
    kept, end = [], threading.Event()
    pool = Jobs()
    job = pool.start(lambda report, stop: "clusters", keep=kept.append)
    assert job.finished.wait(60) and kept == ["clusters"]

    def slow(report, stop):
        report(TRAINING)
        assert end.wait(60)  # looks at nothing until it has an outcome
        return "too late"

    dropped = pool.start(slow, keep=kept.append)
    wait_until(lambda: dropped.snapshot.progress)
    dropped.drop()
    end.set()
    wait_until(lambda: not pool._running)
    assert kept == ["clusters"] and dropped.snapshot.outcome is None


def test_what_is_being_kept_is_no_longer_dropped():
    keeping, go_on = threading.Event(), threading.Event()

    def keep(outcome):
        keeping.set()
        assert go_on.wait(60)

    job = Jobs().start(lambda report, stop: "clusters", keep=keep)
    assert keeping.wait(60)
    job.drop()
    assert job.snapshot.active, "the page does not say that nothing was kept"
    go_on.set()
    assert job.finished.wait(60) and job.snapshot.outcome == "clusters"


def test_jobs_compute_with_one_thread_in_every_library():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        job = Jobs().start(
            lambda report, stop: (
                torch.get_num_threads(), [each["num_threads"] for each in threadpool_info()],
            )
        )  # fmt: skip
        assert job.finished.wait(30)
        torches, others = job.snapshot.outcome
        assert torches == 1 and set(others) == {1}
    finally:
        torch.set_num_threads(before)


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

    job = Jobs().start(work)
    assert job.finished.wait(60)
    assert (job.snapshot.state, job.snapshot.error) == ("failed", sentence)


def test_each_job_keeps_its_own_warnings():
    pool = Jobs(heavy=2)
    together = threading.Barrier(2)

    def warn(name):
        def work(report, stop):
            together.wait(60)
            for _ in range(2):
                warnings.warn(f"{name} stopped early.", UserWarning, stacklevel=1)
            together.wait(60)

        return work

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        first, second = pool.start(warn("one")), pool.start(warn("two"))
        assert first.finished.wait(60) and second.finished.wait(60)
    assert first.snapshot.warnings == ("one stopped early.",)
    assert second.snapshot.warnings == ("two stopped early.",)


def test_the_rest_wait_and_know_their_place():
    pool = Jobs(heavy=1)
    first, second, third = (pool.start(until_stopped) for _ in range(3))
    wait_until(lambda: first.snapshot.progress)
    assert (second.snapshot.state, pool.before(second), pool.before(third)) == ("waiting", 1, 2)
    second.cancel()
    assert second.finished.is_set() and second.snapshot.state == "cancelled"
    assert pool.before(third) == 1
    first.cancel()
    wait_until(lambda: third.snapshot.state == "running")
    assert pool.before(third) == 0
    third.cancel()
    assert third.finished.wait(60)


def test_light_work_does_not_wait_for_heavy():
    pool = Jobs(heavy=1)
    heavy = [pool.start(until_stopped) for _ in range(2)]
    light = pool.start(lambda report, stop: "quick", heavy=False)
    assert light.finished.wait(60) and light.snapshot.outcome == "quick"
    assert heavy[1].snapshot.state == "waiting"
    for job in heavy:
        job.drop()


def test_a_full_queue_says_so_and_empties_again():
    pool = Jobs(heavy=1, queue=1)
    first = pool.start(until_stopped)
    wait_until(lambda: first.snapshot.progress)
    second = pool.start(until_stopped)
    with pytest.raises(ValueError, match="Too many runs are waiting"):
        pool.start(until_stopped)
    second.cancel()
    later = pool.start(lambda report, stop: "later")
    first.cancel()
    assert later.finished.wait(60)


def test_jobs_belong_to_their_owner():
    pool = Jobs(heavy=2)
    mine, other = pool.start(until_stopped, owner="me"), pool.start(until_stopped, owner="other")
    ended = pool.start(lambda report, stop: "quick", owner="me", heavy=False)
    assert ended.finished.wait(60)
    wait_until(lambda: len(pool.of("me")) == 2)
    assert set(pool.of("me")) == {mine, ended} and pool.of("other") == [other]
    assert pool.of("somebody") == []
    mine.drop()
    other.drop()


def test_outcomes_are_forgotten_by_count_and_time():
    pool = Jobs(kept=2, seconds=60)
    for number in range(4):
        job = pool.start(lambda report, stop, number=number: number)
        assert job.finished.wait(60)
        wait_until(lambda: job in pool.of(""))  # noqa: B023 - asked at once
    assert [job.snapshot.outcome for job in pool.of("")] == [3, 2]
    pool._seconds = 0
    time.sleep(0.01)
    assert pool.of("") == []


def test_outcomes_of_large_data_push_out_the_older_ones():
    pool = Jobs(size=100)
    for number in range(3):
        job = pool.start(lambda report, stop, number=number: number, size=60)
        assert job.finished.wait(60)
        wait_until(lambda: job in pool.of(""))  # noqa: B023 - asked at once
    assert [job.snapshot.outcome for job in pool.of("")] == [2]
