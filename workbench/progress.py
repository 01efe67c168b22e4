"""How far long work is, and whether it should go on."""

import math
from collections.abc import Callable
from typing import NamedTuple

PHASES = ("preparing", "training", "labelling", "scoring", "comparing")
"""Parts of a run, in their order."""

Stop = Callable[[], bool]
Step = Callable[[int, int], bool]
"""Told how many parts of how many are done; answers whether to stop there."""


class Progress(NamedTuple):
    """How far a run is in one of its phases.

    Attributes
    ----------
    phase : str
        One of `PHASES`, or "measuring": how far off fills of gaps are.
    done, planned : float
        Parts of the phase; planned = 0 where they are not counted.
    loss : float
        Of the best restart so far; NaN where there is none yet.
    """

    phase: str
    done: float = 0
    planned: float = 0
    loss: float = math.nan


def training(snapshot):
    """Return how far a training is that yields Snapshots, in starts or in epochs.

    Parameters
    ----------
    snapshot : object
        With `start`, `n_starts` and `objective`, or with `step`, `n_epochs` and `objective`.

    Returns
    -------
    Progress
    """
    if hasattr(snapshot, "n_starts"):  # one start after the other, each as long as it takes
        done, planned = snapshot.start, snapshot.n_starts
    else:
        done, planned = snapshot.step, snapshot.n_epochs
    return Progress("training", done, planned, float(snapshot.objective))


class Cancelled(Exception):  # noqa: N818 - it is no error
    """Raised where work is stopped before there is anything to keep."""


def go_on(done, planned):
    """Answer that work should go on, whoever asks.

    Returns
    -------
    bool
        False: do not stop.
    """
    return False


def each_step(phase, report, stop):
    """Return a `Step` that reports a phase and asks whether to stop.

    Parameters
    ----------
    phase : str
    report : callable
        Takes a Progress.
    stop : callable returning bool

    Returns
    -------
    Step
    """

    def step(done, planned):
        report(Progress(phase, done, planned))
        return stop()

    return step
