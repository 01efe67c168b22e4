"""The runs of this workspace as a list: open, name, delete, compare, keep or forget the file."""

import streamlit as st

from ui import history, runs_words, state
from ui.runs_compare import compare
from ui.runs_stored import stored
from ui.workspace import is_lasting
from workbench.dataset import DataError
from workbench.store import Store

_PAGE = 20  # runs shown at once
_CLUSTER = "pages/cluster.py"


def runs():
    """Show the history of this workspace."""
    shelf = history.shelf()
    try:
        found, gone = shelf.runs(), shelf.removals()
    except DataError as error:
        st.warning(f"{error} The app works without its history.")
        return
    fault = state.kept("runs", "fault")
    if fault:
        st.warning(fault)
        state.keep("runs", "fault", None)
    _deleted(shelf)
    for each in gone[:1]:
        st.caption(f":material/info: {runs_words.removal(each)}")
    chosen = [entry for entry in found if st.session_state.get(f"runs:pick:{entry.id}")]
    _shown(shelf, {entry.id: entry for entry in found})
    if len(chosen) == 2:
        st.header("Side by side")
        opened = [shelf.open(entry.id) for entry in reversed(chosen)]
        if None not in opened:
            compare(*opened)
        st.header("All runs")
    if not found:
        st.info(runs_words.EMPTY)
    most = state.kept("runs", "most", _PAGE)
    for entry in found[:most]:
        _card(shelf, entry, full=len(chosen) == 2 and entry not in chosen)
    if len(found) > most:
        st.button("Show more", on_click=state.keep, args=("runs", "most", most + _PAGE))
    st.divider()
    if not is_lasting():
        st.info(runs_words.REFUSED)
    st.caption(runs_words.privacy(Store().folder))


def _card(shelf, entry, full):
    with st.container(border=True, key=f"run-{entry.id}"):
        said, asked = st.columns([6, 5], vertical_alignment="center")
        with said, st.container(gap=None):
            st.markdown(f"**{runs_words.escaped(runs_words.title(entry))}**")
            st.caption(runs_words.escaped(runs_words.line(entry)))
        with asked, st.container(horizontal=True, vertical_alignment="center"):
            if st.button("Open", icon=":material/open_in_full:", key=f"runs:open:{entry.id}"):
                _open(entry)
            with st.popover("Name", icon=":material/edit:"):
                key = state.seed(f"runs:name:{entry.id}", entry.name)
                st.text_input(
                    "Name of this run", key=key, max_chars=200, on_change=_rename,
                    args=(shelf, entry.id, key), placeholder=runs_words.described(entry),
                )  # fmt: skip
            _file(shelf, entry)
            st.button(
                "Delete", icon=":material/delete:", key=f"runs:delete:{entry.id}",
                on_click=_delete, args=(shelf, entry),
            )  # fmt: skip
            st.checkbox(
                "Compare", key=f"runs:pick:{entry.id}", disabled=full,
                help="Two runs are shown side by side.",
            )  # fmt: skip


def _open(entry):
    """Go to the Cluster page with a run, or show what was kept where its file is not here."""
    if _is_here(entry):
        history.to_open(entry)
        st.switch_page(_CLUSTER)
    state.keep("runs", "shown", entry.id)
    st.rerun()


def _is_here(entry):
    return not entry.file or entry.has_file or history.at_hand(entry.file)[0] is not None


def _shown(shelf, entries):
    """Show a run that was opened without its file."""
    entry = entries.get(state.kept("runs", "shown"))
    opened = entry and shelf.open(entry.id)
    if not opened:
        return
    st.header(runs_words.escaped(runs_words.title(entry)))
    st.info(runs_words.ASKS_FOR_FILE)
    with st.container(horizontal=True):
        if st.button("Choose the file on the Cluster page", icon=":material/upload_file:"):
            history.to_open(entry)
            st.switch_page(_CLUSTER)
        st.button("Close", on_click=state.keep, args=("runs", "shown", None))
    stored(*opened)
    st.header("All runs")


def _file(shelf, entry):
    """Offer to forget the file of a run, or to keep it where this session has it."""
    table, payload = history.at_hand(entry.file)
    if entry.has_file:
        st.button(
            "Forget file", icon=":material/no_sim:", key=f"runs:forget:{entry.id}",
            on_click=_try, args=(shelf.forget_file, entry.file),
            help="Deletes the file here; the runs that were made with it stay.",
        )  # fmt: skip
    elif table is not None and payload is not None:
        st.button(
            "Keep file", icon=":material/save:", key=f"runs:keep:{entry.id}",
            on_click=_try, args=(shelf.keep_file, entry.file, table.name, payload),
            help="Keeps the file on the computer that runs Basinscope, until its last run is "
            "deleted.",
        )  # fmt: skip


def _try(action, *values):
    """Do what a button asks; where the history cannot, say so when the page runs."""
    try:
        action(*values)
    except DataError as error:
        state.keep("runs", "fault", str(error))


def _rename(shelf, identity, key):
    _try(shelf.rename, identity, st.session_state[key])


def _delete(shelf, entry):
    _try(shelf.delete, entry.id)
    state.keep("runs", "deleted", entry)
    st.session_state.pop(f"runs:pick:{entry.id}", None)


def _deleted(shelf):
    """Offer to bring back what was deleted last."""
    entry = state.kept("runs", "deleted")
    if entry is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"Deleted: {runs_words.escaped(runs_words.title(entry))}.")
        st.button("Undo", icon=":material/undo:", on_click=_bring_back, args=(shelf, entry))


def _bring_back(shelf, entry):
    _try(shelf.undelete, entry.id)
    state.keep("runs", "deleted", None)
