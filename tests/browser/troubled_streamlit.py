"""Streamlit as it is, but that races fit in a :mod:`tests.browser.troubled_contestant`.

The gap statistic draws few references: the question for k is not what is tested.
"""

import sys
from functools import partial

if __name__ == "__main__":
    from streamlit.web.cli import main

    from workbench import how_many, race
    from workbench.runner import Runner

    contestant: list[str] = [sys.executable, "-m", "tests.browser.troubled_contestant"]
    race.Runner = partial(Runner, command=contestant)  # type: ignore[misc]
    how_many.REFERENCES = 2
    main(prog_name="streamlit")
