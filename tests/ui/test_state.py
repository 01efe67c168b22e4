"""Remembered values: session, then link, then default, and back into both."""

from streamlit.testing.v1 import AppTest

from workbench.recipe import Memories, Recipe, View, from_link, to_link


def link(app):
    text = app.query_params["link"]
    return text if isinstance(text, str) else text[0]


RECIPE = Recipe(
    data=Memories(positions=((0.0, 1.0), (2.0, 3.5))), method="recall", settings={"beta": 0.25}
)
VIEW = View(layers=("energy",), convention="published")


def reader():
    import streamlit as st

    from ui import state
    from workbench.recipe import View

    recipe, view, note = state.read("basins")
    if st.button("warm"):
        recipe = recipe.changed(settings={"beta": recipe.settings["beta"] * 2})
        state.write("basins", recipe, view)
    if st.button("look"):
        state.write("basins", recipe, View(layers=("entropy",)))
    shown = state.read("basins")
    st.text(shown.recipe.to_json())
    st.text(",".join(shown.view.layers))
    st.text(shown.note)
    st.text(state.shared_link("basins"))


def start(text=None):
    app = AppTest.from_function(reader)
    if text is not None:
        app.query_params["link"] = text
    return app.run()


def test_defaults_come_last():
    app = start()
    assert Recipe.from_json(app.text[0].value).method == "recall"
    assert app.text[2].value == ""


def test_a_link_beats_the_defaults():
    app = start(to_link(RECIPE, VIEW))
    assert Recipe.from_json(app.text[0].value) == RECIPE
    assert app.text[1].value == "energy"


def test_the_session_beats_the_link():
    app = start(to_link(RECIPE, VIEW))
    app.button[0].click().run()
    app.query_params["link"] = to_link(RECIPE, VIEW)
    app.run()
    assert Recipe.from_json(app.text[0].value).settings["beta"] == 0.5


def test_changes_reach_the_link_and_restore_elsewhere():
    app = start(to_link(RECIPE, VIEW))
    app.button[0].click().run()
    app.button[1].click().run()
    recipe, view = from_link(link(app))
    assert recipe.settings["beta"] == 0.5 and view.layers == ("entropy",)
    assert link(app) in app.text[3].value
    again = start(link(app))
    assert again.text[0].value == app.text[0].value


def test_a_bad_link_leaves_a_note_until_the_next_change():
    app = start("forged")
    assert "defaults" in app.text[2].value
    app.run()
    assert "defaults" in app.text[2].value
    app.button[0].click().run()
    assert app.text[2].value == ""


def test_an_outdated_link_says_so():
    import base64
    import json
    import zlib

    old = json.dumps({"v": 0, "recipe": {}}).encode()
    text = base64.urlsafe_b64encode(zlib.compress(old)).decode().rstrip("=")
    assert "version" in start(text).text[2].value
