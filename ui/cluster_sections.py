"""The results of a run in sections, of which only the chosen one is computed."""

import streamlit as st

from ui import (
    cluster_results,
    cluster_words,
    explore_k,
    explore_profiles,
    explore_rows,
    explore_selection,
    slice_view,
    state,
    take_away,
)
from ui.history import annotate, notes_of
from ui.training_panel import score_button
from workbench.methods import METHODS


def show(run, recipe):
    """Show what a run found; if settings or data have moved on, say so first.

    Parameters
    ----------
    run : workbench.run.Run
    recipe : workbench.recipe.Recipe
        The settings of now.
    """
    moved_on = cluster_words.out_of_date(run, recipe)
    if moved_on:
        st.warning(moved_on)
    cluster_results.summary(run)
    score_button(run)
    take_away.labels_at_once(run, notes_of(run))
    section = st.segmented_control(
        "Look at",
        list(_SECTIONS),
        key=state.seed("cluster:section", next(iter(_SECTIONS))),
        required=True,
        wrap=True,
    )
    _SECTIONS[str(section)](run, recipe)


def _clusters(run, recipe):
    names = notes_of(run).names
    cluster_results.points(run, cluster_results.layout(run, recipe), names)
    explore_selection.selection_panel(run, names)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.header("Silhouettes")
        cluster_results.silhouettes(run)
    with right:
        st.header("Sizes")
        cluster_results.sizes(run, names)


def _profiles(run, recipe):
    notes = notes_of(run)
    with st.expander("Name the clusters"):
        notes = explore_profiles.naming(run, notes)
    annotate(run, notes)
    explore_profiles.profiles(run, notes.names)


def _rows(run, recipe):
    explore_rows.rows(run, notes_of(run).names)


def _how_many(run, recipe):
    explore_k.how_many(run, notes_of(run).names)


def _take_away(run, recipe):
    notes = notes_of(run)
    take_away.take_away(run, notes, lambda: explore_profiles.report_sections(run, notes.names))


def _training(run, recipe):
    st.header(f"{METHODS[run.recipe.method].prototypes[1].capitalize()} beside means")
    cluster_results.prototypes(run)
    if len(run.history) > 1 and run.recipe.method == "clam":
        st.header("Loss")
        cluster_results.training(run)
    slice_view.basins_of(run)
    cluster_results.restarts(run)


_SECTIONS = {
    "Clusters": _clusters,
    "Profiles": _profiles,
    "Rows": _rows,
    "How many": _how_many,
    "Training": _training,
    "Take away": _take_away,
}
