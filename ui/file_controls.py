"""A file of the reader's own: which is in use, how it was read, and what of that to change."""

from pathlib import Path

import streamlit as st

from ui import cached, state
from ui.reading_controls import reading_controls, repairs_list
from workbench.preparation import Preparation
from workbench.reading import Reading
from workbench.recipe import Upload
from workbench.table import DataError, fingerprint
from workbench.words import count

_SAMPLE = Path(__file__).parents[1] / "assets" / "samples" / "customers.csv"
_SHOWN = 200  # rows that were left out


def file_controls(recipe, page):
    """Show the uploader, the file in use, what was guessed or repaired, and what was left out.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    page : str

    Returns
    -------
    table : workbench.table.Table or None
        None until a file that the Recipe needs is there, and where it cannot be read as told.
    recipe : workbench.recipe.Recipe
    """
    st.file_uploader(
        "A file with a table",
        key=_uploader(page),
        on_change=_receive,
        args=(page,),
        help="CSV and other delimited text, Excel, Parquet or JSON, also as .gz or .zip. It stays "
        "in this session: links and other readers never get it.",
    )
    held = state.kept(state.UPLOAD, "table")
    if held is None:
        _offer_sample()
    fault = state.kept(state.UPLOAD, "fault")
    if fault:
        st.error(fault)
    if recipe.data.kind == "upload" and state.own_table(recipe.data)[0] is None:
        st.info("This link was made with a file, which no link contains: choose the same file.")
    if held is None or held.fingerprint != getattr(recipe.data, "fingerprint", None):
        return None, recipe
    try:
        table = _as_told(held, recipe.reading)
    except DataError as error:
        _in_use(held.name, page)
        st.error(str(error))
        repairs_list(recipe, None, page)
        reading_controls(recipe, None, page)
        return None, recipe
    rows, columns = table.frame.shape
    _in_use(f"{table.name}: {count(rows, 'row')}, {count(columns, 'column')}.", page)
    repairs_list(recipe, table, page)
    _left_out(table, page)
    reading_controls(recipe, table, page)
    return table, recipe.changed(preparation=of_columns(recipe.preparation, table))


def _as_told(held, reading):
    """Return the table of the file that is held, read as the Recipe says."""
    if held.reading == reading:
        return held
    payload = state.kept(state.UPLOAD, "payload")
    table = cached.file_table(held.name, payload, held.fingerprint, reading)
    state.keep(state.UPLOAD, "table", table)
    return table


def _offer_sample():
    st.download_button(
        "A sample to try",
        _SAMPLE.read_bytes(),
        file_name=_SAMPLE.name,
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
        help="Fictional customers, with gaps, as such files come.",
    )


def _in_use(sentence, page):
    """Say which file is in use: the uploader looks empty after a visit to another page."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(sentence, width="stretch")
        st.button(
            "Remove",
            key=f"{page}:remove",
            type="tertiary",
            icon=":material/close:",
            on_click=_remove,
            args=(page,),
            help="Forget this file and what was set for it.",
        )


def _left_out(table, page):
    """Show the rows that are not in the table, and let them be taken away."""
    rejected = table.rejected
    if not len(rejected):
        return
    with st.expander(f"{count(len(rejected), 'row')} left out"):
        if len(rejected) > _SHOWN:
            st.caption(f"The first {_SHOWN} of {len(rejected):,}; the download has all.")
        st.dataframe(
            rejected.head(_SHOWN)[["line", "text", "reason"]],
            hide_index=True,
            key=f"{page}:rejected",
            column_config={
                "line": st.column_config.NumberColumn(width=50),
                "text": st.column_config.TextColumn(width="large"),
            },
        )
        st.download_button(
            "Download them",
            rejected.to_csv(index=False).encode(),
            file_name=f"{Path(table.name).stem}-left-out.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key=f"{page}:rejected:download",
        )


def of_columns(preparation, table):
    """Drop what was set for columns that this table does not have."""
    names = set(table.frame.columns)
    features = tuple(name for name in preparation.features or () if name in names)
    kept = {
        "roles": {name: role for name, role in preparation.roles.items() if name in names},
        "weights": {name: w for name, w in preparation.weights.items() if name in names},
        "log": tuple(name for name in preparation.log if name in names),
        "features": features or None,
    }
    return Preparation(**{**preparation.model_dump(), **kept})


def _uploader(page):
    """Key of the uploader: another one after each removal, since only so it empties."""
    return f"{page}:file:{state.kept(state.UPLOAD, 'turn', 0)}"


def _receive(page):
    """Take the bytes of an upload once, and start the Recipe anew for its columns."""
    recipe = state.read(page).recipe
    upload = st.session_state[_uploader(page)]
    state.keep(state.UPLOAD, "fault", None)
    if upload is None:  # its cross was clicked, or another file is on its way: Remove forgets
        return
    payload = upload.getvalue()
    mark = fingerprint(payload)
    same = recipe.data.kind == "upload" and recipe.data.fingerprint == mark
    reading = recipe.reading if same else Reading()
    try:
        table = cached.file_table(upload.name, payload, mark, reading)
    except DataError as error:
        state.keep(state.UPLOAD, "fault", str(error))
        return
    state.keep(state.UPLOAD, "payload", payload)
    state.keep(state.UPLOAD, "table", table)
    if not same:
        start_on_table(page, table)


def _remove(page):
    """Forget the file, for every page of this session."""
    for name in ("payload", "table", "fault"):
        state.keep(state.UPLOAD, name, None)
    recipe, _ = state.defaults(page)
    start_anew(page, recipe.data, dict(recipe.settings))
    state.keep(state.UPLOAD, "turn", state.kept(state.UPLOAD, "turn", 0) + 1)


def start_on_table(page, table, k=None):
    """Start the Recipe anew for a file, with no more clusters than it has rows.

    Parameters
    ----------
    page : str
    table : workbench.dataset.Table
    k : int, optional
        Clusters to begin with; as many as there are where none is given.
    """
    k = k or state.read(page).recipe.settings["n_clusters"]
    data = Upload(fingerprint=table.fingerprint)
    start_anew(page, data, {"n_clusters": min(k, len(table.frame))})


def start_anew(page, data, settings=None):
    """Point the Recipe at other data; what depends on the columns starts from its defaults.

    Parameters
    ----------
    page : str
    data : workbench.recipe.Builtin or workbench.recipe.Upload
    settings : dict, optional
        Settings of the method that belong to the data.
    """
    recipe, view, _ = state.read(page)
    state.write(
        page,
        recipe.changed(
            data=data, reading=Reading(), preparation=Preparation(), settings=settings or {}
        ),
        view,
    )
    for name in ("columns", "name", "draw", "k", "reading"):
        state.restart_widgets(f"{page}:{name}")
