"""The cluster page through app.py and alone."""

import inspect
import json
import time
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ui import training_panel
from workbench.preparation import Preparation
from workbench.recipe import Builtin, Recipe, Upload, View, from_link, to_link

ROOT = Path(__file__).parents[2]
SECONDS = 60


def open_page(text=None):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS)
    app.switch_page("pages/cluster.py")
    if text is not None:
        app.query_params["link"] = text
    return app.run()


def widget(kind, key):
    return next(w for w in kind if w.key == key)


def press(app, label):
    return next(b for b in app.button if b.label == label).click().run()


def out_of_date(app):
    return any("Out of date" in warning.value for warning in app.warning)


def finish(app):
    end = time.monotonic() + SECONDS
    while (not app.metric or out_of_date(app)) and not app.error:
        assert time.monotonic() < end, "the run did not end"
        time.sleep(0.05)
        app.run()
    return app


def run(app):
    press(app, "Run")
    return finish(app)


def upload(app, payload, name="table.csv"):
    widget(app.button_group, "cluster:source").set_value("file").run()
    app.file_uploader[0].upload(name, payload, "text/csv")
    return app.run()


def look_at(app, section):
    return widget(app.button_group, "cluster:section").set_value(section).run()


def spec(app):
    return app.get("plotly_chart")[0].proto.spec


def link(app):
    text = app.query_params["link"]
    return text if isinstance(text, str) else text[0]


def said(app):
    return [*(e.value for e in app.error), *(w.value for w in app.warning)]


def columns_shown(app):
    return next(frame.value for frame in app.dataframe if "Role" in frame.value)


def sizes_shown(app):
    return next(frame.value for frame in app.dataframe if "rows" in frame.value)


def captions(app):
    return " ".join(caption.value for caption in app.caption)


GROUPS = "id,x,y,colour\n" + "".join(
    f"r{i},{(i % 2) * 5 + i * 0.01:.2f},{i * 0.02:.2f},{'red' if i % 2 else 'blue'}\n"
    for i in range(40)
)


@pytest.mark.parametrize("script", ["app.py", "pages/cluster.py"])
def test_it_opens_ready_to_run(script):
    app = AppTest.from_file(ROOT / script, default_timeout=SECONDS)
    if script == "app.py":
        app.switch_page("pages/cluster.py")
    app.run()
    assert not app.exception and not said(app)
    assert app.title[0].value == "Cluster a table"
    assert "150 rows, 4 features" in captions(app)


def test_a_run_shows_clusters_scores_and_sizes():
    app = run(open_page())
    assert not app.exception and not app.error
    shown = {metric.label: metric.value for metric in app.metric}
    assert shown["Clusters found"] == "3 of 3"
    assert {"β", "Silhouette", "NMI", "ARI"} < set(shown)
    assert float(shown["Silhouette"]) > 0.4
    assert all(m.delta.startswith("k-means") for m in app.metric[2:])
    assert len(app.get("plotly_chart")) == 2
    table = sizes_shown(app)
    assert list(table["cluster"]) == ["1", "2", "3"] and table["rows"].sum() == 150
    assert list(table["rows"]) == sorted(table["rows"], reverse=True)


@pytest.mark.parametrize("method", ["kmeans", "slk"])
def test_other_methods_cluster_here_too(method):
    app = open_page()
    widget(app.button_group, "cluster:method").set_value(method).run()
    assert widget(app.number_input, "cluster:k").value == 3
    app = run(app)
    assert not app.exception and not app.error
    shown = {metric.label: metric for metric in app.metric}
    assert shown["Clusters found"].value == "3 of 3" and "β" not in shown
    assert bool(shown["Silhouette"].delta) == (method == "slk"), "k-means is no rival of itself"
    assert from_link(link(app))[0].method == method


def test_one_cluster_has_no_silhouette_and_says_why():
    app = open_page()
    widget(app.number_input, "cluster:k").set_value(1).run()
    app = run(app)
    assert not app.exception
    shown = {metric.label: (metric.value, metric.delta) for metric in app.metric}
    assert shown["Silhouette"] == ("—", "k-means —")
    assert list(sizes_shown(app)["silhouette"]) == ["—"]
    assert "A silhouette needs at least two clusters" in captions(app)
    look_at(app, "Training")
    assert "nothing to choose between" in captions(app)
    assert "cluster.restarts" not in [chart.key for chart in app.get("plotly_chart")]


def test_the_loss_is_that_of_the_restart_kept():
    app = look_at(run(open_page()), "Training")
    assert len(app.get("plotly_chart")) == 3
    kept = app.session_state["cluster.own.run"]
    assert len(kept.history) == kept.n_epochs + 1
    lowest = min(kept.history)
    assert lowest == pytest.approx(kept.restarts.scores["loss"][kept.restarts.kept])
    assert "Loss of the restart that was kept" in captions(app)
    assert f"at epoch {kept.history.index(lowest)}, whose memories are kept" in captions(app)


def test_results_stay_and_are_marked_when_settings_move_on():
    app = run(open_page())
    before = [metric.value for metric in app.metric]
    widget(app.number_input, "cluster:k").set_value(4).run()
    assert [metric.value for metric in app.metric] == before
    assert out_of_date(app)
    app = run(app)
    assert {m.label: m.value for m in app.metric}["Clusters found"].endswith("of 4")


def test_results_of_another_table_are_named():
    app = run(open_page())
    widget(app.selectbox, "cluster:name").set_value("wine").run()
    (warning,) = app.warning
    assert "these results are of another table, Iris: 150 flowers" in warning.value


def test_another_draw_is_another_table():
    app = run(open_page(to_link(Recipe(data=Builtin(name="blobs"), settings={"n_clusters": 4}))))
    widget(app.number_input, "cluster:draw").set_value(1).run()
    (warning,) = app.warning
    assert "another draw of the table" in warning.value


def test_the_outcome_is_said_beside_run():
    app = run(open_page())
    (line,) = app.success
    assert line.value.startswith("Done: 3 clusters found, silhouette 0.")
    assert line.value.endswith("the results follow.")
    widget(app.number_input, "cluster:k").set_value(4).run()
    assert not app.success, "it would be told of other settings"


def test_umap_and_back(monkeypatch):
    """The layout itself is the workbench's, and compiles for long in every process."""
    laid_out = []
    monkeypatch.setattr(
        "ui.cached.tables.umap_embedding", lambda X, seed: laid_out.append(X) or X[:, :2]
    )
    app = run(open_page())
    before = spec(app)
    widget(app.button_group, "cluster:plane").set_value("umap").run()
    assert not app.exception and "laid out by UMAP" in captions(app)
    assert from_link(link(app))[1].plane == "umap"
    assert len(laid_out) == 1 and spec(app) != before
    widget(app.button_group, "cluster:plane").set_value("pca").run()
    assert spec(app) == before


def test_one_feature_is_a_strip_in_its_own_units():
    alone = Preparation(features=("alcohol",))
    recipe = Recipe(data=Builtin(name="wine"), settings={"n_clusters": 2}, preparation=alone)
    app = open_page(to_link(recipe, View(plane="umap")))
    app = run(app)
    assert not app.exception
    assert "cluster:plane" not in [group.key for group in app.button_group]
    figure = json.loads(spec(app))
    assert figure["layout"]["xaxis"]["title"]["text"] == "alcohol"
    assert "across by their alcohol" in captions(app) and "principal axis" not in captions(app)


def test_an_upload_stays_after_other_widgets_move():
    app = upload(open_page(), GROUPS.encode())
    assert not app.exception and not said(app)
    assert "table.csv: 40 rows, 4 columns." in captions(app)
    widget(app.number_input, "cluster:k").set_value(2).run()
    assert "table.csv: 40 rows, 4 columns." in captions(app)
    app = run(app)
    assert {m.label: m.value for m in app.metric}["Clusters found"] == "2 of 2"


def test_an_upload_survives_a_visit_to_the_other_page():
    app = upload(open_page(), GROUPS.encode())
    widget(app.number_input, "cluster:k").set_value(2).run()
    app = run(app)
    before = [metric.value for metric in app.metric]
    app.switch_page("pages/basins.py").run()
    app.switch_page("pages/cluster.py").run()
    assert not app.exception
    assert "table.csv: 40 rows, 4 columns." in captions(app)
    assert widget(app.number_input, "cluster:k").value == 2
    assert [metric.value for metric in app.metric] == before


def test_every_column_is_shown_with_its_role():
    columns = columns_shown(upload(open_page(), GROUPS.encode()))
    assert columns["Column"].tolist() == ["id", "x", "y", "colour"]
    assert columns["Role"].tolist() == ["id", "numeric", "numeric", "category"]
    assert columns["Use"].tolist() == [False, True, True, False]
    assert columns["Examples"].iloc[3] == "blue and red"


@pytest.mark.parametrize(
    ("payload", "words"),
    [
        (b"", "empty"),
        (b"a,b\n", "no rows"),
        (b"a,b\n1,2\n", "one row only, and clustering needs at least two: choose"),
        (b"name,town\nann,rome\nbob,oslo\neve,bern\n", "column of numbers"),
        (b"a,b\n1,2\n1,2\n1,2\n", "constant"),
        (b"PK\x03\x04rest", "zip"),
    ],
)
def test_unusable_files_are_a_sentence(payload, words):
    app = upload(open_page(), payload)
    assert not app.exception
    assert any(words in sentence for sentence in said(app)), said(app)


def test_more_clusters_than_rows_is_a_sentence():
    app = upload(open_page(), b"a,b\n1,2\n3,4\n5,7\n")
    widget(app.number_input, "cluster:k").set_value(9).run()
    assert not app.exception
    assert [error.value for error in app.error] == ["k = 9 is more than the 3 rows: lower k."]
    assert next(b for b in app.button if b.label == "Run").disabled
    widget(app.number_input, "cluster:k").set_value(3).run()
    assert not app.error and not next(b for b in app.button if b.label == "Run").disabled


def test_missing_values_are_counted_and_clustered():
    rows = [line.split(",") for line in GROUPS.strip().split("\n")]
    rows[3][1] = ""
    rows[8][2] = "NA"
    payload = "\n".join(",".join(row) for row in rows).encode()
    app = upload(open_page(), payload)
    assert "2 cells in 2 rows missing: ClAM recalls them" in captions(app)
    widget(app.number_input, "cluster:k").set_value(2).run()
    app = run(app)
    assert {m.label: m.value for m in app.metric}["Clusters found"] == "2 of 2"


def test_a_cancelled_run_keeps_its_model():
    settings = {"n_clusters": 10, "n_epochs": 1000, "n_init": 64}
    recipe = Recipe(data=Builtin(name="digits"), settings=settings)
    app = open_page(to_link(recipe))
    press(app, "Run")
    job = app.session_state["cluster.own.job"]
    while job.snapshot.progress is None or job.snapshot.progress.phase != "training":
        time.sleep(0.01)  # before, there is nothing to keep
    app.run()
    press(app, "Cancel")
    assert job.finished.wait(SECONDS)
    app = finish(app)
    assert not app.exception and not app.error
    assert "Cancelled after epoch" in captions(app)
    assert app.get("download_button")


def test_a_link_restores_settings_and_view():
    settings = {"n_clusters": 5, "beta": 2.5, "n_init": 4, "corruption": "none"}
    recipe = Recipe(
        data=Builtin(name="wine"),
        preparation=Preparation(features=("alcohol", "ash"), scaling="none", impute="median"),
        settings=settings,
        seed=11,
    )
    text = to_link(recipe, View(plane="umap"))
    app = open_page(text)
    assert not app.exception and not said(app)
    assert link(app) == text
    assert widget(app.number_input, "cluster:k").value == 5
    assert widget(app.number_input, "cluster:setting:beta").value == 2.5
    columns = columns_shown(app)
    assert [n for n, use in zip(columns["Column"], columns["Use"], strict=True) if use] == [
        "alcohol",
        "ash",
    ]
    assert widget(app.selectbox, "cluster:columns:scaling").value == "none"
    assert widget(app.selectbox, "cluster:columns:impute").value == "median"


def test_a_link_to_a_file_asks_for_the_file():
    app = open_page(to_link(Recipe(data=Upload(fingerprint="0" * 32))))
    assert not app.exception
    assert any("choose the same file" in info.value for info in app.info)


def test_sharing_says_what_the_link_leaves_out():
    app = open_page()
    assert "restores the choice of data and all settings. Run then gives" in captions(app)
    app = upload(app, GROUPS.encode())
    assert "It does not hold table.csv: whoever opens it must choose that file" in captions(app)


def test_two_sessions_share_no_upload():
    first = upload(open_page(), GROUPS.encode())
    other = open_page(link(first))
    assert any("choose the same file" in info.value for info in other.info)
    assert "table.csv" not in captions(other)


def test_every_setting_of_the_method_has_a_widget():
    from workbench.methods import METHODS

    app = open_page()
    shown = {w.key for kind in (app.number_input, app.selectbox, app.toggle) for w in kind}
    wanted = {f"cluster:setting:{p.name}" for p in METHODS["clam"].parameters}
    assert wanted - shown == {"cluster:setting:n_clusters"}


@pytest.mark.parametrize(("name", "k"), [("digits", 10), ("moons", 2), ("outliers", 2)])
def test_k_follows_the_built_in_table(name, k):
    app = open_page()
    widget(app.selectbox, "cluster:name").set_value(name).run()
    assert widget(app.number_input, "cluster:k").value == k
    assert from_link(link(app))[0].settings["n_clusters"] == k


def test_a_link_s_k_stays():
    recipe = Recipe(data=Builtin(name="digits"), settings={"n_clusters": 7})
    assert widget(open_page(to_link(recipe)).number_input, "cluster:k").value == 7


def test_every_number_says_its_limits():
    app = open_page()
    widget(app.selectbox, "cluster:name").set_value("moons").run()
    told = {str(number.key).split(":")[-1]: number.help for number in app.number_input}
    assert all(" to " in text for text in told.values()), told
    assert told["n_steps"].endswith("From 1 to 100.") and told["k"].endswith("From 1 to 200.")
    assert told["beta"].endswith("Empty for auto, or from 0.00001 to 1,000,000.")


def test_hover_tells_a_few_columns_and_points_carry_rows():
    app = run(open_page())
    figure = json.loads(spec(app))
    assert figure["data"][0]["hovertext"][0].count("<br>") <= 5
    assert "customdata" in figure["data"][0]


@pytest.mark.parametrize(("seconds", "text"), [(0.2, "1 s"), (42.4, "42 s"), (300, "5 min")])
def test_time_left_is_told_in_words(seconds, text):
    assert training_panel.duration(seconds) == text


def test_many_points_are_drawn_as_a_sample():
    from ui import cached

    X = np.random.default_rng(0).normal(size=(30_000, 3))
    positions, shown, _ = inspect.unwrap(cached.flat)("pca", "print", X, 20_000, 0)
    assert positions.shape == (20_000, 2) and np.all(np.diff(shown) > 0)


def test_figure_1_is_two_clicks_away_and_told_honestly():
    app = open_page()
    widget(app.selectbox, "cluster:name").set_value("elongated2").run()
    widget(app.number_input, "cluster:k").set_value(2).run()
    press(app, "Use Figure 1's settings")
    finish(press(app, "Run"))
    shown = {metric.label: float(metric.value) for metric in app.metric if metric.label == "ARI"}
    assert shown["ARI"] >= 0.95
    look_at(app, "Training")
    words = next(c.value for c in app.caption if "The ring marks each rule's choice" in c.value)
    assert "200 restarts" in words
    assert "the lowest loss picks 0.0" in words or "the lowest loss picks -0.0" in words


def test_the_sample_can_be_clustered():
    app = open_page()
    upload(app, (ROOT / "assets/samples/customers.csv").read_bytes(), "customers.csv")
    finish(press(app, "Run"))
    assert not app.error and not app.exception


def test_a_sample_s_silhouette_can_be_had_of_all_rows(monkeypatch):
    monkeypatch.setattr("workbench.silhouettes.quick_rows", lambda d: 120)
    app = run(open_page())
    assert "stratified sample of 120 of 150 rows; that of all rows is within" in captions(app)
    sampled = next(metric.value for metric in app.metric if metric.label == "Silhouette")
    press(app, "Score all 150 rows (about 1 s)")
    end = time.monotonic() + SECONDS
    while "The silhouette is of all 150 rows" not in captions(app):
        assert time.monotonic() < end and not app.error and not app.exception
        time.sleep(0.05)
        app.run()
    exact = next(metric.value for metric in app.metric if metric.label == "Silhouette")
    assert exact != sampled and float(exact) == pytest.approx(float(sampled), abs=0.05)
    assert "that of k-means of a sample" in captions(app)
    assert not any("Score all" in button.label for button in app.button)
