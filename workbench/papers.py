"""Settings of Saha et al. (ICML 2023), and for each of their data sets at hand what they score."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from workbench import published


@dataclass(frozen=True)
class Scores:
    """A published row: silhouette (Table 1), NMI and ARI against the classes (Table 9)."""

    silhouette: float
    nmi: float
    ari: float

    @property
    def line(self):
        """The three numbers, as a line of text."""
        return f"SC {self.silhouette}, NMI {self.nmi}, ARI {self.ari}"


@dataclass(frozen=True)
class Published:
    """A data set of the paper.

    Parameters
    ----------
    name : str
        Short name, a key in `workbench.published.SETS`.
    """

    name: str

    @property
    def file(self):
        """Stem of its CSV among the reference sets."""
        return published.SETS[self.name].file

    @property
    def kmeans(self):
        """Scores of k-means."""
        return self._scores("kmeans")

    @property
    def clam(self):
        """Scores of ClAM."""
        return self._scores("clam")

    def settings(self):
        """Return Table 6's row as settings, see `workbench.published.settings_of`."""
        return published.settings_of(self.name)

    def _scores(self, column):
        tables = (published.TABLE_1, published.TABLE_9_NMI, published.TABLE_9_ARI)
        return Scores(*(table[self.name][column] for table in tables))


FIGURE_1: Mapping[str, object] = MappingProxyType(
    {
        "beta": 10.0,
        "corruption": "noise",
        "noise_scale": 0.05,
        "init": "gaussian",
        "n_init": 200,
        "n_epochs": 10,
        "batch_size": 32,
        "learning_rate": 0.02,
        "schedule": "constant",
        "selection": "mahalanobis",
    }
)
"""Settings that find Figure 1's elongated clusters in standardised data.

In two dimensions masks make no sense, so small noise corrupts; restarts from everywhere are many,
and the silhouette under the covariance of the whole data picks one of the few that succeed.
"""

TABLES: Mapping[str, Published] = MappingProxyType(
    {
        name: Published(name)
        for name in ("Zoo", "Ecoli", "MovLib", "Yale", "MicePE", "CTG", "Segment", "USPS")
    }
)
"""The data sets on which `python -m benchmarks paper` runs."""
