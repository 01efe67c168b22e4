"""Controls of the cluster page: which table, which columns, which settings."""

from pathlib import Path

import streamlit as st

from ui import cached, state
from ui.controls import limits, setting
from workbench.builtin import BUILTIN, CLASSES
from workbench.dataset import DataError
from workbench.intake import read_table
from workbench.methods import METHODS
from workbench.papers import FIGURE_1
from workbench.recipe import Builtin, Upload
from workbench.words import count

_PREFIX = "cluster:"
_SETTINGS = "cluster:setting:"
_TOYS = ("moons", "circles", "blobs", "elongated2", "elongated3", "outliers")
_SOURCES = {"builtin": "Built-in", "file": "Your CSV"}
_SAMPLE = Path(__file__).parents[1] / "assets" / "samples" / "customers.csv"
_NO_LABEL = "— none —"
_LARGEST_SEED = 2**32 - 1
_CLASS = "class"  # the label column of every built-in table


def data_controls(recipe):
    """Show where the rows come from.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe

    Returns
    -------
    table : workbench.dataset.Table or None
        None until a file that the Recipe needs is there.
    recipe : Recipe
    """
    key = _seeded("source", "file" if recipe.data.kind == "upload" else "builtin")
    source = st.segmented_control(
        "Data",
        list(_SOURCES),
        format_func=_SOURCES.__getitem__,
        key=key,
        on_change=_change_source,
        required=True,
    )
    return _file(recipe) if source == "file" else _builtin(recipe)


def _builtin(recipe):
    state.seed(_PREFIX + "name", recipe.data.name)
    name = st.selectbox(
        "Table",
        list(BUILTIN),
        format_func=BUILTIN.__getitem__,
        key=_PREFIX + "name",
        on_change=_change_source,
    )
    seed = 0
    if name in _TOYS:
        state.seed(_PREFIX + "draw", recipe.data.seed)
        seed = st.number_input(
            "Seed of the draw",
            0,
            _LARGEST_SEED,
            key=_PREFIX + "draw",
            value="min",
            help=f"Another number draws other points. {limits(0, _LARGEST_SEED)}",
        )
    recipe = recipe.changed(data=Builtin(name=name, seed=seed))
    return cached.builtin_table(name, seed), recipe


def _file(recipe):
    st.file_uploader(
        "CSV file",
        key=_PREFIX + "file",
        on_change=_receive,
        help="It stays in this session: links and other readers never get it.",
    )
    if state.kept("cluster", "table") is None:
        st.download_button(
            "A sample to try",
            _SAMPLE.read_bytes(),
            file_name=_SAMPLE.name,
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            help="Fictional customers, with gaps, as such files come.",
        )
    fault = state.kept("cluster", "fault")
    if fault:
        st.error(fault)
    table = state.kept("cluster", "table")
    if recipe.data.kind == "upload" and (
        table is None or table.fingerprint != recipe.data.fingerprint
    ):
        st.info("This link was made with a file, which no link contains: choose the same file.")
        return None, recipe
    if table is not None:
        rows, columns = table.frame.shape
        st.caption(f"{table.name}: {count(rows, 'row')}, {count(columns, 'column')}.")
        for repair in table.repairs:
            st.caption(repair)
    return table, recipe


def _receive():
    """Take the bytes of an upload once, and start the Recipe anew for its columns."""
    recipe, view, _ = state.read("cluster")
    file = st.session_state[_PREFIX + "file"]
    state.keep("cluster", "fault", None)
    if file is None:
        return
    try:
        table = read_table(file.getvalue(), file.name)
    except DataError as error:
        state.keep("cluster", "fault", str(error))
        return
    same = recipe.data.kind == "upload" and recipe.data.fingerprint == table.fingerprint
    state.keep("cluster", "table", table)
    if not same:
        _start_anew(Upload(fingerprint=table.fingerprint), None)


def _change_source():
    source = st.session_state[_PREFIX + "source"]
    table = state.kept("cluster", "table")
    if source == "builtin":
        name = st.session_state.get(_PREFIX + "name", "iris")
        _start_anew(Builtin(name=name), _CLASS, {"n_clusters": CLASSES[name]})
    elif table is not None:
        _start_anew(Upload(fingerprint=table.fingerprint), None)


def _start_anew(data, label, settings=None):
    """Point the Recipe at other data; what depends on the columns starts from its defaults."""
    recipe, view, _ = state.read("cluster")
    state.write(
        "cluster",
        recipe.changed(data=data, columns=None, label=label, settings=settings or {}),
        view,
    )
    for name in ("columns", "label", "name", "draw", "k"):
        state.restart_widgets(_PREFIX + name)


def column_controls(recipe, table):
    """Show which columns are features and which one holds reference labels.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    table : workbench.dataset.Table

    Returns
    -------
    Recipe

    Raises
    ------
    DataError
        If no column can be clustered.
    """
    names = list(table.frame.columns)
    label = recipe.label if recipe.label in names else None
    state.seed(_PREFIX + "label", label or _NO_LABEL)
    label = st.selectbox(
        "Reference labels",
        [_NO_LABEL, *names],
        key=_PREFIX + "label",
        on_change=state.restart_widgets,
        args=(_PREFIX + "columns",),
        help="Never used to cluster: only to score and to show.",
    )
    label = None if label == _NO_LABEL else label
    numbers, usual = cached.number_columns(table.fingerprint, table)
    usual = [name for name in usual if name != label]
    chosen = [name for name in (recipe.columns or usual) if name in names and name != label]
    with st.expander(f"Columns: {len(chosen)} of {len(names)}"):
        columns = st.multiselect(
            "Features",
            [name for name in numbers if name != label],
            key=_seeded("columns", chosen),
            help="Columns of numbers; words cannot be clustered.",
        )
    if not numbers:
        raise DataError(f"{table.name} has no column of numbers to cluster.")
    if not columns:
        raise DataError("Choose at least one column of numbers to cluster.")
    return recipe.changed(columns=None if columns == usual else tuple(columns), label=label)


def method_controls(recipe):
    """Show k, the preparation, the seed and, folded away, the method's own settings.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe

    Returns
    -------
    recipe : Recipe
    place : container
        Above the settings: for what starts the run, so that it stays in sight.
    """
    left, right = st.columns(2)
    state.seed(_PREFIX + "k", recipe.settings["n_clusters"])
    state.seed(_PREFIX + "seed", recipe.seed)
    method = METHODS[recipe.method]
    fewest, most = (getattr(method.parameter("n_clusters"), end) for end in ("low", "high"))
    k = left.number_input(
        "k, clusters to find",
        fewest,
        most,
        key=_PREFIX + "k",
        value="min",
        help=f"How many groups to look for; some may stay empty. {limits(fewest, most)}",
    )
    seed = right.number_input(
        "Seed",
        0,
        _LARGEST_SEED,
        key=_PREFIX + "seed",
        value="min",
        help="The same seed gives the same run again; another starts from other memories and "
        f"hides other features. {limits(0, _LARGEST_SEED)}",
    )
    standardise = st.toggle(
        "Standardise the columns",
        key=_seeded("standardise", recipe.standardise),
        help="Mean 0 and deviation 1 each, so that no unit outweighs another.",
    )
    place = st.container()
    with st.expander(f"Settings of {method.name}"):
        if getattr(recipe.data, "name", "").startswith("elongated"):
            st.button(
                "Use Figure 1's settings",
                on_click=_take_figure_1,
                width="stretch",
                help="Small noise, 200 restarts, the pick by the silhouette under the covariance "
                "of the data: what it takes to find long clusters.",
            )
        settings = {
            parameter.name: setting(parameter, recipe.settings[parameter.name], _SETTINGS)
            for parameter in method.parameters
            if parameter.name != "n_clusters"
        }
    recipe = recipe.changed(
        settings={**settings, "n_clusters": k}, seed=seed, standardise=standardise
    )
    return recipe, place


def _take_figure_1():
    recipe, view, _ = state.read("cluster")
    state.write("cluster", recipe.changed(settings=FIGURE_1), view)
    state.restart_widgets(_SETTINGS)


def _seeded(name, value):
    key = _PREFIX + name
    state.seed(key, value)
    return key
