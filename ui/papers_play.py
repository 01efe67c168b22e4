"""From a figure of a paper to the page on which one can play with it."""

import streamlit as st

from ui import history, state, tune_panel
from ui.basin_controls import renew_table
from workbench.sweeps import Plan

_WORDS = {
    "basins": "Open in Basins",
    "laplacian": "Open in Graph",
    "tune": "Open in Tune",
    "cluster": "Open in Cluster",
}
_PAGES = {"recall": "basins", "slk": "laplacian"}


def play_button(item):
    """Offer to open the page where one can play with an item, set up for it.

    Parameters
    ----------
    item : workbench.reproduction.item.Item
    """
    page = "tune" if item.sweep else _PAGES.get(item.play.method, "cluster")
    if st.button(
        _WORDS[page], icon=":material/arrow_forward:", width="stretch", key="papers:play",
        help="That page, set up as here, to be changed by hand.",
    ):  # fmt: skip
        _set_up(page, item)
        st.switch_page(f"pages/{page}.py")


def _set_up(page, item):
    if page == "cluster":
        history.to_cluster(item.play)
        return
    if page == "tune":
        tune_panel.to_tune(item.play, Plan(item.sweep))
        return
    _, view, _ = state.read(page)
    state.restart_widgets(f"{page}:")
    if page == "basins":
        state.restart_widgets("canvas:")
        renew_table()
        view = view.changed(particle=None)
    state.write(page, item.play, view)
