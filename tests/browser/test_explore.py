"""Rows selected with the hand: drawn around in one picture, seen in the other, taken along."""

import pytest

from tests.browser.rest import at_rest, drag, place, visit

pytestmark = pytest.mark.browser

SELECTED = """key => document.querySelector(`.st-key-${key} .js-plotly-plot`).data
  .map(trace => (trace.selectedpoints || []).length).reduce((sum, n) => sum + n, 0)"""


def draw_around(page, key, corners):
    chart = page.locator(f".st-key-{key}")
    chart.locator("[data-title='Lasso Select']").first.click()
    area = chart.locator(".nsewdrag").first
    drag(page, *(place(area, *corner) for corner in (*corners, corners[0])))
    at_rest(page)


def test_rows_drawn_around_are_selected_in_every_picture_and_clustered_alone(page, server):
    page.set_viewport_size({"width": 1440, "height": 2400})
    visit(page, f"{server}/cluster")
    page.get_by_role("button", name="Run", exact=True).click()
    page.locator(".st-key-cluster-silhouettes .nsewdrag").first.wait_for()
    at_rest(page)
    draw_around(page, "cluster-points", [(0.4, 0.02), (0.98, 0.02), (0.98, 0.98), (0.4, 0.98)])
    page.get_by_text("100 rows selected").wait_for()
    page.wait_for_function(f"key => ({SELECTED})(key) === 100", arg="cluster-silhouettes")
    at_rest(page)
    assert page.evaluate(SELECTED, "cluster-points") == 100
    draw_around(page, "cluster-silhouettes", [(0.3, 0.02), (0.9, 0.02), (0.9, 0.3), (0.3, 0.3)])
    page.wait_for_function(f"key => ({SELECTED})(key) < 100", arg="cluster-points")
    at_rest(page)
    page.get_by_role("button", name="Cluster only these rows").click()
    page.get_by_text("Out of date").wait_for()
    page.get_by_role("button", name="Back to all rows").wait_for()
    page.get_by_text("rows selected").wait_for(state="detached")
