"""The plane through three prototypes: exact for recall, honest about what it holds."""

import numpy as np
import pytest
import torch

from clam_core import make_energy, recall
from workbench.dataset import DataError
from workbench.slices import slice_through

EUCLIDEAN = make_energy("euclidean")


@pytest.fixture
def model():
    rng = np.random.default_rng(0)
    return rng.normal(size=(5, 7)), rng.normal(size=(60, 7))


def test_the_three_lie_in_the_plane(model):
    prototypes, X = model
    cut = slice_through(prototypes, (0, 2, 4), X)
    assert list(cut.held) == [True, False, True, False, True]
    np.testing.assert_allclose(cut.plane.lift(cut.keys[[0, 2, 4], :2]), prototypes[[0, 2, 4]])
    assert 0 < cut.share < 1


def test_coordinates_keep_distances(model):
    prototypes, X = model
    cut = slice_through(prototypes, (3, 1, 0), X)
    assert cut.keys.shape == (5, 4)
    apart = np.linalg.norm(prototypes[:, None] - prototypes, axis=2)
    np.testing.assert_allclose(np.linalg.norm(cut.keys[:, None] - cut.keys, axis=2), apart)


def test_recall_is_the_same_in_the_spans_coordinates(model):
    prototypes, X = model
    cut = slice_through(prototypes, (0, 1, 2), X)
    points = np.random.default_rng(1).normal(size=(40, 2))
    short = np.zeros((40, cut.keys.shape[1]))
    short[:, :2] = points
    how = {"energy": EUCLIDEAN, "beta": 0.7, "n_steps": 10}
    ends = recall(torch.tensor(cut.plane.lift(points)), torch.tensor(prototypes), **how)
    own = recall(torch.tensor(short), torch.tensor(cut.keys), **how)
    apart = torch.cdist(ends, torch.tensor(prototypes))
    np.testing.assert_allclose(torch.cdist(own, torch.tensor(cut.keys)), apart, rtol=1e-9)


def test_three_prototypes_hold_their_plane_alone(model):
    prototypes, X = model
    cut = slice_through(prototypes[:3], (0, 1, 2), X)
    assert cut.keys.shape == (3, 2) and cut.held.all()


@pytest.mark.parametrize("chosen", [(0, 0, 1), (0, 1)])
def test_three_different_ones_are_asked_for(model, chosen):
    with pytest.raises(DataError, match="three different"):
        slice_through(model[0], chosen, model[1])


def test_a_line_has_no_plane():
    prototypes = np.array([[0.0, 0, 0], [1, 1, 1], [2, 2, 2], [0, 1, 0]])
    with pytest.raises(DataError, match="on a line"):
        slice_through(prototypes, (0, 1, 2), prototypes)
