"""Settings that several families have."""

from workbench.parameter import Parameter

CLUSTERS = Parameter("n_clusters", "int", 8, 1, 200, help="How many clusters to look for.")


def starts(default, most=256, *, help="Restarts, of which one is kept."):
    """Return the setting of how many starts one is kept of."""
    return Parameter("n_init", "int", default, 1, most, scale="log", help=help)


SELECTION = Parameter(
    "selection", "choice", "loss", choices=("loss", "silhouette"),
    help="Which restart is kept: that of the best value of the method's own objective, or that "
    "of the highest silhouette.",
)  # fmt: skip
