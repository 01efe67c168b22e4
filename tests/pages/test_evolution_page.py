"""The evolution page through app.py and alone: what trains, what is sent, what the link holds."""

import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ui.evolution_player import page_of
from workbench.evolution_pack import unpack
from workbench.recipe import Builtin, Recipe, View, from_link, to_link

ROOT = Path(__file__).parents[2]
SECONDS = 120


def opened(recipe=None, view=None, script="app.py", **query):
    app = AppTest.from_file(ROOT / script, default_timeout=SECONDS)
    if script == "app.py":
        app.switch_page("pages/evolution.py")
    if recipe is not None:
        app.query_params["link"] = to_link(recipe, view)
    for name, value in query.items():
        app.query_params[name] = value
    return finish(app.run())


def finish(app, before=None):
    """Run until there is something to play, and other than before."""
    end = time.monotonic() + SECONDS
    while payload(app) in (None, before) and not app.error:
        assert time.monotonic() < end, "the training did not end"
        time.sleep(0.1)
        app.run()
    return app


def payload(app):
    sent = [element.proto.bytes for element in app.get("bidi_component")]
    return next((content for content in sent if content), None)


def widget(kind, key):
    return next(w for w in kind if w.key == key)


def link(app):
    text = app.query_params["link"]
    return from_link(text if isinstance(text, str) else text[0])


IRIS = Recipe(data=Builtin(name="iris"), method="clam", settings={"n_clusters": 3, "n_epochs": 6})


@pytest.mark.parametrize("script", ["app.py", "pages/evolution.py"])
def test_it_opens_with_a_training_to_play(script):
    app = opened(script=script)
    assert not app.exception and not app.error
    assert app.title[0].value == "Evolution"
    head, arrays = unpack(payload(app))
    assert [course["key"] for course in head["courses"]] == ["clam"]
    assert head["opens"] == 0 and head["k"] == 3 and len(arrays["points"]) == head["n"]
    assert {"light", "dark"} == set(head["colours"])


def test_a_link_trains_the_same_again_and_opens_at_its_epoch():
    view = View(epoch=4, beside=("kmeans", "slk"))
    app = opened(IRIS, view)
    content = payload(app)
    head, _ = unpack(content)
    assert head["opens"] == 4 and head["ticks"] == list(range(7)) or head["ticks"][-1] > 6
    assert [course["key"] for course in head["courses"]] == ["clam", "kmeans", "slk"]
    assert payload(opened(IRIS, view)) == content
    recipe, shown = link(app)
    assert recipe == IRIS and shown == view


def test_where_the_reader_stops_is_the_links_and_nothing_is_sent_anew():
    app = opened(IRIS)
    content = payload(app)
    app.session_state["evolution.player"] = {"epoch": 5}
    app.run()
    assert link(app)[1].epoch == 5
    assert payload(app) == content


def test_other_methods_and_settings_wait_for_train():
    app = opened(IRIS)
    content = payload(app)
    widget(app.button_group, "evolution:methods").set_value(["dec", "kmeans"]).run()
    recipe, view = link(app)
    assert recipe.method == "kmeans" and view.beside == ("dec",)
    assert any("Out of date" in warning.value for warning in app.warning)
    next(b for b in app.button if b.label == "Train").click().run()
    head, _ = unpack(payload(finish(app, content)))
    assert [course["key"] for course in head["courses"]] == ["kmeans", "dec"]
    assert head["opens"] == 0


def test_a_lecture_hides_the_controls_and_trains_nevertheless():
    app = opened(IRIS, hide="data,training")
    assert payload(app) is not None and not app.error
    assert "display: none" in "".join(str(element.proto) for element in app.get("html"))


def test_more_clusters_than_rows_are_said():
    app = opened()
    widget(app.number_input, "evolution:k").set_value(20).run()
    assert not app.error
    rows = "1-5"
    recipe = IRIS.changed(preparation={"rows": rows}, settings={"n_clusters": 9})
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS)
    app.switch_page("pages/evolution.py")
    app.query_params["link"] = to_link(recipe)
    app.run()
    assert any("k = 9 is more than the 5 rows" in error.value for error in app.error)


def test_the_exported_page_is_whole_and_loads_nothing():
    from workbench.builtin import builtin
    from workbench.dataset import prepare
    from workbench.evolution import evolve
    from workbench.evolution_pack import pack

    evolution = evolve([IRIS], prepare(builtin("iris"), IRIS.preparation))
    page = page_of(evolution, pack(evolution, opens=0)).decode()
    assert page.startswith("<!doctype html>") and page.count("</html>") == 1
    assert "http://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in page and "evolution/player.js" in page
    assert "ClAM on Iris" in page
