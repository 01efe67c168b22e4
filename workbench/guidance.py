"""What the evidence of a comparison favours, in a short and honest paragraph."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Guidance:
    """What a comparison speaks for.

    Attributes
    ----------
    sentences : tuple of str
        A paragraph, in order.
    method : str or None
        Key of the method that is favoured; None where none is.
    k : int or None
        Number of clusters that is favoured; None where none is.
    """

    sentences: tuple[str, ...]
    method: str | None
    k: int | None


def guidance(standings, overlap=None, *, rule="own", n=0, asked=None, how_many=None) -> Guidance:
    """Say what the evidence favours, and where it favours nothing.

    Parameters
    ----------
    standings : sequence of Standing
        Of `workbench.standings.standings`.
    overlap : Overlap, optional
        How far the methods agree.
    rule : {"own", "silhouette"}, default "own"
        By which all kept one outcome of several.
    n : int
        Rows.
    asked : int, optional
        The k that methods were told.
    how_many : HowMany, optional
        Five criteria for k.

    Returns
    -------
    Guidance
    """
    raise NotImplementedError
