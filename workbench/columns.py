"""One column of a table as features: numbers, categories, ordered words, dates."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from workbench.preparation import GUESSED, Role
from workbench.roles import date_format
from workbench.table import DataError

OTHER = "other values"
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
    """

    name: str
    role: Role
    values: np.ndarray
    blank: np.ndarray
    infinite: np.ndarray
    unreadable: np.ndarray
    words: tuple[str, ...] = ()
    form: str = ""


def cells_of(table, name, role, preparation=GUESSED):
    """Read a column by its role.

    Parameters
    ----------
    table : Table
    name : str
    role : {"numeric", "category", "ordinal", "date"}
    preparation : Preparation, optional
        Which columns are on a log scale.

    Returns
    -------
    Cells

    Raises
    ------
    DataError
        Where a log scale meets negative numbers.
    """
    if role == "numeric" or (role == "ordinal" and table.numbers[name].is_numeric):
        column = table.numbers[name]
        values = column.values
        if name in preparation.log and np.nanmin(values, initial=0) < 0:
            raise DataError(f"column={name!r} has negative numbers, and a log scale needs >= 0.")
        return Cells(name, role, values, column.blank, column.infinite, column.unreadable)
    text = table.frame[name].str.strip()
    blank = text.str.lower().isin(table.missing).to_numpy(dtype=bool)
    none = np.zeros(len(blank), dtype=bool)
    if role == "date":
        form = date_format(table.frame[name], table.missing) or ""
        values = _days(text, form)
        return Cells(name, role, values, blank, none, np.isnan(values) & ~blank, (), form)
    words = _ordered(text[~blank]) if role == "ordinal" else _by_number(text[~blank])
    return Cells(name, role, _positions(text, words, blank), blank, none, none, words)


def _days(text, form):
    parsed = pd.to_datetime(text, format=form or "ISO8601", errors="coerce")
    return ((parsed - pd.Timestamp(0)) / pd.Timedelta(days=1)).to_numpy(dtype=float)


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
    weight: float = 1.0

    @property
    def order(self):
        """Words of an ordinal column of text, from its low end."""
        return self.words if self.role == "ordinal" else ()

    def values(self, table):
        """Return the features of a table's rows, and words that were not there before.

        Parameters
        ----------
        table : Table

        Returns
        -------
        values : ndarray of shape (n, features)
        unseen : tuple of str
        """
        raw, unseen = self._raw(table)
        return (raw - np.array(self.centre)) / np.array(self.scale), unseen

    def _raw(self, table):
        if not self.words:
            values = self._numbers(table)
            return values[:, None], ()
        text = table.frame[self.name].str.strip()
        blank = text.str.lower().isin(table.missing).to_numpy(dtype=bool)
        places = _positions(text, self.words, blank)
        unknown = np.isnan(places) & ~blank
        unseen = tuple(sorted(set(text[unknown]))) if unknown.any() and not self.other else ()
        if self.role == "ordinal":
            return places[:, None], unseen
        if self.other:
            places[unknown] = len(self.words)
        return _indicators(places, len(self.features), len(self.words) + self.other), unseen

    def _numbers(self, table):
        if self.role == "date":
            return _days(table.frame[self.name].str.strip(), self.form)
        values = table.numbers[self.name].values
        if not self.log:
            return values
        shift = 0.0 if self.log < 0 else self.log
        with np.errstate(invalid="ignore", divide="ignore"):
            logs = np.log(values + shift)
        return np.where(np.isfinite(logs), logs, np.nan)

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
    """
    weight = preparation.weights.get(cells.name, 1.0)
    fit = _fit_category if cells.role == "category" else _fit_number
    return fit(cells, cells.values[kept], preparation, weight)


def _fit_number(cells, values, preparation, weight):
    log = 0.0
    if cells.name in preparation.log and not cells.words:
        known = values[~np.isnan(values)]
        log = -1.0 if known.min() > 0 else 1.0
        values = np.log(values + (0.0 if log < 0 else log))
    centre, scale = _scaling(values, preparation.scaling)
    scale /= np.sqrt(weight)
    fill = {"mean": np.nanmean(values), "median": np.nanmedian(values)}.get(preparation.impute)
    filled = np.nan if fill is None else (fill - centre) / scale
    return PreparedColumn(
        cells.name, cells.role, (cells.name,), (centre,), (scale,), (float(filled),), log,
        words=cells.words, form=cells.form, weight=weight,
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
