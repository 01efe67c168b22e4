"""The papers' tables: questions, answers that are kept, and the Markdown that is made of them."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import results, sheets, tables
from benchmarks.answers import Answers, Question
from benchmarks.desk import Desk, TooLong
from benchmarks.entrants import ENTRANTS, Entrant, entrants, questions, why_not
from benchmarks.fitter import MEMORY
from benchmarks.sets import SETS
from benchmarks.sheets import Book, Notes, shown
from workbench.methods import METHODS

ZOO = SETS["Zoo"]
ASKED = Question("Zoo", "kmeans", "kmeans", {"n_clusters": 7}, "own", 0)


class Counting(Desk):
    """A desk that answers at once, or never, and counts."""

    def __init__(self, *answers):
        super().__init__(Path())
        self.answers, self.asked, self.closed = list(answers), [], 0

    def ask(self, question, seconds, wait=np.inf):
        self.asked.append(question.place)
        answer = self.answers.pop(0)
        if answer is None:
            raise TooLong
        return answer

    def close(self):
        self.closed += 1


def scores(value, **more):
    told = {"SC": value, "NMI": value, "ARI": value, "ACC": value, "found": 7, "noise": 0.0}
    return told | {"seconds": 1.0, "labels": [0, 0, 1, 1]} | more


def test_an_answer_belongs_to_its_question(tmp_path):
    answers = Answers(tmp_path)
    answers.keep(ASKED, scores(0.5))
    assert answers.get(ASKED) == scores(0.5)
    other = Question("Zoo", "kmeans", "kmeans", {"n_clusters": 8}, "own", 0)
    assert answers.get(other) is None
    assert list(answers.all()) == [(ASKED, scores(0.5))]
    assert [path.suffix for path in tmp_path.rglob("*") if path.is_file()] == [".json"]


def test_an_older_version_is_asked_again(tmp_path, monkeypatch):
    answers = Answers(tmp_path)
    answers.keep(ASKED, scores(0.5))
    monkeypatch.setattr("benchmarks.answers.VERSION", -1)
    assert answers.get(ASKED) is None
    assert list(answers.all()) == []


def test_a_run_goes_on_where_it_was_cut_off(tmp_path):
    answers = Answers(tmp_path)
    wanted = [Question("Zoo", "kmeans", "kmeans", {}, "own", seed) for seed in range(3)]
    first = Counting(scores(0.1), KeyboardInterrupt)
    with pytest.raises(TypeError):
        tables.ask(wanted, answers, first, deadline=np.inf)  # dies at the second answer
    again = Counting(scores(0.2), scores(0.3))
    tables.ask(wanted, answers, again, deadline=np.inf)
    assert again.asked == [question.place for question in wanted[1:]]
    tables.ask(wanted, answers, Counting(), deadline=np.inf)  # nothing is left to ask


def test_one_that_is_too_long_is_not_tried_again_there(tmp_path):
    answers = Answers(tmp_path)
    wanted = [Question("Zoo", "slow", "slow", {}, "own", seed) for seed in range(2)]
    wanted += [Question("Ecoli", "slow", "slow", {}, "own", 0)]
    desk = Counting(None, scores(0.4))
    tables.ask(wanted, answers, desk, deadline=np.inf, limit=1)
    assert desk.asked == [wanted[0].place, wanted[2].place]
    assert answers.get(wanted[0]) == {
        "error": "not done after 0.0166667 minutes of the processor's time", "too long": 1,
    }  # fmt: skip
    tables.ask(wanted[:1], answers, Counting(scores(0.5)), deadline=np.inf, limit=2)
    assert answers.get(wanted[0]) == scores(0.5)  # with more time it is
    assert desk.closed >= 2  # what one set left in memory does not weigh on the next


def test_one_that_needs_too_much_memory_is_not_tried_again_there(tmp_path):
    answers = Answers(tmp_path)
    wanted = [Question("Zoo", "large", "large", {}, "own", seed) for seed in range(2)]
    desk = Counting({"error": "needs more", "too much": MEMORY}, scores(0.4))
    tables.ask(wanted, answers, desk, deadline=np.inf)
    assert desk.asked == [wanted[0].place]
    answers.keep(wanted[0], {"error": "needs more", "too much": MEMORY // 2})
    tables.ask(wanted[:1], answers, desk, deadline=np.inf)
    assert answers.get(wanted[0]) == scores(0.4)  # with more of it, it is


def test_an_error_is_asked_again_and_the_end_of_time_keeps_nothing(tmp_path):
    answers = Answers(tmp_path)
    answers.keep(ASKED, {"error": "a bug"})
    tables.ask([ASKED], answers, Counting(None), deadline=0)
    assert answers.get(ASKED) == {"error": "a bug"}
    tables.ask([ASKED], answers, Counting(scores(0.5)), deadline=np.inf)
    assert answers.get(ASKED) == scores(0.5)


def test_a_child_answers_dies_and_is_begun_again(tmp_path):
    desk = Desk(tmp_path)
    desk.command = [sys.executable, "-c", CHILD]
    assert desk.ask(Question("Zoo", "a", "a"), 20) == {"seed": 0}
    assert desk.ask(Question("Zoo", "a", "die"), 20) == {"error": "its process ended with status 3"}
    with pytest.raises(TooLong):
        desk.ask(Question("Zoo", "a", "sleep"), 20, 0.5)
    with pytest.raises(TooLong):
        desk.ask(Question("Zoo", "a", "busy"), 0)
    assert desk.ask(Question("Zoo", "a", "a", seed=4), 20) == {"seed": 4}
    desk.close()


CHILD = """
import json, sys, time
from benchmarks.fitter import limit
for line in sys.stdin:
    asked, seconds = json.loads(line)
    if asked["method"] == "busy":
        limit(seconds)
        while True:
            pass
    if asked["method"] == "die":
        sys.exit(3)
    if asked["method"] == "sleep":
        time.sleep(60)
    print(json.dumps({"seed": asked["seed"]}), flush=True)
"""


def test_a_fit_is_scored_and_an_error_is_a_sentence(monkeypatch):
    from benchmarks import fitter

    X = np.repeat([[0.0, 0], [5, 5], [9, 0]], 8, axis=0) + np.random.default_rng(0).normal(
        0, 0.1, (24, 2)
    )
    monkeypatch.setattr(fitter, "rows_of", lambda name, folder: (X, np.repeat([0, 1, 2], 8)))
    settings = {"n_clusters": 3, "n_init": 2}
    for rule, selection in (("own", "loss"), ("silhouette", "silhouette")):
        asked = Question("Zoo", "k", "kmeans", settings | {"selection": selection}, rule)
        told = fitter.answered(asked, Path())
        assert told["NMI"] == told["ACC"] == 1 and told["found"] == 3 and len(told["labels"]) == 24
    grid = [{"n_clusters": 2}, {"n_clusters": 3}]
    told = fitter.answered(Question("Zoo", "k", "kmeans", {"grid": grid}, "silhouette"), Path())
    assert told["at"] == {"n_clusters": 3}
    wrong = fitter.answered(Question("Zoo", "k", "kmeans", {"n_clusters": 25}), Path())
    assert wrong == {"error": "n_clusters=25 should be <= n_samples=24."}


def test_both_rules_judge_the_starts_of_one_fit(monkeypatch):
    from benchmarks import fitter, outcomes
    from workbench.metrics import silhouette

    X = np.random.default_rng(1).normal(size=(60, 5))
    monkeypatch.setattr(fitter, "rows_of", lambda name, folder: (X, np.zeros(60, int)))
    fits = []
    fit = outcomes.outcomes
    monkeypatch.setattr(outcomes, "outcomes", lambda *all: fits.append(fit(*all)) or fits[-1])
    for method, selections in (("kmeans", ("loss", "silhouette")), ("clam", ("loss", "loss"))):
        told: dict = {}
        for rule, selection in zip(("own", "silhouette"), selections, strict=True):
            settings = {"n_clusters": 4, "n_init": 6, "selection": selection}
            told[rule] = fitter.answered(Question("Zoo", "k", method, settings, rule), Path())
        found = fits.pop()
        assert not fits and len(found.labelings) == 6
        labels, scores = np.array(found.labelings), [silhouette(X, one) for one in found.labelings]
        assert told["own"]["labels"] == labels[int(np.argmin(found.losses))].tolist()
        assert told["silhouette"]["labels"] == labels[int(np.argmax(scores))].tolist()
        own = METHODS[method].build(
            METHODS[method].complete({"n_clusters": 4, "n_init": 6, "selection": "loss"}),
            random_state=0,
        )
        assert told["own"]["labels"] == own.fit(X).labels_.tolist()
    once = {"n_clusters": 4, "n_init": 1}
    for rule, selection in (("own", "loss"), ("silhouette", "silhouette")):
        asked = Question("Zoo", "k", "kmeans", once | {"selection": selection}, rule)
        fitter.answered(asked, Path())
    assert len(fits) == 1  # one start is whole too


def test_every_method_of_the_bench_is_asked_on_every_set_that_it_can_run():
    asked = {(q.dataset, q.method) for q in questions()}
    for entrant in entrants():
        for dataset in SETS.values():
            if not why_not(dataset, entrant):
                assert (dataset.name, entrant.method) in asked
    assert {entrant.method for entrant in entrants()} == set(METHODS) - {"recall"}
    assert ("FMNIST", "clam") in asked and ("FMNIST", "kmeans") in asked


def test_questions_are_legal_and_have_places_of_their_own():
    places = [question.place for question in questions()]
    assert len(set(places)) == len(places)
    for question in questions():
        if question.method in METHODS:
            settings = dict(question.settings)
            for point in settings.pop("grid", [{}]):
                METHODS[question.method].complete(settings | point)
    assert len({entrant.key for entrant in ENTRANTS}) == len(ENTRANTS)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.4123, ".412"), (-0.0119, "-.012"), (1.0, "1.000"), (-0.0001, ".000"), (-1.5, "-1.500")],
)
def test_numbers_look_as_the_papers_print_them(value, text):
    assert shown(value) == text


def parsed(text):
    """Return the cells of a Markdown table; every row must have as many."""
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    assert len({len(line) for line in lines}) == 1
    rows = [line for line in lines if not set("".join(line)) <= set(" -:")]
    return [[cell.strip() for cell in line] for line in rows]


def test_a_table_has_ours_and_what_is_printed_and_a_reason_for_a_dash():
    pair = [(Question("Zoo", "kmeans", "kmeans", {}, "own", seed), scores(seed / 10))
            for seed in (3, 4)]  # fmt: skip
    book, notes = Book.of(pair), Notes()
    k_means = next(each for each in ENTRANTS if each.key == "kmeans")
    dcec = Entrant("dcec", "DCEC", "kmeans", printed="dcec")
    text = sheets.beside(
        book, notes, ["Zoo", "GCM"], [k_means, dcec], score="SC", rule="own",
        printed={"Zoo": {"kmeans": 0.374, "dcec": float("nan")}},
    )  # fmt: skip
    assert parsed(text) == [
        ["set", "k-means", "DCEC"],
        ["Zoo", ".350 (.374)", "—[^1]"],
        ["GCM", "—[^2]", "—[^2]"],
    ]
    assert notes.lines().splitlines()[1] == "[^2]: GCM is not at hand."
    both = sheets.beside(book, notes, ["Zoo"], [k_means], score="NMI / ACC", rule="own")
    assert parsed(both)[1] == ["Zoo", ".350 / .350"]


def test_rules_are_never_mixed():
    pair = [(Question("Zoo", "kmeans", "kmeans", {}, rule, 0), scores(value))
            for rule, value in (("own", 0.1), ("silhouette", 0.2))]  # fmt: skip
    k_means = ENTRANTS[0]
    for rule, value in (("own", 0.1), ("silhouette", 0.2)):
        assert Book.of(pair).mean("Zoo", k_means, rule, "SC") == value
    assert Book.of(pair[:1]).mean("Zoo", k_means, "silhouette", "SC") is None


def test_results_are_written_from_any_answers(tmp_path):
    answers = Answers(tmp_path)
    for text in (results.written(answers, tmp_path / "none"), written_with(answers, tmp_path)):
        used = set(re.findall(r"\[\^(\d+)\]", text.replace("]: ", "]")))
        noted = set(re.findall(r"^\[\^(\d+)\]: ", text, re.MULTILINE))
        assert used == noted
        for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
            parsed(block)
    assert "| Zoo | .500 (.374)" in text


def written_with(answers, folder):
    answers.describe({"versions": {"python": "3"}, "cores": 2, "machine": "x86_64"})
    for question in questions():
        if question.dataset == "Zoo":
            answers.keep(question, scores(0.5))
        if question.dataset == "Ecoli":
            answers.keep(question, {"error": "n_clusters=8 should be <= 7."})
    return results.written(answers, folder / "none")


def test_the_kept_page_is_whole():
    text = tables.RESULTS.read_text(encoding="utf-8")
    assert "$" not in text
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        parsed(block)
    for name in SETS:
        assert f"\n### {name}\n" in text
