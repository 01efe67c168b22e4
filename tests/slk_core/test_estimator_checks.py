# pyright: reportArgumentType=false
"""scikit-learn's own battery over the estimator."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from slk_core import SLK


@parametrize_with_checks([SLK(n_clusters=3, n_init=2)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
