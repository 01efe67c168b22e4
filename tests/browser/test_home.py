"""The front page, the tour and a teacher's link, as a reader meets them."""

import pytest

from tests.browser.canvas import model, opened, part, told
from tests.browser.rest import at_rest, until, visit
from ui.tour import STOPS

pytestmark = pytest.mark.browser

# How far the card covers what it speaks of, in square pixels.
COVERED = """() => {
  const [card, ring] = [".card", ".ring"].map((name) =>
    document.querySelector("[data-tour]").shadowRoot.querySelector(name).getBoundingClientRect());
  const across = Math.min(card.right, ring.right) - Math.max(card.left, ring.left);
  const down = Math.min(card.bottom, ring.bottom) - Math.max(card.top, ring.top);
  return ring.width > 0 ? Math.max(0, across) * Math.max(0, down) : null;
}"""


def test_the_picture_answers_hand_and_keys(page, server, faults):
    visit(page, server)
    words = page.locator(".hero [data-id=words]")
    words.filter(has_text="seven memories make").wait_for()
    slider = page.get_by_role("slider", name="β")
    slider.press("Home")
    words.filter(has_text="one basin").wait_for()
    slider.press("End")
    words.filter(has_text="seven basins").wait_for()
    border = page.locator(".hero .border")
    drawn = border.get_attribute("d")
    assert drawn and drawn.count("M") > 60  # as lines, smooth at any size
    particle = page.locator(".hero .particle")
    before = particle.get_attribute("aria-label")
    particle.press("ArrowLeft")
    until(page, lambda: particle.get_attribute("aria-label") != before)
    assert border.get_attribute("d") == drawn  # basins stand while the particle moves
    slider.press("Home")
    words.filter(has_text="one basin").wait_for()
    assert border.get_attribute("d") == ""


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_tour_is_walked_by_keyboard_and_covers_nothing(page, server, size):
    page.set_viewport_size({"width": size[0], "height": size[1]})
    visit(page, server)
    page.get_by_role("button", name="Take the tour").press("Enter")
    for stop in STOPS:
        page.get_by_role("dialog", name=stop["title"]).wait_for()
        page.wait_for_url(f"**/{stop['page']}**")
        page.locator("[data-tour] .ring").wait_for()
        at_rest(page)
        until(page, lambda: page.evaluate(COVERED) == 0)
        last = stop is STOPS[-1]
        page.get_by_role("button", name="Done" if last else "Next", exact=True).press("Enter")
    page.locator("[data-tour]").wait_for(state="detached")
    page.goto(server)  # it was seen: a button is left, and no offer
    page.get_by_role("button", name="Tour", exact=True).wait_for()


def test_the_tour_is_skipped_at_any_moment(page, server):
    visit(page, server)
    page.get_by_role("button", name="Not now").click()
    page.get_by_role("button", name="Tour", exact=True).press("Enter")
    page.get_by_role("dialog", name=STOPS[0]["title"]).wait_for()
    page.keyboard.press("Escape")
    page.locator("[data-tour]").wait_for(state="detached")
    assert page.evaluate("localStorage.getItem('basinscope.tour')") == "seen"


def test_hidden_controls_are_out_of_reach_until_all_is_asked_for(page, server):
    opened(page, f"{server}/basins?hide=beta,particle,memories")
    before = model(page)
    assert not part(page, "beta").is_visible() and not part(page, "drop").is_visible()
    page.locator(".live .memory[tabindex='0']").focus()
    for key in ("p", "a", "Delete", "ArrowLeft", " "):
        page.keyboard.press(key)
    part(page, "stage").dblclick(position={"x": 40, "y": 40})
    page.wait_for_timeout(600)
    assert model(page) == before and told(page)[1].particle is None
    page.get_by_role("button", name="Show all").click()
    part(page, "beta").wait_for()
    assert "hide=" not in page.url
    part(page, "beta").press("ArrowRight")
    assert model(page)["beta"] > before["beta"]
