"""What the paper has, what our run found, and how and why they differ."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import papers_run, papers_words
from ui.basin_picture import basin_picture
from ui.controls import BASINS_CHART, CHART, is_dark
from workbench.figures.captions import basin_sentence
from workbench.reproduction.item import BasinsPanel, Outcome

_ACROSS = 3  # panels beside each other
_MOST_ROWS, _HEIGHT = 12, 458  # rows of a table before it scrolls, and its pixels then
_MARKS = {True: ":green[:material/check_circle:]", False: ":orange[:material/cancel:]",
          None: ":material/help:"}  # fmt: skip


def heading(item):
    """Say which item it is and what the paper shows there: at once, before anything is run."""
    st.header(item.title)
    st.markdown(f"**In the paper.** {item.shows}")


def show(item, found):
    """Show the paper's numbers and ours beside them.

    Parameters
    ----------
    item : workbench.reproduction.item.Item
    found : workbench.reproduction.item.Outcome or None
        None before the first run: then the published numbers stand alone.
    """
    outcome = Outcome(rows=item.printed()) if found is None else found
    if found is None:
        words = papers_words.AT_WORK if papers_run.at_work(item) else papers_words.to_run(item)
        st.info(words, icon=":material/info:")
    _panels(outcome.panels)
    _claims("What we find", outcome.claims)
    _numbers(item, outcome.rows, ran=found is not None)
    _claims("Do the printed numbers agree with themselves?", item.checks())
    _notes(outcome.notes)


def _claims(title, claims):
    if not claims:
        return
    st.markdown(f"### {title}")
    for claim in claims:
        with st.container(border=True):
            verdict = {True: "agrees", False: "does not agree", None: "open"}[claim.holds]
            st.markdown(f"**The paper:** {claim.paper}")
            st.markdown(f"{_MARKS[claim.holds]} **Ours {verdict}:** {claim.ours}")


def _panels(panels):
    across = 2 if len(panels) == 4 else min(len(panels), _ACROSS)
    for first in range(0, len(panels), across or 1):
        row = panels[first : first + across]
        for place, panel in zip(st.columns(across), row, strict=False):
            with place:
                _panel(panel, first)


def _panel(panel, first):
    st.markdown(f"**{panel.title}**")
    if isinstance(panel, BasinsPanel):
        figure, numbers = basin_picture(panel.recipe, panel.view, is_dark())
        figure.update_layout(height=300, showlegend=False, margin={"l": 0, "r": 0, "t": 4, "b": 0})
        figure.update_xaxes(title=None).update_yaxes(title=None)
        told, config = basin_sentence(numbers), BASINS_CHART
    else:
        figure, told, config = panel.draw(is_dark()), panel.words, CHART
    st.plotly_chart(
        figure, theme=None, config=config, alt=told, key=f"papers.{first}.{panel.title}"
    )
    st.caption(panel.words)


def _numbers(item, rows, *, ran):
    if not rows:
        return
    beside = not all(np.isnan(row.published) for row in rows)
    st.markdown("### Published, ours, difference" if beside else "##### Our numbers")
    frame = table(rows)
    unseen = ["Why"] if beside else ["Why", "Published", "Difference"]
    words = papers_words.compared(rows, ran=ran)
    st.dataframe(
        frame.drop(columns=unseen),
        hide_index=True,
        height="auto" if len(frame) <= _MOST_ROWS else _HEIGHT,
        placeholder="—",
        column_config={
            "Data": st.column_config.TextColumn(width=60),
            "Measure": st.column_config.TextColumn(width=116),
            "Published": st.column_config.NumberColumn(format="%.4g", width=70),
            "Ours": st.column_config.NumberColumn(format="%.4g", width=56),
            "Difference": st.column_config.NumberColumn("Diff.", format="%+.2g", width=56),
        },
        alt=words,
        key="papers:table",
    )
    st.markdown(words)
    _reasons(rows, beside)
    st.download_button(
        "Download CSV",
        lambda: frame.to_csv(index=False).encode(),
        file_name=f"{item.key}.csv",
        mime="text/csv",
        icon=":material/download:",
        key="papers:csv",
        on_click="ignore",
    )


def table(rows):
    """Lay rows out as a table.

    Parameters
    ----------
    rows : sequence of Compared

    Returns
    -------
    pandas.DataFrame
        Data, Measure, Published, Ours, Difference and Why.
    """
    return pd.DataFrame(
        {
            "Data": [row.subject for row in rows],
            "Measure": [row.measure for row in rows],
            "Published": np.array([row.published for row in rows], float),
            "Ours": _four_digits(row.ours for row in rows),
            "Difference": _four_digits(row.difference for row in rows),
            "Why": [row.why for row in rows],
        }
    )


def _four_digits(values):
    """Round to four digits that count, however small the number: a beta may be .00025."""
    return np.array([float(f"{value:.4g}") for value in values])


def _reasons(rows, beside):
    reasons = papers_words.reasons(rows)
    if reasons:
        if beside:
            st.markdown("### Where they differ or one is missing, and why")
        st.markdown("\n".join(f"* {told}" for told in reasons))


def _notes(notes):
    if notes:
        st.markdown("### How ours was run")
        st.markdown("\n".join(f"* {note}" for note in notes))
