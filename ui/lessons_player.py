"""The lessons, Python's side of them: all texts at once, own points by letter.

The browser plays a lesson without the server. It tells only which one is open, so that the page
can name it in the address bar and compute what its picture needs.
"""

from functools import cache
from pathlib import Path

import streamlit as st
from streamlit.components.v2 import component

from ui import cached, lecture, state
from ui.browser_modules import script, text
from ui.own_points import own_points
from ui.theme_colours import theme_colours
from workbench.dataset import DataError
from workbench.lessons import LESSONS
from workbench.lessons.telling import told

_GUIDE = Path(__file__).parents[1] / "docs" / "teachers-guide.md"
_ADDRESS = "lessons"
_KEY = "lessons.player"
_BAR = "lessons-points"
# The lesson's title leaves room on its right, except on a telephone. To paint takes more of it.
_BESIDE_THE_TITLE = f"""
@media (min-width: 46rem) {{
  div:has(> .st-key-{_BAR}) {{
    align-self: flex-end; width: max-content; height: 0; margin-bottom: -1rem; z-index: 2;
  }}
  .st-key-{_BAR} {{overflow: visible;}}
}}
[data-testid=stPopoverBody]:has(.st-key-lessons-painting) {{
  width: min(48rem, 94vw) !important; max-width: none !important;
  max-height: calc(100vh - 9.5rem) !important;
}}
"""
_STYLES = ("live_basins/canvas.css", "lessons/lessons.css", "lessons/pictures.css")

_player = component(
    "lessons",
    html=text("lessons/lessons.html"),
    css="".join(map(text, _STYLES)),
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
        state.write_lesson(opened if opened in list(LESSONS) else "")  # it may be anything
    return LESSONS.get(state.read_lesson()["lesson"])


@cache
def guide():
    """Return the teacher's guide, as Markdown."""
    return _GUIDE.read_text(encoding="utf-8")


def play(lesson):
    """Show the overview, or the lesson that is open.

    Parameters
    ----------
    lesson : workbench.lessons.lesson.Lesson or None
    """
    st.html(f"<style>{_BESIDE_THE_TITLE}</style>")
    bar, place = st.container(key=_BAR), st.container()
    _player(
        key=_KEY,
        data={"address": _ADDRESS, "lessons": _lessons(), "colours": theme_colours()},
        on_open_change=lambda: None,
    )
    with place:
        points, frames = _stuff(lesson, bar) if lesson else (None, None)
    letter = {"start": state.read_lesson(), "own": _own(points), "frames": frames}
    with place:
        _letter(key="letter:lessons", data={"address": _ADDRESS, "letter": letter})


def _stuff(lesson, bar):
    """Let the reader put own points in the toy's place; return them and what the picture needs."""
    with (
        bar,
        lecture.group("lessons", "data"),
        st.popover("Your own points", icon=":material/scatter_plot:", key="lessons:points"),
    ):
        points = own_points("lessons")
    try:
        return points, _frames(lesson, points)
    except DataError as error:
        st.error(f"{error} The lesson shows its toy instead.")
        return None, _frames(lesson, None)


def _own(points):
    """Return what the browser is told of the reader's own points; None for the toy."""
    if points is None:
        return None
    key = points.fingerprint
    return {
        "key": key,
        "points": points.points.round(5).tolist(),
        "centres": cached.lesson_centres(key, points.points),
    }


def _frames(lesson, points):
    """Return what Python computes for the open lesson, on own points or on its toy."""
    if not lesson.needs_frames:
        return None
    key, rows = (f"toy of {lesson.key}", lesson.points)
    if points is not None:
        key, rows = points.fingerprint, points.points
    values = cached.lesson_frames(lesson.picture, key, rows, own=points is not None)
    return {"lesson": lesson.key, "key": key, "values": values}


@cache
def _lessons():
    return [told(lesson) for lesson in LESSONS.values()]
