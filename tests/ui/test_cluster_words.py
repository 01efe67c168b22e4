"""The cluster page's sentences, from numbers alone."""

from types import SimpleNamespace

import numpy as np
import pytest

from ui import cluster_words
from workbench.methods import METHODS
from workbench.preparation import Preparation
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


def run_of(settings=None, *, reach=1.5, n_features=4):
    """Two clusters whose memories lie ``reach`` times as far out as their means."""
    X = np.repeat([[-1.0], [1.0]], 3, axis=0) * np.ones(n_features)
    complete = METHODS["clam"].complete({"n_clusters": 2, **(settings or {})})
    means = np.array([X[0], X[-1]])
    return SimpleNamespace(
        recipe=SimpleNamespace(method="clam", settings=complete, preparation=Preparation()),
        dataset=SimpleNamespace(X=X, features=tuple("abcdef"[:n_features])),
        means=means,
        prototypes=reach * means,
        n_found=2,
    )


@pytest.mark.parametrize(
    ("reach", "words"),
    [
        (1.54, "Here memories lie 1.54 times as far out as the means."),
        (0.51, "Here memories lie only 0.51 times as far out as the means."),
        (1.01, "about as far out as the means (1.01 times)."),
    ],
)
def test_the_sentence_on_memories_follows_its_number(reach, words):
    run = run_of(reach=reach)
    assert cluster_words.inflation(run) == pytest.approx(reach)
    assert cluster_words.memories(run).endswith(words)


@pytest.mark.parametrize(
    ("settings", "n_features"),
    [
        (None, 2),
        ({"corruption": "none"}, 4),
        ({"corruption": "noise"}, 4),
        ({"corruption": "mask"}, 1),
    ],
)
def test_without_a_mask_nothing_is_said_to_push_outward(settings, n_features):
    words = cluster_words.memories(run_of(settings, n_features=n_features))
    assert "No feature is hidden" in words and "outward" not in words


def test_with_a_mask_its_start_is_named():
    assert "mean and 10 steps of recall keep 35% of that" in cluster_words.memories(run_of())
    assert "leaves nothing of that start" in cluster_words.memories(run_of({"step_size": 1.0}))
    words = cluster_words.memories(run_of({"mask_value": "min"}))
    assert "start at the column's smallest value" in words


def test_one_cluster_has_no_distance_to_compare():
    run = run_of()
    run.n_found, run.means, run.prototypes = 1, np.zeros((1, 4)), np.ones((1, 4))
    assert cluster_words.inflation(run) is None


@pytest.mark.parametrize(
    ("shares", "features", "words"),
    [
        (None, "abc", "distances between groups mean little, and another machine may draw other"),
        ((0.5, 0.25), "abc", "(75% of it), since UMAP needs at least 5 different rows."),
        ((0.5, 0.5), "ab", "in their own two columns, since UMAP needs at least 5 different rows."),
    ],
)
def test_umap_is_told_with_its_limits(shares, features, words):
    run = SimpleNamespace(
        recipe=SimpleNamespace(preparation=Preparation()),
        dataset=SimpleNamespace(X=np.zeros((4, len(features))), features=tuple(features)),
        sizes=np.array([2, 2]),
        n_found=2,
    )
    assert words in cluster_words.points(run, "umap", shares, 4)


@pytest.mark.parametrize(("sizes", "warned"), [([96, 4], True), ([90, 10], False)])
def test_a_cluster_of_nearly_all_rows_is_no_success(sizes, warned):
    run = SimpleNamespace(
        cancelled=False, n_found=2, sizes=np.array(sizes), silhouettes=np.ones(100), rival={},
        notes=(),
    )  # fmt: skip
    assert any("a few rows lie far away" in told for told in cluster_words.sentences(run)) == warned
