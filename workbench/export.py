"""Labels for the reader to take away."""

import re
from pathlib import PurePath

import numpy as np

NOT_CLUSTERED = "not clustered"
_LONGEST = 60  # characters of a table's name within a file's


def labelled_csv(table, labels, row_ids=None, *, column="cluster"):
    """Write a table with one more column that holds the cluster of each row.

    Rows, their order, columns and cells are those of the table, digit for digit: a cell that a
    spreadsheet would take for a formula is the user's own text and stays as it is. Delimiter and
    line ends are the original ones, the encoding is UTF-8.

    Parameters
    ----------
    table : Table
        What was read.
    labels : ndarray of int, shape (n,)
        Clusters from 0; they are written from 1, and -1 as "not clustered".
    row_ids : ndarray of int, shape (n,), optional
        The table's row of each label, from 1; by default every row has one.
    column : str, default "cluster"
        Name of the new column; "cluster (Basinscope)" where the table has it already, since
        "cluster_2" would read as the second cluster.

    Returns
    -------
    bytes
    """
    labels = np.asarray(labels)
    rows = np.arange(len(labels)) if row_ids is None else np.asarray(row_ids) - 1
    cells = np.full(len(table.frame), NOT_CLUSTERED, dtype=object)
    cells[rows] = [NOT_CLUSTERED if label < 0 else str(label + 1) for label in labels]
    name = column
    while name in table.frame.columns:
        name = f"{name} (Basinscope)"
    frame = table.frame.assign(**{name: cells})
    return frame.to_csv(sep=table.delimiter, index=False, lineterminator=table.line_end).encode()


def file_name(recipe, table):
    """Name the download by table, method and k: "wine-clam-k3.csv".

    Parameters
    ----------
    recipe : Recipe
    table : Table

    Returns
    -------
    str
        Letters, digits, "-" and "_" before the ending.
    """
    stem = recipe.data.name if recipe.data.kind == "builtin" else PurePath(table.name).stem
    plain = re.sub(r"[^\w]+", "-", stem)[:_LONGEST].strip("-_") or "table"
    return f"{plain}-{recipe.method}-k{recipe.settings['n_clusters']}.csv"
