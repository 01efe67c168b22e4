"""Jobs and history in real Chromium: refresh, two browsers, a shared link, a server anew."""

import pytest

from tests.browser.rest import at_rest, give_file, visit
from tests.browser.serving import patient, serving
from workbench.recipe import Builtin, Recipe, to_link

pytestmark = pytest.mark.browser

SHORT = Recipe(data=Builtin(name="iris"), settings={"n_clusters": 3, "n_init": 4, "n_epochs": 10})
LONG = Recipe(
    data=Builtin(name="digits"), settings={"n_clusters": 10, "n_init": 64, "n_epochs": 1000}
)
COOKIE = "basinscope_workspace"


def run_button(page):
    return page.get_by_role("button", name="Run", exact=True)


def open_cluster(page, server, recipe=SHORT):
    visit(page, f"{server}/cluster?link={to_link(recipe)}")


def finished(page, server):
    open_cluster(page, server)
    run_button(page).click()
    page.get_by_text("the results follow").wait_for()
    at_rest(page)


def wait_for_cookie(page):
    for _ in range(100):
        for cookie in page.context.cookies():
            if cookie["name"] == COOKIE:
                return cookie
        page.wait_for_timeout(50)
    raise AssertionError("no cookie")


def test_a_refresh_in_mid_run_finds_it_and_after_it_its_outcome(page, server):
    open_cluster(page, server, LONG)
    cookie = wait_for_cookie(page)
    assert cookie["sameSite"] == "Strict" and len(cookie["value"]) >= 40
    run_button(page).click()
    page.get_by_text("Epoch ").first.wait_for()
    page.reload()
    page.get_by_text("Epoch ").first.wait_for()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Cancelled after epoch").wait_for()
    page.reload()
    page.get_by_text("Cancelled after epoch").wait_for()
    assert cookie["value"] not in page.content() and cookie["value"] not in page.url


def test_two_browsers_and_a_shared_link_see_nothing_of_each_other(page, server, browser):
    finished(page, server)
    page.goto(f"{server}/runs")
    page.get_by_text("Iris, ClAM, k = 3").first.wait_for()
    link = f"{server}/cluster?link={to_link(SHORT)}"

    other = patient(browser)
    stranger = other.new_page()
    visit(stranger, link)
    stranger.get_by_text("Press Run to cluster them").wait_for()
    assert not stranger.get_by_text("Clusters found").count()
    stranger.goto(f"{server}/runs")
    stranger.get_by_text("No runs yet").wait_for()
    other.close()

    page.goto(link)  # its own browser needs no second run
    page.get_by_text("the results follow").wait_for()


def test_named_deleted_and_undone(page, server):
    finished(page, server)
    visit(page, f"{server}/runs")
    page.get_by_role("button", name="Name").click()
    field = page.get_by_role("textbox", name="Name of this run")
    field.fill("Flowers")
    field.press("Enter")
    page.get_by_text("Flowers").first.wait_for()
    at_rest(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Delete").click()
    page.get_by_text("Deleted: Flowers.").wait_for()
    at_rest(page)
    page.get_by_role("button", name="Undo").click()
    at_rest(page)
    page.get_by_role("button", name="Open").click()
    page.get_by_text("the results follow").wait_for()
    assert "/cluster" in page.url


def test_a_run_survives_its_server(page, tmp_path):
    with serving(home=tmp_path) as (address, _):
        finished(page, address)
        wait_for_cookie(page)
    with serving(home=tmp_path) as (address, _):
        visit(page, f"{address}/runs")
        page.get_by_text("Iris, ClAM, k = 3").first.wait_for()
        page.get_by_role("button", name="Open").click()
        page.get_by_text("the results follow").wait_for()


def test_without_cookies_the_page_says_so(page, server):
    page.add_init_script(
        'Object.defineProperty(document, "cookie", {get: () => "", set: () => {}});'
    )
    page.goto(f"{server}/runs")
    page.get_by_text("This browser keeps no cookies for this page").wait_for()
    page.get_by_text("No runs yet").wait_for()


def test_asking_for_the_id_moves_nothing_on_the_page(page, server):
    """A first visit, whose browser has no cookie, and a second one look the same."""
    places = []
    for _ in range(2):
        visit(page, f"{server}/runs")
        places.append(page.get_by_text("No runs yet").bounding_box())
    assert places[0] == places[1]


def test_a_file_of_a_late_run_is_there_after_a_reload_of_the_list(page, server):
    visit(page, f"{server}/cluster")
    rows = "x,y\n" + "".join(f"{(i % 2) * 9 + i / 50},{i / 25}\n" for i in range(50))
    give_file(page, "late.csv", rows)
    page.get_by_text("late.csv: 50 rows").first.wait_for()
    at_rest(page)
    run_button(page).click()
    page.get_by_text("Done: ").wait_for()
    at_rest(page)
    visit(page, f"{server}/runs")  # a new session, as after a reload
    page.get_by_role("button", name="Keep file").first.wait_for()
    page.get_by_role("button", name="Open").first.click()
    page.get_by_text("late.csv: 50 rows").first.wait_for()
    page.get_by_text("Done: ").wait_for()
