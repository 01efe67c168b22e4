"""The reporter, the clock and the command line of the benchmarks."""

import os
import sys
import time

import pytest

import benchmarks.__main__ as command
from benchmarks.report import THREADS, Report, median_time, one_thread


@pytest.mark.parametrize(
    ("value", "at_least", "ends"),
    [
        (500, True, "speed = 500   bar >= 500   ok"),
        (499.9, True, "speed = 499.9   bar >= 500   SHORT"),
        (500, False, "speed = 500   bar <= 500   ok"),
        (500.1, False, "speed = 500.1   bar <= 500   SHORT"),
        (float("nan"), True, "speed = nan   bar >= 500   SHORT"),
    ],
)
def test_figure_stands_beside_its_bar(capsys, value, at_least, ends):
    report = Report()
    holds = report.figure("speed", value, 500, at_least=at_least)
    assert capsys.readouterr().out == ends + "\n"
    assert holds == ends.endswith("ok")
    assert report.close() == (0 if holds else 1)


def test_one_miss_fails_the_whole_report(capsys):
    report = Report()
    report.heading("Zoo")
    report.figure("time", 12345.678, unit="ms")
    report.figure("first", 2, 1)
    report.figure("second", 0, 1)
    report.figure("third", 3, 1)
    assert report.close() == 1
    out = capsys.readouterr().out
    assert "\nZoo\n" in out
    assert "time = 12,346 ms\n" in out
    assert out.endswith("2 of 3 bars hold; short: second\n")


def test_figures_without_bars_pass(capsys):
    report = Report()
    assert report.figure("found", 0.00012345)
    assert report.close() == 0
    assert capsys.readouterr().out == "found = 0.0001234\n"


def test_median_time_ignores_the_warm_up_and_the_odd_one_out():
    naps = iter([0.2, 0.01, 0.2, 0.01])
    calls = []

    def nap():
        calls.append(1)
        time.sleep(next(naps))

    assert 0.01 <= median_time(nap, repeats=3) < 0.15
    assert len(calls) == 4


def test_one_thread_reaches_torch_and_the_environment(monkeypatch):
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    for name in THREADS:
        monkeypatch.setenv(name, "2")
    try:
        torch.set_num_threads(2)
        one_thread()
        assert torch.get_num_threads() == 1
        assert {os.environ[name] for name in THREADS} == {"1"}
    finally:
        torch.set_num_threads(before)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Put a made-up benchmark where the package looks."""
    (tmp_path / "made_up.py").write_text(
        '"""Does it add up?"""\n\n\n'
        "def main(report, *, data=None, minutes=None):\n"
        '    report.figure("sum", 1 + 1, 2 if minutes is None else minutes)\n'
    )
    (tmp_path / "shared_part.py").write_text('"""No benchmark."""\n')
    monkeypatch.setattr(command.benchmarks, "__path__", [str(tmp_path)])
    monkeypatch.setattr(command, "one_thread", lambda: None)
    yield
    sys.modules.pop("benchmarks.made_up", None)


def test_without_a_name_they_are_listed(package, capsys):
    assert command.main([]) == 0
    assert capsys.readouterr().out == "made_up    Does it add up?\n"


def test_exit_status_follows_the_bars(package, capsys):
    assert command.main(["made_up"]) == 0
    assert command.main(["made_up", "--minutes", "3"]) == 1
    assert "SHORT" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no_such"], "no_such"),
        (["made_up", "--minutes", "-1"], "-1 should be a number > 0."),
        (["made_up", "--minutes", "nan"], "nan should be a number > 0."),
        (["made_up", "--data", "/nowhere"], "/nowhere should be an existing folder."),
    ],
)
def test_wrong_arguments_get_a_sentence(package, capsys, arguments, sentence):
    with pytest.raises(SystemExit) as stop:
        command.main(arguments)
    assert stop.value.code == 2
    assert sentence in capsys.readouterr().err


def test_the_analyst_s_way_is_measured_step_by_step(monkeypatch, capsys):
    from benchmarks import analyst

    small = {"ROWS": 600, "METHODS": ("kmeans",), "IDLE": 0.3, "BEAT": 0.05}
    for name, value in small.items():
        monkeypatch.setattr(analyst, name, value)
    report = Report()
    analyst.main(report)
    said = capsys.readouterr().out
    for step in ("open", "prepare", "cluster by kmeans", "csv of kmeans", "parquet of kmeans"):
        assert f"\n{step} " in said
    assert "600 rows x 20 columns" in said
    assert set(report.held) | set(report.missed) == {
        "an interaction meanwhile, median, times idle", "the longest interaction", "peak memory",
        "minutes",
    }  # fmt: skip
    assert "peak memory" in report.held and "minutes" in report.held
