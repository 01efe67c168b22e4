"""The Compare page, through app.py and alone; fits run in this process, quick ones only."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from ui import compare_race
from workbench import race as races
from workbench.contest import Contest
from workbench.entry import Entry
from workbench.judging import Judge
from workbench.null_rows import null_rows
from workbench.recipe import Builtin, Recipe, to_link
from workbench.scored_fit import enter

ROOT = Path(__file__).parents[2]
SECONDS = 120
QUICK = Contest(
    methods=("kmeans", "agglomerative", "dbscan"), seeds=2, settings={"kmeans": {"n_init": 2}}
)


class Inline:
    """A runner that fits in this process; "dbscan" fails, as any method may."""

    def hold(self, X, y, k, pixels=None):
        self.rows, self.labels, self.k = X, y, k

    def fit(self, recipe, *, null=False, tell=lambda _: None, stop=lambda: False):
        if recipe.method == "dbscan":
            return Entry(recipe, null, error="It ran out of memory."), False
        rows = null_rows(self.rows, recipe.seed) if null else self.rows
        judge = Judge(rows, None if null else self.labels, k=self.k)
        return enter(recipe, rows, judge, null=null, report=tell, stop=stop), False

    def close(self):
        pass


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(races, "Runner", Inline)
    monkeypatch.setattr(compare_race, "how_many", lambda *_, **__: SimpleNamespace(cancelled=True))


def opened(contest=QUICK, k=3, name="iris", script="pages/compare.py"):
    app = AppTest.from_file(ROOT / script, default_timeout=SECONDS)
    if contest is not None:
        recipe = Recipe(
            data=Builtin(name=name), method="kmeans", settings={"n_clusters": k}
        )  # fmt: skip
        app.query_params["link"] = to_link(recipe)
        app.query_params["race"] = contest.to_text()
    return app.run()


def widget(kind, key) -> Any:
    return next(w for w in kind if w.key == key)


def raced(app):
    start(app).click().run()
    app.session_state["compare.own.job"].finished.wait(SECONDS)
    return app.run()


def contest_of(app):
    text = app.query_params["race"]
    return Contest.of_text(text if isinstance(text, str) else text[0])


def said(app):
    return " ".join([*(m.value for m in app.markdown), *(c.value for c in app.caption)])


def start(app):
    return next(b for b in app.button if b.label == "Start the race")


@pytest.mark.parametrize("script", ["app.py", "pages/compare.py"])
def test_it_opens_with_the_usual_methods(script):
    app = AppTest.from_file(ROOT / script, default_timeout=SECONDS)
    if script == "app.py":
        app.switch_page("pages/compare.py")
    app.run()
    assert not app.exception and not app.error and not app.warning
    assert app.title[0].value == "Compare methods"
    assert contest_of(app) == Contest()
    assert "no score of the table had a say" in said(app)
    assert "7 methods will be fitted from 3 seeds each" in app.info[0].value
    assert not start(app).disabled


def test_a_race_shows_scores_pictures_and_a_failure_as_a_row():
    app = raced(opened())
    assert not app.exception and not app.error
    table = next(frame.value for frame in app.dataframe if "Method" in frame.value)
    assert set(table["Method"]) == {"k-means", "Agglomerative", "DBSCAN", "data without clusters"}
    by_name = table.set_index("Method")
    assert by_name.loc["k-means", "silhouette"] > 0.4
    assert np.isnan(by_name.loc["DBSCAN", "silhouette"])
    assert by_name.loc["data without clusters", "silhouette"] < by_name.loc["k-means", "silhouette"]
    words = said(app)
    assert "DBSCAN: It ran out of memory." in words
    assert "What the evidence says." in words
    charts = app.get("plotly_chart")
    assert len(charts) == 3 + 2  # labels and two methods; overlap; disagreement
    first, second = (json.loads(chart.proto.spec)["data"][0] for chart in charts[:2])
    assert first["customdata"] == second["customdata"]
    downloads: Any = app.get("download_button")
    labels = [button.label for button in downloads]
    assert {"Download scores", "Download rows with all clusters"} <= set(labels)
    folded = [str(getattr(each, "label", "")) for each in app.expander]
    assert any("race of 3 methods: 2 done and 1 failed" in label for label in folded)


def test_an_entry_opens_on_the_cluster_page_with_its_recipe():
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS)
    app.switch_page("pages/compare.py")
    app.query_params["race"] = QUICK.to_text()
    app = raced(app.run())
    button = next(b for b in app.button if b.label == "Open k-means on the Cluster page")
    button.click().run()
    assert app.title[0].value == "Cluster a table" and not app.exception
    assert widget(app.button_group, "cluster:method").value == "kmeans"
    assert widget(app.number_input, "cluster:setting:n_init").value == 2


def test_choices_reach_the_link():
    app = opened()
    widget(app.button_group, "compare:methods:centres").set_value(["mixture"]).run()
    widget(app.number_input, "compare:seeds").set_value(5).run()
    widget(app.button_group, "compare:rule").set_value("silhouette").run()
    terms = contest_of(app)
    assert set(terms.methods) == {"mixture", "agglomerative", "dbscan"}
    assert (terms.seeds, terms.rule) == (5, "silhouette")
    assert "flatters all of them alike" in said(app)
    assert terms.settings == {"kmeans": {"n_init": 2}}, "kept for when it is chosen again"


def test_settings_of_one_method_at_a_time():
    app = opened()
    field = widget(app.number_input, "compare:of:kmeans:n_init")
    assert field.value == 2
    field.set_value(3).run()
    widget(app.selectbox, "compare:settings of").set_value("agglomerative").run()
    assert contest_of(app).settings == {"kmeans": {"n_init": 3}}
    keys = [w.key for w in (*app.selectbox, *app.number_input)]
    assert not any("selection" in str(key) for key in keys), "the rule says it for all"


def test_no_method_and_too_many_clusters_are_sentences():
    app = opened(Contest(methods=()))
    assert app.error[0].value == "Choose at least one method that can run on these rows."
    assert start(app).disabled
    app = opened(k=200)
    assert "k = 200 is more than the 150 rows" in app.error[0].value
    assert start(app).disabled and not app.exception


def test_a_forged_link_falls_back_to_the_usual_methods():
    app = AppTest.from_file(ROOT / "pages/compare.py", default_timeout=SECONDS)
    app.query_params["race"] = "forged"
    app.run()
    assert "The usual methods are chosen instead." in app.warning[0].value
    assert contest_of(app) == Contest()


def test_too_long_is_held_back_until_forced(monkeypatch):
    def too_long(told, budget):
        return "a fit would take about 5 minutes"

    monkeypatch.setattr(races, "too_long", too_long)
    app = opened(Contest(methods=("kmeans",), seeds=1, null=False))
    assert "k-means will wait. Held back: a fit would take about 5 minutes." in said(app)
    app = raced(app)
    assert not app.exception
    assert "Scores follow" in said(app)
    widget(app.button, "compare:force:kmeans").click().run()
    app.session_state["compare.own.job"].finished.wait(SECONDS)
    app.run()
    table = next(frame.value for frame in app.dataframe if "Method" in frame.value)
    assert list(table["Method"]) == ["k-means"]


def test_what_moved_on_is_said():
    app = raced(opened(Contest(methods=("kmeans",), seeds=1, null=False)))
    widget(app.number_input, "compare:k").set_value(4).run()
    assert "earlier choices" in app.warning[0].value
    widget(app.selectbox, "compare:name").set_value("moons").run()
    assert "these results are of Iris" in app.warning[0].value
    assert not app.exception
