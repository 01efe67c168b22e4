"""The sentence beneath a picture of basins, made from its numbers: what it shows, and why."""

import math
from dataclasses import dataclass

_ALIKE = 0.005  # of the picture: below it the partition passes for Voronoi's
_NEARLY_ALIKE = 0.9  # of the largest entropy
_NEARLY_HARD = 0.3  # of the largest entropy


@dataclass(frozen=True)
class BasinNumbers:
    """What a picture of basins measured.

    Attributes
    ----------
    k : int
        Memories.
    energy : {"euclidean", "weighted", "spherical"}
    beta : float
        Inverse temperature in the paper's convention (equation 1).
    beta_shown : str
        The same as the page writes it.
    n_steps : int or None
        T, or None where queries ran to their attractor.
    leaving : float
        Share of the picture whose basin is not that of its nearest memory.
    n_attractors : int
    entropy : float
        Mean entropy of the softmax over the picture (equation 13), nats.
    heaviest : int, default 0
        Number of the memory of largest weight; 0 where all weigh alike.
    points : int, default 0
        Data points shown.
    points_leaving : int, default 0
        Of these, how many lie in another basin than their Voronoi cell's.
    """

    k: int
    energy: str
    beta: float
    beta_shown: str
    n_steps: int | None
    leaving: float
    n_attractors: int
    entropy: float
    heaviest: int = 0
    points: int = 0
    points_leaving: int = 0


def basin_sentence(numbers):
    """One sentence on what the picture shows and why.

    Parameters
    ----------
    numbers : BasinNumbers

    Returns
    -------
    str
    """
    if numbers.k == 1:
        return (
            "With a single memory there is a single basin: every point is recalled to it, "
            "whatever β is."
        )
    return (
        f"At β = {numbers.beta_shown} {_attractors(numbers)}{_where(numbers)} {_area(numbers)}"
        f"{_of_points(numbers)}, because {_why(numbers)}."
    )


def comparison_sentence(n_pixels, n_differing, n_far):
    """Say how two pictures of the same basins compare.

    Parameters
    ----------
    n_pixels : int
    n_differing : int
        Pixels of different basins.
    n_far : int
        Of these, how many are not within one pixel of a border.

    Returns
    -------
    str
    """
    if not n_differing:
        return f"Verified: all {n_pixels:,} pixels agree with the engine's."
    where = "all within one pixel of a border" if not n_far else f"{n_far} away from any border"
    verdict = "Verified" if not n_far and n_differing < n_pixels / 1000 else "They differ"
    verb = "differs" if n_differing == 1 else "differ"
    return (
        f"{verdict}: {n_differing} of {n_pixels:,} pixels ({percent(n_differing / n_pixels)}) "
        f"{verb} from the engine's, {where}."
    )


def percent(share):
    """Write a share as a percentage that never rounds something to nothing."""
    if share == 0:
        return "0 %"
    if share < 0.001:
        return "less than 0.1 %"
    return f"{100 * share:.1f} %"


def _attractors(numbers):
    if numbers.n_attractors == 1:
        return f"the {numbers.k} memories share one attractor"
    if numbers.n_attractors == numbers.k:
        return f"each of the {numbers.k} memories has an attractor of its own"
    only = "only " if numbers.n_attractors < numbers.k else ""
    return f"the {numbers.k} memories have {only}{numbers.n_attractors} attractors"


def _where(numbers):
    if numbers.n_steps is None:
        return ", and"
    steps = "step" if numbers.n_steps == 1 else "steps"
    return f"; after T = {numbers.n_steps} {steps}"


def _area(numbers):
    if numbers.leaving == 0:
        return "every point of the picture belongs to its nearest memory"
    return f"{percent(numbers.leaving)} of the picture belongs to a memory that is not its nearest"


def _of_points(numbers):
    if not numbers.points:
        return ""
    if not numbers.points_leaving:
        return f", though none of the {numbers.points} data points leaves its Voronoi cell"
    verb = "leaves" if numbers.points_leaving == 1 else "leave"
    share = percent(numbers.points_leaving / numbers.points)
    return (
        f", and {numbers.points_leaving} of the {numbers.points} data points ({share}) {verb} "
        "their Voronoi cell"
    )


def _why(numbers):
    most = math.log(numbers.k)
    nats = f"mean entropy {numbers.entropy:.2f} of at most ln {numbers.k} = {most:.2f} nats"
    if numbers.leaving < _ALIKE:
        return _why_alike(numbers, numbers.entropy / most, nats)
    if numbers.heaviest:
        if numbers.n_attractors == 1:
            return f"memory {numbers.heaviest} weighs most and outdoes the others ({nats})"
        return (
            "a memory of larger weight pulls from farther away, and more so the smaller β is "
            f"({nats})"
        )
    if numbers.n_attractors == 1:
        cause = (
            "the softmax weighs all memories nearly alike"
            if numbers.entropy >= _NEARLY_ALIKE * most
            else "β is too small to hold memories this close apart"
        )
        return f"{cause} ({nats}){_left_over(numbers)}"
    if numbers.n_attractors < numbers.k:
        return f"memories that lie close together pull as one ({nats}){_left_over(numbers)}"
    return (
        f"away from the memories several of them pull together ({nats}) and can outdo the "
        "nearest one"
    )


def _why_alike(numbers, hardness, nats):
    """Say why basins and Voronoi cells agree."""
    if hardness < _NEARLY_HARD:
        return f"the softmax is nearly hard ({nats}): the nearest memory alone decides"
    if numbers.n_attractors == 1 and numbers.n_steps is not None and numbers.n_steps > 1:
        left = 100 * (1 - 1 / numbers.n_steps) ** numbers.n_steps
        return (
            f"the pulls nearly balance ({nats}), and the (1 − 1/T)^T = {left:.0f} % of a start "
            "that T steps of 1/T keep decides"
        )
    return f"the pulls balance where the cells meet ({nats})"


def _left_over(numbers):
    """Say what steps of 1/T leave of the start, which is why labels can outnumber attractors."""
    if numbers.n_steps is None:
        return " and draws every point to their common middle" if numbers.n_attractors == 1 else ""
    if numbers.energy == "spherical":
        return ""
    if numbers.n_steps == 1:
        return ", and the one full step takes every point close to their middle"
    left = (1 - 1 / numbers.n_steps) ** numbers.n_steps
    return (
        f", yet T steps of 1/T keep (1 − 1/T)^T = {100 * left:.0f} % of where a point started, "
        "and that still tells the basins apart"
    )


@dataclass(frozen=True)
class GraphNumbers:
    """What a clustering on a graph measured.

    Attributes
    ----------
    n, k : int
        Rows and clusters asked for.
    found : int
        Clusters that have rows.
    coupling : float
        lambda in units of c(k).
    moved : int
        Rows whose cluster is another than without the graph, at lambda = 0.
    cut, cut_alone : float
        Share of the edges that join two clusters, with and without the graph.
    """

    n: int
    k: int
    found: int
    coupling: float
    moved: int
    cut: float
    cut_alone: float


def graph_sentence(numbers):
    """Say what lambda did.

    Parameters
    ----------
    numbers : GraphNumbers

    Returns
    -------
    str
    """
    if numbers.k == 1:
        return "With k = 1 all rows are one cluster, whatever λ is."
    if numbers.coupling == 0:
        return (
            "At λ = 0 the graph does not count: each row goes to the mode that is nearest "
            f"(K-modes), and {percent(numbers.cut)} of the edges join two clusters."
        )
    empty = numbers.k - numbers.found
    merged = (
        f" {numbers.found} of {numbers.k} clusters have rows: the graph pulls the others together."
        if empty
        else ""
    )
    at = f"At λ = {numbers.coupling:g} c(k) "
    if not numbers.moved:
        return (
            f"{at}the graph changes no row's cluster: prototypes alone cut {percent(numbers.cut)} "
            f"of the edges already.{merged}"
        )
    rows = "row is" if numbers.moved == 1 else "rows are"
    way = "fall" if numbers.cut < numbers.cut_alone else "rise"
    return (
        f"{at}{numbers.moved} of {numbers.n} {rows} in another cluster than at λ = 0, and the "
        f"edges that join two clusters {way} from {percent(numbers.cut_alone)} to "
        f"{percent(numbers.cut)}: neighbours decide together.{merged}"
    )
