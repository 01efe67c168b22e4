"""The painter, Python's side of it: a canvas in the browser, whose points become a table here.

The browser keeps the drawing, also over a reload; it tells of it when the reader presses *Use
these points*, and once more where it finds that this session does not have what was in use.
"""

import streamlit as st
from streamlit.components.v2 import component

from ui import state
from ui.browser_modules import script, text
from ui.theme_colours import theme_colours
from workbench import painting
from workbench.recipe import Upload
from workbench.table import DataError

_ADDRESS = "painter"

_painter = component(
    "painter",
    html=text("painter/painter.html"),
    css=text("painter/painter.css"),
    js=script("painter/main.js"),
)
_letter = component("painter_letter", js=script("live_basins/letter.js"))


def painter(page, on_use=None):
    """Show the canvas to paint on.

    What is used is the same for every page of a session: those that were at the points before go
    on with the new ones.

    Parameters
    ----------
    page : str
    on_use : callable, optional
        ``on_use(page, restored)``, called before the page runs again with new points; `restored`
        says that a reload brings them back, not the reader's hand.
    """
    letter = {"used": _points_in_use()}
    _letter(key=f"letter:{_ADDRESS}:{page}", data={"address": _ADDRESS, "letter": letter})
    key = _key(page)
    _painter(
        key=key,
        data={
            "address": _ADDRESS,
            "colours": theme_colours(),
            "inks": list(painting.INKS),
            "most": painting.MOST,
            "side": painting.SIDE,
        },
        on_use_change=lambda: take(page, (st.session_state.get(key) or {}).get("use"), on_use),
    )
    fault = state.kept(state.PAINTED, "fault")
    if fault:
        st.error(fault)


def take(page, message, on_use=None):
    """Make what the browser tells the session's painted points; a fault is kept to be said.

    Parameters
    ----------
    page : str
    message : object
        See :func:`workbench.painting.drawing`.
    on_use : callable, optional
        See :func:`painter`.
    """
    if message is None:
        return
    state.keep(state.PAINTED, "fault", None)
    try:
        table, payload = painting.painted_table(painting.drawing(message))
    except DataError as error:
        state.keep(state.PAINTED, "fault", str(error))
        return
    before = state.kept(state.PAINTED, "table")
    state.keep(state.PAINTED, "table", table)
    state.keep(state.PAINTED, "payload", payload)
    if before is not None:
        now, then = (Upload(fingerprint=each.fingerprint) for each in (table, before))
        state.follow(then, now)
    if on_use is not None:
        on_use(page, message.get("restored") is True)


def download(page):
    """Offer the points in use as the CSV that they are."""
    st.download_button(
        "Download as CSV",
        state.kept(state.PAINTED, "payload"),
        file_name=painting.NAME.replace(" ", "-"),
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        key=f"{page}:painted:download",
        help="Whoever chooses this file has the same points, and can open links made with them.",
    )


def _key(page):
    return f"{page}:painter"


def _points_in_use():
    """Return the drawing in use for the browser, which may hold another or none."""
    table = state.kept(state.PAINTED, "table")
    return None if table is None else [list(point) for point in painting.drawing_of(table)]
