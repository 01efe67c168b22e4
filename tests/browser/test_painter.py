"""The painter under hand, keys and touch, and what becomes of its points."""

import pytest

from tests.browser.axe import serious_faults
from tests.browser.canvas import opened as opened_canvas
from tests.browser.canvas import when_told
from tests.browser.rest import at_rest, drag, place, until, visit
from tests.browser.serving import patient, serving
from workbench.painting import painted_table
from workbench.recipe import Upload

pytestmark = pytest.mark.browser
STAGE = ".painter .stage"


@pytest.fixture(scope="module")
def bar():
    """Address of a page with nothing but the bar of a lesson."""
    with serving("tests/browser/own_points_app.py") as (address, _):
        yield address


def choose(page, source):
    at_rest(page)  # an answer under way would bring the choice before back
    page.get_by_role("radio", name=source, exact=True).or_(
        page.get_by_role("button", name=source, exact=True)
    ).first.click()
    ready(page)


def ready(page):
    """Wait until the painter lives: it lays out the inks itself."""
    page.locator(".painter .inks label").first.wait_for()
    at_rest(page)


def part(page, name):
    return page.locator(f".painter [data-id={name}]")


def points(page):
    return page.locator(".painter").evaluate("painter => painter.painter.points")


def words(page):
    return part(page, "words").inner_text()


def stroke(page, start, end):
    """Spray along a line; places are shares of the canvas, from its lower left corner."""
    drag(page, *(place(page.locator(STAGE), x, 1 - y) for x, y in (start, end)), steps=5)


def ink(page, name):
    page.locator(".painter .inks label").filter(has_text=name).click()


def test_painted_with_the_mouse_clustered_and_there_again(page, server):
    said = []
    page.on("pageerror", lambda error: said.append(str(error)))
    visit(page, f"{server}/cluster")
    choose(page, "Paint")
    stroke(page, (0.2, 0.2), (0.3, 0.3))
    ink(page, "b")
    stroke(page, (0.7, 0.7), (0.8, 0.6))
    painted = points(page)
    assert {which for _, _, which in painted} == {0, 1}
    for which, low, high in ((0, 100, 400), (1, 500, 900)):
        own = [at for *at, mark in painted if mark == which]
        assert len(own) > 10 and all(low <= value <= high for at in own for value in at)
    assert words(page) == f"{len(painted)} of at most 2,000 points, in 2 inks. Not in use yet."
    part(page, "use").click()
    page.get_by_text(f"painted points.csv: {len(painted)} rows, 2 features.").wait_for()
    until(page, lambda: words(page).endswith("In use."))
    at_rest(page)
    page.get_by_role("button", name="Run").first.click()
    page.get_by_role("button", name="Download rows with clusters").wait_for()
    at_rest(page)
    page.reload()
    ready(page)
    page.get_by_text("In use.").wait_for()
    assert points(page) == painted
    # Another page of the app finds the drawing, and takes what is painted anew.
    visit(page, f"{server}/compare")
    choose(page, "Paint")
    assert points(page) == painted
    stroke(page, (0.5, 0.1), (0.6, 0.1))
    assert words(page).endswith("Not in use yet.")
    part(page, "use").click()
    mark = painted_table(points(page))[0].fingerprint
    when_told(page, lambda recipe, _: recipe.data == Upload(fingerprint=mark))
    assert said == []


def test_everything_by_keyboard(page, bar, faults):
    visit(page, bar)
    choose(page, "Paint")
    page.locator(".painter input[value=spray]").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".painter input[value=point]").is_checked()
    page.locator(STAGE).focus()
    for key in ("Shift+ArrowLeft", "ArrowUp", "Space", "Shift+ArrowRight", "3", "Enter"):
        page.keyboard.press(key)
    assert points(page) == [[400, 520, 0], [500, 520, 2]]
    page.keyboard.press("Control+z")
    assert points(page) == [[400, 520, 0]]
    page.keyboard.press("Control+Shift+z")
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Space")
    assert len(points(page)) == 3
    assert words(page).startswith("3 of at most 2,000 points, in 2 inks.")
    for _ in range(40):
        page.keyboard.press("Tab")
        if part(page, "use").evaluate("use => use.matches(':focus')"):
            break
    page.keyboard.press("Enter")
    page.get_by_text("3 own points of painted points.").wait_for()


def test_the_eraser_sketches_and_the_most_there_can_be(page, bar, faults):
    visit(page, bar)
    choose(page, "Paint")
    part(page, "sketch").select_option("ring")
    ring = points(page)
    assert 300 < len(ring) <= 360
    page.locator(".painter label", has_text="Eraser").click()
    stroke(page, (0.5, 0.5), (0.51, 0.5))
    left = points(page)
    assert 200 < len(left) < len(ring) and all(at in ring for at in left)
    part(page, "clear").click()
    assert words(page) == "No points yet, of at most 2,000."
    assert part(page, "use").is_disabled()
    page.locator(".painter label", has_text="Spray").click()
    part(page, "density").fill("40")
    part(page, "radius").fill("250")
    page.locator(STAGE).focus()
    for _ in range(60):
        page.keyboard.press("Space")
    assert len(points(page)) == 2000
    assert words(page).startswith("2,000 points, which is all there can be: erase some.")
    part(page, "use").click()
    page.get_by_text("2000 own points of painted points.").wait_for()


def test_a_finger_paints(browser, bar):
    context = patient(browser, viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    visit(page, bar)
    choose(page, "Paint")
    page.touchscreen.tap(*place(page.locator(STAGE)))
    assert len(points(page)) > 2
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


def test_it_can_be_read_and_used_by_all(page, bar):
    visit(page, bar)
    choose(page, "Paint")
    part(page, "sketch").select_option("uneven")
    part(page, "use").click()
    page.get_by_text("own points of painted points.").wait_for()
    assert serious_faults(page) == []


def test_what_another_time_left_is_no_drawing_unless_it_is_one(page, bar, faults):
    visit(page, bar)
    page.evaluate(
        "localStorage.setItem('basinscope.painting', '{\"points\": [[1, 2, 99]], \"used\": 7}')"
    )
    page.reload()
    choose(page, "Paint")
    assert points(page) == []


def test_own_points_lie_on_the_live_canvas(page, server):
    opened_canvas(page, f"{server}/basins")
    page.get_by_text("Points of your own").click()
    choose(page, "Paint")
    part(page, "sketch").select_option("blobs")
    number = len(points(page))
    part(page, "use").click()
    page.locator(".live [data-id=words]").filter(has_text=f"of the {number} data points").wait_for()
