"""The sample table shows what an uploaded one goes through."""

from pathlib import Path

import numpy as np

from workbench.baselines.kmeans import KMeans
from workbench.dataset import prepare
from workbench.intake import read_table
from workbench.metrics import silhouette

SAMPLE = Path(__file__).parents[2] / "assets" / "samples" / "customers.csv"


def test_the_sample_has_gaps_a_counter_and_four_groups():
    payload = SAMPLE.read_bytes()
    assert len(payload) < 20_000
    dataset = prepare(read_table(payload, SAMPLE.name))
    assert dataset.X.shape == (240, 5) and "customer_id" not in dataset.features
    assert 10 < np.isnan(dataset.X).sum() < 40
    scores = [
        silhouette(dataset.X, KMeans(k, random_state=0).fit(dataset.X).labels_) for k in range(2, 8)
    ]
    assert int(np.argmax(scores)) + 2 == 4
