"""The sections of the cluster page that explore a run."""

import time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.pages.test_cluster_page import captions, look_at, open_page, press, run, upload, widget
from ui import explore_k
from ui.explore_profiles import written
from ui.explore_selection import carried, selection_words, taking
from workbench.notes import Notes

SECONDS = 60


@pytest.fixture(scope="module")
def iris():
    """A page with a finished run; tests only look at its sections."""
    return run(open_page())


def charts(app):
    return {chart.key: chart for chart in app.get("plotly_chart")}


def markdowns(app):
    return " ".join(element.value for element in app.markdown).replace("\\", "")


def wait(app, words):
    end = time.monotonic() + SECONDS
    while words not in captions(app):
        assert time.monotonic() < end and not app.exception and not app.error
        time.sleep(0.1)
        app.run()
    return app


def test_profiles_say_and_show_what_sets_clusters_apart(iris):
    app = look_at(iris, "Profiles")
    assert not app.exception
    assert "Cluster 1 (100 rows): high petal" in markdowns(app)
    assert {"explore.effects", "explore.spread"} <= set(charts(app))
    assert "prove nothing, so no p-values are given" in captions(app)
    column = widget(app.selectbox, "explore:column")
    assert set(column.options) == {
        "petal length (cm)", "petal width (cm)", "sepal width (cm)", "sepal length (cm)",
        "class (not clustered by)",
    }  # fmt: skip
    column.set_value("class").run()
    assert not app.exception and "Share of each class within each cluster" in captions(app)


def test_rows_are_explained(iris):
    app = look_at(iris, "Rows")
    assert not app.exception
    frames = [frame.value for frame in app.dataframe]
    nearest = next(frame for frame in frames if "distance" in frame)
    assert list(nearest["cluster"]) == [f"cluster {k}" for k in (1, 1, 1, 2, 2, 2, 3, 3, 3)]
    assert "explore.gap" in charts(app)
    chosen = widget(app.number_input, "explore:row")
    assert chosen.value == nearest["row"][0]
    chosen.set_value(42).run()
    kept = app.session_state["cluster.own.run"]
    assert f"Row 42 lies in cluster {kept.labels[41] + 1} rather than" in markdowns(app)
    widget(app.button_group, "explore:each").set_value(1).run()
    frames = [frame.value for frame in app.dataframe]
    assert len(next(frame for frame in frames if "distance" in frame)) == 3


def test_numbers_of_clusters_and_seeds_are_compared(iris):
    app = look_at(iris, "How many")
    widget(app.number_input, "explore:most").set_value(4).run()
    press(app, "Compare numbers of clusters")
    wait(app, "Davies-Bouldin, lowest")
    table = next(frame.value for frame in app.dataframe if "criterion" in frame.value)
    assert list(table["picks"])[:1] == ["2"] and list(table)[-1] == "k = 4" and len(table) == 5
    assert any("They disagree" in box.value or "agree on" in box.value for box in app.info)
    widget(app.number_input, "explore:seeds").set_value(2).run()
    press(app, "Try other seeds")
    wait(app, "Adjusted Rand index of 1 pair")
    assert "explore.stability" in charts(app) and any(
        "2 other seeds" in box.value for box in app.info
    )
    widget(app.number_input, "explore:seeds").set_value(3).run()
    assert "belongs to another run or other choices" in captions(app)


def test_a_fault_of_a_search_is_a_sentence(iris, monkeypatch):
    def fail(*_, **__):
        raise ValueError("This cannot be.")

    monkeypatch.setattr(explore_k, "judge", fail)
    app = look_at(iris, "How many")
    press(app, "Compare numbers of clusters")
    end = time.monotonic() + SECONDS
    while not app.error:
        assert time.monotonic() < end
        app.run()
    assert [error.value for error in app.error] == ["This cannot be."]


def test_selected_rows_are_listed_and_can_be_clustered_alone():
    app = run(open_page())
    kept = app.session_state["cluster.own.run"]
    app.session_state["cluster.own.selected"] = np.arange(51, 121)
    app.session_state["cluster.own.selected_of"] = kept.dataset.source.key
    app.run()
    assert "**70 rows selected**" in markdowns(app)
    frame = next(frame.value for frame in app.dataframe if "in" in frame.value)
    assert list(frame["row"]) == list(range(51, 121))
    press(app, "Select none")
    assert "rows selected" not in markdowns(app)
    app.session_state["cluster.own.selected"] = np.arange(51, 121)
    app.run()
    press(app, "Cluster only these rows")
    assert any("Press Run to cluster the 70 rows chosen" in box.value for box in app.warning)
    assert app.session_state["cluster.kept"].recipe.preparation.rows == "51-120"
    app = run(app)
    again = app.session_state["cluster.own.run"]
    assert again.dataset.row_ids.tolist() == list(range(51, 121))
    assert "rows selected" not in markdowns(app)
    press(app, "Back to all rows")
    assert app.session_state["cluster.kept"].recipe.preparation.rows == ""
    assert any("Press Run to cluster all rows again" in box.value for box in app.warning)
    app.session_state["cluster.own.selected"] = np.arange(1, 9)
    app.session_state["cluster.own.selected_of"] = "another table"
    app.run()
    assert "rows selected" not in markdowns(app)


def test_names_travel_to_every_section():
    app = run(open_page())
    kept = app.session_state["cluster.own.run"]
    look_at(app, "Profiles")
    (key,) = app.session_state["cluster.own.notes"]
    app.session_state["cluster.own.notes"] = {key: Notes(names={0: "long petals"})}
    app = look_at(app, "Rows")
    frame = next(frame.value for frame in app.dataframe if "distance" in frame.value)
    assert frame["cluster"][0] == "1 · long petals"
    look_at(app, "Profiles")
    assert "Cluster 1 (long petals) (100 rows)" in markdowns(app) and kept.sizes[0] == 100


def test_one_cluster_and_one_column_can_be_explored():
    app = upload(open_page(), b"height\n" + b"".join(b"%d\n" % (at**2) for at in range(20)))
    widget(app.number_input, "cluster:k").set_value(1).run()
    app = run(app)
    for section in ("Profiles", "Rows"):
        look_at(app, section)
        assert not app.exception, section
    assert "the only one with rows" in markdowns(app)
    look_at(app, "Profiles")
    assert "there is no other to compare it with" in markdowns(app)


class Taken:
    """What `taking` keeps of a made-up event."""

    def __init__(self, monkeypatch, dataset, **event):
        self.ids: Any = "nothing"
        of = SimpleNamespace(points=[], lasso=[], box=[])
        of.__dict__.update(event)
        session = {"chart": SimpleNamespace(selection=of)}
        monkeypatch.setattr("streamlit.session_state", session)
        monkeypatch.setattr(
            "ui.explore_selection.select", lambda run, ids: setattr(self, "ids", ids)
        )
        self.run = SimpleNamespace(dataset=dataset)


def test_events_become_row_numbers(monkeypatch):
    dataset = SimpleNamespace(row_ids=np.array([3, 5, 9]))
    points = [{"customdata": 5}, {"customdata": [9]}, {"x": 1}]
    taken = Taken(monkeypatch, dataset, points=points)
    taking(taken.run, "chart")()
    assert taken.ids == [5, 9] == carried(points)
    lasso = {"x": [0, 2, 2, 0], "y": [0, 0, 2, 2]}
    taken = Taken(monkeypatch, dataset, lasso=[lasso], points=points)
    taking(taken.run, "chart", lambda: np.array([[1, 1], [5, 5], [0.5, 1.9]]))()
    assert taken.ids.tolist() == [3, 9], "also what is not drawn"
    taken = Taken(monkeypatch, dataset, box=[{"x": [4, 6], "y": [6, 4]}])
    taking(taken.run, "chart", lambda: np.array([[1, 1], [5, 5], [0.5, 1.9]]))()
    assert taken.ids.tolist() == [5]


def test_what_can_be_selected_is_said():
    assert "not drawn" not in selection_words(10, 10, False)
    assert "are selected, too" in selection_words(5, 10, True)
    assert "Only rows that are drawn" in selection_words(5, 10, False)


def test_written_names_and_notes_are_read():
    import pandas as pd

    edited = pd.DataFrame({"name": [" big ", None], "note": ["", "look"]})
    notes = written(edited, Notes(names={0: "old", 7: "far"}), 2)
    assert notes == Notes(names={0: "big", 7: "far"}, texts={1: "look"})
