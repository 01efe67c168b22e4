"""Seconds and bytes of one fit by method, as formulas in the size of the data.

Constants are nanoseconds of one thread of a 2024 server core, measured by `python -m benchmarks
estimates`.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Size(NamedTuple):
    """Rows, features and clusters."""

    n: int
    d: int
    k: int


COSTS: Mapping[str, Callable[[Size, Mapping[str, Any]], tuple[float, float]]] = MappingProxyType({})
