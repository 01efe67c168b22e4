"""The player in real Chromium: plays without the server, obeys hands and keys, leaves as a file."""

import numpy as np
import pytest

from tests.browser.rest import at_rest, until, visit
from tests.browser.serving import patient
from workbench.recipe import Builtin, Recipe, View, from_link, to_link

pytestmark = pytest.mark.browser

EVOLUTION = ".evolution"
TOY = Recipe(data=Builtin(name="elongated3"), settings={"n_clusters": 3, "n_epochs": 30})


def opened(page, server, recipe=TOY, **view):
    visit(page, f"{server}/evolution?link={to_link(recipe, View(**view))}")
    page.locator(f"{EVOLUTION} [data-id=sentence]").filter(has_text=".").wait_for()
    return page.locator(EVOLUTION)


def part(page, name):
    return page.locator(f"{EVOLUTION} [data-id={name}]")


def tick(page):
    return page.locator(EVOLUTION).evaluate("root => root.evolution.tick")


def at(page, step):
    """Wait until the player is at a tick."""
    until(page, lambda: tick(page) == step)


def says(page, words):
    """Wait for the sentence of a tick: it comes with the next picture."""
    part(page, "sentence").filter(has_text=words).wait_for()


def test_it_plays_steps_and_obeys_keys_without_the_server(page, server):
    faults, sent = [], []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(frame)))
    opened(page, server, epoch=3)
    assert tick(page) == 3
    says(page, "Epoch 3:")
    at_rest(page)
    sent.clear()
    part(page, "speed").select_option("20")
    part(page, "play").click()
    page.locator(f"{EVOLUTION} [data-id=play]").filter(has_text="Pause").wait_for()
    at(page, 30)
    part(page, "play").filter(has_text="Play").wait_for()
    says(page, "the training ends")
    page.wait_for_url(lambda url: "link=" in url and _epoch(url) == 30)
    assert len(sent) == 1, "playing should ask nothing of the server, and tell it where it ended"
    keys = {"Home": 0, "ArrowRight": 1, "ArrowLeft": 0, "End": 30}
    for key, step in keys.items():
        page.keyboard.press(key)
        at(page, step)
    page.keyboard.press("Home")
    at(page, 0)
    says(page, "The start: 3 memories")
    part(page, "slider").fill("12")
    at(page, 12)
    page.wait_for_url(lambda url: "link=" in url and _epoch(url) == 12)
    assert faults == []


def _epoch(url):
    return from_link(url.partition("link=")[2].partition("&")[0])[1].epoch


def test_points_have_the_colour_of_the_basin_they_lie_in(page, server):
    root = opened(page, server, epoch=9, beside=("kmeans",))
    for course in (0, 1):
        scene, points, labels = root.evaluate(
            """(root, i) => {
              const { evolution } = root.evolution;
              const { field, steps, size } = root.evolution.scene(i);
              const t = Math.min(9, evolution.courses[i].frames - 1);
              return [{ keys: [...field.keys], beta: field.beta, steps, size },
                [...evolution.points], [...evolution.courses[i].labels[t]]];
            }""",
            course,
        )
        x, keys = np.reshape(points, (-1, 2)), np.reshape(scene["keys"], (-1, 2))
        for _ in range(scene["steps"]):
            squares = ((x[:, None] - keys) ** 2).sum(axis=2)
            shares = np.exp(-scene["beta"] * (squares - squares.min(axis=1, keepdims=True)))
            x = x + scene["size"] * (shares @ keys / shares.sum(axis=1, keepdims=True) - x)
        nearest = ((x[:, None] - keys) ** 2).sum(axis=2).argmin(axis=1)
        assert (nearest == labels).mean() > 0.995


def test_it_leaves_as_a_file_that_plays_by_itself(browser, server, tmp_path):
    context = patient(browser, color_scheme="dark")
    page = context.new_page()
    digits = Recipe(data=Builtin(name="digits"), settings={"n_clusters": 4, "n_epochs": 5})
    opened(page, server, digits)
    assert page.locator(f"{EVOLUTION} .tile").count() == 4
    with page.expect_download() as kept:
        page.get_by_role("button", name="Download as one file").click()
    path = tmp_path / "evolution.html"
    kept.value.save_as(path)
    assert path.stat().st_size < 5e6
    faults, asked = [], []
    alone = context.new_page()
    alone.on("pageerror", lambda error: faults.append(str(error)))
    alone.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    alone.on("request", lambda request: asked.append(request.url))
    alone.goto(path.as_uri())
    alone.locator(f"{EVOLUTION} [data-id=sentence]").filter(has_text="The start").wait_for()
    alone.keyboard.press("ArrowRight")
    alone.locator(f"{EVOLUTION} [data-id=sentence]").filter(has_text="Epoch 1:").wait_for()
    background = alone.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert background == "rgb(20, 23, 28)"
    assert faults == []
    assert [url for url in asked if not url.startswith(("file:", "blob:", "data:"))] == []
    context.close()
