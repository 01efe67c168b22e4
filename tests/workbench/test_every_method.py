"""Every method goes all the way: gaps, labels, report, script, model, rows without a cluster."""

import csv

import numpy as np
import pytest

from workbench.__main__ import main
from workbench.builtin import builtin
from workbench.dataset import DataError, prepare
from workbench.export import file_name
from workbench.intake import read_table
from workbench.methods import METHODS
from workbench.model_file import model_of, unsavable
from workbench.recipe import Builtin, Recipe, Upload
from workbench.report import report_page
from workbench.run import NOTHING_FOUND, run
from workbench.script import script_of

OURS = ("centres", "modes and graph", "tree", "density")
KEYS = [key for key, method in METHODS.items() if method.family in OURS]
RNG = np.random.default_rng(0)
TEXT = "x,y\n" + "".join(
    f"{10 * (i % 3) + RNG.normal():.3f},{'' if i % 17 == 4 else round(RNG.normal(), 3)}\n"
    for i in range(60)
) + "500,500\n"  # fmt: skip


def recipe_of(key, **settings):
    asked = settings if METHODS[key].finds_k else {"n_clusters": 3, **settings}
    data = Upload(fingerprint=read_table(TEXT.encode(), "t.csv").fingerprint)
    return Recipe(data=data, method=key, settings=asked)


@pytest.mark.parametrize("key", KEYS)
def test_the_command_line_runs_it(key, tmp_path, capsys):
    paths = {name: tmp_path / name for name in ("t.csv", "r.json", "o.csv", "o.html", "s.py")}
    paths["t.csv"].write_text(TEXT)
    paths["r.json"].write_text(recipe_of(key).to_json())
    asked = ["run", paths["r.json"], "--table", paths["t.csv"], "--output", paths["o.csv"]]
    asked += ["--report", paths["o.html"], "--script", paths["s.py"]]
    model = tmp_path / "m.zip"
    asked += [] if unsavable(key) else ["--model", model]
    assert main([*map(str, asked)]) == 0
    said = capsys.readouterr()
    clusters = [row["cluster"] for row in csv.DictReader(paths["o.csv"].open())]
    assert len(clusters) == 61 and "1" in clusters
    alone = clusters.count("not clustered")
    assert (f"{alone} row" in said.err and "in no cluster" in said.err) == (alone > 0)
    assert METHODS[key].noise or not alone
    compile(paths["s.py"].read_text(), "s.py", "exec")
    if not unsavable(key):
        output = tmp_path / "p.csv"
        assert main(["predict", str(model), str(paths["t.csv"]), "--output", str(output)]) == 0
        again = [row["cluster"] for row in csv.DictReader(output.open())]
        assert np.mean([a == b for a, b in zip(again, clusters, strict=True)]) > 0.95


def test_a_model_is_refused_before_anything_is_computed(tmp_path, capsys):
    (tmp_path / "r.json").write_text(recipe_of("dbscan").to_json())
    (tmp_path / "t.csv").write_text(TEXT)
    output = tmp_path / "o.csv"
    asked = [tmp_path / "r.json", "--table", tmp_path / "t.csv", "--output", output]
    assert main(["run", *map(str, asked), "--model", "m.zip"]) == 2
    assert "m.zip should be left out: DBSCAN labels no new rows" in capsys.readouterr().err
    assert not output.exists()


def test_what_labels_new_rows_can_be_saved():
    for key in KEYS:
        built = METHODS[key].build(METHODS[key].complete(), device="cpu", random_state=0)
        assert hasattr(built, "predict") == (not unsavable(key)), key
    found = run(recipe_of("hdbscan"), prepare(read_table(TEXT.encode(), "t.csv")), compared=False)
    with pytest.raises(DataError, match="HDBSCAN labels no new rows, so it has no model to save"):
        model_of(found)


@pytest.mark.parametrize("compared", [True, False])
def test_no_row_in_any_cluster(compared):
    dataset = prepare(read_table(TEXT.encode(), "t.csv"))
    recipe = recipe_of("dbscan", eps=1e-4, min_samples=50)
    found = run(recipe, dataset, compared=compared)
    assert found.n_found == 0 and (found.labels == -1).all() and found.means.shape == (0, 2)
    assert np.isnan(found.scores["silhouette"]) and found.rival == {}
    assert "61 rows (100%) are in no cluster; the scores leave them out." in found.notes
    assert (NOTHING_FOUND in found.notes) == compared
    assert b"found 0 clusters in 0 rows; 61 more are not clustered" in report_page(found)
    assert ": 0 clusters by DBSCAN." in script_of(found)


def test_a_method_that_finds_k_is_compared_with_as_many_centres():
    recipe = Recipe(data=Builtin(name="moons"), method="hdbscan")
    table = builtin("moons")
    found = run(recipe, prepare(table))
    assert found.n_found == 2 and set(found.rival) == {"silhouette", "nmi", "ari"}
    assert found.scores["ari"] == 1.0 > found.rival["ari"]
    assert file_name(recipe, table) == "moons-hdbscan.csv"
