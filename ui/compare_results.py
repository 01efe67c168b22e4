"""The results of a race as they come: guidance, scores, pictures, labels to take away."""

from dataclasses import replace
from pathlib import PurePath

import streamlit as st

from ui import compare_pictures, compare_table, compare_words, history, state
from ui.compare_race import number_found
from workbench.export import clusterings_csv, plain_name
from workbench.guidance import guidance
from workbench.methods import METHODS
from workbench.overlap import overlap
from workbench.standings import null_row, standings

_CLUSTER = "pages/cluster.py"
_ON_CLUSTER = ("clam", "kmeans", "slk")


def preview(dataset, contest):
    """Say what is about to be compared."""
    st.info(compare_words.before(dataset, contest), icon=":material/flag:")


def show(asked, recipe, contest):
    """Show what has come of a race until now.

    Parameters
    ----------
    asked : ui.compare_race.Asked
    recipe : workbench.recipe.Recipe
    contest : workbench.contest.Contest
        The choices of now.
    """
    moved_on = compare_words.out_of_date(asked, recipe, contest)
    if moved_on:
        st.warning(moved_on)
    stood, null, found = _summed(asked.race)
    if not any(each.fits for each in stood):
        st.caption(compare_words.no_scores(stood, asked.race.lanes()))
        return
    _guidance(asked, stood, found)
    st.header("Scores")
    name = f"{plain_name(PurePath(asked.dataset.name).stem)}-scores.csv"
    compare_table.scores(stood, null, asked.contest.seeds, name)
    if found is None:
        return
    st.header("All methods on one plane")
    plane = compare_pictures.layout(asked, recipe)
    compare_pictures.multiples(asked, found, stood, plane)
    if len(found.names) > 1:
        st.header("How far do they agree?")
        compare_pictures.overlaps(found)
        st.header("Where do they disagree?")
        compare_pictures.disagreement(asked, found, plane)
    st.header("Take away")
    _take_away(asked, found)


def _summed(race):
    """Standings, null row and overlap, computed once for each fit that ends."""
    entries = race.entries()
    kept = state.kept("compare", "summed")  # (race, entries, what they come to)
    if kept is None or kept[0] is not race or kept[1] != len(entries):
        stood, found = standings(entries), overlap(entries)
        told = stood, null_row(entries), found and _in_order(found, stood)
        kept = race, len(entries), told
        state.keep("compare", "summed", kept)
    return kept[2]


def _in_order(found, stood):
    """The overlap with its methods as they stand in the table."""
    order = [found.methods.index(each.method) for each in stood if each.method in found.methods]
    return replace(
        found,
        methods=tuple(found.methods[at] for at in order),
        names=tuple(found.names[at] for at in order),
        labels=found.labels[order],
        reference=order.index(found.reference),
        nmi=found.nmi[order][:, order],
        ari=found.ari[order][:, order],
    )


def _guidance(asked, stood, found):
    told = guidance(
        stood, found, rule=asked.contest.rule, n=len(asked.dataset.X),
        asked=asked.recipe.settings["n_clusters"], how_many=number_found(),
    )  # fmt: skip
    with st.container(border=True, key="guidance"):
        st.markdown(f"**What the evidence says.** {' '.join(told.sentences)}")


def _take_away(asked, found):
    dataset = asked.dataset
    clusterings = dict(zip(found.names, found.labels, strict=True))
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Download rows with all clusters",
            lambda: clusterings_csv(dataset.source, clusterings, dataset.row_ids),
            file_name=f"{plain_name(PurePath(dataset.name).stem)}-clusters.csv",
            mime="text/csv",
            icon=":material/download:",
            key="compare:labels:download",
            on_click="ignore",
            type="primary",
        )
        for recipe in _openable(asked, found):
            name = METHODS[recipe.method].name
            if st.button(
                f"Open {name} on the Cluster page", icon=":material/scatter_plot:",
                key=f"compare:open:{recipe.method}",
                help="With the same data, settings and seed: profiles, rows, files are there.",
            ):  # fmt: skip
                history.to_cluster(recipe)
                st.switch_page(_CLUSTER)
    st.caption(
        "A column for each method, of its first seed; clusters that overlap most have the same "
        "number in all of them."
    )


def _openable(asked, found):
    """Recipe of the first seed of each method that the Cluster page knows."""
    recipes = asked.contest.recipes(asked.recipe, asked.dataset)
    first = {}
    for recipe in recipes:
        first.setdefault(recipe.method, recipe)
    return [first[key] for key in _ON_CLUSTER if key in first and key in found.methods]
