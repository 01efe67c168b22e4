"""Recipe and View: one text for one meaning, and no link that harms."""

import base64
import json
import subprocess
import sys
import zlib
from typing import Any

import pytest
from pydantic import ValidationError

from workbench.dataset import DataError
from workbench.preparation import Preparation
from workbench.reading import Reading
from workbench.recipe import (
    INFLATED_LIMIT,
    LAYERS,
    Builtin,
    Memories,
    Recipe,
    Upload,
    View,
    from_link,
    to_link,
)

IRIS = Recipe(data=Builtin(name="iris"), settings={"n_clusters": 3})
RECIPES = [
    IRIS,
    Recipe(
        data=Upload(fingerprint="0123456789abcdef" * 2),
        reading=Reading(delimiter=";", missing=("999",)),
        preparation=Preparation(
            features=("höhe", "a,b"), roles={"höhe": "category"}, scaling="none", rows="1-20,35"
        ),
        settings={"beta": 1e-5, "step_size": 0.25, "energy": "weighted"},
        device="cuda",
        dtype="float64",
        seed=2**32 - 1,
    ),
    Recipe(
        data=Memories(positions=((0.1, 0.2), (-3.0, 1e6)), weights=(1.0, 2.5)),
        method="recall",
        settings={"beta": 0.1, "mode": "attractor"},
    ),
    Recipe(data=Builtin(name="moons", seed=4), method="kmeans", settings={"n_clusters": 2}),
]


def pack(content):
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    return base64.urlsafe_b64encode(zlib.compress(text, 9)).decode().rstrip("=")


def unpack(link):
    return json.loads(zlib.decompress(base64.urlsafe_b64decode(link + "=" * (-len(link) % 4))))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.data.kind)
def test_json_goes_both_ways(recipe):
    again = Recipe.from_json(recipe.to_json())
    assert again == recipe and again.key() == recipe.key() and hash(again) == hash(recipe)
    assert again.to_json() == recipe.to_json()
    assert list(json.loads(recipe.to_json())) == sorted(json.loads(recipe.to_json()))


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.data.kind)
@pytest.mark.parametrize(
    "view",
    [View(), View(plane="umap", layers=("entropy",), epoch=7, convention="published",
                  colour_by="label", points="moons")],
    ids=["plain", "full"],
)  # fmt: skip
def test_links_go_both_ways(recipe, view):
    link = to_link(recipe, view)
    assert from_link(link) == (recipe, view)
    assert set(link) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_a_link_without_a_view_has_the_plain_one():
    assert from_link(to_link(IRIS)) == (IRIS, View())


def test_links_leave_defaults_out_and_stay_short():
    content = unpack(to_link(IRIS, View()))
    assert content == {
        "v": 2,
        "recipe": {
            "data": {"kind": "builtin", "name": "iris"},
            "settings": {"n_clusters": 3},
        },
        "view": {},
    }
    assert len(to_link(IRIS, View())) < 150


def test_the_key_is_the_same_in_every_process():
    code = (
        "from workbench.recipe import *; print(Recipe(data=Builtin(name='iris'),"
        " settings={'n_clusters': 3}).key())"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == IRIS.key()
    assert len(IRIS.key()) == 32


def test_the_key_follows_everything_that_is_computed():
    changes = [
        {"data": Builtin(name="iris", seed=1)}, {"reading": {"header": 0}},
            {"preparation": {"features": ("a",)}},
        {"preparation": {"scaling": "none"}}, {"method": "kmeans"}, {"settings": {"beta": 2.0}},
        {"device": "cuda"}, {"dtype": "float64"}, {"seed": 1},
    ]  # fmt: skip
    keys = {IRIS.key()} | {IRIS.changed(**change).key() for change in changes}
    assert len(keys) == len(changes) + 1


def test_defaults_and_number_types_do_not_matter():
    said = IRIS.changed(settings={"n_steps": 10, "n_clusters": 3.0, "beta": "auto"})
    assert said == IRIS and said.key() == IRIS.key()


def test_a_change_keeps_the_other_settings_of_the_method_only():
    recipe = IRIS.changed(settings={"beta": 7})
    assert recipe.settings["n_clusters"] == 3 and recipe.settings["beta"] == 7.0
    assert recipe.changed(method="kmeans").settings["n_clusters"] == 8
    assert recipe.changed(seed=5).settings == recipe.settings
    with pytest.raises(DataError, match="beta=-1 should be > 0"):
        recipe.changed(settings={"beta": -1})
    with pytest.raises(DataError, match="colour"):
        recipe.changed(colour="red")


def test_values_are_frozen():
    settings: Any = IRIS.settings
    with pytest.raises(ValidationError):
        IRIS.seed = 3
    with pytest.raises(TypeError):
        settings["beta"] = 3
    with pytest.raises(ValidationError):
        View().epoch = 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "recipe=[] is not legal"),
        ("{}", "data is missing"),
        ('{"data": {"kind": "builtin", "name": "sun"}}', "name='sun' should be one of 'iris'"),
        ('{"data": {"kind": "builtin", "name": "iris"}, "x": 1}', "x=1 is not legal"),
        ('{"data": {"kind": "builtin", "name": "iris"}, "seed": -1}', "seed=-1 is not legal"),
        ('{"data": {"kind": "builtin", "name": "iris"}, "seed": 1.5}', "seed=1.5 is not legal"),
        ('{"data": {"kind": "builtin", "name": "iris"}, "method": ["clam"]}', "should be one of"),
        ('{"data": {"kind": "builtin", "name": "iris"}, "method": "recall"}', "given memories"),
        ('{"data": {"kind": "builtin", "name": "iris"}, "settings": {"beta": NaN}}', "beta=nan"),
        ('{"data": {"kind": "builtin", "name": "iris"}, "settings": [1]}', "settings=[1]"),
        ('{"data": {"kind": "builtin", "name": "iris"}, "device": "tpu"}', "device='tpu'"),
        ('{"data": {"kind": "upload", "fingerprint": "../../x"}}', "fingerprint"),
        ('{"data": {"kind": "memories", "positions": [[0, 0]]}}', "given memories"),
        ('{"data": {"kind": "memories", "positions": []}, "method": "recall"}', "positions"),
        ('{"data": {"kind": "memories", "positions": [[0, NaN]]}, "method": "recall"}', "nan"),
        ('{"data": {"kind": "memories", "positions": [[0, 1e7]]}, "method": "recall"}', "1e+07"),
        ('{"data": {"kind": "memories", "positions": [[0]]}, "method": "recall"}', "positions"),
        (
            '{"data": {"kind": "memories", "positions": [[0, 1]], "weights": [0]},'
            ' "method": "recall"}',
            "weight=0 should be > 0",
        ),
        (
            '{"data": {"kind": "memories", "positions": [[0, 1]], "weights": [1, 1]},'
            ' "method": "recall"}',
            "weights=2 should be as many as positions=1",
        ),
    ],
)
def test_an_illegal_recipe_gets_one_sentence(text, words):
    with pytest.raises(DataError) as caught:
        Recipe.from_json(text)
    message = str(caught.value)
    assert words in message
    assert message.endswith(".") and "\n" not in message and len(message) < 300


def test_sixty_four_memories_and_no_more():
    def recipe(k):
        positions = [[float(i), 0.0] for i in range(k)]
        data = {"kind": "memories", "positions": positions}
        return Recipe.from_json(json.dumps({"data": data, "method": "recall"}))

    assert from_link(to_link(recipe(64)))[0] == recipe(64)
    with pytest.raises(DataError, match="positions"):
        recipe(65)


FORGED = {
    "empty": ("", "cut or changed"),
    "letters": ("hello there", "cut or changed"),
    "not ascii": ("é", "cut or changed"),
    "cut": (to_link(IRIS)[:-8], "cut or changed"),
    "not compressed": (base64.urlsafe_b64encode(b"{}").decode(), "cut or changed"),
    "not JSON": (pack(b"\xff\xfe"), "not JSON"),
    "a list": (pack([1]), "not one of this app"),
    "something more": (pack({"v": 2, "recipe": {}, "run": "rm"}), "not one of this app"),
    "another version": (pack({"v": 0, "recipe": {}}), "version=0 should be 2"),
    "no version": (pack({"recipe": {}}), "version=None should be 2"),
    "no recipe": (pack({"v": 2}), "recipe=None is not legal"),
    "an illegal recipe": (
        pack({"v": 2, "recipe": {"data": {"kind": "builtin", "name": "iris"}, "seed": "x"}}),
        "seed='x'",
    ),
    "an illegal view": (
        pack({"v": 2, "recipe": json.loads(IRIS.to_json()), "view": {"layers": ["x"]}}),
        "layers.0='x'",
    ),
    "unknown points": (
        pack({"v": 2, "recipe": json.loads(IRIS.to_json()), "view": {"points": "x"}}),
        "points='x' is not legal",
    ),
    "unfolds to much": (pack(b" " * (INFLATED_LIMIT + 1)), "unfolds to more than"),
    "long": ("A" * 100_000, "characters"),
}


@pytest.mark.parametrize(("link", "words"), FORGED.values(), ids=FORGED)
def test_a_forged_link_gets_one_sentence(link, words):
    with pytest.raises(DataError) as caught:
        from_link(link)
    assert words in str(caught.value) and "\n" not in str(caught.value)


def test_a_bomb_is_not_unfolded():
    bomb = pack(b"0" * 40_000_000)
    assert len(bomb) < 64_000
    with pytest.raises(DataError, match="unfolds"):
        from_link(bomb)


def test_a_view_shows_beta_in_either_convention():
    paper, published = View(), View(convention="published")
    assert paper.shown_beta(5.0) == 5.0 and published.shown_beta(5.0) == 10.0
    assert published.own_beta(published.shown_beta(0.3)) == 0.3
    assert set(View().layers) <= set(LAYERS)
