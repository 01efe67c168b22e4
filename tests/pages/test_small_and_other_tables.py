"""What stays and what gives way when the table, the page or a setting changes under the reader."""

import ast
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ui import cluster_results
from workbench.preparation import Preparation
from workbench.recipe import Builtin, Recipe, from_link, to_link

ROOT = Path(__file__).parents[2]
SECONDS = 120
PAGES = {"cluster": "pages/cluster.py", "laplacian": "pages/laplacian.py"}


def opened(page, recipe=None):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS)
    app.switch_page(PAGES[page])
    if recipe is not None:
        app.query_params["link"] = to_link(recipe)
    return app.run()


def widget(kind, key):
    return next(w for w in kind if w.key == key)


def keys(kind):
    return [w.key for w in kind]


def upload(app, page, text):
    widget(app.button_group, f"{page}:source").set_value("file").run()
    app.file_uploader[0].upload("table.csv", text.encode(), "text/csv")
    return app.run()


def said(app):
    return " ".join(caption.value for caption in app.caption)


def recipe_of(app):
    text = app.query_params["link"]
    return from_link(text if isinstance(text, str) else text[0])[0]


def table(n, d=2):
    rng = np.random.default_rng(n)
    rows = [",".join(f"{value:.3f}" for value in row) for row in rng.normal(size=(n, d))]
    return "\n".join([",".join(f"c{i}" for i in range(d)), *rows])


@pytest.mark.parametrize(("page", "key"), [("cluster", "k"), ("laplacian", "k:n_clusters")])
def test_k_is_at_most_the_rows_of_a_smaller_file(page, key):
    app = opened(page)
    widget(app.number_input, f"{page}:{key}").set_value(12).run()
    app = upload(app, page, table(10))
    assert not app.exception and not app.error
    assert widget(app.number_input, f"{page}:{key}").value == 10
    assert recipe_of(app).settings["n_clusters"] == 10


def test_k_that_fits_another_file_stays():
    app = opened("cluster")
    widget(app.number_input, "cluster:k").set_value(7).run()
    app = upload(app, "cluster", table(10))
    assert widget(app.number_input, "cluster:k").value == 7


def test_no_row_has_more_neighbours_than_there_are_others():
    moons = Recipe(
        data=Builtin(name="moons"), method="slk",
        settings={"n_clusters": 2, "n_init": 1, "n_neighbors": 50},
    )  # fmt: skip
    app = upload(opened("laplacian", moons), "laplacian", table(20))
    assert not app.exception and not app.error
    slider = widget(app.slider, "laplacian:n_neighbors")
    assert (slider.max, slider.value) == (19, 19)
    assert recipe_of(app).settings["n_neighbors"] == 19


def test_three_rows_still_have_a_slider():
    app = upload(opened("laplacian"), "laplacian", table(3))
    assert not app.exception and not app.error
    assert "Each row has only 2 neighbours, so the graph joins all rows." in said(app)


def test_settings_of_the_graph_page_survive_a_visit_to_another():
    app = opened("laplacian")
    widget(app.slider, "laplacian:coupling").set_value(0.4).run()
    widget(app.slider, "laplacian:n_neighbors").set_value(7).run()
    app.switch_page("pages/basins.py").run()
    app.switch_page(PAGES["laplacian"]).run()
    assert not app.exception
    assert widget(app.slider, "laplacian:coupling").value == 0.4
    assert widget(app.slider, "laplacian:n_neighbors").value == 7


def test_preparation_survives_a_visit_to_another_page():
    prepared = Preparation(features=("alcohol", "ash"), scaling="robust")
    app = opened("cluster", Recipe(data=Builtin(name="wine"), preparation=prepared))
    app.switch_page("pages/basins.py").run()
    app.switch_page(PAGES["cluster"]).run()
    assert recipe_of(app).preparation == prepared
    assert widget(app.selectbox, "cluster:columns:scaling").value == "robust"


def test_a_file_of_other_columns_brings_its_own_preparation():
    chosen = Preparation(features=("alcohol",), weights={"alcohol": 2.0})
    app = opened("cluster", Recipe(data=Builtin(name="wine"), preparation=chosen))
    app = upload(app, "cluster", table(12))
    assert not app.exception and not app.error
    assert recipe_of(app).preparation == Preparation()


def test_a_graph_in_pieces_is_told_on_its_page():
    corners = "x,y\n" + "".join(
        f"{x + i / 10},{y + i % 3 / 10}\n" for x, y in ((0, 0), (50, 50), (0, 50)) for i in range(9)
    )
    slk = Recipe(
        data=Builtin(name="moons"), method="slk",
        settings={"n_clusters": 2, "n_init": 1, "n_neighbors": 4},
    )  # fmt: skip
    app = upload(opened("laplacian", slk), "laplacian", corners)
    assert "The graph has 3 separate pieces at 4 neighbours; with k below 3 " in said(app)


def test_a_wide_table_is_shown_in_part():
    app = upload(opened("cluster"), "cluster", table(300, 60))
    shown = next(f.value for f in app.dataframe if "c0" in f.value)
    assert shown.shape == (200, 40)
    assert "table.csv: 300 rows, 60 columns." in said(app)


def test_modes_of_a_wide_table_are_shown_in_part():
    app = upload(opened("laplacian"), "laplacian", table(30, 60))
    assert not app.exception
    shown = next(f.value for f in app.dataframe if "row" in f.value)
    assert shown.shape == (2, 41) and "The first 40 of 60 columns are shown." in said(app)


def test_no_download_starts_the_page_anew():
    calls = [
        (path.name, {word.arg: word.value for word in call.keywords})
        for folder in ("ui", "pages")
        for path in sorted((ROOT / folder).glob("*.py"))
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "download_button"
    ]
    assert calls
    for name, words in calls:
        assert ast.literal_eval(words.get("on_click", ast.Constant(None))) == "ignore", name


def test_axes_of_umap_have_no_names_and_those_of_its_stand_in_do():
    assert cluster_results.axis_titles("umap", None, ("a", "b", "c")) == ("", "")
    titles = cluster_results.axis_titles("umap", (0.75, 0.25), ("a", "b", "c"))
    assert titles == ("principal axis 1 (75%)", "principal axis 2 (25%)")
