"""Rasters as small PNG images that lie beneath the traces of a Plotly figure."""

import base64
import io

import numpy as np
from PIL import Image, ImageColor


def pixel_centres(box, size):
    """Coordinates of the pixel centres of a square raster.

    Parameters
    ----------
    box : tuple of float
        ``(left, right, bottom, top)``, the outer edges of the raster.
    size : int
        Pixels along each side.

    Returns
    -------
    ndarray, shape (size * size, 2)
        Row by row from the bottom, so that ``values.reshape(size, size)[i, j]`` has y rising
        with i and x rising with j.
    """
    left, right, bottom, top = box
    steps = (np.arange(size) + 0.5) / size
    x, y = left + steps * (right - left), bottom + steps * (top - bottom)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)


def indexed_png(index, palette):
    """Write a raster of palette indices as PNG bytes, first row at the bottom.

    Parameters
    ----------
    index : ndarray of int, shape (rows, columns)
        Entry of the palette for each pixel, 0 to 255.
    palette : sequence of str
        Colours in any CSS notation that Pillow knows, at most 256.

    Returns
    -------
    bytes
        A PNG with one byte per pixel before compression.
    """
    image = Image.fromarray(np.ascontiguousarray(np.flipud(index).astype(np.uint8)), mode="P")
    image.putpalette([part for colour in palette for part in ImageColor.getrgb(colour)[:3]])
    payload = io.BytesIO()
    image.save(payload, "PNG", compress_level=3)
    return payload.getvalue()


def in_shades(values, scale, n, ends=None):
    """Turn a raster of numbers into palette indices along a sequential colour scale.

    Parameters
    ----------
    values : ndarray of float, shape (rows, columns)
    scale : sequence of str
        Colours from the lowest value to the highest.
    n : int
        Shades to use, at most 256.
    ends : tuple of float, optional
        Values of the lowest and the highest shade; None for the raster's own.

    Returns
    -------
    index : ndarray of int, shape (rows, columns)
    palette : list of str, length n
    """
    low, high = (float(np.min(values)), float(np.max(values))) if ends is None else ends
    span = max(high - low, np.finfo(float).tiny)
    index = np.rint(np.clip((np.asarray(values, float) - low) / span, 0, 1) * (n - 1))
    return index.astype(int), shades(scale, n)


def shades(scale, n):
    """Return n colours evenly spaced along a sequential colour scale, as hex strings."""
    stops = np.array([ImageColor.getrgb(colour)[:3] for colour in scale], float)
    at = np.linspace(0, len(stops) - 1, n)
    parts = [np.interp(at, np.arange(len(stops)), channel) for channel in stops.T]
    return ["#{:02x}{:02x}{:02x}".format(*rgb) for rgb in np.rint(np.stack(parts, 1)).astype(int)]


def layout_image(png, box):
    """Return the entry for ``layout.images`` that draws a PNG over a box, beneath all traces."""
    left, right, bottom, top = box
    return {
        "source": "data:image/png;base64," + base64.b64encode(png).decode(),
        "xref": "x",
        "yref": "y",
        "x": left,
        "y": top,
        "sizex": right - left,
        "sizey": top - bottom,
        "xanchor": "left",
        "yanchor": "top",
        "sizing": "stretch",
        "layer": "below",
    }


def borders(regions):
    """Pixels whose right or upper neighbour belongs to another region.

    Parameters
    ----------
    regions : ndarray of int, shape (rows, columns)

    Returns
    -------
    ndarray of bool, shape (rows, columns)
    """
    edge = np.zeros(regions.shape, bool)
    edge[:, :-1] |= regions[:, :-1] != regions[:, 1:]
    edge[:-1] |= regions[:-1] != regions[1:]
    return edge


def well_inside(regions, avoid=None):
    """Find a pixel far from the border of each region, where its number can be read.

    All regions are eroded together, a pixel per round, by crosses and squares in turn (their
    mixture is nearly round); the last pixels of a region to vanish lie in its broadest part.

    Parameters
    ----------
    regions : ndarray of int, shape (rows, columns)
    avoid : ndarray of bool, shape (rows, columns), optional
        Pixels to keep away from, such as those under a marker. A region that would vanish is
        placed as if there were none.

    Returns
    -------
    dict of int to tuple of float
        ``{region: (row, column)}``.
    """
    depth = _depth(regions, avoid)
    centres = {}
    for region in np.unique(regions):
        inside = regions == region
        deepest = depth[inside].max()
        if deepest == 0 and avoid is not None:
            inside_depth = _depth(np.where(inside, 1, 0), None)
            deepest = inside_depth[inside].max()
            rows, columns = np.nonzero(inside & (inside_depth == deepest))
        else:
            rows, columns = np.nonzero(inside & (depth == deepest))
        # Among equals the one nearest to their middle, so that the number sits centrally.
        off = (rows - rows.mean()) ** 2 + (columns - columns.mean()) ** 2
        best = int(np.argmin(off))
        centres[int(region)] = (float(rows[best]), float(columns[best]))
    return centres


def _depth(regions, avoid):
    """Count the rounds of erosion that each pixel survives; the frame counts as a border."""
    alive = np.ones(regions.shape, bool) if avoid is None else ~avoid
    alive &= ~_touches_another(regions)
    alive[[0, -1]] = alive[:, [0, -1]] = False
    depth = np.zeros(regions.shape, int)
    square = False
    while alive.any():
        depth += alive
        eroded = alive.copy()
        inner = alive[1:-1, 1:-1].copy()
        inner &= alive[:-2, 1:-1] & alive[2:, 1:-1] & alive[1:-1, :-2] & alive[1:-1, 2:]
        if square:
            inner &= alive[:-2, :-2] & alive[:-2, 2:] & alive[2:, :-2] & alive[2:, 2:]
        eroded[1:-1, 1:-1] = inner
        alive, square = eroded, not square
    return depth


def _touches_another(regions):
    """Pixels with one of their four neighbours in another region."""
    across = regions[:, :-1] != regions[:, 1:]
    upward = regions[:-1] != regions[1:]
    touching = np.zeros(regions.shape, bool)
    touching[:, :-1] |= across
    touching[:, 1:] |= across
    touching[:-1] |= upward
    touching[1:] |= upward
    return touching
