"""A race in real Chromium: one method is cancelled, one fails, a reload finds it, labels leave."""

import csv
import sys
from pathlib import Path

import pytest

from tests.browser.rest import at_rest, visit
from tests.browser.serving import patient, serving
from workbench.contest import Contest
from workbench.recipe import Builtin, Recipe, to_link

pytestmark = pytest.mark.browser

TERMS = Contest(
    methods=("kmeans", "agglomerative", "mixture", "slk"), seeds=1, null=False,
    settings={"kmeans": {"n_init": 2}},
)  # fmt: skip
RECIPE = Recipe(data=Builtin(name="blobs"), method="kmeans", settings={"n_clusters": 4})


@pytest.fixture(scope="module")
def troubled():
    """Address of an app in whose races SLK never ends and the Gaussian mixture fails."""
    command = (sys.executable, "-m", "tests.browser.troubled_streamlit")
    with serving(command=command) as (address, _):
        yield address


def lane(page, name):
    return page.get_by_test_id("stProgress").filter(has_text=name)


def test_a_race_with_one_cancelled_and_one_failing_method(page, troubled, browser):
    visit(page, f"{troubled}/compare?link={to_link(RECIPE)}&race={TERMS.to_text()}")
    page.get_by_role("button", name="Start the race").click()
    lane(page, "SLK").filter(has_text="fit").wait_for()
    page.reload()  # a new session finds the race at work
    lane(page, "SLK").wait_for()
    page.locator(".st-key-compare-stop-slk").get_by_role("button", name="Cancel").click()
    page.get_by_text("The race of 4 methods: 2 done, 1 failed and 1 cancelled").wait_for()

    page.get_by_text("Gaussian mixture: It did not converge").wait_for()
    page.get_by_text("What the evidence says.").wait_for()
    panels = page.locator("[class*=st-key-compare-panel] .js-plotly-plot .scatterlayer")
    panels.nth(2).wait_for()
    at_rest(page)
    assert panels.count() == 3, "the reference labels, k-means and agglomerative"
    assert not page.get_by_text("Traceback").count()

    with page.expect_download() as download:
        page.get_by_role("button", name="Download rows with all clusters").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    written = list(csv.DictReader(text.splitlines()))
    assert len(written) == 400
    assert {row["cluster by k-means"] for row in written} == {"1", "2", "3", "4"}
    assert "cluster by Agglomerative" in written[0]

    page.get_by_role("button", name="Open k-means on the Cluster page").click()
    page.get_by_text("Press Run to cluster them").wait_for()

    narrow = patient(browser, viewport={"width": 390, "height": 844}, color_scheme="dark")
    other = narrow.new_page()
    other.goto(f"{troubled}/compare?race={TERMS.to_text()}")
    other.get_by_role("button", name="Start the race").wait_for()
    assert not other.get_by_text("The race of").count(), "another browser sees no race of ours"
    assert other.evaluate("document.documentElement.scrollWidth") <= 390
    narrow.close()
