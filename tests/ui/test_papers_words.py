"""What the Papers page says about numbers."""

import math
from typing import Any

from ui import papers_outcome, papers_run, papers_words
from ui.jobs import Snapshot
from workbench.progress import Progress
from workbench.reproduction.item import Compared

ROWS = (
    Compared("Zoo", "k-means, SC", 0.374, 0.3735),
    Compared("Zoo", "ClAM, SC", 0.412, 0.341, "The rule."),
    Compared("iris", "ClAM, SC", math.nan, 0.46),
)


def test_numbers_beside_each_other_are_counted():
    told = papers_words.compared(ROWS, ran=True)
    assert told == (
        "2 scores of ours have a published one beside; 1 of them within 0.005. The largest "
        "difference is -0.071: Zoo, ClAM, SC."
    )
    assert papers_words.compared(ROWS[2:], ran=True) == (
        "1 number of ours, with none of the paper's to put beside."
    )
    assert papers_words.compared(ROWS, ran=False).startswith("3 published numbers")


def test_only_scores_are_called_near():
    beta = Compared("FMNIST", "β", 0.0005, 0.00025)
    seconds = Compared("Zoo", "ClAM, seconds", 18.0, 17.999)
    told = papers_words.compared((beta, seconds), ran=True)
    assert told == "2 numbers of ours have a published one beside."
    assert papers_words.compared((*ROWS, seconds), ran=True).startswith("2 scores of ours")
    assert list(papers_outcome.table((beta,))["Ours"]) == [0.00025]


def test_each_reason_is_told_once():
    assert papers_words.reasons(ROWS) == ["**Zoo (ClAM, SC).** The rule."]
    assert papers_words.reasons(ROWS[1:2]) == ["The rule."]


def test_the_table_has_what_the_file_has():
    frame: Any = papers_outcome.table(ROWS)
    assert list(frame) == ["Data", "Measure", "Published", "Ours", "Difference", "Why"]
    assert frame["Difference"][1] == -0.071 and math.isnan(frame["Published"][2])


def test_progress_is_told_in_parts():
    assert papers_run.told(Snapshot("waiting"), 2) == (0.0, "Waiting for 2 before it …")
    snapshot = Snapshot("running", Progress("comparing", 3.5, 10), seconds_left=4.2)
    assert papers_run.told(snapshot, 0) == (0.35, "Part 4 of 10, 4 s left")
    assert papers_run.told(Snapshot("running"), 0)[1] == "Starting …"
