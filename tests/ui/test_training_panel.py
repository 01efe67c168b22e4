"""What the progress line says."""

import pytest

from ui.jobs import Snapshot
from ui.training_panel import told
from workbench.progress import Progress


def running(*progress, left=None):
    return Snapshot("running", Progress(*progress), left)


@pytest.mark.parametrize(
    ("snapshot", "before", "share", "text"),
    [
        (Snapshot(), 2, 0, "Waiting: 2 runs are before yours …"),
        (Snapshot(), 1, 0, "Waiting: 1 run is before yours …"),
        (Snapshot(), 0, 0, "Waiting: yours is next …"),
        (Snapshot("running"), 0, 0, "Starting …"),
        (running("preparing"), 0, 0, "Preparing …"),
        (running("training", 3, 12, 0.51234), 0, 0.25, "Epoch 3 of 12, loss 0.5123"),
        (running("training", 3, 12, 0.5, left=40), 0, 0.25, "Epoch 3 of 12, loss 0.5, 40 s left"),
        (running("labelling"), 0, 0, "Labelling …"),
        (running("scoring", 5, 10, left=90), 0, 0.5, "Scoring: 50%, 2 min left"),
        (running("comparing", 10, 10, left=0), 0, 1, "Comparing with k-means: 100%"),
        (running("measuring", 1, 5), 0, 0.2, "Hiding, training, filling: 20%"),
    ],
)
def test_each_phase_has_its_line(snapshot, before, share, text):
    assert told(snapshot, before) == (share, text)


def test_a_cancelled_run_says_what_it_still_does():
    _, text = told(running("labelling"), 0, stopping=True)
    assert text == "Cancelled. Labelling what was reached …"
    assert told(running("training", 1, 4, 2.0), 0, unit="Start")[1].startswith("Start 1 of 4")
