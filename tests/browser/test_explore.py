"""Rows selected with the hand: drawn around in one picture, seen in the other, taken along."""

import pytest

from tests.browser.test_app import settled

pytestmark = pytest.mark.browser

SELECTED = """key => document.querySelector(`.st-key-${key} .js-plotly-plot`).data
  .map(trace => (trace.selectedpoints || []).length).reduce((sum, n) => sum + n, 0)"""


def draw_around(page, key, corners):
    chart = page.locator(f".st-key-{key}")
    chart.locator("[data-title='Lasso Select']").first.click()
    box = chart.locator(".nsewdrag").first.bounding_box()
    places = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in corners]
    page.mouse.move(*places[0])
    page.mouse.down()
    for place in [*places[1:], places[0]]:
        page.mouse.move(*place, steps=8)
    page.mouse.up()
    settled(page)


def test_rows_drawn_around_are_selected_in_every_picture_and_clustered_alone(page, server):
    page.set_viewport_size({"width": 1440, "height": 2400})
    page.goto(f"{server}/cluster")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".st-key-cluster-silhouettes .nsewdrag").first.wait_for()
    settled(page)
    draw_around(page, "cluster-points", [(0.4, 0.02), (0.98, 0.02), (0.98, 0.98), (0.4, 0.98)])
    page.get_by_text("100 rows selected").wait_for()
    page.wait_for_function(f"key => ({SELECTED})(key) === 100", arg="cluster-silhouettes")
    assert page.evaluate(SELECTED, "cluster-points") == 100
    draw_around(page, "cluster-silhouettes", [(0.3, 0.02), (0.9, 0.02), (0.9, 0.3), (0.3, 0.3)])
    page.wait_for_function(f"key => ({SELECTED})(key) < 100", arg="cluster-points")
    page.get_by_role("button", name="Cluster only these rows").click()
    page.get_by_text("Out of date").wait_for()
    page.get_by_role("button", name="Back to all rows").wait_for()
    page.get_by_text("rows selected").wait_for(state="detached")
