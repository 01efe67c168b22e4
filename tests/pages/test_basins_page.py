"""The live page, Python's side: letters out, releases in."""

import json
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from workbench.recipe import Memories, Recipe, View, from_link, to_link
from workbench.toys import FIGURE_4, FIGURE_12

ROOT = Path(__file__).parents[2]
SECONDS = 60
CANVAS = "basins.canvas"
PAGE = "pages/basins.py"


@pytest.fixture(params=["app.py", "pages/basins.py"])
def app(request):
    started = AppTest.from_file(ROOT / request.param, default_timeout=SECONDS).run()
    return started.switch_page(PAGE).run() if request.param == "app.py" else started


@pytest.fixture
def basins():
    return AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS).switch_page(PAGE).run()


def at(recipe, view=None):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS).switch_page(PAGE)
    app.query_params["link"] = to_link(recipe, view)
    return app.run()


def link(app) -> Any:
    text = app.query_params["link"]
    return from_link(text if isinstance(text, str) else text[0])


def components(app):
    return [element.proto for element in app.get("bidi_component")]


def letters(app) -> Any:
    """What travels to the canvas, address -> letter."""
    sent = [json.loads(proto.json) for proto in components(app)]
    return {each["address"]: each["letter"] for each in sent if "letter" in each}


def release(app, **values):
    """Do what the canvas does when the hand lets go."""
    letter = letters(app)["basins"]
    released = {**letter["model"], "revision": letter["revision"], **values}
    app.session_state[CANVAS] = {"release": released}
    return app.run()


def test_it_opens_with_the_default_model(app):
    assert not app.exception and not app.error and not app.warning
    assert app.title[0].value == "Basins of attraction"
    letter = letters(app)["basins"]
    assert letter["revision"] == 1 and letter["factor"] == 1 and letter["tree"] is None
    assert letter["model"] == {
        "memories": [list(position) for position in FIGURE_4.memories],
        "weights": [1, 1, 1],
        "energy": "euclidean",
        "beta": 5,
        "steps": 10,
        "stepSize": None,
        "mode": "steps",
        "layers": ["voronoi", "attractors", "memories"],
        "particle": None,
    }


def test_the_constant_part_holds_nothing_that_changes(basins):
    (before,) = [proto.json for proto in components(basins) if '"colours"' in proto.json]
    other = at(Recipe(data=Memories(positions=FIGURE_12.memories), method="recall"), View())
    (after,) = [proto.json for proto in components(other) if '"colours"' in proto.json]
    assert before == after


def test_a_release_reaches_the_link_and_is_not_sent_back_as_news(basins):
    release(basins, beta=12.5, steps=33, mode="attractor", layers=["voronoi", "energy"])
    assert not basins.exception
    recipe, view = link(basins)
    asked = {name: recipe.settings[name] for name in ("beta", "n_steps", "mode")}
    assert asked == {"beta": 12.5, "n_steps": 33, "mode": "attractor"}
    assert view.layers == ("voronoi", "energy")
    letter = letters(basins)["basins"]
    assert letter["revision"] == 1 and letter["model"]["beta"] == 12.5


def test_memories_and_weights_are_released(basins):
    memories, weights = [[0.1, 0.2], [0.3, 0.4]], [1.0, 7.5]
    release(basins, memories=memories, weights=weights, energy="weighted", particle=[0.5, 0.6])
    recipe, view = link(basins)
    assert recipe.data == Memories(positions=((0.1, 0.2), (0.3, 0.4)), weights=(1.0, 7.5))
    assert view.particle == (0.5, 0.6)


def test_weights_wait_for_their_energy(basins):
    weights = [1.0, 4.0, 2.0]
    release(basins, weights=weights, energy="weighted")
    release(basins, energy="euclidean")
    assert link(basins)[0].settings["energy"] == "euclidean"
    assert letters(basins)["basins"]["model"]["weights"] == weights


def test_a_change_by_the_page_is_a_new_revision(basins):
    convention = next(b for b in basins.button_group if b.key == "canvas:convention")
    convention.set_value("published").run()
    assert letters(basins)["basins"]["revision"] == 1, "how beta is written is not the model's"
    assert letters(basins)["basins"]["factor"] == 2
    points = next(box for box in basins.selectbox if box.key == "canvas:points")
    points.set_value("blobs").run()
    assert len(letters(basins)["basins/points"]["points"]) == 400


def test_a_release_of_an_older_revision_is_put_aside(basins):
    release(basins, beta=77.0, revision=0)
    assert not basins.exception
    assert link(basins)[0].settings["beta"] == 5


@pytest.mark.parametrize(
    "forged",
    [
        {"beta": -1},
        {"beta": "many"},
        {"steps": 10**9},
        {"memories": []},
        {"memories": [["a", "b"]]},
        {"layers": ["nothing"]},
        {"particle": [1e300, 0]},
        {"weights": None, "energy": "weighted"},
    ],
)
def test_a_forged_release_changes_nothing_and_the_canvas_is_told(basins, forged):
    release(basins, **forged)
    assert not basins.exception
    assert link(basins)[0].settings["beta"] == 5
    letter = letters(basins)["basins"]
    assert letter["revision"] == 2 and letter["model"]["beta"] == 5


def test_a_link_restores_the_model_and_the_particle():
    recipe = Recipe(
        data=Memories(positions=FIGURE_12.memories, weights=(1, 2, 3, 4, 5)),
        method="recall",
        settings={"beta": 3.3, "n_steps": 42, "energy": "weighted", "step_size": 0.5},
    )
    view = View(layers=("energy", "pull"), particle=(0.25, 0.5), convention="published")
    app = at(recipe, view)
    assert not app.exception and not app.warning and link(app) == (recipe, view)
    letter = letters(app)["basins"]
    model = letter["model"]
    assert (model["beta"], model["steps"], model["stepSize"]) == (3.3, 42, 0.5)
    assert model["weights"] == [1, 2, 3, 4, 5] and model["particle"] == [0.25, 0.5]
    assert letter["factor"] == 2


def test_the_tree_is_computed_where_it_is_asked_for(basins):
    release(basins, layers=["voronoi", "tree"])
    tree = letters(basins)["basins"]["tree"]
    assert tree["counts"][0][1] == 1 and tree["counts"][-1][1] == 3
    low, high = tree["betas"]
    assert all(low < beta < high for beta in tree["critical"])
    for branch in tree["branches"]:
        assert len(branch["betas"]) == len(branch["heights"]) == len(branch["labels"])
    assert tree["of"]["memories"] == letters(basins)["basins"]["model"]["memories"]


def test_the_spherical_energy_is_a_figure():
    app = at(Recipe(data=Memories(positions=FIGURE_4.memories), method="recall",
                    settings={"energy": "spherical"}))  # fmt: skip
    assert not app.exception and "drawn as a figure" in app.info[0].value
    assert not letters(app)


def test_what_only_the_canvas_draws_survives_the_figure_page(basins):
    release(basins, layers=["voronoi", "pull"], particle=[0.4, 0.4])
    before = link(basins)
    basins.switch_page("pages/figure.py").run()
    assert not basins.exception and not basins.error
    basins.switch_page(PAGE).run()
    assert link(basins) == before
    assert letters(basins)["basins"]["model"]["layers"] == ["voronoi", "pull"]
