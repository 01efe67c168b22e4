"""What a fit will cost, roughly, before it begins."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Estimate:
    """Time and memory of one fit, right within a factor of three or so.

    Attributes
    ----------
    seconds, bytes : float
        NaN where nothing is known.
    words : str
        Such as "about 3 minutes, 2.1 GiB".
    """

    seconds: float
    bytes: float
    words: str
