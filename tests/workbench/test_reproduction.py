"""Runs of the papers' figures and tables on tiny data."""

import math

import numpy as np
import pytest

from workbench import metrics, published
from workbench.method import RULES
from workbench.methods import METHODS
from workbench.progress import Cancelled
from workbench.reference_sets import Rows, Source
from workbench.reproduction import (
    elongated,
    entropies,
    evolution,
    modes,
    objectives,
    outliers,
    recalls,
    scores,
    tuned,
)
from workbench.reproduction.item import Asked, Outcome
from workbench.reproduction.items import ITEMS, PAPERS, of_paper
from workbench.reproduction.reasons import why
from workbench.table import DataError
from workbench.toys import FIGURE_4, FIGURE_11, FIGURE_12


def blobs(name="blobs", n=36, d=4, k=3, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % k
    X = rng.normal(0, 0.2, (n, d)) + rng.normal(0, 1, (k, d))[y]
    return Source(name, name, lambda: Rows(name, (X - X.mean(0)) / X.std(0), y.astype(str)))


def quietly(progress):
    return None


def never():
    return False


def run(work, *sources, rule="own", stop=never):
    return work(Asked(sources, rule), quietly, stop)


@pytest.fixture(scope="module")
def scored():
    return run(scores.scored, blobs(), blobs("Zoo", 40, 5, 4))


def test_every_item_names_its_paper_and_what_it_shows():
    assert set(PAPERS) == {item.paper for item in ITEMS.values()}
    assert sorted(key for paper in PAPERS for key in of_paper(paper)) == sorted(ITEMS)
    figures = {f"clam-figure-{n}" for n in (1, 2, 3, 4, 6, *range(7, 16))}
    tables = {f"clam-table-{n}" for n in (1, 2, 3, 8, 9)}
    assert figures | tables <= set(ITEMS)
    for key, item in ITEMS.items():
        assert item.key == key and item.shows.endswith((".", "N rows.", "clusters."))
        assert bool(item.own) or not item.sets


def test_scores_are_of_every_column_and_say_what_is_missing(scored):
    outcome = scores.table_1(scored)
    rows = {(row.subject, row.measure): row for row in outcome.rows}
    assert len(rows) == 2 * len(published.COLUMNS)
    kmeans = rows["Zoo", "k-means, SC"]
    assert kmeans.published == 0.374 and kmeans.difference == kmeans.ours - 0.374 and kmeans.why
    assert math.isnan(rows["blobs", "k-means, SC"].published)
    assert not math.isnan(rows["blobs", "ClAM, SC"].ours)
    for row in outcome.rows:
        assert not math.isnan(row.ours) or row.why
    assert any("numbers for blobs" in note for note in outcome.notes)
    assert any("β halved" in note for note in outcome.notes)


def test_a_method_that_takes_no_such_rows_is_a_reason():
    fit = scores.one_fit(blobs().load(), "dcec", "own", never)
    assert fit.labels is None and fit.reason.startswith("It takes square images only")
    many = Rows("many", np.zeros((20_001, 2)), np.arange(20_001) % 2)
    assert "20,000 rows" in scores.one_fit(many, "spectral", "own", never).reason


def test_columns_of_clam_differ_by_one_setting():
    zoo = Rows("Zoo", np.zeros((101, 16)), np.arange(101) % 7)
    for rule in RULES:
        _, clam = scores.recipe(zoo, "clam", rule)
        _, unmasked = scores.recipe(zoo, "unmasked", rule)
        _, weighted = scores.recipe(zoo, "weighted", rule)
        assert clam["beta"] == 1.2 and clam["n_epochs"] == 200 and clam["n_init"] == 10
        assert unmasked == clam | {"corruption": "none"}
        assert weighted == clam | {"energy": "weighted"}
        assert (
            METHODS["clam"].complete(clam)["selection"] == METHODS["clam"].rules[rule]["selection"]
        )


def test_a_large_set_is_cut_short_and_says_so():
    large = Rows("FMNIST", np.zeros((60_000, 2)), np.zeros(60_000))
    assert scores.recipe(large, "clam", "own")[1]["n_epochs"] == 20
    assert scores.recipe(large, "kmeans", "own")[1]["n_init"] == 10


def test_the_other_tables_are_views_of_the_same_fits(scored):
    assert len(scores.table_2(scored).rows) == 2 * 7
    nine = scores.table_9(scored).rows
    assert {row.measure.rsplit(", ")[-1] for row in nine} == {"NMI", "ARI"} and len(nine) == 28
    eight = {row.measure: row for row in scores.table_8(scored).rows if row.subject == "Zoo"}
    assert eight["ClAM and k-means, NMI"].published == 0.8808
    fits = scored.fits["Zoo"]
    agreement = metrics.ari(fits["clam"].labels, fits["kmeans"].labels)
    assert eight["ClAM and k-means, ARI"].ours == pytest.approx(agreement)
    three = scores.table_3(run(scores.timed, blobs("Zoo", 40, 5, 4))).rows
    assert [row.published for row in three] == [0.374, 2, 0.412, 18]


def test_reasons_know_the_case_and_the_measure(scored):
    told = why("Zoo", "clam", "SC", 0.412, 0.3, scored)
    assert told.startswith("Which start is kept decides on Zoo")
    assert why("Zoo", "clam", "SC", 0.412, 0.411, scored) == ""
    assert why("blobs", "clam", "SC", math.nan, 0.4, scored) == ""
    assert "other machine" not in why("Zoo", "kmeans", "SC", 0.374, 0.5, scored)
    assert "machine" in why("Zoo", "kmeans", "seconds", 2.0, 0.1, scored)


def test_what_is_stopped_at_once_is_cancelled():
    for work in (scores.scored, modes.agreement, tuned.of(tuned.RATE)):
        with pytest.raises(Cancelled):
            run(work, blobs(), stop=lambda: True)


def test_a_cancelled_table_keeps_what_was_done():
    polls = iter([False] * 25 + [True] * 1000)
    found = run(scores.scored, blobs(), blobs("other"), stop=lambda: next(polls))
    assert "kmeans" in found.fits["blobs"] and "clam" not in found.fits.get("other", {})


def test_a_point_rolls_to_a_memory():
    outcome = run(recalls.figure_2)
    assert [claim.holds for claim in outcome.claims] == [True, True]
    assert "35%" in outcome.claims[1].ours
    settings = outcome.panels[1].recipe.settings
    assert (settings["n_steps"], settings["step_size"]) == (40, 0.2)  # it arrives, as in the paper


def test_the_three_cases_of_collective_attraction():
    outcome = run(recalls.figure_3)
    assert [claim.holds for claim in outcome.claims] == [True] * 3
    arrows = outcome.panels[1].draw(False).layout.annotations
    assert len(arrows) == 4 and arrows[-1].arrowwidth > arrows[0].arrowwidth
    sums = [arrow.x - arrow.ax for arrow in arrows]
    assert sums[-1] == pytest.approx(sum(sums[:-1]))


@pytest.mark.parametrize("preset", [FIGURE_4, FIGURE_11, FIGURE_12])
def test_basins_come_to_match_voronoi_cells(preset):
    outcome = run(recalls.of(preset))
    assert [claim.holds for claim in outcome.claims] == [True, True]
    shares = [row.ours for row in outcome.rows]
    assert shares == sorted(shares, reverse=True) and len(outcome.panels) == len(preset.betas)
    assert outcome.panels[0].recipe.settings["beta"] == preset.betas[0] == 0.0005
    assert outcome.rows[0].subject == "β = 0.001" and "0.0005" in outcome.rows[0].measure


def test_elongated_clusters_are_found_by_clam_alone():
    outcome = run(elongated.of(2))
    told = {row.subject: row.ours for row in outcome.rows if row.measure.startswith("ARI")}
    assert told["ClAM"] > 0.95 > 0.5 > told["Lloyd's"]
    assert told["ClAM by its own loss"] < 0.5
    assert [claim.holds for claim in outcome.claims] == [True, True]
    assert [panel.title for panel in outcome.panels][:2] == ["True", "Lloyd's"]
    outcome.panels[-1].draw(True)


def test_memories_are_kept_at_the_epochs_of_the_figure(monkeypatch):
    monkeypatch.setattr(evolution, "EPOCHS", (0, 2, 4))
    outcome = run(evolution.evolution, blobs("faces", 40, 64, 3))
    losses = [row.ours for row in outcome.rows if row.measure.startswith("loss")]
    assert len(losses) == 3 and losses[-1] < losses[0]
    heat = outcome.panels[0].draw(False).data[0]
    assert np.shape(heat.z) == (3 * 9, 3 * 9) and np.nanmax(np.abs(heat.z)) == 1
    with pytest.raises(DataError, match="square images"):
        run(evolution.evolution, blobs())


@pytest.mark.parametrize("swept", [tuned.BETA, tuned.RATE, tuned.MASK_RATE, tuned.MASK_VALUE])
def test_a_setting_is_swept_for_each_t(swept, monkeypatch):
    monkeypatch.setattr(tuned, "STEPS", (2, 5))
    monkeypatch.setattr(tuned, "_EPOCHS", 2)
    monkeypatch.setattr(tuned, "_BETA_FACTORS", (0.5, 1.0))
    outcome = run(tuned.of(swept), blobs())
    values = 2 if swept.values is None else len(swept.values)
    assert len(outcome.rows) == 1 + 2 * values
    assert not any(math.isnan(row.ours) for row in outcome.rows)
    figure = outcome.panels[0].draw(False)
    assert [trace.name for trace in figure.data] == ["T = 2", "T = 5", "k-means"]
    assert isinstance(outcome.claims[0].holds, bool)


def test_entropies_lie_between_none_and_ln_k():
    outcome = run(entropies.entropies, blobs())
    mean, share = (row.ours for row in outcome.rows)
    assert 0 <= mean <= 1 and 0 < share <= 1
    assert outcome.claims[0].holds and "nearest memory" in outcome.claims[0].ours
    assert sum(outcome.panels[0].draw(False).data[0].y) == pytest.approx(1)


def test_outliers_take_k_means_and_not_the_absolute_loss():
    outcome = run(outliers.outliers)
    rows = {(row.subject, row.measure): row for row in outcome.rows}
    assert rows["k-means, clean", "SC of the inliers"].published == 0.511
    assert rows["ClAM, noisy", "ARI of the inliers"].published == 1
    assert rows["k-means, noisy", "ARI of the inliers"].ours < 0.5
    assert rows["Absolute loss, noisy", "ARI of the inliers"].ours > 0.9
    assert [claim.holds for claim in outcome.claims] == [True, False, True]


def test_modes_are_rows_and_means_are_not():
    outcome = run(modes.images, blobs("faces", 40, 64, 3))
    kmeans, slk = (row.ours for row in outcome.rows)
    assert slk < 1e-5 < kmeans and outcome.claims[0].holds
    outcome.panels[0].draw(True)


def test_e_is_that_of_the_engine():
    from workbench.reproduction.item import built

    rows = blobs(n=30).load()
    model = built(METHODS["slk"], {"n_clusters": 3, "modes": "exact", "n_init": 1}).fit(rows.X)
    squares = ((rows.X[:, None] - rows.X[None]) ** 2).sum(2)
    kernel = np.exp(-squares / (2 * model.sigma_**2))
    ours = objectives.discrete_objective(model.labels_, kernel, model.affinity_, model.lam_)
    assert ours == pytest.approx(model.objective_, rel=1e-4)


def test_the_relaxation_never_rises():
    outcome = run(modes.descent, blobs())
    assert outcome.claims[0].holds and len(outcome.panels) == 2
    outcome.panels[1].draw(False)


def test_objectives_count_both_signs():
    outcome = run(objectives.objectives, blobs())
    assert len(outcome.rows) == 3 * len(objectives.COUPLINGS)
    assert not any(math.isnan(row.ours) for row in outcome.rows)
    assert "of 6 values of λ, LK at" in outcome.claims[0].ours


def test_methods_that_tie_lead_together():
    scores = {("LK", "NMI"): 1.0, ("SLK-BO", "NMI"): 0.998, ("NCUT", "NMI"): math.nan}
    assert modes.leaders(scores | {("K-modes", "NMI"): 0.4}) == ["LK", "SLK-BO"]


def test_agreement_gives_both_measures_for_every_method(monkeypatch):
    fewer = {name: modes.VARIANTS[name] for name in ("SLK-BO", "NCUT", "K-modes")}
    monkeypatch.setattr(modes, "VARIANTS", fewer)
    rows = run(modes.agreement, blobs()).rows
    assert [row.measure for row in rows] == [
        f"{name}, {measure}" for name in fewer for measure in ("NMI", "ACC")
    ]
    assert all(0 <= row.ours <= 1 for row in rows)


def test_time_is_told_in_milliseconds(monkeypatch):
    monkeypatch.setattr(modes, "_SIZES", (200, 400))
    outcome = run(modes.linear_time)
    assert len(outcome.rows) == 2 and all(row.ours > 0 for row in outcome.rows)
    assert isinstance(outcome, Outcome)
