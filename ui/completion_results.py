"""What the completion page shows of one row: its steps, its error, the equation."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import cached, completion_words
from ui.completion_controls import hiding_controls
from ui.completion_picture import completion_picture, take_release, tell
from ui.controls import CHART, is_dark
from ui.startup import one_thread
from workbench.cell_words import cells_in_words, decimals_of
from workbench.completion import DONORS, NEIGHBOURS, all_starts, complete
from workbench.figures.completion import step_errors_figure
from workbench.masking import hidden_columns, of_features


@st.fragment
def completed_row(run):
    """Let a row and a mask be chosen and show its completion; only this runs again then.

    Parameters
    ----------
    run : workbench.run.Run
        Of ClAM.
    """
    take_release()
    dataset = run.dataset
    try:
        masking = hiding_controls(dataset)
        hidden = hidden_columns(masking, dataset)
        position = int(np.searchsorted(dataset.row_ids, masking.row))
        one_thread()
        starts = cached.of_run(all_starts, run)
        hidden_features = of_features(hidden, dataset)
        found = complete(run, position, hidden_features, start=masking.start, starts=starts)
    except ValueError as error:
        st.error(str(error))
        return
    completion_picture()
    _sentences(run, found, masking)
    if found.scored.any():
        _steps(found, len(dataset.X))
    if found.hidden.any():
        with st.expander("Each hidden value", expanded=dataset.pixels is None):
            _values(run, found)
    with st.expander("The equation"):
        for equation in completion_words.EQUATIONS:
            st.latex(equation)
        told = completion_words.reading(run, found, masking.row, masking)
        st.markdown("\n".join(f"- {line}" for line in told))
    tell(run, found, hidden, starts[masking.start])


def _sentences(run, found, masking):
    columns = run.dataset.columns
    firsts = np.cumsum([0, *(len(column.features) for column in columns)])[:-1]
    lacking = [c.name for c, at in zip(columns, firsts, strict=True) if np.isnan(found.truth[at])]
    told = [completion_words.row_sentence(found, masking.row)]
    if found.hidden.any():
        told.append(completion_words.destination(found))
    told += [
        completion_words.loss_sentence(found, run.recipe.settings),
        completion_words.gap_note(found, lacking),
    ]
    st.markdown(" ".join(filter(None, told)))


def _steps(found, n_rows):
    rivals = {
        completion_words.RIVALS[name]: float(found.error(fill))
        for name, fill in found.rivals.items()
    }
    figure = step_errors_figure(found.losses, rivals, dark=is_dark())
    words = "The squared error on the hidden values after each step"
    st.plotly_chart(
        figure, theme=None, config=CHART, key="completion.steps",
        alt=f"{words}: {found.losses[0]:.4g} at the start, {found.losses[-1]:.4g} after step "
        f"{len(found.losses) - 1}.",
    )  # fmt: skip
    among = f", among {DONORS:,} drawn at random" if n_rows > DONORS else ""
    st.caption(
        f"{words}. Dashed: the same error of simpler fills; nearest rows are up to {NEIGHBOURS} "
        f"that know the value{among}."
    )


def _values(run, found):
    table = values_table(run.dataset, found)
    st.dataframe(
        table,
        hide_index=True,
        column_config={"column": st.column_config.Column(width="medium")},
        alt="Each hidden value and what fills it.",
    )
    st.caption(
        "In the table's own units. The error is of recall, in the column's unit; a category takes "
        "the word with the highest share."
    )


def values_table(dataset, found):
    """Lay out each hidden column of a row: truth, start, recall and simple fills.

    Parameters
    ----------
    dataset : workbench.dataset.Dataset
    found : workbench.completion.Completion

    Returns
    -------
    pandas.DataFrame
        A row for each hidden column, cells as text.
    """
    fills = {"start": found.path[0], "recall": found.end} | {
        completion_words.RIVALS[name]: fill for name, fill in found.rivals.items()
    }
    rows, first = [], 0
    for column in dataset.columns:
        part = slice(first, first + len(column.features))
        first = part.stop
        if not found.hidden[part].any():
            continue
        decimals = decimals_of(dataset.source, column)

        def written(point, column=column, part=part, decimals=decimals):
            return cells_in_words(column, point[None, part], decimals)[0]

        known = not np.isnan(found.truth[part]).any()
        rows.append(
            {"column": column.name, "truth": written(found.truth) if known else "gap"}
            | {name: written(fill) for name, fill in fills.items()}
            | {"error": _error(column, found, part) if known else ""}
        )
    return pd.DataFrame(rows)


def _error(column, found, part):
    truth, end = (column.restore(point[None, part])[0] for point in (found.truth, found.end))
    if column.role == "category":
        words = [cells_in_words(column, point[None, part])[0] for point in (found.truth, found.end)]
        return "right" if words[0] == words[1] else "wrong"
    unit = " days" if column.role == "date" else ""
    return f"{abs(end[0] - truth[0]):.3g}{unit}"
