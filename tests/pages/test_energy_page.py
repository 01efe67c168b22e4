"""The energy page through app.py and alone."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_figure_page import link, widget
from ui import state
from ui.energy_hand import _place
from workbench.globe import GLOBES, wrapped
from workbench.ground import angles
from workbench.recipe import Memories, Recipe, View, to_link
from workbench.toys import FIGURE_3_III, FIGURE_4, FIGURE_12

ROOT = Path(__file__).parents[2]
SECONDS = 90
LARGEST = 300_000  # bytes of a picture


def opened(recipe: Any = None, view=None):
    app = AppTest.from_file(ROOT / "pages/energy.py", default_timeout=SECONDS)
    if recipe is not None:
        app.query_params["link"] = to_link(recipe, view)
    return app.run()


def recall(positions, **settings):
    return Recipe(data=Memories(positions=positions), method="recall", settings=settings)


def words(app):
    return " ".join(each.value for each in app.markdown)


def charts(app):
    return [each.proto for each in app.get("plotly_chart")]


@pytest.fixture
def energy():
    return opened()


def test_it_opens_through_the_app_with_pictures_and_sentences():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS).run()
    app.switch_page("pages/energy.py").run()
    assert not app.exception and not app.error and not app.warning
    assert app.title[0].value == "Energy"
    space, flat, descent = charts(app)
    assert "energy as a surface" in space.alt and "each of the 3 memories" in space.alt
    assert json.loads(flat.spec)["layout"]["images"][0]["source"].startswith("data:image/png")
    assert "It never rises" in descent.alt and descent.alt in words(app)
    assert max(len(each.spec) for each in charts(app)) < LARGEST
    assert link(app)[0].settings["beta"] == 50.0


def test_beta_and_steps_reshape_the_surface_and_travel(energy):
    before = charts(energy)[0].spec
    widget(energy.select_slider, "energy:beta").set_value(1.0)
    widget(energy.slider, "energy:n_steps").set_value(4).run()
    assert charts(energy)[0].spec != before
    assert "at β = 1" in words(energy) and "share one valley" in words(energy)
    assert "−(1/β) ln 3 = −1.099" in words(energy)
    assert "after T = 4 steps" in words(energy)
    assert dict(link(energy)[0].settings).items() >= {"beta": 1.0, "n_steps": 4}.items()


def test_the_particle_is_moved_by_its_fields(energy):
    widget(energy.number_input, "energy:particle:x").set_value(0.3).run()
    assert link(energy)[1].particle == (0.3, 0.733)
    assert "starts at (0.3, 0.733)" in words(energy)


def test_height_can_colour_both_pictures(energy):
    before = [each.spec for each in charts(energy)]
    widget(energy.button_group, "energy:colours").set_value("height").run()
    after = [each.spec for each in charts(energy)]
    assert before[0] != after[0] and before[1] != after[1] and before[2] == after[2]
    assert "energy" in link(energy)[1].layers
    widget(energy.button_group, "energy:colours").set_value("basins").run()
    assert [each.spec for each in charts(energy)] == before


def test_the_globe_has_memories_of_its_own_and_the_plane_comes_back(energy):
    widget(energy.select_slider, "energy:beta").set_value(20.0).run()
    widget(energy.button_group, "energy:energy").set_value("spherical").run()
    assert not energy.exception and not energy.error
    recipe, _ = link(energy)
    assert recipe.data.positions == GLOBES["globe-3"].memories
    space = charts(energy)[0]
    assert "on a globe" in space.alt and len(space.spec) < LARGEST
    assert "great circle" in words(energy) and "longitude" in words(energy)
    widget(energy.number_input, "energy:particle:Latitude").set_value(-45.0).run()
    assert angles(link(energy)[1].particle)[1] == pytest.approx(-45, abs=0.01)
    widget(energy.button_group, "energy:energy").set_value("weighted").run()
    recipe, _ = link(energy)
    assert recipe.data.positions == FIGURE_4.memories
    assert recipe.settings["beta"] == 20.0 and recipe.settings["energy"] == "weighted"
    widget(energy.button_group, "energy:energy").set_value("spherical").run()
    assert angles(link(energy)[1].particle)[1] == pytest.approx(-45, abs=0.01)


def test_a_preset_brings_its_particle(energy):
    widget(energy.number_input, "energy:particle:x").set_value(0.3).run()
    widget(energy.selectbox, "energy:start").set_value("figure-3-iii").run()
    assert link(energy)[1].particle is None
    assert "starts at (0.3, 0.5)" in words(energy)
    assert "downhill" in words(energy)  # memory 1 wins although it is the farthest
    assert link(energy)[0].data.positions == FIGURE_3_III.memories


def test_every_globe_opens(energy):
    widget(energy.button_group, "energy:energy").set_value("spherical").run()
    for key, globe in GLOBES.items():
        widget(energy.selectbox, "energy:start").set_value(key).run()
        assert not energy.exception and not energy.error
        assert link(energy)[0].data.positions == globe.memories
        assert max(len(each.spec) for each in charts(energy)) < LARGEST


@pytest.mark.parametrize("kind", ["euclidean", "spherical"])
def test_memories_are_taken_from_basins(kind):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS).run()
    app.switch_page("pages/figure.py").run()
    widget(app.selectbox, "basins:start").set_value("figure-12").run()
    app.switch_page("pages/energy.py").run()
    widget(app.button_group, "energy:energy").set_value(kind).run()
    widget(app.button, "energy:take").click().run()
    assert not app.exception and not app.error
    recipe, _ = link(app)
    if kind == "spherical":
        assert recipe.data.positions == wrapped(FIGURE_12.memories)
    else:
        assert recipe.data.positions == FIGURE_12.memories
        assert recipe.settings["beta"] == FIGURE_12.beta


@pytest.mark.parametrize(
    ("recipe", "view"),
    [
        (
            recall(FIGURE_12.memories, beta=3.3, mode="attractor"),
            View(particle=(0.1, 0.2), layers=("voronoi", "energy")),
        ),
        (
            recall(GLOBES["globe-6"].memories, beta=8.0, energy="spherical"),
            View(particle=(0.0, 0.6, 0.8)),
        ),
    ],
)
def test_a_link_restores_recipe_and_view(recipe, view):
    app = opened(recipe, view)
    assert not app.exception and not app.warning
    found = link(app)
    assert found[0] == recipe and found[1].layers == view.layers
    np.testing.assert_allclose(found[1].particle, view.particle, atol=1e-4)


@pytest.mark.parametrize(
    ("recipe", "view"),
    [
        (recall(FIGURE_4.memories, energy="spherical"), View()),
        (recall(GLOBES["globe-3"].memories), View()),
        (recall(FIGURE_4.memories), View(particle=(0.0, 0.6, 0.8))),
    ],
)
def test_a_link_of_another_space_is_refused(recipe, view):
    app = opened(recipe, view)
    assert not app.exception and "not one of the energy page" in app.warning[0].value


def test_memories_in_space_are_nothing_for_the_basins_page():
    app = AppTest.from_file(ROOT / "pages/figure.py", default_timeout=SECONDS)
    app.query_params["link"] = to_link(recall(GLOBES["globe-3"].memories, energy="spherical"))
    app.run()
    assert not app.exception and "not one of the basins page" in app.warning[0].value


@pytest.mark.parametrize(
    "positions", [((0.5, 0.5),), ((0.5, 0.5),) * 3, ((0.0, 0.0), (1.0, 1.0), (2.0, 2.0))]
)
@pytest.mark.parametrize("mode", ["steps", "attractor"])
@pytest.mark.parametrize("beta", [1e-3, 1e3])
def test_degenerate_memories_draw(positions, mode, beta):
    app = opened(recall(positions, mode=mode, beta=beta))
    assert not app.exception and not app.error


def test_a_teacher_hides_controls():
    app = AppTest.from_file(ROOT / "pages/energy.py", default_timeout=SECONDS)
    app.query_params["hide"] = "memories,equation"
    app.run()
    assert not app.exception
    assert link(app)[0] == state.defaults("energy")[0]


def test_clicks_are_places_of_the_space():
    plane, _ = state.defaults("energy")
    assert _place(plane, [0.123456, 2.0]) == (0.1235, 2.0)
    assert _place(plane, [0.1, 0.2, 0.9]) == (0.1, 0.2)  # of the surface
    globe = recall(GLOBES["globe-3"].memories, energy="spherical")
    assert _place(globe, [90.0, 0.0]) == pytest.approx((0, 1, 0))
    assert _place(globe, [0.0, 0.0, 2.0]) == pytest.approx((0, 0, 1))
    for nonsense in ([1.0], [float("nan"), 0.0], "x"):
        with pytest.raises(ValueError, match=r"should be|convert"):
            _place(plane, nonsense)
