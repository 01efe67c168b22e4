"""A contestant in which SLK never ends and the Gaussian mixture never converges."""

from dataclasses import replace
from typing import Any

from tests.workbench import troubled_contestant as trouble

TROUBLES = {"slk": trouble.HANGS, "mixture": trouble.DIVERGES}


def main():
    """Be a contestant that builds two troubled estimators."""
    from workbench import contestant, scored_fit

    def troubled(build, seed):
        return lambda settings, **given: trouble.Troubled(build(settings, **given), seed)

    methods: Any = {
        key: replace(method, build=troubled(method.build, TROUBLES.get(key)))
        for key, method in scored_fit.METHODS.items()
    }
    scored_fit.METHODS = methods
    contestant.main()


if __name__ == "__main__":
    main()
