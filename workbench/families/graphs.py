"""Modes and graphs: SLK."""

from types import MappingProxyType

from workbench.families.shared import CLUSTERS
from workbench.method import Method
from workbench.parameter import Parameter


def _build_slk(settings, *, device="cpu", dtype="float32", random_state=0):
    from slk_core import SLK  # compiles, and only needed here
    from slk_core.settings import lam_unit

    arguments = dict(settings)
    units = arguments.pop("coupling")
    model = SLK(**arguments, device=device, dtype=dtype, random_state=random_state)
    return model.set_params(lam=units * lam_unit(model))


_SLK = (
    CLUSTERS,
    Parameter("coupling", "float", 1.25, 0.0, 5.0,
              help="lambda, the weight of the graph, in units of the coupling c(k) at which "
              "neighbours begin to decide; 0 leaves prototypes alone (K-modes)."),
    Parameter("n_neighbors", "int", 10, 1, 100,
              help="Neighbours of each row in the graph. More join groups that lie apart; fewer "
              "leave the graph in pieces."),
    Parameter("modes", "choice", "mean-shift",
              choices=("mean-shift", "byproduct", "means", "exact"),
              help="How prototypes follow their rows: the nearest peak of density, the row most "
              "sure of its cluster, the mean, or the best row of all."),
    Parameter("affinity_kind", "choice", "binary", choices=("binary", "gaussian"),
              help="Whether all neighbours count alike, or near ones more."),
    Parameter("balance", "float", 0.0, 0.0, 10.0,
              help="Counts against one cluster that takes the whole graph; 0 is the paper's."),
    Parameter("n_init", "int", 10, 1, 100, help="Starts, of which one is kept."),
    Parameter("selection", "choice", "cut", choices=("cut", "objective"),
              help="Which start is kept: that of the least normalised cut of the graph, or that "
              "of the lowest objective E."),
)  # fmt: skip

METHODS = (
    Method(
        "slk", "SLK", "modes and graph", _build_slk, _SLK,
        "Ziko, Granger and Ben Ayed: Scalable Laplacian K-modes, NeurIPS 2018",
        "Needs complete rows; a group that the graph joins to another is not parted.",
        prototypes=("mode", "modes"),
        gaps=False,
        own="normalised cut of its graph",
        rules=MappingProxyType({"own": MappingProxyType({"selection": "cut"})}),
    ),
)  # fmt: skip
