"""The live canvas in real Chromium, under hand and keys."""

import numpy as np
import pytest

from tests.browser.canvas import LIVE, WORDS, memory, model, opened, part, told, when_told
from tests.browser.menu import to_page
from tests.browser.rest import drag, place, until
from tests.browser.serving import patient
from workbench.recipe import Memories, Recipe, View, to_link
from workbench.toys import FIGURE_12, PRESETS

pytestmark = pytest.mark.browser


def test_nothing_reaches_the_server_while_beta_is_dragged(page, server, faults):
    sent = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    opened(page, f"{server}/basins")
    sent.clear()
    frames = "live => live.live.frames.length"
    before = page.locator(LIVE).evaluate(frames)
    page.mouse.move(*place(part(page, "beta")))
    page.mouse.down()
    for _ in range(20):
        for i in range(20):
            page.mouse.move(*place(part(page, "beta"), 0.5 + 0.3 * np.sin(i / 10 * np.pi)))
            page.wait_for_timeout(25)
        drawn = page.locator(LIVE).evaluate(frames) - before
        if drawn > 40:
            break
    assert drawn > 40, "the picture does not follow the hand"
    assert sent == []
    page.mouse.up()
    recipe, _ = when_told(page, lambda recipe, _: recipe.settings["beta"] != 5.0)
    assert recipe.settings["beta"] == model(page)["beta"]
    assert len(sent) == 1


def test_a_memory_is_dragged_and_comes_back(page, server, faults):
    opened(page, f"{server}/basins")
    before = model(page)["memories"]
    x, y = place(memory(page, 2).locator(".disc"))
    drag(page, (x, y), (x + 107, y - 93))
    recipe, _ = when_told(page, lambda recipe, _: list(recipe.data.positions[1]) != before[1])
    moved = model(page)["memories"]
    assert [list(at) for at in recipe.data.positions] == moved
    assert moved[0] == before[0] and moved[1][0] > before[1][0] and moved[1][1] > before[1][1]
    page.keyboard.press("Control+z")
    when_told(page, lambda recipe, _: [list(at) for at in recipe.data.positions] == before)
    page.keyboard.press("Control+Shift+z")
    when_told(page, lambda recipe, _: [list(at) for at in recipe.data.positions] == moved)


def test_everything_by_keyboard(page, server, faults):
    opened(page, f"{server}/basins")
    memory(page, 1).focus()
    page.keyboard.press("PageDown")
    page.locator(f"{LIVE} .memory.selected[data-memory='1']").wait_for()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowUp")
    recipe, _ = when_told(page, lambda recipe, _: recipe.data.positions[1][0] > 0.45)
    assert recipe.data.positions[1][1] > 0.44
    page.keyboard.press("Delete")
    when_told(page, lambda recipe, _: len(recipe.data.positions) == 2)
    page.keyboard.press("a")
    when_told(page, lambda recipe, _: len(recipe.data.positions) == 3)
    part(page, "beta").press("ArrowRight")
    when_told(page, lambda recipe, _: recipe.settings["beta"] > 5)
    part(page, "steps").press("ArrowLeft")
    when_told(page, lambda recipe, _: recipe.settings["n_steps"] == 9)
    part(page, "play").focus()
    page.keyboard.press("p")
    _, view = when_told(page, lambda _, view: view.particle is not None)
    page.locator(f"{LIVE} [data-particle]").focus()
    page.keyboard.press("ArrowLeft")
    when_told(page, lambda _, after: after.particle != view.particle)


def test_memories_are_added_and_deleted(page, server, faults):
    opened(page, f"{server}/basins")
    part(page, "stage").dblclick(position={"x": 40, "y": 40})
    recipe, view = when_told(page, lambda recipe, _: len(recipe.data.positions) == 4)
    assert view.particle is None, "a double click is not two drops"
    assert recipe.data.positions[3][0] < 0.2 and recipe.data.positions[3][1] > 0.7
    part(page, "remove").click()
    when_told(page, lambda recipe, _: len(recipe.data.positions) == 3)
    part(page, "reset").click()
    first = [list(at) for at in PRESETS["figure-4"].memories]
    until(page, lambda: model(page)["memories"] == first)


def test_a_weight_makes_a_basin_grow(page, server, faults):
    opened(page, f"{server}/basins")
    page.get_by_text("Weighted", exact=True).click()
    when_told(page, lambda recipe, _: recipe.settings["energy"] == "weighted")
    slider = part(page, "weight")
    for _ in range(10):
        slider.press("ArrowRight")
    first, *others = model(page)["weights"]
    assert first > 1
    when_told(page, lambda recipe, _: recipe.data.weights == (first, *others))


@pytest.mark.parametrize("key", ["figure-3-i", "figure-3-ii", "figure-3-iii"])
def test_a_particle_says_why_it_went_there(page, server, faults, key):
    opened(page, f"{server}/basins")
    part(page, "preset").select_option(key)
    words = part(page, "particle-words")
    words.filter(has_text="never rises").wait_for()
    said = words.inner_text()
    expected = {
        "figure-3-i": "stays with it",
        "figure-3-ii": "memories 2 and 3 pull the same way",
        "figure-3-iii": "memories 2 and 3 cancel each other, and memory 1 decides",
    }
    assert expected[key] in said
    _, view = when_told(page, lambda _, view: view.particle == PRESETS[key].particle)
    assert part(page, "energy-chart").get_attribute("aria-label").startswith("Energy against step")
    part(page, "step").press("End")
    part(page, "step-value").filter(has_text="10 of 10").wait_for()


def test_a_click_drops_a_particle_and_clear_takes_it(page, server, faults):
    opened(page, f"{server}/basins")
    x, y = place(part(page, "stage"), 0.5, 0)
    page.mouse.click(x, y + 30)
    when_told(page, lambda _, view: view.particle is not None)
    part(page, "particle-words").filter(has_text="never rises").wait_for()
    part(page, "swarm").click()
    part(page, "clear").click()
    when_told(page, lambda _, view: view.particle is None)
    assert not model(page)["swarm"]


def test_play_sweeps_beta_until_it_is_paused(page, server, faults):
    opened(page, f"{server}/basins")
    before = model(page)["beta"]
    part(page, "play").click()
    page.wait_for_timeout(1200)
    assert "link=" not in page.url or told(page)[0].settings["beta"] == before
    part(page, "play").click()
    recipe, _ = when_told(page, lambda recipe, _: recipe.settings["beta"] > 1.2 * before)
    page.wait_for_timeout(400)
    assert model(page)["beta"] == recipe.settings["beta"]


def test_a_touch_moves_a_memory(browser, server):
    context = patient(browser, viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    opened(page, f"{server}/basins")
    memory(page, 1).scroll_into_view_if_needed()
    x, y = place(memory(page, 1).locator(".disc"))
    session = context.new_cdp_session(page)

    def touch(kind, *points):
        session.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": px, "y": py} for px, py in points]},
        )

    touch("touchStart", (x, y))
    for i in range(1, 6):
        touch("touchMove", (x + 12 * i, y + 6 * i))
    touch("touchEnd")
    when_told(page, lambda recipe, _: recipe.data.positions[0][0] > 0.25)
    context.close()


def test_a_link_restores_everything(page, server, browser, faults):
    opened(page, f"{server}/basins")
    part(page, "preset").select_option("figure-3-ii")
    page.get_by_text("at its attractor", exact=True).click()
    for layer in ("energy", "disagreement", "pull"):
        page.locator(f"{LIVE} [data-layer={layer}]").click()
    part(page, "forth").click()
    kept = {**model(page)}
    _, view = when_told(page, lambda recipe, _: recipe.settings["beta"] == kept["beta"])
    assert set(view.layers) >= {"energy", "disagreement", "pull"}
    fresh = patient(browser)
    other = fresh.new_page()
    opened(other, page.url)
    assert {**model(other), "swarm": False} == {**kept, "swarm": False}
    fresh.close()


def test_the_canvas_survives_a_visit_to_another_page(page, server):
    opened(page, f"{server}/basins")
    part(page, "preset").select_option("figure-12")
    when_told(page, lambda recipe, _: len(recipe.data.positions) == 5)
    to_page(page, "Explore", "Figure")
    page.get_by_role("heading", name="Basins as a figure").wait_for()
    to_page(page, "Learn", "Basins")
    page.locator(WORDS).filter(has_text="5 memories").wait_for()
    assert len(model(page)["memories"]) == 5


def test_points_are_coloured_by_basin_and_counted(page, server, faults):
    recipe, view = Recipe(data=Memories(positions=FIGURE_12.memories), method="recall"), View()
    opened(page, f"{server}/basins?link={to_link(recipe, view.changed(points='blobs'))}")
    page.locator(WORDS).filter(has_text="of the 400 data points").wait_for()
    part(page, "forth").click()
    when_told(page, lambda told, view: told != recipe and view.points == "blobs")


def test_the_page_moves_the_canvas(page, server, faults):
    opened(page, f"{server}/basins")
    page.get_by_text("its program (2 β)").click()
    page.locator(WORDS).filter(has_text="At β = 10 ").wait_for()
    assert part(page, "beta-value").inner_text() == "10"
    assert model(page)["beta"] == 5


def test_the_tree_moves_beta(page, server, faults):
    opened(page, f"{server}/basins")
    page.locator(f"{LIVE} [data-layer=tree]").click()
    tree = part(page, "tree")
    tree.locator("path.branch").first.wait_for()
    page.locator(WORDS).filter(has_text="number of attractors changes at").wait_for()
    shown = part(page, "beta-value").inner_text
    x, y = place(tree, 0.2, 0)
    page.mouse.move(x, y + 60)
    until(page, lambda: float(shown()) != 5)
    page.mouse.move(x, y - 60)  # leaving brings it back
    until(page, lambda: shown() == "5")
    box = tree.bounding_box()
    tree.click(position={"x": 0.8 * box["width"], "y": 60})
    recipe, view = when_told(page, lambda recipe, _: recipe.settings["beta"] != 5)
    assert "tree" in view.layers and recipe.settings["beta"] == model(page)["beta"]


def test_letters_are_large_enough_for_a_hall(page, server, faults):
    opened(page, f"{server}/basins")
    part(page, "preset").select_option("figure-3-ii")
    part(page, "particle-words").filter(has_text="never rises").wait_for()
    part(page, "full").click()
    page.wait_for_function("() => document.fullscreenElement")
    small = page.locator(LIVE).evaluate(
        """live => [...live.querySelectorAll('*')]
          .filter((e) => e.checkVisibility() && !e.closest('.hidden-text')
                         && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
          .map((e) => {
            const drawn = e.closest('svg[viewBox]');
            const scale = drawn && e.namespaceURI.endsWith('svg')
              ? drawn.getBoundingClientRect().width / drawn.viewBox.baseVal.width : 1;
            return [e.textContent, scale * parseFloat(getComputedStyle(e).fontSize)];
          })
          .filter(([, size]) => size < 15.99)"""
    )
    assert small == []
