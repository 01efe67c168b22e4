"""What can be taken away from the cluster page, and what new rows get."""

import io
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from ui import table_download
from ui.explore_profiles import report_sections
from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.model_file import model_bytes, model_of
from workbench.notes import Notes
from workbench.recipe import Recipe, Upload
from workbench.report import report_page
from workbench.run import run
from workbench.typed_export import labelled_file

GROUPS = "id,x,y,colour\n" + "".join(
    f"r{i},{(i % 2) * 5 + i * 0.01:.2f},{i * 0.02:.2f},{'=red' if i % 2 else 'blue'}\n"
    for i in range(40)
)


@pytest.fixture(scope="module")
def found():
    table = read_table(GROUPS.encode(), "groups.csv")
    recipe = Recipe(
        data=Upload(fingerprint=table.fingerprint), method="kmeans", settings={"n_clusters": 2}
    )
    return run(recipe, prepare(table), compared=False)


def shown(found, notes=None):
    """Show the section alone, as any page would."""

    def script(found, notes):
        from ui.take_away import take_away

        take_away(found, notes)

    app = AppTest.from_function(script, args=(found, notes), default_timeout=60).run()
    assert not app.exception
    return app


def widget(kind, key):
    return next(w for w in kind if w.key == key)


def captions(app):
    return " ".join(caption.value for caption in app.caption)


def downloads(app) -> list[Any]:
    return list(app.get("download_button"))


def buttons(app):
    return [button.label for button in downloads(app)]


def upload(app, key, payload, name):
    widget(app.file_uploader, key).upload(name, payload, "application/octet-stream")
    return app.run()


def test_everything_is_offered_and_nothing_is_made_before_it_is_asked_for(found):
    app = shown(found)
    assert buttons(app) == [
        "Download CSV", "Recipe", "Python script", "Model", "Report", "Points", "Silhouettes",
    ]  # fmt: skip
    assert all(button.proto.deferred_file_id for button in downloads(app))


def test_cells_that_a_spreadsheet_would_run_are_said_and_a_choice(found):
    app = shown(found)
    assert "20 cells that a spreadsheet would run are prefixed" in captions(app)
    widget(app.toggle, "cluster:labels:as_written").set_value(True).run()
    assert "20 cells that a spreadsheet would run stand as written" in captions(app)
    widget(app.button_group, "cluster:labels:format").set_value("parquet").run()
    assert not app.toggle and buttons(app)[0] == "Download Parquet"


def test_a_large_table_is_not_offered_as_excel(found, monkeypatch):
    monkeypatch.setattr(table_download, "EXCEL_CELLS", 159)
    app = shown(found)
    widget(app.button_group, "cluster:labels:format").set_value("xlsx").run()
    assert "The table has 160 cells, and Excel is offered up to 159" in captions(app)
    assert downloads(app)[0].proto.disabled


def test_a_run_without_its_model_says_so(found):
    from dataclasses import replace

    app = shown(replace(found, recipe=found.recipe.changed(seed=9), model=None))
    assert "Model" not in buttons(app)
    assert "run it again to have it" in captions(app)
    assert [error.value for error in app.error] == [
        "The model of this run is no longer here: run it again to have it."
    ]


def test_the_report_says_what_sets_each_cluster_apart(found):
    page = report_page(found, sections=report_sections(found, {0: "left"})).decode()
    assert "What sets each cluster apart" in page and "Cluster 1 (left) (20 rows)" in page
    assert "prove nothing, so no p-values are given" in page


NEW = b"y,x,more\n0.1,0.2,a\n0.1,5.2,b\n,,c\n"


def test_new_rows_are_labelled_by_the_run_s_model(found):
    app = upload(shown(found, Notes(names={0: "left"})), "cluster:new:table", NEW, "new.csv")
    sizes = app.dataframe[0].value
    assert sizes["cluster"].tolist() == ["left", "cluster 2"] and sizes["rows"].tolist() == [1, 1]
    assert "2 rows labelled, 1 not clustered." in captions(app)
    assert "1 column that the model does not use: more." in captions(app)
    assert len([label for label in buttons(app) if label == "Download CSV"]) == 2


def test_a_run_that_was_cut_short_lends_its_model_to_no_other(found):
    short = replace(found, labels=1 - found.labels, model=copy(found.model))
    short.model.cluster_centers_ = found.model.cluster_centers_[::-1] + 100

    def script(runs):
        import streamlit as st

        from ui import cached
        from ui.label_new_rows import _of_run

        for each in runs:
            st.text(str(cached.model_of(each).state["cluster_centers"].max() > 90))
            st.text(_of_run(each, None)[0])

    app = AppTest.from_function(script, args=([short, found],), default_timeout=60).run()
    large, key, larger, other = [each.value for each in app.text]
    assert (large, larger) == ("True", "False") and key != other


def test_new_rows_are_labelled_by_a_saved_model_and_its_names(found):
    app = shown(found)
    widget(app.button_group, "cluster:new:model").set_value("A saved model").run()
    payload = model_bytes(model_of(found, Notes(names={1: "right"})))
    app = upload(app, "cluster:new:zip", payload, "model.zip")
    app = upload(app, "cluster:new:table", NEW, "new.csv")
    assert not app.exception and not app.error
    assert app.dataframe[0].value["cluster"].tolist() == ["cluster 1", "right"]


@pytest.mark.parametrize(
    ("payload", "sentence"),
    [
        (b"y,more\n1,2\n3,4\n", "new.csv lacks 1 column: x."),
        (b"", "new.csv is empty"),
        (b"x,y,w\n,,a\n,,b\n", "No row of new.csv has a value"),
    ],
)
def test_a_table_that_does_not_fit_gets_a_sentence(found, payload, sentence):
    app = upload(shown(found), "cluster:new:table", payload, "new.csv")
    assert not app.exception and app.error[0].value.startswith(sentence)


def test_a_file_that_is_no_model_gets_a_sentence(found):
    app = shown(found)
    widget(app.button_group, "cluster:new:model").set_value("A saved model").run()
    app = upload(app, "cluster:new:zip", b"import os", "model.zip")
    assert app.error[0].value.startswith("model.zip is not a model of this app")


def test_downloaded_rows_are_the_uploaded_ones(found):
    table, labels = found.dataset.source, (found.labels, found.dataset.row_ids)
    before = pd.read_csv(io.StringIO(GROUPS), dtype=str)
    after = pd.read_csv(
        io.BytesIO(labelled_file("csv", table, *labels, as_written=True)), dtype=str
    )
    pd.testing.assert_frame_equal(after.drop(columns="cluster"), before)
    parquet = pd.read_parquet(io.BytesIO(labelled_file("parquet", table, *labels)))
    np.testing.assert_array_equal(parquet["cluster"], after["cluster"].astype(int))
    assert parquet["x"].dtype == float
