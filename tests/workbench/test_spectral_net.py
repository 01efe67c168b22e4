"""SpectralNet approaches the eigenvectors of its graph, parts two moons and labels new rows."""

from typing import Any

import numpy as np
import pytest
import torch
from scipy import linalg
from sklearn import cluster
from sklearn.datasets import make_moons
from sklearn.utils.estimator_checks import parametrize_with_checks

from workbench.baselines.spectral_net import SpectralNet, affinity, spectral_loss, whitening
from workbench.methods import METHODS
from workbench.metrics import ari
from workbench.progress import Cancelled

Lloyd: Any = cluster.KMeans


@parametrize_with_checks([SpectralNet(n_clusters=3, n_init=1, n_epochs=30, n_hidden=16)])
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def points(n=40, d=3):
    return np.random.default_rng(0).normal(size=(n, d))


def test_the_affinity_against_slow_loops():
    X, k = points(), 4
    distances = np.sqrt(((X[:, None] - X) ** 2).sum(2))
    order = np.argsort(distances, axis=1)[:, 1 : k + 1]
    scale = [distances[i, order[i, -1]] for i in range(len(X))]
    W = np.zeros_like(distances)
    for i in range(len(X)):
        for j in order[i]:
            W[i, j] = np.exp(-(distances[i, j] ** 2) / (scale[i] * scale[j]))
    assert np.allclose(affinity(torch.tensor(X), k), (W + W.T) / 2)
    assert torch.isfinite(affinity(torch.ones(9, 2), 20)).all()


def test_outputs_are_orthogonalised():
    outputs = torch.tensor(points())
    weights = torch.rand(40, generator=torch.Generator().manual_seed(0)).double()
    embedded = outputs @ whitening(outputs, weights)
    gram = embedded.T @ (embedded * (weights / weights.sum())[:, None])
    assert np.allclose(gram, np.eye(3), atol=1e-5)


def test_the_loss_is_bounded_by_the_eigenvalues():
    W = affinity(torch.tensor(points()), 6)
    degrees = np.diag(W.sum(1))
    values, vectors = linalg.eigh(degrees - W.numpy(), degrees)
    least = float(spectral_loss(W, torch.tensor(vectors[:, :3].copy())))
    assert least == pytest.approx(values[:3].sum(), abs=1e-5)
    assert float(spectral_loss(W, torch.tensor(points()))) > least
    assert float(spectral_loss(W, torch.tensor(points()))) == pytest.approx(slow_loss(W.numpy()))


def slow_loss(W):
    degrees, outputs = W.sum(1), points()
    gram = sum(d * np.outer(row, row) for d, row in zip(degrees, outputs, strict=True))
    embedded = outputs @ np.linalg.inv(np.linalg.cholesky(gram / degrees.sum())).T
    n = len(W)
    pairs = [W[i, j] * ((embedded[i] - embedded[j]) ** 2).sum() for i in range(n) for j in range(n)]
    return pytest.approx(sum(pairs) / 2 / degrees.sum(), rel=1e-4)


def test_it_parts_two_moons_where_k_means_fails():
    X, y = make_moons(240, noise=0.05, random_state=0)
    lloyd = Lloyd(2, n_init=5, random_state=0).fit_predict(X)
    model = SpectralNet(2, n_init=1, random_state=0).fit(X)
    assert ari(lloyd, y) < 0.5
    assert ari(model.labels_, y) > 0.9
    assert model.labels_.tolist() == model.predict(X).tolist()
    more, classes = make_moons(200, noise=0.05, random_state=1)
    assert ari(model.predict(more), classes) > 0.9
    assert np.allclose(model.cluster_centers_[0], X[model.labels_ == 0].mean(0))


def test_it_learns_in_batches_and_without_a_siamese_network():
    X = np.concatenate([points(60) - 4, points(60) + 4])
    y = np.arange(120) // 60
    each: Any = ({"batch_size": 50, "n_epochs": 40}, {"siamese": False, "n_epochs": 100})
    for settings in each:
        model = SpectralNet(2, n_init=1, n_hidden=32, random_state=0, **settings).fit(X)
        assert ari(model.labels_, y) == 1.0


def test_one_row_alone_has_no_graph():
    with pytest.raises(ValueError, match=r"batch_size=1 should be a whole number >= 2\."):
        SpectralNet(2, batch_size=1).fit(points(20))
    model = SpectralNet(2, batch_size=2, n_epochs=1, n_init=1, random_state=0).fit(points(20))
    assert np.isfinite(model.loss_)


def test_units_do_not_matter():
    X = points(50)
    settings: dict[str, Any] = {"n_init": 1, "n_epochs": 20, "dtype": "float64"}
    first, second = (
        SpectralNet(2, random_state=0, **settings).fit(rows) for rows in (X, 1000 * X + 7)
    )
    assert first.labels_.tolist() == second.labels_.tolist()
    assert first.loss_ == pytest.approx(second.loss_, rel=1e-3)


def test_it_reports_inside_a_start_and_stops_when_asked():
    model = SpectralNet(2, n_init=2, n_epochs=20, n_hidden=8, random_state=0)
    shares = [snapshot.start for snapshot in model.fit_iter(points())]
    assert shares == sorted(shares) and len(shares) == 10 and shares[-1] == 2
    with pytest.raises(Cancelled):
        list(model.fit_iter(points(), stop=lambda: True))


def global_numbers():
    state: Any = np.random.get_state()  # noqa: NPY002 - it must not change
    return state[1].tolist()


def test_it_leaves_the_global_generators_alone():
    before, numbers = torch.get_rng_state(), global_numbers()
    models = [SpectralNet(2, n_init=1, n_epochs=5, random_state=5).fit(points()) for _ in range(2)]
    assert torch.equal(before, torch.get_rng_state())
    assert numbers == global_numbers()
    assert models[0].loss_ == models[1].loss_


def test_the_registry_offers_it():
    method = METHODS["spectral_net"]
    model = method.build(method.complete({"n_clusters": 3, "n_epochs": "auto"}), random_state=7)
    assert isinstance(model, SpectralNet) and model.n_clusters == 3
