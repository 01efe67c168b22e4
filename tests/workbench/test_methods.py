"""Settings: what is legal is data, and what is not gets name, value and rule."""

import inspect
from typing import Any

import pytest

from workbench.dataset import DataError
from workbench.methods import METHODS, complete_settings


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"beta": -1}, "beta=-1 should be > 0."),
        ({"beta": 0}, "beta=0 should be > 0."),
        ({"beta": 1e7}, "beta=1e+07 should be from 1e-05 to 1e+06."),
        ({"beta": float("nan")}, "beta=nan should be a number."),
        ({"beta": float("inf")}, "beta=inf should be a number."),
        ({"beta": "warm"}, "beta='warm' should be a number or 'auto'."),
        ({"beta": True}, "beta=True should be a number or 'auto'."),
        ({"beta": None}, "beta=None should be a number or 'auto'."),
        ({"n_clusters": 0}, "n_clusters=0 should be from 1 to 200."),
        ({"n_clusters": 2.5}, "n_clusters=2.5 should be a whole number."),
        ({"n_clusters": "auto"}, "n_clusters='auto' should be a whole number."),
        ({"mask_rate": 1.0}, "mask_rate=1 should be from 0.01 to 0.9."),
        ({"loss": "cubed"}, "loss='cubed' should be one of 'squared', 'absolute'."),
        ({"loss": ["squared"]}, "loss=['squared'] should be one of 'squared', 'absolute'."),
        ({"k": 3}, "setting='k' should be one of 'n_clusters', 'beta',"),
    ],
)
def test_an_illegal_setting_is_named(settings, words):
    with pytest.raises(DataError) as caught:
        complete_settings("clam", settings)
    assert words in str(caught.value)


def test_an_unknown_method():
    for method in ("kmeanz", ["clam"], None):
        with pytest.raises(DataError, match="should be one of 'clam', 'recall', 'kmeans'"):
            complete_settings(method)


@pytest.mark.parametrize("key", list(METHODS))
def test_defaults_are_legal_and_complete(key):
    method = METHODS[key]
    settings: Any = method.complete()
    assert method.key == key
    assert list(settings) == [p.name for p in method.parameters]
    assert all(p.check(settings[p.name]) == p.default and p.help for p in method.parameters)
    with pytest.raises(TypeError):
        settings["beta"] = 3


@pytest.mark.parametrize("name", ["n_steps", "init", "mask_value", "schedule"])
def test_help_says_what_a_change_does(name):
    parameter = METHODS["clam"].parameter(name)
    assert all(choice in parameter.help for choice in parameter.choices)
    assert len(parameter.help) > 100


@pytest.mark.parametrize("key", list(METHODS))
def test_limits_are_legal_and_beyond_them_nothing(key):
    for parameter in METHODS[key].parameters:
        if parameter.kind in ("choice", "bool"):
            assert all(parameter.check(choice) == choice for choice in parameter.choices)
            continue
        step = 1 if parameter.kind == "int" else 1e-6
        assert parameter.check(parameter.low) == parameter.low
        assert parameter.check(parameter.high) == parameter.high
        for beyond in (parameter.low - step, parameter.high + step):
            with pytest.raises(DataError):
                parameter.check(beyond)


def test_numbers_come_in_their_own_type():
    settings = complete_settings("clam", {"beta": 3, "n_clusters": 4.0})
    assert isinstance(settings["beta"], float) and isinstance(settings["n_clusters"], int)


@pytest.mark.parametrize("key", ["clam", "kmeans"])
def test_an_estimator_gets_every_setting(key):
    settings = complete_settings(key, {"n_clusters": 3})
    model = METHODS[key].build(settings, device="cpu", dtype="float64", random_state=7)
    arguments = model.get_params()
    expected = {**settings, "random_state": 7}
    if key == "clam":
        expected |= {"step_size": None, "dtype": "float64", "device": "cpu"}
    assert {name: arguments[name] for name in expected} == expected
    assert set(settings) <= set(inspect.signature(type(model)).parameters)


def test_clam_offers_all_that_its_estimator_takes():
    from clam_core import ClAM

    taken = set(inspect.signature(ClAM).parameters)
    offered = {p.name for p in METHODS["clam"].parameters}
    assert taken - offered == {"weights", "device", "dtype", "random_state"}
    for parameter in METHODS["clam"].parameters:
        if parameter.name != "step_size":
            assert inspect.signature(ClAM).parameters[parameter.name].default == parameter.default


def test_recall_fits_nothing():
    with pytest.raises(DataError, match="fits nothing"):
        METHODS["recall"].build(METHODS["recall"].complete())
    assert METHODS["recall"].parameter("mode").choices == ("steps", "attractor")
