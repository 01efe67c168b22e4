"""Names and notes that a person gives to clusters; they decide nothing that is computed."""

from typing import Annotated

from pydantic import Field

from workbench.value import Frozen, Value, nothing

Cluster = Annotated[int, Field(ge=0, le=10_000)]


class Notes(Value):
    """What a person wrote about the clusters of one run.

    Parameters
    ----------
    names, texts : mapping of int to str, default {}
        By cluster, from 0.
    """

    names: Frozen[Cluster, Annotated[str, Field(max_length=80)]] = Field(default_factory=nothing)
    texts: Frozen[Cluster, Annotated[str, Field(max_length=2000)]] = Field(default_factory=nothing)

    def name(self, cluster):
        """Return the name of a cluster: its own, else its number from 1.

        Parameters
        ----------
        cluster : int
            From 0.

        Returns
        -------
        str
        """
        return self.names.get(cluster) or f"cluster {cluster + 1}"
