# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalSubscript=false
"""The estimator: descent, quality on easy data, edges, sentences, prediction, stopping."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

from slk_core import SLK, discrete, knn_affinity, normalised_cut
from slk_core.settings import entropy_weight_of
from workbench.builtin import BUILTIN, builtin

MODES = ["mean-shift", "byproduct", "means", "exact"]


@pytest.fixture(scope="module")
def blobs():
    X, y, *_ = make_blobs(200, 4, centers=4, cluster_std=0.5, random_state=5)
    return StandardScaler().fit_transform(X), y


def quick(k=4, **settings):
    return SLK(k, **({"n_init": 3, "random_state": 0} | settings))


def standardised(name):
    frame = builtin(name).frame
    X = frame.drop(columns="class").to_numpy(float)
    return StandardScaler().fit_transform(X), frame["class"].nunique()


@pytest.mark.parametrize("modes", MODES)
@pytest.mark.parametrize("engine", ["numba", "torch"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_blobs_are_found(blobs, modes, engine, dtype):
    X, y = blobs
    model = quick(modes=modes, engine=engine, dtype=dtype, n_init=5).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.95
    assert model.n_clusters_found_ == 4
    assert model.soft_assignment_.dtype == dtype


@pytest.mark.parametrize("modes", MODES)
@pytest.mark.parametrize("lam", [0.0, 1.0, "auto", 10.0])
def test_r_never_rises_while_the_entropy_weight_stays(blobs, modes, lam):
    X, _ = blobs
    model = quick(modes=modes, lam=lam, dtype="float64", n_init=2, tol=0.0, max_iter=8)
    before = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for now in model.fit_iter(X):
            same = before and (now.start, now.entropy_weight) == (
                before.start,
                before.entropy_weight,
            )
            if same and before and now.step > 1:
                assert now.relaxation <= before.relaxation + 1e-8 * len(X)
            before = now


def test_snapshots_add_up(blobs):
    X, _ = blobs
    model = quick(balance=0.3, selection="objective")
    snapshots = list(model.fit_iter(X))
    assert [s.step for s in snapshots if s.start == 0][:3] == [0, 1, 2]
    last = [s for s in snapshots if s.objective == model.objective_][-1]
    assert last.objective_terms.total == last.objective
    assert last.relaxation_terms.total == last.relaxation
    assert model.starts_ == [[s for s in snapshots if s.start == i][-1].objective for i in range(3)]
    assert min(model.starts_) == model.objective_
    gaps = X[:, None] - model.cluster_centers_
    squares = (gaps**2).sum(axis=2)
    assert (squares.argmin(axis=0) == model.mode_rows_).all()
    a = np.exp(-squares / (2 * model.sigma_**2))
    terms = discrete(model.labels_, a, model.affinity_, lam=model.lam_, balance=0.3)
    assert terms.total == pytest.approx(model.objective_, rel=1e-4)
    assert isinstance(model.history_, list) and model.history_[-1].step == model.n_iter_


def test_byproduct_and_exact_modes_are_rows(blobs):
    X, _ = blobs
    for modes in ("byproduct", "exact"):
        model = quick(modes=modes).fit(X)
        np.testing.assert_allclose(X[model.mode_rows_], model.cluster_centers_, atol=1e-5)


@pytest.mark.parametrize("name", sorted(BUILTIN))
def test_training_rows_are_predicted_as_labelled(name):
    X, k = standardised(name)
    model = SLK(k, random_state=0).fit(X)
    assert (model.predict(X) == model.labels_).mean() >= 0.99


def test_the_least_cut_is_kept():
    X, k = standardised("moons")
    model = SLK(k, random_state=0).fit(X)
    cut = normalised_cut(model.labels_, model.affinity_, k)
    assert len(model.cuts_) == 10 and cut == pytest.approx(min(model.cuts_), abs=1e-6)
    other = SLK(k, random_state=0, selection="objective").fit(X)
    assert other.objective_ == min(other.starts_) <= model.objective_
    assert model.starts_ == other.starts_


def test_the_normalised_cut_is_the_slow_one():
    rng = np.random.default_rng(0)
    W = sparse.random_array((30, 30), density=0.2, rng=rng)
    W = sparse.csr_array(W + W.T)
    labels = rng.integers(0, 3, 30)
    slow = 0.0
    for cluster in range(4):  # the last one is empty
        own = labels == cluster
        volume = W[own].sum()
        slow += (W[own][:, ~own].sum() / volume) if volume else 1.0
    assert normalised_cut(labels, W, 4) == pytest.approx(slow)


def test_k_modes(blobs):
    X, y = blobs
    model = quick(lam=0, entropy_weight=0, n_init=8, sigma=1.0).fit(X)
    assert set(np.unique(model.soft_assignment_)) == {0, 1}
    nearest = model.transform(X).argmin(axis=1)
    assert (nearest == model.labels_).all()
    assert adjusted_rand_score(y, model.labels_) > 0.95


def test_the_paper_preset(blobs):
    X, _ = blobs
    model = SLK.paper(4, lam=1.3, random_state=0)
    assert (model.factor, model.reset, model.n_neighbors, model.balance) == (1, True, 4, 0)
    model.fit(X)
    assert model.lam_ == 1.3
    assert {s.entropy_weight for s in model.history_} == {1.0}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("modes", MODES)
@pytest.mark.parametrize(
    ("X", "k"),
    [
        (np.array([[0.0], [1.0]]), 2),
        (np.array([[0.0], [1.0]]), 1),
        (np.array([[3.0, 1.0]]), 1),
        (np.zeros((12, 2)), 3),
        (np.repeat(np.eye(3), 5, axis=0), 5),
        (np.arange(7.0)[:, None], 7),
        (np.array([[0.0], [1e-3], [1e9], [1e9 + 1]]), 2),
        (np.array([[1e200], [2e200], [-1e200]]), 2),
    ],
    ids=["n2k2", "n2k1", "n1", "duplicates", "few distinct", "k=n", "scales", "huge"],
)
def test_edges(X, k, modes):
    model = quick(k, modes=modes).fit(X)
    assert model.labels_.shape == (len(X),)
    assert np.isfinite(model.soft_assignment_).all()
    assert np.isfinite(model.objective_) and np.isfinite(model.relaxation_)
    assert model.predict(X).max() < k


def test_a_disconnected_graph_and_isolated_rows(blobs):
    X, _ = blobs
    W = sparse.block_diag(
        [knn_affinity(X[:90]), knn_affinity(X[90:180]), sparse.csr_array((20, 20))]
    )
    for k in (2, 5):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            model = quick(k).fit(X, affinity=W)
        assert np.isfinite(model.objective_)
        assert model.affinity_.nnz == W.nnz
        assert model.predict(X).shape == (200,)
    assert clone(quick(2, affinity=W)).fit(X).affinity_.nnz == W.nnz
    with pytest.raises(ValueError, match="needs W"):
        quick(affinity="precomputed").fit(X)


def test_empty_clusters_are_reported(blobs):
    X, _ = blobs
    with pytest.warns(ConvergenceWarning, match="of 12 clusters have rows"):
        model = quick(12, lam=1000.0, balance=0.0).fit(X)
    assert model.n_clusters_found_ < 12


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"lam": -1}, "lam=-1 should be >= 0 or 'auto'."),
        ({"k": 0}, "n_clusters=0 should be >= 1."),
        ({"sigma": 0}, "sigma=0 should be > 0 or 'auto'."),
        ({"balance": np.nan}, "balance=nan should be >= 0."),
        ({"modes": "median"}, "modes='median' should be one of"),
        ({"anneal": (2, 1.5)}, "the last of them 1."),
        ({"device": "abacus"}, "should be a torch device"),
        ({"reset": 3}, "reset=3 should be True or False."),
        ({"k": 300}, "n_clusters=300 should be <= n_samples=200."),
        ({"init": np.zeros((2, 2))}, "init of shape"),
    ],
)
def test_wrong_settings_get_a_sentence(blobs, settings, sentence):
    with pytest.raises(ValueError, match=sentence.replace("(", r"\(")) as error:
        quick(**settings).fit(blobs[0])
    assert str(error.value).endswith(".")


def test_gaps_get_a_sentence(blobs):
    X = blobs[0].copy()
    X[3, 2] = np.nan
    with pytest.raises(ValueError, match="X is NaN in row 3, column 2; SLK needs complete rows"):
        quick().fit(X)


def test_leaving_early_leaves_a_usable_model(blobs):
    X, _ = blobs
    model = quick()
    run = model.fit_iter(X)
    with pytest.raises(NotFittedError):
        model.predict(X)
    next(run)
    run.close()
    assert model.predict(X).shape == (200,)
    calls = iter([False] * 4 + [True] * 1000)
    model = quick(n_init=50)
    assert len(list(model.fit_iter(X, stop=lambda: next(calls)))) < 10
    assert model.labels_.shape == (200,)


def test_an_earlier_iterator_is_powerless(blobs):
    X, _ = blobs
    model = quick()
    stale = model.fit_iter(X)
    next(stale)
    model.fit(X)
    labels = model.labels_.copy()
    stale.close()
    assert (model.labels_ == labels).all()


def test_the_same_seed_gives_the_same_model(blobs):
    X, _ = blobs
    first, second = quick().fit(X), quick().fit(X)
    assert (first.soft_assignment_ == second.soft_assignment_).all()


def test_engines_agree(blobs):
    X, _ = blobs
    numba, torch = (quick(engine=e, dtype="float64", tol=1e-9).fit(X) for e in ("numba", "torch"))
    assert numba.objective_ == pytest.approx(torch.objective_, rel=1e-6)
    np.testing.assert_allclose(numba.soft_assignment_, torch.soft_assignment_, atol=1e-3)


def test_entropy_weight_falls_smoothly():
    weights = [entropy_weight_of(SLK(k)) for k in range(1, 300)]
    assert weights[:15] == [1.0] * 15
    assert weights[99] == pytest.approx(1 / np.log(100))
    assert (np.diff(weights) <= 0).all()
    assert np.abs(np.diff(weights)).max() < 0.05


@pytest.mark.gpu
def test_a_gpu_agrees(blobs):
    X, _ = blobs
    ours, theirs = (quick(device=d, dtype="float64", tol=1e-9).fit(X) for d in ("cpu", "cuda"))
    assert ours.objective_ == pytest.approx(theirs.objective_, rel=1e-6)


def test_the_silhouette_chooses_among_the_same_starts():
    from sklearn.metrics import silhouette_score

    X, k = standardised("iris")
    rules = ("cut", "objective", "silhouette")
    models = {rule: quick(k, n_init=6, selection=rule).fit(X) for rule in rules}
    scores = {rule: silhouette_score(X, model.labels_) for rule, model in models.items()}
    assert models["cut"].cuts_ == models["silhouette"].cuts_
    assert scores["silhouette"] == max(scores.values()) > scores["cut"]
    assert min(models["cut"].cuts_) < max(models["cut"].cuts_)


def test_the_silhouette_is_of_a_fixed_sample(monkeypatch):
    from slk_core import selection

    monkeypatch.setattr(selection, "SCORED_ROWS", 50)
    X, k = standardised("iris")
    judge = selection.Selection("silhouette", X, knn_affinity(X))
    labels = np.arange(len(X)) % k
    assert len(judge._some) == 50 and judge.worth(labels, 0.0, 1.0) == judge.worth(labels, 9.0, 1.0)
    assert judge.worth(np.zeros(len(X), int), 0.0, 1.0) == (1.0, 1.0), "undefined counts least"
    labels = [quick(k, selection="silhouette").fit(X).labels_ for _ in range(2)]
    np.testing.assert_array_equal(*labels)
