"""The glossary on the screen: all of it with a filter, and a page's own words at its foot."""

from itertools import groupby

import streamlit as st

from ui import state
from ui.navigation import PAGES, link_to
from workbench.glossary import entries, of_page

_FIND = "glossary:find"


def glossary():
    """Show the entries that mention what the reader looks for."""
    state.seed(_FIND, st.query_params.get("find", ""))
    wanted = st.text_input("Find a word or symbol", key=_FIND, placeholder="basin, β, silhouette …")
    found = [entry for entry in entries() if entry.mentions(wanted)]
    total = f"{len(entries())} entries"
    st.caption(
        f"{total}." if not wanted else f"{len(found)} of {total} mention “{wanted.strip()}”."
    )
    for part, members in groupby(found, key=lambda entry: entry.part):
        st.header(part)
        own = list(members)
        half = (len(own) + 1) // 2
        for place, some in zip(st.columns(2, gap="medium"), (own[:half], own[half:]), strict=True):
            with place:
                for entry in some:
                    _show(entry)


def _show(entry):
    with st.container(border=True, gap="small"):
        st.subheader(entry.word)
        st.markdown(_sentence(entry))
        if entry.tex:
            st.markdown(f"$$\n{entry.tex}\n$$")
            st.caption(entry.reading)
        if entry.pages:
            titles = {name: title for group in PAGES.values() for name, (title, _) in group.items()}
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.caption("See it:", width="content")
                for name in entry.pages:
                    link_to(name, titles[name])


def words_of_page(name):
    """Offer a page's own words, each with its sentence; nothing where it has none.

    Parameters
    ----------
    name : str
        Of the page's file.
    """
    own = of_page(name)
    if own:
        with st.popover("Words on this page", icon=":material/dictionary:", type="tertiary"):
            st.markdown("\n\n".join(f"**{entry.word}**: {_sentence(entry)}" for entry in own))
            link_to("glossary", "All words", "dictionary")


def _sentence(entry):
    symbols = ", ".join(f"${symbol}$" for symbol in entry.symbols)
    return f"{symbols}: {entry.says}" if symbols else entry.says
