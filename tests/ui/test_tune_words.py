"""What is said of a tuning, of numbers that are known."""

from dataclasses import replace

import numpy as np
import pytest

from ui import tune_words
from ui.jobs import Snapshot
from ui.tune_results import table_of
from workbench.progress import Progress
from workbench.recipe import Builtin, Recipe
from workbench.sweeps import Plan
from workbench.trials import Trial
from workbench.tuning import Tuning


def trial(score, loss=1.0, found=3, spread=0.02, nmi=0.7):
    """Two restarts of which the first is kept; their silhouettes spread as told."""
    scores = np.array([score, score - 2 * spread])
    agreement = {rule: nmi for rule in ("silhouette", "loss")}
    settings = {"n_clusters": 3, "n_steps": 10}
    return Trial(settings, np.array([loss, 2 * loss]), scores, np.full(2, found), agreement)


def tuning(trials=None, **changes):
    recipe = Recipe(data=Builtin(name="iris"), settings={"n_clusters": 3, "n_init": 2})
    trials = trials or {
        (0, 0): trial(0.6, loss=3.0, found=2),
        (1, 0): trial(0.50, loss=2.0),
        (2, 0): trial(0.42, loss=0.5),
    }
    values = {
        "recipe": recipe, "plan": Plan("beta", (10,)), "default": trial(0.41), "beta": 0.8,
        "rival": trial(0.46, nmi=0.65), "values": (0.1, 0.8, 6.0), "trials": trials, "rows": 150,
        "n": 150, "seconds": 3.2, "ended": "whole",
    }  # fmt: skip
    return Tuning(**{**values, **changes})


def test_the_sentence_names_the_best_beside_k_means_and_the_default():
    told = tune_words.sentence(tuning(), "silhouette", "silhouette")
    assert told == (
        "**β = 0.8, T = 10** has the highest silhouette of the 2 (of 3 configurations) that fill "
        "all 3 clusters. Its silhouette (SC) is **0.500**; k-means 0.460 and the default 0.410."
    )
    told = tune_words.sentence(tuning(), "loss", "nmi")
    assert told.startswith("**β = 6, T = 10** has the lowest loss of 3 configurations. Its NMI")
    assert "k-means 0.650" in told
    assert "k-means" not in tune_words.sentence(tuning(), "loss", "loss")


def test_a_gain_within_the_spread_of_restarts_is_none():
    near = tuning({(1, 0): trial(0.42)})
    assert "tuning has shown no gain" in tune_words.cautions(near, "silhouette")[0]
    told = tune_words.cautions(tuning(), "silhouette")
    assert told[0] == (
        "Its silhouette is 0.090 above the default's, whose restarts spread by ±0.020."
    )


def test_the_best_of_many_is_called_optimistic_unless_the_loss_chose_it():
    told = " ".join(tune_words.cautions(tuning(), "silhouette"))
    assert "The best of 6 tries, chosen by the score it is shown with, is optimistic" in told
    assert "Of 2 configurations that fill as many clusters as k-means, 1 is above" in told
    assert "1 of 3 configurations leave clusters empty" in told
    assert "edge" not in told
    told = " ".join(tune_words.cautions(tuning(), "loss"))
    assert "optimistic" not in told and "compare poorly" in told
    assert "It lies at the edge of the range" in told


def test_without_k_means_or_trials_it_says_so():
    assert "There is no k-means here" in " ".join(
        tune_words.cautions(tuning(rival=None), "silhouette")
    )
    early = replace(tuning(), trials={})
    assert "on their way" in tune_words.sentence(early, "silhouette", "silhouette")
    assert tune_words.cautions(early, "silhouette") == []


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        ("whole", "Done: 3 configurations in 3 s."),
        ("budget", "The budget ended: 3 of 3 configurations are trained"),
        ("cancelled", "Cancelled: 3 of 3 configurations are trained"),
    ],
)
def test_how_it_ended(ended, words):
    assert tune_words.outcome(tuning(ended=ended)).startswith(words)


def test_the_conditions_tell_the_convention_of_beta():
    told = tune_words.conditions(tuning())
    assert told.startswith("2 restarts each, scored on all 150 rows")
    assert "β = 0.8, T = 10" in told and "twice that" in told
    assert "2,000 of 5,000 rows" in tune_words.conditions(tuning(rows=2000, n=5000))


def test_progress_counts_configurations():
    def going(**values):
        return tune_words.going(Snapshot(state="running", **values), 0)

    assert going(progress=Progress("preparing")) == (0.0, "The default and k-means …")
    share, text = going(progress=Progress("training", 8.5, 34), seconds_left=12.4)
    assert share == 0.25 and text == "8 of 34 configurations, about 12 s left"
    assert tune_words.going(Snapshot(), 2)[1] == "Waiting: 2 runs are before yours …"


def test_the_table_has_the_default_and_k_means_on_top():
    frame = table_of(tuning(), "silhouette")
    assert list(frame["what"]) == ["default", "k-means", "tried", "best", "tried"]
    assert list(frame.columns) == [
        "what", "beta", "T", "silhouette", "spread", "nmi", "loss", "clusters",
    ]  # fmt: skip
    assert frame["clusters"].tolist() == [3, 3, 2, 3, 3]
