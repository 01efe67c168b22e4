"""The exported script is run as a person would run it, and gives the labels of the run."""

import csv
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from workbench.dataset import builtin, prepare
from workbench.intake import read_table
from workbench.notes import Notes
from workbench.preparation import Preparation
from workbench.reading import Reading
from workbench.recipe import Builtin, Recipe, Upload
from workbench.run import run
from workbench.script import script_of

ROOT = Path(__file__).parents[2]
TEXT = "height;colour;kind\n" + "".join(
    f"{i % 17 + 30 * (i % 2)},5;{('red', 'blue', 'green')[i % 3]};k{i % 2}\n" for i in range(60)
)


def started(folder, code, *arguments):
    (folder / "script.py").write_text(code, encoding="utf-8")
    return subprocess.run(
        [sys.executable, "script.py", *arguments],
        cwd=folder, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def labels_in(path, column="cluster"):
    with path.open(encoding="utf-8", newline="") as file:
        delimiter = ";" if ";" in file.readline() else ","
        file.seek(0)
        return [row[column] for row in csv.DictReader(file, delimiter=delimiter)]


def upload(method="clam", missing=(), **settings):
    reading = Reading(delimiter=";", decimal=",", missing=missing)
    table = read_table(TEXT.encode(), "t.csv", reading)
    preparation = Preparation(
        features=("height", "colour"), roles={"kind": "label"}, scaling="min-max"
    )
    recipe = Recipe(
        data=Upload(fingerprint=table.fingerprint), reading=reading, preparation=preparation,
        method=method, settings={"n_clusters": 3, **settings}, seed=11,
    )  # fmt: skip
    return run(recipe, prepare(table, preparation), compared=False)


def test_built_in_data(tmp_path):
    recipe = Recipe(data=Builtin(name="wine"), settings={"n_clusters": 3}, seed=5)
    found = run(recipe, prepare(builtin("wine")), compared=False)
    done = started(tmp_path, script_of(found))
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"sizes: {' '.join(map(str, found.sizes))}\n")
    assert "Other versions" not in done.stderr
    found_again = labels_in(tmp_path / "wine-with-clusters.csv")
    assert found_again == [str(label + 1) for label in found.labels]


@pytest.mark.parametrize(
    ("method", "settings"), [("clam", {"n_init": 4, "n_epochs": 8}), ("kmeans", {}), ("slk", {})]
)
def test_an_upload(tmp_path, method, settings):
    found = upload(method, ("999",), **settings)
    (tmp_path / "my table.csv").write_text(TEXT)
    notes = Notes(names={0: 'the "old" ones'}, texts={2: "a\nb"})
    done = started(tmp_path, script_of(found, notes), "my table.csv")
    assert done.returncode == 0, done.stderr
    written = tmp_path / "table-with-clusters.csv"
    assert labels_in(written) == [str(label + 1) for label in found.labels]
    names = labels_in(written, "cluster name")
    assert {names[i] for i in np.flatnonzero(found.labels == 0)} == {'the "old" ones'}
    assert "is not the file" not in done.stderr


def test_without_its_table_and_with_other_versions_it_says_so(tmp_path):
    code = script_of(upload("kmeans")).replace('"numpy": "', '"numpy": "0.')
    done = started(tmp_path, code)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "Other versions than then, so that labels may differ: numpy" in done.stderr
    assert "Name the table: python script.py table.csv" in done.stderr


def test_settings_and_preparation_stand_written_out():
    code = script_of(upload(n_init=4, n_epochs=8))
    for line in (
        'model = ClAM(\n    n_clusters=3,\n    beta="auto",',
        "    n_epochs=8,",
        "    random_state=11,",
        '    features=("height", "colour"),',
        '    roles={"height": "numeric", "colour": "category", "kind": "label"},',
        '    scaling="min-max",',
        'reading = Reading(\n    delimiter=";",\n    decimal=",",\n)',
    ):
        assert line in code, line


def test_strange_names_stay_text():
    strange = 'a"""\n\'; import os # \\ \u202e {x}'
    table = read_table(("v,w\n" + "".join(f"{i},{i % 4}\n" for i in range(9))).encode(), strange)
    recipe = Recipe(
        data=Upload(fingerprint=table.fingerprint), method="kmeans", settings={"n_clusters": 2}
    )
    found = run(recipe, prepare(table), compared=False)
    notes = Notes(names={0: strange})
    for code in (script_of(found, notes), script_of(replace(found, cancelled=True))):
        compile(code, "script.py", "exec")
        assert "\u202e" not in code
    assert "was cancelled" in code
