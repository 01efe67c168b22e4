"""A model that was written labels rows as it did before, and a forged one gets a sentence."""

import io
import json
import zipfile

import numpy as np
import pytest
from safetensors.numpy import load, save

from workbench.dataset import DataError, builtin, prepare
from workbench.intake import read_table
from workbench.model_file import LARGEST_JSON, model_bytes, model_of, read_model, too_large
from workbench.notes import Notes
from workbench.preparation import Preparation
from workbench.recipe import Builtin, Recipe, Upload
from workbench.run import run

MIXED = "height,price,colour,size,day,spare\n" + "".join(
    f"{i % 17 + 40 * (i % 2)},{'' if i % 13 == 5 else 1 + (i * i) % 29 + 90 * (i % 2)},"
    f"{('red', 'blue', 'green')[i % 3]},{('low', 'high')[i % 2]},2026-0{i % 9 + 1}-11,w{i}\n"
    for i in range(80)
)
PREPARATION = Preparation(
    features=("height", "price", "colour", "size", "day"),
    roles={"size": "ordinal", "day": "date"},
    log=("price",),
    scaling="robust",
    weights={"height": 2.0},
)
NOTES = Notes(names={0: "small ones"}, texts={1: "look again"})


def fitted(method, text=MIXED, preparation=PREPARATION, **settings):
    table = read_table(text.encode(), "mixed.csv")
    recipe = Recipe(
        data=Upload(fingerprint=table.fingerprint), preparation=preparation, method=method,
        settings={"n_clusters": 3, **settings}, seed=3,
    )  # fmt: skip
    return run(recipe, prepare(table, preparation), compared=False)


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("clam", {"n_init": 2, "n_epochs": 5}),
        ("clam", {"n_init": 2, "n_epochs": 5, "energy": "weighted"}),
        ("kmeans", {}),
    ],
)
def test_it_labels_its_own_rows_as_the_run_did(method, settings):
    found = fitted(method, **settings)
    payload = model_bytes(model_of(found, NOTES))
    model = read_model(payload, "m.zip")
    predicted = model.predict(found.dataset.source)
    assert predicted.labels.tolist() == found.labels.tolist()
    assert predicted.row_ids.tolist() == found.dataset.row_ids.tolist()
    assert predicted.notes == ("1 column that the model does not use: spare.",)
    assert (model.recipe, model.notes, model.n_clusters) == (found.recipe, NOTES, 3)
    assert model_bytes(model) == payload


def test_slk_labels_new_rows_by_their_neighbours():
    found = fitted("slk", n_neighbors=5)
    again = read_model(model_bytes(model_of(found)))
    predicted = again.predict(found.dataset.source)
    expected = found.model.predict(found.recipe and filled(found.dataset.X))
    numbers = dict(zip(found.model.labels_.tolist(), found.labels.tolist(), strict=True))
    assert predicted.labels.tolist() == [numbers[label] for label in expected.tolist()]
    assert np.mean(predicted.labels == found.labels) > 0.95


def filled(X):
    return np.where(np.isnan(X), np.nanmean(X, axis=0), X)


def test_built_in_data_in_float64():
    recipe = Recipe(
        data=Builtin(name="wine"), dtype="float64", settings={"n_clusters": 3, "n_epochs": 5}
    )
    found = run(recipe, prepare(builtin("wine")), compared=False)
    model = read_model(model_bytes(model_of(found)))
    assert model.predict(builtin("wine")).labels.tolist() == found.labels.tolist()


def test_another_file_is_prepared_as_the_first():
    found = fitted("kmeans")
    model = model_of(found)
    rows = MIXED.splitlines()
    few = "\n".join(["more," + rows[0], "x," + rows[5], "y," + rows[6].replace("red", "pink")])
    predicted = model.predict(read_table((few + "\nz,,,,,,\n").encode(), "new.csv"))
    assert predicted.row_ids.tolist() == [1, 2]
    assert predicted.labels[0] == found.labels[4]
    said = " ".join(predicted.notes)
    assert "more and spare" in said and "1 row without usable values" in said
    if "red" in rows[6]:
        assert "colour: values that were not there before: pink" in said


def test_new_rows_are_read_by_the_decimal_mark_of_the_first():
    text = "x;y\n" + "".join(
        f"{2 + 18 * (i % 2)}.{234 + i};{2 + 18 * (i % 2)},5\n" for i in range(20)
    )
    found = fitted("kmeans", text, Preparation(), n_clusters=2)
    model = read_model(model_bytes(model_of(found)))
    marked, bare, other = (
        model.predict(read_table(f"x;y\n{rows}".encode(), "new.csv", model.reading))
        for rows in ("20.234;20,0\n2.234;2,0", "20.234;20\n2.234;2", "20234.5;20\n2234.5;2")
    )
    assert marked.labels.tolist() == bare.labels.tolist() == other.labels.tolist()
    assert marked.labels.tolist() == found.labels[[1, 0]].tolist() and marked.notes == ()
    assert other.notes == ("x: its decimal mark is a point, not a comma as at first.",)


def test_missing_columns_are_named():
    model = model_of(fitted("kmeans"))
    with pytest.raises(DataError, match=r"new.csv lacks 3 columns: colour, size and day\."):
        model.predict(read_table(b"height,price\n1,2\n3,4\n", "new.csv"))


def test_a_run_without_its_model_has_none_to_save():
    from dataclasses import replace

    with pytest.raises(DataError, match="run it again"):
        model_of(replace(fitted("kmeans"), model=None))


def test_an_slk_model_that_would_be_too_large_says_so(monkeypatch):
    monkeypatch.setattr("workbench.model_file.LARGEST_TENSORS", 2**16 + 2000)
    with pytest.raises(DataError, match="SLK labels a new row by those it knows, so its model"):
        model_bytes(model_of(fitted("slk")))


def test_a_model_of_too_many_words_says_so_before_it_is_written():
    text = "x,grade\n" + "".join(f"{i % 9},w{i:05}{'y' * 60}\n" for i in range(60_000))
    found = fitted("kmeans", text, Preparation(features=("grade",), roles={"grade": "ordinal"}))
    words = (
        "What the model knows of its columns takes 4.2 MB, most of it the 60,000 words of grade, "
        "and a model file holds 4 MB of it."
    )
    assert too_large(model_of(found)) == words
    with pytest.raises(DataError, match=r"^What the model knows"):
        model_bytes(model_of(found))


def test_a_column_may_have_a_long_name():
    name = "long " * 300 + "name"
    text = f"{name},y\n" + "".join(f"{i},{i % 7}\n" for i in range(30))
    found = fitted("kmeans", text, Preparation(features=(name, "y"), weights={name: 2.0}))
    model = read_model(model_bytes(model_of(found)))
    assert model.columns[0].name == name
    assert model.predict(found.dataset.source).labels.tolist() == found.labels.tolist()


def zipped(**parts):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, payload in parts.items():
            archive.writestr(name.replace("_", "."), payload)
    return sink.getvalue()


@pytest.fixture(scope="module")
def parts():
    archive = zipfile.ZipFile(io.BytesIO(model_bytes(model_of(fitted("kmeans")))))
    return archive.read("model.json"), archive.read("model.safetensors")


def test_bytes_that_are_no_model_get_a_sentence(parts):
    facts, tensors = parts
    good = zipped(model_json=facts, model_safetensors=tensors)
    assert read_model(good).n_clusters == 3
    whole = [b"", b"a,b\n1,2\n", good[: len(good) // 2], good[:-30], b"PK\x03\x04" + b"\0" * 200]
    whole += [zipped(model_json=facts), zipped(model_json=b"{", model_safetensors=tensors)]
    whole += [zipped(model_json=facts, model_safetensors=tensors[:50])]
    whole += [zipped(model_json=facts, model_safetensors=tensors, x_py=b"import os")]
    whole += [zipped(model_json=b"[" * 100_000, model_safetensors=tensors)]
    for payload in whole:
        with pytest.raises(DataError, match=r"^m\.zip is not a model of this app"):
            read_model(payload, "m.zip")


def test_a_zip_that_unfolds_without_end_is_left(parts):
    with pytest.raises(DataError, match="unfolds to more than 4 MB"):
        read_model(zipped(model_json=b" " * (LARGEST_JSON + 1), model_safetensors=parts[1]))


def bent(name, change):
    def bend(arrays):
        return {**arrays, name: change(arrays[name])}

    return bend


@pytest.mark.parametrize(
    "bend",
    [
        bent("cluster_centers", lambda a: a[:, :-1]),
        bent("cluster_centers", lambda a: a * np.nan),
        bent("numbers", lambda a: a + 1),
        bent("numbers", lambda a: a.astype(float)),
        bent("numbers", lambda a: a[:0]),
        bent("fill", lambda a: a[0]),
        lambda arrays: {name: a for name, a in arrays.items() if name != "fill"},
        lambda arrays: {**arrays, "more": np.ones(3)},
    ],
)
def test_arrays_that_do_not_fit_get_a_sentence(parts, bend):
    facts, tensors = parts
    arrays = {name: np.array(a, order="C") for name, a in bend(load(tensors)).items()}
    with pytest.raises(DataError, match="is not a model of this app"):
        read_model(zipped(model_json=facts, model_safetensors=save(arrays)))


@pytest.mark.parametrize(
    "change",
    [
        {"format": "basinscope-model-9"},
        {"columns": []},
        {"recipe": {"data": {"kind": "builtin", "name": "sun"}}},
        {"more": 1},
    ],
)
def test_facts_that_do_not_fit_get_a_sentence(parts, change):
    facts = json.dumps({**json.loads(parts[0]), **change}).encode()
    with pytest.raises(DataError, match="is not a model of this app"):
        read_model(zipped(model_json=facts, model_safetensors=parts[1]))


def test_columns_that_do_not_fit_together_get_a_sentence(parts):
    facts = json.loads(parts[0])
    facts["columns"][0]["scale"] = [1.0, 1.0]
    with pytest.raises(DataError, match="does not fit together"):
        read_model(zipped(model_json=json.dumps(facts), model_safetensors=parts[1]))
