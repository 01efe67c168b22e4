"""Rows worth a look: representatives, outliers, and why one row lies where it does."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import cached, explore_words
from ui.controls import CHART, is_dark
from ui.explore_selection import cells_of_rows, selected
from ui.startup import one_thread
from workbench.explanation import explain
from workbench.figures.explanation import gap_figure
from workbench.remarkable import outliers, representatives
from workbench.rule import rule_of

_ROW = "explore:row"
_MOST = 200  # rows of a table
_EACH = (1, 3, 5, 10)


def rows(run, names):
    """Show representative rows, outliers, and the explanation of one row.

    Parameters
    ----------
    run : workbench.run.Run
    names : mapping of int to str
        The reader's own names of clusters.
    """
    st.header("Representative rows")
    _representatives(run, names)
    st.header("Outliers")
    _outliers(run, names)
    st.header("Why is a row in its cluster?")
    _explanation(run, names)


def representatives_of(run):
    """Find up to ten rows nearest to each cluster's attractor, with their distances."""
    return representatives(rule_of(run), run.dataset.X, run.labels, max(_EACH))


def outliers_of(run):
    """Find rows far from every prototype, see :func:`workbench.remarkable.outliers`."""
    return outliers(rule_of(run), run.dataset.X, run.labels)


def _representatives(run, names):
    found, distances = cached.of_run(representatives_of, run)
    each = st.segmented_control(
        "Rows of each cluster", _EACH, key="explore:each", default=3, required=True
    )
    place = np.concatenate([np.arange(n) for n in np.bincount(run.labels[found], minlength=1)])
    kept = found[place < each]
    frame = _told(run, kept, names, distance=distances[place < each])
    _table(frame, run.dataset.row_ids[kept], "explore:representatives")
    st.caption(explore_words.representatives(cached.of_run(rule_of, run).energy is not None))


def _outliers(run, names):
    found = cached.of_run(outliers_of, run)
    kept = found.rows[:_MOST]
    if len(kept):
        frame = _told(run, kept, names, distance=found.distances[kept], times=found.times[kept])
        frame = frame.rename(columns={"times": "× median"})
        _table(frame, run.dataset.row_ids[kept], "explore:outliers")
        if len(found.rows) > _MOST:
            st.caption(f"The {_MOST} farthest are shown.")
    st.caption(explore_words.outliers(found, int((run.labels >= 0).sum())))


def _told(run, rows, names, **numbers):
    """Cluster, row and some numbers of rows, before their own cells."""
    head = {
        "cluster": [explore_words.cluster_name(label, names) for label in run.labels[rows]],
        "row": run.dataset.row_ids[rows],
    }
    head |= {name: np.round(values, 3) for name, values in numbers.items()}
    cells = cells_of_rows(run.dataset, rows)
    taken = cells.rename(columns=lambda name: f"{name} " if name in head else name)
    return pd.concat([pd.DataFrame(head), taken.reset_index(drop=True)], axis=1)


def _table(frame, row_ids, key):
    """Show rows; choosing one explains it below."""

    def explain():
        chosen = st.session_state[key].selection.rows
        if chosen:
            st.session_state[_ROW] = int(row_ids[chosen[0]])

    st.dataframe(
        frame,
        key=key,
        hide_index=True,
        height=min(38 + 35 * len(frame), 388),
        on_select=explain,
        selection_mode="single-row",
        alt=f"{len(frame)} rows with their cluster and their own cells.",
    )


@st.fragment
def _explanation(run, names):
    ids = run.dataset.row_ids
    if _ROW not in st.session_state or st.session_state[_ROW] not in ids:
        chosen = selected(run)
        first, _ = cached.of_run(representatives_of, run)
        st.session_state[_ROW] = int(
            chosen[0] if chosen is not None else ids[first[0]] if len(first) else ids[0]
        )
    row_id = st.number_input(
        "Row",
        int(ids[0]),
        int(ids[-1]),
        key=_ROW,
        help="Its number in the table, from 1; or choose it in a table above.",
    )
    at = int(np.searchsorted(ids, row_id))
    if at == len(ids) or ids[at] != row_id or run.labels[at] < 0:
        st.info(f"Row {row_id} was not clustered, so there is nothing to explain.")
        return
    one_thread()
    rule = cached.of_run(rule_of, run)
    told = explain(rule, run.dataset, run.labels, at)
    st.markdown(explore_words.explanation(told, row_id, names, len(run.sizes)))
    if told.other >= 0:
        if not rule.decides or told.flip is None:
            st.markdown(explore_words.flip(told, names, rule.spherical, rule.decides))
        else:
            st.markdown(
                f"{explore_words.flip(told, names, rule.spherical, rule.decides)} "
                f"{explore_words.switches(told, names)}"
            )
        _bars(rule, told)
    cells = cells_of_rows(run.dataset, np.array([at]))
    st.dataframe(cells, hide_index=True, alt=f"The cells of row {row_id}.")


def _bars(rule, told):
    unit = "squared distance" if rule.energy is None else "log affinity (nats)"
    figure = gap_figure(
        [bar.column or "memories' weights" for bar in told.bars],
        [bar.gap for bar in told.bars],
        unit=unit,
        dark=is_dark(),
    )
    words = explore_words.bars(told, unit)
    st.plotly_chart(figure, theme=None, config=CHART, key="explore.gap", alt=words)
    st.caption(words)
