"""Does an evolution arrive small, paint at once and follow the hand, in the page and as a file?"""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
from playwright.sync_api import Page, sync_playwright

from benchmarks.report import Report
from tests.browser.serving import ARGUMENTS, chromium, serving
from workbench.dataset import prepare
from workbench.evolution import evolve
from workbench.evolution_pack import pack
from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.recipe import Recipe, Upload

EPOCHS, MEMORIES, POINTS = 200, 20, 2000
OPENINGS = 5
MOVES = 300
SIDE = (1440, 900)
EVOLUTION = ".evolution"


def main(report: Report, data=None, minutes=None) -> None:
    """Print payload, first paint and scrub latency of 200 epochs x 20 memories x 2,000 points."""
    if chromium() is None:
        print("Needs Chromium: install it, or name it in CHROMIUM; nothing was run.")
        report.missed.append("all of it")
        return
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        for d in (2, 10):
            packed, page_file = files(Path(folder), d)
            report.heading(f"{EPOCHS} epochs x {MEMORIES} memories x {POINTS:,} points, d = {d}")
            barred = d == 2  # the bars are of the plane; a slice is told beside it
            for name, path in (("payload", packed), ("exported page", page_file)):
                size = path.stat().st_size / 1e6
                report.figure(f"d = {d}: {name}", size, 5, at_least=False, unit="MB")
            os.environ["PACKED"] = str(packed)
            with serving("benchmarks/playing/page.py") as (address, _):
                measured(report, browser, f"d = {d}, in the page", address, barred)
            measured(report, browser, f"d = {d}, as a file", page_file.as_uri(), barred)
        browser.close()


def files(folder: Path, d: int) -> tuple[Path, Path]:
    """Train, and write what the player is sent and the page that is exported."""
    from ui.evolution_player import colours, page_of

    rng = np.random.default_rng(0)
    centres = rng.uniform(-9, 9, (MEMORIES, d))
    X = centres[np.arange(POINTS) % MEMORIES] + rng.normal(size=(POINTS, d))
    text = pd.DataFrame(X, columns=[f"x{i}" for i in range(d)]).to_csv(index=False)
    table = read_table(text.encode(), "points.csv")
    settings = {"n_clusters": MEMORIES, "n_epochs": EPOCHS, "init": "data"}
    recipe = Recipe(data=Upload(fingerprint=table.fingerprint), settings=settings)
    evolution = evolve([recipe], prepare(table, Preparation()))
    content = pack(evolution, colours=colours(), opens=0)
    packed, page_file = folder / f"{d}.packed", folder / f"{d}.html"
    packed.write_bytes(content)
    page_file.write_bytes(page_of(evolution, content))
    return packed, page_file


def measured(report: Report, browser, name: str, address: str, barred: bool) -> None:
    """First paint over some openings, then the latency of a scrubbing hand."""
    paints = []
    for _ in range(OPENINGS):
        page = browser.new_page(viewport={"width": SIDE[0], "height": SIDE[1]})
        page.set_default_timeout(60_000)
        page.goto(address)
        page.locator(EVOLUTION).wait_for()
        page.wait_for_function(
            "() => document.querySelector('.evolution')?.evolution?.frames[0]?.painted"
            " || [...document.querySelectorAll('*')].some((one) =>"
            " one.shadowRoot?.querySelector('.evolution')?.evolution?.frames[0]?.painted)"
        )
        paints.append(played(page, "evolution.frames[0].painted - evolution.began") / 1000)
        if len(paints) < OPENINGS:
            page.close()
    report.figure(f"{name}: first paint, median", float(np.median(paints)), 1.5 if barred else None,
                  at_least=False, unit="s")  # fmt: skip
    page.wait_for_timeout(2000)
    latency = scrubbed(page)
    report.figure("pictures drawn while scrubbing", len(latency))
    report.figure(f"{name}: scrub, median", float(np.median(latency)), 50 if barred else None,
                  at_least=False, unit="ms")  # fmt: skip
    report.figure(f"{name}: scrub, 95th percentile", float(np.percentile(latency, 95)), unit="ms")
    page.close()


def played(page: Page, expression: str):
    """Evaluate an expression of `evolution`, what the player shows of itself."""
    return page.locator(EVOLUTION).evaluate(f"({{evolution}}) => {expression}")


def scrubbed(page: Page) -> list[float]:
    """Milliseconds from each move of the slider to its painted picture."""
    box = page.locator(f"{EVOLUTION} [data-id=slider]").bounding_box() or {}
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    played(page, "evolution.frames.splice(0).length")
    for i in range(MOVES):
        page.mouse.move(box["x"] + box["width"] * (0.5 + 0.45 * np.sin(i / 25)), y)
    page.wait_for_timeout(500)
    page.mouse.up()
    frames = json.loads(played(page, "JSON.stringify(evolution.frames)"))
    return [one["painted"] - one["began"] for one in frames if one["moving"] and one["painted"]]
