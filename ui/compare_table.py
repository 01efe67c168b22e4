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
    st.dataframe(
        styled(standings, null, keys),
        hide_index=True,
        column_config=_config(keys),
        height="content",
        placeholder="—",
        key="compare.table",
        alt=f"Scores of {len(standings)} methods. {words}",
    )
    for standing in standings:
        if standing.error:
            st.caption(f":material/error: {compare_words.standing_error(standing)}")
    st.caption(f"{words} {compare_words.null(null)}")
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


def shown_scores(standings):
    """Return the keys of the scores that any method has."""
    return [
        key
        for key in _ORDER
        if any(np.isfinite(standing.mean.get(key, np.nan)) for standing in standings)
    ]


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
    """
    numbers, texts = [], []
    best = {key: _best(standings, key) for key in keys}
    for standing in standings:
        number, text = _row(standing, keys, best)
        numbers.append(number)
        texts.append(text)
    if null:
        number = {"Method": _NULL} | {key: null[key][0] for key in keys if key in null}
        numbers.append(number)
        texts.append(number | {key: _number(key, null[key][0]) for key in keys if key in null})
    columns = _columns(keys, any("silhouette" in standing.null for standing in standings))
    frame = pd.DataFrame(numbers, columns=columns)
    style = frame.style
    for row, text in enumerate(texts):
        for column in frame.columns[1:]:
            spelled = text.get(column, "")
            style = style.format(lambda _, spelled=spelled: spelled, subset=([row], [column]))
    return style


def _columns(keys, chance):
    first = [*keys[:1], _CHANCE] if chance and keys[:1] == ["silhouette"] else keys[:1]
    return ["Method", "rank", *first, *keys[1:], "found", "noise", "seconds", "peak"]


def _row(standing, keys, best):
    number = {
        "Method": standing.name,
        "rank": standing.rank,
        **{key: standing.mean.get(key, np.nan) for key in keys},
        _CHANCE: standing.null.get("silhouette", np.nan),
        "found": np.mean(standing.n_found) if standing.n_found else np.nan,
        "noise": standing.noise,
        "seconds": standing.seconds,
        "peak": standing.peak / 1e6,
    }
    if not standing.fits:
        return number, number | {name: "—" for name in list(number)[1:]}
    text = number | {
        "rank": f"{standing.rank:.1f}",
        _CHANCE: _number("silhouette", number[_CHANCE]),
        "found": _found(standing.n_found),
        "noise": f"{standing.noise:.0%}" if standing.noise else "0",
        "seconds": f"{standing.seconds:.2f}"
        if standing.seconds < 10
        else f"{standing.seconds:.0f}",
        "peak": compare_words.memory(standing.peak).removesuffix(" MB"),
    }
    for key in keys:
        text[key] = _number(key, number[key], standing.spread.get(key, np.nan))
        if standing.method in best[key]:
            text[key] += f" {BEST}"
    return number, text


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


def _config(keys):
    number = st.column_config.NumberColumn
    arrows = {key: "↑" if SCORES[key].higher else "↓" for key in keys}
    return {
        "Method": st.column_config.TextColumn(pinned=True),
        "rank": number("Rank ↓", help="Mean place over all scores: 1 is first everywhere."),
        **{
            key: number(f"{SCORES[key].short} {arrows[key]}", help=SCORES[key].about, width=128)
            for key in keys
        },
        _CHANCE: number(
            "SC null", help="The method's own silhouette on rows drawn without any clusters."
        ),
        "found": number("k found", help="Clusters that have rows."),
        "noise": number("Noise", help="Share of the rows that lie in no cluster."),
        "seconds": number("Seconds", help="Of one fit, on one thread."),
        "peak": number("MB", help="The most that a fit held beyond what was loaded before it."),
    }
