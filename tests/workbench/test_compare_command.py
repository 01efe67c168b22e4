"""The command that compares methods on a table."""

import csv

import numpy as np
import pytest

from workbench.__main__ import main
from workbench.metrics import ari


@pytest.fixture
def table(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "blobs.csv"
    lines = ["x,y,kind"]
    for at in range(60):
        x, y = rng.normal(size=2) + 8 * np.array([at % 3 == 0, at % 3 == 1])
        lines.append(f"{x:.4f},{y:.4f},k{at % 3}")
    path.write_text("\n".join(lines))
    return path


def test_scores_labels_and_guidance(table, tmp_path, capsys):
    scores, labels = tmp_path / "scores.csv", tmp_path / "labels.csv"
    asked = ["compare", str(table), "--methods", "kmeans", "--k", "3", "--seeds", "2"]
    asked += ["--reference", "kind", "--output", str(scores), "--labels", str(labels)]
    assert main(asked) == 0
    said = capsys.readouterr()
    assert said.err == ""
    head, kmeans, drawn, _, paragraph = said.out.splitlines()
    assert head.split() == ["SC", "DB", "CH", "E", "NMI", "ARI", "ACC", "k", "s", "memory", "rank"]
    assert kmeans.startswith("k-means  ")
    assert drawn.startswith("no clusters  ")
    assert "Only k-means can be judged, so no method is favoured." in paragraph
    rows = list(csv.DictReader(scores.open()))
    assert [(row["method"], row["seed"], row["rows"]) for row in rows] == [
        ("kmeans", "0", "given"), ("kmeans", "1", "given"),
        ("kmeans", "0", "without clusters"), ("kmeans", "1", "without clusters"),
    ]  # fmt: skip
    assert float(rows[0]["ari"]) == 1
    assert rows[2]["ari"] == ""
    found = list(csv.DictReader(labels.open()))
    assert [row["row"] for row in found] == [str(at) for at in range(1, 61)]
    assert ari(np.array([int(row["kmeans"]) for row in found]), np.arange(60) % 3) == 1


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--methods", "magic"], "method='magic' should be one of"),
        (["--output", "scores.xlsx"], "--output=scores.xlsx should end in .csv."),
        (["--labels", "labels.txt"], "--labels=labels.txt should end in .csv."),
        (["--seeds", "0"], "--seeds=0 should be >= 1."),
        (["--reference", "colour"], "--reference=colour should be a column of blobs.csv."),
    ],
)
def test_bad_input_gets_one_sentence(table, capsys, more, sentence):
    assert main(["compare", str(table), "--k", "3", *more]) == 2
    said = capsys.readouterr()
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert said.out == ""
