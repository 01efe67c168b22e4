"""How long from a key press on beta to the new picture, in real Chromium?"""

import os
import sys
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.report import Report
from tests.browser.serving import ARGUMENTS, STREAMLIT, chromium, serving
from workbench.recipe import Memories, Recipe, View, to_link
from workbench.toys import FIGURE_12

PRESSES, WARM_UP = 40, 5
NEVER_FROZEN = (
    sys.executable, "-c",
    "import gc, sys; gc.freeze = lambda: None; from streamlit.web import cli; sys.exit(cli.main())",
)  # fmt: skip
PICTURE = "document.querySelector('.js-plotly-plot image')?.href.baseVal"
NUMBER = "document.querySelector('#shown')?.textContent"
# Resolves with the milliseconds from the key's own event to the frame after the change is drawn.
WATCH = """([read]) => new Promise((resolve) => {
  const value = () => eval(read);
  const before = value();
  let pressed = 0;
  addEventListener("keydown", () => { pressed = performance.now(); }, {once: true, capture: true});
  const look = () => {
    const now = value();
    if (pressed && now && now !== before) {
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed), 0));
    } else requestAnimationFrame(look);
  };
  look();
})"""


def main(report: Report, data=None, minutes=None) -> None:
    if chromium() is None:
        print("Needs Chromium: install it, or name it in CHROMIUM; nothing was run.")
        report.missed.append("all of it")
        return
    recipe = Recipe(
        data=Memories(positions=FIGURE_12.memories), method="recall",
        settings={"beta": 1.0, "n_steps": 10},
    )  # fmt: skip
    picture = f"/figure?link={to_link(recipe, View())}"
    label = "β, inverse temperature"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        empty = timed(report, browser, "empty fragment", "benchmarks/empty/page.py", STREAMLIT, "",
                      "value", NUMBER)  # fmt: skip
        shown = timed(report, browser, "picture", "app.py", STREAMLIT, picture, label, PICTURE)
        loose = timed(report, browser, "picture, heap not frozen", "app.py", NEVER_FROZEN, picture,
                      label, PICTURE)  # fmt: skip
        browser.close()
    report.heading("In one run: k = 5, T = 10, 400 x 400")
    report.figure("picture: server CPU per interaction", shown["cpu"], 60, at_least=False,
                  unit="ms")  # fmt: skip
    report.figure("picture against empty fragment", shown["median"] / empty["median"], 6,
                  at_least=False, unit="times")  # fmt: skip
    report.figure("heap not frozen against frozen", loose["median"] / shown["median"], unit="times")


def timed(report, browser, name, script, command, path, label, read) -> dict[str, float]:
    """Median and 95th percentile of key press to paint, and the server's CPU."""
    report.heading(name)
    with serving(script, command) as (address, process):
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(60_000)
        page.goto(address + path)
        page.wait_for_function(f"() => {read}")
        rested(process.pid)
        for _ in range(WARM_UP):
            pressed(page, label, read)
        before = cpu_seconds(process.pid)
        times = [pressed(page, label, read) for _ in range(PRESSES)]
        cpu = 1e3 * (cpu_seconds(process.pid) - before) / PRESSES
        page.close()
    found = {"median": float(np.median(times)), "cpu": cpu}
    report.figure(f"{name}: median", found["median"], unit="ms")
    report.figure(f"{name}: 95th percentile", float(np.percentile(times, 95)), unit="ms")
    report.figure(f"{name}: server CPU", cpu, unit="ms")
    return found


def pressed(page: Page, label: str, read: str) -> float:
    """Milliseconds from one press of the right arrow to the change on the screen."""
    slider = page.get_by_role("slider", name=label)
    slider.focus()
    waiting = page.evaluate_handle(f"(read) => ({{done: ({WATCH})(read)}})", [read])
    page.keyboard.press("ArrowRight")
    taken = waiting.evaluate("watch => watch.done")
    page.wait_for_timeout(150)
    return taken


def cpu_seconds(pid: int) -> float:
    """User and system time of a process so far; 0 where the system does not tell."""
    stat = Path(f"/proc/{pid}/stat")
    if not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def rested(pid: int, seconds: float = 90) -> None:
    """Wait until the server's background imports and compilation are over."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        before = cpu_seconds(pid)
        time.sleep(2)
        if cpu_seconds(pid) - before < 0.1:
            return
