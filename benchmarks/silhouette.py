"""How much quicker and smaller are exact silhouettes than scikit-learn's?"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.report import Report

MIB = 2**20
K = 10


def main(report: Report, data=None, minutes=None) -> None:
    for n, repeats in ((20_000, 3), (100_000, 1)):
        for d in (8, 64):
            against(report, n, d, repeats)
    sampled(report)


def groups(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Overlapping groups, and the group of each row."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, K, n)
    return rng.normal(0, 1, (K, d))[labels] + rng.normal(0, 1, (n, d)), labels


def against(report: Report, n: int, d: int, repeats: int) -> None:
    """Both on the same rows, each in a process of its own, in turn, on one thread."""
    report.heading(f"{n:,} x {d}, {K} clusters, one thread")
    found: dict[str, list[dict]] = {"ours": [], "scikit-learn": []}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(repeats):
            for name, measured in found.items():
                measured.append(measure(name, n, d, Path(folder, f"{name}.npy")))
        ours, theirs = (np.load(Path(folder, f"{name}.npy")) for name in found)
    seconds = {name: float(np.median([m["seconds"] for m in found[name]])) for name in found}
    peak = {name: float(np.median([m["bytes"] for m in found[name]])) / MIB for name in found}
    for name in found:
        report.figure(name, seconds[name], unit="s")
        report.figure(f"{name}, memory above the rows", peak[name], unit="MiB")
    which = f"{n:,} x {d}"
    quicker = seconds["scikit-learn"] / seconds["ours"]
    report.figure(f"{which} quicker", quicker, 3, unit="times")
    share = peak["ours"] / peak["scikit-learn"]
    report.figure(f"{which} share of its memory", share, 0.1, at_least=False)
    off = float(np.abs(ours - theirs).max())
    report.figure(f"{which} largest difference of a row", off, 1e-6, at_least=False)
    off = float(abs(ours.mean() - theirs.mean()))
    report.figure(f"{which} difference of the mean", off, 1e-6, at_least=False)


def measure(name: str, n: int, d: int, path: Path) -> dict:
    """Seconds, and bytes at the peak above what the process held before; values go to `path`."""
    command = [sys.executable, "-m", "benchmarks.silhouette", name, str(n), str(d), str(path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def sampled(report: Report, n: int = 1_000_000, d: int = 8) -> None:
    """Beyond what is scored exactly: a sample, and what it says of all rows."""
    from workbench.silhouettes import silhouette_interval

    report.heading(f"{n:,} x {d}: a sample with its interval")
    X, labels = groups(n, d)
    start = time.perf_counter()
    found = silhouette_interval(X, labels)
    report.figure("seconds", time.perf_counter() - start, unit="s")
    report.figure("rows scored", found.n_scored)
    report.figure("silhouette", found.value)
    report.figure("half width at 95 %", (found.high - found.low) / 2)


def score(name: str):
    """Return the function that is measured."""
    if name == "scikit-learn":
        from sklearn.metrics import silhouette_samples as theirs

        return theirs
    from workbench.silhouettes import EXACT, silhouette_samples

    return lambda X, labels: silhouette_samples(X, labels, sample=EXACT)[0]


def memory(field: str) -> int:
    """Read the bytes that this process holds (VmRSS) or held at most (VmHWM)."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * int(status.partition(f"{field}:")[2].split()[0])


def child(name: str, n: int, d: int, path: str) -> None:
    """Measure one of the two and tell it in a line."""
    function = score(name)
    function(*groups(200, 8))
    X, labels = groups(n, d)
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # forget the highest so far
    before, start = memory("VmRSS"), time.process_time()  # of this process alone, on its one thread
    values = np.asarray(function(X, labels))
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "bytes": memory("VmHWM") - before}))
    np.save(path, values)


if __name__ == "__main__":
    child(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
