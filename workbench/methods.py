"""The registry of methods: what each is called, how it is built and what its settings may be."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from workbench.families import centres, deep, density, graphs, memories, trees
from workbench.method import RULES, Method, by_selection
from workbench.parameter import Parameter, in_words
from workbench.table import DataError

__all__ = ["METHODS", "RULES", "Method", "Parameter", "by_selection", "complete_settings"]

_FAMILIES = (memories, centres, graphs, trees, density, deep)

METHODS: Mapping[str, Method] = MappingProxyType(
    {method.key: method for family in _FAMILIES for method in family.METHODS}
)


def complete_settings(method, settings: Mapping[str, Any] | None = None):
    """Check the settings of a method by its key and add the defaults.

    Parameters
    ----------
    method : str
        Key in `METHODS`.
    settings : mapping, optional
        What was asked for.

    Returns
    -------
    mapping
        Read-only, complete.

    Raises
    ------
    DataError
        For an unknown method, name or value.
    """
    if not isinstance(method, str) or method not in METHODS:
        raise DataError(f"method={method!r} should be one of {in_words(METHODS)}.")
    return METHODS[method].complete(settings)
