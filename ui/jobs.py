"""Long work with progress and cancel.

One :class:`Jobs` per process holds a small pool of threads. A job publishes immutable
:class:`Snapshot` values, which a page may read at any time; nothing here touches a page.
"""

import logging
import threading
import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

WORKERS = 2
QUEUE = 8

_collected = threading.local()


@dataclass(frozen=True)
class Progress:
    """How far training is.

    Attributes
    ----------
    step, n_steps : int
        Epochs done and planned.
    loss : float
        Of the best restart so far.
    """

    step: int
    n_steps: int
    loss: float


@dataclass(frozen=True)
class Snapshot:
    """What a page may know about a job, all of one moment.

    Attributes
    ----------
    state : {"waiting", "running", "done", "failed"}
    progress : Progress or None
    seconds_left : float or None
        Estimated from the epochs done.
    outcome : object or None
        What the work returned, once done.
    error : str
        One sentence, once failed.
    warnings : tuple of str
        Raised while it worked.
    """

    state: str = "waiting"
    progress: Progress | None = None
    seconds_left: float | None = None
    outcome: Any = None
    error: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def active(self):
        """Whether it still waits or works."""
        return self.state in ("waiting", "running")


class Job:
    """One piece of work: ``work(report, stop) -> outcome`` in a thread of the pool.

    Parameters
    ----------
    work : callable
        Called with ``report(Progress)`` and ``stop() -> bool``. It polls ``stop`` often and
        returns what it has when told so. A ``ValueError`` it raises is shown to the reader.
    """

    def __init__(self, work: Callable):
        self._work = work
        self._cancel = threading.Event()
        self._began = 0.0
        self.snapshot = Snapshot()
        self.finished = threading.Event()

    def cancel(self):
        """Ask the work to stop; it does at its next look at ``stop``."""
        self._cancel.set()

    @property
    def cancelled(self):
        """Whether :meth:`cancel` was called."""
        return self._cancel.is_set()

    def run(self):
        """Do the work in the calling thread, which is one of the pool's."""
        _collected.messages = messages = []
        self._began = time.monotonic()
        self.snapshot = Snapshot("running")
        try:
            outcome = self._work(self._report, self._cancel.is_set)
            ended = replace(self.snapshot, state="done", outcome=outcome)
        except ValueError as error:
            ended = replace(self.snapshot, state="failed", error=str(error))
        except MemoryError:
            ended = replace(self.snapshot, state="failed", error="There is not enough memory.")
        except Exception as error:
            logging.getLogger(__name__).exception("a job failed")
            sentence = f"The run stopped at a fault of ours ({type(error).__name__})."
            ended = replace(self.snapshot, state="failed", error=sentence)
        finally:
            _collected.messages = None
        # One assignment: a page sees either the running job or all of the finished one.
        self.snapshot = replace(ended, seconds_left=None, warnings=tuple(dict.fromkeys(messages)))
        self.finished.set()

    def _report(self, progress):
        done = progress.step
        elapsed = time.monotonic() - self._began
        left = elapsed / done * (progress.n_steps - done) if done else None
        self.snapshot = replace(self.snapshot, progress=progress, seconds_left=left)


class Jobs:
    """A bounded pool: a few jobs at work, a few waiting, the next one refused."""

    def __init__(self, workers=WORKERS, queue=QUEUE):
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="job")
        self._places = threading.BoundedSemaphore(workers + queue)
        _route_warnings()

    def start(self, work):
        """Queue a piece of work.

        Parameters
        ----------
        work : callable
            See :class:`Job`.

        Returns
        -------
        Job

        Raises
        ------
        ValueError
            If all places are taken.
        """
        if not self._places.acquire(blocking=False):
            raise ValueError("Too many runs are waiting on this server; try again in a minute.")
        job = Job(work)
        self._pool.submit(job.run).add_done_callback(lambda _: self._places.release())
        return job


@st.cache_resource(show_spinner=False)
def jobs():
    """Return the one pool of this process; jobs themselves belong to sessions."""
    return Jobs()


def _route_warnings():
    """Send each warning to the job whose thread raised it.

    ``warnings.catch_warnings`` swaps a global of the process, so two jobs would take each
    other's. Here the hook is set once and looks at the thread.
    """
    shown = warnings.showwarning

    def show(message, category, filename, lineno, file=None, line=None):
        messages = getattr(_collected, "messages", None)
        if messages is None:
            shown(message, category, filename, lineno, file, line)
        elif issubclass(category, UserWarning) and not issubclass(category, FutureWarning):
            messages.append(str(message))

    warnings.showwarning = show
    # By default a warning shows once per line of code: the second run would look clean.
    warnings.filterwarnings("always", category=UserWarning, module=r"(clam_core|workbench|ui)\b")
