"""A teacher's link: which controls it hides, and what it says of it."""

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ui.lecture import GROUPS, told
from ui.navigation import PAGES

ROOT = Path(__file__).parents[2]
SECONDS = 60
CANVAS = (ROOT / "assets/live_basins/canvas.html").read_text(encoding="utf-8")


def opened(page, hide):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS)
    app.switch_page(f"pages/{page}.py")
    app.query_params["hide"] = hide
    return app.run()


def hidden_in(app):
    """Keys of the containers that the page's styles hide."""
    styles = " ".join(element.proto.body for element in app.get("html"))
    return set(re.findall(r"\.st-key-([\w-]+)\) \{display: none", styles))


def said(app):
    return [caption.value for caption in app.caption if "hid" in caption.value]


def test_every_group_belongs_to_a_page():
    assert set(GROUPS) <= {name for group in PAGES.values() for name in group}


def test_the_canvas_knows_its_groups():
    parts = set(re.findall(r'data-group="(\w+)"', CANVAS))
    assert parts | {"points"} == set(GROUPS["basins"])


@pytest.mark.parametrize("page", ["figure", "cluster", "laplacian", "compare", "tune", "papers"])
def test_all_groups_of_a_page_can_be_hidden(page):
    app = opened(page, ",".join(GROUPS[page]))
    assert not app.exception and not app.error
    keys = {key.removeprefix(f"group-{page}-").split("-")[0] for key in hidden_in(app)}
    assert keys == set(GROUPS[page])
    assert said(app) == ["Some controls are hidden by the link."]


def test_hiding_lasts_until_all_is_asked_for():
    app = opened("basins", "memories, beta,nothing")
    assert hidden_in(app) == {"group-basins-memories", "group-basins-beta"}
    assert said(app) == [
        "Some controls are hidden by the link. hide=nothing names no group of controls; it is "
        "ignored."
    ]
    app.switch_page("pages/figure.py").run()
    assert "group-figure-beta" in hidden_in(app)
    next(button for button in app.button if button.key == "figure:show").click().run()
    assert hidden_in(app) == set() and said(app) == []
    app.switch_page("pages/basins.py").run()
    assert hidden_in(app) == set()


def test_nothing_is_said_where_nothing_is_hidden():
    assert told("runs", {"beta"}) == "" and told("basins", ()) == ""
