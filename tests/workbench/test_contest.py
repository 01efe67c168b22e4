"""The terms of a comparison: legal values, links, and who can take part."""

from dataclasses import replace

import pytest
from pydantic import ValidationError

from workbench.builtin import builtin
from workbench.contest import USUAL, Contest, contestants, unfit
from workbench.dataset import DataError, prepare
from workbench.methods import METHODS
from workbench.recipe import Builtin, Recipe

RECIPE = Recipe(
    data=Builtin(name="iris"), method="kmeans", settings={"n_clusters": 5}, seed=7
)  # fmt: skip
IRIS = prepare(builtin("iris"))
TERMS = Contest(
    methods=("kmeans", "slk"), seeds=2, rule="silhouette", settings={"kmeans": {"n_init": 4}}
)


def test_a_link_restores_the_terms():
    assert Contest.of_text(TERMS.to_text()) == TERMS
    assert Contest.of_text(Contest().to_text()) == Contest()
    assert len(Contest().to_text()) < 20


@pytest.mark.parametrize("text", ["forged", "", "!!"])
def test_a_forged_link_is_one_sentence(text):
    with pytest.raises(DataError, match="link"):
        Contest.of_text(text)


@pytest.mark.parametrize(
    ("terms", "rule"),
    [
        ({"methods": ["magic"]}, "method='magic' should be one of"),
        ({"methods": ["recall"]}, "method='recall' should be one of"),
        ({"settings": {"magic": {}}}, "method='magic'"),
        ({"settings": {"kmeans": {"n_init": 0}}}, "n_init=0 should be > 0"),
        ({"seeds": 0}, "seeds"),
        ({"rule": "ari"}, "rule"),
    ],
)
def test_terms_name_value_and_rule(terms, rule):
    with pytest.raises(ValidationError, match=rule):
        Contest(**terms)


def test_each_method_once_and_in_the_registrys_order():
    assert Contest(methods=("slk", "kmeans", "slk")).methods == ("kmeans", "slk")
    assert Contest(methods=USUAL) == Contest()


def test_recipes_have_one_rule_k_and_their_own_settings():
    recipes = TERMS.recipes(RECIPE, IRIS)
    assert [(each.method, each.seed) for each in recipes] == [
        ("kmeans", 7), ("kmeans", 8), ("slk", 7), ("slk", 8),
    ]  # fmt: skip
    assert {each.settings["n_clusters"] for each in recipes} == {5}
    assert {each.settings["selection"] for each in recipes} == {"silhouette"}
    assert recipes[0].settings["n_init"] == 4


def test_images_only_for_images():
    pictures = replace(METHODS["kmeans"], images=True)
    assert unfit(pictures, IRIS, "own") == (
        "k-means needs rows that are square images, and 4 columns make none."
    )
    assert unfit(pictures, prepare(builtin("digits")), "own") == ""


def test_a_method_without_the_rule_takes_no_part():
    only_own = replace(METHODS["kmeans"], rules={"own": {}})
    assert unfit(only_own, IRIS, "own") == ""
    assert "cannot keep its outcome by the silhouette" in unfit(only_own, IRIS, "silhouette")
    assert unfit(replace(only_own, rules={}), IRIS, "silhouette") == ""


def test_recall_is_no_contestant():
    assert "recall" not in contestants() and {"clam", "kmeans", "slk"} <= set(contestants())
