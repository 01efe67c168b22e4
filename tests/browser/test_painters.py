"""Both painters of the live canvas in real Chromium: the same picture as the engine's."""

import json
from functools import cache

import numpy as np
import pytest

from clam_core import make_energy
from tests.browser.canvas import LIVE, opened, part
from tests.browser.rest import until
from tests.browser.serving import SOFTWARE_GRAPHICS, chromium, patient
from ui import fields
from ui.basin_picture import basin_picture
from workbench.figures.captions import basin_sentence
from workbench.recipe import Memories, Recipe, View, to_link
from workbench.toys import FIGURE_12, random_memories

pytestmark = pytest.mark.browser


@pytest.fixture(scope="session")
def graphics_browser(browser):
    """Start a Chromium whose WebGL2 is rendered in software, so that the shader can be seen."""
    started = browser.browser_type.launch(executable_path=chromium(), args=SOFTWARE_GRAPHICS)
    yield started
    started.close()


def small(browser):
    """Open a context of a small window."""
    return patient(browser, viewport={"width": 900, "height": 900})


@pytest.fixture
def graphics_page(graphics_browser):
    """Open a page where the shader draws, although slowly."""
    context = small(graphics_browser)
    context.add_init_script("globalThis.basinscopeRenderer = 'shader'")
    yield context.new_page()
    context.close()


SIZE = 160  # pixels along each side
BETAS = (0.001, 1.0, 10.0, 100.0, 1000.0)


def settings():
    for k in (3, 5, 20):
        for energy in ("euclidean", "weighted"):
            for mode in ("steps", "attractor"):
                yield from ((k, energy, mode, beta) for beta in BETAS)


@cache
def engine_basins(k, energy, mode, beta, size):
    """Memories, weights, box and Basins of one setting, for both painters."""
    memories = np.array(random_memories(k, seed=k))
    weights = np.random.default_rng(k).uniform(0.3, 3, k).round(2)
    box = fields.frame(memories, energy)
    engine = make_energy(energy, weights if energy == "weighted" else None)
    n_steps = 10 if mode == "steps" else None
    return memories, weights, box, fields.partition(memories, engine, beta, n_steps, box, size=size)


def compare(page, k, energy, mode, beta, size):
    memories, weights, box, found = engine_basins(k, energy, mode, beta, size)
    asked = {
        "memories": memories.tolist(),
        "weights": weights.tolist(),
        "energy": energy,
        "mode": mode,
        "beta": beta,
        "steps": 10,
        "box": dict(zip(("left", "right", "bottom", "top"), box, strict=True)),
    }
    # As text: Playwright takes a second for each hundred thousand numbers of an array.
    text = page.locator(LIVE).evaluate(
        "async (live, [model, size]) => JSON.stringify(await live.live.codes(model, size))",
        [asked, size],
    )
    drawn = json.loads(text)
    labels = np.array(drawn["labels"]).reshape(size, size)
    n_pixels, apart, far = fields.differing(labels, found.labels)
    cells = fields.nearest(memories, make_energy("euclidean"), box, size)
    _, cells_apart, _ = fields.differing(np.array(drawn["cells"]).reshape(size, size), cells)
    return {
        "pixels": apart < n_pixels / 1000 and far == 0,
        "cells": cells_apart < n_pixels / 1000,
        "attractors": len(drawn["attractors"]) == len(found.attractors),
    }


def mismatches(page):
    found = {each: compare(page, *each, SIZE) for each in settings()}
    return {each: result for each, result in found.items() if not all(result.values())}


def test_workers_paint_the_engines_basins(page, server, faults):
    live = opened(page, f"{server}/basins")
    assert live.evaluate("live => live.live.renderer.kind") == "workers"
    assert mismatches(page) == {}


def test_the_shader_paints_the_engines_basins(graphics_page, server):
    live = opened(graphics_page, f"{server}/basins")
    assert live.evaluate("live => live.live.renderer.kind") == "shader"
    assert mismatches(graphics_page) == {}


def test_verify_compares_with_the_engine(page, server, faults):
    opened(page, f"{server}/basins")
    part(page, "verify").click()
    page.get_by_text("Verified: ").wait_for()


@pytest.mark.parametrize(
    "settings",
    [
        {"beta": 0.001},
        {"beta": 7.5},
        {"beta": 25.0, "mode": "attractor"},
        {"beta": 60.0},
        {"beta": 7.5, "energy": "weighted"},
        {"beta": 2.0, "n_steps": 1},
    ],
)
def test_the_words_are_the_engines(page, server, faults, settings):
    weights = (1.0, 1.0, 5.0, 1.0, 1.0) if settings.get("energy") == "weighted" else ()
    data = Memories(positions=FIGURE_12.memories, weights=weights)
    recipe, view = Recipe(data=data, method="recall", settings=settings), View(points="blobs")
    opened(page, f"{server}/basins?link={to_link(recipe, view)}")
    _, numbers = basin_picture(recipe, view, False)
    sentence, said = basin_sentence(numbers), part(page, "said").inner_text
    until(page, lambda: without_numbers(said()) == without_numbers(sentence))
    np.testing.assert_allclose(shares_of(said()), shares_of(sentence), atol=0.15)


def without_numbers(sentence):
    return "".join(letter for letter in sentence if not (letter.isdigit() or letter == "."))


def shares_of(sentence):
    """Numbers of a sentence, in its order."""
    words = sentence.replace("=", " ").replace("(", " ").replace(")", " ").split()
    return [float(word) for word in words if word.replace(".", "", 1).isdigit()]


# --- machines -----------------------------------------------------------------------------------


def test_without_webgl2_workers_draw(browser, server):
    context = small(browser)
    context.add_init_script(
        "const get = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {"
        "  return kind === 'webgl2' ? null : get.call(this, kind, ...rest); }"
    )
    page = context.new_page()
    live = opened(page, f"{server}/basins")
    assert live.evaluate("live => live.live.renderer.kind") == "workers"
    context.close()


def test_a_software_renderer_is_told_by_its_name(browser, server):
    # A browser of its own: in the one that the shader drew in, its last frames may still be under
    # way when this page opens, and software takes seconds for each.
    own = browser.browser_type.launch(executable_path=chromium(), args=SOFTWARE_GRAPHICS)
    live = opened(small(own).new_page(), f"{server}/basins")
    assert live.evaluate("live => live.live.renderer.kind") == "workers"
    own.close()


def test_a_lost_context_comes_back(graphics_page, server):
    live = opened(graphics_page, f"{server}/basins")
    kind = "live => live.live.renderer.kind"
    graphics_page.evaluate(
        """() => {
          const hosts = [...document.querySelectorAll('*')].filter((node) => node.shadowRoot);
          const canvas = hosts.map(({ shadowRoot }) => shadowRoot.querySelector('.stage canvas'));
          const gl = canvas.find(Boolean).getContext('webgl2');
          globalThis.lost = gl.getExtension('WEBGL_lose_context');
          globalThis.lost.loseContext();
        }"""
    )
    until(graphics_page, lambda: live.evaluate(kind) == "workers")
    graphics_page.evaluate("globalThis.lost.restoreContext()")
    until(graphics_page, lambda: live.evaluate(kind) == "shader")
    found = compare(graphics_page, 5, "euclidean", "steps", 10.0, 120)
    assert all(found.values()), json.dumps(found)
