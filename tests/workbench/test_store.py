"""The history keeps runs of each workspace apart, within limits, and survives what files suffer."""

import sqlite3
import stat
import threading

import numpy as np
import pytest

from workbench.builtin import builtin
from workbench.dataset import DataError, prepare
from workbench.keeping import Limits
from workbench.notes import Notes
from workbench.recipe import Builtin, Recipe
from workbench.record import Record, from_bytes, from_text, record_of, run_of, to_bytes, to_text
from workbench.run import run
from workbench.store import HOME, Store, default_folder, workspace_key

DAY = 86400.0


LABELS = np.array([0, 1, 1])


def record(key="a", size=0, cancelled=False, labels=LABELS, **facts):
    noise = np.random.default_rng(len(key)).random(size // 8)
    arrays = {"labels": labels, "noise": noise}
    return Record("{}", key, {"cancelled": cancelled, "scores": {}, **facts}, arrays)


class Clock:
    now = 1e9

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    return Store(tmp_path / "history", clock=clock)


@pytest.fixture(scope="module")
def finished():
    recipe = Recipe(data=Builtin(name="iris"), settings={"n_clusters": 3, "n_init": 3})
    dataset = prepare(builtin("iris"))
    return run(recipe, dataset), dataset


def test_nothing_is_created_before_something_is_kept(store):
    assert store.of("me").runs() == () and store.of("me").file("0" * 32) is None
    assert not store.folder.exists()
    store.of("me").add(record())
    assert stat.S_IMODE(store.folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600


def test_another_workspace_sees_and_changes_nothing(store):
    mine, other = store.of("mine"), store.of("other")
    identity = mine.add(record(file="f"), file="f")
    mine.keep_file("f", "own.csv", b"a,b\n1,2\n")
    other.rename(identity, "theirs")
    other.annotate("a", LABELS, Notes(names={0: "theirs"}))
    other.delete(identity)
    other.forget_file("f")
    other.forget()
    assert other.runs() == () and other.open(identity) is None and other.file("f") is None
    (entry,) = mine.runs()
    assert other.notes("a", LABELS) == entry.notes == Notes()
    assert entry.name == "" and mine.file("f") == ("own.csv", b"a,b\n1,2\n")
    assert b"mine" not in store.path.read_bytes(), "only a hash of the id is on the disk"
    assert workspace_key("mine") != workspace_key("other")


def test_a_run_comes_back_whole(store, finished):
    found, dataset = finished
    shelf = store.of("me")
    identity = shelf.add(record_of(found), notes=Notes(names={0: "setosa"}))
    opened = Store(store.folder, clock=store.clock).of("me").open(identity)
    assert opened is not None
    entry, kept = opened
    again = run_of(kept, dataset)
    assert again.recipe == found.recipe and again.scores == found.scores
    assert again.history == found.history and again.notes == found.notes
    for name in ("labels", "prototypes", "weights", "means", "sizes", "silhouettes", "scored"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found, name))
    assert again.restarts and again.restarts.picked("loss") == found.restarts.picked("loss")
    assert entry.notes.name(0) == "setosa"
    assert kept.arrays["positions"].shape == (150, 2)
    assert b"Iris-setosa" not in store.path.read_bytes()


def test_other_rows_are_refused_in_a_sentence(finished):
    found, _ = finished
    other = prepare(builtin("wine"))
    with pytest.raises(DataError, match="run again"):
        run_of(record_of(found), other)


def test_the_same_recipe_takes_the_place_of_its_run(store):
    shelf = store.of("me")
    first = shelf.add(record("same"))
    shelf.rename(first, "  good\none ")
    shelf.annotate("same", LABELS, Notes(names={1: "left"}))
    assert shelf.add(record("same", seconds=2.0)) == first
    (entry,) = shelf.runs()
    assert (entry.name, entry.facts["seconds"]) == ("good one", 2.0)
    assert entry.notes.names == {1: "left"}
    assert shelf.add(record("same", cancelled=True)) != first, "cut short: beside the whole one"
    assert len(shelf.runs()) == 2


def test_names_stay_with_the_clusters_they_were_given_to(store):
    shelf = store.of("me")
    early, late = Notes(names={0: "early"}), Notes(names={0: "late"})
    shelf.add(record("same", cancelled=True))
    shelf.annotate("same", LABELS, early)
    whole = shelf.add(record("same", labels=1 - LABELS))
    assert shelf.notes("same", 1 - LABELS) == Notes(), "a whole run with other clusters"
    cut = shelf.add(record("same", cancelled=True), notes=early)
    shelf.annotate("same", 1 - LABELS, late)
    assert {entry.id: entry.notes for entry in shelf.runs()} == {whole: late, cut: early}
    assert shelf.notes("same", LABELS.astype(np.int32)) == early
    assert shelf.notes("other", LABELS) == Notes()


def test_a_damaged_run_is_a_sentence(store):
    content = to_bytes(record("a", 1200).arrays)
    spoiled = [
        content[:at] + b"\x9c" * 60 + content[at + 60 :] for at in range(0, len(content) - 60, 9)
    ]
    for each in spoiled:
        with pytest.raises(DataError, match=r"^This run is damaged in the history"):
            from_bytes(each)
    shelf = store.of("me")
    identity = shelf.add(record("a", 1200), notes=Notes(names={0: "lost"}))
    with sqlite3.connect(store.path) as database:
        database.execute("UPDATE runs SET arrays = ?", (spoiled[5],))
    database.close()
    with pytest.raises(DataError, match=r"^This run is damaged in the history"):
        shelf.open(identity)
    assert shelf.add(record("a", 1200)) == identity, "its Recipe runs again in its place"


def test_a_damaged_file_is_a_sentence(store):
    shelf = store.of("me")
    shelf.add(record(file="f"), file="f")
    shelf.keep_file("f", "own.csv", b"a,b\n1,2\n")
    with sqlite3.connect(store.path) as database:
        database.execute("UPDATE files SET content = x'00112233'")
    database.close()
    with pytest.raises(DataError, match=r"^own\.csv is damaged in the history"):
        shelf.file("f")


def test_deleted_and_brought_back_and_gone(store, clock):
    shelf = store.of("me")
    identity = shelf.add(record(), file="f")
    shelf.keep_file("f", "own.csv", b"secret content")
    shelf.delete(identity)
    assert shelf.runs() == () and shelf.open(identity) is None
    shelf.undelete(identity)
    assert len(shelf.runs()) == 1
    shelf.delete(identity)
    clock.now += 601
    assert shelf.file("f") is None, "the file goes with its last run"
    shelf.undelete(identity)
    assert shelf.runs() == ()


def test_a_file_stays_for_its_other_runs(store, clock):
    shelf = store.of("me")
    first, second = shelf.add(record("a"), file="f"), shelf.add(record("b"), file="f")
    shelf.keep_file("f", "own.csv", b"x")
    shelf.delete(first)
    clock.now += 601
    assert [entry.has_file for entry in shelf.runs()] == [True]
    shelf.forget_file("f")
    (entry,) = shelf.runs()
    assert entry.id == second and not entry.has_file


def test_the_oldest_without_a_name_go_first_and_it_is_said(tmp_path, clock):
    store = Store(tmp_path, clock=clock, limits=Limits(workspace=35_000))
    shelf = store.of("me")
    names = []
    for number in range(3):
        clock.now += 1
        names.append(shelf.add(record("k" * (number + 1), 10_000)))
    shelf.rename(names[0], "keep")
    clock.now += 1
    names.append(shelf.add(record("kkkk", 10_000)))
    assert [entry.id for entry in shelf.runs()] == [names[3], names[2], names[0]]
    (removal,) = shelf.removals()
    assert removal.runs == 1 and removal.reason == "to keep your runs within 0 MB"
    huge = shelf.add(record("kkkkk", 60_000))
    assert [entry.id for entry in shelf.runs()] == [huge], "the newest is never refused"


def test_one_workspace_cannot_fill_the_disk_for_all(tmp_path, clock):
    store = Store(tmp_path, clock=clock, limits=Limits(total=35_000))
    store.of("first").add(record("a", 10_000))
    for key in ("bb", "ccc", "dddd"):
        clock.now += 1
        store.of("second").add(record(key, 10_000))
    assert len(store.of("first").runs()) == 1 and len(store.of("second").runs()) == 2
    assert store.of("second").removals()[0].runs == 1 and store.of("first").removals() == ()


def noise(size):
    return np.random.default_rng(size).bytes(size)


def test_a_file_goes_before_any_run(tmp_path, clock):
    store = Store(tmp_path, clock=clock, limits=Limits(workspace=150_000))
    shelf = store.of("me")
    for number in range(20):
        shelf.rename(shelf.add(record(f"{number}", 5000)), "mine")
    for number in range(3):
        clock.now += 1
        shelf.add(record(f"new {number}", 5000), file=f"{number}")
        with pytest.raises(DataError, match=r"^big\.csv takes 0\.1 MB, .* has no room"):
            shelf.keep_file(f"{number}", "big.csv", noise(60_000))
    assert len(shelf.runs()) == 23 and shelf.removals() == ()
    shelf.add(record("small", 4000), file="s")
    shelf.keep_file("s", "small.csv", noise(20_000))
    clock.now += 1
    shelf.add(record("another", 4000), file="t")
    shelf.keep_file("t", "another.csv", noise(20_001))
    assert len(shelf.runs()) == 25 and shelf.file("s") is None and shelf.file("t")
    (removal,) = shelf.removals()
    assert removal.runs == 0 and removal.reason == "to keep your runs within 0 MB"


def test_a_file_that_alone_is_too_large_is_refused(tmp_path, clock):
    shelf = Store(tmp_path, clock=clock, limits=Limits(workspace=50_000)).of("me")
    shelf.add(record(), file="f")
    with pytest.raises(DataError, match=r"^big\.csv takes 0\.1 MB, and the history holds 0\.1 MB"):
        shelf.keep_file("f", "big.csv", noise(60_000))
    assert len(shelf.runs()) == 1 and shelf.removals() == ()


def test_nobody_loses_a_run_for_the_files_of_others(tmp_path, clock):
    store = Store(tmp_path, clock=clock, limits=Limits(100_000, total=150_000))
    people = [store.of(f"person {number}") for number in range(12)]
    for number, shelf in enumerate(people):
        clock.now += 1
        shelf.add(record("a", 3000), file="f")
        if number >= 10:
            shelf.keep_file("f", "big.csv", noise(90_000))
    assert [len(shelf.runs()) for shelf in people] == [1] * 12
    assert people[10].file("f") is None and people[11].file("f") is not None
    assert [len(shelf.removals()) for shelf in people] == [0] * 10 + [1, 0]


def test_a_file_goes_with_its_last_run_and_no_run_after_it(tmp_path, clock):
    shelf = Store(tmp_path, clock=clock, limits=Limits(workspace=40_000)).of("me")
    first = shelf.add(record("a"), file="f")
    shelf.keep_file("f", "own.csv", noise(30_000))
    shelf.delete(first)
    others = [shelf.add(record(key, 8000)) for key in ("bb", "ccc")]
    assert {entry.id for entry in shelf.runs()} == set(others)
    assert shelf.file("f") is None and shelf.removals() == ()


def test_runs_that_nobody_opens_expire(store, clock):
    shelf = store.of("me")
    used, _ = shelf.add(record("a")), shelf.add(record("b"))
    clock.now += 60 * DAY
    assert shelf.open(used) is not None
    clock.now += 40 * DAY
    assert [entry.id for entry in shelf.runs()] == [used]
    assert shelf.removals()[0].reason == "not opened for 90 days"


def test_forgetting_all_leaves_nothing(store):
    shelf = store.of("me")
    shelf.add(record(), file="f")
    shelf.keep_file("f", "own.csv", b"x")
    shelf.forget()
    assert shelf.runs() == () and shelf.file("f") is None


def test_a_damaged_database_is_a_sentence(store):
    store.folder.mkdir()
    store.path.write_bytes(b"no database at all" * 100)
    with pytest.raises(DataError, match=r"is damaged .* Move history.sqlite3 away"):
        store.of("me").runs()
    assert store.path.read_bytes().startswith(b"no database"), "it is left as it is"


def test_a_newer_database_is_left_alone(store):
    store.of("me").add(record())
    with sqlite3.connect(store.path) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(DataError, match="written by a newer Basinscope"):
        store.of("me").add(record("b"))


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path):
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(DataError, match="cannot be opened"):
        Store(tmp_path / "taken" / "history").of("me").add(record())


def test_sessions_write_at_the_same_time(store):
    faults = []

    def write(number):
        try:
            shelf = store.of(f"person {number % 2}")
            for turn in range(5):
                shelf.add(record(f"{number} {turn}"))
                shelf.runs()
        except Exception as error:  # told below: a thread cannot fail the test
            faults.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []
    assert len(store.of("person 0").runs()) == len(store.of("person 1").runs()) == 15


def test_numbers_that_are_not_finite_survive_as_json():
    told = {"a": [float("nan"), float("inf"), -float("inf"), 1.5], "b": {"c": None, "d": "NaN"}}
    again = from_text(to_text(told))
    assert np.isnan(again["a"][0]) and again["a"][1:] == told["a"][1:] and again["b"] == told["b"]


def test_arrays_are_small_and_exact():
    labels = np.random.default_rng(0).integers(0, 8, 100_000)
    arrays = {
        "labels": labels, "row_ids": np.arange(1, 100_001), "empty": np.empty(0, np.int64),
        "far": np.array([2**40, -(2**40)]), "means": np.array([[np.nan, 1.0]]),
    }  # fmt: skip
    content = to_bytes(arrays)
    again = from_bytes(content)
    for name, array in arrays.items():
        np.testing.assert_array_equal(again[name], array)
    assert len(content) < 70_000


def test_the_folder_is_the_one_that_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv(HOME, str(tmp_path / "here"))
    assert default_folder() == tmp_path / "here"
    monkeypatch.delenv(HOME)
    assert default_folder().name.lower() == "basinscope"
