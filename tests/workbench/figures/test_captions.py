"""The sentence beneath the basins says what the numbers say, and why."""

from dataclasses import replace

import pytest

from workbench.figures.captions import BasinNumbers, basin_sentence, percent

HARD = BasinNumbers(
    k=3,
    energy="euclidean",
    beta=100.0,
    beta_shown="100",
    n_steps=10,
    leaving=0.0,
    n_attractors=3,
    entropy=0.02,
)


def test_hard_softmax_is_voronoi():
    sentence = basin_sentence(HARD)
    assert sentence.startswith(
        "At β = 100 each of the 3 memories has an attractor of its own; after T = "
    )
    assert "every point of the picture belongs to its nearest memory" in sentence
    assert "the softmax is nearly hard (mean entropy 0.02 of at most ln 3 = 1.10 nats)" in sentence


def test_one_attractor_is_shared():
    sentence = basin_sentence(
        replace(HARD, n_steps=None, leaving=0.62, n_attractors=1, entropy=1.09)
    )
    assert "the 3 memories share one attractor, and 62.0 % of the picture" in sentence
    assert "draws every point to their common middle" in sentence


def test_what_steps_leave_explains_the_labels():
    sentence = basin_sentence(replace(HARD, leaving=0.3, n_attractors=1, entropy=1.09))
    assert "keep (1 − 1/T)^T = 35 % of where a point started" in sentence


def test_a_common_pull_outdoes_the_nearest():
    sentence = basin_sentence(replace(HARD, leaving=0.12, entropy=0.4))
    assert "12.0 % of the picture" in sentence and "can outdo the nearest one" in sentence


@pytest.mark.parametrize(
    ("leaving", "words"),
    [
        (0, "though none of the 50 data points leaves its Voronoi cell"),
        (1, "and 1 of the 50 data points (2.0 %) leaves their Voronoi cell"),
        (7, "and 7 of the 50 data points (14.0 %) leave their Voronoi cell"),
    ],
)
def test_data_points_are_counted(leaving, words):
    sentence = basin_sentence(replace(HARD, leaving=0.1, points=50, points_leaving=leaving))
    assert words in sentence


def test_weights_are_named_as_the_cause():
    sentence = basin_sentence(replace(HARD, energy="weighted", heaviest=2, leaving=0.2))
    assert "larger weight pulls from farther away" in sentence


def test_a_single_memory_has_the_only_basin():
    assert "single basin" in basin_sentence(replace(HARD, k=1, n_attractors=1))


def test_each_sentence_is_one():
    for n_attractors in (1, 2, 3, 4):
        for n_steps in (None, 1, 10):
            for leaving in (0.0, 0.001, 0.4):
                sentence = basin_sentence(
                    replace(HARD, n_attractors=n_attractors, n_steps=n_steps, leaving=leaving)
                )
                assert sentence.endswith(".") and ". " not in sentence


@pytest.mark.parametrize(
    ("share", "text"), [(0, "0 %"), (0.0004, "less than 0.1 %"), (0.123, "12.3 %")]
)
def test_percent(share, text):
    assert percent(share) == text
