"""What the basin picture shows, as small arrays: partitions, fields and places of a square box."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import clam_core
from ui.startup import one_thread
from workbench.figures.raster import pixel_centres, well_inside

SIZE = 400  # pixels along each side
_COARSE = 4  # every fourth pixel is enough for a number's place and for a mean
_MARGIN = 0.3  # of the memories' extent, on each side


@dataclass(frozen=True)
class Partition:
    """The basins of one box.

    Attributes
    ----------
    labels : ndarray of uint8, shape (size, size)
        Memory that each pixel's endpoint is nearest to, first row at the bottom.
    regions : ndarray of uint8, shape (size, size)
        As labels, but told apart by attractor where several share a nearest memory.
    region_labels : ndarray of int, shape (r,)
        Label of each region.
    attractors : ndarray, shape (a, 2)
    entropy : float
        Mean entropy of the softmax over the box, nats.
    """

    labels: np.ndarray
    regions: np.ndarray
    region_labels: np.ndarray
    attractors: np.ndarray
    entropy: float


def frame(memories, kind, points=None):
    """Return the square ``(left, right, bottom, top)`` that shows memories and points.

    Parameters
    ----------
    memories : ndarray, shape (k, 2)
    kind : {"euclidean", "weighted", "spherical"}
        The sphere's picture is centred on 0 and holds the unit circle.
    points : ndarray, shape (n, 2), optional

    Returns
    -------
    tuple of float
    """
    shown = memories if points is None else np.concatenate([memories, points])
    if kind == "spherical":
        reach = 1.4 if points is None else max(1.4, 1.1 * float(np.abs(points).max()))
        return -reach, reach, -reach, reach
    low, high = shown.min(axis=0), shown.max(axis=0)
    middle, extent = (low + high) / 2, float((high - low).max())
    half = extent * (0.5 + _MARGIN) if extent > 0 else 1.0
    return tuple(float(end) for centre in middle for end in (centre - half, centre + half))


def on_screen(memories, kind):
    """Return memories where the energy sees them: on the sphere at unit length."""
    if kind != "spherical":
        return memories
    length = np.linalg.norm(memories, axis=1, keepdims=True)
    if not length.all():
        number = int(np.argmin(length)) + 1
        raise ValueError(f"memory {number} = (0, 0) should not be zero for energy='spherical'.")
    return memories / length


def partition(memories, energy, beta, n_steps, box, *, step_size=None, size=SIZE):
    """Basins of every pixel.

    Parameters
    ----------
    memories : ndarray, shape (k, 2)
    energy : clam_core.Energy
    beta : float
        Inverse temperature, 1/length^2.
    n_steps : int or None
        T, or None for the attractor.
    box : tuple of float
    step_size : float, default 1/T
    size : int, default 400

    Returns
    -------
    Partition
    """
    torch = one_thread()
    rho = torch.as_tensor(memories, dtype=torch.float32)
    pixels = _pixels(box, size)
    rest = clam_core.attractors(rho.double(), energy=energy, beta=beta)
    if n_steps is None:
        ends = clam_core.basins(pixels, rho, energy=energy, beta=beta)
        labels = _raster(ends.labels, size)
        regions = _raster(torch.cdist(ends.endpoints, rest.float()).argmin(1), size)
    else:
        dynamics = {"energy": energy, "beta": beta, "n_steps": n_steps, "step_size": step_size}
        labels = regions = _raster(clam_core.assign(pixels, rho, **dynamics), size)
    present, first = np.unique(regions, return_index=True)
    numbers = np.zeros(256, np.uint8)
    numbers[present] = np.arange(len(present))
    coarse = pixels.reshape(size, size, 2)[::_COARSE, ::_COARSE].reshape(-1, 2)
    entropy = clam_core.entropy(coarse, rho, energy=energy, beta=beta).mean()
    kept = labels.ravel()[first].astype(int)
    return Partition(labels, numbers[regions], kept, rest.numpy(), float(entropy))


def differing(labels, reference):
    """Count the pixels of one picture that differ from another's.

    Parameters
    ----------
    labels, reference : ndarray of int, shape (size, size)

    Returns
    -------
    tuple of int
        Pixels in all, those that differ, and of these those that are not within one pixel of a
        border of the reference.
    """
    apart = labels != reference
    padded = np.pad(reference, 1, mode="edge")
    rows, columns = reference.shape
    around = [padded[i : i + rows, j : j + columns] for i in range(3) for j in range(3)]
    at_border = np.any([neighbour != reference for neighbour in around], axis=0)
    return apart.size, int(apart.sum()), int((apart & ~at_border).sum())


def nearest(memories, energy, box, size=SIZE):
    """Label of the nearest memory for every pixel, uint8, shape (size, size)."""
    torch = one_thread()
    rho = torch.as_tensor(memories, dtype=torch.float32)
    return _raster(clam_core.voronoi(_pixels(box, size), rho, energy=energy), size)


def scalar(name, memories, energy, beta, box, size=SIZE):
    """Entropy or energy of every pixel, float32, shape (size, size).

    Parameters
    ----------
    name : {"entropy", "energy"}
    memories, energy, beta, box, size
        As in :func:`partition`.

    Returns
    -------
    ndarray
        Nats for the entropy; squared units of the plane for the energy.
    """
    torch = one_thread()
    rho = torch.as_tensor(memories, dtype=torch.float32)
    pixels = energy.project(_pixels(box, size))
    if name == "entropy":
        values = clam_core.entropy(pixels, rho, energy=energy, beta=beta)
    else:
        values = energy.value(pixels, rho, beta)
    return values.numpy().reshape(size, size)


def number_places(regions, box, markers, edges):
    """Return where each region's number goes, shape (r, 2), clear of markers and lines.

    Parameters
    ----------
    regions : ndarray of int, shape (size, size)
        Numbered from 0 without gaps.
    box : tuple of float
    markers : ndarray, shape (p, 2)
    edges : ndarray, shape (s, 2, 2)
        Lines, by their end points.

    Returns
    -------
    ndarray
        NaN for a region too small for the coarse grid: there is no room for a number either.
    """
    coarse = regions[::_COARSE, ::_COARSE]
    side = len(coarse)
    share = np.linspace(0, 1, 2 * side)[:, None, None]
    lines = edges[:, 0] + share * (edges[:, 1] - edges[:, 0])
    avoid = _near(lines.reshape(-1, 2), box, side, 2) | _near(markers, box, side, 5)
    found = well_inside(coarse, avoid)
    corner, pixel = np.array([box[0], box[2]]), (box[1] - box[0]) / side
    nowhere = (np.nan, np.nan)
    rows = [found.get(region, nowhere) for region in range(int(regions.max()) + 1)]
    return corner + (np.array(rows)[:, ::-1] + 0.5) * pixel


def _near(points, box, side, reach):
    """Mark the pixels within ``reach`` of a point."""
    index = ((points - [box[0], box[2]]) / (box[1] - box[0]) * side).astype(int)
    mask = np.zeros((side, side), bool)
    inside = np.all((index >= 0) & (index < side), axis=1)
    mask[index[inside, 1], index[inside, 0]] = True
    for _ in range(reach):
        grown = mask.copy()
        grown[1:] |= mask[:-1]
        grown[:-1] |= mask[1:]
        grown[:, 1:] |= mask[:, :-1]
        grown[:, :-1] |= mask[:, 1:]
        mask = grown
    return mask


def _raster(labels, size):
    return labels.numpy().astype(np.uint8).reshape(size, size)


@lru_cache(maxsize=8)
def _pixels(box, size):
    return one_thread().from_numpy(pixel_centres(box, size).astype(np.float32))
