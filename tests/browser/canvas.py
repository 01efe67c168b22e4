"""The live canvas as its tests find it."""

from typing import Any
from urllib.parse import parse_qs, urlparse

from tests.browser.rest import at_rest, until
from workbench.recipe import from_link

LIVE = ".live"
WORDS = ".live [data-id=words]"


def opened(page, address):
    """Open a page with a canvas and wait for its exact picture."""
    from playwright.sync_api import Error  # not there where browser tests are skipped

    said = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda line: said.append(line.text))
    page.goto(address)
    try:
        page.locator(WORDS).filter(has_text="because").wait_for()
    except Error as error:
        raise AssertionError(f"no exact picture; the browser said {said}") from error
    at_rest(page)
    return page.locator(LIVE)


def part(page, name):
    return page.locator(f"{LIVE} [data-id={name}]")


def memory(page, number):
    return page.locator(f"{LIVE} [data-memory='{number - 1}']")


def model(page):
    return page.locator(LIVE).evaluate("live => live.live.model")


def told(page) -> Any:
    """Recipe and View in the address bar."""
    (text,) = parse_qs(urlparse(page.url).query).get("link", [""])
    return from_link(text)


def when_told(page, holds) -> Any:
    """Wait until the address bar's Recipe and View satisfy a condition."""
    until(page, lambda: "link=" in page.url and holds(*told(page)))
    return told(page)
