"""k-means keeps its restart by either rule and lives by scikit-learn's contract."""

from typing import Any

import numpy as np
import pytest
from sklearn import cluster
from sklearn.utils.estimator_checks import parametrize_with_checks
from threadpoolctl import threadpool_limits

from workbench.baselines.kmeans import KMeans
from workbench.metrics import ari, silhouette

Lloyd: Any = cluster.KMeans


@parametrize_with_checks([KMeans(n_init=2)])
def test_the_contract_of_scikit_learn(estimator, check):
    check(estimator)


def points(seed=0):
    return np.random.default_rng(seed).normal(size=(120, 3))


def test_the_lowest_loss_is_that_of_scikit_learn():
    centres = np.array([[0, 0, 0], [9, 0, 0], [0, 9, 0], [0, 0, 9], [9, 9, 9]])
    X = points() + centres[np.arange(120) % 5]
    model = KMeans(5, n_init=20, random_state=0).fit(X)
    reference = Lloyd(5, n_init=20, random_state=0).fit(X)
    assert model.loss_ == pytest.approx(reference.inertia_)
    assert ari(model.labels_, reference.labels_) == 1.0
    assert model.labels_.tolist() == model.predict(X).tolist()
    assert model.n_found_ == 5 and model.cluster_centers_.shape == (5, 3)


def test_either_rule_chooses_among_the_same_restarts():
    X = points(1)
    seeds = np.random.RandomState(0).randint(2**31, size=30)
    starts = [Lloyd(6, n_init=1, random_state=int(seed)).fit(X) for seed in seeds]
    by_loss = KMeans(6, n_init=30, random_state=0).fit(X)
    by_score = KMeans(6, n_init=30, selection="silhouette", random_state=0).fit(X)
    assert by_loss.loss_ == min(start.inertia_ for start in starts) < by_score.loss_
    scores = [silhouette(X, start.labels_) for start in starts]
    assert silhouette(X, by_score.labels_) == max(scores) > silhouette(X, by_loss.labels_)


def test_a_gap_counts_as_the_mean():
    X = points(2)
    X[5, 1] = np.nan
    filled = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    model, reference = (KMeans(4, random_state=0).fit(each) for each in (X, filled))
    assert model.labels_.tolist() == reference.labels_.tolist()
    assert model.predict(X).tolist() == reference.labels_.tolist()


@pytest.mark.parametrize("selection", ["loss", "silhouette"])
def test_more_clusters_than_rows_or_points(selection):
    X = np.repeat(np.eye(3), 10, axis=0)
    assert KMeans(3, selection=selection, random_state=0).fit(X).n_found_ == 3
    with pytest.raises(ValueError, match=r"n_clusters=4 should be <= 3, the number of distinct"):
        KMeans(4, selection=selection).fit(X)
    with pytest.raises(ValueError, match=r"n_clusters=31 should be <= n_samples=30\."):
        KMeans(31, selection=selection).fit(X)
    assert KMeans(1, selection=selection).fit(X).n_found_ == 1


def test_threads_change_no_more_than_rounding():
    X = np.random.default_rng(3).normal(size=(3000, 20)).astype(np.float32)
    models = []
    for threads in (1, 2):
        with threadpool_limits(threads):
            models.append(KMeans(8, n_init=1, random_state=0).fit(X))
    assert models[0].loss_ == pytest.approx(models[1].loss_, rel=1e-9)
    assert ari(models[0].labels_, models[1].labels_) > 0.99


def test_stopped_after_a_start_it_keeps_the_best_until_then():
    X, whole = points(3), KMeans(5, n_init=4, random_state=0)
    told = list(whole.fit_iter(X))
    assert [each.start for each in told] == [1, 2, 3, 4] and {each.n_starts for each in told} == {4}
    assert told[-1].objective == whole.loss_
    stopped = KMeans(5, n_init=4, random_state=0)
    assert len(list(stopped.fit_iter(X, stop=lambda: True))) == 1
    assert stopped.loss_ == told[0].objective and len(stopped.labels_) == len(X)
