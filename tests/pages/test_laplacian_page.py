"""The page of modes and graph, through app.py and alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from workbench.recipe import Builtin, Recipe, from_link, to_link

ROOT = Path(__file__).parents[2]
SECONDS = 120


def opened(recipe=None):
    app = AppTest.from_file(ROOT / "pages/laplacian.py", default_timeout=SECONDS)
    if recipe is not None:
        app.query_params["link"] = to_link(recipe)
    return app.run()


def recipe(name="blobs", **settings):
    return Recipe(
        data=Builtin(name=name), method="slk",
        settings={"n_clusters": 4, "n_init": 2} | settings,
    )  # fmt: skip


def link(app) -> Any:
    text = app.query_params["link"]
    return from_link(text if isinstance(text, str) else text[0])[0]


def widget(kind, key):
    return next(w for w in kind if w.key == key)


def sentence(app):
    return next(m.value for m in app.markdown if "λ = " in m.value)


def figures(app) -> Any:
    return [json.loads(chart.proto.spec) for chart in app.get("plotly_chart")]


def test_it_opens_on_moons_with_the_graph_drawn():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS).run()
    app.switch_page("pages/laplacian.py").run()
    assert not app.exception and not app.error
    assert app.title[0].value == "Modes and graph"
    names = [trace.get("name") for trace in figures(app)[0]["data"]]
    assert names == ["neighbours", "cluster 1", "cluster 2", "modes"]
    assert sentence(app).startswith("At λ = 1.25 c(k) ")


def test_lambda_moves_the_picture_and_the_link():
    app = opened(recipe())
    widget(app.slider, "laplacian:coupling").set_value(0.0).run()
    assert not app.exception
    assert "the graph does not count" in sentence(app)
    assert link(app).settings["coupling"] == 0


def test_a_link_restores_every_setting():
    asked = recipe(coupling=0.8, n_neighbors=6, modes="byproduct", balance=0.1)
    app = opened(asked)
    assert not app.exception and not app.warning
    assert link(app) == asked
    assert widget(app.slider, "laplacian:coupling").value == 0.8
    assert any("Each mode is a row of the table" in c.value for c in app.caption)


def test_a_link_of_another_page_is_refused():
    app = opened(Recipe(data=Builtin(name="iris")))
    assert "not one of the laplacian page" in app.warning[0].value


def test_images_are_shown_as_images():
    app = opened(recipe("digits", n_clusters=3, n_init=1))
    assert not app.exception
    assert len(app.get("image")) == 1


def test_a_sweep_plays_lambda():
    app = opened(recipe(n_init=1))
    widget(app.toggle, "laplacian:swept").set_value(True).run()
    assert not app.exception
    swept = next(spec for spec in figures(app) if spec.get("frames"))
    assert len(swept["frames"]) == 13
    assert any("Fewest edges are cut" in c.value for c in app.caption)


def test_one_cluster_is_answered():
    app = opened(recipe("iris", n_clusters=1, n_init=1))
    assert not app.exception and not app.error


@pytest.mark.parametrize("k", [150, 200])
def test_too_many_clusters_are_a_sentence(k):
    app = opened(recipe("iris", n_clusters=k, n_init=1))
    assert not app.exception and f"k = {k} is more than" in app.error[0].value
