"""The page of modes and graph in real Chromium."""

import pytest

from tests.browser.rest import at_rest, visit
from tests.browser.serving import patient
from workbench.recipe import from_link

pytestmark = pytest.mark.browser

SENTENCE = "[data-testid=stMarkdownContainer] p >> text=/^At λ = /"
SWEPT = """() => [...document.querySelectorAll(".js-plotly-plot")].find(
  (plot) => plot._transitionData?._frames.length > 1)"""


def opened(page, address):
    visit(page, address)
    page.locator(SENTENCE).first.wait_for()
    page.locator(".js-plotly-plot .scatterlayer").first.wait_for()


def test_lambda_by_keyboard_and_a_link_that_restores_it(page, server, browser):
    opened(page, f"{server}/laplacian")
    page.get_by_role("slider", name="λ, weight of the graph").press("Home")
    page.locator(SENTENCE).filter(has_text="the graph does not count").wait_for()
    page.wait_for_function("() => location.search.includes('link=')")
    at_rest(page)
    recipe, _ = from_link(page.url.split("link=")[1])
    assert recipe.settings["coupling"] == 0
    told = page.locator(SENTENCE).first.inner_text()

    fresh = patient(browser, viewport={"width": 390, "height": 844}, color_scheme="dark")
    other = fresh.new_page()
    opened(other, page.url)
    assert other.locator(SENTENCE).first.inner_text() == told
    width = other.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "nothing is wider than a telephone"
    fresh.close()


def test_the_sweep_plays(page, server):
    opened(page, f"{server}/laplacian")
    page.get_by_text("Compute clusters from λ = 0").click()
    page.get_by_text("Fewest edges are cut").wait_for()
    page.wait_for_function(f"() => Boolean(({SWEPT})())")
    at_rest(page)
    shown = f"() => JSON.stringify(({SWEPT})().data[0].marker.color)"
    before = page.evaluate(shown)
    page.locator(".updatemenu-button").first.click()
    page.wait_for_function(f"before => ({shown})() !== before", arg=before)
    page.locator(".updatemenu-button").nth(1).click()
