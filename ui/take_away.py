"""What a run leaves in the reader's hands: labels, recipe, script, model, report, pictures."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from ui import cached, label_new_rows
from ui.table_download import table_download
from workbench.dataset import DataError
from workbench.export import file_name
from workbench.model_file import model_bytes, too_large
from workbench.notes import Notes
from workbench.pictures import PICTURES, picture_page, pictures_of
from workbench.report import report_page
from workbench.script import script_of
from workbench.typed_export import labelled_file

_MIME = {
    "json": "application/json",
    "py": "text/x-python",
    "zip": "application/zip",
    "html": "text/html",
}


def take_away(run, notes=None, sections: Callable = tuple):
    """Show everything that can be downloaded, and label new rows.

    A file is made when its button is pressed, beside the page and not before.

    Parameters
    ----------
    run : workbench.run.Run
    notes : workbench.notes.Notes, optional
        Names and notes of its clusters, which travel into every file.
    sections : callable, optional
        Returns more sections for the report.
    """
    notes = notes or Notes()
    st.header("Rows with their clusters")
    labels(run, notes)
    st.header("The run itself")
    _downloads(run, notes, sections)
    st.header("Pictures")
    _pictures(run, notes)
    st.header("Label new rows")
    label_new_rows.panel(run, notes)


def labels_at_once(run, notes):
    """Offer the table with the cluster of each row, as most want it."""
    dataset = run.dataset
    st.download_button(
        "Download rows with clusters",
        lambda: labelled_file(
            "csv", dataset.source, run.labels, dataset.row_ids, notes=notes, recipe=run.recipe
        ),
        file_name=file_name(run.recipe, dataset.source, "csv"),
        mime="text/csv",
        icon=":material/download:",
        key="cluster:labels:at_once",
        on_click="ignore",
        type="primary",
        help="As CSV; Take away has other formats, the model, a script and a report.",
    )
    changed = cached.format_note("csv", dataset.source, notes, False)
    if changed:
        st.caption(f"{changed} Take away has them as written.")


def labels(run, notes):
    """Offer the table with the cluster of each row, in one of three formats."""
    dataset = run.dataset
    table_download(
        "cluster:labels",
        dataset.source,
        (run.labels, dataset.row_ids),
        notes,
        run.recipe,
        file_name(run.recipe, dataset.source, "{}"),
    )


def _downloads(run, notes, sections):
    offers = [
        ("json", "Recipe", "All that was decided, in a small file without your data. "
         "`python -m workbench run recipe.json` runs it.", lambda: run.recipe.to_json()),
        ("py", "Python script", "The same run, written out to be read, changed and run: the same "
         "versions on the same machine give the same labels.", lambda: script_of(run, notes)),
        ("html", "Report", "One page for people who were not here: clusters, scores, pictures and "
         "how they came about. Opens without a network and prints well.",
         lambda: report_page(run, notes, sections())),
    ]  # fmt: skip
    model, fault = _model(run, notes)
    if model is not None:
        offers.insert(2, (
            "zip", "Model", f"{_MODEL}{_MODEL_ROWS if run.recipe.method == 'slk' else ''}",
            lambda model=model: model_bytes(model),
        ))  # fmt: skip
    for ending, label, words, make in offers:
        button, line = st.columns([2, 5], gap="medium", vertical_alignment="center")
        button.download_button(
            label,
            make,
            file_name=file_name(run.recipe, run.dataset.source, ending),
            mime=_MIME[ending],
            icon=":material/download:",
            key=f"cluster:take:{ending}",
            on_click="ignore",
            width="stretch",
        )
        line.caption(words)
    if fault:
        st.caption(f":material/info: {fault}")


_MODEL = (
    "Prototypes and preparation as safetensors and JSON, which label new rows here or by "
    "`python -m workbench predict`."
)
_MODEL_ROWS = " SLK decides by neighbours, so the file holds the prepared rows too."


def _model(run, notes):
    try:
        model = replace(cached.model_of(run), notes=notes)
    except DataError as error:
        return None, str(error)
    fault = too_large(model)
    return (None, fault) if fault else (model, "")


def _pictures(run, notes):
    with st.container(horizontal=True):
        for name in pictures_of(run):
            st.download_button(
                PICTURES[name],
                lambda name=name: picture_page(name, run, notes),
                file_name=file_name(run.recipe, run.dataset.source, f"{name}.html"),
                mime=_MIME["html"],
                icon=":material/download:",
                key=f"cluster:take:{name}",
                on_click="ignore",
            )
    st.caption(
        "Each as a page that can be zoomed and hovered over without a network; the camera above a "
        "chart saves it as PNG."
    )
