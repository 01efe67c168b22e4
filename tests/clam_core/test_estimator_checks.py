# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalMemberAccess=false, reportOptionalSubscript=false, reportOptionalOperand=false
# pyright: reportAssignmentType=false, reportGeneralTypeIssues=false
"""scikit-learn's own battery over the estimator."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from clam_core import ClAM


@parametrize_with_checks([ClAM(n_clusters=3, n_init=4, n_epochs=20)])
def test_scikit_learn_contract(estimator, check):
    check(estimator)
