"""Gaps of a person's own table filled by recall, and how far off that is."""

from pathlib import PurePath

import numpy as np
import pandas as pd
import streamlit as st

from ui import cached, completion_words, lecture, state
from ui.completion_work import measured
from ui.controls import CHART, is_dark
from workbench.export import plain_name
from workbench.figures.completion import fill_errors_figure
from workbench.imputation import filled_csv, filled_table, held_out_rows

_SHOWN = 200  # filled cells of which a table is shown
_FEW = 5  # of them do not fill the table's height


def gaps(run):
    """Show the table's gaps filled, offer it as a file, and measure the error of such fills.

    Parameters
    ----------
    run : workbench.run.Run
        Of ClAM.
    """
    st.header("Gaps of the table")
    dataset = run.dataset
    note = completion_words.dropped_note(dataset)
    if note:
        st.info(note)
    filling = cached.of_run(filled_table, run)
    told = completion_words.filling_sentence(filling)
    if filling.cells:
        st.markdown(told)
        _cells(filling)
        st.download_button(
            "Download the table with its gaps filled",
            lambda: filled_csv(run, filling),
            file_name=f"{plain_name(PurePath(dataset.name).stem)}-filled.csv",
            mime="text/csv",
            icon=":material/download:",
            key="completion:download",
            on_click="ignore",
        )
        st.caption(
            "CSV with all rows and columns; the last column names what was filled in each row. A "
            "filled cell is an estimate: do not count it as a measurement."
        )
    else:
        st.markdown(
            told
            or "No cell of the columns used is missing. How well recall would fill gaps can "
            "be measured all the same, by hiding known values."
        )
    with lecture.group("completion", "imputation"):
        _expected(run, bool(filling.cells))


def _cells(filling):
    shown = pd.DataFrame(
        {"row": filling.rows, "column": filling.columns, "filled with": filling.cells}
    )
    height = 220 if len(shown) > _FEW else "auto"
    st.dataframe(shown.head(_SHOWN), hide_index=True, height=height, alt="The filled cells.")
    if len(shown) > _SHOWN:
        st.caption(f"The first {_SHOWN} of {len(shown):,}; the file has all.")


def _expected(run, has_gaps):
    share = 0.2
    if not has_gaps:
        share = st.slider(
            "Share of columns to hide", 0.05, 0.95, step=0.05, format="percent",
            key=state.seed("completion:error-share", 0.2), help="In each row that is held out.",
        )  # fmt: skip
    errors = measured(run.recipe, run.dataset, share)
    if errors is None:
        st.caption(
            "Rows are held out of training, known values of them hidden and filled: by recall, by "
            "the column's mean and median, and by the nearest rows."
        )
        return
    st.markdown(completion_words.verdict(errors, len(run.prototypes)))
    _pictures(errors)
    st.dataframe(errors_table(errors), hide_index=True, alt="Errors by column and fill.")
    held = held_out_rows(len(run.dataset.X))
    st.caption(completion_words.how_measured(errors, len(errors.n_hidden), held))


def _pictures(errors):
    for name, values, title in (
        ("numbers", errors.prepared, "error, prepared units"),
        ("categories", errors.wrong, "share of wrong words"),
    ):
        measured = completion_words.in_measured_repeats(values)
        if not measured.size:
            continue
        named = dict(zip(completion_words.FILLS.values(), measured, strict=True))
        figure = fill_errors_figure(named, title=title, dark=is_dark())
        kind = "root mean squared error of" if name == "numbers" else "share of wrong words among"
        words = (
            f"The {kind} hidden {name}: a ring for each repeat, the bar at their mean. Left is "
            "better."
        )
        st.plotly_chart(figure, theme=None, config=CHART, key=f"completion.{name}", alt=words)
        st.caption(words)


def errors_table(errors):
    """Lay out the error of each fill by column, in the column's own unit.

    Parameters
    ----------
    errors : workbench.imputation.Errors

    Returns
    -------
    pandas.DataFrame
        A row for each column that had hidden values, cells as "mean ± deviation".
    """
    rows = []
    for at, name in enumerate(errors.columns):
        values = errors.own[:, :, at]
        known = np.isfinite(values).all(axis=0)
        if not known.any():
            continue
        what = "wrong words" if errors.categories[at] else "own unit"
        rows.append(
            {"column": name, "error in": what}
            | {
                title: _spread(fill[known], errors.categories[at])
                for title, fill in zip(completion_words.FILLS.values(), values, strict=True)
            }
        )
    return pd.DataFrame(rows)


def _spread(values, is_share):
    deviation = values.std(ddof=1) if len(values) > 1 else 0.0
    if is_share:
        return f"{values.mean():.0%} ± {deviation:.0%}"
    return f"{values.mean():.3g} ± {deviation:.2g}"
