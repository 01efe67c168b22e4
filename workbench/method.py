"""A way of clustering: its name, its settings, its limits and how it is built."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from workbench.metrics import fill_gaps
from workbench.parameter import Parameter, in_words
from workbench.table import DataError

RULES: Mapping[str, str] = MappingProxyType(
    {"own": "own objective", "silhouette": "silhouette (SC)"}
)
"""By what one outcome of several is kept; a comparison never mixes them."""


def by_selection(own):
    """Return the rules of a method that has a setting "selection".

    Parameters
    ----------
    own : str
        Value of the setting that means its own objective.

    Returns
    -------
    mapping of str to mapping
    """
    return MappingProxyType(
        {
            "own": MappingProxyType({"selection": own}),
            "silhouette": MappingProxyType({"selection": "silhouette"}),
        }
    )


@dataclass(frozen=True)
class Method:
    """A way of clustering, as pages, the command line and tests know it.

    Parameters
    ----------
    key, name : str
        Word in a recipe, and name on the screen.
    family : str
        Kind of method, for grouping.
    build : callable
        `build(settings, *, device, dtype, random_state)` returns an unfitted estimator, or
        raises DataError where nothing is fitted.
    parameters : tuple of Parameter
        All settings.
    reference : str
        Where the method is published.
    limits : str
        What it cannot do, in a sentence.
    prototypes : (str, str), default ("memory", "memories")
        What its prototypes are called: one, and several.
    gaps : bool, default True
        Whether its rows may have missing values.
    needs : str, default "k"
        What it must be given besides rows, in words.
    own : str, default ""
        What it optimises: its own objective, in words. Empty where it optimises nothing.
    rules : mapping of str to mapping, default {}
        Settings under each of the `RULES` by which the bench keeps one outcome of several; empty
        where there is one outcome only.
    max_rows : int, default 1,000,000
        Above that many it is not begun unless forced.
    images : bool, default False
        Whether rows must be square images.
    noise : bool, default False
        Whether it may leave rows without a cluster (label -1).
    """

    key: str
    name: str
    family: str
    build: Callable[..., Any]
    parameters: tuple[Parameter, ...]
    reference: str
    limits: str
    prototypes: tuple[str, str] = ("memory", "memories")
    gaps: bool = True
    needs: str = "k"
    own: str = ""
    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    max_rows: int = 1_000_000
    images: bool = False
    noise: bool = False

    @property
    def finds_k(self):
        """Whether it finds the number of clusters itself."""
        return all(parameter.name != "n_clusters" for parameter in self.parameters)

    def rows(self, X):
        """Return rows as the method takes them.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            NaN marks a missing value.

        Returns
        -------
        ndarray of shape (n, d)
            With gaps filled by their column's mean where the method needs complete rows.
        """
        return X if self.gaps else fill_gaps(X)

    def parameter(self, name):
        """Return the parameter of that name.

        Parameters
        ----------
        name : str
            Name of a setting.

        Returns
        -------
        Parameter

        Raises
        ------
        KeyError
            Where the method has none of that name.
        """
        return {parameter.name: parameter for parameter in self.parameters}[name]

    def complete(self, settings=None):
        """Check settings and add the defaults of those left out.

        Parameters
        ----------
        settings : mapping of str to float, int, str or bool, optional
            What was asked for.

        Returns
        -------
        mapping
            Read-only, with a value for every parameter, in their order.

        Raises
        ------
        DataError
            For a name the method does not have, or a value that is not legal.
        """
        asked = dict(settings or {})
        known = [parameter.name for parameter in self.parameters]
        for name in asked:
            if name not in known:
                raise DataError(f"setting={name!r} should be one of {in_words(known)}.")
        values = {p.name: p.check(asked.get(p.name, p.default)) for p in self.parameters}
        return MappingProxyType(values)
