"""What each column of a table seems to be: a guess with its reason, for a person to change."""

import re
from collections import Counter
from typing import NamedTuple

import numpy as np
import pandas as pd

from workbench.preparation import Role
from workbench.table import MISSING
from workbench.words import count

SEEN = 20_000  # rows that a guess looks at
CODES = 4  # distinct whole numbers that look like codes of a category
CODE_ROWS = 5  # of each
NAMES_SHARE = 0.9  # of a text column's filled cells that differ: then they are names
MOSTLY_EMPTY = 0.9
EMPTY, CONSTANT = "empty", "one value only"
_LONG_TEXT = 40  # characters on average: sentences
_LABELS = frozenset({"class", "label", "labels", "target", "ground truth", "y true"})
_IDS = frozenset({"id", "ids", "index", "idx", "no", "nr", "key", "uuid", "guid", "row", "#"})
_COUNTERS = _IDS | {"number", "num", "column 1"}
_DATES = (
    "%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%d/%m/%y", "%m/%d/%y", "%d.%m.%y",
    "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%d %b %Y", "%b %d, %Y",
)  # fmt: skip


class Guess(NamedTuple):
    """What a column seems to be, and why."""

    role: Role
    why: str


def guess_roles(table):
    """Guess the role of each column.

    Parameters
    ----------
    table : Table

    Returns
    -------
    dict of str to Guess
        In the order of the columns.
    """
    guesses = {name: _guess(table, name, place) for place, name in enumerate(table.frame.columns)}
    coded = _coded(table, [name for name, guess in guesses.items() if guess.role == "numeric"])
    for name in coded:
        codes = count(coded[name], "whole number")
        guesses[name] = Guess("category", f"{codes} only, as codes of a category")
    return guesses


def roles_of(table, preparation, guesses=None):
    """Return the role of each column: the guess, where nothing else was decided.

    Parameters
    ----------
    table : Table
    preparation : Preparation
    guesses : dict of str to Guess, optional
        Where they are at hand.

    Returns
    -------
    dict of str to str
    """
    guessed = {name: guess.role for name, guess in (guesses or guess_roles(table)).items()}
    decided = {name: role for name, role in preparation.roles.items() if name in guessed}
    if "label" in decided.values():  # there is one label at most: a decided one replaces a guess
        guessed = {n: ("category" if role == "label" else role) for n, role in guessed.items()}
    return guessed | decided


def no_features(table, guesses):
    """Say why a table has nothing to cluster by, and what to do.

    Parameters
    ----------
    table : Table
    guesses : dict of str to Guess

    Returns
    -------
    str
    """
    if all(guess.why in (CONSTANT, EMPTY) for guess in guesses.values()):
        return (
            f"Every column of {table.name} is constant or empty: choose a file whose values differ."
        )
    more = any(guess.role in ("category", "date") for guess in guesses.values())
    hint = ": tick Use for its categories or dates, or choose another file." if more else "."
    return f"{table.name} has no column of numbers to cluster{hint}"


def date_format(cells, missing=MISSING):
    """Find the format in which text cells are dates.

    Parameters
    ----------
    cells : pandas.Series of str
    missing : set of str, optional
        Spellings of a missing cell, in lower case.

    Returns
    -------
    str or None
        For `strptime`; None where fewer than 95 % of the filled cells are dates.
    """
    filled = cells[~_blank(cells, missing)].head(500)
    if not len(filled) or not bool(np.all(np.asarray(filled.str.contains(r"\d")))):
        return None
    parsed = {form: _share(filled, form) for form in _DATES}
    best = max(_DATES, key=parsed.__getitem__)  # a tie goes to the first: days before months
    return best if parsed[best] >= 0.95 else None


def other_order(cells, form, missing=MISSING):
    """Exchange day and month in a format of dates.

    Parameters
    ----------
    cells : pandas.Series of str
    form : str
        In which they are dates.
    missing : set of str, optional
        Spellings of a missing cell, in lower case.

    Returns
    -------
    str
        Empty where the cells do not fit it as well, or nobody writes dates so.
    """
    other = re.sub("%[dm]", lambda part: "%m" if part[0] == "%d" else "%d", form)
    if other == form or other not in _DATES:
        return ""
    filled = cells[~_blank(cells, missing)]
    return other if _share(filled, other) >= _share(filled, form) else ""


_PARTS = {"%Y": "year", "%y": "year", "%m": "month", "%b": "month", "%d": "day", "T": " ",
          "%H:%M:%S": "time", "%H:%M": "time"}  # fmt: skip


def form_in_words(form):
    """Write a format of dates in words: "day/month/year".

    Parameters
    ----------
    form : str
        For `strptime`; empty for that of ISO 8601.

    Returns
    -------
    str
    """
    return re.sub("|".join(_PARTS), lambda part: _PARTS[part[0]], form or "%Y-%m-%d")


def _share(cells, form):
    return pd.to_datetime(cells, format=form, errors="coerce").notna().mean()


def _guess(table, name, place):
    cells = table.frame[name].head(SEEN)
    filled = cells[~_blank(cells, table.missing)]
    distinct = filled.nunique()
    if not len(filled):
        return Guess("ignore", EMPTY)
    if distinct == 1 and len(table.frame) > 1:
        return Guess("ignore", CONSTANT)
    words = _words(name)
    if " ".join(words) in _LABELS and distinct < len(filled):
        return Guess("label", "named like reference labels")
    column = table.numbers[name]
    if column.is_numeric:
        return _guess_number(column.values[:SEEN], words, distinct, len(cells), place)
    if 1 - len(filled) / len(cells) > MOSTLY_EMPTY:
        return Guess("ignore", f"{1 - len(filled) / len(cells):.0%} empty")
    if words[-1] in _IDS and distinct > len(filled) / 2:
        return Guess("id", "named like an identifier")
    if date_format(cells, table.missing) is not None:
        return Guess("date", "dates")
    if filled.str.len().mean() > _LONG_TEXT:
        return Guess("ignore", "free text")
    if distinct > NAMES_SHARE * len(filled) and distinct > CODES:
        return Guess("id", "different text in nearly every row")
    usable = int(np.isfinite(column.values[:SEEN]).sum())
    mixed = ", numbers and words mixed" if usable > len(filled) / 10 else ""
    return Guess("category", f"{count(distinct, 'distinct value')}{mixed}")


def _guess_number(values, words, distinct, n, place):
    known = values[np.isfinite(values)]
    if not len(known):
        return Guess("ignore", "no number in the first rows")
    if 1 - len(known) / n > MOSTLY_EMPTY:
        return Guess("ignore", f"{1 - len(known) / n:.0%} empty")
    if np.any(known != np.round(known)):
        return Guess("numeric", "")
    named = words[-1] in _IDS
    counts = known[0] in (0, 1) and np.mean(np.diff(known) == 1) > 0.95
    if counts and (words[-1] in _COUNTERS or (place == 0 and " ".join(words) in _COUNTERS)):
        return Guess("id", "only counts the rows")
    if named and distinct > len(known) / 2:
        return Guess("id", "named like an identifier")
    return Guess("numeric", "")


def _coded(table, names):
    """Find columns of few whole numbers, unless most are such (of the table, or of like names)."""
    found = {}
    for name in names:
        values = table.numbers[name].values[:SEEN]
        known = values[np.isfinite(values)]
        distinct = np.unique(known[: 10 * CODES]) if len(known) else known
        if len(distinct) > CODES:
            continue
        distinct, each = np.unique(known, return_counts=True)
        few = len(distinct) <= CODES and each.min() >= CODE_ROWS
        if few and np.all(np.diff(distinct) == 1) and distinct[0] in (0, 1):
            found[name] = len(distinct)
    if 2 * len(found) > len(names):
        return {}
    family = {name: re.sub(r"\d+", "#", name) for name in names}
    alike, few = Counter(family.values()), Counter(family[name] for name in found)
    return {
        name: distinct
        for name, distinct in found.items()
        if family[name] in ("f#", "#")  # names that the intake made up
        or alike[family[name]] < 3
        or 2 * few[family[name]] > alike[family[name]]
    }


def _blank(cells, missing):
    return cells.str.strip().str.lower().isin(missing)


def _words(name):
    """Words of a name: "CustomerID" is customer and id."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(name))
    words = re.sub(r"[\s_.\-]+", " ", parted).strip().lower()
    return ["column 1"] if words == "column 1" else words.split() or [""]
