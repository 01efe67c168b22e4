"""A real server and a real Chromium, each started once."""

import os

import pytest

from tests.browser.serving import ARGUMENTS, ROOT, chromium, patient, serving

MODULES = "http://modules.test"
REQUIRED = os.environ.get("BASINSCOPE_REQUIRE_BROWSER") == "1"


def pytest_collection_modifyitems(items):
    """Run a browser test that fails once more: a fault of ours fails twice, and a first is told."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def _absent(reason):
    (pytest.fail if REQUIRED else pytest.skip)(reason)


@pytest.fixture(scope="session")
def server():
    """Address of the app, served as a reader would serve it."""
    with serving() as (address, _):
        yield address


@pytest.fixture(scope="session")
def browser():
    """Start a Chromium without a window; without one, skip or fail as the environment asks."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        _absent("playwright is not installed.")
    with sync_playwright() as playwright:
        try:
            started = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        except Error as error:
            _absent(f"No Chromium could be started: {error.message.splitlines()[0]}")
        yield started
        started.close()


@pytest.fixture
def page(browser):
    """A fresh browser context: nothing of another test is in it."""
    context = patient(browser, color_scheme="light")
    yield context.new_page()
    context.close()


@pytest.fixture
def faults(page):
    """What the browser's console and the page complain of."""
    found = []

    def hear(line):
        # Streamlit looks for its server beneath the page's own address first.
        if line.type == "error" and "/_stcore/" not in line.location["url"]:
            found.append(line.text)

    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", hear)
    yield found
    assert found == []


@pytest.fixture
def modules(page, faults):
    """Open an empty page that can import the modules of assets/ by their paths."""

    def serve(route):
        path = route.request.url.removeprefix(MODULES).lstrip("/")
        if path.endswith(".js"):
            text = (ROOT / "assets" / path).read_text(encoding="utf-8")
            return route.fulfill(body=text, content_type="text/javascript")
        return route.fulfill(body="<div id='stage' style='width:300px'></div>")

    page.route(f"{MODULES}/**", serve)
    page.goto(MODULES)
    return page
