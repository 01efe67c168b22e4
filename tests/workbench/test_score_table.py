"""The scores of a comparison as CSV."""

from io import StringIO

import pandas as pd

from tests.workbench.comparing import entry
from workbench.score_table import score_csv
from workbench.standings import null_row, standings

LABELS = [0, 0, 1, 1]
ENTRIES = [
    entry("kmeans", LABELS, seed=0, silhouette=0.5, ari=0.75),
    entry("kmeans", LABELS, seed=1, silhouette=0.75, ari=0.75),
    entry("slk", LABELS, silhouette=0.25, ari=0.5),
    entry("clam", error="It ran out of memory."),
    entry("kmeans", LABELS, null=True, silhouette=0.25),
]


def test_means_spreads_ranks_and_the_row_without_clusters():
    text = score_csv(standings(ENTRIES), null_row(ENTRIES))
    table = pd.read_csv(StringIO(text)).set_index("method")
    assert list(table.index) == ["k-means", "SLK", "ClAM", "data without clusters"]
    assert table.loc["k-means", "silhouette"] == 0.625
    assert round(table.loc["k-means", "silhouette spread"], 4) == 0.1768
    assert table.loc["SLK", "ari rank"] == 2
    assert table.loc["k-means", "silhouette without clusters"] == 0.25
    assert table.loc["data without clusters", "silhouette"] == 0.25
    assert table.loc["ClAM", "error"] == "It ran out of memory."
    assert pd.isna(table.loc["ClAM", "silhouette"])
    assert "nmi" not in table, "a score that none has is left out"
