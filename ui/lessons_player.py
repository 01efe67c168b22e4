"""The lessons, Python's side of them: all texts at once, own points by letter.

The browser plays a lesson without the server. It tells only which one is open, so that the page
can name it in the address bar and compute what its picture needs.
"""

from functools import cache

import streamlit as st
from streamlit.components.v2 import component

from ui import lecture, state
from ui.browser_modules import script, text
from ui.theme_colours import theme_colours
from workbench.lessons import LESSONS
from workbench.lessons.telling import told

_ADDRESS = "lessons"
_KEY = "lessons.player"

_player = component(
    "lessons",
    html=text("lessons/lessons.html"),
    css=text("live_basins/canvas.css") + text("lessons/lessons.css"),
    js=script("lessons/main.js", "live_basins/worker.js"),
)
_letter = component("lessons_letter", js=script("live_basins/letter.js"))


def take_opened():
    """Remember which lesson the reader has opened since the last run.

    Returns
    -------
    workbench.lessons.lesson.Lesson or None
    """
    opened = (st.session_state.get(_KEY) or {}).get("open")
    if opened is not None and opened != state.kept("lessons", "opened"):
        state.keep("lessons", "opened", opened)
        state.write_lesson(opened if opened in LESSONS else "")
    return LESSONS.get(state.read_lesson()["lesson"])


def play(lesson):
    """Show the overview, or the lesson that is open.

    Parameters
    ----------
    lesson : workbench.lessons.lesson.Lesson or None
    """
    with lecture.group("lessons", "data"):
        own = _own_points() if lesson else None
    place = st.container()
    _player(
        key=_KEY,
        data={"address": _ADDRESS, "lessons": _lessons(), "colours": theme_colours()},
        on_open_change=lambda: None,
    )
    letter = {"start": state.read_lesson(), "own": own, "frames": None}
    with place:
        _letter(key="letter:lessons", data={"address": _ADDRESS, "letter": letter})


def _own_points():
    """Return what the browser is told of the reader's own points, or None for the toy."""
    return None


@cache
def _lessons():
    return [told(lesson) for lesson in LESSONS.values()]
