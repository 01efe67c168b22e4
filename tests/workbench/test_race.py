"""Races: one child process, methods that are cancelled, fail or crash, and those that go on."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.workbench import troubled_contestant as trouble
from workbench import race as races
from workbench.comparison import entrants
from workbench.dataset import builtin, prepare
from workbench.estimates import Estimate
from workbench.fitting import fitted_labels
from workbench.null_rows import null_rows
from workbench.race import Race
from workbench.recipe import Recipe
from workbench.runner import Runner

COMMAND = [sys.executable, "-m", trouble.__name__]
K = 4
LONG = 60  # seconds: a child imports torch, beside other tests


@pytest.fixture(scope="module")
def runner():
    with Runner(command=COMMAND, memory=1 << 30) as begun:
        yield begun


@pytest.fixture(scope="module")
def dataset():
    return prepare(builtin("blobs"))


BASE = Recipe.model_validate({"data": {"kind": "builtin", "name": "blobs"}})
QUICK = {"clam": {"n_init": 1, "n_epochs": 2}, "kmeans": {"n_init": 2}, "slk": {"n_init": 1}}


def of(method, *seeds, k=K):
    return entrants(BASE, [method], k=k, seeds=seeds, settings=QUICK)


def labels_of(entry) -> Any:
    assert entry.done, entry.error
    return entry.labels


def wait_for(condition):
    ends = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < ends, "it never came"
        time.sleep(0.01)


def lane(race, method):
    return next(each for each in race.lanes() if each.method == method)


def test_one_is_cancelled_one_fails_and_the_others_go_on(runner, dataset):
    recipes = of("kmeans", trouble.HANGS) + of("slk", 0, 1)
    recipes += of("clam", trouble.DIVERGES, trouble.EXITS, 2)
    race = Race(dataset, recipes, null=False, runner=runner)
    told = []
    thread = threading.Thread(target=race.run, args=(told.append,))
    thread.start()
    wait_for(lambda: lane(race, "kmeans").state == "running")
    assert lane(race, "slk").state == "waiting"
    race.cancel("kmeans")
    wait_for(lambda: lane(race, "kmeans").state == "cancelled")
    thread.join(LONG)
    assert not thread.is_alive()
    assert {each.method: each.state for each in race.lanes()} == {
        "kmeans": "cancelled", "slk": "done", "clam": "failed",
    }  # fmt: skip
    assert lane(race, "kmeans").words == "Ended by you after 0 of 1 fit."
    assert all(each.done == 1 for each in race.lanes())
    assert told[-1].done == told[-1].planned == 6
    ended = {(entry.method, entry.recipe.seed): entry for entry in race.entries()}
    assert ended["kmeans", trouble.HANGS].cancelled
    assert not ended["kmeans", trouble.HANGS].error
    assert ended["slk", 1].done
    diverged = "It did not converge: ARPACK error -1: No convergence (3001 iterations)."
    assert ended["clam", trouble.DIVERGES].error == lane(race, "clam").words == diverged
    exited = "Its process ended by itself (exit code 3)."
    assert ended["clam", trouble.EXITS].error == exited
    assert ended["clam", 2].error == exited  # not tried: it would have ended the same


def test_labels_are_those_of_a_direct_fit(runner, dataset):
    recipes = [each for method in QUICK for each in of(method, 3)]
    entries = Race(dataset, recipes, null=False, runner=runner).run()
    assert sorted(entry.method for entry in entries) == sorted(QUICK)
    for entry in entries:
        direct: Any = fitted_labels(entry.recipe, dataset.X)[0]
        assert np.array_equal(labels_of(entry), direct), entry.method
        assert entry.n_found == len(np.unique(direct))
        assert entry.seconds > 0


def test_null_rows_are_fitted_by_each_method_with_their_own_seed(runner, dataset, monkeypatch):
    monkeypatch.setattr(races, "NULL_DRAWS", 2)
    given, other, *drawn = Race(dataset, of("kmeans", 5, 6, 7), runner=runner).run()[1:]
    assert not given.null
    assert not other.null
    assert [entry.recipe.seed for entry in drawn] == [5, 6]
    for entry in drawn:
        direct: Any = fitted_labels(entry.recipe, null_rows(dataset.X, entry.recipe.seed))[0]
        assert entry.null
        assert np.array_equal(labels_of(entry), direct)
        assert np.isnan(entry.scores["ari"])
        assert entry.scores["silhouette"] < given.scores["silhouette"] - 0.1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux keeps to the limit")
def test_too_much_memory_is_a_sentence_and_the_child_lives_on(runner, dataset):
    race = Race(dataset, of("kmeans", trouble.HOARDS, 1), null=False, runner=runner)
    runner.hold(dataset.X, None, K)
    pid = runner.pid
    assert {entry.error for entry in race.run()} == {"It needed more memory than it may take."}
    borrowed, _ = runner.fit(of("kmeans", trouble.BORROWS)[0])
    assert 0.95 * trouble.BORROWED <= borrowed.peak < 1.5 * trouble.BORROWED
    plain, _ = runner.fit(of("kmeans", 0)[0])
    assert plain.peak < trouble.BORROWED / 4  # each fit's own peak, not the process's
    assert runner.pid == pid


def test_settings_that_do_not_fit_the_rows_are_a_sentence(runner, dataset):
    (entry,) = Race(dataset, of("kmeans", 0, k=150), null=False, runner=runner).run()
    rows = prepare(builtin("blobs")).X
    assert len(rows) >= 150
    twice = np.repeat(rows[:3], 50, axis=0)
    runner.hold(twice, None, K)
    entry, crashed = runner.fit(of("kmeans", 0)[0])
    assert entry.error == "k = 4 is more than the 3 distinct rows: lower k."
    assert not crashed


def test_what_is_too_long_is_held_back_until_it_is_forced(runner, dataset, monkeypatch):
    slow = Estimate(900, 1e6, "about 15 minutes, 1 MiB")
    brief = Estimate(1, 1e6, "about 1 second, 1 MiB")
    monkeypatch.setattr(races, "estimate", lambda key, *_: slow if key == "slk" else brief)
    race = Race(dataset, of("kmeans", 0) + of("slk", 0), null=False, runner=runner)
    assert [entry.method for entry in race.run()] == ["kmeans"]
    held = lane(race, "slk")
    assert held.state == "too long"
    assert held.words == "Held back: a fit would take about 15 minutes."
    race.force("slk")
    assert [entry.method for entry in race.run()] == ["kmeans", "slk"]
    assert lane(race, "slk").state == "done"
    forced = Race(dataset, of("slk", 0), runner=runner, forced=["slk"])
    assert lane(forced, "slk").state == "waiting"
    forced.cancel("slk")
    assert lane(forced, "slk").state == "cancelled"


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crashed (SIGSEGV)"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "want of memory"),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_a_crash_is_named(dataset, program, sentence):
    with Runner(command=[sys.executable, "-c", program]) as runner:
        runner.hold(dataset.X, None, K)
        entry, crashed = runner.fit(of("kmeans", 0)[0])
    assert crashed
    assert sentence in entry.error
    assert entry.labels is None


def test_a_child_that_ends_as_it_is_spoken_to_is_an_entry(dataset, monkeypatch):
    with Runner(command=[sys.executable, "-c", ""]) as runner:
        runner.hold(dataset.X, None, K)
        child: Any = runner._child
        wait_for(lambda: child._process.stdin.closed)
        monkeypatch.setattr(type(child), "alive", True)  # as it was a moment ago
        entry, crashed = runner.fit(of("kmeans", 0)[0])
    assert crashed and entry.error == "Its process ended by itself (exit code 0)."


def test_a_stopped_race_cancels_what_is_left(runner, dataset):
    race = Race(dataset, of("kmeans", trouble.HANGS) + of("slk", 0), runner=runner)
    seen = []
    entries = race.run(lambda _: seen.append(lane(race, "kmeans").words), lambda: bool(seen))
    assert len(entries) == 4
    assert all(entry.cancelled for entry in entries)
    assert {each.state for each in race.lanes()} == {"cancelled"}


_PARENT = """
import sys, time
from workbench.runner import Runner
runner = Runner()
runner.hold(None, None, 2)
print(runner.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_child_dies_with_its_parent():
    root = Path(__file__).parents[2]
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT], stdout=subprocess.PIPE, cwd=root, text=True
    )
    try:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        assert runs(pid)
    finally:
        parent.kill()
        parent.communicate()
    wait_for(lambda: not runs(pid))


def runs(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"
