"""Labels for the reader to take away."""

import numpy as np

NOT_CLUSTERED = "not clustered"


def labelled_csv(table, labels, row_ids=None, *, column="cluster"):
    """Write a table with one more column that holds the cluster of each row.

    Rows, their order, columns and cells are those of the table, digit for digit: a cell that a
    spreadsheet would take for a formula is the user's own text and stays as it is. The delimiter
    is the original one, the encoding UTF-8.

    Parameters
    ----------
    table : Table
        What was read.
    labels : ndarray of int, shape (n,)
        Clusters from 0; they are written from 1, and -1 as "not clustered".
    row_ids : ndarray of int, shape (n,), optional
        The table's row of each label, from 1; by default every row has one.
    column : str, default "cluster"
        Name of the new column; "cluster_2" and so on where the table has it already.

    Returns
    -------
    bytes
    """
    labels = np.asarray(labels)
    rows = np.arange(len(labels)) if row_ids is None else np.asarray(row_ids) - 1
    cells = np.full(len(table.frame), NOT_CLUSTERED, dtype=object)
    cells[rows] = [NOT_CLUSTERED if label < 0 else str(label + 1) for label in labels]
    name, number = column, 2
    while name in table.frame.columns:
        name, number = f"{column}_{number}", number + 1
    frame = table.frame.assign(**{name: cells})
    return frame.to_csv(sep=table.delimiter, index=False, lineterminator="\n").encode()
