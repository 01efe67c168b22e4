"""The scores of a comparison as a table of plain numbers, for the reader to take away."""

import pandas as pd

from workbench.comparison import SCORES


def score_csv(standings, null=None):
    """Write how methods stand as CSV: one row for each, and one without clusters.

    Parameters
    ----------
    standings : sequence of Standing
    null : mapping of str to (float, float), optional
        Of `workbench.standings.null_row`.

    Returns
    -------
    str
        Of each score a mean, a spread (standard deviation over seeds) and a rank; empty where one
        is not defined.
    """
    rows = [_row(standing) for standing in standings]
    if null:
        rows.append({"method": "data without clusters"} | {key: null[key][0] for key in null})
    return pd.DataFrame(rows).dropna(axis=1, how="all").to_csv(index=False)


def _row(standing):
    row = {"method": standing.name, "rank": standing.rank}
    for key in SCORES:
        row[key] = standing.mean.get(key)
        row[f"{key} spread"] = standing.spread.get(key)
        row[f"{key} rank"] = standing.ranks.get(key)
        row[f"{key} without clusters"] = standing.null.get(key)
    return row | {
        "clusters found": " ".join(map(str, standing.n_found)),
        "noise": standing.noise,
        "seconds": standing.seconds,
        "peak bytes": standing.peak,
        "fits": standing.fits,
        "failed": standing.failed,
        "error": standing.error or None,
    }
