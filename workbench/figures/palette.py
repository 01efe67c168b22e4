"""Colours: one palette for both themes, told apart with any colour vision.

All twenty lie in the narrow band of luminance that stands out 3:1 from the light and from the dark
background alike, so a cluster keeps its colour when the theme changes. The first eight are spread
for normal and for red-, green- and blue-blind eyes at once; the other twelve keep clear of them and
of each other for normal vision. Colour is never the only code: figures number what they colour.
"""

import numpy as np
from numpy.typing import NDArray

PALETTE = (
    "#086ade",  # blue
    "#be3508",  # vermilion
    "#2b7446",  # green
    "#96499d",  # plum
    "#a98d00",  # gold
    "#9880f2",  # lavender
    "#1e9fb0",  # teal
    "#dc6b7d",  # rose
    "#d73877",  # raspberry
    "#c15f17",  # amber
    "#759554",  # moss
    "#8567b9",  # violet
    "#c16bd5",  # orchid
    "#ae6295",  # mauve
    "#fc5a4e",  # coral
    "#a25a5e",  # brick
    "#b33281",  # magenta
    "#6b85ba",  # steel
    "#5d5dc0",  # indigo
    "#6678fb",  # cornflower
)
GREY = "#858a91"  # not clustered, left out, unknown

# Index 0 is the light theme's, 1 the dark theme's, as in .streamlit/config.toml.
BACKGROUND = ("#fdfdfc", "#14171c")
INK = ("#121a24", "#eef0f3")

_TINT = (0.42, 0.52)  # share of the colour in a region's fill, the rest is background
# The ends of the sequential scales in Oklab: straight lines there are even to the eye.
_SCALE_START = ((0.965, 0.0, 0.005), (0.24, -0.003, -0.012))
_SCALE_END = {
    "energy": ((0.36, -0.02, -0.14), (0.9, -0.05, -0.055)),
    "entropy": ((0.4, 0.09, 0.075), (0.88, 0.025, 0.12)),
}

_TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def colours(n: int) -> list[str]:
    """Return the colours of `n` clusters, as hexadecimal codes.

    Parameters
    ----------
    n : int
        Number of clusters. Above twenty the colours repeat, and only the numbers tell apart.

    Returns
    -------
    list of str
        `n` codes such as ``"#086ade"``.
    """
    return [PALETTE[i % len(PALETTE)] for i in range(n)]


def rgb(codes: str | list[str]) -> NDArray[np.uint8]:
    """Return hexadecimal codes as bytes: shape (3,) for one code, (n, 3) for n."""
    if isinstance(codes, str):
        return np.frombuffer(bytes.fromhex(codes.lstrip("#")), dtype=np.uint8)
    return np.array([rgb(code) for code in codes], dtype=np.uint8).reshape(-1, 3)


def code(colour: NDArray) -> str:
    """Return red, green and blue, shape (3,) in 0 to 255, as a hexadecimal code."""
    return "#" + bytes(np.rint(colour).astype(np.uint8)).hex()


def fill(index: int, dark: bool = False) -> str:
    """Return the quiet tint that fills the region of cluster `index`.

    Parameters
    ----------
    index : int
        The cluster, from 0; -1 is not clustered.
    dark : bool, default False
        Whether the tint lies on the dark theme's background.

    Returns
    -------
    str
        A hexadecimal code, opaque, on which `INK` is legible.
    """
    colour = GREY if index < 0 else PALETTE[index % len(PALETTE)]
    return mixed(colour, BACKGROUND[dark], _TINT[dark])


def mixed(first: str, second: str, share: float) -> str:
    """Return a colour between two: `share` of the first, the rest of the second."""
    return code(share * rgb(first) + (1 - share) * rgb(second))


def scale(name: str, dark: bool = False, n: int = 11) -> list[str]:
    """Return a sequential scale, even to the eye, that starts near the background.

    Parameters
    ----------
    name : {"energy", "entropy"}
        What is shown: blue for the energy, amber for the entropy.
    dark : bool, default False
        Whether the scale lies on the dark theme's background.
    n : int, default 11
        Number of colours.

    Returns
    -------
    list of str
        `n` hexadecimal codes, from the lowest value to the highest.
    """
    share = np.linspace(0, 1, n)[:, None]
    start, end = np.array(_SCALE_START[dark]), np.array(_SCALE_END[name][dark])
    return [code(colour) for colour in _from_oklab((1 - share) * start + share * end)]


def diverging(dark: bool = False) -> list[list]:
    """Return Plotly's scale from blue below zero over the page's own colour to amber above it."""
    both = [*scale("energy", dark)[::-1], *scale("entropy", dark)[1:]]
    return [
        [float(stop), colour]
        for stop, colour in zip(np.linspace(0, 1, len(both)), both, strict=True)
    ]


def oklab(colour: NDArray) -> NDArray[np.float64]:
    """Return red, green and blue (0 to 255, shape (..., 3)) in Oklab, where distances are seen."""
    part = np.asarray(colour) / 255
    light = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return np.cbrt(light @ _TO_CONES.T) @ _TO_LAB.T


def _from_oklab(lab: NDArray) -> NDArray[np.float64]:
    light = np.clip((lab @ np.linalg.inv(_TO_LAB).T) ** 3 @ np.linalg.inv(_TO_CONES).T, 0, 1)
    part = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return 255 * part
