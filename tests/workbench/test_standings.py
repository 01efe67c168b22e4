"""Standings, overlap and guidance, from entries that are written down."""

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn import metrics as oracle

from workbench.entry import SCORES, Entry
from workbench.guidance import guidance
from workbench.overlap import agreement, overlap
from workbench.recipe import Recipe
from workbench.standings import null_row, standings

ROUND = np.repeat([0, 1, 2], 40)
OTHER = np.tile([0, 1, 2], 40)


def entry(method, *, seed=0, null=False, labels=ROUND, sc=0.5, error="", **scores):
    recipe = Recipe.model_validate(
        {"data": {"kind": "builtin", "name": "blobs"}, "method": method, "seed": seed}
    )
    if error:
        return Entry(recipe, null, error=error)
    told = dict.fromkeys(SCORES, math.nan) | {"silhouette": sc, "laplacian": -1.0} | scores
    found = len(np.unique(labels[labels >= 0]))
    return Entry(recipe, null, labels, told, 2.0 + seed, 1e6 * (1 + seed), found)


def fits(method, *given, null=0.2, **others):
    """Entries of several seeds by their silhouettes, and one on null rows."""
    found = [entry(method, seed=seed, sc=sc, **others) for seed, sc in enumerate(given)]
    return [*found, entry(method, null=True, sc=null)]


def advice(*entries, **given):
    every = [each for some in entries for each in some]
    return guidance(standings(every), overlap(every), **given)


def test_means_spreads_and_ranks():
    entries = [
        *fits("kmeans", 0.4, 0.5, davies_bouldin=1.0),
        *fits("clam", 0.6, 0.6, davies_bouldin=1.0),
        entry("slk", error="It did not converge."),
        entry("slk", seed=1, error="It did not converge."),
    ]
    first, second, third = standings(entries)
    assert [first.method, second.method, third.method] == ["clam", "kmeans", "slk"]
    assert second.mean["silhouette"] == pytest.approx(0.45)
    assert second.spread["silhouette"] == pytest.approx(np.std([0.4, 0.5], ddof=1))
    assert first.spread["silhouette"] == pytest.approx(0)
    assert first.ranks == {"silhouette": 1, "davies_bouldin": 1.5, "laplacian": 1.5}
    assert first.rank == pytest.approx(4 / 3)
    assert first.agreement == 1
    assert (second.fits, second.failed, second.n_found) == (2, 0, (3, 3))
    assert (second.seconds, second.peak) == (2.5, 2e6)
    assert second.null["silhouette"] == pytest.approx(0.2)
    assert (third.fits, third.failed, third.error) == (0, 2, "It did not converge.")
    assert math.isnan(third.rank)


def test_a_method_without_a_score_comes_last_in_it():
    entries = [entry("kmeans"), entry("clam", sc=math.nan, labels=np.zeros(120, int))]
    assert [each.ranks["silhouette"] for each in standings(entries)] == [1, 2]


def test_scores_of_easy_rows_alone_win_no_rank():
    def beside_k_means(left_out):
        labels = np.where(np.arange(120) < left_out, -1, ROUND)
        easy = entry("hdbscan", labels=labels, sc=0.9, ari=0.9, laplacian=-1.2)
        return standings([easy, entry("kmeans", ari=0.5)])

    first, second = beside_k_means(30)
    assert (first.method, second.method) == ("kmeans", "hdbscan")
    assert second.mean["silhouette"] == 0.9
    assert second.ranks == {"silhouette": 2, "ari": 2, "laplacian": 1}
    assert beside_k_means(5)[0].method == "hdbscan"


def test_scores_of_the_rows_that_were_kept_are_no_match_for_those_of_all():
    noisy = np.where(np.arange(120) < 30, -1, ROUND)
    choosy, whole = entry("hdbscan", labels=noisy, sc=0.9, ari=1.0, laplacian=-2.0), entry("kmeans")
    first = standings([choosy, replace(whole, scores={**whole.scores, "ari": 0.5})])
    ranks = {each.method: each.ranks for each in first}
    assert ranks["hdbscan"] == {"silhouette": 2, "ari": 2, "laplacian": 1}
    told = " ".join(guidance(first).sentences)
    assert "k-means agrees most (ARI 0.500)" in told


def test_one_fit_has_no_spread_and_cancelled_ones_do_not_count():
    gone = replace(entry("kmeans", seed=1), labels=None, cancelled=True)
    (only,) = standings([entry("kmeans"), gone])
    assert (only.fits, only.failed) == (1, 0)
    assert math.isnan(only.spread["silhouette"])
    assert math.isnan(only.agreement)


def test_the_null_row_tells_mean_and_best():
    every = [*fits("kmeans", 0.5, null=0.2), *fits("clam", 0.5, null=0.3)]
    found = null_row(every)
    assert found["silhouette"] == (pytest.approx(0.25), 0.3)
    assert "ari" not in found
    assert null_row([entry("kmeans")]) == {}


def test_overlap_is_that_of_scikit_learn_and_matches_numbers():
    turned = (ROUND + 1) % 3
    turned[:6] = 2
    every = [entry("kmeans"), entry("kmeans", seed=1, labels=OTHER), entry("clam", labels=turned)]
    found = overlap([*every, entry("slk", labels=OTHER), entry("slk", null=True)])
    assert found is not None
    assert found.methods == ("kmeans", "clam", "slk")
    assert found.ari[0, 1] == pytest.approx(oracle.adjusted_rand_score(ROUND, turned))
    assert found.nmi[0, 2] == pytest.approx(oracle.normalized_mutual_info_score(ROUND, OTHER))
    assert np.array_equal(found.ari, found.ari.T)
    assert np.array_equal(np.diag(found.ari), [1, 1, 1])
    assert found.methods[found.reference] in ("kmeans", "clam")
    assert np.mean(found.labels[0] == found.labels[1]) == pytest.approx(114 / 120)
    assert found.between("clam", "kmeans") == found.ari[0, 1]
    assert overlap([entry("kmeans", error="no")]) is None


def test_rows_agree_by_pairs_after_matching():
    other = (ROUND + 1) % 3
    third = ROUND.copy()
    third[:10] = 2
    found = agreement([ROUND, other, third])
    assert found[:10] == pytest.approx(1 / 3)
    assert found[10:] == pytest.approx(1)
    noisy = np.where(np.arange(120) < 5, -1, ROUND)
    assert agreement([ROUND, noisy])[:6].tolist() == [0, 0, 0, 0, 0, 1]
    assert agreement([noisy, noisy]).min() == 1
    assert agreement([ROUND]).min() == 1


def test_clear_blobs_favour_the_leader_and_the_k_of_most_criteria():
    picks = {"silhouette": 3, "calinski": 3, "davies": 3, "gap": 3, "tree": 2}
    found = advice(
        fits("clam", 0.61, 0.62), fits("kmeans", 0.5, 0.5), asked=4,
        how_many=SimpleNamespace(picks=picks),
    )  # fmt: skip
    assert (found.method, found.k) == ("clam", 3)
    assert found.sentences == (
        "There is something to find: SC is 0.615 at best (ClAM), against 0.200 on rows without "
        "clusters.",
        "The evidence favours ClAM: its lead is larger than what seeds change.",
        "Fewer clusters than the 4 asked for, which alone can raise SC: ClAM (3) and k-means (3).",
        "On k, 4 of 5 criteria favour 3 (silhouette, Calinski-Harabasz, Davies-Bouldin and gap "
        "statistic).",
        "The methods were told 4.",
    )


def test_no_better_than_without_clusters_favours_nothing():
    picks = {"silhouette": 2, "calinski": 2, "davies": 2, "gap": 1, "tree": None}
    found = advice(
        fits("clam", 0.41, null=0.38), fits("kmeans", 0.40, null=0.40),
        how_many=SimpleNamespace(picks=picks),
    )  # fmt: skip
    assert (found.method, found.k) == (None, None)
    assert "The evidence favours no method and no k" in found.sentences[0]


def test_without_null_rows_nothing_is_favoured():
    found = advice([entry("clam", sc=0.9)], [entry("kmeans", sc=0.1)])
    assert found.method is None
    assert "no rows without clusters were tried" in found.sentences[0]


@pytest.mark.parametrize(
    ("leader", "other"), [((0.50, 0.60), (0.5, 0.52)), ((0.5, 0.5), (0.495, 0.495)),
                          ((0.52,), (0.50,))],
)  # fmt: skip
def test_a_tie_favours_none(leader, other):
    found = advice(fits("clam", *leader), fits("kmeans", *other))
    assert found.method is None
    assert "ClAM and k-means score alike" in found.sentences[1]
    assert "their clusters are the same." in found.sentences[1]
    moved = np.where(np.arange(120) < 2, 2, ROUND)
    found = advice(fits("clam", *leader), fits("kmeans", *other, labels=moved))
    assert "their clusters are nearly the same (ARI 0.95 or more)." in found.sentences[1]
    found = advice(fits("clam", *leader), fits("kmeans", *other, labels=OTHER))
    assert "their clusters differ" in found.sentences[1]


def test_the_graph_can_speak_against_the_silhouette():
    moons = fits("slk", 0.4, 0.4, labels=OTHER, laplacian=-1.1)
    found = advice(fits("kmeans", 0.5, 0.5), moons)
    assert found.method is None
    assert "SLK's E favours SLK, whose clusters are others" in found.sentences[1]
    found = advice(fits("kmeans", 0.5, 0.5), moons, fits("lk", 0.4, labels=OTHER, laplacian=-1.1))
    assert "SLK's E favours SLK and Laplacian K-modes, whose" in found.sentences[1]
    same = advice(fits("kmeans", 0.5, 0.5), fits("slk", 0.4, 0.4, laplacian=-1.1))
    assert same.method == "kmeans"


def test_rows_left_out_labels_rule_and_few_rows_are_told():
    noisy = np.where(np.arange(120) < 30, -1, ROUND)
    found = advice(
        fits("kmeans", 0.5, 0.5, ari=0.7), fits("slk", 0.4, 0.4, ari=0.9),
        fits("hdbscan", 0.8, 0.8, labels=noisy, ari=1.0), rule="silhouette", n=30, asked=3,
    )  # fmt: skip
    assert found.method == "kmeans"
    told = " ".join(found.sentences)
    assert "Not ranked here, since SC ignores the rows that they leave out: HDBSCAN (25 %)." in told
    assert "which decided nothing here, SLK agrees most (ARI 0.900)." in told
    assert "Each method kept the outcome of highest SC" in told
    assert "All this rests on 30 rows, which is little." in told
    assert "Methods that take k were told 3; no other k was tried." in told


def test_unsteady_seeds_are_told():
    first = fits("clam", 0.7, 0.7)
    first[1] = entry("clam", seed=1, sc=0.7, labels=OTHER)
    found = advice(first, fits("kmeans", 0.4, 0.4))
    assert found.method == "clam"
    assert "Its own seeds find different clusters, though" in " ".join(found.sentences)


def test_nothing_found_and_one_method():
    nothing = advice([entry("kmeans", error="no")])
    assert nothing.sentences == (
        "No method found two clusters or more, so there is nothing to favour.",
    )
    ones = fits("kmeans", math.nan, null=math.nan, labels=np.arange(120))
    assert "Every cluster that was found is a single row" in advice(ones).sentences[0]
    alone = advice(fits("kmeans", 0.6, 0.6))
    assert alone.method is None
    assert "Only k-means can be judged" in alone.sentences[1]


def test_a_lead_of_another_k_is_no_lead_of_a_method():
    found = advice(fits("hdbscan", 0.7, 0.7), fits("kmeans", 0.5, 0.5, labels=OTHER % 2), asked=2)
    assert found.method is None
    assert "But HDBSCAN found 3 clusters, where others were told 2" in " ".join(found.sentences)
    same = advice(fits("hdbscan", 0.7, 0.7), fits("kmeans", 0.5, 0.5), asked=3)
    assert same.method == "hdbscan"
    alone = advice(fits("hdbscan", 0.7, 0.7), fits("mean_shift", 0.5, 0.5), asked=2)
    assert alone.method == "hdbscan"


def test_leaving_hard_rows_out_is_no_lead():
    some = np.where(np.arange(120) < 5, -1, ROUND)
    found = advice(fits("clam", 0.515, 0.515, labels=some), fits("kmeans", 0.5, 0.5))
    assert found.method is None
    assert "ClAM and k-means score alike" in found.sentences[1]
