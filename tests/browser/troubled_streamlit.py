"""Streamlit as it is, but that races fit in a :mod:`tests.browser.troubled_contestant`."""

import sys
from functools import partial

if __name__ == "__main__":
    from streamlit.web.cli import main

    from workbench import race
    from workbench.runner import Runner

    contestant: list[str] = [sys.executable, "-m", "tests.browser.troubled_contestant"]
    race.Runner = partial(Runner, command=contestant)  # type: ignore[misc]
    main(prog_name="streamlit")
