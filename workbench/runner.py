"""A process of its own to fit in, which can be ended at any moment and is warm for the next fit."""

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from workbench.contestant import receive, send
from workbench.entry import Entry
from workbench.peak_memory import spare_memory
from workbench.progress import Progress

_COMMAND = (sys.executable, "-m", "workbench.contestant")
_ROOT = Path(__file__).parents[1]
_LOOK = 0.1  # seconds from one look at whether to stop to the next
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")


class Ended(Exception):  # noqa: N818 - it is no error
    """Raised where a fit was ended by `Runner.kill` or by its `stop`."""


class Runner:
    """One child process, begun when first needed and used for one fit after the other.

    Its imports are paid once. It has one thread, low priority and, where the system sees to it, a
    limit on its memory; it ends when this process does, however that ends.

    Parameters
    ----------
    memory : float, optional
        Bytes that a fit may take; by default most of what is free when it begins.
    command : sequence of str, optional
        What is run; by default `workbench.contestant`.
    """

    def __init__(self, *, memory=None, command=_COMMAND):
        self._memory, self._command = memory, tuple(command)
        self._changing = threading.Lock()
        self._child: _Child | None = None
        self._rows: Any = None
        self._closed = False

    def hold(self, X, y, k, pixels=None):
        """Say on which rows the next fits work.

        Parameters
        ----------
        X : ndarray of shape (n, d)
        y : ndarray of shape (n,) or None
            Reference labels.
        k : int
            Clusters for which SLK's lambda is taken in scores.
        pixels : ndarray of bool, optional
            Of `Dataset.pixels`, for methods of images.
        """
        self._rows = X, y, k, pixels
        self._present()

    @property
    def pid(self):
        """Number of the present child's process."""
        return self._present().pid

    def fit(self, recipe, *, null=False, tell=lambda _: None, stop=lambda: False):
        """Fit and score one Recipe, in the child.

        Parameters
        ----------
        recipe : Recipe
        null : bool, default False
            To rows without clusters, drawn with the Recipe's seed, in place of the given ones.
        tell : callable, optional
            Called with a Progress.
        stop : callable, optional
            Polled some times a second.

        Returns
        -------
        entry : Entry
            A crash, too, is one, with a sentence.
        crashed : bool
            Whether the child ended in the middle of it.

        Raises
        ------
        Ended
        """
        child = self._present()
        most = spare_memory() if self._memory is None else self._memory
        with contextlib.suppress(OSError, ValueError):  # it has ended: what follows finds out why
            if child.holds is not self._rows:
                child.holds = self._rows
                child.send(("hold", *self._rows))
            child.send(("fit", recipe.to_json(), null, most))
        while True:
            if stop():
                self.kill()
            kind, given = child.next()
            if child.killed:
                raise Ended
            if kind == "progress":
                tell(Progress(*given))
            elif kind == "entry":
                return Entry(recipe, null, **given), False
            elif kind == "end":
                return Entry(recipe, null, error=child.fault()), True

    def kill(self):
        """End the fit at work now; another child begins to warm up in its place."""
        with self._changing:
            if self._child is not None:
                self._child.kill()
                self._child = None
        if not self._closed:
            self._present()

    def close(self):
        """End the child for good."""
        self._closed = True
        self.kill()

    def _present(self):
        with self._changing:
            if self._child is None or not self._child.alive:
                self._child = _Child(self._command)
            return self._child

    def __enter__(self):
        """Use it in a `with`, which closes it."""
        return self

    def __exit__(self, *_):
        """Close it."""
        self.close()


class _Child:
    """One process with its two pipes."""

    def __init__(self, command):
        self.holds: Any = None
        self.killed = False
        self._process: Any = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=_ROOT,
            env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
            start_new_session=True,  # Ctrl+C is for this process, which then ends that one
            creationflags=getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0),  # on Windows
        )
        self.pid = self._process.pid
        self._heard = queue.SimpleQueue()
        threading.Thread(target=self._listen, name="race-listener", daemon=True).start()

    @property
    def alive(self):
        """Whether it has not ended."""
        return self._process.poll() is None

    def send(self, message):
        """Ask for something; OSError where it has ended, ValueError where that is known by now."""
        send(self._process.stdin, message)

    def next(self) -> tuple[str, Any]:
        """Return the next message, or ("", None) where there is none for a moment."""
        try:
            return self._heard.get(timeout=_LOOK)
        except queue.Empty:
            return "", None

    def kill(self):
        """End it at once."""
        self.killed = True
        self._process.kill()

    def fault(self):
        """Say in one sentence how it ended by itself."""
        code = self._process.wait()
        if code == -getattr(signal, "SIGKILL", 9):
            return "The system ended its process, most likely for want of memory."
        if code < 0:
            return f"Its process crashed ({signal.Signals(-code).name})."
        return f"Its process ended by itself (exit code {code})."

    def _listen(self):
        while (message := receive(self._process.stdout)) is not None:
            self._heard.put(message)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with contextlib.suppress(OSError):  # what was not read yet has nowhere to go
                pipe.close()
        self._heard.put(("end", None))
