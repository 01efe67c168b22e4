"""The printed numbers, spot-checked, and whether they agree with themselves."""

import math

import pytest

from clam_core import ClAM
from clam_core.settings import check_settings
from workbench import published
from workbench.methods import METHODS
from workbench.published import COLUMNS, SETS, TABLE_1, TABLE_6
from workbench.reproduction import consistency

TABLES = (
    published.TABLE_1, published.TABLE_1_GAINS, published.TABLE_2, published.TABLE_8_NMI,
    published.TABLE_8_ARI, published.TABLE_9_NMI, published.TABLE_9_ARI,
)  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_every_set(table):
    assert set(table) == set(SETS)
    assert len({tuple(row) for row in table.values()}) == 1


def test_numbers_stand_where_the_paper_has_them():
    assert TABLE_1["Zoo"]["clam"] == 0.412 and TABLE_1["Segment"]["spectral"] == 0.702
    assert TABLE_1["GCM"]["agglomerative"] == 0.288 and TABLE_1["CTG"]["weighted"] == 0.158
    assert published.TABLE_9_ARI["Zoo"]["agglomerative"] == 0.9109
    assert published.TABLE_9_NMI["FMNIST"]["dcec"] == 0.5948
    assert published.TABLE_8_ARI["GCM"]["agglomerative"] == -0.0314
    assert published.TABLE_3["CIFAR-10"] == (0.022, 0.031, 2995, 3419)
    assert published.TABLE_10 == {"kmeans": (0.511, 0.477), "clam": (0.531, 0.531)}
    assert SETS["GCM"][1:4] == (190, 16_063, 14) and SETS["FMNIST"].rows == 60_000
    assert TABLE_6["USPS"] == (0.1, 5, 0.001, 16, 0.15, "min")


def test_dcec_is_of_images_only():
    images = {name for name, row in TABLE_1.items() if not math.isnan(row["dcec"])}
    assert images == {"Yale", "USPS", "FMNIST"}


def test_rows_of_wins_are_recounted():
    printed = published.TABLE_1_WINS
    wrong = {
        (one, other): published.wins(TABLE_1, one, other)
        for one, row in printed.items()
        for other, counts in row.items()
        if published.wins(TABLE_1, one, other) != counts
    }
    # Two counts of the paper do not follow from its own silhouettes.
    assert wrong == {("unmasked", "kmeans"): (5, 4), ("unmasked", "dec"): (4, 5)}
    clam, unmasked, gains = consistency.wins_and_gains()
    assert clam.holds and gains.holds and not unmasked.holds
    assert "against k-means 5/4, printed 5/3" in unmasked.ours
    assert COLUMNS["unmasked"] in unmasked.paper


def test_a_wrong_gain_would_be_found(monkeypatch):
    wrong = {**published.TABLE_1_GAINS, "Zoo": {"kmeans": 20}}
    monkeypatch.setattr(published, "TABLE_1_GAINS", wrong)
    gains = consistency.wins_and_gains()[-1]
    assert not gains.holds and "Zoo against k-means" in gains.ours


def test_table_2_rounds_table_9_but_in_four_places():
    (claim,) = consistency.rounding()
    assert not claim.holds and claim.ours.startswith("59 of 63")
    assert "MovLib with DEC^r: 0.51 and 0.3147" in claim.ours


def test_settings_are_legal_and_beta_is_halved():
    for name, tuned in TABLE_6.items():
        settings = published.settings_of(name)
        assert 2 * settings["beta"] == tuned.beta
        check_settings(ClAM(**settings))
        assert METHODS["clam"].complete({"n_clusters": 2, **settings})["beta"] == settings["beta"]
    rows = consistency.halved(None, None, None).rows
    assert all(row.difference == -row.ours for row in rows) and "exp(−(β/2) d²)" in rows[0].why


def test_printed_rows_leave_out_dashes():
    rows = consistency.printed("SC", TABLE_1)
    assert len(rows) == 83 and all(math.isnan(row.ours) for row in rows)
    assert len(consistency.overlap()) == 60 and len(consistency.truth()) == 126
