"""Take a table away with the cluster of each row, as CSV, Parquet or Excel."""

import streamlit as st

from ui import cached
from workbench.typed_export import FORMATS, excel_fault, labelled_file
from workbench.words import count

EXCEL_CELLS = 2_000_000  # more take longer than anyone waits
_MIME = {
    "csv": "text/csv",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


def table_download(key, table, found, notes, recipe, name):
    """Offer a table with clusters as CSV, Parquet or Excel.

    Parameters
    ----------
    key : str
        Beginning of the widgets' keys.
    table : workbench.table.Table
    found : tuple of ndarray
        Labels, and the rows of the table that they are of.
    notes : workbench.notes.Notes
    recipe : workbench.recipe.Recipe
    name : str
        Of the file, "{}" for its ending.
    """
    ending = st.segmented_control(
        "Format", list(FORMATS), format_func=FORMATS.__getitem__,
        key=f"{key}:format", default="csv", required=True, label_visibility="collapsed",
    )  # fmt: skip
    fault = _too_large_for_excel(table) if ending == "xlsx" else ""
    as_written = False
    if ending == "csv" and cached.format_note("csv", table, notes, False):
        as_written = st.toggle(
            "Leave cells as written",
            key=f"{key}:as_written",
            help="A spreadsheet runs cells that begin with =, +, - or @ as formulas, which may "
            "come from a stranger. Other programs need no apostrophe in front of them.",
        )
    st.download_button(
        f"Download {FORMATS[ending]}",
        lambda: labelled_file(
            ending, table, *found, notes=notes, recipe=recipe, as_written=as_written
        ),
        file_name=name.format(ending),
        mime=_MIME[ending],
        icon=":material/download:",
        key=f"{key}:download",
        on_click="ignore",
        type="primary",
        disabled=bool(fault),
    )
    for sentence in (fault, _USES[ending], cached.format_note(ending, table, notes, as_written)):
        if sentence:
            st.caption(sentence)


_USES = {
    "csv": "Every cell as it was written, the cluster behind it; any program opens it.",
    "parquet": "Numbers as numbers, for pandas, Polars, DuckDB or R; a row that is not clustered "
    "has no number.",
    "xlsx": "Numbers as numbers, all else as text that Excel never runs.",
}


def _too_large_for_excel(table):
    rows, columns = table.frame.shape
    cells = rows * columns
    if cells > EXCEL_CELLS:
        return (
            f"The table has {count(cells, 'cell')}, and Excel is offered up to {EXCEL_CELLS:,}: "
            "take CSV or Parquet."
        )
    return excel_fault(rows, columns + 3)
