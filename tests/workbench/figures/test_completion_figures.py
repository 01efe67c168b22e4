"""Figures of masked completion, by the numbers that they plot."""

import numpy as np
import pytest

from workbench.figures.completion import fill_errors_figure, step_errors_figure


def test_recall_runs_over_its_steps_and_rivals_are_levels():
    losses = np.array([4.0, 2.0, 1.0])
    figure = step_errors_figure(losses, {"column mean": 4.0, "nearest memory": 1.5})
    recall, mean, memory = figure.data
    assert list(recall.x) == [0, 1, 2] and list(recall.y) == [4, 2, 1]
    assert list(mean.y) == [4, 4] and list(memory.x) == [0, 2]
    assert mean.line.dash != memory.line.dash  # colour is never the only code


@pytest.mark.parametrize("dark", [False, True])
def test_a_ring_for_each_repeat_and_a_bar_at_their_mean(dark):
    errors = {"recall": np.array([0.4, 0.6]), "column mean": np.array([1.0, 1.0])}
    figure = fill_errors_figure(errors, title="error", dark=dark)
    assert [list(trace.x) for trace in figure.data] == [[0.4, 0.6], [0.5], [1, 1], [1]]
    assert figure.data[0].y == ("recall", "recall")
    assert figure.layout.yaxis.autorange == "reversed"
