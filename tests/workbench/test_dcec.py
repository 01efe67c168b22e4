"""DCEC clusters images better than k-means does, and refuses what is no image."""

import math
from typing import Any

import numpy as np
import pytest
import torch
from sklearn import cluster
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import parametrize_with_checks

from workbench.baselines.dcec import DCEC, Autoencoder
from workbench.methods import METHODS
from workbench.metrics import nmi
from workbench.progress import Cancelled

DIGITS: Any = load_digits()
X, Y = DIGITS.data, DIGITS.target

Lloyd: Any = cluster.KMeans


class Padded(DCEC):
    """DCEC of rows of any length, which are the first pixels of a square image.

    The rows of scikit-learn's checks have 1 to 20 columns, and hardly any of them is a square
    image. That is the one exception: DCEC refuses them, see the test below.
    """

    def _inside(self, n_columns):
        side = max(2, math.ceil(math.sqrt(n_columns)))
        return np.arange(side**2) < n_columns


CHECKED = Padded(n_clusters=3, n_epochs=30, max_iter=10, n_embedded=4, learning_rate=0.01)


@parametrize_with_checks([CHECKED])
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("columns", [1, 3, 13])
def test_rows_that_are_no_square_images_are_refused(columns):
    with pytest.raises(ValueError, match=f"X with {columns} columns should be square images for"):
        DCEC(2).fit(np.ones((5, columns)))


@pytest.mark.parametrize("side", [2, 3, 5, 8, 9, 28])
def test_the_way_back_gives_images_of_the_same_size(side):
    network = Autoencoder(side, 4)
    images = torch.zeros(3, 1, side, side)
    embedded = network.encode(images)
    assert embedded.shape == (3, 4)
    assert network.decode(embedded).shape == images.shape


def test_it_beats_k_means_on_digits():
    lloyd = Lloyd(10, n_init=10, random_state=0).fit_predict(X)
    model = DCEC(10, max_iter=420, random_state=0).fit(X)  # a third of the usual; it goes on
    assert nmi(model.labels_, Y) > nmi(lloyd, Y) + 0.02
    assert model.labels_.tolist() == model.predict(X).tolist()
    assert model.n_found_ == 10
    means = np.stack([X[model.labels_ == j].mean(0) for j in range(10)])
    assert np.abs(model.cluster_centers_ - means).mean() < 2  # of 16: the centres are images


def test_the_loss_is_both_parts():
    model = DCEC(3, n_epochs=3, max_iter=20, gamma=0.5, random_state=0).fit(X[:200])
    assert model.loss_ == pytest.approx(model.reconstruction_ + 0.5 * model.divergence_)
    longer = DCEC(3, n_epochs=30, max_iter=20, gamma=0.5, random_state=0).fit(X[:200])
    assert longer.reconstruction_ < model.reconstruction_


def test_neither_units_nor_offset_matter():
    settings: dict[str, Any] = {"n_epochs": 2, "max_iter": 5, "dtype": "float64", "random_state": 0}
    first, second = (DCEC(3, **settings).fit(rows) for rows in (X[:100], 9 * X[:100] - 4))
    assert first.labels_.tolist() == second.labels_.tolist()
    assert first.loss_ == pytest.approx(second.loss_, rel=1e-6)
    with pytest.warns(ConvergenceWarning):
        assert DCEC(2, **settings).fit(np.ones((9, 16))).n_found_ == 1


def test_it_reports_inside_a_start_and_stops_when_asked():
    model = DCEC(3, n_epochs=40, max_iter=40, tol=0, random_state=0)
    shares = [snapshot.start for snapshot in model.fit_iter(X[:100])]
    assert shares == pytest.approx([0, 0.25, 0.5, 0.75, 1])
    with pytest.raises(Cancelled):
        list(model.fit_iter(X[:100], stop=lambda: True))


def test_pixels_that_are_no_columns_are_zero():
    varied = np.ptp(X, axis=0) > 0  # the others are background in all digits
    settings: dict[str, Any] = {"n_epochs": 2, "max_iter": 5, "random_state": 0}
    whole = DCEC(3, **settings).fit(X[:200])
    parts = DCEC(3, pixels=varied, **settings).fit(X[:200, varied])
    assert 0 < varied.sum() < 64
    assert whole.labels_.tolist() == parts.labels_.tolist()
    assert whole.cluster_centers_[:, varied].tolist() == parts.cluster_centers_.tolist()
    assert parts.predict(X[:200, varied]).tolist() == parts.labels_.tolist()
    with pytest.raises(ValueError, match="pixels=61 should be as many as the 60 columns of X"):
        DCEC(3, pixels=varied, **settings).fit(X[:200, :60])


def global_numbers():
    state: Any = np.random.get_state()  # noqa: NPY002 - it must not change
    return state[1].tolist()


def test_it_leaves_the_global_generators_alone():
    before, numbers = torch.get_rng_state(), global_numbers()
    models = [DCEC(3, n_epochs=2, max_iter=5, random_state=5).fit(X[:100]) for _ in range(2)]
    assert torch.equal(before, torch.get_rng_state())
    assert numbers == global_numbers()
    assert models[0].loss_ == models[1].loss_


def test_the_registry_offers_it():
    method = METHODS["dcec"]
    model = method.build(method.complete({"n_clusters": 3}), random_state=7)
    assert isinstance(model, DCEC) and model.n_clusters == 3 and method.images
