# pyright: reportArgumentType=false, reportCallIssue=false
"""Every rival lives by scikit-learn's contract, and does well on its home ground."""

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn import cluster, mixture
from sklearn.utils.estimator_checks import parametrize_with_checks

from workbench.baselines.agglomerative import LINKAGES, Agglomerative
from workbench.baselines.dbscan import DBSCAN, knee_radius
from workbench.baselines.hdbscan import HDBSCAN
from workbench.baselines.kernel_kmeans import KernelKMeans
from workbench.baselines.laplacian_kmodes import LaplacianKModes
from workbench.baselines.mean_shift import MeanShift
from workbench.baselines.mini_batch import MiniBatchKMeans
from workbench.baselines.mixture import COVARIANCES, GaussianMixture
from workbench.baselines.spectral import Spectral
from workbench.builtin import builtin
from workbench.dataset import prepare
from workbench.methods import METHODS
from workbench.metrics import ari, silhouette

OURS = {"centres", "modes and graph", "tree", "density"}
RIVALS = [
    Agglomerative(3),
    DBSCAN(),
    GaussianMixture(3, n_init=2),
    HDBSCAN(),
    KernelKMeans(3, n_init=2),
    LaplacianKModes(3, n_init=2),
    MeanShift(),
    MiniBatchKMeans(3, n_init=2),
    Spectral(3, n_init=2),
]


@parametrize_with_checks(RIVALS)
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def rows_of(name):
    dataset = prepare(builtin(name))
    return dataset.X, dataset.y


def fitted(key, X, **settings):
    """The method as the bench builds it, by its defaults but for some settings."""
    method = METHODS[key]
    return method.build(method.complete(settings), random_state=0).fit(method.rows(X))


@pytest.mark.parametrize(
    ("key", "name", "settings"),
    [
        ("slk", "moons", {"n_clusters": 2}),
        ("lk", "moons", {"n_clusters": 2, "n_init": 3}),
        ("spectral", "moons", {"n_clusters": 2}),
        ("spectral", "circles", {"n_clusters": 2, "affinity": "knn"}),
        ("spectral", "moons", {"n_clusters": 2, "affinity": "rbf"}),
        ("kernel_kmeans", "circles", {"n_clusters": 2}),
        ("dbscan", "moons", {"eps": 0.2}),
        ("dbscan", "moons", {"selection": "silhouette"}),
        ("hdbscan", "moons", {}),
        ("mixture", "elongated2", {"n_clusters": 2, "init": "random"}),
        ("agglomerative", "moons", {"n_clusters": 2, "linkage": "single"}),
        ("mean_shift", "blobs", {}),
        ("mini_batch", "blobs", {"n_clusters": 4}),
        ("kmodes", "blobs", {"n_clusters": 4}),
    ],
)
def test_home_ground(key, name, settings):
    X, y = rows_of(name)
    if key == "mean_shift":
        settings = {"bandwidth": knee_radius(X, len(X) // 8)}
    model = fitted(key, X, **settings)
    assert ari(model.labels_, y) > 0.9
    assert getattr(model, "n_found_", None) in (None, len(set(y)))


@pytest.mark.parametrize("key", [key for key in METHODS if METHODS[key].rules])
def test_rules_are_settings_of_the_method(key):
    method = METHODS[key]
    assert set(method.rules) == {"own", "silhouette"}
    for settings in method.rules.values():
        method.complete(settings)


@pytest.mark.parametrize("key", ["dbscan", "hdbscan", "mean_shift", "agglomerative"])
def test_a_method_without_chance_tries_a_few_settings_under_the_silhouette(key):
    X, _ = rows_of("iris")
    asked = {} if METHODS[key].finds_k else {"n_clusters": 3}
    given, best = (
        fitted(key, X, **asked, **METHODS[key].rules[rule]) for rule in METHODS[key].rules
    )
    worth = [silhouette(X, model.labels_) * np.mean(model.labels_ >= 0) for model in (given, best)]
    assert worth[1] >= worth[0]
    assert len(list(given.fit_iter(X))) == 2 and len(list(best.fit_iter(X))) > 4


def test_leaving_rows_out_earns_nothing():
    far = np.concatenate([np.arange(6) * 0.1, 5 + np.arange(6) * 0.1, [1.7, 2.6, 3.4]])[:, None]
    model = DBSCAN(min_samples=2, selection="silhouette")
    all_but_three = np.repeat([0, 1, -1], [6, 6, 3])
    ten_of_them = np.where(np.arange(15) % 6 > 1, -1, all_but_three)
    found = [np.asarray(labels) for labels in (all_but_three, ten_of_them)]
    worth = [model._worth(far, _Labels(labels)) for labels in found]
    assert silhouette(far, found[1]) > silhouette(far, found[0]) and worth[0] > worth[1]


class _Labels:
    def __init__(self, labels):
        self.labels = labels


def test_peaks_are_those_of_scikit_learn():
    X, _ = rows_of("wine")
    radius: Any = 3.4
    model = MeanShift(bandwidth=radius).fit(X[:80])
    reference = cluster.MeanShift(bandwidth=radius).fit(X[:80])
    np.testing.assert_allclose(model.cluster_centers_, reference.cluster_centers_, atol=1e-9)
    np.testing.assert_array_equal(model.labels_, reference.labels_)
    np.testing.assert_array_equal(model.predict(X[:80]), model.labels_)


@pytest.mark.parametrize("covariance_type", COVARIANCES)
def test_a_mixture_predicts_as_scikit_learn(covariance_type):
    X, _ = rows_of("iris")
    model = GaussianMixture(3, covariance_type=covariance_type, n_init=1, random_state=0).fit(X)
    seed = int(np.random.RandomState(0).randint(2**31))
    reference = mixture.GaussianMixture(
        3, covariance_type=covariance_type, max_iter=200, random_state=seed
    ).fit(X)
    new = np.random.default_rng(0).normal(size=(300, 4)) * 2
    np.testing.assert_array_equal(model.predict(new), reference.predict(new))
    np.testing.assert_array_equal(model.predict(X), model.labels_)
    assert model.loss_ == pytest.approx(-reference.lower_bound_)


def test_a_gaussian_that_shrinks_to_a_point_gets_a_sentence():
    X = np.repeat(np.eye(3) * 1e3, 5, axis=0)
    with pytest.raises(ValueError, match=r"reg_covar=0 should be larger: a Gaussian has shrunk"):
        GaussianMixture(3, reg_covar=0.0, random_state=0).fit(X)


@pytest.mark.parametrize("linkage", LINKAGES)
def test_linkages_are_those_of_scikit_learn(linkage):
    X, _ = rows_of("iris")
    model = Agglomerative(4, linkage=linkage).fit(X)
    reference = cluster.AgglomerativeClustering(4, linkage=linkage).fit(X)
    assert ari(model.labels_, reference.labels_) == 1.0 and model.linkage_ == linkage


def test_neighbours_alone_may_merge():
    X, y = rows_of("moons")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the moons are two pieces of the graph
        model = Agglomerative(2, linkage="average", connectivity="neighbours").fit(X)
    assert ari(model.labels_, y) == 1.0 > ari(Agglomerative(2, linkage="average").fit(X).labels_, y)


def test_the_radius_is_at_the_knee():
    X = np.concatenate([np.arange(50.0), [1000.0, 2000.0]])[:, None]
    assert knee_radius(X, 3) == pytest.approx(2.0)
    assert knee_radius(np.zeros((9, 2)), 3) > 0


@pytest.mark.parametrize("selection", ["loss", "silhouette"])
@pytest.mark.parametrize(
    "kind", [KernelKMeans, LaplacianKModes, Spectral, GaussianMixture, MiniBatchKMeans]
)
def test_edges_one_cluster_and_every_row_its_own(kind, selection):
    X = np.random.default_rng(0).normal(size=(12, 2))
    for k in (1, 12):
        model = kind(k, n_init=2, selection=selection, random_state=0).fit(X)
        assert 1 <= model.n_found_ <= k and model.cluster_centers_.shape == (k, 2)
    with pytest.raises(ValueError, match=r"n_clusters=13 should be <= n_samples=12\."):
        kind(13).fit(X)


@pytest.mark.parametrize("key", [key for key in METHODS if METHODS[key].family in OURS])
def test_duplicates_and_one_column_do_no_harm(key):
    X = np.repeat([0.0, 0.0, 1.0, 5.0], 8)[:, None]
    settings = {} if METHODS[key].finds_k else {"n_clusters": 2}
    model = fitted(key, X, **settings)
    assert len(model.labels_) == 32 and np.isfinite(model.cluster_centers_).all()


def test_a_stop_before_the_end_of_the_first_start_leaves_no_model():
    from workbench.progress import Cancelled

    X, _ = rows_of("iris")
    with pytest.raises(Cancelled):
        list(KernelKMeans(3).fit_iter(X, stop=lambda: True))
