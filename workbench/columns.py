"""One column of a table as features: numbers, categories, ordered words, dates."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from workbench.number_cells import read_numbers
from workbench.preparation import Role
from workbench.roles import date_format
from workbench.table import NUMERIC_SHARE, DataError
from workbench.words import count, listing, numbered

OTHER = "other values"
_MARKS = {".": "point", ",": "comma"}
_SCALES = (
    ("very low", "low", "medium", "high", "very high"),
    ("low", "moderate", "high"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("strongly disagree", "disagree", "neutral", "agree", "strongly agree"),
    ("very poor", "poor", "fair", "good", "very good", "excellent"),
    ("none", "mild", "moderate", "severe"),
    ("xxs", "xs", "s", "m", "l", "xl", "xxl"),
    ("small", "medium", "large"),
    ("first", "second", "third", "fourth", "fifth"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("january", "february", "march", "april", "may", "june", "july", "august", "september",
     "october", "november", "december"),
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells of a column as its role reads them.

    Parameters
    ----------
    name : str
    role : str
    values : ndarray of shape (n,)
        Numbers, days, or positions in `words`; NaN where there is none.
    blank, infinite, unreadable : ndarray of bool, shape (n,)
        Which cells are no value, by reason.
    words : tuple of str
        Distinct words of a category, the most frequent first, or of an order, from its low end.
    form : str
        Format of dates.
    decimal : str
        Decimal mark of numbers.
    """

    name: str
    role: Role
    values: np.ndarray
    blank: np.ndarray
    infinite: np.ndarray
    unreadable: np.ndarray
    words: tuple[str, ...] = ()
    form: str = ""
    decimal: str = ""

    def require_readable(self, table):
        """Refuse numbers or dates that most cells are not.

        Raises
        ------
        DataError
        """
        if self.words or self.role == "category":
            return
        if np.isfinite(self.values).sum() < NUMERIC_SHARE * (~self.blank).sum():
            what = "dates" if self.role == "date" else "numbers"
            raise DataError(
                f"column={self.name!r} should hold {what}: fewer than {NUMERIC_SHARE:.0%} of its "
                f"filled cells in {table.name} are."
            )

    def lost(self):
        """Name the cells that are written but are no value, one sentence for each reason."""
        for kind in ("infinite", "unreadable"):
            yield from _taken_as_missing(self.name, kind, getattr(self, kind))


def _taken_as_missing(name, kind, which):
    rows = np.flatnonzero(which) + 1
    if len(rows):
        cells = count(len(rows), f"{kind} cell")
        yield f"{name}: {cells} taken as missing, {numbered('row', rows)}."


def cells_of(table, name, role):
    """Read a column by its role.

    Parameters
    ----------
    table : Table
    name : str
    role : {"numeric", "category", "ordinal", "date"}

    Returns
    -------
    Cells
    """
    if role == "numeric" or (role == "ordinal" and table.numbers[name].is_numeric):
        return _number_cells(table, name, role)
    if role == "date":
        return _date_cells(table, name, date_format(table.frame[name], table.missing) or "")
    text, blank = _stripped(table, name)
    none = np.zeros(len(blank), dtype=bool)
    words = _ordered(text[~blank]) if role == "ordinal" else _by_number(text[~blank])
    return Cells(name, role, _positions(text, words, blank), blank, none, none, words)


def _number_cells(table, name, role, decimal=""):
    """Read numbers; by `decimal`, where it is given and the cells do not show another mark."""
    column = table.numbers[name]
    if decimal and column.decimal != decimal:
        column = read_numbers(table.frame[name], decimal, table.reading)
    return Cells(
        name, role, column.values, column.blank, column.infinite, column.unreadable,
        decimal=column.decimal,
    )  # fmt: skip


def _date_cells(table, name, form):
    text, blank = _stripped(table, name)
    # Times with a zone are taken to that of Greenwich, so that one column has one clock.
    parsed = pd.to_datetime(text, format=form or "ISO8601", errors="coerce", utc=True)
    days = (parsed.dt.tz_localize(None) - pd.Timestamp(0)) / pd.Timedelta(days=1)
    values = np.where(blank, np.nan, days.to_numpy(dtype=float))
    none = np.zeros(len(blank), dtype=bool)
    return Cells(name, "date", values, blank, none, np.isnan(values) & ~blank, form=form)


def _stripped(table, name):
    """Cells without the space around them, and which of them are blank."""
    text = table.frame[name].str.strip()
    return text, text.str.lower().isin(table.missing).to_numpy(dtype=bool)


def _positions(text, words, blank):
    places = pd.Index(words).get_indexer(text.to_numpy(dtype=object)).astype(float)
    places[(places < 0) | blank] = np.nan
    return places


def _by_number(filled):
    """Distinct words, the most frequent first; a tie goes by the alphabet."""
    counts = filled.value_counts()
    frame = pd.DataFrame({"word": counts.index.astype(str), "count": counts.to_numpy()})
    frame = frame.sort_values(["count", "word"], ascending=[False, True])
    return tuple(frame["word"].tolist())


def _ordered(filled):
    """Distinct words from low to high: a known order where all belong to one, else by alphabet."""
    words = sorted(filled.unique())
    for scale in _SCALES:
        if all(word.lower() in scale for word in words):
            return tuple(sorted(words, key=lambda word: scale.index(word.lower())))
    return tuple(words)


@dataclass(frozen=True)
class PreparedColumn:
    """How a column becomes features; plain values, so that it can be written down.

    Parameters
    ----------
    name : str
    role : str
    features : tuple of str
    centre, scale : float or tuple of float
        A feature is (value - centre) / scale.
    fill : tuple of float
        What a missing value becomes, in the prepared space; NaN where it is left.
    log : float
        The logarithm of value + log is taken; 0 where none is, since values are > 0 then or
        shifted by at least their smallest step.
    words : tuple of str
        Of a category: those with a feature of their own; of an order: all, from its low end.
    other : bool
        Whether the last feature stands for all other words.
    form : str
        Format of dates.
    decimal : str
        Decimal mark of numbers; empty where it is not known.
    weight : float
        What a squared difference counts.
    """

    name: str
    role: Role
    features: tuple[str, ...]
    centre: tuple[float, ...]
    scale: tuple[float, ...]
    fill: tuple[float, ...]
    log: float = 0.0
    words: tuple[str, ...] = ()
    other: bool = False
    form: str = ""
    decimal: str = ""
    weight: float = 1.0

    @property
    def order(self):
        """Words of an ordinal column of text, from its low end."""
        return self.words if self.role == "ordinal" else ()

    def values(self, table):
        """Return the features of a table's rows, and what to know about its cells.

        Parameters
        ----------
        table : Table

        Returns
        -------
        values : ndarray of shape (n, features)
        notes : tuple of str
            What is written but not taken as a value, one sentence each.

        Raises
        ------
        DataError
            Where most cells are not numbers, or dates, at all.
        """
        raw, notes = self._places(table) if self.words else self._numbers(table)
        return (raw - np.array(self.centre)) / np.array(self.scale), notes

    def _places(self, table):
        text, blank = _stripped(table, self.name)
        places = _positions(text, self.words, blank)
        unknown = np.isnan(places) & ~blank
        notes = ()
        if unknown.any() and not self.other:
            unseen = listing(sorted(set(text[unknown])))
            notes = (f"{self.name}: values that were not there before: {unseen}.",)
        if self.role == "ordinal":
            return places[:, None], notes
        if self.other:
            places[unknown] = len(self.words)
        return _indicators(places, len(self.features), len(self.words) + self.other), notes

    def _numbers(self, table):
        if self.role == "date":
            cells = _date_cells(table, self.name, self.form)
        else:
            cells = _number_cells(table, self.name, self.role, self.decimal)
        cells.require_readable(table)
        notes = [*cells.lost()]
        if self.decimal and cells.decimal != self.decimal:
            here, first = _MARKS[cells.decimal], _MARKS[self.decimal]
            notes.append(f"{self.name}: its decimal mark is a {here}, not a {first} as at first.")
        values = cells.values
        if self.log:
            values = self._logarithms(values)
            below = np.isnan(values) & ~np.isnan(cells.values)
            why = "negative" if self.log > 0 else "zero or negative"
            notes += _taken_as_missing(self.name, why, below)
        return values[:, None], tuple(notes)

    def _logarithms(self, values):
        shift = 0.0 if self.log < 0 else self.log
        with np.errstate(invalid="ignore", divide="ignore"):
            logs = np.log(values + shift)
        return np.where(np.isfinite(logs) & (values >= 0), logs, np.nan)

    def restore(self, points):
        """Take prepared features back to the column's own units, (m, features)."""
        raw = points * np.array(self.scale) + np.array(self.centre)
        if not self.log:
            return raw
        return np.exp(raw) - (0.0 if self.log < 0 else self.log)


def _indicators(places, n_features, n_words):
    """One column for each word; of two words, the first one's says all."""
    shown = np.arange(n_features)
    values = (places[:, None] == shown).astype(float)
    values[np.isnan(places)] = np.nan
    return values


def fit_column(cells, kept, preparation):
    """Learn how a column becomes features from the rows that are kept.

    Numbers and dates are scaled by scikit-learn's scalers. A category has one feature for each of
    its most frequent words; they share one scale, under which two rows drawn at random differ as
    much, in squared distance, as they do in a number.

    Parameters
    ----------
    cells : Cells
    kept : ndarray of bool, shape (n,)
    preparation : Preparation

    Returns
    -------
    PreparedColumn

    Raises
    ------
    DataError
        Where a log scale meets a negative number.
    """
    weight = preparation.weights.get(cells.name, 1.0)
    fit = _fit_category if cells.role == "category" else _fit_number
    return fit(cells, cells.values[kept], preparation, weight)


def _fit_number(cells, values, preparation, weight):
    log = 0.0
    if cells.name in preparation.log and not cells.words:
        lowest = np.nanmin(values)
        if lowest < 0:
            raise DataError(
                f"column={cells.name!r} has negative numbers, and a log scale needs >= 0."
            )
        log = -1.0 if lowest > 0 else 1.0
        values = np.log(values + (0.0 if log < 0 else log))
    centre, scale = _scaling(values, preparation.scaling)
    scale /= np.sqrt(weight)
    fill = {"mean": np.nanmean(values), "median": np.nanmedian(values)}.get(preparation.impute)
    filled = np.nan if fill is None else (fill - centre) / scale
    return PreparedColumn(
        cells.name, cells.role, (cells.name,), (centre,), (scale,), (float(filled),), log,
        words=cells.words, form=cells.form, decimal=cells.decimal, weight=weight,
    )  # fmt: skip


def _scaling(values, scaling):
    """Centre and scale of a column of numbers, in float64."""
    if scaling == "none":
        return 0.0, 1.0
    if scaling == "standard":
        # Twice: the first mean of values near 1e7 carries an error that the second one removes.
        centre = np.nanmean(values)
        centred = values - centre
        rest = np.nanmean(centred)
        return float(centre + rest), float(np.sqrt(np.nanmean((centred - rest) ** 2)))
    from sklearn.preprocessing import MinMaxScaler, RobustScaler

    if scaling == "min-max":
        found = MinMaxScaler().fit(values[:, None])
        return float(found.data_min_[0]), float(found.data_range_[0])
    scaler = RobustScaler().fit(values[:, None])
    ends = scaler.inverse_transform([[0.0], [1.0]]).ravel()  # where 0 and 1 lie
    return float(ends[0]), float(ends[1] - ends[0])


def _fit_category(cells, values, preparation, weight):
    known = values[~np.isnan(values)].astype(int)
    counts = np.bincount(known, minlength=len(cells.words))
    seen = [place for place in np.argsort(-counts, kind="stable") if counts[place]]
    most = preparation.most_categories
    other = len(seen) > most
    own = seen[: most - 1] if other else seen
    words = tuple(cells.words[place] for place in own)
    shares = np.array([counts[place] for place in own]) / len(known)
    if other:
        shares = np.append(shares, 1 - shares.sum())
    features = [f"{cells.name} = {word}" for word in words] + [f"{cells.name}: {OTHER}"] * other
    spread = 1 - np.square(shares).sum()
    if len(features) == 2:  # the second says nothing new
        features, shares, spread = features[:1], shares[:1], spread / 2
        step = 1.0
    else:
        step = 2.0
    fair = spread if preparation.scaling in ("standard", "robust") else step
    scale = float(np.sqrt(fair / weight))
    centre = shares if preparation.scaling in ("standard", "robust") else np.zeros(len(shares))
    fill = np.full(len(features), np.nan)
    if preparation.impute == "mean":
        fill = (shares - centre) / scale
    elif preparation.impute == "median":
        fill = ((np.arange(len(features)) == int(np.argmax(shares))) - centre) / scale
    return PreparedColumn(
        cells.name, "category", tuple(features), tuple(map(float, centre)),
        (scale,) * len(features), tuple(map(float, fill)), words=words, other=other, weight=weight,
    )  # fmt: skip
