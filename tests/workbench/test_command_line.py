"""The command line runs what a page wrote, and answers bad input with a sentence."""

import csv
import json
import subprocess
import sys

import numpy as np
import pyarrow.parquet as pq
import pytest

from workbench.__main__ import main
from workbench.dataset import builtin, prepare
from workbench.intake import read_table
from workbench.methods import METHODS
from workbench.metrics import ari, order_by_size
from workbench.preparation import Preparation
from workbench.recipe import Builtin, Memories, Recipe, Upload

BLOBS = "x,y,name\n" + "".join(
    f"{10 * (i % 2) + i / 100},{i / 90},n{i}\n" for i in range(30)
) + ",,none\n"  # fmt: skip


def write(folder, recipe):
    path = folder / "recipe.json"
    path.write_text(recipe.to_json() if isinstance(recipe, Recipe) else recipe)
    return str(path)


def test_a_recipe_with_built_in_data(tmp_path, capsys):
    settings = {"n_clusters": 3}
    recipe = Recipe(data=Builtin(name="iris"), method="kmeans", settings=settings, seed=4)
    output = tmp_path / "labels.csv"
    assert main(["run", write(tmp_path, recipe), "--output", str(output)]) == 0
    printed = capsys.readouterr().out.splitlines()
    dataset = prepare(builtin("iris"))
    model = METHODS["kmeans"].build(recipe.settings, random_state=4).fit(dataset.X)
    labels, _ = order_by_size(model.labels_, model.cluster_centers_)
    assert printed[0] == "sizes: " + ", ".join(map(str, np.bincount(labels)))
    assert printed[1].startswith("silhouette: 0.4")
    rows = list(csv.reader(output.open()))
    assert rows[0][-2:] == ["class", "cluster"]
    assert [int(row[-1]) for row in rows[1:]] == (labels + 1).tolist()


def test_clam_on_an_uploaded_table(tmp_path, capsys):
    table = tmp_path / "blobs.csv"
    table.write_text(BLOBS)
    fingerprint = read_table(BLOBS.encode(), "blobs.csv").fingerprint
    recipe = Recipe(
        data=Upload(fingerprint=fingerprint),
        settings={"n_clusters": 2, "n_epochs": 5, "n_init": 4, "engine": "torch"},
    )
    output = tmp_path / "labels.csv"
    arguments = ["run", write(tmp_path, recipe), "--table", str(table), "--output", str(output)]
    assert main(arguments) == 0
    said = capsys.readouterr()
    assert said.out.startswith("sizes: 15, 15\nsilhouette: 0.")
    assert "1 row without any number left unclustered: row 31." in said.err
    assert "is not the file" not in said.err
    rows = list(csv.reader(output.open()))
    assert [row[:3] for row in rows] == list(csv.reader(BLOBS.splitlines()))
    assert rows[-1][-1] == "not clustered"
    assert ari(np.array([int(row[-1]) for row in rows[1:-1]]), np.arange(30) % 2) == 1.0


def test_another_file_is_run_with_a_note(tmp_path, capsys):
    table = tmp_path / "blobs.csv"
    table.write_text(BLOBS)
    recipe = Recipe(data=Upload(fingerprint="0" * 32), method="kmeans", settings={"n_clusters": 2})
    assert main(["run", write(tmp_path, recipe), "--table", str(table)]) == 0
    assert "blobs.csv is not the file that the recipe was made with." in capsys.readouterr().err


UPLOAD = Recipe(data=Upload(fingerprint="0" * 32), method="kmeans")
BAD = {
    "no JSON": ("{", [], "The recipe is not JSON."),
    "a bad setting": (
        '{"data": {"kind": "builtin", "name": "iris"}, "settings": {"beta": -1}}',
        [],
        "beta=-1 should be > 0.",
    ),
    "no table": (UPLOAD, [], "--table should name the file"),
    "a missing table": (UPLOAD, ["--table", "nowhere.csv"], "nowhere.csv cannot be used: No such"),
    "a table too many": (
        Recipe(data=Builtin(name="iris"), method="kmeans"),
        ["--table", "x.csv"],
        "--table=x.csv should be left out",
    ),
    "an unknown column": (
        Recipe(
            data=Builtin(name="iris"),
            method="kmeans",
            preparation=Preparation(features=("height",)),
        ),
        [],
        "column='height' should be one of the columns",
    ),
    "too many clusters": (
        Recipe(data=Builtin(name="iris"), method="kmeans", settings={"n_clusters": 200}),
        [],
        "k = 200 is more than the 150 rows: lower k.",
    ),
    "nothing to fit": (
        Recipe(data=Memories(positions=((0, 0), (1, 1))), method="recall"),
        [],
        "method='recall' fits nothing",
    ),
}


@pytest.mark.parametrize(("recipe", "more", "words"), BAD.values(), ids=BAD)
def test_bad_input_gets_one_sentence(tmp_path, capsys, recipe, more, words):
    assert main(["run", write(tmp_path, recipe), *more]) == 2
    said = capsys.readouterr()
    assert words in said.err and said.err.count("\n") == 1 and said.out == ""


def test_a_missing_recipe_and_a_recipe_that_is_no_text(tmp_path, capsys):
    assert main(["run", str(tmp_path / "none.json")]) == 2
    assert "cannot be used: No such file" in capsys.readouterr().err
    (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
    assert main(["run", str(tmp_path / "bytes.json")]) == 2
    assert "is not JSON" in capsys.readouterr().err


def test_it_runs_as_a_module(tmp_path):
    path = write(tmp_path, json.dumps({"data": {"kind": "builtin", "name": "sun"}}))
    done = subprocess.run(
        [sys.executable, "-m", "workbench", "run", path], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert "Traceback" not in done.stderr and "name='sun' should be one of" in done.stderr


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """Run k-means on the blobs and write all that there is to write."""
    folder = tmp_path_factory.mktemp("all")
    (folder / "blobs.csv").write_text(BLOBS)
    fingerprint = read_table(BLOBS.encode(), "blobs.csv").fingerprint
    recipe = Recipe(
        data=Upload(fingerprint=fingerprint), method="kmeans", settings={"n_clusters": 2}
    )
    arguments = ["run", write(folder, recipe), "--table", str(folder / "blobs.csv")]
    names = {"output": "a.xlsx", "report": "a.html", "model": "a.zip", "script": "a.py"}
    for name, file in names.items():
        arguments += [f"--{name}", str(folder / file)]
    assert main(arguments) == 0
    return folder


def test_report_model_and_script_are_written(everything):
    assert (everything / "a.xlsx").read_bytes().startswith(b"PK")
    assert "<h1>blobs.csv</h1>" in (everything / "a.html").read_text()
    assert "model = KMeans(" in (everything / "a.py").read_text()


def test_a_saved_model_labels_another_table(everything, capsys):
    table = everything / "new.csv"
    table.write_text("more,y,x,name\n=1,0.1,0.2,a\nq,0.1,10.1,b\nr,,,c\n")
    output = everything / "new.parquet"
    model = str(everything / "a.zip")
    assert main(["predict", model, str(table), "--output", str(output)]) == 0
    said = capsys.readouterr()
    assert said.out == "sizes: 1, 1\n"
    assert "2 columns that the model does not use: more and name." in said.err
    found = pq.read_table(output)["cluster"].to_pylist()
    assert sorted(found[:2]) == [1, 2] and found[2] is None
    assert main(["predict", model, str(table), "--output", str(everything / "new.csv.csv")]) == 0
    assert "1 cell that a spreadsheet would run is prefixed" in capsys.readouterr().err
    text = (everything / "new.csv.csv").read_text()
    assert "\n'=1,0.1,0.2,a," in text
    arguments = ["predict", model, str(table), "--output", str(output.with_suffix(".csv"))]
    assert main([*arguments, "--as-written"]) == 0
    assert "\n=1,0.1,0.2,a," in output.with_suffix(".csv").read_text()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["a.py", "blobs.csv"], "a.py is not a model of this app"),
        (["a.zip", "a.py"], "a.py lacks 2 columns: x and y."),
        (["a.zip", "none.csv"], "none.csv cannot be used: No such file"),
        (["a.zip", "blobs.csv", "--output", "x.doc"], "x.doc should end in .csv, .parquet or"),
    ],
)
def test_what_cannot_be_predicted_gets_one_sentence(
    everything, monkeypatch, capsys, arguments, words
):
    monkeypatch.chdir(everything)
    assert main(["predict", *arguments]) == 2
    said = capsys.readouterr()
    assert words in said.err and said.err.count("\n") == 1 and said.out == ""
