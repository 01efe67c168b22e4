"""What the Compare page says, and the table that it shows."""

import numpy as np
import pytest

from tests.workbench.comparing import entry
from ui import compare_pictures, compare_table, compare_words
from workbench.builtin import builtin
from workbench.contest import Contest
from workbench.dataset import prepare
from workbench.overlap import overlap
from workbench.progress import Progress
from workbench.race import Lane, Race
from workbench.recipe import Builtin, Recipe
from workbench.standings import null_row, standings

IRIS = prepare(builtin("iris"))
N = len(IRIS.X)
HALVES = np.arange(N) % 2
ALMOST = np.where(np.arange(N) < 15, 1 - HALVES, HALVES)
THIRDS = np.arange(N) % 3
ENTRIES = [
    entry("kmeans", HALVES, silhouette=0.5, davies_bouldin=1.0, calinski_harabasz=1234.4),
    entry("kmeans", HALVES, seed=1, silhouette=0.52, davies_bouldin=1.0),
    entry("slk", ALMOST, silhouette=-0.2, davies_bouldin=0.5, laplacian=-1.25),
    entry("hdbscan", np.where(np.arange(N) < 30, -1, THIRDS), silhouette=0.4),
    entry("clam", error="It ran out of memory."),
    entry("kmeans", HALVES, null=True, silhouette=0.3),
]
STOOD = standings(ENTRIES)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (100, "2 min"), (7200, "2.0 h"),
     (np.nan, "—")],
)  # fmt: skip
def test_durations(seconds, text):
    assert compare_words.duration(seconds) == text


def shown():
    keys = compare_table.shown_scores(STOOD)
    style = compare_table.styled(STOOD, null_row(ENTRIES), keys)
    cells = style._translate(False, False)["body"]  # type: ignore[attr-defined]
    texts = [
        [cell["display_value"] for cell in row if cell["type"] == "td"] for row in cells
    ]  # fmt: skip
    return style.data, {row[0]: dict(zip(style.columns, row, strict=True)) for row in texts}


def test_the_table_sorts_by_numbers_and_reads_as_mean_spread_and_star():
    numbers, texts = shown()
    assert float(numbers["silhouette"].iloc[0]) == STOOD[0].mean["silhouette"]
    assert texts["k-means"]["silhouette"] == "0.510 ± 0.014 ★"
    assert texts["SLK"]["silhouette"] == "−0.200"
    assert texts["SLK"]["davies_bouldin"] == "0.500 ★", "less is better"
    assert texts["k-means"]["davies_bouldin"] == "1.000 ± 0.000"
    assert texts["k-means"]["calinski_harabasz"] == "1,234 ★"
    assert texts["SLK"]["laplacian"] == "−1.25 ★"
    assert texts["k-means"]["chance"] == "0.300"
    assert texts["HDBSCAN"]["noise"] == "20%"
    assert texts["k-means"]["found"] == "2"


def test_failed_methods_and_the_null_row_are_rows():
    numbers, texts = shown()
    assert list(texts) == [*(each.name for each in STOOD), "data without clusters"]
    assert texts["ClAM"]["silhouette"] == "", "the page writes a dash"
    assert numbers["silhouette"].iloc[-1] == 0.3
    failed = next(each for each in STOOD if each.error)
    assert compare_words.standing_error(failed) == "ClAM: It ran out of memory."
    assert "silhouette of 0.30 on average" in compare_words.null(null_row(ENTRIES))
    assert compare_words.null({}) == ""


def test_why_there_are_no_scores():
    going = compare_words.no_scores((), [lane("cancelled"), lane("running")])
    assert going == "Scores follow as soon as the first method has ended."
    failed = standings([entry("clam", error="It ran out of memory.")])
    assert compare_words.no_scores(failed, [lane("failed"), lane("cancelled")]) == (
        "No method came to its end, so there are no scores. ClAM: It ran out of memory."
    )


def test_seeds_and_their_spread():
    assert compare_words.table(STOOD, 3).startswith("Mean ± standard deviation over 3 seeds.")
    assert "DB and E are better when low" in compare_words.table(STOOD, 3)
    assert compare_words.table(STOOD, 1).startswith("Of one seed")


def test_who_is_alike_and_which_rows_are_disputed():
    found = overlap(ENTRIES)
    assert found is not None
    words = compare_words.overlap(found)
    assert words.startswith("Most alike are k-means and SLK")
    three = overlap([entry(key, HALVES) for key in ("kmeans", "slk", "clam")])
    assert three is not None
    assert compare_words.overlap(three).startswith("All pairs agree equally (ARI 1.00).")
    told = compare_words.disagreement(found, IRIS.row_ids)
    same = int((found.agreement >= 1).sum())
    assert told.startswith(f"All 3 methods agree on {same} of 150 rows")
    assert "more than half of their 3 pairs differ" in told
    alike = overlap([entry("kmeans", HALVES), entry("slk", HALVES)])
    assert alike is not None
    assert "on no row do more than half" in compare_words.disagreement(alike, IRIS.row_ids)


def test_disputed_rows_are_listed_with_every_cluster_and_some_cells():
    found = overlap(ENTRIES)
    assert found is not None
    table = compare_pictures.disputed(IRIS, found, np.array([0, 1]))
    assert list(table["row"]) == [1, 2]
    assert list(table["HDBSCAN"]) == ["—", "—"]
    assert list(table["class"]) == ["setosa", "setosa"]
    assert {"k-means", "SLK", "pairs that differ"} < set(table)


def test_numbers_in_a_picture_keep_apart():
    positions = np.array([[0, 0], [0.01, 0], [1, 1], [0.5, 0.5], [0.5, 0.52]], float)
    assert compare_pictures.apart(positions, [0, 1, 2, 3, 4]) == [0, 2, 3]


def lane(state, words="", done=0.0, seconds=0.0, name="SLK"):
    return Lane("slk", name, state, done, words, seconds)


def test_a_lane_in_one_line():
    line = compare_words.lane(lane("running", "seed 1 of 3: 40 %", 0.1, 3.21))
    assert line == ":material/directions_run: **SLK** · seed 1 of 3: 40 % · 3.2 s"
    assert compare_words.lane(lane("waiting")).endswith("**SLK** · waiting")


def test_how_a_race_goes_and_went():
    counts = {"done": 1, "failed": 1, "running": 1, "cancelled": 0}
    from collections import Counter

    going = compare_words.race_going(Counter(counts), 0, None)
    assert going == "**2 of 3 methods** have ended …"
    assert "1 job is before yours" in compare_words.race_going(Counter(counts), 1, None)
    asked = compare_words.race_going(Counter(counts), 0, Progress("comparing", 1, 4))
    assert asked.endswith("how many clusters there are: 25% …")
    lanes = [lane("done", seconds=2.0), lane("cancelled", seconds=1.0), lane("too long")]
    told = compare_words.race_over(lanes)
    assert told == "The race of 3 methods: 1 done, 1 cancelled and 1 held back, in 3.0 s"


def test_what_a_race_will_cost_and_hold_back(monkeypatch):
    from workbench import race as races
    from workbench.estimates import Estimate

    told = Estimate(400.0, 1e6, "about 7 minutes, 1 MiB")
    quick = Estimate(0.1, 1e6, "a moment, 1 MiB")

    def estimated(method, *_):
        return told if method == "slk" else quick

    for module in (races, compare_words):
        monkeypatch.setattr(module, "estimate", estimated)
    recipe = Recipe(data=Builtin(name="iris"), method="kmeans", settings={"n_clusters": 3})
    terms = Contest(methods=("kmeans", "slk"), seeds=2)
    first, held = compare_words.expected(Race(IRIS, terms.recipes(recipe, IRIS)))
    assert first == "One fit takes a moment: k-means. The whole race: a moment."
    assert "SLK will wait. Held back: a fit would take about 7 minutes." in held
    assert "Run anyway" in held
