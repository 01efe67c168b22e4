"""Links from before there was a front page: Home sends each to the page that it is of."""

import streamlit as st

from ui import state
from workbench.dataset import DataError
from workbench.recipe import from_link

_PAGES = {"recall": "basins", "slk": "laplacian", "clam": "cluster", "kmeans": "cluster"}


def forward():
    """Open the page of a link that came to the front page, with all that the link says.

    Once for each link: going back from there shows Home.
    """
    asked = st.query_params.to_dict()
    page = page_of(asked)
    if page is None or asked == state.kept("home", "forwarded"):
        return
    state.keep("home", "forwarded", asked)
    st.switch_page(f"pages/{page}.py", query_params=asked)


def page_of(asked):
    """Return the page that a link's parameters belong to.

    Parameters
    ----------
    asked : mapping of str to str

    Returns
    -------
    str or None
        None where they name no picture. A link that cannot be read belongs to Basins, as it
        always did: there it is said why.
    """
    if state.RACE in asked:
        return "compare"
    if state.ITEM in asked:
        return "papers"
    if state.LINK not in asked:
        return None
    try:
        recipe, _ = from_link(asked[state.LINK])
    except DataError:
        return "basins"
    return _PAGES.get(recipe.method, "cluster")
