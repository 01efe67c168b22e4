"""Estimates: their words, what they grow with, and when a method is held back."""

import math

import pytest

from workbench import estimates
from workbench.baselines import kernel_kmeans
from workbench.baselines.dcec import DCEC
from workbench.costs import COSTS, Size
from workbench.estimates import Estimate, duration, estimate, size, too_long
from workbench.methods import METHODS


@pytest.fixture(autouse=True)
def machine(monkeypatch):
    monkeypatch.setattr(estimates, "machine_factor", lambda: 1.0)
    monkeypatch.setattr(estimates, "spare_memory", lambda: 8 * 2**30)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.2, "a moment"), (1, "about 1 second"), (23, "about 20 seconds"), (85, "about 80 seconds"),
     (130, "about 2 minutes"), (1000, "about 15 minutes"), (9000, "about 2 hours"),
     (1e6, "about 10 days")],
)  # fmt: skip
def test_rough_times_have_few_digits(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("held", "words"),
    [(1000, "1 MiB"), (43 * 2**20, "40 MiB"), (2.13 * 2**30, "2.1 GiB"), (32.2 * 2**30, "32 GiB")],
)
def test_rough_sizes_have_few_digits(held, words):
    assert size(held) == words


FITTED = [key for key in METHODS if key in COSTS]


@pytest.mark.parametrize("key", FITTED)
def test_each_estimate_grows_with_rows_and_starts(key):
    small, large = estimate(key, 500, 8, 4), estimate(key, 50_000, 8, 4)
    assert 0 < small.seconds < large.seconds
    assert 0 < small.bytes < large.bytes
    assert small.words == f"{duration(small.seconds)}, {size(small.bytes)}"
    if "n_init" in {parameter.name for parameter in METHODS[key].parameters}:
        more = estimate(key, 5000, 8, 4, {"n_init": 16})
        assert more.seconds > estimate(key, 5000, 8, 4, {"n_init": 5}).seconds
    for settings in METHODS[key].rules.values():
        assert estimate(key, 2000, 8, 4, settings).seconds > 0


@pytest.mark.parametrize("key", ["agglomerative", "dbscan", "hdbscan", "mean_shift"])
def test_the_silhouettes_rule_is_charged_with_every_setting_that_it_tries(key):
    method = METHODS[key]
    model = method.build(method.complete({"selection": "silhouette"}))
    own, tried = (COSTS[key](Size(9000, 8, 4), method.complete(method.rules[rule]))[0]
                  for rule in ("own", "silhouette"))  # fmt: skip
    scored = 2000**2 * (6.5e-9 + 0.05e-9 * 8)
    assert tried == pytest.approx(len(model._seeds()) * (own + scored))


@pytest.mark.parametrize(("n", "epochs"), [(1800, 60), (20_000, 20), (100_000, 5)])
def test_dcec_is_charged_with_the_images_that_it_sees(n, epochs):
    method, size_ = METHODS["dcec"], Size(n, 64, 10)
    auto, told, none = (COSTS["dcec"](size_, method.complete(settings))[0] for settings in (
        {}, {"n_epochs": epochs}, {"n_epochs": epochs, "max_iter": 1}))  # fmt: skip
    assert auto == told and DCEC()._epochs(n) == epochs
    assert told / none == pytest.approx(1 + 1399 * 256 / (n * epochs + 256))


def test_a_kernel_that_is_held_takes_memory_and_one_that_is_not_takes_time():
    most = kernel_kmeans.HELD_ROWS
    held, anew = (estimate("kernel_kmeans", n, 8, 4) for n in (most, most + 1))
    assert 4 * most**2 < held.bytes < 5 * most**2 and anew.bytes < 2**30
    assert anew.seconds > 20 * held.seconds


def test_an_unknown_cost_says_so_and_comes_last():
    told = estimate("recall", 100, 2, 2)
    assert told.words == "an unknown time"
    assert told.order == math.inf
    assert too_long(told) == ""


def test_time_and_memory_hold_a_method_back():
    assert too_long(Estimate(59, 2**20, "")) == ""
    assert too_long(Estimate(150, 2**20, "")) == "a fit would take about 2 minutes"
    assert too_long(Estimate(150, 2**20, ""), 600) == ""
    assert too_long(Estimate(1, 20 * 2**30, "")) == (
        "a fit would need about 20 GiB of memory, and 8.0 GiB are free"
    )
