"""The table of scores of a comparison."""

import numpy as np
import pandas as pd
import streamlit as st

from ui import compare_words
from workbench.comparison import SCORES
from workbench.score_table import score_csv

_NULL = "data without clusters"
_DECIMALS = {"calinski_harabasz": 0, "laplacian": 2}
BEST = "★"
_ORDER = (
    "silhouette", "nmi", "ari", "accuracy",
    "davies_bouldin", "calinski_harabasz", "laplacian",
)  # fmt: skip
_CHANCE = "chance"  # the column beside the silhouette: what it is without clusters
_RANK = "Mean place over all scores, those of the second table too: 1 is first everywhere."
_WIDTHS = {"silhouette": 125, "davies_bouldin": 115}  # pixels; all fit a screen of 1440
_APART = ("nmi", "ari", "accuracy", "seconds", "peak")  # columns of a second table


def scores(standings, null, n_seeds, name):
    """Show how methods stand, and let the reader take the numbers away.

    Parameters
    ----------
    standings : sequence of workbench.standings.Standing
    null : mapping of str to (float, float)
        Of `workbench.standings.null_row`.
    n_seeds : int
    name : str
        Of the file that is offered.
    """
    keys = shown_scores(standings)
    words = compare_words.table(standings, n_seeds)
    style = styled(standings, null, keys)
    first = [name for name in style.columns if name not in _APART]
    _table("compare.table", style, first, f"Scores of {len(standings)} methods. {words}")
    for standing in standings:
        if standing.error or not standing.fits:
            icon = "error" if standing.error else "cancel"
            st.caption(f":material/{icon}: {compare_words.standing_error(standing)}")
    st.caption(f"{words} {compare_words.null(null)}")
    title = compare_words.second_table("ari" in keys)
    st.markdown(f"**{title}**")
    second = [name for name in style.columns if name in ("Method", *_APART)]
    _table("compare.costs", styled(standings, {}, keys), second, f"{title}.")
    st.download_button(
        "Download scores",
        lambda: score_csv(standings, null).encode(),
        file_name=name,
        mime="text/csv",
        icon=":material/download:",
        key="compare:scores:download",
        on_click="ignore",
        help="As CSV: means, spreads and ranks as numbers.",
    )


def _table(key, style, shown, alt):
    """Show some columns of the table, as many as fit a screen side by side."""
    st.dataframe(
        style, hide_index=True, column_config=_config(style.columns), column_order=shown,
        height="content", placeholder="—", key=key, alt=alt,
    )  # fmt: skip


def shown_scores(standings):
    """Return the keys of the scores that any method has."""
    return [
        key
        for key in _ORDER
        if any(np.isfinite(standing.mean.get(key, np.nan)) for standing in standings)
    ]


class Spelled(float):
    """A number to sort by, with the text that is read in its place.

    Parameters
    ----------
    value : float
    text : str
    """

    text: str

    def __new__(cls, value, text):
        """Keep the text beside the number."""
        self = super().__new__(cls, value)
        self.text = text
        return self


def styled(standings, null, keys):
    """Build the table: numbers to sort by, and words to read in their place.

    Parameters
    ----------
    standings, null
        As for `scores`.
    keys : sequence of str
        Of the scores that are shown.

    Returns
    -------
    pandas.io.formats.style.Styler
        Of :class:`Spelled` cells.
    """
    best = {key: _best(standings, key) for key in keys}
    rows = [_row(standing, keys, best) for standing in standings]
    if null:
        told = {key: Spelled(null[key][0], _number(key, null[key][0])) for key in null}
        rows.append({"Method": _NULL} | told)
    columns = _columns(keys, any("silhouette" in standing.null for standing in standings))
    frame = pd.DataFrame(rows, columns=columns, dtype=object)
    return frame.style.format(lambda cell: getattr(cell, "text", ""), subset=columns[1:])


def _columns(keys, chance):
    first = [*keys[:1], _CHANCE] if chance and keys[:1] == ["silhouette"] else keys[:1]
    return ["Method", "rank", *first, *keys[1:], "found", "noise", "seconds", "peak"]


def _row(standing, keys, best):
    """The cells of one method; one that failed has its name alone."""
    if not standing.fits:
        return {"Method": standing.name}
    chance = standing.null.get("silhouette", np.nan)
    row = {
        "Method": standing.name,
        "rank": Spelled(standing.rank, f"{standing.rank:.1f}"),
        _CHANCE: Spelled(chance, _number("silhouette", chance)),
        "found": Spelled(np.mean(standing.n_found), _found(standing.n_found)),
        "noise": Spelled(standing.noise, f"{standing.noise:.0%}" if standing.noise else "0"),
        "seconds": Spelled(
            standing.seconds, f"{standing.seconds:.{2 if standing.seconds < 10 else 0}f}"
        ),
        "peak": Spelled(standing.peak / 1e6, _megabytes(standing.peak)),
    }
    for key in keys:
        value = standing.mean.get(key, np.nan)
        text = _number(key, value, standing.spread.get(key, np.nan))
        star = f" {BEST}" if standing.method in best[key] else ""
        row[key] = Spelled(value, text + star)
    return row


def _megabytes(size):
    return f"{size / 1e6:,.{0 if size >= 1e7 else 1}f}" if np.isfinite(size) else "—"


def _best(standings, key):
    """Keys of the methods that are first in a score."""
    places = {s.method: s.ranks[key] for s in standings if key in s.ranks}
    return {method for method, place in places.items() if place == min(places.values())}


def _number(key, value, spread=np.nan):
    """Write a score and its spread: "0.553 ± 0.012"; a dash where it is not defined."""
    if not np.isfinite(value):
        return "—"
    digits = _DECIMALS.get(key, 3)
    text = f"{value:z,.{digits}f}".replace("-", "−")
    return f"{text} ± {spread:,.{digits}f}" if np.isfinite(spread) else text


def _found(numbers):
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def _config(columns):
    number = st.column_config.NumberColumn
    keys = [name for name in columns if name in SCORES]
    arrows = {key: "↑" if SCORES[key].higher else "↓" for key in keys}
    return {
        "Method": st.column_config.TextColumn(pinned=True, width=150),
        "rank": number("Rank ↓", help=_RANK, width=65),
        **{
            key: number(
                f"{SCORES[key].short} {arrows[key]}",
                help=SCORES[key].about,
                width=_WIDTHS.get(key, 110),
            )
            for key in keys
        },
        _CHANCE: number(
            "SC null",
            help="The method's own silhouette on rows drawn without any clusters.",
            width=70,
        ),
        "found": number("k found", help="Clusters that have rows.", width=75),
        "noise": number("Noise", help="Share of the rows that lie in no cluster.", width=65),
        "seconds": number("Seconds", help="Of one fit, on one thread."),
        "peak": number("MB", help="The most that a fit held beyond what was loaded before it."),
    }
