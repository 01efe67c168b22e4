# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalSubscript=false, reportOptionalOperand=false
# pyright: reportAssignmentType=false, reportGeneralTypeIssues=false
"""The estimator: quality on easy data, gaps, kinds, edges, sentences, determinism, files."""

import json

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import NotFittedError
from sklearn.metrics import adjusted_rand_score
from sklearn.preprocessing import StandardScaler

from clam_core import ClAM, load, save
from clam_core.settings import choose_engine
from tests import oracles

ENGINES = ["numba", "torch", "autograd"]


@pytest.fixture(scope="module")
def blobs():
    X, y = make_blobs(150, 6, centers=4, random_state=2)
    return StandardScaler().fit_transform(X), y


def quick(**settings):
    return ClAM(**({"n_clusters": 4, "n_init": 4, "n_epochs": 15, "random_state": 0} | settings))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("energy", ["euclidean", "weighted"])
@pytest.mark.parametrize("loss", ["squared", "absolute"])
def test_blobs_are_found(blobs, engine, energy, loss):
    X, y = blobs
    model = quick(engine=engine, energy=energy, loss=loss).fit(X)
    assert model.engine_ == engine
    assert adjusted_rand_score(y, model.labels_) > 0.95
    assert model.n_found_ == 4


@pytest.mark.parametrize("corruption", ["mask", "noise", "none"])
@pytest.mark.parametrize("init", ["k-means++", "data", "gaussian"])
def test_every_corruption_and_start_learns(blobs, corruption, init):
    X, _ = blobs
    model = quick(corruption=corruption, init=init, schedule="plateau", selection="loss")
    snapshots = list(model.fit_iter(X))
    assert snapshots[-1].objective < snapshots[0].objective
    assert model.loss_ == pytest.approx(min(s.objective for s in snapshots))


@pytest.mark.parametrize("mask_value", ["mean", "min", "max"])
def test_mask_values(blobs, mask_value):
    X, y = blobs
    model = quick(mask_value=mask_value, mask_rate=0.3).fit(X)
    assert adjusted_rand_score(y, model.labels_) > 0.8


def test_engines_agree_over_early_epochs(blobs):
    """Same draws, same arithmetic: three epochs apart from rounding, in float64."""
    X, _ = blobs
    ends = [quick(engine=e, dtype="float64", n_epochs=3).fit(X).cluster_centers_ for e in ENGINES]
    np.testing.assert_allclose(ends[0], ends[2], rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(ends[1], ends[2], rtol=1e-7, atol=1e-9)


def test_spherical_clusters_directions():
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(3, 5))
    y = rng.integers(3, size=120)
    X = (directions[y] + 0.1 * rng.normal(size=(120, 5))) * rng.uniform(0.1, 10, size=(120, 1))
    model = ClAM(3, energy="spherical", n_init=4, n_epochs=20, random_state=0).fit(X)
    assert adjusted_rand_score(y, model.labels_) == 1
    with pytest.raises(ValueError, match="Row 0 of X is all zero"):
        model.predict(np.zeros((1, 5)))


def test_given_weights_are_kept_and_learned_ones_move(blobs):
    X, _ = blobs
    given = quick(energy="weighted", weights=[1, 2, 3, 2]).fit(X)
    np.testing.assert_allclose(given.weights_, [0.5, 1, 1.5, 1])
    learned = quick(energy="weighted").fit(X)
    assert np.ptp(learned.weights_) > 1e-3
    assert learned.weights_.mean() == pytest.approx(1)


def test_gaps_are_recalled_without_imputation():
    X, y = load_iris(return_X_y=True)
    X = StandardScaler().fit_transform(X)
    rng = np.random.default_rng(0)
    holes = rng.random(X.shape) < 0.15
    model = ClAM(3, n_init=4, n_epochs=20, random_state=0).fit(np.where(holes, np.nan, X))
    assert np.isfinite(model.cluster_centers_).all()
    assert adjusted_rand_score(y, model.labels_) > 0.45
    assert len(model.predict(np.full((2, 4), np.nan))) == 2
    assert np.isfinite(model.score(np.where(holes, np.nan, X)))


@pytest.mark.parametrize("corruption", ["mask", "noise", "none"])
def test_engines_agree_on_rows_with_gaps(blobs, corruption):
    X = np.where(np.random.default_rng(0).random(blobs[0].shape) < 0.1, np.nan, blobs[0])
    numba, autograd = (
        quick(engine=e, dtype="float64", n_epochs=3, corruption=corruption, mask_value="min").fit(X)
        for e in ("numba", "autograd")
    )
    assert [numba.engine_, autograd.engine_] == ["numba", "autograd"]
    np.testing.assert_allclose(
        numba.cluster_centers_, autograd.cluster_centers_, rtol=1e-7, atol=1e-9
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_units_do_not_matter(blobs, engine):
    """Shifted and stretched data give shifted and stretched memories, and the same labels."""
    X, _ = blobs
    settings = {"engine": engine, "dtype": "float64", "n_epochs": 5}
    plain = quick(**settings).fit(X)
    moved = quick(**settings).fit(1000 * X + 1e6)
    np.testing.assert_array_equal(plain.labels_, moved.labels_)
    np.testing.assert_allclose(moved.cluster_centers_, 1000 * plain.cluster_centers_ + 1e6)
    assert moved.beta_ == pytest.approx(plain.beta_ / 1e6)
    assert moved.loss_ == pytest.approx(1e6 * plain.loss_)
    np.testing.assert_allclose(moved.transform(1000 * X + 1e6), 1000 * plain.transform(X))


def test_labels_are_the_paper_s_inference(blobs):
    X, _ = blobs
    model = quick(dtype="float64", n_steps=7).fit(X)
    ends = oracles.recall(X, model.cluster_centers_, model.beta_, 7, 1 / 7)
    clear = oracles.margin(ends, model.cluster_centers_) > 1e-6
    expected = oracles.nearest(ends, model.cluster_centers_)
    np.testing.assert_array_equal(model.labels_[clear], expected[clear])
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert model.score(X) == pytest.approx(-((ends - X) ** 2).sum(1).mean())


def test_every_restart_can_be_looked_at(blobs):
    X, _ = blobs
    model = quick(selection="loss").fit(X)
    labelings = model.predict_restarts(X)
    assert labelings.shape == (4, 150)
    assert model.loss_ == pytest.approx(model.restart_losses_.min(), rel=1e-5)
    np.testing.assert_array_equal(labelings[model.restart_], model.labels_)


@pytest.mark.parametrize("selection", ["silhouette", "mahalanobis", "loss"])
def test_the_history_is_that_of_the_restart_kept(blobs, selection):
    model = quick(selection=selection, init="data", random_state=3)
    every = np.array([snapshot.losses for snapshot in model.fit_iter(blobs[0])])
    assert model.history_ == list(every[:, model.restart_])
    assert len(model.history_) == model.n_iter_ + 1
    assert model.loss_ == min(model.history_)


def test_same_seed_same_model(blobs):
    X, _ = blobs
    a, b = quick().fit(X), clone(quick()).fit(X)
    np.testing.assert_array_equal(a.cluster_centers_, b.cluster_centers_)
    assert a.history_ == b.history_
    assert not np.array_equal(a.cluster_centers_, quick(random_state=1).fit(X).cluster_centers_)


def test_global_seeds_are_left_alone(blobs):
    np.random.seed(3)  # noqa: NPY002
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(3)  # noqa: NPY002
    quick().fit(blobs[0])
    assert np.random.random() == expected  # noqa: NPY002


def test_leaving_early_leaves_a_model(blobs):
    X, _ = blobs
    model = quick(n_epochs=50)
    for snapshot in model.fit_iter(X):
        if snapshot.step == 2:
            break
    assert model.n_iter_ == 2
    assert model.labels_.shape == (150,)
    model = quick(n_epochs=50)
    asked = []
    assert len(list(model.fit_iter(X, stop=lambda: asked.append(1) or len(asked) > 3))) < 51
    assert np.isfinite(model.cluster_centers_).all()


def test_settings_are_checked_before_the_first_snapshot(blobs):
    with pytest.raises(ValueError, match="beta=-1 should be > 0"):
        quick(beta=-1).fit_iter(blobs[0])


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"beta": 0}, "beta=0 should be > 0 and finite or 'auto'."),
        ({"beta": float("inf")}, "beta=inf should be"),
        ({"n_clusters": 0}, "n_clusters=0 should be >= 1."),
        ({"n_clusters": 2.5}, "n_clusters=2.5 should be >= 1."),
        ({"n_clusters": 151}, "n_clusters=151 should be <= n_samples=150."),
        ({"n_steps": 0}, "n_steps=0 should be >= 1."),
        ({"step_size": 1.5}, r"step_size=1.5 should be in \(0, 1\]."),
        ({"mask_rate": 1}, r"mask_rate=1 should be in \(0, 1\)."),
        ({"energy": "cosine"}, "energy='cosine' should be one of"),
        ({"dtype": "float16"}, "dtype='float16' should be one of"),
        ({"weights": [1, 2, 3, 4]}, "weights should be None for energy='euclidean'."),
        ({"energy": "weighted", "weights": [1, 2]}, r"should have shape \(4,\)."),
        ({"init": np.zeros((3, 6))}, "init of shape"),
        ({"init": np.full((4, 6), np.nan)}, "init should hold finite numbers only."),
        ({"device": "nowhere"}, "device='nowhere' should be a torch device of this machine"),
        ({"device": "meta"}, "device='meta' should be a torch device of this machine"),
    ],
)
def test_bad_settings_get_name_value_and_rule(blobs, settings, words):
    with pytest.raises(ValueError, match=words):
        quick(**settings).fit(blobs[0])


def test_bad_data_get_a_sentence():
    with pytest.raises(ValueError, match="infinity"):
        quick().fit(np.array([[1.0, np.inf], [2, 3], [4, 5], [6, 7]]))
    with pytest.raises(ValueError, match="should be <= 2, the number of distinct rows"):
        quick(n_clusters=3).fit(np.repeat([[0.0, 1], [2, 3]], 10, axis=0))
    with pytest.raises(ValueError, match="no value at all in column 1"):
        quick(n_clusters=2).fit(np.array([[1.0, np.nan], [2, np.nan], [3, np.nan]]))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "X",
    [
        np.arange(12.0)[:, None],
        np.repeat([[0.0, 1, 2, 3], [4, 5, 6, 7], [8, 8, 8, 8]], 4, axis=0),
        np.column_stack([np.arange(9.0) ** 2, np.full(9, 5.0), np.arange(9) % 4, np.arange(9)]),
        np.eye(3),
    ],
    ids=["one column", "duplicates", "a constant column", "k = n"],
)
def test_edges(X, engine):
    model = ClAM(3, n_init=2, n_epochs=5, engine=engine, random_state=0).fit(X)
    assert np.isfinite(model.cluster_centers_).all()
    assert set(model.labels_) <= {0, 1, 2}


def test_one_point_is_one_cluster():
    model = ClAM(1, n_epochs=2, random_state=0).fit([[3.0, 4.0]])
    assert list(model.labels_) == [0]


def test_engine_is_chosen_by_size():
    def chosen(d, *, k=5, batch=32, has_gaps=False, **settings):
        return choose_engine(ClAM(k, batch_size=batch, **settings), np.zeros((300, d)), has_gaps)

    assert chosen(16) == "numba"
    assert chosen(784, k=10, batch=256, n_init=1) == "torch"
    assert chosen(16, device="cuda") == "torch"
    assert chosen(16, has_gaps=True) == "numba"
    assert chosen(16, has_gaps=True, device="cuda") == "autograd"
    assert chosen(16, energy="spherical") == "autograd"


def test_a_model_travels_as_safetensors(blobs, tmp_path):
    X, _ = blobs
    model = quick(energy="weighted").fit(X)
    save(model, tmp_path / "model.safetensors")
    again = load(tmp_path / "model.safetensors")
    assert again.get_params() == model.get_params()
    np.testing.assert_array_equal(again.predict(X), model.labels_)
    np.testing.assert_array_equal(again.transform(X), model.transform(X))
    assert again.history_ == model.history_
    np.testing.assert_array_equal(again.predict_restarts(X), model.predict_restarts(X))
    assert list(again.get_feature_names_out()) == list(model.get_feature_names_out())


def test_a_foreign_file_gets_a_sentence(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(json.dumps({"not": "a model"}).encode())
    with pytest.raises(ValueError, match="is not a saved ClAM model"):
        load(path)


@pytest.mark.parametrize("engine", ENGINES)
def test_one_set_of_starting_memories_serves_all_restarts(blobs, engine):
    X, _ = blobs
    model = quick(engine=engine, init=X[:4], n_epochs=2).fit(X)
    assert model.engine_ == engine
    np.testing.assert_allclose(model.restarts_, np.tile(model.restarts_[:1], (4, 1, 1)), rtol=1e-5)


def test_a_later_fit_makes_an_earlier_iterator_powerless(blobs):
    X, _ = blobs
    model = quick()
    earlier = model.fit_iter(X)
    next(earlier)
    centres = model.fit(X + 100).cluster_centers_.copy()
    earlier.close()
    np.testing.assert_array_equal(model.cluster_centers_, centres)


def test_an_iterator_keeps_what_it_was_called_with(blobs):
    X = blobs[0].copy()
    expected = quick().fit(X).cluster_centers_
    model = quick()
    training = model.fit_iter(X)
    X[:] = 7
    list(training)
    np.testing.assert_array_equal(model.cluster_centers_, expected)


def test_an_unfitted_model_says_so(blobs):
    model = quick()
    model.fit_iter(blobs[0]).close()
    with pytest.raises(NotFittedError):
        model.predict(blobs[0])


def test_weights_far_apart_survive(blobs):
    model = quick(energy="weighted", weights=[1, 1, 1, 1e-50]).fit(blobs[0])
    assert (model.weights_ > 0).all()
    assert model.n_found_ <= 4


def test_attributes_do_not_share_memory(blobs):
    model = quick().fit(blobs[0])
    assert not np.shares_memory(model.cluster_centers_, model.restarts_)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
@pytest.mark.parametrize("energy", ["euclidean", "spherical"])
def test_extreme_scales_are_refused(blobs, scale, energy):
    with pytest.raises(ValueError, match="bring them between 1e-150 and 1e150 first"):
        quick(energy=energy).fit(scale * blobs[0])


@pytest.mark.parametrize(
    "settings", [{"beta": 1e300}, {"init": np.full((4, 6), 1e300)}, {"beta": 1e38}]
)
def test_no_finite_start_is_a_sentence(blobs, settings):
    with np.errstate(over="ignore"), pytest.raises(ValueError, match="No restart has a finite"):
        quick(**settings).fit(blobs[0])


def test_distinct_rows_are_counted_with_gaps_filled():
    assert ClAM(3, n_epochs=2, random_state=0).fit([[0, 0], [np.nan, 0], [5, 0]]).n_found_ == 3
    with pytest.raises(ValueError, match="should be <= 1, the number of distinct rows"):
        ClAM(3, energy="spherical").fit([[1.0, 1], [2, 2], [4, 4]])
