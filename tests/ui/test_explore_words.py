"""Sentences about profiles, rows, numbers of clusters and seeds, from small numbers."""

from dataclasses import replace
from types import MappingProxyType

import numpy as np

from tests.workbench.exploring import blobs, dataset_of
from ui import explore_words, how_many_words
from workbench.distributions import distributions
from workbench.explanation import Bar, Explanation
from workbench.flip import Flip, Switch
from workbench.how_many import HowMany
from workbench.profiles import Described, Profiles, Trait, profiles
from workbench.remarkable import Outliers
from workbench.stability import Stability

NAMES = {1: "big spenders"}


def test_clusters_are_named_by_the_reader_or_by_number():
    assert explore_words.cluster_name(0, NAMES) == "cluster 1"
    assert explore_words.cluster_name(1, NAMES) == "2 · big spenders"
    assert explore_words.cluster_name(-1, NAMES) == "not clustered"
    assert explore_words.in_text(1, NAMES) == "cluster 2 (big spenders)"
    assert explore_words.in_text(1, {1: " "}) == "cluster 2"


def traits(*of):
    return Profiles((), (tuple(of),), ())


def test_a_profile_tells_what_is_clear_the_strongest_first():
    found = traits(
        Trait("width", True, -0.9, "", 1, 2),
        Trait("length", True, 2.13, "", 1, 2),
        Trait("weight", True, 0.2, "", 1, 2),
        Trait("colour", False, 1.5, "red", 0.8, 0.12),
    )
    assert explore_words.profile(found, 0, 38, {}) == (
        "Cluster 1 (38 rows): high length (d = 2.1), low width (d = −0.9); not clustered by, yet "
        "colour “red” 80% against 12% (h = 1.5)."
    )
    assert explore_words.profile(found, 0, 0, {0: "none"}) == "Cluster 1 (none) (0 rows): empty."


def test_a_profile_without_clear_traits_says_so():
    weak = traits(Trait("weight", True, 0.2, "", 1, 2))
    assert "nothing sets it clearly apart; most does high weight (d = 0.2)" in (
        explore_words.profile(weak, 0, 1, {})
    )
    alone = traits(Trait("weight", True, np.nan, "", 1, 2))
    assert "there is no other" in explore_words.profile(alone, 0, 9, {})
    sure = traits(Trait("weight", True, np.inf, "", 1, 2))
    assert "high weight (d = ∞)" in explore_words.profile(sure, 0, 9, {})


def test_what_a_map_leaves_out_is_said():
    X, y = blobs(60, 3)
    found = profiles(dataset_of(X, name=[f"person {at}" for at in range(60)], extra=y), y, 3)
    words = explore_words.effects(found, 2, 2, 3)
    assert "The 2 columns of 4" in words and "Of 3 clusters the 2 largest" in words
    assert "italics" in words and "never vary: name" in words


def test_a_spread_names_the_ends_of_its_medians():
    y = np.repeat([0, 1], 5)
    column = Described("age", True, np.where(y == 0, 1234.5, -0.25))
    words = explore_words.spread(column, distributions(column.values, y, 3)[1], NAMES, 3)
    assert "from −0.25 (cluster 2 (big spenders)) to 1,234 (cluster 1)" in words


def test_dates_and_words_of_a_spread_are_written_as_such():
    y = np.repeat([0, 1], 5)
    for column, ends in (
        (Described("when", True, y + 1.0, dates=True), "1970-01-02 (cluster 1) to 1970-01-03"),
        (
            Described("size", True, y + 1.0, order=("low", "middle", "high")),
            "middle (cluster 1) to high",
        ),
    ):
        assert ends in explore_words.spread(column, distributions(y + 1.0, y, 2)[1], {}, 2)


def test_shares_name_the_purest_cluster():
    column = Described("colour", True, np.zeros(1), ("red", "blue"))
    words = explore_words.shares(column, np.array([[3, 1], [0, 5]]), {})
    assert "100% of cluster 2 are “blue”" in words


def test_outliers_tell_their_rule_and_what_was_not_judged():
    none = np.empty(0)
    words = explore_words.outliers(Outliers(none, none, none, np.arange(3), (4,)), 200)
    assert words.startswith("3 rows of 200 (1.5%) lie far from all.")
    assert "3.5 robust deviations" in words and words.endswith("fewer than 5 rows: cluster 5.")
    words = explore_words.outliers(Outliers(none, none, none, np.empty(0, int), ()), 200)
    assert words.startswith("None of the 200 rows lies far")


TOLD = Explanation(
    row=0,
    label=0,
    other=1,
    bars=(Bar("a", 2.0, False), Bar("b", -0.5, True), Bar("", 0.1, False)),
    gap=1.6,
    distances=(1.0, 4.0),
    entropy=0.35,
    share=0.9,
    flip=Flip(0.5, np.zeros(2), 1),
    switches=(Switch("a", 3.5, 1.0, 1, 0.7), Switch("c", "red", "blue", 2, 0.9)),
)


def test_an_explanation_names_columns_for_and_against():
    words = explore_words.explanation(TOLD, 7, NAMES, 2)
    assert words.startswith(
        "Row 7 lies in cluster 1 rather than in cluster 2 (big spenders) mostly by a, against b."
    )
    assert "holds 90% of it, at an entropy of 0.35 nats: 50% of the way" in words
    alone = replace(TOLD, other=-1)
    assert "the only one with rows" in explore_words.explanation(alone, 7, {}, 1)
    assert explore_words.flip(alone, {}, False, True) == ""
    odd = replace(TOLD, gap=-0.2, share=None, entropy=None)
    assert "recall carries it to the basin of cluster 1" in explore_words.explanation(odd, 7, {}, 2)


def test_flips_and_switches_are_said_in_their_units():
    words = explore_words.flip(TOLD, NAMES, False, True)
    assert "to cluster 2 (big spenders) if it moved by 0.5, 12% of its distance" in words
    assert "0.5°" in explore_words.flip(TOLD, {}, True, True)
    assert "graph of neighbours" in explore_words.flip(TOLD, {}, False, False)
    assert "No move" in explore_words.flip(replace(TOLD, flip=None), {}, False, True)
    assert explore_words.switches(TOLD, {}) == (
        "One column alone would do it: a above 3.5 instead of 1 (cluster 2); or c “red” instead "
        "of “blue” (cluster 3)."
    )
    many = replace(TOLD, switches=TOLD.switches * 3)
    assert "3 more columns would do it" in explore_words.switches(many, {})
    assert "No single column" in explore_words.switches(replace(TOLD, switches=()), {})
    assert "column's mean: b." in explore_words.bars(TOLD, "nats")


def judged(picks, **told):
    names = ("silhouette", "calinski", "davies", "gap", "tree")
    values = {
        "ks": tuple(range(1, 7)),
        "curves": MappingProxyType({name: np.zeros(6) for name in names[:4]}),
        "errors": np.zeros(6),
        "picks": dict(zip(names, picks, strict=True)),
        "plateau": (0.1, 0.4),
        "method": "kmeans",
        "rows": 100,
        "n": 100,
        "tree_of": 12,
        "seconds": 3.2,
        "cancelled": False,
    }
    return HowMany(**(values | told))


def test_the_verdict_says_whether_criteria_agree():
    assert how_many_words.verdict(judged([3] * 5)) == "All 5 criteria agree on k = 3."
    assert how_many_words.verdict(judged([2, 2, 3, 3, 3])) == (
        "They disagree: k = 3 (Davies-Bouldin, Gap statistic and Attractor tree), k = 2 "
        "(Silhouette and Calinski-Harabasz)."
    )
    assert how_many_words.verdict(judged([4, 4, 4, 4, None])) == "All 4 criteria agree on k = 4."
    assert "No criterion" in how_many_words.verdict(judged([None] * 5))
    assert "Stopped" in how_many_words.verdict(judged([None] * 5, cancelled=True))


def test_the_last_k_tried_and_a_silent_gap_are_told():
    words = how_many_words.verdict(judged([6, 2, 6, None, 3]))
    assert "Silhouette and Davies-Bouldin only stop at k = 6, the last one tried" in words
    assert "The gap statistic picks none." in words


def test_no_clusters_is_said_plainly():
    words = how_many_words.verdict(judged([2, 3, 2, 1, None]))
    assert words.startswith("The gap statistic favours no clusters")
    assert "Silhouette, Calinski-Harabasz and Davies-Bouldin cannot answer 1" in words


def test_what_was_looked_at_is_said():
    assert "stratified sample of 100 of 5,000 rows" in how_many_words.how_found(
        judged([3] * 5, n=5000), "k-means"
    )
    assert "4 attractors from β = 0.1 to 0.4, 4.0 times" in how_many_words.tree(
        judged([3, 3, 3, 3, 4])
    )
    assert "no number of attractors" in how_many_words.tree(judged([3] * 5, plateau=None))
    assert "12 memories" in how_many_words.tree(judged([3] * 5))
    assert "Picks none" in how_many_words.criterion("gap", judged([3, 3, 3, None, 3]))


def tried(clusters, n_seeds=3):
    agreement = np.full((n_seeds, n_seeds), 0.8)
    np.fill_diagonal(agreement, 1)
    return Stability(
        tuple(range(n_seeds)), (3,) * n_seeds, agreement, np.array(clusters), 90, 90, 1.0, False
    )


def test_trust_names_clusters_by_how_they_are_found_again():
    assert how_many_words.trust(tried([0.99, np.nan, 0.8]), {}) == (
        "3 other seeds find every cluster again, the least alike with a Jaccard similarity of 0.80 "
        "on average (1 is the same rows)."
    )
    assert how_many_words.trust(tried([0.99, 0.65, 0.2]), NAMES) == (
        "3 other seeds find cluster 1 again, find cluster 2 (big spenders) only in part, do not "
        "find cluster 3 (not to be trusted)."
    )
    assert "1 other seed finds every" in how_many_words.trust(tried([0.9], 1), {})
    assert "Stopped" in how_many_words.trust(tried([np.nan], 0), {})


def test_agreement_tells_mean_and_spread():
    assert "mean 0.80, all alike" in how_many_words.agreement(tried([0.9]))
    assert "nothing to be compared" in how_many_words.agreement(tried([0.9], 1))
