"""Controls of the evolution page: which methods, how many prototypes, the first one's settings."""

import streamlit as st

from ui import state
from ui.controls import limits, setting
from workbench.evolution import KINDS, MOST_CLUSTERS
from workbench.methods import METHODS

_PREFIX = "evolution:"
_METHODS = _PREFIX + "methods"
_SETTINGS = _PREFIX + "setting:"
_LARGEST_SEED = 2**32 - 1
# There is one start, and no choice of the program that computes.
_LEFT_OUT = {"n_clusters", "n_init", "selection", "engine", "algorithm"}


def method_controls(recipe, view):
    """Show the methods, k, the seed and, folded away, the settings of the first method.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of the first method.
    view : workbench.recipe.View
        Which ones are seen beside it.

    Returns
    -------
    recipe : Recipe
    place : container
        Above the settings: for what starts the training.
    """
    st.pills(
        "Methods, from the same start",
        list(KINDS),
        selection_mode="multi",
        format_func=lambda key: METHODS[key].name,
        key=state.seed(_METHODS, [recipe.method, *view.beside]),
        on_change=_choose,
        help="Several are trained one after the other and shown side by side: each begins with its "
        "prototypes in the same places.",
    )
    left, right = st.columns(2)
    key = state.seed_within(_PREFIX + "k", recipe.settings["n_clusters"], 1, MOST_CLUSTERS)
    k = left.number_input(
        "k, clusters to find", 1, MOST_CLUSTERS, key=key,
        help=f"How many prototypes there are. {limits(1, MOST_CLUSTERS)}",
    )  # fmt: skip
    seed = right.number_input(
        "Seed",
        0,
        _LARGEST_SEED,
        key=state.seed(_PREFIX + "seed", recipe.seed),
        value="min",
        help=f"Another one starts elsewhere. {limits(0, _LARGEST_SEED)}",
    )
    place = st.container()
    method = METHODS[recipe.method]
    with st.expander(f"Settings of {method.name}"):
        settings = {
            parameter.name: setting(parameter, recipe.settings[parameter.name], _SETTINGS)
            for parameter in method.parameters
            if parameter.name not in _LEFT_OUT
        }
    return recipe.changed(settings={**settings, "n_clusters": k}, seed=seed), place


def _choose():
    """Make the first of the chosen methods the Recipe's; with none chosen all stays."""
    recipe, view, _ = state.read("evolution")
    chosen = [key for key in KINDS if key in st.session_state[_METHODS]]
    if not chosen:
        st.session_state[_METHODS] = [recipe.method, *view.beside]
        return
    first, *beside = chosen
    if first != recipe.method:
        settings = {"n_clusters": recipe.settings["n_clusters"]}
        recipe = recipe.changed(method=first, settings=settings)
        state.restart_widgets(_SETTINGS)
    state.write("evolution", recipe, view.changed(beside=tuple(beside)))


def recipes_of(recipe, view):
    """Return the Recipes that are trained: the page's, then those of the methods beside it.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
    view : workbench.recipe.View

    Returns
    -------
    tuple of Recipe
        The others have their method's own defaults.
    """
    settings = {"n_clusters": recipe.settings["n_clusters"]}
    others = (method for method in view.beside if method != recipe.method)
    return (recipe, *(recipe.changed(method=each, settings=settings) for each in others))
