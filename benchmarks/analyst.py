"""Does a table of a million rows open, cluster and leave within 6 GiB, with the page alive?"""

from __future__ import annotations

import resource
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.report import Report
from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.pictures import picture
from workbench.preparation import Preparation
from workbench.recipe import Recipe, Upload
from workbench.run import run
from workbench.typed_export import labelled_file

ROWS, GROUPS = 1_000_000, 6
NUMBERS, REGIONS, PLANS = (
    18,
    ("north", "south", "east", "west", "islands"),
    ("basic", "plus", "pro"),
)
GAPS = 0.01  # of the numbers
METHODS = ("clam", "kmeans", "slk")

MOST_MEMORY = 6.0  # GiB, of the whole process
MOST_MINUTES = 10.0
IDLE = 3.0  # seconds of listening before any work
BEAT = 0.1  # seconds between two interactions
SLOWER = 2.0  # times an idle interaction's median
LONGEST = 2.0  # seconds, of any interaction


def main(report: Report, data=None, minutes=None) -> None:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, Pulse() as pulse:
        path = write_table(Path(folder, "customers.csv"), ROWS)
        time.sleep(IDLE)
        idle = pulse.taken()
        report.heading(f"{ROWS:,} rows x {NUMBERS + 2} columns, {path.stat().st_size / 1e6:.0f} MB")
        report.figure("an interaction, idle, median", 1000 * idle.median, unit="ms")
        told = Steps(report, pulse)
        work(path, told)
    report.heading("In all")
    slower = float(np.median(np.concatenate(told.beats))) / idle.median
    report.figure("an interaction meanwhile, median, times idle", slower, SLOWER, at_least=False)
    report.figure("the longest interaction", told.longest, LONGEST, at_least=False, unit="s")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    report.figure("peak memory", peak, MOST_MEMORY, at_least=False, unit="GiB")
    spent = (time.monotonic() - began) / 60
    report.figure("minutes", spent, MOST_MINUTES, at_least=False)
    report.figure("of them on a processor", time.process_time() / 60)


def write_table(path: Path, n: int, seed: int = 0) -> Path:
    """Write a table of groups, with gaps and two categories, piece by piece."""
    rng = np.random.default_rng(seed)
    middles = rng.normal(0, 2, (GROUPS, NUMBERS))
    for start in range(0, n, 50_000):
        size = min(50_000, n - start)
        group = rng.integers(GROUPS, size=size)
        values = middles[group] + rng.normal(size=(size, NUMBERS))
        values[rng.random(values.shape) < GAPS] = np.nan
        piece = pd.DataFrame(values, columns=[f"measure {i + 1}" for i in range(NUMBERS)]).round(4)
        piece["region"] = np.array(REGIONS)[(group + rng.integers(2, size=size)) % len(REGIONS)]
        piece["plan"] = np.array(PLANS)[group % len(PLANS)]
        piece.to_csv(path, mode="a" if start else "w", header=not start, index=False)
    return path


def work(path: Path, told: Steps) -> None:
    """Do what a person does with such a table."""
    payload = path.read_bytes()
    table = told("open", lambda: read_table(payload, path.name))
    names = tuple(table.frame.columns)
    preparation = Preparation(features=names)
    dataset = told("prepare", lambda: prepare(table, preparation))
    upload = Upload(fingerprint=table.fingerprint)
    for method in METHODS:
        recipe = Recipe(
            data=upload, preparation=preparation, method=method, settings={"n_clusters": GROUPS}
        )
        found = told(f"cluster by {method}", lambda recipe=recipe: run(recipe, dataset))
        told(f"draw the points of {method}", lambda found=found: picture("points", found))
        for ending in ("csv", "parquet"):
            told(
                f"{ending} of {method}",
                lambda found=found, ending=ending: labelled_file(
                    ending, table, found.labels, dataset.row_ids
                ),
            )


class Beats:
    """How long interactions took, in seconds."""

    def __init__(self, seconds: list[float]) -> None:
        self.seconds = np.array(seconds or [0.0])
        self.median = float(np.median(self.seconds))
        self.longest = float(self.seconds.max())


class Pulse:
    """A thread that does now and then what an interaction costs: some Python, under the lock."""

    def __init__(self) -> None:
        self._seconds: list[float] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)

    def __enter__(self) -> Pulse:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def taken(self) -> Beats:
        """Interactions since the last look, one that is under way not counted."""
        seconds, self._seconds = self._seconds, []
        return Beats(seconds)

    def _beat(self) -> None:
        while not self._over.wait(BEAT):
            began = time.perf_counter()
            sum(len(str(number)) for number in range(100_000))  # some 20 ms of bytecode
            self._seconds.append(time.perf_counter() - began)


class Steps:
    """Runs steps, prints seconds and interactions of each."""

    def __init__(self, report: Report, pulse: Pulse) -> None:
        self._report, self._pulse = report, pulse
        self.beats: list[np.ndarray] = []
        self.longest = 0.0

    def __call__(self, name: str, function: Callable[[], Any]) -> Any:
        self._pulse.taken()
        began = time.perf_counter()
        made = function()
        seconds = time.perf_counter() - began
        time.sleep(2 * BEAT)  # an interaction that waited is part of the step
        beats = self._pulse.taken()
        self.beats.append(beats.seconds)
        self.longest = max(self.longest, beats.longest)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        print(
            f"{name:26} {seconds:7.1f} s   interactions: median {1000 * beats.median:5.0f} ms, "
            f"longest {1000 * beats.longest:5.0f} ms   memory so far {peak:.2f} GiB",
            flush=True,
        )
        return made
