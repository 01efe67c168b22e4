"""Every lesson in real Chromium: walked to its end, kept, linked to."""

import json
from urllib.parse import parse_qs, urlparse

import pytest

from tests.browser.lesson_walk import LESSON, Keyboard, Pointer, opened, part, walk
from workbench.lessons import LESSONS
from workbench.lessons.lesson import Prediction

pytestmark = pytest.mark.browser


@pytest.fixture
def calm(page):
    page.emulate_media(reduced_motion="reduce")
    return page


def state(page):
    return page.locator(".lessons").evaluate("root => root.lessons.picture.state")


@pytest.mark.parametrize("hand", [Pointer, Keyboard])
@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_is_walked_to_its_end(calm, server, faults, key, hand):
    opened(calm, server, key)
    walk(calm, hand(calm), LESSONS[key])
    asked = [screen for screen in LESSONS[key].screens if isinstance(screen.task, Prediction)]
    rows = calm.locator(f"{LESSON} .summary tbody tr")
    assert rows.count() == len(asked)
    assert all(any(mark in text for mark in "✓✗") for text in rows.all_inner_texts())
    faults[:] = [fault for fault in faults if "404" not in fault]
