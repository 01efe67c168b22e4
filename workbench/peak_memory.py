"""How much memory a piece of work takes, and how much it may take, as far as the system tells."""

import contextlib
import ctypes
import gc
import os
import sys
from pathlib import Path

_STATUS = Path("/proc/self/status")
_CLEAR = Path("/proc/self/clear_refs")
_PEAK = "5"  # written there, it sets VmHWM back to what is held now
_SHARE = 0.8  # of the memory that is free


class PeakMemory:
    """Measure, from `start` to `read`, the most bytes held beyond those held at the start.

    On Linux from the kernel's own high-water mark, which is set back at the start; elsewhere from
    that of the whole process, which tells nothing where an earlier piece of work held more. What
    a CUDA device held is added, once torch is loaded.
    """

    def start(self):
        """Begin to measure."""
        gc.collect()
        _give_back()
        self._own = _reset()
        self._before = _status("VmRSS") if self._own else _highest()
        cuda = _cuda()
        if cuda is not None:
            cuda.reset_peak_memory_stats()
            self._on_device = cuda.memory_allocated()

    def read(self):
        """Return the bytes; NaN where the system does not tell."""
        if self._own:
            found = float(max(0, _status("VmHWM") - self._before))
        else:
            highest = _highest()
            found = float(highest - self._before) if highest > self._before else float("nan")
        cuda = _cuda()
        if cuda is not None:
            found += cuda.max_memory_allocated() - self._on_device
        return found


def _reset():
    try:
        _CLEAR.write_text(_PEAK)
        return _status("VmHWM") > 0
    except OSError:
        return False


def _status(name):
    """Bytes that /proc tells under a name; 0 where it does not."""
    try:
        lines = _STATUS.read_text().splitlines()
    except OSError:
        return 0
    found = (line.split()[1] for line in lines if line.startswith(f"{name}:"))
    return 1024 * int(next(found, 0))


def _highest():
    try:
        import resource
    except ImportError:  # Windows
        return 0
    unit = 1 if sys.platform == "darwin" else 1024
    return unit * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _cuda():
    """CUDA as torch knows it, where it is in use already."""
    torch = sys.modules.get("torch")
    return torch.cuda if torch is not None and torch.cuda.is_initialized() else None


def _give_back():
    """Hand freed memory back to the system, so that it does not count as held before."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def spare_memory():
    """Return the bytes that one fit may take: most of what is free.

    Returns
    -------
    float
        Infinite where the system does not tell.
    """
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        free = next(1024 * int(line.split()[1]) for line in lines if "MemAvailable" in line)
    except (OSError, StopIteration):
        try:
            free = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        except (AttributeError, ValueError, OSError):
            return float("inf")
    return _SHARE * min(free, _group_free())


def _group_free():
    """What the container of this process has left, infinite where there is no limit."""
    group = Path("/sys/fs/cgroup")
    try:
        most = (group / "memory.max").read_text().strip()
        held = int((group / "memory.current").read_text())
        return float("inf") if most == "max" else max(0, int(most) - held)
    except (OSError, ValueError):
        return float("inf")


def limit_memory(extra):
    """Let this process take so many bytes more than it holds, and no more.

    Beyond them an allocation fails with MemoryError. Linux sees to it; elsewhere it has no effect.

    Parameters
    ----------
    extra : float
        Bytes; infinite for no limit.
    """
    if sys.platform != "linux":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = resource.RLIM_INFINITY if extra == float("inf") else _status("VmData") + int(extra)
    if hard != resource.RLIM_INFINITY:
        wanted = hard if wanted == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
