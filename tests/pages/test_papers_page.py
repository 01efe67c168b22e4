"""The Papers page, through app.py and alone, for every figure and table."""

import io
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from workbench import reference_sets
from workbench.reproduction.items import ITEMS

ROOT = Path(__file__).parents[2]
SECONDS = 120


@pytest.fixture(autouse=True)
def no_folder(monkeypatch):
    monkeypatch.delenv(reference_sets.FOLDER, raising=False)


def opened(key=None):
    app = AppTest.from_file(ROOT / "pages/papers.py", default_timeout=SECONDS)
    if key is not None:
        app.query_params["item"] = key
    return app.run()


def widget(kind, key):
    return next(w for w in kind if w.key == key)


def ran(app):
    widget(app.button, "papers:run").click().run()
    end = time.monotonic() + SECONDS
    while not any("How ours was run" in m.value for m in app.markdown) or app.info:
        assert time.monotonic() < end and not app.error, [e.value for e in app.error]
        time.sleep(0.05)
        app.run()
    return app


def table(app):
    found: Any = app.dataframe[0].value
    return found


def test_it_opens_through_the_app():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS).run()
    app.switch_page("pages/papers.py").run()
    assert not app.exception and app.title[0].value == "The papers, run again"
    assert app.query_params["item"] in ("clam-figure-1", ["clam-figure-1"])


@pytest.mark.parametrize("key", ITEMS)
def test_every_item_opens(key):
    app = opened(key)
    assert not app.exception and not app.error
    item = ITEMS[key]
    assert app.header[0].value == item.title
    assert any(m.value == f"**In the paper.** {item.shows}" for m in app.markdown)
    assert any(button.key == "papers:run" for button in app.button) != item.quick
    if item.printed():
        assert len(table(app)) == len(item.printed())


def test_an_unknown_item_of_a_link_is_the_first():
    assert opened("clam-figure-99").header[0].value == ITEMS["clam-figure-1"].title


def test_a_quick_figure_shows_its_panels_and_both_conventions():
    app = opened("clam-figure-4")
    charts = app.get("plotly_chart")
    assert len(charts) == 3 and all(json.loads(chart.proto.spec)["data"] for chart in charts)
    assert list(table(app)["Data"]) == ["β = 0.001", "β = 10", "β = 100"]
    assert table(app)["Measure"][0].endswith("(β / 2 = 0.0005)")


def test_a_run_puts_ours_beside_the_published():
    app = opened("clam-table-3")
    widget(app.multiselect, "papers:data:clam-table-3").set_value(["iris"]).run()
    ran(app)
    found = table(app)
    assert set(found["Data"]) == {"iris"} and not found["Ours"].isna().any()
    assert "Published" not in found  # the paper has none for it
    again = opened("clam-table-3")  # another session of no workspace: nothing is shown of it
    assert len(table(again)) == len(ITEMS["clam-table-3"].printed())


def test_tables_of_one_run_share_its_outcome():
    app = opened("clam-table-1")
    widget(app.multiselect, "papers:data:clam-table-1").set_value(["iris"]).run()
    ran(app)
    widget(app.selectbox, "papers:item:ClAM").set_value("clam-table-9").run()
    assert not app.exception and app.header[0].value == ITEMS["clam-table-9"].title
    assert set(table(app)["Data"]) == {"iris"}
    assert any("What is shown is of iris" in w.value for w in app.warning)


def test_an_upload_is_known_and_one_without_classes_is_a_sentence():
    app = opened("slk-agreement")
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(0, 1, (101, 16)), columns=[f"f{i}" for i in range(16)])
    frame["label"] = [f"class {i % 7}" for i in range(101)]
    text = io.StringIO()
    frame.to_csv(text, index=False)
    app.file_uploader[0].upload("animals.csv", text.getvalue().encode(), "text/csv").run()
    assert not app.exception and "Zoo" in app.multiselect[0].options
    app.file_uploader[0].upload("plain.csv", b"a,b\n1,2\n3,4\n5,7\n", "text/csv").run()
    assert any("no column of classes" in e.value for e in app.error)


def test_the_other_paper_is_one_click_away():
    app = opened()
    widget(app.button_group, "papers:paper").set_value("SLK").run()
    assert app.header[0].value == ITEMS["slk-figure-1"].title


@pytest.mark.parametrize(
    ("key", "page"),
    [
        ("clam-figure-4", "basins"),
        ("clam-figure-8", "tune"),
        ("clam-figure-13", "cluster"),
        ("slk-descent", "laplacian"),
    ],
)
def test_an_item_opens_on_the_page_where_it_is_played_with(key, page):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS)
    app.query_params["item"] = key
    app.switch_page("pages/papers.py").run()
    widget(app.button, "papers:play").click().run()
    assert not app.exception and not app.error
    recipe = app.session_state[f"{page}.kept"].recipe
    assert recipe == ITEMS[key].play
    if page == "tune":
        assert widget(app.button_group, "tune:sweep").value == "learning_rate"
