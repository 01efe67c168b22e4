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
    assert [trace.text[0] for trace in rings] == ["picked: 0.50", "picked: 0.80"]
    assert {trace.xaxis for trace in dots} == {"x", "x2"}
    first, second = figure.layout.xaxis.domain, figure.layout.xaxis2.domain
    assert first[1] < second[0]
