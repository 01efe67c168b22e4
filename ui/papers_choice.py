"""Which figure or table, and on what data it is run."""

import streamlit as st

from ui import cached, state
from workbench import reference_sets
from workbench.method import RULES
from workbench.reproduction.item import Asked
from workbench.reproduction.items import ITEMS, PAPERS, of_paper

_PREFIX = "papers:"
_LARGE = ("FMNIST",)  # minutes, not seconds: never the first choice


def chosen_item():
    """Show the choice of paper and item, and return the Item."""
    key = state.read_item(ITEMS)
    papers = list(PAPERS)
    paper = st.segmented_control(
        "Paper", papers, key=state.seed(f"{_PREFIX}paper", ITEMS[key].paper), required=True,
        help=" ".join(f"{told}." for told in PAPERS.values()),
    )  # fmt: skip
    if ITEMS[key].paper != paper:
        key = of_paper(paper)[0]
    key = st.selectbox(
        "Figure or table", of_paper(paper), format_func=lambda each: ITEMS[each].title,
        key=state.seed(f"{_PREFIX}item:{paper}", key),
    )  # fmt: skip
    state.write_item(key)
    return ITEMS[key]


def chosen_data(item):
    """Show what the item may be run on, where there is a choice, and return what is asked.

    Returns
    -------
    workbench.reproduction.item.Asked
    """
    if not item.own:
        return Asked()
    place = st.container()
    sources = {source.name: source for source in _at_hand(item)}
    with place:
        return Asked(*_choices(item, sources))


def _choices(item, sources):
    """Show data and rule; the sources chosen, and the rule."""
    key = f"{_PREFIX}data:{item.key}"
    names = list(sources)
    if item.most == 1:
        kept = state.seed(key, names[0])
        chosen = [st.selectbox("Data", names, format_func=_titled(sources), key=kept)]
    else:
        first = [name for name in names if name in item.sets and name not in _LARGE][:2]
        chosen = st.multiselect(
            "Data", names, format_func=_short(sources), max_selections=item.most,
            key=state.seed(key, first or names[:2]), placeholder="Choose a table",
            help="Built-in tables, sets of the paper that are at hand, and files of your own. "
            f"At most {item.most} at once.",
        )  # fmt: skip
    if item.absent:
        st.caption(item.absent)
    return tuple(sources[name] for name in chosen), _rule() if item.rules else next(iter(RULES))


def _rule():
    rule = st.segmented_control(
        "One start of several is kept by", list(RULES), format_func=RULES.__getitem__,
        key=state.seed(f"{_PREFIX}rule", next(iter(RULES))), required=True, wrap=True,
        help="A method's own objective is what it optimises. The paper keeps the highest "
        "silhouette of all it tried. Numbers of the two rules are never mixed.",
    )  # fmt: skip
    return str(rule)


def _titled(sources):
    return lambda name: sources[name].title


def _short(sources):
    """Titles up to their colon: several stand beside each other."""
    return lambda name: sources[name].title.partition(":")[0]


def _at_hand(item):
    """Sources of an item: built in, in the folder that the server was told of, uploaded."""
    yield from reference_sets.built_in(item.own)
    mine = list(_uploads())
    names = {source.name for source in mine}
    for source in reference_sets.in_folder():
        if source.name in item.sets and source.name not in names:
            yield source
    yield from mine


def _uploads():
    with st.expander("Files of your own"):
        st.caption(
            "A table with a column of classes named label or class. A set of the paper is known by "
            "its numbers of rows, columns and classes. Files stay in this session."
        )
        files = st.file_uploader(
            "Tables", accept_multiple_files=True, key=f"{_PREFIX}files",
            label_visibility="collapsed",
        )  # fmt: skip
        for file in files[:_MOST_FILES]:
            try:
                yield cached.uploaded_set(file.file_id, file, file.name)
            except ValueError as error:
                st.error(str(error))


_MOST_FILES = 4
