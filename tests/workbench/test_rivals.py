"""Every rival lives by scikit-learn's contract and does well on its home ground."""

import numpy as np
import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from workbench.baselines.agglomerative import Agglomerative
from workbench.baselines.dbscan import DBSCAN
from workbench.baselines.hdbscan import HDBSCAN
from workbench.baselines.kernel_kmeans import KernelKMeans
from workbench.baselines.laplacian_kmodes import LaplacianKModes
from workbench.baselines.mean_shift import MeanShift
from workbench.baselines.mini_batch import MiniBatchKMeans
from workbench.baselines.mixture import GaussianMixture
from workbench.baselines.spectral import Spectral

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
