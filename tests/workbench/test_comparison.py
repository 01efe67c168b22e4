"""Comparisons in one process: who takes part, and scores against their sources."""

import numpy as np
import pytest
from sklearn import metrics as oracle

from workbench.comparison import SCORES, common_k, compare, entrants
from workbench.dataset import DataError, builtin, prepare
from workbench.judging import Judge
from workbench.methods import METHODS
from workbench.null_rows import null_rows
from workbench.recipe import Recipe
from workbench.scored_fit import failure

BASE = Recipe.model_validate({"data": {"kind": "builtin", "name": "blobs"}, "seed": 7})


@pytest.fixture(scope="module")
def blobs():
    return prepare(builtin("blobs"))


@pytest.fixture(scope="module")
def labels(blobs):
    return np.unique(blobs.y, return_inverse=True)[1]


def test_each_method_has_its_seeds_and_its_rule():
    recipes = entrants(BASE, ["kmeans", "clam"], k=3, seeds=2, rule="silhouette")
    assert [(each.method, each.seed) for each in recipes] == [
        ("kmeans", 7), ("kmeans", 8), ("clam", 7), ("clam", 8),
    ]  # fmt: skip
    assert {each.settings["selection"] for each in recipes} == {"silhouette"}
    assert {each.settings["n_clusters"] for each in recipes} == {3}
    own = entrants(BASE, ["kmeans", "clam", "slk"], k=3, seeds=[5], rule="own")
    assert [each.settings["selection"] for each in own] == ["loss", "loss", "cut"]
    assert [each.seed for each in own] == [5, 5, 5]
    assert common_k(recipes) == 3


def test_settings_are_kept_but_never_mix_the_rules():
    asked = {"kmeans": {"n_init": 3, "selection": "silhouette"}}
    (recipe,) = entrants(BASE, ["kmeans"], k=3, seeds=1, settings=asked)
    assert recipe.settings["n_init"] == 3
    assert recipe.settings["selection"] == "loss"


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"methods": ["recall"]}, "method='recall' should be one of"),
        ({"methods": ["magic"]}, "method='magic' should be one of"),
        ({"rule": "ari"}, "rule='ari' should be one of 'own', 'silhouette'."),
        ({"k": 500}, "n_clusters=500 should be from 1 to 200."),
    ],
)
def test_what_cannot_take_part_is_refused_in_a_sentence(given, sentence):
    asked = {"methods": ["kmeans"], "k": 3, "seeds": 1} | given
    with pytest.raises(DataError) as error:
        entrants(BASE, asked.pop("methods"), **asked)
    assert str(error.value).startswith(sentence)


def test_every_method_can_be_asked_under_each_of_its_rules():
    for key, method in METHODS.items():
        if method.needs == "memories":
            continue
        for rule in method.rules or ("own", "silhouette"):
            (recipe,) = entrants(BASE, [key], k=5, seeds=1, rule=rule)
            assert recipe.settings.get("n_clusters", 5) == 5


def test_entries_come_one_after_the_other_and_end_with_null_rows(blobs):
    quick = {"kmeans": {"n_init": 2}}
    recipes = entrants(BASE, ["kmeans"], k=4, seeds=2, settings=quick)
    told = []
    first, second, drawn = compare(blobs, recipes, report=told.append)
    assert [first.null, second.null, drawn.null] == [False, False, True]
    assert first.scores["ari"] > 0.95
    assert first.n_found == 4
    assert np.isnan(drawn.scores["ari"])
    assert drawn.scores["silhouette"] < first.scores["silhouette"] - 0.1
    assert {each.phase for each in told} == {"preparing", "training", "scoring"}
    assert len(list(compare(blobs, recipes, null_seed=None, stop=lambda: True))) == 1


def test_a_failure_is_an_entry(blobs):
    (entry,) = compare(blobs, entrants(BASE, ["kmeans"], k=200, seeds=1), null_seed=None)
    assert entry.done == (len(blobs.X) >= 200)
    few = prepare(builtin("blobs"), BASE.preparation.model_copy(update={"rows": "1-20"}))
    (entry,) = compare(few, entrants(BASE, ["kmeans"], k=30, seeds=1), null_seed=None)
    assert entry.error == "k = 30 is more than the 20 rows: lower k."
    assert not entry.done
    assert np.isnan(entry.seconds)


def test_scores_are_those_of_scikit_learn(blobs, labels):
    rng = np.random.default_rng(0)
    moved = np.where(rng.random(len(labels)) < 0.1, rng.integers(0, 4, len(labels)), labels)
    found = Judge(blobs.X, blobs.y, k=4).scores(moved)
    assert set(found) == set(SCORES)
    for name, score in (
        ("silhouette", oracle.silhouette_score),
        ("davies_bouldin", oracle.davies_bouldin_score),
        ("calinski_harabasz", oracle.calinski_harabasz_score),
    ):
        assert found[name] == pytest.approx(score(blobs.X, moved), rel=1e-9)
    assert found["nmi"] == pytest.approx(oracle.normalized_mutual_info_score(blobs.y, moved))
    assert found["ari"] == pytest.approx(oracle.adjusted_rand_score(blobs.y, moved))


def test_noise_is_left_out_of_all_scores_but_e(blobs, labels):
    judge = Judge(blobs.X, blobs.y, k=4)
    noisy = labels.copy()
    noisy[::5] = -1
    found, inside = judge.scores(noisy), noisy >= 0
    alone = Judge(blobs.X[inside], blobs.y[inside], k=4).scores(labels[inside])
    for name in ("silhouette", "davies_bouldin", "calinski_harabasz", "nmi", "ari", "accuracy"):
        assert found[name] == pytest.approx(alone[name])
    assert found["laplacian"] > judge.laplacian(labels)
    nothing = judge.scores(np.full(len(labels), -1))
    assert np.isnan([nothing[name] for name in SCORES if name != "laplacian"]).all()


def test_e_is_the_objective_of_slk(blobs):
    from slk_core import SLK
    from slk_core.objective import discrete

    model = SLK(4, n_init=2, random_state=0).fit(blobs.X)
    judge = Judge(blobs.X, k=4)
    own = judge.laplacian(model.labels_)
    assert own == pytest.approx(model.objective_ / len(blobs.X), abs=2e-3)
    squares = np.square(blobs.X[:, None] - model.cluster_centers_).sum(axis=2)
    a = np.exp(-0.5 * squares / model.sigma_**2)
    by_hand = discrete(model.labels_, a, model.affinity_, lam=model.lam_).total
    assert own <= by_hand / len(blobs.X) + 1e-3  # its modes are at the peaks
    shuffled = np.random.default_rng(0).permutation(model.labels_)
    assert judge.laplacian(shuffled) > own + 0.5


def test_coinciding_rows_have_no_e():
    judge = Judge(np.ones((5, 2)), k=2)
    assert np.isnan(list(judge.scores(np.array([0, 0, 1, 1, 1])).values())).sum() >= 4


def test_null_rows_keep_the_extent_and_lose_the_clusters(blobs):
    drawn = null_rows(blobs.X, 3)
    assert drawn.shape == blobs.X.shape
    assert np.array_equal(drawn, null_rows(blobs.X, 3))
    assert not np.array_equal(drawn, null_rows(blobs.X, 4))
    axes = np.linalg.svd(blobs.X - blobs.X.mean(axis=0))[2]
    given, own = (blobs.X - blobs.X.mean(0)) @ axes.T, (drawn - blobs.X.mean(0)) @ axes.T
    assert (own.min(axis=0) >= given.min(axis=0) - 1e-9).all()
    assert (own.max(axis=0) <= given.max(axis=0) + 1e-9).all()
    gaps = np.where(np.random.default_rng(0).random(blobs.X.shape) < 0.1, np.nan, blobs.X)
    assert np.isfinite(null_rows(gaps, 0)).all()


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (MemoryError(), "It needed more memory than it may take."),
        (RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried"),
         "It needed more memory than it may take."),
        (ValueError("k=3 should be <= 2. Try a lower one."), "k=3 should be <= 2."),
        (np.linalg.LinAlgError("SVD did not converge"), "It did not converge: SVD did not "
         "converge."),
        (KeyError("x"), "It stopped at a fault (KeyError): 'x'."),
        (ZeroDivisionError(), "It stopped at a fault (ZeroDivisionError): nothing more is known."),
    ],
)  # fmt: skip
def test_each_failure_has_one_sentence(error, sentence):
    assert failure(error) == sentence
