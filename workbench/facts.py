"""What to know about each column of a table before it is clustered."""

from dataclasses import dataclass

import numpy as np

from workbench.words import listing

SEEN = 20_000  # rows looked at
_NEARLY = 0.99  # of the cells alike
_SKEWED = 2.0
_COPIES = 0.9999  # absolute correlation


@dataclass(frozen=True)
class Facts:
    """What a person should see of a column.

    Parameters
    ----------
    missing : float
        Share of cells without a value.
    examples : str
        Some of its values.
    flags : tuple of str
        What to mind.
    """

    missing: float
    examples: str
    flags: tuple[str, ...]


def column_facts(table, guesses, most_examples=3):
    """Look at each column.

    Parameters
    ----------
    table : Table
    guesses : dict of str to Guess
    most_examples : int, default 3

    Returns
    -------
    dict of str to Facts
    """
    copies = _copies(table, [name for name, guess in guesses.items() if guess.role == "numeric"])
    return {
        name: _facts(table, name, guess, copies.get(name), most_examples)
        for name, guess in guesses.items()
    }


def _facts(table, name, guess, copy, most_examples):
    cells = table.frame[name].head(SEEN).str.strip()
    blank = cells.str.lower().isin(table.missing)
    filled = cells[~blank]
    flags = []
    if len(filled):
        counts = filled.value_counts()
        if len(counts) > 1 and counts.iloc[0] >= _NEARLY * len(filled):
            flags.append(f"{counts.iloc[0] / len(filled):.1%} are {counts.index[0]}")
    if guess.role == "numeric":
        values = table.numbers[name].values
        known = values[np.isfinite(values)]
        if known.min() >= 0 and _skewness(known) > _SKEWED:
            flags.append("strongly skewed: a log scale may help")
        missing = 1 - len(known) / len(values)
    else:
        missing = float(blank.mean()) if len(cells) else 0.0
    if copy:
        flags.append(f"a copy of {copy}, up to scale")
    return Facts(missing, listing(filled.drop_duplicates().head(most_examples)), tuple(flags))


def _skewness(values):
    spread = values.std()
    return float(np.mean(((values - values.mean()) / spread) ** 3)) if spread else 0.0


def _copies(table, names, most=200):
    """Name for each column of numbers an earlier one that is the same up to scale."""
    if not 2 <= len(names) <= most:
        return {}
    X = np.column_stack([table.numbers[name].values[:SEEN] for name in names])
    X = X[np.isfinite(X).all(axis=1)]
    if len(X) < 3:
        return {}
    spread = X.std(axis=0)
    X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)
    alike = np.triu(np.abs(X.T @ X) / len(X) > _COPIES, 1)
    return {names[j]: names[int(np.argmax(alike[:, j]))] for j in np.flatnonzero(alike.any(axis=0))}
