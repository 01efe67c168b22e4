"""The page of runs: what is kept, found again, named, compared, deleted, and by whom."""

import threading
import time
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ui import jobs, workspace
from workbench.intake import read_table
from workbench.progress import Progress
from workbench.recipe import Builtin, Recipe, Upload, from_link, to_link
from workbench.run import run as cluster
from workbench.store import Store

ROOT = Path(__file__).parents[2]
SECONDS = 60
GROUPS = "x,y\n" + "".join(f"{(i % 2) * 5 + i * 0.01:.2f},{i * 0.02:.2f}\n" for i in range(40))
ME, OTHER = "m" * 43, "o" * 43


class Browser:
    """The cookies of whoever opens the next session."""

    def __init__(self, monkeypatch):
        self.cookies = {}
        context = type(workspace.st.context)
        monkeypatch.setattr(context, "cookies", property(lambda _: self.cookies))

    def be(self, secret):
        self.cookies = {workspace.COOKIE: secret} if secret else {}


@pytest.fixture
def browser(monkeypatch, tmp_path):
    monkeypatch.setenv("BASINSCOPE_HOME", str(tmp_path / "home"))
    jobs.jobs.clear()
    found = Browser(monkeypatch)
    found.be(ME)
    yield found
    jobs.jobs.clear()


def open_page(page="runs", link=None):
    app = AppTest.from_file(ROOT / "app.py", default_timeout=SECONDS)
    app.switch_page(f"pages/{page}.py")
    if link is not None:
        app.query_params["link"] = link
    app.run()
    assert not app.exception
    return app


def press(app, label, at=0):
    return [b for b in app.button if b.label == label][at].click().run()


def recipe(k=3, name="iris", **values):
    return Recipe(
        data=Builtin(name=name), settings={"n_clusters": k, "n_init": 2, "n_epochs": 5}, **values
    )


def finish(app):
    end = time.monotonic() + SECONDS
    while not (app.success or any(box.value.startswith("Cancelled: ") for box in app.info)):
        assert time.monotonic() < end and not app.error, "the run did not end"
        time.sleep(0.05)
        app.run()
    return app


def run(link):
    return finish(press(open_page("cluster", link), "Run"))


def text(app):
    kinds = (app.markdown, app.caption, app.info, app.warning)
    return "\n".join(each.value.replace("\\", "") for kind in kinds for each in kind)


@pytest.mark.parametrize("script", ["app.py", "pages/runs.py"])
def test_it_opens_empty_and_says_what_will_be_here(browser, script, tmp_path):
    app = AppTest.from_file(ROOT / script, default_timeout=SECONDS)
    if script == "app.py":
        app.switch_page("pages/runs.py")
    app.run()
    assert not app.exception and app.title[0].value == "Runs"
    assert "No runs yet" in text(app) and "only if you choose so" in text(app)
    assert str(tmp_path / "home") in text(app)
    assert not (tmp_path / "home").exists(), "looking creates nothing"


def test_a_run_is_listed_named_and_opened_with_its_outcome(browser):
    before = [metric.value for metric in run(to_link(recipe())).metric]
    app = open_page()
    assert "Iris, ClAM, k = 3" in text(app) and "3 of 3 found" in text(app)
    next(t for t in app.text_input if t.label == "Name of this run").set_value("*Mine*").run()
    assert "**\\*Mine\\***" in [each.value for each in app.markdown]
    assert "*Mine*" in text(open_page())
    press(app, "Open")
    app.switch_page("pages/cluster.py").run()
    assert not app.exception and [metric.value for metric in app.metric] == before
    assert app.success[0].value.startswith("Done: 3 clusters found")
    shown = app.query_params["link"]
    assert from_link(shown if isinstance(shown, str) else shown[0])[0] == recipe()


def test_a_link_of_ones_own_run_shows_it_at_once(browser):
    before = [metric.value for metric in run(to_link(recipe())).metric]
    jobs.jobs.clear()  # the server was started anew
    assert [m.value for m in open_page("cluster", to_link(recipe())).metric] == before


def test_another_browser_and_a_shared_link_see_nothing(browser):
    mine = run(to_link(recipe()))
    press(mine, "Run")  # another one, at work while the others look
    for secret in (OTHER, ""):
        browser.be(secret)
        assert "No runs yet" in text(open_page())
        app = open_page("cluster", to_link(recipe()))
        assert not app.metric and not app.success
        assert "cluster.own.job" not in app.session_state
    browser.be(ME)
    assert "Iris, ClAM, k = 3" in text(open_page())


def test_the_id_is_in_no_link_and_no_text(browser):
    app = run(to_link(recipe()))
    pages = [app, open_page()]
    for each in pages:
        assert ME not in text(each) + str(dict(each.query_params)) + "".join(
            code.value for code in each.code
        )
    assert ME.encode() not in Store().path.read_bytes()


def test_deleted_with_undo(browser):
    run(to_link(recipe()))
    app = press(open_page(), "Delete")
    assert "No runs yet" in text(app) and "Deleted: Iris, ClAM, k = 3." in text(app)
    app = press(app, "Undo")
    assert "3 of 3 found" in text(app) and "Deleted:" not in text(app)


def test_two_runs_side_by_side(browser):
    for k in (3, 4):
        run(to_link(recipe(k)))
    run(to_link(recipe(2, "moons")))
    app = open_page()
    assert len(app.checkbox) == 3
    for box in app.checkbox[1:]:
        box.check()
    app.run()
    assert not app.exception
    assert "On the 150 rows that both have, they agree by an ARI of 0." in text(app)
    assert app.checkbox[0].disabled and len(app.get("plotly_chart")) == 2
    scores, settings = (frame.value for frame in app.dataframe)
    assert list(scores.columns) == ["", "Iris, ClAM, k = 3", "Iris, ClAM, k = 4"]
    assert settings.values.tolist() == [["k, clusters to find", "3", "4"]]
    app.checkbox[1].uncheck()
    app.run()
    app.checkbox[0].check()
    app.run()
    assert "different tables" in text(app)


@pytest.fixture
def upload():
    return to_link(Recipe(
        data=Upload(fingerprint=read_table(GROUPS.encode(), "t.csv").fingerprint),
        settings={"n_clusters": 2, "n_init": 2, "n_epochs": 5},
    ))  # fmt: skip


def with_file(link):
    app = open_page("cluster", link)
    app.file_uploader[0].upload("t.csv", GROUPS.encode(), "text/csv")
    return app.run()


def test_a_run_without_its_file_shows_what_was_kept(browser, upload):
    finish(press(with_file(upload), "Run"))
    jobs.jobs.clear()
    app = press(open_page(), "Open")
    assert not app.exception and "choose the same file" in text(app)
    assert {m.label: m.value for m in app.metric}["Clusters found"] == "2 of 2"
    assert len(app.get("plotly_chart")) == 1 and Store().of(ME).runs()[0].has_file is False
    press(app, "Choose the file on the Cluster page")
    app.switch_page("pages/cluster.py").run()
    app.file_uploader[0].upload("t.csv", GROUPS.encode(), "text/csv")
    app.run()
    assert {m.label: m.value for m in app.metric}["Clusters found"] == "2 of 2"


def test_a_file_is_kept_only_if_the_person_says_so(browser, upload):
    app = with_file(upload)
    (keep,) = [toggle for toggle in app.toggle if toggle.label == "Keep this file in the history"]
    assert keep.value is False
    keep.set_value(True).run()
    finish(press(app, "Run"))
    jobs.jobs.clear()
    app = press(open_page(), "Open")  # a session that never had the file
    app.switch_page("pages/cluster.py").run()
    assert not app.exception
    assert {m.label: m.value for m in app.metric}["Clusters found"] == "2 of 2"
    app = press(open_page(), "Forget file")
    assert "file kept" not in text(app)
    fingerprint = Store().of(ME).runs()[0].file
    assert Store().of(ME).file(fingerprint) is None


def test_a_new_session_finds_the_job_and_its_table(browser, upload):
    slow = from_link(upload)[0].changed(settings={"n_epochs": 1000, "n_init": 64, "batch_size": 1})
    app = press(with_file(to_link(slow)), "Run")
    again = open_page("cluster", to_link(slow))
    assert "t.csv: 40 rows" in text(again), "the table is the session's upload again"
    job = app.session_state["cluster.own.job"]
    assert again.session_state["cluster.own.job"] is job
    while job.snapshot.progress is None or job.snapshot.progress.phase != "training":
        time.sleep(0.01)  # before, there is nothing to keep
    press(again, "Cancel")
    assert job.finished.wait(60)
    assert finish(open_page("cluster", to_link(slow))).metric


def test_a_dropped_run_leaves_nothing_in_the_history(browser, upload, monkeypatch):
    go_on = threading.Event()

    def slow(recipe, dataset, *, report, stop):
        found = cluster(recipe, dataset)
        report(Progress("comparing"))
        assert go_on.wait(SECONDS)
        return found

    monkeypatch.setattr("ui.training_panel.run", slow)
    app = with_file(upload)
    (keep,) = [toggle for toggle in app.toggle if toggle.label == "Keep this file in the history"]
    keep.set_value(True).run()
    press(app, "Run")
    job = app.session_state["cluster.own.job"]
    while not job.snapshot.progress:
        time.sleep(0.01)
    app.run()
    press(press(app, "Cancel"), "Drop it")
    go_on.set()
    while jobs.jobs()._running:
        time.sleep(0.01)
    app.run()
    assert "nothing of that run was kept" in text(app)
    assert Store().of(ME).runs() == ()


def test_a_damaged_history_stops_nobody(browser, tmp_path):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "history.sqlite3").write_bytes(b"nothing of the kind" * 99)
    assert "is damaged" in text(open_page())
    app = run(to_link(recipe()))
    assert app.metric and "This run is not in the history." in text(app)


def test_refused_cookies_are_said(browser):
    browser.be("")
    app = open_page()
    assert "keeps no cookies" not in text(app)
    app.session_state["workspace.own.lasting"] = False
    assert "keeps no cookies" in text(app.run())
