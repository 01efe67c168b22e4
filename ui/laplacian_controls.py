"""Controls of the Laplacian page: k, lambda, the graph and how modes are found."""

import streamlit as st

from ui import state
from ui.controls import limits, setting
from workbench.methods import METHODS

_PREFIX = "laplacian:"
_SETTINGS = "laplacian:setting:"
_FOLDED = ("modes", "affinity_kind", "balance", "n_init", "selection")
_LARGEST_SEED = 2**32 - 1
_NEIGHBOURS = (2, 50)


def graph_controls(recipe, n_rows):
    """Show what moves the picture most, and folded away the rest.

    Parameters
    ----------
    recipe : workbench.recipe.Recipe
        Of the method "slk".
    n_rows : int
        Rows of the table: none has more neighbours than there are others.

    Returns
    -------
    Recipe
    """
    method = METHODS["slk"]
    coupling = st.slider(
        "λ, weight of the graph, in units of c(k)",
        0.0,
        3.0,
        step=0.05,
        key=state.seed(_PREFIX + "coupling", min(3.0, recipe.settings["coupling"])),
        help="0: prototypes alone (K-modes). 1: the coupling at which neighbours begin to decide "
        "together. Far above it, groups that touch merge.",
    )
    fewest, most = _NEIGHBOURS[0], min(_NEIGHBOURS[1], max(n_rows - 1, _NEIGHBOURS[0] + 1))
    neighbours = st.slider(
        "Neighbours of each row",
        fewest,
        most,
        key=state.seed_within(
            _PREFIX + "n_neighbors", recipe.settings["n_neighbors"], fewest, most
        ),
        help=method.parameter("n_neighbors").help,
    )
    left, right = st.columns(2)
    with left:
        clusters = setting(
            method.parameter("n_clusters"), recipe.settings["n_clusters"], _PREFIX + "k:"
        )
    state.seed(_PREFIX + "seed", recipe.seed)
    seed = right.number_input(
        "Seed", 0, _LARGEST_SEED, key=_PREFIX + "seed", value="min",
        help=f"Of the starts. {limits(0, _LARGEST_SEED)}",
    )  # fmt: skip
    with st.expander("More settings of SLK"):
        folded = {
            name: setting(method.parameter(name), recipe.settings[name], _SETTINGS)
            for name in _FOLDED
        }
    settings = {"coupling": coupling, "n_neighbors": neighbours, "n_clusters": clusters, **folded}
    return recipe.changed(settings=settings, seed=seed)
