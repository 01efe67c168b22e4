"""The paper's settings, in our convention of beta."""

from clam_core import ClAM
from clam_core.settings import check_settings
from workbench.methods import METHODS
from workbench.papers import TABLES


def test_table_6_is_halved():
    printed = {"Zoo": 2.4, "Ecoli": 0.095, "MovLib": 0.7, "Yale": 0.06}
    printed |= {"MicePE": 0.1, "CTG": 0.4, "Segment": 0.1, "USPS": 0.1}
    assert {name: 2 * row.settings()["beta"] for name, row in TABLES.items()} == printed


def test_every_row_is_legal_for_the_engine_and_the_registry():
    for row in TABLES.values():
        check_settings(ClAM(**row.settings()))
        settings = {"n_clusters": 2, **row.settings()}
        assert METHODS["clam"].complete(settings).items() >= settings.items()


def test_clam_improves_on_k_means_in_the_paper():
    assert all(row.clam.silhouette > row.kmeans.silhouette for row in TABLES.values())
