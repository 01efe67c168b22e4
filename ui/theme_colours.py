"""Colours of what is drawn in the browser, for both themes: it follows a change without asking."""

from functools import cache

from workbench.figures import palette

_SHADES = 64


@cache
def theme_colours():
    """Return what a component that draws is told.

    Returns
    -------
    dict of str to dict
        Of ``"light"`` and ``"dark"``: ``fills`` and ``strong`` (one for each cluster), ``line``,
        ``ink``, and the scales ``entropy`` and ``energy``, each as red, green and blue from 0 to
        255.
    """
    numbers = range(len(palette.PALETTE))

    def of(dark):
        named = {
            "fills": [palette.fill(number, dark) for number in numbers],
            "strong": list(palette.PALETTE),
            "line": palette.BACKGROUND[dark],
            "ink": palette.INK[dark],
        } | {name: palette.scale(name, dark, _SHADES) for name in ("entropy", "energy")}
        return {name: palette.rgb(codes).tolist() for name, codes in named.items()}

    return {"light": of(False), "dark": of(True)}
