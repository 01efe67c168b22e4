"""Long work outside the pages: a queue, progress, cancel, and outcomes that outlive a session.

One :class:`Jobs` per process holds a few threads. A job belongs to a workspace, so that a page
that was reloaded finds it again. It publishes immutable :class:`Snapshot` values, which a page may
read at any time; nothing here touches a page.
"""

import atexit
import contextlib
import logging
import os
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from workbench.progress import Cancelled, Progress
from workbench.threads import one_thread

HEAVY = 2  # at work at once: at low priority they leave the pages alone, but each holds its data
QUEUE = 8  # waiting
KEPT = 6  # finished jobs whose outcome stays in memory,
KEPT_BYTES = 2e9  # the newest ones of so much together,
KEPT_SECONDS = 30 * 60  # for so long
_NICENESS = 5
_TEXT = 5  # times as much memory as its numbers a table takes with its text
_PATIENCE = 3.0  # seconds for which leaving the process waits for jobs to stop

_collected = threading.local()


@dataclass(frozen=True)
class Snapshot:
    """What a page may know about a job, all of one moment.

    Attributes
    ----------
    state : {"waiting", "running", "done", "cancelled", "failed"}
        A cancelled job that had something to keep is "done".
    progress : Progress or None
    seconds_left : float or None
        Of this phase, estimated from the parts of it that are done.
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
        returns what it has when told so, or raises ``Cancelled``. A ``ValueError`` it raises is
        shown to the reader.
    owner : str
        Of the workspace that it belongs to.
    about : object
        What the page that finds it again needs to know.
    heavy : bool
        Whether it takes one of the few places for long work.
    size : int
        Bytes that its outcome holds, about.
    keep : callable, optional
        Called with the outcome before the job is done, but never once it was dropped.
    """

    def __init__(
        self, work: Callable, owner="", about: Any = None, heavy=True, size=0,
        keep: Callable = lambda outcome: None,
    ):  # fmt: skip
        self._made_of: tuple[Callable, Callable] | None = (work, keep)
        self._claimed = False
        self.owner, self.about, self.heavy, self.size = owner, about, heavy, size
        self._stopping = threading.Event()
        self._changing = threading.Lock()
        self._pace = _Pace()
        self.snapshot = Snapshot()
        self.finished = threading.Event()
        self.ended = 0.0  # on the monotonic clock

    def cancel(self):
        """Ask the work to stop; it does at its next look at ``stop``, keeping what it has.

        Where it has nothing yet, it counts as cancelled at once.
        """
        self._stopping.set()
        told = self.snapshot.progress
        if self.snapshot.state == "waiting" or told is None or told.phase == "preparing":
            self.drop()

    def drop(self):
        """End the job here and now, with nothing kept; its thread follows at its next look.

        What already keeps its outcome is let finish: that takes moments, and half is never kept.
        """
        self._stopping.set()
        if self._claim():
            self._end(replace(self.snapshot, state="cancelled"))

    @property
    def cancelled(self):
        """Whether :meth:`cancel` or :meth:`drop` was called."""
        return self._stopping.is_set()

    def run(self):
        """Do the work in the calling thread, which is one of the pool's."""
        made_of, self._made_of = self._made_of, None  # and is not kept beside its outcome
        if made_of is None or not self.snapshot.active:
            return
        work, keep = made_of
        _collected.messages = messages = []
        self._set(replace(self.snapshot, state="running"))
        try:
            one_thread()  # jobs share the cores with pages
            outcome = work(self._report, self._stopping.is_set)
            if not self._claim():
                return
            keep(outcome)
            ended = replace(self.snapshot, state="done", outcome=outcome)
        except Cancelled:
            ended = replace(self.snapshot, state="cancelled")
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
        self._end(replace(ended, warnings=tuple(dict.fromkeys(messages))))

    def _claim(self):
        """Decide, once, who ends the job: its thread with all that is kept, or a drop without."""
        with self._changing:
            claimed, self._claimed = not self._claimed, True
        return claimed

    def _report(self, progress):
        left = self._pace.left(progress)
        self._set(replace(self.snapshot, progress=progress, seconds_left=left))

    def _set(self, snapshot):
        with self._changing:
            if self.snapshot.active:  # what was dropped stays dropped
                self.snapshot = snapshot

    def _end(self, snapshot):
        # One assignment: a page sees either the running job or all of the finished one.
        with self._changing:
            if self.snapshot.active:
                self.ended = time.monotonic()
                self.snapshot = replace(snapshot, seconds_left=None)
        self.finished.set()


class _Pace:
    """Seconds left of a phase, from how long its parts have taken so far."""

    def __init__(self):
        self._first = self._last = Progress("")
        self._began = 0.0

    def left(self, told):
        """Return the seconds left, or None where nothing can be said."""
        same = (told.phase, told.planned) == (self._last.phase, self._last.planned)
        if not same or told.done < self._last.done:  # the same phase may have several parts
            self._first, self._began = told, time.monotonic()
        self._last = told
        done = told.done - self._first.done
        if not done:
            return None
        return (time.monotonic() - self._began) / done * (told.planned - told.done)


class Jobs:
    """A few jobs at work, a few waiting, the next one refused.

    Parameters
    ----------
    heavy : int
        Heavy jobs at work at once; one place more is for light ones.
    queue : int
        Jobs that may wait.
    kept, size, seconds : int, float, float
        How many outcomes stay in memory, of how many bytes together, and for how long.
    """

    def __init__(
        self, heavy=HEAVY, queue=QUEUE, *, kept=KEPT, size=KEPT_BYTES, seconds=KEPT_SECONDS
    ):
        self._heavy, self._queue = heavy, queue
        self._kept, self._size, self._seconds = kept, size, seconds
        self._turn = threading.Condition()
        self._waiting: list[Job] = []
        self._running: list[Job] = []
        self._ended: list[Job] = []
        for number in range(heavy + 1):
            threading.Thread(target=self._serve, name=f"job-{number}", daemon=True).start()
        atexit.register(self._leave)
        _route_warnings()

    def start(self, work, **given):
        """Queue a piece of work, see :class:`Job`.

        Returns
        -------
        Job

        Raises
        ------
        ValueError
            If all places are taken.
        """
        job = Job(work, **given)
        with self._turn:
            self._tidy()
            if len(self._waiting) >= self._queue:
                raise ValueError("Too many runs are waiting on this server; try again in a minute.")
            self._waiting.append(job)
            self._turn.notify()
        return job

    def of(self, owner):
        """Return the jobs of a workspace, newest first: waiting, at work, lately finished."""
        with self._turn:
            self._tidy()
            every = [*self._ended, *self._running, *self._waiting]
        return [job for job in reversed(every) if job.owner == owner]

    def before(self, job):
        """Return how many jobs have to end, or begin, before a waiting one can."""
        with self._turn:
            self._tidy()
            if job not in self._waiting:
                return 0
            ahead = self._waiting[: self._waiting.index(job)]
            return sum(each.heavy or not job.heavy for each in (*self._running, *ahead))

    def _serve(self):
        with contextlib.suppress(OSError, AttributeError):  # a thread's own priority, on Linux
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICENESS)
        while True:
            with self._turn:
                job: Any = self._turn.wait_for(self._next)
                self._waiting.remove(job)
                self._running.append(job)
            job.run()
            with self._turn:
                self._running.remove(job)
                if job.snapshot.state == "done":
                    self._ended.append(job)
                self._tidy()
                self._turn.notify_all()

    def _next(self):
        """The first job that may begin; one place is never taken by a heavy one."""
        self._tidy()
        full = sum(job.heavy for job in self._running) >= self._heavy
        return next((job for job in self._waiting if not (job.heavy and full)), None)

    def _tidy(self):
        """Forget what was cancelled while it waited, and outcomes that were kept long enough."""
        self._waiting = [job for job in self._waiting if job.snapshot.active]
        fresh = time.monotonic() - self._seconds
        self._ended = [job for job in self._ended if job.ended > fresh][-self._kept :]
        while len(self._ended) > 1 and sum(job.size for job in self._ended) > self._size:
            del self._ended[0]

    def _leave(self):
        """Let the threads come to an end before the process does."""
        with self._turn:
            self._waiting.clear()
            for job in self._running:
                job.cancel()
            self._turn.wait_for(lambda: not self._running, timeout=_PATIENCE)


def size_of(dataset):
    """Return about how many bytes a table takes with its text, for `Job.size`."""
    return _TEXT * dataset.X.nbytes


@st.cache_resource(show_spinner=False)
def jobs():
    """Return the one pool of this process; each job belongs to a workspace."""
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
