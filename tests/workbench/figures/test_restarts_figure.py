# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalSubscript=false, reportOptionalOperand=false
# pyright: reportAssignmentType=false, reportGeneralTypeIssues=false
"""The picture of all restarts."""

import numpy as np

from workbench.figures.restarts import restarts_figure


def test_every_restart_is_a_point_and_every_pick_is_ringed_with_its_worth():
    scores = {"loss": np.array([3.0, 1.0, 2.0]), "silhouette": np.array([0.1, 0.2, 0.9])}
    worth = np.array([0.2, 0.5, 0.8])
    figure = restarts_figure(
        scores, worth, {"loss": 1, "silhouette": 2}, worth_title="ARI", colour="#123456"
    )
    dots, rings = figure.data[::2], figure.data[1::2]
    for trace, values in zip(dots, scores.values(), strict=True):
        np.testing.assert_array_equal(trace.x, values)
        np.testing.assert_array_equal(trace.y, worth)
    assert [list(trace.y) for trace in rings] == [[0.5], [0.8]]
    assert [trace.text[0] for trace in rings] == ["0.50", "0.80"]
    assert {trace.xaxis for trace in dots} == {"x", "x2"}
    first, second = figure.layout.xaxis.domain, figure.layout.xaxis2.domain
    assert first[1] < second[0]


def one_panel(rule, values, worth, pick=0):
    return restarts_figure(
        {rule: np.array(values)}, np.array(worth), {rule: pick}, worth_title="ARI", colour="#123"
    )


def length(axis):
    return axis.range[1] - axis.range[0]


def test_equal_scores_look_equal():
    for rule, value in (("loss", 0.10718015), ("silhouette", 0.5), ("mahalanobis", -0.2)):
        figure = one_panel(rule, [value, value + 1e-8, value], [0.7, 0.7, 0.7 + 1e-9])
        assert length(figure.layout.xaxis) >= 0.1 * abs(value)
        assert length(figure.layout.yaxis) >= 0.2
        assert figure.layout.xaxis.tickformat and figure.layout.yaxis.tickformat == ".2f"


def test_every_point_lies_within_the_axes():
    values, worth = np.array([-0.3, 0.1, 0.9]), np.array([-0.05, 0.5, 1.0])
    figure = one_panel("silhouette", values, worth)
    for axis, shown in ((figure.layout.xaxis, values), (figure.layout.yaxis, worth)):
        assert axis.range[0] < shown.min() and axis.range[1] > shown.max()


def test_clusters_found_are_whole_numbers():
    axis = one_panel("found", [3, 3, 3], [0.1, 0.2, 0.3]).layout.xaxis
    assert (axis.tick0, axis.dtick, axis.tickformat) == (3, 1, "d")


def test_numbers_that_are_not_finite_are_left_out():
    figure = one_panel("loss", [1.0, np.inf, 3.0], [0.1, 0.5, 0.9])
    assert np.isnan(figure.data[0].x[1]) and np.isfinite(figure.layout.xaxis.range).all()


def test_there_is_no_negative_zero():
    assert one_panel("loss", [1.0, 2.0], [-0.001, 0.5]).data[1].text[0] == "0.00"
