"""An outcome is the same whatever numbers the method gave its clusters."""

from types import SimpleNamespace

import numpy as np

from workbench.builtin import builtin
from workbench.dataset import prepare
from workbench.metrics import silhouette
from workbench.outcome import outcome


def test_clusters_are_numbered_counted_and_scored():
    dataset = prepare(builtin("blobs"), label="class")
    own = np.where(np.arange(400) < 40, 3, np.arange(400) % 2 + 1)
    centres = np.array([dataset.X[own == c].mean(axis=0) if c else [9, 9] for c in range(4)])
    found = outcome(SimpleNamespace(labels_=own, cluster_centers_=centres), dataset)
    assert found.sizes.tolist() == [180, 180, 40, 0] and found.n_found == 3
    assert found.labels[0] == 2 and found.labels[40] == 0
    np.testing.assert_array_equal(found.prototypes, centres[[1, 2, 3, 0]])
    assert found.silhouette == silhouette(dataset.X, own)
    assert found.notes == ("4 clusters were asked for, and 3 have rows.",)
