"""Does the live canvas follow the hand, and do a hundred sessions follow their releases?"""

import json

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.report import Report
from benchmarks.sessions import class_of
from benchmarks.ui import rested
from tests.browser.serving import ARGUMENTS, chromium, serving
from workbench.recipe import Memories, Recipe, View, to_link
from workbench.toys import FIGURE_12, random_memories

SIDE = 600
BESIDE = 325  # CSS pixels of the window's height that the page leaves to other things
DRAGS = 400
WARM_UP = 100
STILL = 2000  # milliseconds within which the sharp picture should have come
REST = 130  # milliseconds of stillness that the canvas waits for, part of what is measured
LIVE = ".live"


def main(report: Report, data=None, minutes=None, sessions=None) -> None:
    """Print frame times under a dragged slider, or the answers to a class of sessions."""
    if sessions is not None:
        class_of(report, sessions)
        return
    if chromium() is None:
        print("Needs Chromium: install it, or name it in CHROMIUM; nothing was run.")
        report.missed.append("all of it")
        return
    memories = {5: FIGURE_12.memories, 10: random_memories(10, seed=10)}
    with (
        serving() as (address, process),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for k, positions in memories.items():
            recipe = Recipe(
                data=Memories(positions=positions), method="recall",
                settings={"beta": 5.0, "n_steps": 10},
            )  # fmt: skip
            page = browser.new_page(viewport={"width": 1440, "height": SIDE + BESIDE})
            page.goto(f"{address}/basins?link={to_link(recipe, View())}")
            page.locator(f"{LIVE} [data-id=words]").filter(has_text="because").wait_for()
            rested(process.pid)
            frames(report, page, k)
            page.close()
        browser.close()


def frames(report: Report, page: Page, k: int) -> None:
    """Drag beta to and fro, then hold still: every picture that was drawn, and when."""
    live = page.locator(LIVE)
    side = live.evaluate("live => live.querySelector('.stage').clientWidth")
    painter = live.evaluate("live => live.live.renderer.name")
    report.heading(f"k = {k}, T = 10, {side} x {side}, drawn by {painter}")
    slider = page.locator(f"{LIVE} [data-id=beta]")
    box = slider.bounding_box() or {}
    y = box["y"] + box["height"] / 2

    def drag(count):
        for i in range(count):
            page.mouse.move(box["x"] + box["width"] * (0.55 + 0.3 * np.sin(i / 25)), y)

    page.mouse.move(box["x"] + box["width"] * 0.55, y)
    page.mouse.down()
    drag(WARM_UP)
    live.evaluate("live => { live.live.frames.length = 0; }")
    drag(DRAGS)
    last = live.evaluate("() => performance.now()")
    page.wait_for_timeout(STILL)
    page.mouse.up()
    seen = json.loads(live.evaluate("live => JSON.stringify(live.live.frames)"))
    moving = [frame for frame in seen if not frame["sharp"] and frame["at"] <= last + 100]
    sharp = [frame for frame in seen if frame["sharp"] and frame["at"] > last]
    between = np.diff([frame["at"] for frame in moving])
    latency = [frame["latency"] for frame in moving]
    rested_at = (sharp[0]["at"] - last) / 1000 if sharp else float("inf")
    report.figure("pictures drawn while dragging", len(moving))
    report.figure("pixels along each side while dragging, median",
                  float(np.median([frame["size"] for frame in moving])))  # fmt: skip
    report.figure(f"k = {k}: frame, median", float(np.median(between)), 33, at_least=False,
                  unit="ms")  # fmt: skip
    report.figure(f"k = {k}: frame, 95th percentile", float(np.percentile(between, 95)), 60,
                  at_least=False, unit="ms")  # fmt: skip
    report.figure("input to pixels, median", float(np.median(latency)), unit="ms")
    report.figure("input to pixels, 95th percentile", float(np.percentile(latency, 95)), unit="ms")
    report.figure(f"k = {k}: sharp picture after rest", rested_at, 1.5, at_least=False, unit="s")
