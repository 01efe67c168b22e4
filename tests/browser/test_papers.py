"""The Papers page in real Chromium: choose, run, read, play, on a desk and on a telephone."""

import pytest

from tests.browser.rest import at_rest, visit

pytestmark = pytest.mark.browser


def test_a_figure_is_run_and_played_with(page, server):
    visit(page, f"{server}/papers?item=slk-descent")
    page.get_by_text("In the paper.").wait_for()
    page.get_by_role("button", name="Run ours").click()
    page.get_by_text("How ours was run").wait_for()
    page.get_by_text("Ours agrees").wait_for()
    page.locator(".js-plotly-plot").nth(1).wait_for()
    at_rest(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    text = download.value.path().read_text("utf-8")
    assert text.startswith("Data,Measure,Published,Ours,Difference,Why\n")
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function("document.querySelector('.js-plotly-plot').clientWidth < 390")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    at_rest(page)
    page.get_by_role("button", name="Open in Graph").click()
    page.get_by_role("heading", name="Modes and graph").wait_for()
