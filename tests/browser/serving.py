"""A real server and a real Chromium, for the browser tests and for ``benchmarks ui``."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SOFTWARE_GRAPHICS = [
    *(argument for argument in ARGUMENTS if argument != "--disable-gpu"),
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
]
STREAMLIT = (sys.executable, "-m", "streamlit")


def chromium() -> str | None:
    """Path of a Chromium: ``$CHROMIUM``, or one of the usual names; None where there is none."""
    names = (os.environ.get("CHROMIUM", ""), *BROWSERS)
    return next(filter(None, map(shutil.which, filter(None, names))), None)


def patient(browser, **how):
    """Open a browser context that waits a minute for what it is asked: machines can be slow."""
    context = browser.new_context(**{"viewport": {"width": 1440, "height": 900}} | how)
    context.set_default_timeout(60_000)
    return context


@contextmanager
def serving(
    script: str = "app.py",
    command: Sequence[str] = STREAMLIT,
    seconds: float = 60,
    home: Path | None = None,
) -> Iterator[tuple[str, subprocess.Popen]]:
    """Serve a script on a free port; yields the address and the process.

    Its history lies in `home`, by default in a folder that goes when the server does.

    Raises
    ------
    RuntimeError
        If the server does not answer in time.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ["--server.headless", "true", "--server.port", str(port)]
    options += ["--server.address", "127.0.0.1"]
    with (
        TemporaryDirectory(prefix="basinscope-", ignore_cleanup_errors=True) as own,
        subprocess.Popen(
            [*command, "run", script, *options],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": str(ROOT), "BASINSCOPE_HOME": str(home or own)},
        ) as process,
    ):  # fmt: skip
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(f"{address}/_stcore/health", process, seconds)
            yield address, process
        finally:
            process.terminate()


def _wait_for(address: str, process: subprocess.Popen, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("The server did not start.")
