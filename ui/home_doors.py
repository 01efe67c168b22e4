"""The doors of the front page: each page of the app with one plain line."""

import streamlit as st

from ui.navigation import PAGES, link_to

INTENTS = {
    "Learn": "See why it works, by touching it.",
    "Explore": "Put it to work on your own table.",
    "Compare": "Which method, and how surely.",
}
LINES = {
    "lessons": "eight ideas, one picture each",
    "basins": "slide β, drag memories, drop a particle",
    "energy": "the same basins as hills and valleys",
    "evolution": "memories learn, epoch by epoch",
    "completion": "hidden values filled by recall",
    "glossary": "every word and symbol, said plainly",
    "cluster": "your table in, labelled rows out",
    "laplacian": "modes, neighbours and λ",
    "figure": "basins as a picture to take away",
    "runs": "all that this browser has computed",
    "compare": "methods race on the same rows",
    "tune": "what each setting of ClAM changes",
    "papers": "published numbers beside our own",
}
"""Name of the page's file -> what is behind it."""


def doors():
    """Show one door for each group of the menu, with its pages."""
    groups = [group for group in PAGES if group]
    for group, place in zip(groups, st.columns(len(groups), gap="medium"), strict=True):
        with place.container(
            border=True, height="stretch", gap="small", key=f"door-{group.lower()}"
        ):
            st.header(group, anchor=False)
            st.caption(INTENTS[group])
            with st.container(gap=None):
                for name, (title, icon) in PAGES[group].items():
                    link_to(name, f"**{title}** {LINES[name]}", icon)
