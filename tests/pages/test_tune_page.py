"""The Tune page through app.py and alone."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from workbench.recipe import Builtin, Recipe, from_link, to_link

ROOT = Path(__file__).parents[2]
SECONDS = 120
FEW = {"n_clusters": 3, "n_init": 2, "n_epochs": 1, "batch_size": 128}


def opened(text=None) -> Any:
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS)
    app.switch_page("pages/tune.py")
    app.query_params["link"] = to_link(recipe()) if text is None else text
    return app.run()


def recipe(name="iris", **settings):
    return Recipe(data=Builtin(name=name), settings=FEW | settings)


def widget(kind, key):
    return next(w for w in kind if w.key == key)


def press(app, label):
    return next(b for b in app.button if b.label == label).click().run()


def link(app) -> Any:
    text = app.query_params["link"]
    return from_link(text if isinstance(text, str) else text[0])[0]


def finish(app):
    end = time.monotonic() + SECONDS
    while not [box for box in (*app.success, *app.info) if "trained, spread" in box.value
               or box.value.startswith("Done")] and not app.error:  # fmt: skip
        assert time.monotonic() < end, "the tuning did not end"
        time.sleep(0.05)
        app.run()
    return app


def tuned(app):
    return finish(press(app, "Start"))


def said(app):
    return [*(e.value for e in app.error), *(w.value for w in app.warning)]


def sentence(app):
    return next(m.value for m in app.markdown if m.value.startswith("**"))


def table_shown(app) -> Any:
    return next(frame.value for frame in app.dataframe if "what" in frame.value)


def figure(app) -> Any:
    return json.loads(app.get("plotly_chart")[0].proto.spec)


@pytest.fixture(scope="module")
def beta():
    """A page on which beta was swept; tests leave it as it is, or start anew."""
    return tuned(opened())


def test_it_opens_ready_alone_too():
    app = AppTest.from_file(ROOT / "pages/tune.py", default_timeout=SECONDS).run()
    assert not app.exception and not said(app)
    assert app.title[0].value == "Tune ClAM"
    assert widget(app.button_group, "tune:steps:beta").value == [2, 5, 10, 20]


def test_beta_is_swept_with_k_means_as_a_line(beta):
    assert not beta.exception and not said(beta)
    assert beta.success[0].value.startswith("Done: 68 configurations")
    names = [trace.get("name") for trace in figure(beta)["data"]]
    assert names == ["T = 2", "T = 5", "T = 10", "T = 20", "k-means", "default", "best"]
    assert "has the highest silhouette of" in sentence(beta)
    table = table_shown(beta)
    assert list(table["what"][:2]) == ["default", "k-means"] and len(table) == 70
    assert (table["what"] == "best").sum() == 1


def test_another_rule_and_measure_need_no_training():
    app = tuned(opened())
    widget(app.button_group, "tune:rule").set_value("loss").run()
    widget(app.button_group, "tune:measure").set_value("loss").run()
    assert not app.exception and app.success
    assert "has the lowest loss of 68 configurations" in sentence(app)
    assert "k-means" not in [trace.get("name") for trace in figure(app)["data"]]
    widget(app.button_group, "tune:measure").set_value("nmi").run()
    assert "Its NMI is" in sentence(app)


def test_the_best_is_one_click_from_the_cluster_page():
    app = tuned(opened())
    widget(app.button_group, "tune:rule").set_value("loss").run()
    best = table_shown(app).set_index("what").loc["best"]
    press(app, "Use the best on the Cluster page")
    assert not app.exception
    assert app.title[0].value == "Cluster a table"
    settings = link(app).settings
    assert settings["beta"] == best["beta"] and settings["n_steps"] == best["T"]
    assert settings["selection"] == "loss" and settings["n_epochs"] == FEW["n_epochs"]


@pytest.mark.parametrize("sweep", ["mask_value", "map"])
def test_other_sweeps_draw_their_own_picture(sweep):
    app = opened()
    widget(app.button_group, "tune:sweep").set_value(sweep).run()
    widget(app.button_group, f"tune:steps:{sweep}").set_value([1, 5]).run()
    tuned(app)
    assert not app.exception and not said(app)
    data = figure(app)["data"]
    assert data[0].get("type") == ("heatmap" if sweep == "map" else "scatter")
    assert sentence(app)


def test_a_fault_of_data_and_settings_is_one_sentence():
    app = opened(to_link(recipe("moons")))
    assert not app.exception
    app = opened(to_link(recipe(n_clusters=200)))
    assert "is more than the" in app.error[0].value
    assert next(b for b in app.button if b.label == "Start").disabled


def test_changed_settings_leave_the_picture_with_a_word():
    app = tuned(opened())
    widget(app.number_input, "tune:k").set_value(4).run()
    assert any("Out of date" in warning.value for warning in app.warning)
    assert app.get("plotly_chart")


def test_a_link_restores_the_settings_and_one_of_another_page_is_refused():
    asked = recipe("wine", n_init=5)
    app = opened(to_link(asked))
    assert link(app) == asked
    assert widget(app.number_input, "tune:setting:n_init").value == 5
    app = opened(to_link(Recipe(data=Builtin(name="iris"), method="kmeans")))
    assert "not one of the tune page" in app.warning[0].value


def test_what_is_varied_is_remembered_on_another_page():
    app = opened()
    widget(app.button_group, "tune:sweep").set_value("learning_rate").run()
    app.switch_page("pages/figure.py").run()
    app.switch_page("pages/tune.py").run()
    assert not app.exception
    assert widget(app.button_group, "tune:sweep").value == "learning_rate"
