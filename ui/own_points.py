"""Points of the reader's own in the place of a toy: a file's, or painted ones."""

from dataclasses import replace

import streamlit as st

from ui import cached, state
from ui.painter import download, painter
from workbench.own_points import OwnPoints, numeric_columns
from workbench.own_points import own_points as points_of
from workbench.reading import Reading
from workbench.table import DataError, fingerprint
from workbench.words import count

_SOURCES = {"toy": "Toy", "file": "Your file", "paint": "Paint"}


def own_points(page) -> OwnPoints | None:
    """Show "Toy | Your file | Paint", and what the choice needs.

    A file or painted points that another page of this session has are there at once; what is
    chosen here is there for the other pages.

    Parameters
    ----------
    page : str

    Returns
    -------
    workbench.own_points.OwnPoints or None
        None for the toy, and until there are points that a picture can show; why is said.
    """
    source = st.segmented_control(
        "Points",
        list(_SOURCES),
        format_func=_SOURCES.__getitem__,
        key=state.seed(f"{page}:own", state.kept(page, "points", "toy")),
        required=True,
    )
    state.keep(page, "points", source)
    try:
        if source == "file":
            return _of_file(page)
        return _painted(page) if source == "paint" else None
    except DataError as error:
        st.error(str(error))
        return None


def _of_file(page):
    st.file_uploader(
        "A file with a table",
        key=f"{page}:file",
        on_change=_receive,
        args=(page,),
        help="Two of its columns become the axes. It stays in this session.",
    )
    fault = state.kept(state.UPLOAD, "fault")
    if fault:
        st.error(fault)
    table = state.kept(state.UPLOAD, "table")
    if table is None:
        st.caption("The toy stays until a file is chosen.")
        return None
    names = numeric_columns(table, cached.guesses(table))
    axes = state.kept(page, "axes", {}).get(table.key, names[:2])
    if len(names) > 2:
        axes = _axes(page, table, names, axes)
    points = points_of(table, *axes)
    across, up = axes
    sentence = f"{points.name}: {count(len(points.points), 'point')}, {across} across and {up} up."
    st.caption(" ".join((sentence, *points.notes)))
    return points


def _axes(page, table, names, before):
    with st.container(horizontal=True):
        across, up = (
            st.selectbox(
                label,
                names,
                key=state.seed(f"{page}:{table.key}:{label}", name),
                width=220,
            )
            for label, name in zip(("Across", "Up"), before, strict=True)
        )
    state.keep(page, "axes", {**state.kept(page, "axes", {}), table.key: (across, up)})
    return across, up


def _painted(page):
    with st.expander("Paint", expanded=True, key=f"{page}:painting"):
        painter(page)
        table = state.kept(state.PAINTED, "table")
        if table is not None:
            download(page)
    if table is None:
        st.caption("The toy stays until points are used.")
        return None
    points = points_of(table, "x", "y")
    st.caption(f"{count(len(points.points), 'painted point')}.")
    return replace(points, name="painted points")


def _receive(page):
    """Take the bytes of an upload for every page of this session."""
    upload = st.session_state[f"{page}:file"]
    if upload is None:
        return
    state.keep(state.UPLOAD, "fault", None)
    payload = upload.getvalue()
    try:
        table = cached.file_table(upload.name, payload, fingerprint(payload), Reading())
    except DataError as error:
        state.keep(state.UPLOAD, "fault", str(error))
        return
    state.keep(state.UPLOAD, "payload", payload)
    state.keep(state.UPLOAD, "table", table)
