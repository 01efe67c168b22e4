"""Asks a child process and waits for its answers, but not for ever; no benchmark."""

import json
import math
import queue
import signal
import subprocess
import sys
import threading
from dataclasses import asdict
from pathlib import Path

from benchmarks.answers import Question

ROOT = Path(__file__).parents[1]


PATIENCE = 10
"""Times the processor's seconds that are waited: other work may have the processor."""


class TooLong(Exception):
    """The answer did not come in time; the child was ended."""


class Desk:
    """A child process that fits, begun at the first question and again after each one lost."""

    def __init__(self, folder: Path, module: str = "benchmarks.fitter") -> None:
        self.command = [sys.executable, "-m", module, str(folder.resolve())]
        self.child: subprocess.Popen[str] | None = None
        self.lines: queue.Queue[str] = queue.Queue()

    def ask(self, question: Question, seconds: float, wait: float = math.inf) -> dict:
        """Return the answer; TooLong where none came, an error in words where the child died.

        It has `seconds` of the processor, and at most `wait` on the clock.
        """
        child = self.child or self._begin()
        assert child.stdin is not None
        try:
            child.stdin.write(json.dumps([asdict(question), seconds]) + "\n")
            child.stdin.flush()
            line = self.lines.get(timeout=min(PATIENCE * seconds, wait))
        except queue.Empty:
            self.close()
            raise TooLong from None
        except BrokenPipeError:
            line = ""
        if not line:
            status = child.wait()
            self.close()
            if status == -getattr(signal, "SIGXCPU", 0):
                raise TooLong
            return {"error": f"its process ended with status {status}"}
        return json.loads(line)

    def close(self) -> None:
        """End the child."""
        if self.child is not None:
            self.child.kill()
            self.child.wait()
        self.child = None

    def _begin(self) -> subprocess.Popen[str]:
        self.lines = queue.Queue()
        self.child = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, cwd=ROOT,
        )  # fmt: skip
        threading.Thread(target=listen, args=(self.child, self.lines), daemon=True).start()
        return self.child


def listen(child: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    """Put what a child says into a queue; an empty line at its end."""
    assert child.stdout is not None
    for line in child.stdout:
        lines.put(line)
    lines.put("")
