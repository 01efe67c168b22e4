"""From a figure of a paper to the page on which one can play with it."""

import streamlit as st

from ui import state
from ui.basin_controls import renew_table

_PAGES = {
    "recall": ("basins", "pages/basins.py", "Play with it on the Basins page"),
    "slk": ("laplacian", "pages/laplacian.py", "Play with it on the Graph page"),
}
_CLUSTER = ("cluster", "pages/cluster.py", "Try it on the Cluster page")


def play_button(item):
    """Offer to open the page where one can play with an item, set up for it.

    Parameters
    ----------
    item : workbench.reproduction.item.Item
    """
    page, script, words = _PAGES.get(item.play.method, _CLUSTER)
    if not st.button(words, icon=":material/arrow_forward:", width="stretch", key="papers:play"):
        return
    _, view, _ = state.read(page)
    state.restart_widgets(f"{page}:")
    if page == "basins":
        state.restart_widgets("canvas:")
        renew_table()
        view = view.changed(particle=None)
    if page == "cluster":
        state.keep("cluster", "job", None)
        state.keep("cluster", "run", None)
    state.write(page, item.play, view)
    st.switch_page(script)
