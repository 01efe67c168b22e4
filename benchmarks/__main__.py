"""``python -m benchmarks NAME [--data DIR] [--minutes M]``; without NAME, lists them.

``--sessions N`` belongs to the benchmark live, ``--all`` and ``--limit M`` to paper.
"""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from pathlib import Path

import benchmarks
from benchmarks.report import Report, one_thread

NOT_BENCHMARKS = {"__main__", "report"}


def names() -> list[str]:
    """Names of all benchmarks: the modules of this package that have a main function."""
    found = {module.name for module in pkgutil.iter_modules(benchmarks.__path__)}
    return [
        name
        for name in sorted(found - NOT_BENCHMARKS)
        if "\ndef main(" in Path(benchmarks.__path__[0], f"{name}.py").read_text(encoding="utf-8")
    ]


def question(name: str) -> str:
    """First line of a benchmark's docstring, read without running it."""
    source = Path(benchmarks.__path__[0], f"{name}.py").read_text(encoding="utf-8")
    return source.partition('"""')[2].partition("\n")[0].removesuffix('"""').strip()


def folder(text: str) -> Path:
    """Return the path of an existing folder, or say that it is none."""
    path = Path(text)
    if not path.is_dir():
        raise argparse.ArgumentTypeError(f"{text} should be an existing folder.")
    return path


def minutes(text: str) -> float:
    """Return a positive number of minutes, or say that it is none."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not value > 0:
        raise argparse.ArgumentTypeError(f"{text} should be a number > 0.")
    return value


def parser() -> argparse.ArgumentParser:
    """Return the command line's grammar."""
    made = argparse.ArgumentParser(prog="python -m benchmarks", description=benchmarks.__doc__)
    made.add_argument("name", nargs="?", choices=names(), metavar="NAME", help="which one to run")
    made.add_argument("--data", type=folder, metavar="DIR", help="folder of the reference sets")
    made.add_argument("--minutes", type=minutes, metavar="M", help="time budget, where one is kept")
    made.add_argument("--sessions", type=int, metavar="N", help="readers at once, of live only")
    made.add_argument("--all", action="store_true", help="every method and set, of paper only")
    made.add_argument("--limit", type=minutes, metavar="M", help="for one fit, with --all")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark or list them all; 1 when a bar is missed."""
    chosen = parser().parse_args(arguments)
    if chosen.name is None:
        for name in names():
            print(f"{name:10} {question(name)}")
        return 0
    if chosen.sessions is not None and chosen.name != "live":
        parser().error("--sessions belongs to the benchmark live.")
    if (chosen.all or chosen.limit) and chosen.name != "paper":
        parser().error("--all and --limit belong to the benchmark paper.")
    one_thread()  # before the benchmark imports torch, numpy's BLAS or Numba
    benchmark = importlib.import_module(f"benchmarks.{chosen.name}")
    report = Report()
    options = {"data": chosen.data, "minutes": chosen.minutes}
    if chosen.sessions is not None:
        options["sessions"] = chosen.sessions
    if chosen.all:
        options |= {"every": True, "limit": chosen.limit}
    benchmark.main(report, **options)
    return report.close()


if __name__ == "__main__":
    sys.exit(main())
