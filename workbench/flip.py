"""How far a row must move to change its cluster, and which column alone would do."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

_STEPS = 128  # looks along a line before the change is bracketed
_HALVINGS = 24
_MARGIN = 1e-6  # of the line's length, beyond the border: rounding does not undo the change
_MOST_LINES = 16  # prototypes tried, the nearest borders first
_MOST_COLUMNS = 24  # tried alone: those with the longest bars
_LOOKS = 48  # at values of one column
_MOST_WORDS = 200


@dataclass(frozen=True, eq=False)
class Flip:
    """The shortest move found that changes a point's cluster.

    Attributes
    ----------
    distance : float
        In prepared units; in degrees on the sphere.
    point : ndarray of shape (d,)
        Where it arrives, just beyond the border.
    into : int
        The cluster there.
    """

    distance: float
    point: np.ndarray
    into: int


class Switch(NamedTuple):
    """A change of one column alone that changes a row's cluster.

    Attributes
    ----------
    column : str
        Of the table.
    value : float or str
        Nearest to the row's own that does, in the table's own units; a word or a day.
    was : float or str
    into : int
        The cluster then.
    distance : float
        In prepared units, by which switches are ordered.
    """

    column: str
    value: float | str
    was: float | str
    into: int
    distance: float


def shortest_flip(rule, point, label):
    """Find a short move that changes the cluster of a point.

    Lines are followed from the point in the direction from its own prototype to each other one,
    which is the shortest way to the border between two cells of nearest prototypes, with or
    without weights; and, since basins of recall can wind, straight to each other prototype: of
    those, 16 at most, whose borders are nearest. The first change on each line is bracketed and
    halved, and the shortest kept: exact for nearest prototypes, never too short for basins.

    Parameters
    ----------
    rule : workbench.rule.Rule
    point : ndarray of shape (d,)
        `inside` the rule's space.
    label : int
        Its cluster.

    Returns
    -------
    Flip or None
        None where no line leaves the cluster.
    """
    moves = _moves(rule, point, label)
    if not len(moves):
        return None
    starts = np.broadcast_to(point, moves.shape)
    at = _first_change(rule, starts, moves, label)
    ends = rule.inside(starts + (at + _MARGIN)[:, None] * moves)
    lengths = np.where(np.isfinite(at), _way(rule, point, ends), np.inf)
    best = int(np.argmin(lengths))
    if not np.isfinite(lengths[best]):
        return None
    into = int(rule.labels(ends[[best]])[0])
    return None if into == label else Flip(float(lengths[best]), ends[best], into)


def _moves(rule, point, label):
    """Ends of the lines, relative to the point: past each near prototype, and to it."""
    across = rule.keys - rule.keys[label]
    apart = np.linalg.norm(across, axis=1)
    evidence = rule.evidence(point[None])[0]
    with np.errstate(divide="ignore", invalid="ignore"):
        border = (evidence[label] - evidence) / apart  # up to a factor, the way to the border
    others = np.flatnonzero(apart > 0)
    others = others[np.argsort(border[others], kind="stable")[:_MOST_LINES]]
    ahead = ((rule.keys[others] - point) * across[others]).sum(axis=1) / apart[others] ** 2
    past = (np.maximum(ahead, 0) + 1)[:, None] * across[others]
    return np.concatenate([past, rule.keys[others] - point])


def _way(rule, point, ends):
    if not rule.spherical:
        return np.linalg.norm(ends - point, axis=1)
    chords = np.linalg.norm(ends - point, axis=1)
    return np.degrees(2 * np.arcsin(np.minimum(1, chords / 2)))


def _first_change(rule, starts, moves, label):
    """Share of each move (m,) at which the label first changes; infinite where it does not."""
    shares = np.linspace(0, 1, _STEPS + 1)
    lines = starts[:, None] + shares[:, None] * moves[:, None]
    flat = rule.inside(lines.reshape(-1, moves.shape[1]))
    changed = (rule.labels(flat) != label).reshape(len(moves), -1)
    found = np.where(changed.any(axis=1), shares[changed.argmax(axis=1)], np.inf)
    open_ = np.flatnonzero(np.isfinite(found))
    high = found[open_]
    low = np.maximum(high - 1 / _STEPS, 0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        points = rule.inside(starts[open_] + middle[:, None] * moves[open_])
        changed = rule.labels(points) != label
        high, low = np.where(changed, middle, high), np.where(changed, low, middle)
    found[open_] = high
    return found


def switches(rule, dataset, row, label, bars):
    """Find the columns of which a change alone changes a row's cluster.

    A number or a day is moved up and down as far as the column's values go, a word exchanged for
    each other one; a missing value stays missing, also where it was filled.

    Parameters
    ----------
    rule : workbench.rule.Rule
    dataset : Dataset
    row, label : int
        Position of the row, and its cluster.
    bars : sequence of Bar
        Columns in the order in which they are tried, 24 at most.

    Returns
    -------
    tuple of Switch
        The shortest first.
    """
    found = []
    columns = {column.name: column for column in dataset.columns}
    for name in [bar.column for bar in bars if bar.column][:_MOST_COLUMNS]:
        features = np.flatnonzero(np.array(dataset.origins) == name)
        if dataset.gaps[row, features].any():
            continue
        change = _exchanged if columns[name].words else _moved
        switch = change(rule, dataset, row, label, columns[name], features)
        if switch is not None:
            found.append(switch)
    return tuple(sorted(found, key=lambda switch: switch.distance))


def _moved(rule, dataset, row, label, column, features):
    (at,) = features
    own, values = dataset.X[row], dataset.X[:, at]
    low, high = np.nanmin(values), np.nanmax(values)
    shares = np.linspace(0, 1, _LOOKS + 1)[1:]
    best = None
    for end in (low, high):
        if end == own[at]:
            continue
        tried = own[at] + shares * (end - own[at])
        changed = np.flatnonzero(_labels_with(rule, own, [at], tried[:, None]) != label)
        if not len(changed):
            continue
        outside = own[at] if changed[0] == 0 else tried[changed[0] - 1]
        value = _halved(rule, own, at, label, outside, tried[changed[0]])
        if best is None or abs(value - own[at]) < abs(best - own[at]):
            best = value
    if best is None:
        return None
    into = int(_labels_with(rule, own, [at], np.array([[best]]))[0])
    moved = np.stack([own, own])
    moved[1, at] = best
    was, value = map(float, dataset.restore(moved)[:, at])
    if column.role == "date":
        was, value = _day(was, 0), _day(value, value - was)
    return Switch(column.name, value, was, into, float(abs(best - own[at])))


def _day(days, direction):
    """Write days since 1970 as a date, the next whole one in a direction."""
    whole = np.ceil(days) if direction > 0 else np.floor(days)
    return str(np.datetime64(int(whole), "D"))


def _halved(rule, own, at, label, outside, inside):
    """Return the value nearest to `outside`, where the label is the row's own, that changes it."""
    for _ in range(_HALVINGS):
        middle = (outside + inside) / 2
        changed = _labels_with(rule, own, [at], np.array([[middle]]))[0] != label
        outside, inside = (outside, middle) if changed else (middle, inside)
    return inside


def _exchanged(rule, dataset, row, label, column, features):
    own = dataset.X[row]
    known = np.flatnonzero(~dataset.gaps[:, features].any(axis=1))  # a fill is no word
    codes, first = np.unique(dataset.X[known][:, features], axis=0, return_index=True)
    codes, first = codes[:_MOST_WORDS], known[first[:_MOST_WORDS]]
    labels = _labels_with(rule, own, features, codes)
    lengths = np.where(labels != label, np.linalg.norm(codes - own[features], axis=1), np.inf)
    best = int(np.argmin(lengths))
    if not np.isfinite(lengths[best]):
        return None
    rows = dataset.row_ids[[first[best], row]] - 1
    value, was = (str(cell).strip() for cell in dataset.source.frame[column.name].iloc[rows])
    return Switch(column.name, value, was, int(labels[best]), float(lengths[best]))


def _labels_with(rule, own, features, values):
    """Labels of a row with other values in some features, (m,)."""
    points = np.repeat(own[None], len(values), axis=0)
    points[:, features] = values
    return rule.labels(rule.inside(points))
