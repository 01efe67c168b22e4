"""Rows that the reader selects in one picture and sees in all of them."""

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from ui import explore_words, state
from workbench.dataset import DataError
from workbench.export import labelled_csv
from workbench.lasso import inside
from workbench.rows import row_text
from workbench.words import count

_MOST = 200  # rows of a table
_COLUMNS = 60


def selected(run):
    """Return the row numbers that are selected, rising, or None.

    Parameters
    ----------
    run : workbench.run.Run
        Rows of another table do not count.
    """
    ids = state.kept("cluster", "selected")
    if ids is None or state.kept("cluster", "selected_of") != run.dataset.source.key:
        return None
    ids = np.intersect1d(ids, run.dataset.row_ids)
    return ids if len(ids) else None


def select(run, ids):
    """Keep row numbers as the selection; None or no number ends it.

    Parameters
    ----------
    run : workbench.run.Run
    ids : array-like of int or None
    """
    none = ids is None or not len(ids)
    state.keep("cluster", "selected", None if none else np.unique(np.asarray(ids, np.int64)))
    state.keep("cluster", "selected_of", run.dataset.source.key)


def taking(run, key, places=None):
    """Return what a picture calls when the reader has selected in it.

    Parameters
    ----------
    run : workbench.run.Run
    key : str
        Of the chart; its points carry row numbers.
    places : callable, optional
        Returns where all rows of the dataset lie in the picture, (n, 2), for a picture that draws
        some of them only: whatever lies within the outline is then selected, drawn or not.

    Returns
    -------
    callable
    """

    def take():
        chosen = st.session_state[key].selection
        outlines = [*map(_corners, chosen.lasso), *map(_box, chosen.box)]
        if places is not None and outlines:
            points = places()
            within = np.any([inside(outline, points) for outline in outlines], axis=0)
            select(run, run.dataset.row_ids[within])
        else:
            select(run, carried(chosen.points))

    return take


def carried(points):
    """Row numbers that selected points carry.

    Parameters
    ----------
    points : sequence of mapping

    Returns
    -------
    list of int
    """
    found = [point.get("customdata") for point in points]
    flat = [value[0] if isinstance(value, list | tuple) else value for value in found if value]
    return [int(value) for value in flat]


def _corners(lasso):
    return np.column_stack([lasso["x"], lasso["y"]])


def _box(box):
    (left, right), (low, high) = box["x"], box["y"]
    return np.array([[left, low], [right, low], [right, high], [left, high]], float)


def cells_of_rows(dataset, rows):
    """Return the table's own cells of some rows, at most 60 columns.

    Parameters
    ----------
    dataset : workbench.dataset.Dataset
    rows : ndarray of int
        Positions in the dataset.

    Returns
    -------
    pandas.DataFrame
    """
    return dataset.source.frame.iloc[dataset.row_ids[rows] - 1, :_COLUMNS]


def selection_panel(run, names):
    """Say which rows are selected, show and offer them, and offer to cluster only these.

    Parameters
    ----------
    run : workbench.run.Run
    names : mapping of int to str
        The reader's own names of clusters.
    """
    ids = selected(run)
    if ids is None:
        _back(run)
        return
    rows = np.searchsorted(run.dataset.row_ids, ids)
    with st.container(border=True):
        st.markdown(f"**{count(len(ids), 'row')} selected**: {_by_cluster(run, rows, names)}.")
        shown = rows[:_MOST]
        frame = cells_of_rows(run.dataset, shown)
        head = pd.DataFrame(
            {
                "row": ids[:_MOST],
                "in": [explore_words.cluster_name(label, names) for label in run.labels[shown]],
            },
            index=frame.index,
        )
        st.dataframe(
            pd.concat([head, frame.rename(columns=lambda n: f"{n} " if n in head else n)], axis=1),
            hide_index=True,
            height=min(38 + 35 * len(shown), 283),
            alt=f"The first {len(shown)} selected rows.",
        )
        if len(ids) > _MOST:
            st.caption(f"The first {_MOST} are shown.")
        with st.container(horizontal=True):
            _offers(run, ids, rows)


def _by_cluster(run, rows, names):
    counts = np.bincount(run.labels[rows][run.labels[rows] >= 0], minlength=len(run.sizes))
    order = np.argsort(-counts, kind="stable")[: (counts > 0).sum()]
    parts = [f"{counts[at]:,} in {explore_words.in_text(int(at), names)}" for at in order[:8]]
    if len(order) > 8:
        parts.append(f"{counts[order[8:]].sum():,} in others")
    return ", ".join(parts)


def _offers(run, ids, rows):
    st.download_button(
        "Download these rows",
        lambda: _csv(run, rows),
        file_name="selected-rows.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
    )
    try:
        text, fault = row_text(ids), ""
    except DataError as error:
        text, fault = "", f"{error} Download them and open that file instead."
    st.button(
        "Cluster only these rows",
        icon=":material/filter_alt:",
        disabled=bool(fault) or len(ids) < 2,
        help=fault or "Sets the rows aside for the next run; Run then clusters them alone.",
        on_click=_only,
        args=(text,),
    )
    st.button("Select none", icon=":material/close:", on_click=_none, args=(run,))
    _back(run)
    if fault:
        st.caption(fault)


def _csv(run, rows):
    frame = run.dataset.source.frame.iloc[run.dataset.row_ids[rows] - 1]
    return labelled_csv(replace(run.dataset.source, frame=frame), run.labels[rows])


def _none(run):
    select(run, None)


def _only(text):
    state.keep("cluster", "selected", None)
    recipe, view, _ = state.read("cluster")
    state.write("cluster", recipe.changed(preparation={"rows": text}), view)


def _back(run):
    """Offer all rows again, where the Recipe of now names some only."""
    named = state.read("cluster").recipe.preparation.rows
    if not named:
        return
    st.button(
        "Back to all rows",
        icon=":material/filter_alt_off:",
        on_click=_only,
        args=("",),
        help="The next run clusters every row of the table again.",
    )


def selection_words(drawn, n, everywhere):
    """Say how rows are selected in a picture.

    Parameters
    ----------
    drawn, n : int
        Rows that are drawn, and all.
    everywhere : bool
        Whether an outline takes rows that are not drawn, too.
    """
    told = (
        "Click a row to select it, or take the lasso and draw around some: every picture shows "
        "them."
    )
    if drawn < n:
        told += (
            " Rows that lie within the outline but are not drawn are selected, too."
            if everywhere
            else " Only rows that are drawn can be selected here."
        )
    return told
