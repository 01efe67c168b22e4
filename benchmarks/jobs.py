"""Do other readers notice a heavy job, and how soon does a cancelled one stop?"""

import time
from typing import Any

import numpy as np
from playwright.sync_api import Browser, sync_playwright

from benchmarks.report import Report
from benchmarks.ui import PICTURE, pressed, rested
from tests.browser.serving import ARGUMENTS, chromium, serving
from ui.jobs import Jobs
from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.progress import PHASES
from workbench.recipe import Builtin, Memories, Recipe, Upload, View, to_link
from workbench.run import run
from workbench.toys import FIGURE_12

PRESSES, WARM_UP = 30, 5
ROWS, FEATURES = 200_000, 20
BETA = "β, inverse temperature"
HEAVY = Recipe(
    data=Builtin(name="digits"), settings={"n_clusters": 10, "n_init": 256, "n_epochs": 1000}
)


def main(report: Report, data=None, minutes=None) -> None:
    """Print another session's interaction beside its idle one, then cancel in every phase."""
    if chromium() is None:
        print("Needs Chromium: install it, or name it in CHROMIUM; nothing was run.")
        report.missed.append("all of it")
        return
    with serving() as (address, process), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        beside_jobs(report, browser, address, process.pid)
        browser.close()
    for method in ("clam", "kmeans", "slk"):
        cancelled(report, method)


def beside_jobs(report: Report, browser: Browser, address: str, pid: int) -> None:
    """Press a key on the Figure page while other sessions train."""
    report.heading("Another session's picture, key press to paint")
    rested(pid)
    idle = median(browser, address)
    report.figure("idle", idle, unit="ms")
    for number, bar in ((1, 2), (2, None)):
        training(browser, address)
        busy = median(browser, address)
        jobs = f"{number} heavy job{'s' * (number > 1)}"
        report.figure(f"with {jobs}", busy, unit="ms")
        report.figure(f"with {jobs} against idle", busy / idle, bar, at_least=False, unit="times")


def median(browser: Browser, address: str) -> float:
    """Median milliseconds of presses in a session that begins at the same beta each time."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.set_default_timeout(60_000)
    memories = Memories(positions=FIGURE_12.memories)
    picture = Recipe(data=memories, method="recall", settings={"beta": 1.0, "n_steps": 10})
    page.goto(f"{address}/figure?link={to_link(picture, View())}")
    page.wait_for_function(f"() => {PICTURE}")
    page.wait_for_timeout(1000)
    taken = [pressed(page, BETA, PICTURE) for _ in range(WARM_UP + PRESSES)]
    page.close()
    return float(np.median(taken[WARM_UP:]))


def training(browser: Browser, address: str) -> None:
    """Start a job that outlasts the measurement, in a session and a workspace of its own."""
    page = browser.new_context().new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{address}/cluster?link={to_link(HEAVY)}")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("Epoch ").first.wait_for()


def cancelled(report: Report, method: str) -> None:
    """Cancel a run of a large table in each of its phases."""
    report.heading(f"Cancel to stopped, {method} on {ROWS:,} rows x {FEATURES}")
    recipe, dataset = large(method)
    # The first one compiles what the process needs, in one block of rows and in several, and is
    # not measured.
    for rows in (3000, 20_000):
        run(recipe, prepare(read_table(csv(rows), "small.csv")))
    for phase in (*PHASES[1:], PHASES[0]):  # what is left of the last one disturbs none
        taken = stopped_in(phase, recipe, dataset)
        if taken is not None:
            report.figure(f"{method}, {phase}", taken, 1, at_least=False, unit="s")


def stopped_in(phase: str, recipe: Recipe, dataset: Any) -> float | None:
    """Seconds from cancel to the end of the job; None where the phase is never seen."""
    job = Jobs().start(lambda report, stop: run(recipe, dataset, report=report, stop=stop))
    while job.snapshot.active:
        told = job.snapshot.progress
        if told is not None and told.phase == phase:
            time.sleep(0.05)
            began = time.perf_counter()
            job.cancel()
            job.finished.wait()
            return time.perf_counter() - began
        time.sleep(0.001)
    return None


def csv(rows: int) -> bytes:
    """A table in eight groups."""
    rng = np.random.default_rng(0)
    X = 3 * rng.normal(size=(8, FEATURES))[rng.integers(8, size=rows)]
    X += rng.normal(size=X.shape)
    lines = [",".join(f"x{i}" for i in range(FEATURES))]
    lines += [",".join(f"{value:.3f}" for value in row) for row in X]
    return "\n".join(lines).encode()


def large(method: str) -> tuple[Recipe, Any]:
    """A Recipe short enough to reach every phase, and its data."""
    settings = {"n_clusters": 8, "n_init": 4} | ({"n_epochs": 2} if method == "clam" else {})
    table = read_table(csv(ROWS), "large.csv")
    recipe = Recipe(data=Upload(fingerprint=table.fingerprint), method=method, settings=settings)
    return recipe, prepare(table)
