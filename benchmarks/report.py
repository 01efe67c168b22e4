"""What every benchmark needs: one thread, a median time, and figures beside their bars."""

import os
import statistics
import sys
import time
from collections.abc import Callable

THREADS = (
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
)


def one_thread() -> None:
    """Keep all arithmetic on one thread: times then compare, and two busy ones do not fight."""
    os.environ |= dict.fromkeys(THREADS, "1")
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(1)


def median_time(function: Callable[[], object], repeats: int = 5, *, warm_up: int = 1) -> float:
    """Return the median of the seconds that a call takes, after calls that do not count."""
    for _ in range(warm_up):
        function()
    seconds = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


class Report:
    """Prints figures as they come and remembers which missed their bar."""

    def __init__(self) -> None:
        self.missed: list[str] = []
        self.held: list[str] = []

    def heading(self, text: str) -> None:
        """Print what the next figures are about."""
        print(f"\n{text}", flush=True)

    def figure(
        self,
        name: str,
        value: float,
        bar: float | None = None,
        *,
        at_least: bool = True,
        unit: str = "",
    ) -> bool:
        """Print one figure beside its bar and return whether it holds (always, without a bar)."""
        line = f"{name} = {shown(value)}{unit and ' ' + unit}"
        if bar is None:
            print(line, flush=True)
            return True
        holds = value >= bar if at_least else value <= bar
        sign = ">=" if at_least else "<="
        print(f"{line}   bar {sign} {shown(bar)}   {'ok' if holds else 'SHORT'}", flush=True)
        (self.held if holds else self.missed).append(name)
        return holds

    def close(self) -> int:
        """Print how many bars hold and return the exit status: 1 when any was missed."""
        bars = len(self.held) + len(self.missed)
        if bars:
            short = f"; short: {', '.join(self.missed)}" if self.missed else ""
            print(f"\n{len(self.held)} of {bars} bars hold{short}", flush=True)
        return 1 if self.missed else 0


def shown(value: float) -> str:
    """Return a number with four digits that count, large ones whole and with commas."""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
