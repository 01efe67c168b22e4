"""Controls of the cluster page: k, preparation, seed and the method's settings."""

import streamlit as st

from ui import lecture, state
from ui.controls import limits, setting
from workbench.methods import METHODS
from workbench.papers import FIGURE_1

_PREFIX = "cluster:"
_SETTINGS = "cluster:setting:"
_METHODS = ("clam", "kmeans", "slk")
_LARGEST_SEED = 2**32 - 1


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
    with lecture.group("cluster", "method"):
        st.segmented_control(
            "Method",
            _METHODS,
            format_func=lambda key: METHODS[key].name,
            key=state.seed(_PREFIX + "method", recipe.method),
            on_change=_change_method,
            required=True,
            wrap=True,
            help="ClAM learns memories whose basins are the clusters; k-means finds centres of "
            "round clusters; SLK follows a graph of neighbours, for clusters of any shape.",
        )
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
    place = st.container()
    with (
        lecture.group("cluster", "method", "settings"),
        st.expander(f"Settings of {method.name}"),
    ):
        if recipe.method == "clam" and getattr(recipe.data, "name", "").startswith("elongated"):
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
    recipe = recipe.changed(settings={**settings, "n_clusters": k}, seed=seed)
    return recipe, place


def _change_method():
    recipe, view, _ = state.read("cluster")
    k = recipe.settings["n_clusters"]
    method = st.session_state[_PREFIX + "method"]
    state.write("cluster", recipe.changed(method=method, settings={"n_clusters": k}), view)
    state.restart_widgets(_SETTINGS)


def _take_figure_1():
    recipe, view, _ = state.read("cluster")
    state.write("cluster", recipe.changed(settings=FIGURE_1), view)
    state.restart_widgets(_SETTINGS)
