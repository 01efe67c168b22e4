"""The rooms of the app: which pages there are, what they are called and how they are grouped."""

import streamlit as st
from streamlit.errors import StreamlitPageNotFoundError

PAGES = {
    "": {"home": ("Home", "home")},
    "Learn": {
        "lessons": ("Lessons", "school"),
        "basins": ("Basins", "landscape"),
        "energy": ("Energy", "3d_rotation"),
        "evolution": ("Evolution", "timeline"),
        "completion": ("Completion", "grid_view"),
        "glossary": ("Glossary", "dictionary"),
    },
    "Explore": {
        "cluster": ("Cluster", "scatter_plot"),
        "laplacian": ("Graph", "hub"),
        "figure": ("Figure", "image"),
        "runs": ("Runs", "history"),
    },
    "Compare": {
        "compare": ("Compare", "balance"),
        "tune": ("Tune", "tune"),
        "papers": ("Papers", "menu_book"),
    },
}
"""Group -> name of the page's file -> its title and its icon. The first page opens first."""


def title_of(name):
    """Return the title of a page, by the name of its file."""
    return next(pages[name][0] for pages in PAGES.values() if name in pages)


def navigation():
    """Lay out the menu.

    Returns
    -------
    streamlit.navigation.page.StreamlitPage
        The page that was chosen, to be run.
    """
    first = next(iter(next(iter(PAGES.values()))))
    return st.navigation(
        {
            group: [
                st.Page(
                    f"pages/{name}.py",
                    title=title,
                    icon=f":material/{icon}:",
                    default=name == first,
                )
                for name, (title, icon) in pages.items()
            ]
            for group, pages in PAGES.items()
        },
        position="top",
    )


def link_to(name, label, icon=None):
    """Show a link to a page; its words alone where that page is not served, as in a test of one.

    Parameters
    ----------
    name : str
        Of the page's file.
    label : str
    icon : str, optional
        As in `PAGES`.
    """
    try:
        st.page_link(f"pages/{name}.py", label=label, icon=icon and f":material/{icon}:")
    except StreamlitPageNotFoundError:
        st.markdown(label)
