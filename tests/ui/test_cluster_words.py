"""The cluster page's sentences, from numbers alone."""

import numpy as np

from ui import cluster_words
from workbench.restarts import Restarts


def restarts(ari=None):
    scores = {
        "loss": np.array([3.0, 1.0, 2.0]),
        "silhouette": np.array([0.5, 0.9, 0.4]),
        "mahalanobis": np.array([0.3, 0.8, 0.6]),
    }
    return Restarts(scores, ari, np.array([3, 2, 3]), 0, "silhouette")


def test_restarts_are_told_by_the_rule_that_chooses_them():
    words = cluster_words.restarts(restarts())
    assert "its height is its silhouette, from 0.40 to 0.90" in words
    assert "the lowest loss picks 0.90, the highest silhouette picks 0.50" in words
    assert "found most clusters (2 found 3)" in words
    assert words.endswith("This run kept the highest silhouette: 0.50.")


def test_there_is_no_negative_zero():
    words = cluster_words.restarts(restarts(np.array([-0.001, 0.2, 0.4])))
    assert "-0.00" not in words and "kept the highest silhouette: 0.00" in words
