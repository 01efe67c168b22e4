"""Widgets that more than one page shows: a setting of a method, the link, the theme."""

from pathlib import Path

import streamlit as st

from ui import lecture, state
from workbench.words import plain

_KEEP_ZOOM = Path(__file__).with_name("keep_zoom.js").read_text(encoding="utf-8")

CHART = {"displaylogo": False, "scrollZoom": True}
"""How Plotly treats a figure."""
SELECTABLE_CHART = CHART | {
    "displayModeBar": True,
    "doubleClick": False,  # it would take the marks away and leave the rows selected
    "modeBarButtonsToRemove": ["zoom2d", "zoomIn2d", "zoomOut2d", "autoScale2d"],
}
"""How it treats a picture in which rows are selected: its lasso is in sight."""
BASINS_CHART = CHART | {
    "doubleClick": "reset",
    "modeBarButtonsToRemove": ["autoScale2d"],
    "toImageButtonOptions": {"filename": "basins", "scale": 2},
}
"""How it treats the picture of basins."""


def is_dark():
    """Whether the reader's page is dark; light where the browser has not said yet."""
    return st.context.theme.type == "dark"


def remembered(page):
    """Return a page's Recipe and View, and say first why a link was put aside, if one was.

    The box stands there empty otherwise, so that what follows keeps its place.
    """
    recipe, view, note = state.read(page)
    with st.container():
        if note:
            st.warning(note)
    return recipe, view


def square(key):
    """Return a container for a picture of the plane, about as high as wide on any screen.

    It keeps the reader's zoom from one picture to the next.

    Parameters
    ----------
    key : str
        Its name in the page's HTML.
    """
    style = f".st-key-{key} {{aspect-ratio: 1 / 1.08; max-height: min(88vh, 60rem);}}"
    st.html(f"<style>{style}</style><script>{_KEEP_ZOOM}</script>", unsafe_allow_javascript=True)
    return st.container(key=key)


def scrolled(key, width):
    """Return a container that is never narrower than its content needs: it scrolls instead.

    Parameters
    ----------
    key : str
        Its name in the page's HTML.
    width : int
        In pixels.
    """
    st.html(
        f"<style>.st-key-{key} {{overflow-x: auto;}} "
        f".st-key-{key} > div {{min-width: {width}px;}}</style>"
    )
    return st.container(key=key)


def setting(parameter, value, prefix):
    """Show the widget that fits one parameter of a method and return its value.

    Parameters
    ----------
    parameter : workbench.methods.Parameter
    value : float, int, str or bool
        What the Recipe says.
    prefix : str
        Beginning of the widget's key.

    Returns
    -------
    float, int, str or bool
        A word such as "auto" where the parameter allows it and the reader leaves the field empty.
    """
    key, label = f"{prefix}{parameter.name}", label_of(parameter.name)
    if parameter.kind == "choice":
        state.seed(key, value)
        return st.selectbox(label, parameter.choices, key=key, help=parameter.help)
    if parameter.kind == "bool":
        state.seed(key, value)
        return st.toggle(label, key=key, help=parameter.help)
    return _number(parameter, value, key, label)


def _number(parameter, value, key, label):
    kind = int if parameter.kind == "int" else float
    word = parameter.special[0] if parameter.special else None
    told = limits(parameter.low, parameter.high, empty=word)
    state.seed(key, None if value in parameter.special else kind(value))
    number = st.number_input(
        label,
        min_value=kind(parameter.low),
        max_value=kind(parameter.high),
        step=1 if kind is int else None,
        format=None if kind is int else "%.5g",
        key=key,
        placeholder=word,
        help=f"{parameter.help} {told}",
        value=None if word else "min",
    )
    return word if number is None else number


def limits(low, high, empty=None):
    """Say what a field of numbers takes, since one that refuses a number does not say why.

    Parameters
    ----------
    low, high : float or int
    empty : str, optional
        What an empty field stands for.

    Returns
    -------
    str
    """
    allowed = f"from {plain(low)} to {plain(high)}"
    return f"Empty for {empty}, or {allowed}." if empty else f"{allowed.capitalize()}."


LABELS = {
    "beta": "β, inverse temperature (1/length²)",
    "n_steps": "T, steps of recall",
    "step_size": "Step size",
    "energy": "Energy",
    "loss": "Loss",
    "corruption": "What recall completes",
    "mask_rate": "Share of features hidden",
    "mask_value": "Hidden features start at",
    "noise_scale": "Noise",
    "init": "Starts from",
    "max_iter": "Most iterations",
    "n_init": "Restarts",
    "n_epochs": "Epochs",
    "batch_size": "Batch size",
    "learning_rate": "Learning rate",
    "schedule": "Learning rate falls",
    "n_neighbors": "Neighbours of each row",
    "coupling": "λ in units of c(k)",
    "modes": "Modes found by",
    "affinity_kind": "Neighbours count",
    "balance": "Balance",
    "n_clusters": "k, clusters to find",
    "selection": "Start kept by",
    "update_interval": "Steps between targets",
    "tol": "Ends where fewer change than",
    "n_embedded": "Numbers of the embedding",
    "siamese": "Distances are learned",
    "n_hidden": "Units of a hidden layer",
    "engine": "Engine",
    "algorithm": "Algorithm",
    "sigma": "σ, width of the kernel",
    "covariance_type": "Shape of the groups",
    "reg_covar": "Least variance",
    "affinity": "Graph",
    "gamma": "γ",  # of a Gaussian graph, and of a deep method's loss: the help says which
    "linkage": "Nearest clusters by",
    "metric": "Distance",
    "connectivity": "What may merge",
    "eps": "ε, radius of a neighbourhood",
    "min_samples": "Rows in a neighbourhood",
    "min_cluster_size": "Smallest cluster",
    "cluster_selection": "Clusters kept",
    "bandwidth": "Bandwidth",
}


def label_of(name):
    """Return what a setting is called on the screen: by default its own name, in words."""
    return LABELS[name] if name in LABELS else name.replace("_", " ").capitalize()


def share(page, shown_on=None):
    """Show the link that restores this page's picture, and what its own link has hidden.

    Parameters
    ----------
    page : str
        Whose Recipe and View.
    shown_on : str, optional
        Name of the page's file, where another one shows them.
    """
    shown_on = shown_on or page
    with (
        st.container(key=f"share-{shown_on}", width="content"),
        st.popover("Share", icon=":material/link:"),
    ):
        st.caption(shared_words(page))
        hiding = lecture.choose_hidden(shown_on)
        st.code(state.shared_link(page, hiding), language=None, wrap_lines=True)
    lecture.notice(shown_on)


def shared_words(page):
    """Say what the link of a page restores, and what it leaves to whoever opens it."""
    words = _restored(page)
    if state.is_painted(state.read(page).recipe.data):
        return (
            f"{words} The points that you painted are not in it: send their CSV along, to be "
            "chosen as a file."
        )
    if page == "basins" and state.kept("basins", "own points") is not None:
        return f"{words} Points of your own are not in it."
    return words


def _restored(page):
    if page == "laplacian":
        return (
            "This address restores the choice of data, all settings and with them the picture; a "
            "file of your own must be chosen again by whoever opens it."
        )
    if page == "tune":
        return (
            "This address restores the choice of data and all settings that stay; what is varied "
            "is chosen again by whoever opens it, and so is a file of your own."
        )
    if page == "compare":
        return (
            "This address restores the choice of data, methods and all settings; the race is run "
            "again by whoever opens it, and a file of your own must be chosen again."
        )
    if page == "evolution":
        return (
            "This address trains the same again and opens at the step that is shown; a file of "
            "your own must be chosen again by whoever opens it."
        )
    if page != "cluster":
        return "This address restores what you see: memories, settings and view."
    recipe = state.read(page).recipe
    again = "Run then gives the same result again."
    if recipe.data.kind != "upload":
        return f"This address restores the choice of data and all settings. {again}"
    if state.is_painted(recipe.data):
        return f"This address restores all settings. {again}"
    table, _ = state.own_table(recipe.data)
    name = table.name if table is not None else "the file"
    return (
        f"This address restores all settings. It does not hold {name}: whoever opens it must "
        f"choose that file again. {again}"
    )
