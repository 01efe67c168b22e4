"""Painted points: what a person draws in the browser becomes a table like that of any file.

The canvas tells whole thousandths of its side, so that a drawing, its CSV and the fingerprint of
that are the same wherever it is read again.
"""

from collections.abc import Mapping, Sequence

from workbench.intake import read_table
from workbench.table import DataError

SIDE = 1000  # steps along each side of the canvas, and
MOST = 2000  # points on it
INKS = ("a", "b", "c", "d", "e", "f")
NAME = "painted points.csv"

_UNKNOWN = "The painted points came in an unknown form: reload the page and use them again."


def drawing(message):
    """Check what the browser tells of a drawing.

    Parameters
    ----------
    message : object
        ``{"points": [[x, y, ink], ...]}``: whole thousandths of the canvas's side, from its lower
        left corner, and the position of the ink in `INKS`. Anything may come: it is not ours.

    Returns
    -------
    tuple of (int, int, int)

    Raises
    ------
    DataError
        In one sentence, where it is no drawing, has no points or too many.
    """
    points = message.get("points") if isinstance(message, Mapping) else None
    if not isinstance(points, Sequence) or isinstance(points, str):
        raise DataError(_UNKNOWN)
    if not points:
        raise DataError("No point is painted: paint some, and use them then.")
    if len(points) > MOST:
        raise DataError(f"points={len(points):,} should be at most {MOST:,}: erase some.")
    if not all(map(_is_point, points)):
        raise DataError(_UNKNOWN)
    return tuple((x, y, ink) for x, y, ink in points)


def _is_point(point):
    if not isinstance(point, Sequence) or len(point) != 3:
        return False
    whole = all(type(value) is int for value in point)  # a bool is no place
    return whole and all(0 <= value <= SIDE for value in point[:2]) and 0 <= point[2] < len(INKS)


def to_csv(points):
    """Write a drawing as CSV.

    Parameters
    ----------
    points : sequence of (int, int, int)
        As :func:`drawing` returns them.

    Returns
    -------
    bytes
        Columns x and y from 0 to 1, and label where there are several inks.
    """
    labelled = len({ink for _, _, ink in points}) > 1
    lines = ["x,y,label" if labelled else "x,y"]
    for x, y, ink in points:
        place = f"{x / SIDE:g},{y / SIDE:g}"
        lines.append(f"{place},{INKS[ink]}" if labelled else place)
    return ("\n".join(lines) + "\n").encode()


def painted_table(points):
    """Read a drawing as its CSV would be read.

    Parameters
    ----------
    points : sequence of (int, int, int)

    Returns
    -------
    table : workbench.table.Table
    payload : bytes
        The CSV.
    """
    payload = to_csv(points)
    return read_table(payload, NAME), payload


def drawing_of(table):
    """Return the drawing that a painted table is of.

    Parameters
    ----------
    table : workbench.table.Table
        Of :func:`painted_table`, or of a kept file of that name.

    Returns
    -------
    tuple of (int, int, int)

    Raises
    ------
    DataError
        Where the table is of something else, such as a file that bears the same name.
    """
    try:
        places = (table.frame[["x", "y"]].astype(float) * SIDE).round().astype(int)
        inks = [0] * len(places)
        if "label" in table.frame:
            inks = [INKS.index(word) for word in table.frame["label"]]
    except (KeyError, ValueError) as error:
        raise DataError(f"{table.name} is no drawing.") from error
    points = [[*at, ink] for at, ink in zip(places.to_numpy().tolist(), inks, strict=True)]
    return drawing({"points": points})


def is_drawing(table):
    """Whether a table is one of painted points: by its name and by every cell."""
    try:
        return table.name == NAME and bool(drawing_of(table))
    except DataError:
        return False
