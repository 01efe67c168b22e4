"""What sets each cluster apart, and what the reader calls it."""

import pandas as pd
import streamlit as st

from ui import cached, explore_words, state
from ui.controls import CHART, is_dark
from workbench.distributions import distributions
from workbench.figures import palette
from workbench.figures.profiles import (
    CLUSTERS_SHOWN,
    COLUMNS_SHOWN,
    effects_figure,
    shares_figure,
    spread_figure,
)
from workbench.html_page import Section
from workbench.notes import Notes
from workbench.profiles import category_counts
from workbench.profiles import profiles as profiles_of

_SENTENCES = 20


def profiles(run, names):
    """Show which columns set each cluster apart, in words, as a map, and one column at a time.

    Parameters
    ----------
    run : workbench.run.Run
    names : mapping of int to str
        The reader's own names of clusters.
    """
    found = cached.of_run(profiles_of_run, run)
    st.markdown("\n".join(f"- {_plain(sentence)}" for sentence in _sentences(run, found, names)))
    if not found.columns:
        st.info("No column varies enough to describe a cluster.")
        return
    if run.n_found > 1:
        _effects(run, found, names)
    _one_column(run, names)


def _sentences(run, found, names):
    return tuple(
        explore_words.profile(found, label, int(run.sizes[label]), names)
        for label in range(min(run.n_found, _SENTENCES))
    )


def report_sections(run, names):
    """Return what a report says of the profiles, see :func:`workbench.report.report_page`.

    Parameters
    ----------
    run : workbench.run.Run
    names : mapping of int to str

    Returns
    -------
    tuple of workbench.html_page.Section
    """
    found = profiles_of_run(run)  # asked for beside the page, where its caches are out of reach
    title = "What sets each cluster apart"
    sentences = _sentences(run, found, names)
    if run.n_found < 2 or not found.columns:
        return (Section(title, sentences),)
    figure, words = _effects_of(run, found, names, dark=False)
    return (
        Section(title, sentences),
        Section("Effects, as a map", (words, explore_words.CAUTION), figure=figure),
    )


def profiles_of_run(run):
    """Say of every cluster of a run how it differs, see :func:`workbench.profiles.profiles`."""
    return profiles_of(run.dataset, run.labels, len(run.sizes))


def _plain(text):
    """Text whose signs Markdown would take for its own, kept as they are."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]<>#|~$:" else sign for sign in text)


def _effects(run, found, names):
    figure, words = _effects_of(run, found, names, dark=is_dark())
    st.plotly_chart(figure, theme=None, config=CHART, key="explore.effects", alt=words)
    st.caption(words)
    st.caption(explore_words.CAUTION)


def _effects_of(run, found, names, *, dark):
    k = run.n_found
    shown = min(len(found.columns), COLUMNS_SHOWN)
    figure = effects_figure(
        found.effects[:k],
        [column.name for column in found.columns],
        [column.used for column in found.columns],
        [_axis_name(label, names) for label in range(k)],
        dark=dark,
    )
    return figure, explore_words.effects(found, shown, min(k, CLUSTERS_SHOWN), k)


def _axis_name(label, names):
    return names.get(label, "").strip() or str(label + 1)


@st.fragment
def _one_column(run, names):
    found = cached.of_run(profiles_of_run, run)
    st.header("One column in each cluster")
    by_name = {column.name: column for column in found.columns}
    name = st.selectbox(
        "Column",
        list(by_name),
        format_func=lambda each: each if by_name[each].used else f"{each} (not clustered by)",
        key="explore:column",
        help="Those that tell most come first.",
    )
    column, k = by_name[name], run.n_found
    shown = [explore_words.cluster_name(label, names) for label in range(k)]
    if column.categories:
        counts = category_counts(column, run.labels, len(run.sizes))[:k]
        figure = shares_figure(counts, column.categories, shown, dark=is_dark())
        words = explore_words.shares(column, counts, names)
    else:
        edges, clusters = distributions(column.values, run.labels, len(run.sizes))
        figure = spread_figure(
            edges,
            clusters[:k],
            shown,
            colours=palette.colours(k),
            title=name,
            order=column.order,
            dates=column.dates,
            dark=is_dark(),
        )
        words = explore_words.spread(column, clusters[:k], names, CLUSTERS_SHOWN)
    st.plotly_chart(figure, theme=None, config=CHART, key="explore.spread", alt=words)
    st.caption(words)


def naming(run, notes):
    """Let the reader name clusters and write notes about them.

    Parameters
    ----------
    run : workbench.run.Run
    notes : workbench.notes.Notes
        What was written until now.

    Returns
    -------
    workbench.notes.Notes
    """
    k = run.n_found
    # Edits count from the table that the widget began with: it begins anew where its state is
    # gone, as after a look at another section, and where names came from elsewhere.
    number, shown, before = state.kept("cluster", "naming", (0, None, None))
    key = f"explore:naming:{number}"
    if shown is None or key not in st.session_state or before != (run.key, notes):
        number, shown = number + 1, _names_table(run, notes)
        key = f"explore:naming:{number}"
    edited = st.data_editor(
        shown,
        key=key,
        hide_index=True,
        disabled=["cluster", "rows"],
        column_config={
            "cluster": st.column_config.NumberColumn(width=70),
            "rows": st.column_config.NumberColumn(width=70),
            "name": st.column_config.TextColumn(
                width="medium", max_chars=80, help="Used wherever it is named."
            ),
            "note": st.column_config.TextColumn(width="large", max_chars=2000),
        },
        alt="Number, rows, name and note of each cluster; names and notes can be written.",
    )
    now = written(edited, notes, k)
    state.keep("cluster", "naming", (number, shown, (run.key, now)))
    return now


def _names_table(run, notes):
    k = run.n_found
    return pd.DataFrame(
        {
            "cluster": range(1, k + 1),
            "rows": run.sizes[:k],
            "name": [notes.names.get(label, "") for label in range(k)],
            "note": [notes.texts.get(label, "") for label in range(k)],
        }
    )


def written(edited, notes, k):
    """Read names and notes from the table that the reader edited.

    Parameters
    ----------
    edited : pandas.DataFrame
        With "name" and "note", a row for each of the first k clusters.
    notes : workbench.notes.Notes
        Whose names of other clusters stay.
    k : int

    Returns
    -------
    workbench.notes.Notes
    """

    def filled(cells, before):
        kept = {label: text for label, text in before.items() if label >= k}
        own = {at: str(text).strip() for at, text in enumerate(cells.fillna(""))}
        return kept | {label: text for label, text in own.items() if text}

    return Notes(
        names=filled(edited["name"], notes.names), texts=filled(edited["note"], notes.texts)
    )
