"""Sentences of the completion page: true to their numbers, and honest where recall is not best."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ui import completion_words as words
from workbench.completion import Completion
from workbench.imputation import Errors, Filling

SETTINGS = {
    "n_steps": 10, "step_size": "1/T", "corruption": "auto", "mask_rate": 0.15, "loss": "squared",
    "energy": "euclidean",
}  # fmt: skip


def completion(
    end=(0.0, 1.0), hidden=(False, True), truth=(0.0, 2.0), rivals=None, went=(0, 0), d=2
):
    path = np.zeros((2, d))
    path[1, -1] = end[1]
    known = np.array(hidden) & ~np.isnan(truth)
    losses = np.square(np.where(known, path - np.nan_to_num(truth), 0)).sum(1)
    fills = {"mean": 0.0, "memory": 3.5, "neighbours": 4.0} | (rivals or {})
    return Completion(
        position=0, truth=np.array(truth), hidden=np.array(hidden), path=path, losses=losses,
        loss=float(losses[-1]), went_to=np.array(went), own=1,
        rivals={name: np.array([0.0, value]) for name, value in fills.items()},
    )  # fmt: skip


def errors(prepared, wrong=None, patterned=True) -> Errors:
    values = np.array(prepared, float)[:, None] + np.array([0.0, 0.01])
    lacking = np.full((4, 2), np.nan)
    found = lacking if wrong is None else np.array(wrong, float)[:, None] + np.zeros(2)
    return Errors(
        ("a",), np.array([False]), values, found, values[..., None], np.array([7, 9]), patterned
    )


def test_the_row_is_told_beside_its_rivals():
    told = words.row_sentence(completion(), 4)
    assert told.startswith("On 1 hidden value of row 4 recall ends with a squared error of 1;")
    assert "column mean 4, nearest memory 2.25 and nearest rows 4" in told
    assert told.endswith("Here recall is nearest to the truth.")


def test_it_is_said_when_recall_is_not_the_best():
    told = words.row_sentence(completion(rivals={"neighbours": 2.0}), 4)
    assert told.endswith("Here the nearest rows come nearer to the truth than recall.")
    told = words.row_sentence(completion(rivals={"memory": 2.0}), 4)
    assert told.endswith("Here the nearest memory comes nearer to the truth than recall.")


def test_nothing_hidden_and_nothing_known_are_said():
    assert "nothing moves" in words.row_sentence(completion(hidden=(False, False)), 1)
    gap = completion(truth=(0.0, np.nan))
    assert "nobody knows the truth" in words.row_sentence(gap, 1)
    assert words.loss_sentence(gap, SETTINGS) == ""
    assert words.gap_note(gap, ["b"]).startswith("b is a gap of the table")


def test_where_it_went_is_beside_its_own_cluster():
    assert "own cluster" in words.destination(completion(went=(1, 1)))
    told = words.destination(completion(went=(1, 0)))
    assert told.startswith("It ends nearest to memory 1, while the complete row belongs to cluster")
    assert told.endswith("Its start was nearest to memory 2.")
    blind = words.destination(completion(hidden=(True, True), went=(0, 0)))
    assert blind.endswith("belongs to cluster 2: nothing is visible that could tell.")


def test_each_symbol_of_the_equation_is_read():
    run: Any = SimpleNamespace(
        recipe=SimpleNamespace(settings=SETTINGS), prototypes=np.zeros((3, 2)), beta=0.25
    )
    told = words.reading(run, completion(), 4, SimpleNamespace(start="min"))
    text = "\n".join(told)
    for symbol in ("$x$", "$m$", r"$\bar{x}$", r"$\rho_\mu$", r"$p_\mu$", r"$\beta$ = 0.25"):
        assert symbol in text
    assert "weight" not in text
    run.recipe.settings = SETTINGS | {"energy": "weighted"}
    assert "the memory's weight" in "".join(
        words.reading(run, completion(), 4, SimpleNamespace(start="min"))
    )
    assert "minimum of each column" in text and "35%" in text and "25% of it" in text


@pytest.mark.parametrize(
    ("d", "changed", "learned"),
    [
        (4, {}, "learning has moved the memories"),
        (2, {"corruption": "mask"}, "learning has moved the memories"),
        (3, {}, "were trained without masks."),
        (4, {"corruption": "noise"}, "were trained without masks."),
        (4, {"loss": "absolute"}, "were trained on absolute errors."),
        (4, {"loss": "absolute", "corruption": "none"}, "without masks and on absolute errors."),
    ],
)
def test_the_loss_is_that_of_the_training_or_it_is_said(d, changed, learned):
    found = completion(hidden=(False,) * (d - 1) + (True,), truth=(0.0,) * (d - 1) + (2.0,), d=d)
    assert learned in words.loss_sentence(found, SETTINGS | changed)


def test_the_mask_of_training_is_told_in_values():
    assert words._mask_drawn(SETTINGS, 4).endswith("(1 of 4 values)")  # .15 of 4 is one
    assert words._mask_drawn(SETTINGS | {"mask_rate": 0.5}, 10).endswith("(5 of 10 values)")
    assert words._mask_drawn(SETTINGS, 3).endswith("trained without masks")


def test_a_repeat_without_hidden_numbers_does_not_silence_the_others():
    found = errors((0.4, 1.0, 1.1, 0.5))
    found.prepared[:, 1] = np.nan
    told = words.verdict(found, 3)
    assert "in 1 of 1 repeats" in told and "no error to tell" not in told
    found.prepared[:] = np.nan
    assert "no error to tell" in words.verdict(found, 3)


@pytest.mark.parametrize(
    ("prepared", "expected"),
    [
        ((0.4, 1.0, 1.1, 0.5), "Recall comes nearest on average, nearer than nearest rows"),
        (
            (0.5, 1.0, 1.1, 0.3),
            "Recall is not the best on average: nearest rows (KNN) come nearer, in",
        ),
        ((1.2, 1.0, 1.1, 0.3), "does not even beat the column's mean"),
    ],
)
def test_the_verdict_is_honest(prepared, expected):
    assert expected in words.verdict(errors(prepared), 3)


def test_categories_are_judged_by_wrong_words():
    told = words.verdict(errors((0.4, 1.0, 1.1, 0.5), wrong=(0.5, 0.6, 0.6, 0.25)), 1)
    assert "On hidden categories the error is, wrong: recall (ClAM) 50% ± 0%" in told
    assert "A fill by 1 memory is coarse" in told


def test_how_it_was_measured_names_pattern_and_numbers():
    told = words.how_measured(errors((1, 1, 1, 1)), 2, 48)
    assert told.startswith("2 repeats: 48 rows held out, hidden in the columns that a row with")
    assert "(7 to 9 values each time)" in told
    assert "a share" in words.how_measured(errors((1, 1, 1, 1), patterned=False), 2, 48)


def test_what_is_left_is_said():
    rows = np.array([3, 3, 9])
    filling: Any = Filling(None, rows, ("a", "b", "a"), ("1", "2", "3"), {"city": 4}, 1)  # type: ignore[arg-type]
    told = words.filling_sentence(filling)
    assert told.startswith("Recall fills 3 gaps in 2 rows. 1 cell held something")
    assert "Left as they are: 4 in city" in told
