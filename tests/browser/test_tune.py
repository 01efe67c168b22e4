"""The Tune page in real Chromium: a tuning that is cancelled, found again, and put to use."""

import re

import pytest

from tests.browser.rest import at_rest, visit
from workbench.recipe import Builtin, Recipe, from_link, to_link

pytestmark = pytest.mark.browser

SLOW = {"n_clusters": 3, "n_init": 32, "n_epochs": 200}


def start(page):
    page.get_by_test_id("stBaseButton-primary").filter(has_text="Start").click()


def test_a_cancelled_tuning_keeps_its_part_and_is_found_again(page, server):
    recipe = Recipe(data=Builtin(name="iris"), settings=SLOW)
    visit(page, f"{server}/tune?link={to_link(recipe)}")
    start(page)
    page.get_by_text(re.compile(r"^\d+ of 68 configurations")).wait_for()
    page.reload()
    page.get_by_text(re.compile(r"^\d+ of 68 configurations")).wait_for()
    # A picture that the next one takes the place of may still be there.
    page.locator(".js-plotly-plot .scatterlayer").filter(visible=True).first.wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text(re.compile(r"^Cancelled: \d+ of 68 configurations are trained")).wait_for()
    page.get_by_text("k-means", exact=True).first.wait_for()
    at_rest(page)

    page.get_by_role("button", name="Use the best on the Cluster page").click()
    page.get_by_role("heading", name="Cluster a table").wait_for()
    page.wait_for_function("() => location.search.includes('link=')")
    used, _ = from_link(page.url.split("link=")[1])
    assert used.method == "clam" and used.settings["beta"] != "auto"
    assert used.settings["n_epochs"] == SLOW["n_epochs"]
