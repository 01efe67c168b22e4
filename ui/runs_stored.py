"""What the history itself can show of a run: scores, sizes and the picture, without the table."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import cluster_words, runs_words
from ui.cluster_results import axis_titles
from ui.controls import CHART, is_dark
from workbench.figures import palette
from workbench.figures.clusters import clusters_figure


def stored(entry, record):
    """Show a run whose data are not here.

    Parameters
    ----------
    entry : workbench.shelf.Entry
    record : workbench.record.Record
    """
    facts = record.facts
    with st.container(horizontal=True, gap="medium"):
        st.metric("Clusters found", f"{facts['found']} of {facts['k']}", width="content")
        for name, value in facts["scores"].items():
            st.metric(_CAPITAL[name], cluster_words.score(value), width="content")
    for note in facts["notes"]:
        st.caption(note)
    left, right = st.columns([3, 2], gap="large")
    with left:
        picture(record, f"runs.picture.{entry.id}")
    with right:
        sizes(entry, record)


_CAPITAL = {"silhouette": "Silhouette", "nmi": "NMI", "ari": "ARI"}


def picture(record, key, numbers=None, k=None):
    """Show the points of a kept run.

    Parameters
    ----------
    record : workbench.record.Record
    key : str
        Of the chart.
    numbers : ndarray of int, optional
        New number, and with it colour, of each cluster.
    k : int, optional
        Numbers there are.
    """
    arrays, facts = record.arrays, record.facts
    labels = arrays["labels"][arrays["shown"]]
    if numbers is not None:
        labels = np.where(labels >= 0, numbers[labels], -1)
    line = len(facts["features"]) == 1
    rows = arrays["row_ids"][arrays["shown"]]
    pairs = zip(rows, labels + 1, strict=True)
    figure = clusters_figure(
        arrays["positions"],
        labels,
        rows,
        colours=palette.colours(k or facts["k"]),
        hover=[f"row {row}, cluster {label}" for row, label in pairs],
        titles=axis_titles("pca", tuple(facts["shares"]), tuple(facts["features"])),
        equal=not line,
        scale=line,
        dark=is_dark(),
    )
    words = runs_words.picture(record)
    st.plotly_chart(figure, theme=None, config=CHART, key=key, alt=words)
    st.caption(words)


def sizes(entry, record):
    """Show the name, rows and share of each cluster."""
    found = record.arrays["sizes"]
    names = [entry.notes.name(cluster) for cluster in range(len(found))]
    table = pd.DataFrame({"cluster": names, "rows": found, "share": found / found.sum()})
    st.dataframe(
        table,
        hide_index=True,
        column_config={"share": st.column_config.NumberColumn(format="percent")},
        alt="Name, rows and share of each cluster.",
    )
    for cluster, text in entry.notes.texts.items():
        st.caption(f"{entry.notes.name(cluster)}: {text}")
