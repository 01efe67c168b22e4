"""The completion page, through app.py and alone."""

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from workbench.builtin import builtin
from workbench.completion import complete
from workbench.dataset import prepare
from workbench.masking import Masking, hidden_columns, of_features
from workbench.recipe import Builtin, Recipe, to_link
from workbench.run import run

ROOT = Path(__file__).parents[2]
SECONDS = 120


def opened(name="iris", masking=None, hide="", **settings):
    app = AppTest.from_file(ROOT / "pages/completion.py", default_timeout=SECONDS)
    settings = {"n_clusters": 3, "n_init": 2, "n_epochs": 5} | settings
    app.query_params["link"] = to_link(
        Recipe(data=Builtin(name=name), method="clam", settings=settings)
    )
    if masking is not None:
        app.query_params["mask"] = masking.to_text()
    if hide:
        app.query_params["hide"] = hide
    return app.run()


def widget(kind, key):
    return next(w for w in kind if w.key == key)


def sentence(app):
    return next(m.value for m in app.markdown if "recall ends" in m.value)


def mask(app):
    text = app.query_params["mask"]
    return Masking.of_text(text if isinstance(text, str) else text[0])


def sound(app):
    assert not app.exception and not app.error
    return app


@pytest.fixture(scope="module")
def flowers():
    return sound(opened())


def test_it_opens_through_the_app_on_digits():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS).run()
    app.switch_page("pages/completion.py").run()
    sound(app)
    assert app.title[0].value == "Completion"
    assert "On 18 hidden values of row 1" in sentence(app)  # 30 % of 61


def test_a_link_restores_row_and_mask():
    app = sound(opened(masking=Masking(row=60, how="hand", cells=(0, 2), start="max")))
    assert widget(app.number_input, "completion:row").value == 60
    assert widget(app.selectbox, "completion:how").value == "hand"
    assert widget(app.selectbox, "completion:start").value == "max"
    assert sentence(app).startswith("On 2 hidden values of row 60")
    table = next(f.value for f in app.dataframe if "truth" in f.value)
    assert list(table["column"]) == ["sepal length (cm)", "petal length (cm)"]
    assert list(table["truth"]) == ["5.2", "3.9"]
    assert "from " in sentence(app)  # which starts at the maximum, not the mean


def test_row_and_share_move_the_sentence_and_the_link(flowers):
    app = flowers
    widget(app.number_input, "completion:row").set_value(7).run()
    widget(app.slider, "completion:share").set_value(0.5).run()
    assert sentence(sound(app)).startswith("On 2 hidden values of row 7")
    assert (mask(app).row, mask(app).share) == (7, 0.5)
    another = next(b for b in app.button if b.label == "Another row")
    another.click().run()
    assert mask(sound(app)).row != 7


def test_a_forged_mask_is_put_aside():
    app = AppTest.from_file(ROOT / "pages/completion.py", default_timeout=SECONDS)
    app.query_params["link"] = to_link(
        Recipe(data=Builtin(name="iris"), method="clam", settings={"n_clusters": 3})
    )
    app.query_params["mask"] = "forged"
    app.run()
    assert not app.exception
    assert any("usual row" in warning.value for warning in app.warning)


@pytest.mark.parametrize(
    "forged", ["text", 7, [1], {}, {"row": 1}, {"row": 1, "cells": ["x"]}, {"row": [], "cells": 3}]
)
def test_a_forged_release_changes_nothing(forged):
    app = opened()
    app.session_state["completion.picture"] = {"release": forged}
    assert mask(sound(app.run())) == Masking()


def test_a_part_of_an_image_gives_way_on_a_table():
    app = sound(opened(masking=Masking(how="top", row=9)))
    assert widget(app.selectbox, "completion:how").options == ["A share at random", "By hand"]
    assert mask(app).how == "share"


def test_a_row_beyond_the_table_is_the_last():
    app = sound(opened(masking=Masking(row=9999)))
    assert sentence(app).split(" recall")[0].endswith("row 150")


def test_the_sphere_gives_way_in_a_sentence():
    app = sound(opened(energy="spherical"))
    assert any("completes directions" in info.value for info in app.info)


def test_too_many_clusters_are_refused():
    app = opened(n_clusters=200)
    assert [error.value for error in app.error] == ["k = 200 is more than the 150 rows: lower k."]


def test_a_teacher_can_hide_controls():
    app = sound(opened(hide="hiding,imputation"))
    styles = " ".join(str(html.proto.body) for html in app.get("html"))
    assert ".st-key-group-completion-hiding" in styles


def test_the_error_of_fills_is_measured_on_demand():
    app = sound(opened())
    widget(app.button, "completion:go:errors").click().run()
    for _ in range(60):
        if any("the error is" in m.value for m in app.markdown):
            break
        time.sleep(0.5)
        app.run()
    told = next(m.value for m in sound(app).markdown if "the error is" in m.value)
    assert told.startswith("On hidden numbers the error is, in prepared units")
    assert any("5 repeats: 30 rows held out" in caption.value for caption in app.caption)


def test_the_memories_of_the_cluster_page_are_taken_as_they_are():
    recipe = Recipe(
        data=Builtin(name="wine"), method="clam", settings={"n_clusters": 4, "n_epochs": 5}
    )
    found = run(recipe, prepare(builtin("wine")), compared=False)
    app = opened()
    app.session_state["cluster.own.run"] = found
    app.run()
    button = next(b for b in app.button if b.label == "Use the memories of the Cluster page")
    button.click().run()
    assert widget(sound(app).selectbox, "completion:name").value == "wine"
    assert widget(app.number_input, "completion:k:n_clusters").value == 4
    hidden = of_features(hidden_columns(mask(app), found.dataset), found.dataset)
    expected = complete(found, 0, hidden)
    assert f"squared error of {expected.loss:.4g}" in sentence(app)
    assert not any(b.label == "Use the memories of the Cluster page" for b in app.button)
