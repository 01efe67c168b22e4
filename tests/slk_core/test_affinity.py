# pyright: reportArgumentType=false, reportAttributeAccessIssue=false
"""The graph: symmetric, as the oracle has it, and one sentence for what cannot serve."""

import sys
import types

import numpy as np
import pytest
from scipy import sparse

from slk_core import check_affinity, degrees, kernel_width, knn_affinity, knn_graph
from tests.slk_core import oracle


@pytest.fixture(scope="module")
def X():
    return np.random.default_rng(0).normal(size=(60, 3))


@pytest.mark.parametrize("normalised", [True, False])
def test_the_oracle_agrees(X, normalised):
    W = knn_affinity(X, 5, normalised=normalised)
    assert W.dtype == np.float32
    np.testing.assert_allclose(W.toarray(), oracle.affinity(X, 5, normalised), atol=1e-6)


@pytest.mark.parametrize("kind", ["binary", "gaussian"])
def test_symmetric_with_a_zero_diagonal(X, kind):
    W = knn_affinity(np.vstack([X, X[:9]]), 4, kind=kind)
    assert abs(W - W.T).max() < 1e-7
    assert not W.diagonal().any()
    assert 0.7 < degrees(W).mean() < 1.1


def test_approximate_search_leaves_the_row_itself_out(X, monkeypatch):
    """The search itself takes long to compile; what it returns is exact lists with oddities."""

    class Search:
        def __init__(self, X, n_neighbors, random_state):
            gaps = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
            order = np.argsort(gaps, axis=1)[:, :n_neighbors]
            order[5] = np.argsort(gaps[5])[1 : n_neighbors + 1]  # its duplicates pushed it out
            order[7, -1] = -1  # not found
            self.neighbor_graph = order, np.take_along_axis(gaps, order, axis=1)

    monkeypatch.setitem(sys.modules, "pynndescent", types.SimpleNamespace(NNDescent=Search))
    found, lengths = knn_graph(X, 6, method="approximate")
    exact, _ = knn_graph(X, 6)
    assert not (found == np.arange(60)[:, None]).any()
    same = (found == exact).all(axis=1)
    assert same.sum() == 59 and not same[7]
    assert np.isinf(lengths[7, -1])
    assert knn_affinity(X, 6, method="approximate").nnz > 0


def test_kernel_width():
    assert kernel_width(np.array([[3.0], [4.0], [np.inf]])) == pytest.approx(np.sqrt(12.5))
    assert kernel_width(np.zeros((3, 2))) == 0
    assert kernel_width(np.full((2, 2), 1e200)) == pytest.approx(1e200)


def test_few_rows():
    assert knn_affinity(np.zeros((1, 2))).shape == (1, 1)
    assert knn_affinity(np.array([[0.0], [1.0]])).toarray().tolist() == [[0, 1], [1, 0]]


@pytest.mark.parametrize(
    ("W", "sentence"),
    [
        (np.ones((2, 3)), "should be square"),
        (np.ones((3, 3)), "should have shape"),
        ([[0, 1], [2, 0]], "should be symmetric"),
        ([[0, np.nan], [np.nan, 0]], "finite numbers only"),
        ([[0, -1], [-1, 0]], "all should be >= 0"),
        ("W", "matrix of numbers"),
    ],
)
def test_a_wrong_affinity_gets_a_sentence(W, sentence):
    with pytest.raises(ValueError, match=sentence) as error:
        check_affinity(W, 2)
    assert str(error.value).endswith(".")


def test_an_own_affinity_loses_its_diagonal():
    W = check_affinity(sparse.coo_matrix(np.array([[5.0, 1.0], [1.0, 0.0]])), 2)
    assert W.toarray().tolist() == [[0, 1], [1, 0]]
