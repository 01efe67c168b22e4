"""From a figure of a paper to the page on which one can play with it."""

import streamlit as st

from ui import history, state, tune_panel
from ui.basin_controls import renew_table
from workbench.sweeps import Plan

_WORDS = {
    "basins": "Play with it on the Basins page",
    "laplacian": "Play with it on the Graph page",
    "tune": "Sweep it on your own data: the Tune page",
    "cluster": "Try it on the Cluster page",
}
_PAGES = {"recall": "basins", "slk": "laplacian"}


def play_button(item):
    """Offer to open the page where one can play with an item, set up for it.

    Parameters
    ----------
    item : workbench.reproduction.item.Item
    """
    page = "tune" if item.sweep else _PAGES.get(item.play.method, "cluster")
    if st.button(_WORDS[page], icon=":material/arrow_forward:", width="stretch", key="papers:play"):
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
