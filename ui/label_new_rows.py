"""Label rows that were not there when the model was fitted."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import cached
from ui.table_download import table_download
from workbench.export import plain_name
from workbench.words import count

_THIS, _SAVED = "This run's model", "A saved model"


def panel(run, notes):
    """Choose a model and a table, see the sizes, take the labels away.

    Parameters
    ----------
    run : workbench.run.Run
    notes : workbench.notes.Notes
        Names of the run's clusters; a saved model brings its own.
    """
    st.caption(
        "Another table with the same columns, in any order, is prepared exactly as the first and "
        "labelled by the model. Nothing is fitted anew."
    )
    choice = st.segmented_control(
        "Model", [_THIS, _SAVED], key="cluster:new:model", default=_THIS, required=True
    )
    try:
        chosen = _saved() if choice == _SAVED else _of_run(run, notes)
        if chosen is not None:
            _labelled(*chosen)
    except ValueError as error:
        st.error(str(error))


def _of_run(run, notes):
    return run.key, cached.model_of(run), notes


def _saved():
    file = st.file_uploader("Model, as a zip", key="cluster:new:zip")
    if file is None:
        return None
    model = cached.saved_model(file.file_id, file, file.name)
    return file.file_id, model, model.notes


def _labelled(key, model, notes):
    file = st.file_uploader(
        "New rows", key="cluster:new:table", help="The file stays in this session."
    )
    if file is None:
        return
    reading = model.reading.model_dump_json()
    table = cached.new_table(file.file_id, file, file.name, reading)
    found = cached.new_labels(key, table.key, model, table)
    _sizes(found, table, model, notes)
    for sentence in found.notes:
        st.caption(f":material/info: {sentence}")
    stem = plain_name(file.name.rpartition(".")[0])
    table_download(
        "cluster:new", table, (found.labels, found.row_ids), notes, model.recipe,
        f"{stem}-labelled.{{}}",
    )  # fmt: skip


def _sizes(found, table, model, notes):
    sizes = np.bincount(found.labels, minlength=model.n_clusters)
    left = len(table.frame) - len(found.labels)
    words = f"{count(len(found.labels), 'row')} labelled"
    if left:
        words += f", {left:,} not clustered"
    shown = pd.DataFrame(
        {
            "cluster": [notes.name(label) for label in range(len(sizes))],
            "rows": sizes,
            "share": sizes / max(1, sizes.sum()),
        }
    )
    st.dataframe(
        shown,
        hide_index=True,
        column_config={"share": st.column_config.NumberColumn(format="percent")},
        width=420,
        alt=f"{words}: rows and share of each cluster.",
    )
    st.caption(f"{words}.")
