"""A contestant whose fits get into trouble, of a kind that the seed says."""

import os
import signal
import time
from dataclasses import replace
from typing import Any

import numpy as np

EXITS, CRASHES, HANGS, HOARDS, DIVERGES, BORROWS = range(901, 907)
BORROWED = 96 << 20


class Troubled:
    """An estimator that does what its seed says in place of fitting, or before."""

    def __init__(self, model, seed):
        self.model, self.seed = model, seed

    def fit_iter(self, X, *, stop=None):
        if self.seed == EXITS:
            os._exit(3)
        if self.seed == CRASHES:
            os.kill(os.getpid(), signal.SIGSEGV)
        while self.seed == HANGS:
            time.sleep(0.01)
        if self.seed == HOARDS:
            np.ones(1 << 34)
        if self.seed == DIVERGES:
            raise RuntimeError("ARPACK error -1: No convergence (3001 iterations).\nMore text.")
        if self.seed == BORROWS:
            np.ones(BORROWED >> 3)
        yield from self.model.fit_iter(X, stop=stop)

    def __getattr__(self, name):
        return getattr(self.model, name)


def main():
    """Be a contestant that builds troubled estimators."""
    from workbench import contestant, scored_fit

    def troubled(build):
        return lambda settings, **given: Troubled(build(settings, **given), given["random_state"])

    methods: Any = {
        key: replace(method, build=troubled(method.build))
        for key, method in scored_fit.METHODS.items()
    }
    scored_fit.METHODS = methods
    contestant.main()


if __name__ == "__main__":
    main()
