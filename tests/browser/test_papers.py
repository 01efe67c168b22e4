"""The Papers page in real Chromium: choose, run, read, play."""

import pytest

from tests.browser.serving import patient

pytestmark = pytest.mark.browser


def test_a_figure_is_run_and_played_with(page, server):
    page.goto(f"{server}/papers?item=slk-descent")
    page.get_by_text("In the paper.").wait_for()
    page.get_by_role("button", name="Run ours").click()
    page.get_by_text("How ours was run").wait_for()
    page.get_by_text("Ours agrees").wait_for()
    page.locator(".js-plotly-plot").nth(1).wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    text = download.value.path().read_text("utf-8")
    assert text.startswith("Data,Measure,Published,Ours,Difference,Why\n")
    page.get_by_role("button", name="Play with it on the Graph page").click()
    page.get_by_role("heading", name="Modes and graph").wait_for()


def test_a_figure_fits_a_telephone(server, browser):
    narrow = patient(browser, viewport={"width": 390, "height": 844}, color_scheme="dark")
    page = narrow.new_page()
    page.goto(f"{server}/papers?item=clam-figure-4")
    page.locator(".js-plotly-plot").nth(2).wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    narrow.close()
