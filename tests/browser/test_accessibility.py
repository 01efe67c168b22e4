"""axe-core finds no serious or critical fault, on any page, in light and dark."""

import pytest

from tests.browser.axe import serious_faults
from tests.browser.rest import visit
from ui.navigation import PAGES

pytestmark = pytest.mark.browser
NAMES = [name for group in PAGES.values() for name in group]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_can_be_read_and_used_by_all(page, server, name):
    page.goto(f"{server}/{'' if name == 'home' else name}")
    page.get_by_role("heading", level=1).first.wait_for()
    assert serious_faults(page) == []


def test_what_opens_over_a_page_can_too(page, server):
    visit(page, f"{server}/basins")
    page.get_by_role("button", name="Words on this page").click()
    page.get_by_role("dialog").wait_for()
    page.get_by_role("button", name="Tour", exact=True).click()
    page.get_by_role("dialog", name="Slide β").wait_for()
    assert serious_faults(page) == []
