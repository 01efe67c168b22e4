"""Painted points as a page's data, without the browser that paints them."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_cluster_page import finish, press, widget
from workbench.painting import painted_table
from workbench.recipe import Recipe, Upload, View, from_link, to_link

ROOT = Path(__file__).parents[2]
SECONDS = 60
TWO = tuple((x + dx, y + dy, ink) for x, y, ink in ((200, 300, 0), (700, 600, 1))
            for dx in (0, 20, 50) for dy in (0, 10, 45))  # fmt: skip


def opened(points=TWO, page="cluster", **query):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS)
    app.switch_page(f"pages/{page}.py")
    app.query_params.update(query)
    if points:
        table, payload = painted_table(points)
        app.session_state["painted.own.table"] = table
        app.session_state["painted.own.payload"] = payload
    return app.run()


def paint(app, page="cluster"):
    return widget(app.button_group, f"{page}:source").set_value("paint").run()


def linked(app):
    return from_link(asked(app, "link"))[0]


def asked(app, name):
    value = app.query_params.get(name)
    return value if value is None or isinstance(value, str) else value[0]


def test_painted_points_are_clustered_like_a_file():
    app = paint(opened())
    assert not app.exception and not app.error
    mark = painted_table(TWO)[0].fingerprint
    recipe = linked(app)
    assert recipe.data == Upload(fingerprint=mark)
    assert recipe.settings["n_clusters"] == 2, "a cluster for each ink"
    assert asked(app, "own") == "painted"
    assert "send their CSV along" in "".join(caption.value for caption in app.caption)
    finish(press(app, "Run"))
    assert not app.exception and not app.error
    assert app.metric, "no scores"


def test_the_address_of_painted_points_says_what_it_does_not_hold():
    recipe = Recipe(data=Upload(fingerprint="0" * 32), settings={"n_clusters": 3})
    app = opened(points=(), link=to_link(recipe, View()), own="painted")
    assert widget(app.button_group, "cluster:source").value == "paint"
    assert "made with painted points" in app.info[0].value
    app = opened(link=to_link(recipe, View()), own="painted")
    app = press(app, "Go on with mine")
    assert linked(app).data == Upload(fingerprint=painted_table(TWO)[0].fingerprint)
    assert linked(app).settings["n_clusters"] == 3, "settings of the link stay"
    assert not app.info


def test_one_point_is_a_sentence():
    app = paint(opened(points=((500, 500, 0),)))
    assert not app.exception
    assert "One point is painted" in app.info[0].value


def test_nothing_painted_leaves_the_page_as_it_was():
    app = paint(opened(points=()))
    assert not app.exception and not app.error and not app.info
    assert linked(app).data.kind == "builtin"
    app = widget(app.button_group, "cluster:source").set_value("builtin").run()
    assert asked(app, "own") is None


@pytest.mark.parametrize("page", ["compare", "tune"])
def test_other_pages_take_them_too(page):
    app = paint(opened(page=page), page)
    assert not app.exception and not app.error
    assert linked(app).data.kind == "upload"


def told(message):
    import streamlit as st

    from ui import paint_controls, painter, state

    state.read("cluster")
    painter.take("cluster", message, paint_controls._begin)
    painter.painter("cluster")
    st.write(state.read("cluster").recipe.data.kind)


def test_what_the_browser_tells_is_taken_or_said():
    app = AppTest.from_function(told, args=({"points": [list(p) for p in TWO]},)).run()
    assert not app.exception and not app.error
    assert app.markdown[0].value == "upload"
    app = AppTest.from_function(told, args=({"points": [[1, 2, "x"]]},)).run()
    assert not app.exception
    assert "unknown form" in app.error[0].value
    assert app.markdown[0].value == "builtin"


def test_other_pages_go_on_with_what_is_painted_anew():
    def again():
        from ui import paint_controls, painter, state

        for points in ([[1, 2, 0], [3, 4, 0], [9, 9, 0]], [[5, 5, 0], [6, 6, 0], [9, 9, 0]]):
            for page in ("cluster", "tune"):
                state.read(page)
            painter.take("cluster", {"points": points}, paint_controls._begin)
            if state.read("tune").recipe.data.kind == "builtin":
                paint_controls.start_on_painting("tune")
        assert state.read("tune").recipe.data == state.read("cluster").recipe.data
        assert state.own_table(state.read("tune").recipe.data)[0] is not None

    app = AppTest.from_function(again).run()
    assert not app.exception


def test_the_bar_of_a_lesson():
    app = AppTest.from_file(ROOT / "tests" / "browser" / "own_points_app.py").run()
    assert app.markdown[0].value == "The toy is shown."
    bar = widget(app.button_group, "lessons:own")
    app = bar.set_value("file").run()
    cells = "a,b,c\n" + "".join(f"{i * 1.5},{i % 7},{i % 5 + 0.5}\n" for i in range(50))
    app = app.file_uploader[0].upload("mine.csv", cells.encode(), "text/csv").run()
    assert app.markdown[0].value == "50 own points of mine.csv."
    app = next(box for box in app.selectbox if box.label == "Up").set_value("c").run()
    assert "a across and c up" in app.caption[0].value
    app = app.file_uploader[0].upload("two.csv", b"a,b\n1,2\n1,2\n3,4\n", "text/csv").run()
    assert "2 different points" in app.error[0].value
    assert app.markdown[0].value == "The toy is shown."
    table, payload = painted_table(TWO)
    app.session_state["painted.own.table"], app.session_state["painted.own.payload"] = (
        table,
        payload,
    )
    app = widget(app.button_group, "lessons:own").set_value("paint").run()
    assert app.markdown[0].value == "18 own points of painted points."
    assert not app.exception
