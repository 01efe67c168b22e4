"""Where the papers' sets may come from, and how one is known."""

import numpy as np
import pandas as pd
import pytest

from workbench import reference_sets
from workbench.builtin import builtin
from workbench.dataset import DataError, prepare
from workbench.intake import read_table


def written(path, n=101, d=16, k=7):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(3, 2, (n, d)), columns=[f"f{i}" for i in range(d)])
    frame["f0"] = 9.0
    frame["label"] = [f"class {i % k}" for i in range(n)]
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "sets").mkdir()
    written(tmp_path / "sets" / "zoo.csv")
    written(tmp_path / "sets" / "japanese_vowels.csv.gz", 30, 5, 3)
    monkeypatch.setenv(reference_sets.FOLDER, str(tmp_path))
    return tmp_path / "sets"


def test_only_the_environment_names_a_folder(folder, monkeypatch):
    assert reference_sets.folder() == folder
    assert [source.name for source in reference_sets.in_folder()] == ["Zoo", "JV"]
    monkeypatch.delenv(reference_sets.FOLDER)
    assert reference_sets.folder() is None and reference_sets.in_folder() == ()
    monkeypatch.setenv(reference_sets.FOLDER, "/nowhere/at/all")
    assert reference_sets.folder() is None


def test_a_set_of_the_folder_is_standardised(folder):
    zoo = next(iter(reference_sets.in_folder())).load()
    assert zoo.name == "Zoo" and zoo.X.shape == (101, 16) and zoo.k == 7
    assert not zoo.X[:, 0].any()  # constant
    np.testing.assert_allclose(zoo.X[:, 1:].std(axis=0), 1)
    np.testing.assert_allclose(zoo.X.mean(axis=0), 0, atol=1e-12)


def test_an_upload_is_known_by_its_size(tmp_path):
    path = written(tmp_path / "animals.csv")
    dataset = prepare(read_table(path.read_bytes(), path.name))
    source = reference_sets.uploaded(dataset)
    assert source.name == "Zoo" and source.title == "Zoo"
    assert source.load().X.shape == (101, 15)
    other = prepare(read_table(written(tmp_path / "b.csv", 60).read_bytes(), "b.csv"))
    assert reference_sets.uploaded(other).name == "b.csv"


def test_a_table_without_classes_is_refused():
    text = "a,b\n" + "\n".join(f"{i},{i * i % 7}" for i in range(20))
    with pytest.raises(DataError, match="has no column of classes"):
        reference_sets.uploaded(prepare(read_table(text.encode(), "plain.csv")))


def test_images_keep_the_pixels_that_never_vary():
    digits = reference_sets.built_in(("digits",))[0].load()
    assert digits.X.shape == (1797, 64) and digits.side == 8
    pixels = digits.restored(digits.X)
    np.testing.assert_allclose(pixels, np.rint(pixels), atol=1e-9)
    assert pixels.min() == pytest.approx(0, abs=1e-9) and pixels.max() == pytest.approx(16)
    assert prepare(builtin("digits")).X.shape[1] < 64
    assert reference_sets.built_in(("iris",))[0].load().side == 0
