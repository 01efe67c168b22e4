"""Which table and which columns: the same controls on every page that clusters rows."""

from pathlib import Path

import streamlit as st

from ui import cached, state
from ui.controls import limits
from workbench.builtin import BUILTIN, CLASSES
from workbench.dataset import DataError
from workbench.intake import read_table
from workbench.preparation import Preparation
from workbench.reading import Reading
from workbench.recipe import Builtin, Upload
from workbench.words import count

_TOYS = ("moons", "circles", "spirals", "blobs", "elongated2", "elongated3", "outliers")
_SOURCES = {"builtin": "Built-in", "file": "Your CSV"}
_SAMPLE = Path(__file__).parents[1] / "assets" / "samples" / "customers.csv"
_LARGEST_SEED = 2**32 - 1


def data_controls(recipe, page):
    """Show where the rows come from.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    page : str

    Returns
    -------
    table : workbench.dataset.Table or None
        None until a file that the Recipe needs is there.
    recipe : Recipe
    """
    key = state.seed(f"{page}:source", "file" if recipe.data.kind == "upload" else "builtin")
    source = st.segmented_control(
        "Data",
        list(_SOURCES),
        format_func=_SOURCES.__getitem__,
        key=key,
        on_change=_change_source,
        args=(page,),
        required=True,
    )
    return _file(recipe, page) if source == "file" else _builtin(recipe, page)


def _builtin(recipe, page):
    state.seed(f"{page}:name", recipe.data.name)
    name = st.selectbox(
        "Table",
        list(BUILTIN),
        format_func=BUILTIN.__getitem__,
        key=f"{page}:name",
        on_change=_change_source,
        args=(page,),
    )
    seed = 0
    if name in _TOYS:
        state.seed(f"{page}:draw", recipe.data.seed)
        seed = st.number_input(
            "Seed of the draw",
            0,
            _LARGEST_SEED,
            key=f"{page}:draw",
            value="min",
            help=f"Another number draws other points. {limits(0, _LARGEST_SEED)}",
        )
    recipe = recipe.changed(data=Builtin(name=name, seed=seed))
    return cached.builtin_table(name, seed), recipe


def _file(recipe, page):
    st.file_uploader(
        "CSV file",
        key=f"{page}:file",
        on_change=_receive,
        args=(page,),
        help="It stays in this session: links and other readers never get it.",
    )
    if state.kept(state.UPLOAD, "table") is None:
        st.download_button(
            "A sample to try",
            _SAMPLE.read_bytes(),
            file_name=_SAMPLE.name,
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            help="Fictional customers, with gaps, as such files come.",
        )
    fault = state.kept(state.UPLOAD, "fault")
    if fault:
        st.error(fault)
    table = state.kept(state.UPLOAD, "table")
    if recipe.data.kind == "upload" and (
        table is None or table.fingerprint != recipe.data.fingerprint
    ):
        st.info("This link was made with a file, which no link contains: choose the same file.")
        return None, recipe
    if table is not None:
        rows, columns = table.frame.shape
        st.caption(f"{table.name}: {count(rows, 'row')}, {count(columns, 'column')}.")
        for repair in table.repairs:
            st.caption(repair.sentence)
    return table, recipe


def _receive(page):
    """Take the bytes of an upload once, and start the Recipe anew for its columns."""
    recipe, view, _ = state.read(page)
    file = st.session_state[f"{page}:file"]
    state.keep(state.UPLOAD, "fault", None)
    if file is None:
        return
    try:
        table = read_table(file.getvalue(), file.name)
    except DataError as error:
        state.keep(state.UPLOAD, "fault", str(error))
        return
    same = recipe.data.kind == "upload" and recipe.data.fingerprint == table.fingerprint
    state.keep(state.UPLOAD, "table", table)
    if not same:
        _start_on_file(page, table)


def _change_source(page):
    source = st.session_state[f"{page}:source"]
    table = state.kept(state.UPLOAD, "table")
    if source == "builtin":
        name = st.session_state.get(f"{page}:name", "iris")
        _start_anew(page, Builtin(name=name), {"n_clusters": CLASSES[name]})
    elif table is not None:
        _start_on_file(page, table)


def _start_on_file(page, table):
    """Start the Recipe anew for a file, with no more clusters than it has rows."""
    k = state.read(page).recipe.settings["n_clusters"]
    data = Upload(fingerprint=table.fingerprint)
    _start_anew(page, data, {"n_clusters": min(k, len(table.frame))})


def _start_anew(page, data, settings=None):
    """Point the Recipe at other data; what depends on the columns starts from its defaults."""
    recipe, view, _ = state.read(page)
    state.write(
        page,
        recipe.changed(
            data=data, reading=Reading(), preparation=Preparation(), settings=settings or {}
        ),
        view,
    )
    for name in ("columns", "name", "draw", "k"):
        state.restart_widgets(f"{page}:{name}")
