"""The figure page through app.py and alone."""

import json
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

from ui import state
from ui.basin_picture import basin_picture
from workbench.recipe import Builtin, Memories, Recipe, View, from_link, to_link
from workbench.toys import FIGURE_12

ROOT = Path(__file__).parents[2]
SECONDS = 60


def link(app) -> Any:
    text = app.query_params["link"]
    return from_link(text if isinstance(text, str) else text[0])


def sentence(app):
    return app.markdown[0].value


def widget(kind, key):
    return next(w for w in kind if w.key == key)


@pytest.fixture(params=["app.py", "pages/figure.py"])
def app(request):
    started = AppTest.from_file(ROOT / request.param, default_timeout=SECONDS).run()
    return started.switch_page("pages/figure.py").run() if request.param == "app.py" else started


def test_it_opens_with_a_picture_and_a_sentence(app):
    assert not app.exception and not app.error and not app.warning
    assert app.title[0].value == "Basins as a figure"
    figure = app.get("plotly_chart")
    (image,) = json.loads(figure[0].proto.spec)["layout"]["images"]
    assert len(figure) == 1 and image["source"].startswith("data:image/png;base64,")
    assert sentence(app).startswith("At β = 5 ") and "because" in sentence(app)
    assert sentence(app) in figure[0].proto.alt


@pytest.fixture
def basins():
    return AppTest.from_file(ROOT / "pages/figure.py", default_timeout=SECONDS).run()


def spec(app):
    return app.get("plotly_chart")[0].proto.spec


def test_beta_changes_the_picture_the_sentence_and_the_link(basins):
    before = spec(basins)
    widget(basins.select_slider, "basins:beta").set_value(50.0).run()
    assert not basins.exception
    assert spec(basins) != before
    assert sentence(basins).startswith("At β = 50 ")
    assert link(basins)[0].settings["beta"] == 50.0


def test_steps_change_the_picture(basins):
    before = spec(basins)
    widget(basins.slider, "basins:n_steps").set_value(1).run()
    assert spec(basins) != before and "after T = 1 step " in sentence(basins)


def test_attractors_leave_one_basin(basins):
    widget(basins.select_slider, "basins:beta").set_value(0.1)
    widget(basins.button_group, "basins:mode").set_value("attractor").run()
    assert "share one attractor, and " in sentence(basins)
    assert widget(basins.slider, "basins:n_steps").disabled


@pytest.mark.parametrize("energy", ["weighted", "spherical"])
def test_every_energy_draws(basins, energy):
    widget(basins.button_group, "basins:energy").set_value(energy).run()
    assert not basins.exception and not basins.error
    recipe, _ = link(basins)
    assert recipe.settings["energy"] == energy
    assert len(recipe.data.weights) == (3 if energy == "weighted" else 0)


@pytest.mark.parametrize("layer", ["entropy", "energy", "disagreement"])
def test_every_layer_draws(basins, layer):
    before = spec(basins)
    widget(basins.button_group, "basins:layers").set_value([layer]).run()
    assert not basins.exception and spec(basins) != before
    assert link(basins)[1].layers == (layer,)


def test_a_preset_brings_its_memories_and_beta(basins):
    widget(basins.selectbox, "basins:start").set_value("figure-12").run()
    recipe, _ = link(basins)
    assert recipe.data.positions == FIGURE_12.memories
    assert recipe.settings["beta"] == FIGURE_12.beta
    assert "5 memories" in sentence(basins)
    assert widget(basins.select_slider, "basins:beta").value == FIGURE_12.beta


def test_random_memories_follow_their_seed(basins):
    widget(basins.selectbox, "basins:start").set_value("random").run()
    widget(basins.number_input, "basins:count").set_value(7).run()
    widget(basins.number_input, "basins:seed").set_value(4).run()
    recipe, _ = link(basins)
    assert len(recipe.data.positions) == 7 and recipe.seed == 4
    again = AppTest.from_file(ROOT / "pages/figure.py", default_timeout=SECONDS)
    again.query_params["link"] = to_link(recipe)
    again.run()
    assert widget(again.selectbox, "basins:start").value == "random"
    assert link(again)[0] == recipe


def test_the_published_convention_doubles_what_is_shown(basins):
    widget(basins.button_group, "basins:convention").set_value("published").run()
    assert sentence(basins).startswith("At β = 10 ")
    recipe, view = link(basins)
    assert recipe.settings["beta"] == 5.0 and view.convention == "published"


def test_the_panels_of_a_figure_are_offered(basins):
    widget(basins.button_group, "basins:panel").set_value(50.0).run()
    assert link(basins)[0].settings["beta"] == 50.0
    assert widget(basins.select_slider, "basins:beta").value == 50.0


def test_beta_can_be_automatic(basins):
    widget(basins.toggle, "basins:auto").set_value(True).run()
    assert not basins.exception
    assert link(basins)[0].settings["beta"] == "auto"
    assert widget(basins.select_slider, "basins:beta").disabled
    assert basins.button_group  # the panels, none of them lit
    assert widget(basins.button_group, "basins:panel").value is None


def test_the_panels_follow_beta(basins):
    panels = widget(basins.button_group, "basins:panel")
    assert panels.value == 5.0
    widget(basins.select_slider, "basins:beta").set_value(1e-3).run()
    assert widget(basins.button_group, "basins:panel").value is None
    widget(basins.button_group, "basins:panel").set_value(5.0).run()
    assert widget(basins.select_slider, "basins:beta").value == 5.0


def test_one_shade_gives_way_to_another(basins):
    widget(basins.button_group, "basins:layers").set_value(["entropy"]).run()
    widget(basins.button_group, "basins:layers").set_value(["entropy", "energy"]).run()
    assert link(basins)[1].layers == ("energy",)


def test_weights_come_back_with_their_energy():
    data = Memories(positions=((0.0, 0.0), (1.0, 0.2)), weights=(1.0, 9.0))
    recipe = Recipe(data=data, method="recall", settings={"energy": "weighted"})
    app = AppTest.from_file(ROOT / "pages/figure.py", default_timeout=SECONDS)
    app.query_params["link"] = to_link(recipe)
    app.run()
    for energy in ("euclidean", "weighted"):
        widget(app.button_group, "basins:energy").set_value(energy).run()
    assert link(app)[0] == recipe


def test_data_points_are_counted(basins):
    widget(basins.selectbox, "basins:points").set_value("blobs").run()
    assert "400 data points" in sentence(basins)
    assert link(basins)[1].points == "blobs"


def test_a_link_restores_recipe_and_view():
    recipe = Recipe(
        data=Memories(positions=((0.0, 0.0), (1.0, 0.2), (0.3, 0.9)), weights=(1.0, 2.0, 0.5)),
        method="recall",
        settings={"beta": 3.3, "n_steps": 42, "energy": "weighted", "mode": "attractor"},
    )
    view = View(layers=("entropy", "memories"), convention="published", points="moons")
    app = AppTest.from_file(ROOT / "pages/figure.py", default_timeout=SECONDS)
    app.query_params["link"] = to_link(recipe, view)
    app.run()
    assert not app.exception and not app.warning
    assert link(app) == (recipe, view)
    assert widget(app.select_slider, "basins:beta").value == 3.3
    assert widget(app.slider, "basins:n_steps").value == 42
    assert sentence(app).startswith("At β = 6.6 ")


@pytest.mark.parametrize("text", ["forged", "eNoljdEKgzAMRf8", "A" * 100_000])
def test_a_forged_link_is_a_sentence_and_the_defaults(text):
    app = AppTest.from_file(ROOT / "pages/figure.py", default_timeout=SECONDS)
    app.query_params["link"] = text
    app.run()
    assert not app.exception
    assert len(app.warning) == 1 and "defaults" in app.warning[0].value
    assert sentence(app).startswith("At β = 5 ")


def test_a_link_of_the_other_page_is_refused():
    app = AppTest.from_file(ROOT / "pages/figure.py", default_timeout=SECONDS)
    app.query_params["link"] = to_link(Recipe(data=Builtin(name="iris")))
    app.run()
    assert "not one of the basins page" in app.warning[0].value


def test_zero_cannot_lie_on_the_sphere():
    recipe = Recipe(
        data=Memories(positions=((0.0, 0.0), (1.0, 0.2))),
        method="recall",
        settings={"energy": "spherical"},
    )
    app = AppTest.from_file(ROOT / "pages/figure.py", default_timeout=SECONDS)
    app.query_params["link"] = to_link(recipe)
    app.run()
    assert not app.exception
    assert [e.value for e in app.error] == [
        "memory 1 = (0, 0) should not be zero for energy='spherical'."
    ]


@pytest.mark.parametrize(
    "positions", [((0.5, 0.5),), ((0.5, 0.5),) * 3, ((0.0, 0.0), (1.0, 1.0), (2.0, 2.0))]
)
@pytest.mark.parametrize("mode", ["steps", "attractor"])
def test_degenerate_memories_draw(positions, mode):
    recipe = Recipe(data=Memories(positions=positions), method="recall", settings={"mode": mode})
    app = AppTest.from_file(ROOT / "pages/figure.py", default_timeout=SECONDS)
    app.query_params["link"] = to_link(recipe)
    app.run()
    assert not app.exception and not app.error


@pytest.mark.parametrize("beta", [1e-3, 1e3])
def test_the_ends_of_the_range_draw(basins, beta):
    widget(basins.select_slider, "basins:beta").set_value(beta).run()
    assert not basins.exception and not basins.error


def test_settings_survive_a_visit_to_another_page():
    basins = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS).run()
    basins.switch_page("pages/figure.py").run()
    widget(basins.select_slider, "basins:beta").set_value(20.0)
    widget(basins.slider, "basins:n_steps").set_value(33).run()
    before = sentence(basins)
    basins.switch_page("pages/cluster.py").run()
    assert basins.title[0].value == "Cluster a table"
    basins.switch_page("pages/figure.py").run()
    assert widget(basins.select_slider, "basins:beta").value == 20.0
    assert sentence(basins) == before


def test_two_sessions_share_nothing(basins):
    other = AppTest.from_file(ROOT / "pages/figure.py", default_timeout=SECONDS).run()
    widget(basins.select_slider, "basins:beta").set_value(100.0).run()
    other.run()
    assert sentence(other).startswith("At β = 5 ")


@pytest.mark.parametrize("layer", ["basins", "entropy", "energy", "disagreement"])
@pytest.mark.parametrize("energy", ["euclidean", "weighted", "spherical"])
def test_every_picture_is_a_valid_plotly_figure(layer, energy):
    recipe, view = state.defaults("basins")
    recipe = recipe.changed(settings={"energy": energy})
    layers = (*view.layers, layer) if layer != "basins" else view.layers
    view = view.model_copy(update={"layers": layers, "points": "moons"})
    figure, _ = basin_picture(recipe, view, False)
    drawn = figure.to_dict()
    again: Any = go.Figure(drawn)  # raises at an unknown property
    assert len(again.data) == len(drawn["data"])
