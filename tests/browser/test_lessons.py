"""Every lesson in real Chromium: walked to its end, kept, linked to."""

import re
from urllib.parse import parse_qs, urlparse

import pytest

from tests.browser.lesson_walk import LESSON, Keyboard, Pointer, opened, part, walk
from tests.browser.rest import PATIENCE, drag
from tests.browser.serving import patient
from workbench.lessons import LESSONS
from workbench.lessons.lesson import Prediction

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module", params=[Pointer, Keyboard], ids=["pointer", "keyboard"])
def learner(request, browser, server):
    """One page for all lessons, and its hand: a lesson is opened from the overview."""
    context = patient(browser, reduced_motion="reduce")
    page = context.new_page()
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    page.goto(f"{server}/lessons")
    page.locator(".cards").wait_for(timeout=PATIENCE)
    yield page, request.param(page)
    context.close()


def state(page):
    return page.locator(".lessons").evaluate("root => root.lessons.picture.state")


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_is_walked_to_its_end(learner, key):
    page, hand = learner
    leave = page.locator(".lessons [data-id=leave]")
    if leave.count():  # another test stopped within a lesson
        leave.click()
    hand.press(page.locator(f"[data-open={key}]"))
    page.locator(f"{LESSON}[data-lesson={key}]").wait_for(timeout=PATIENCE)
    walk(page, hand, LESSONS[key])
    asked = [screen for screen in LESSONS[key].screens if isinstance(screen.task, Prediction)]
    rows = page.locator(f"{LESSON} .summary tbody tr").all_inner_texts()
    assert len(rows) == len(asked)
    assert all("✓" in row or "✗" in row for row in rows)
    hand.press(part(page, "leave-end"))
    page.locator(".card.done", has=page.locator(f"[data-open={key}]")).wait_for()
    assert page.faults == []


def test_progress_survives_a_reload(page, server):
    opened(page, server, "temperature")
    part(page, "skip").click()
    page.locator(f"{LESSON}[data-screen='1']").wait_for()
    page.locator("[data-control=beta]").press("Home")
    page.locator(f"{LESSON} .task.ticked").wait_for()
    page.reload()
    page.locator(f"{LESSON}[data-screen='1']").wait_for()
    assert part(page, "next").is_enabled(), "what was done stays done"
    part(page, "again").click()
    assert part(page, "next").is_disabled()
    part(page, "leave").click()
    page.locator(".card", has_text="Screen 2 of").wait_for()


def test_a_link_opens_a_screen_and_its_picture(page, server, browser):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    opened(page, server, "basin", "&screen=4")
    page.locator(f"{LESSON}[data-screen='3']").wait_for()
    page.locator("[data-memory='0']").press("Shift+ArrowRight")
    moved = state(page)
    assert moved["memories"][0][0] > LESSONS["basin"].screens[0].set["memories"][0][0]
    part(page, "copy").click()
    page.get_by_text("Copied.").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert parse_qs(urlparse(link).query)["lesson"] == ["basin"]
    context = patient(browser)
    other = context.new_page()
    other.goto(link)
    other.locator(f"{LESSON}[data-screen='3']").wait_for()
    assert state(other)["memories"] == moved["memories"]
    context.close()


def test_a_spoilt_link_opens_the_lesson_all_the_same(page, server):
    opened(page, server, "basin", "&screen=999&at=!!!")
    last = len(LESSONS["basin"].screens) - 1  # no link finishes a lesson
    page.locator(f"{LESSON}[data-screen='{last}']").wait_for()
    page.goto(f"{server}/lessons?lesson=nonsense&at=abc")
    page.locator(".cards").wait_for()
    assert page.get_by_role("heading", level=1).all_inner_texts() == ["Lessons"]


def test_symbols_and_controls_light_each_other_up(page, server):
    opened(page, server, "temperature", "&screen=6")
    symbol = page.locator("button.symbol", has_text="inverse temperature")
    symbol.focus()
    page.locator(".dial.lit [data-control=beta]").wait_for()
    page.locator("[data-control=beta]").focus()
    page.locator("button.symbol.lit", has_text="inverse temperature").wait_for()
    assert page.locator(".formula [data-symbol].lit").count() == 2, "beta stands there twice"


def test_a_sketch_is_scored_by_what_lies_on_its_right_side(page, server):
    opened(page, server, "voronoi", "&screen=2")
    # The perpendicular bisector of the two memories, from the top of the picture to its bottom.
    ends = page.locator(".lessons").evaluate(
        """root => {
            const { state, size, toPlane, toScreen } = root.lessons.picture;
            const [[ax, ay], [bx, by]] = state.memories;
            const x = (y) => (ax + bx) / 2 - ((y - (ay + by) / 2) * (by - ay)) / (bx - ax);
            return [1, size - 1].map((row) => {
                const y = toPlane([0, row])[1];
                return toScreen([x(y), y]);
            });
        }"""
    )
    box = page.locator("svg.sketching").bounding_box()
    (left, top), (right, bottom) = [(box["x"] + x, box["y"] + y) for x, y in ends]
    drag(page, (left, top), (right, bottom), steps=10)
    part(page, "check").click()
    (share,) = re.findall(r"([\d.]+) %", page.locator(f"{LESSON} .verdict").inner_text())
    assert float(share) > 99


def test_the_picture_is_lit_anew_when_the_theme_changes(page, server):
    opened(page, server, "basin", "&screen=4")
    light = page.locator(".lessons").evaluate("root => getComputedStyle(root).color")
    page.emulate_media(color_scheme="dark")
    page.locator(".lessons.dark").wait_for()
    dark = page.locator(".lessons").evaluate("root => getComputedStyle(root).color")
    assert light != dark
