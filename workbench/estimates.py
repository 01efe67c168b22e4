"""What a fit will cost, roughly, before it begins."""

import math
import time
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from workbench.costs import COSTS, Size
from workbench.methods import complete_settings
from workbench.peak_memory import spare_memory

BUDGET = 60.0
"""Seconds: a method whose fit would take longer is held back unless forced."""
_PROBE = 0.017  # seconds that the probe took where the costs were measured


@dataclass(frozen=True)
class Estimate:
    """Time and memory of one fit, right within a factor of three or so.

    Attributes
    ----------
    seconds, bytes : float
        NaN where nothing is known.
    words : str
        Such as "about 3 minutes, 2.1 GiB".
    """

    seconds: float
    bytes: float
    words: str

    @property
    def order(self):
        """The seconds, for sorting: unknown ones come last."""
        return math.inf if math.isnan(self.seconds) else self.seconds


def estimate(method, n, d, k, settings=None):
    """Estimate one fit on this machine's CPU, with one thread.

    Formulas in the size of the data, with constants that were measured once, scaled by a quick
    probe of this machine. Data decide how many steps a method takes, so it is a rough figure.

    Parameters
    ----------
    method : str
        Key in `METHODS`.
    n, d, k : int
        Rows, features, clusters.
    settings : mapping, optional
        Of the method; defaults are filled in.

    Returns
    -------
    Estimate
    """
    if method not in COSTS:
        return Estimate(math.nan, math.nan, "an unknown time")
    seconds, held = COSTS[method](Size(n, d, k), complete_settings(method, settings))
    seconds *= machine_factor()
    return Estimate(seconds, held, f"{duration(seconds)}, {size(held)}")


def too_long(told, budget=BUDGET):
    """Say why a fit should not begin unasked.

    Parameters
    ----------
    told : Estimate
    budget : float, default 60
        Seconds of one fit.

    Returns
    -------
    str
        Part of a sentence; empty where it may begin.
    """
    spare = spare_memory()
    if told.bytes > spare:
        return f"a fit would need about {size(told.bytes)} of memory, and {size(spare)} are free"
    if told.seconds > budget:
        return f"a fit would take {duration(told.seconds)}"
    return ""


@lru_cache(maxsize=1)
def machine_factor():
    """Return how many times longer this machine takes than that on which costs were measured."""
    found = min(_probe() for _ in range(5))
    return min(20.0, max(0.05, found / _PROBE))


def _probe():
    """Seconds of a little of everything: products, memory and the interpreter."""
    rows = np.ones((400, 200))
    began = time.thread_time()  # whatever else the machine is at
    for _ in range(2):
        np.exp(-0.5 * (rows @ rows.T) / 1e3).argmax(axis=1)
    sum(each * each for each in range(50_000))
    return time.thread_time() - began


def duration(seconds):
    """Write a rough time: "a moment", "about 20 seconds", "about 3 minutes", "about 5 hours".

    Parameters
    ----------
    seconds : float

    Returns
    -------
    str
    """
    if seconds < 1:
        return "a moment"
    for unit, length, most in (("second", 1, 90), ("minute", 60, 90), ("hour", 3600, 48)):
        if seconds < most * length:
            return _about(seconds / length, unit)
    return _about(seconds / 86400, "day")


def _about(number, unit):
    whole = _round(number)
    return f"about {whole:,} {unit}{'' if whole == 1 else 's'}"


def _round(number):
    """No more digits than a rough figure has: 1 to 10, 15, 20, 30, ..."""
    if number < 10:
        return max(1, round(number))
    step = 5 if number < 20 else 10 ** math.floor(math.log10(number))
    return round(number / step) * step


def size(held):
    """Write a rough size of memory: "40 MiB", "2.1 GiB".

    Parameters
    ----------
    held : float
        Bytes.

    Returns
    -------
    str
    """
    if held < 2**30 * 0.95:
        return f"{max(1, _round(held / 2**20))} MiB"
    return f"{held / 2**30:.1f} GiB" if held < 9.95 * 2**30 else f"{held / 2**30:,.0f} GiB"
