"""The Lessons page, Python's side: which lesson is open, own points, what pictures need."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ui import cached
from ui.cached import fits
from workbench.lessons import LESSONS
from workbench.lessons.own import centres
from workbench.own_points import OwnPoints

ROOT = Path(__file__).parents[2]
PLAYER = "lessons.player"


def page(**query):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=60)
    app.switch_page("pages/lessons.py")
    for name, value in query.items():
        app.query_params[name] = value
    return app


def sent(app):
    """What the player is told from the start, and by letter."""
    told = [json.loads(element.proto.json) for element in app.get("bidi_component")]
    (constant,) = [each for each in told if "lessons" in each]
    (letter,) = [
        each["letter"] for each in told if each.get("address") == "lessons" and "letter" in each
    ]
    return constant, letter


def opens(app, key):
    app.session_state[PLAYER] = {"open": key}
    return app.run()


def test_it_opens_with_all_lessons_and_no_points_to_choose():
    app = page().run()
    assert not app.exception
    constant, letter = sent(app)
    assert [lesson["key"] for lesson in constant["lessons"]] == list(LESSONS)
    assert letter == {"start": {"lesson": "", "screen": 0, "at": ""}, "own": None, "frames": None}


def test_a_link_opens_a_screen_and_its_picture():
    app = page(lesson="basin", screen="4", at="e30").run()
    _, letter = sent(app)
    assert letter["start"] == {"lesson": "basin", "screen": 4, "at": "e30"}


@pytest.mark.parametrize("number", ["", "-1", "1e9", "9999999999", "x"])
def test_a_screen_that_is_none_is_where_the_reader_last_was(number):
    _, letter = sent(page(lesson="basin", screen=number).run())
    assert letter["start"]["screen"] == 0


def test_the_address_bar_names_the_open_lesson():
    app = opens(page(lesson="basin", screen="4", at="e30").run(), "pulls")
    assert app.query_params["lesson"] in ("pulls", ["pulls"])
    assert "screen" not in app.query_params and "at" not in app.query_params
    app = opens(app, "")
    assert "lesson" not in app.query_params
    assert sent(app)[1]["start"]["lesson"] == ""


@pytest.mark.parametrize("forged", ["other", 3, ["basin"], {"lesson": "basin"}])
def test_what_is_no_lesson_is_the_overview(forged):
    app = opens(page(lesson="nonsense").run(), forged)
    assert not app.exception
    assert sent(app)[1]["start"]["lesson"] == ""


def test_a_lesson_gets_own_points_and_memories_on_them(monkeypatch):
    rows = np.random.default_rng(0).normal(size=(30, 2))
    own = OwnPoints(rows, "mine", ("x", "y"))
    monkeypatch.setattr("ui.lessons_player.own_points", lambda name: own)
    _, letter = sent(page(lesson="pulls").run())
    assert np.allclose(letter["own"]["points"], rows, atol=1e-5)
    assert letter["own"]["centres"] == centres(rows)
    assert len(letter["own"]["centres"]["3"]) == 3


def test_what_comes_of_own_points_stays_in_the_session():
    own, toy = fits._own_frames, fits._toy_frames
    assert own._info.scope == cached.lesson_centres._info.scope == "session"
    assert toy._info.scope == "global"


def test_points_that_a_picture_cannot_show_give_way_to_the_toy(monkeypatch):
    few = OwnPoints(np.arange(8.0).reshape(4, 2), "mine", ("x", "y"))
    asked = []

    def frames(picture, fingerprint, points, own):
        from workbench.dataset import DataError

        asked.append(fingerprint)
        if len(points) < 12:
            raise DataError("The lesson has 4 points: there should be 12 to 2,000.")
        return {"memories": []}

    monkeypatch.setattr("ui.lessons_player.own_points", lambda name: few)
    monkeypatch.setattr("ui.cached.lesson_frames", frames)
    (key,) = [key for key, lesson in LESSONS.items() if lesson.picture == "training"]
    app = page(lesson=key).run()
    assert "shows its toy" in app.error[0].value
    _, letter = sent(app)
    assert letter["own"] is None
    assert letter["frames"] == {"lesson": key, "key": asked[-1], "values": {"memories": []}}
