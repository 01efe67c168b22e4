"""The process that fits for a race: Recipes come in by a pipe, Entries go out by another.

It lives no longer than the process that began it: where that ends, its pipe closes.
"""

import contextlib
import os
import pickle
import queue
import struct
import sys
import threading
import time
import warnings

NICENESS = 5  # as of the app's own jobs: below a person's other work, and above none
_LENGTH = struct.Struct("<Q")
_PAUSE = 0.05  # seconds from one word on the progress to the next
_KEPT_BYTES = 64 << 20  # of null rows, whose graph is kept for the next method


def send(pipe, message):
    """Write a message to a pipe: its length and its pickle.

    Parameters
    ----------
    pipe : binary file
    message : object
        Plain values and arrays.
    """
    packed = pickle.dumps(message, protocol=5)
    pipe.write(_LENGTH.pack(len(packed)))
    pipe.write(packed)
    pipe.flush()


def receive(pipe):
    """Read a message from a pipe.

    Parameters
    ----------
    pipe : binary file

    Returns
    -------
    object
        None where the pipe is closed.
    """
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        return None
    length = _LENGTH.unpack(head)[0]
    packed = pipe.read(length)
    return pickle.loads(packed) if len(packed) == length else None  # cut: the other side ended


def main():
    """Fit what is asked for until the pipe closes."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what libraries print must not come between messages
    with contextlib.suppress(OSError, AttributeError):
        os.nice(max(0, NICENESS - os.nice(0)))
    asked = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, asked), daemon=True).start()

    from workbench.threads import one_thread

    one_thread()  # imports what takes seconds, and fits as pages and scripts do
    _Contestant(answers).serve(asked)


def _listen(pipe, asked):
    while (message := receive(pipe)) is not None:
        asked.put(message)
    os._exit(0)  # whatever is at work: nobody waits for it


class _Contestant:
    """Fits to the rows that it was given last, and to null rows drawn after them."""

    def __init__(self, answers):
        self._answers = answers
        self._pixels = None
        self._rows, self._k = {}, 0  # by seed of the null rows; None for the given ones
        self._known = set()  # methods that have been fitted once
        self._told = 0.0

    def serve(self, asked):
        while True:
            kind, *given = asked.get()
            getattr(self, f"_{kind}")(*given)

    def _hold(self, X, y, k, pixels):
        from workbench.judging import Judge

        self._rows, self._k = {None: (X, Judge(X, y, k=k))}, k
        self._pixels = pixels

    def _fit(self, text, null, most):
        from workbench.peak_memory import limit_memory
        from workbench.recipe import Recipe
        from workbench.scored_fit import NO_MEMORY, enter

        recipe = Recipe.from_json(text)
        limit_memory(most if recipe.device == "cpu" else float("inf"))  # CUDA maps far more
        self._tell(("preparing", 0, 0, float("nan")))
        try:
            X, judge = self._rows_of(recipe.seed if null else None)
            self._warm_up(recipe, X)
            entry = enter(recipe, X, judge, pixels=self._pixels, null=null, report=self._tell)
            fields = {name: value for name, value in vars(entry).items() if name not in _OWN}
        except MemoryError:  # outside of the fit, such as when null rows are drawn
            fields = {"error": NO_MEMORY}
        limit_memory(float("inf"))
        send(self._answers, ("entry", fields))

    def _rows_of(self, seed):
        """Rows and their judge, with its graph where they are asked for again."""
        if seed not in self._rows:
            from workbench.judging import Judge
            from workbench.null_rows import null_rows

            given = self._rows[None]
            if given[0].nbytes > _KEPT_BYTES:
                self._rows = {None: given}
            rows = null_rows(given[0], seed)
            self._rows[seed] = rows, Judge(rows, k=self._k)
        return self._rows[seed]

    def _warm_up(self, recipe, X):
        """Fit a method to a few rows once, so that no fit is charged with imports and compiling."""
        if recipe.method in self._known:
            return
        self._known.add(recipe.method)
        from workbench.fitting import fitted_labels
        from workbench.methods import METHODS

        quick = {
            parameter.name: max(1, int(parameter.low))
            for parameter in METHODS[recipe.method].parameters
            if parameter.kind == "int" and any(word in parameter.name for word in _LENGTHS)
        }
        with contextlib.suppress(Exception), warnings.catch_warnings():  # the fit itself will tell
            warnings.simplefilter("ignore")
            fitted_labels(recipe.changed(settings=quick), X[:_FEW], pixels=self._pixels)

    def _tell(self, progress):
        now = time.monotonic()
        if now - self._told > _PAUSE or progress[0] != "training":
            self._told = now
            send(self._answers, ("progress", tuple(progress)))


_FEW = 64
_LENGTHS = ("n_init", "iter", "epochs")
_OWN = ("recipe", "null")  # the other side knows them

if __name__ == "__main__":
    main()
