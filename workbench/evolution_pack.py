"""An Evolution as bytes that a browser plays: a head of JSON, then plain arrays.

Bytes 0 to 3 are the length of the head (little endian), the head follows in UTF-8, then arrays
end to end, each at a multiple of four from the head's end. The head's ``arrays`` say of each where
it begins, how long it is and of what kind. Labels travel as changes: few rows move at an epoch.
"""

import json
import math

import numpy as np

from workbench.evolution import KINDS
from workbench.methods import METHODS
from workbench.pixels import image_side
from workbench.projection import pca_plane, strip

_ROOM = 1.12  # of what is shown: the frame's size
_REACH = 0.995  # of the images' values lie within their scale of colours
_KINDS = {"uint8": "u1", "int8": "i1", "uint16": "<u2", "uint32": "<u4", "float32": "<f4"}


def pack(evolution, **told):
    """Write what the player needs.

    Parameters
    ----------
    evolution : workbench.evolution.Evolution
    **told
        Plain values that the player is told beside it, such as colours.

    Returns
    -------
    bytes
    """
    arrays: dict[str, np.ndarray] = {}
    d = evolution.dataset.X.shape[1]
    plane = pca_plane(evolution.dataset.X)
    points = plane.flatten(evolution.dataset.X[evolution.rows])
    keys = [span_keys(plane, course.prototypes.astype(float)) for course in evolution.courses]
    every = np.concatenate([points, *(each[..., :2].reshape(-1, 2) for each in keys)])
    box = _frame(points, every, flat=d == 1)
    if d == 1:
        middle, half = (box["top"] + box["bottom"]) / 2, (box["top"] - box["bottom"]) / 2
        points[:, 1] = middle + 0.8 * half * strip(points[:, 0])[:, 1]
    arrays["points"] = points.astype(np.float32)
    arrays["rows"] = evolution.dataset.row_ids[evolution.rows].astype(np.uint32)
    side, images = _images(evolution)
    arrays |= images
    head = {
        "name": evolution.dataset.name,
        "n": len(evolution.dataset.X),
        "shown": len(points),
        "k": len(evolution.start),
        "ticks": evolution.ticks.tolist(),
        "cancelled": evolution.cancelled,
        "box": box,
        "plane": _plane_words(plane, evolution.dataset.features),
        "flat": d == 1,
        "span": keys[0].shape[2],
        "side": side,
        "courses": [
            _course(str(i), course, each, arrays)
            for i, (course, each) in enumerate(zip(evolution.courses, keys, strict=True))
        ],
        **told,
    }
    return _written(head, arrays)


def unpack(content):
    """Read what `pack` wrote, as the player does.

    Parameters
    ----------
    content : bytes

    Returns
    -------
    head : dict
        Without ``arrays``.
    arrays : dict of str to ndarray
        "points", "rows", "images0", and of each course "keys0", "labels0" (all frames) ...
    """
    size = int.from_bytes(content[:4], "little")
    head = json.loads(content[4 : 4 + size])
    body, arrays = content[4 + size :], {}
    for name, (kind, begin, shape) in head.pop("arrays").items():
        count = math.prod(shape)
        arrays[name] = np.frombuffer(body, _KINDS[kind], count, begin).reshape(shape)
    for i in range(len(head["courses"])):
        first, counts = arrays.pop(f"first{i}"), arrays.pop(f"counts{i}")
        which, to = arrays.pop(f"which{i}"), arrays.pop(f"to{i}")
        labels = np.repeat(first[None], len(counts) + 1, axis=0)
        for t, end in enumerate(np.cumsum(counts, dtype=int), 1):
            labels[t] = labels[t - 1]
            labels[t, which[end - counts[t - 1] : end]] = to[end - counts[t - 1] : end]
        arrays[f"labels{i}"] = labels
    return head, arrays


def span_keys(plane, prototypes):
    """Coordinates of prototypes in which recall of the plane's points is exact, few as they are.

    The first two are the plane's own; the others span what leads out of it, in which a point of
    the plane is 0. No distance between prototypes, or from a point of the plane to one, changes.

    Parameters
    ----------
    plane : workbench.projection.Plane
    prototypes : ndarray, shape (t, k, d)

    Returns
    -------
    ndarray, shape (t, k, r)
        r = 2 + min(k, d - 2).
    """
    t, k, d = prototypes.shape
    inside = (prototypes - plane.origin) @ plane.axes.T
    out = min(k, max(d - 2, 0))
    if not out:
        return inside
    rest = prototypes - plane.origin - inside @ plane.axes
    values, vectors = np.linalg.eigh(rest @ rest.transpose(0, 2, 1))
    beside = vectors * np.sqrt(np.clip(values, 0, None))[:, None, :]
    return np.concatenate([inside, beside[..., ::-1][..., :out]], axis=2)


def _course(name, course, keys, arrays):
    """Add a course's arrays; return what the head says of it."""
    method, kind = METHODS[course.recipe.method], KINDS[course.recipe.method]
    settings = course.recipe.settings
    energy = settings.get("energy", "euclidean")
    arrays[f"keys{name}"] = keys.astype(np.float32)
    if energy == "weighted":
        arrays[f"weights{name}"] = course.weights.astype(np.float32)
    arrays |= _changes(name, course.labels)
    size = settings.get("step_size", "1/T")
    return {
        "key": method.key,
        "name": method.name,
        "one": method.prototypes[0],
        "many": method.prototypes[1],
        "unit": kind.unit,
        "loss": kind.loss,
        # The spherical energy has no basins in a plane: its points are shown alone.
        "regions": kind.regions if energy != "spherical" else "none",
        "beta": course.beta,
        "recall": settings.get("n_steps", 0),
        "size": 1 / settings.get("n_steps", 1) if size == "1/T" else size,
        "steps": course.steps.tolist(),
        "losses": _figures(course.losses),
        "rates": _figures(course.rates),
    }


def _changes(name, labels):
    """Labels of the first frame, then which rows change at each other one, and to what."""
    t, which = np.nonzero(labels[1:] != labels[:-1])
    kind = np.uint16 if labels.shape[1] <= 1 << 16 else np.uint32
    return {
        f"first{name}": labels[0].astype(np.uint8),
        f"counts{name}": np.bincount(t, minlength=len(labels) - 1).astype(np.uint32),
        f"which{name}": which.astype(kind),
        f"to{name}": labels[1:][t, which].astype(np.uint8),
    }


def _images(evolution):
    """Prototypes as images: ink above the mean of its pixel, in steps of 1/127 of the largest."""
    dataset, pixels = evolution.dataset, evolution.dataset.pixels
    if pixels is None:
        return 0, {}
    # Prepared values would be loudest at the rim, whose pixels hardly ever have ink.
    mean = np.nanmean(dataset.restore(dataset.X), axis=0)
    values = [
        (dataset.restore(course.prototypes.reshape(-1, len(mean))) - mean).reshape(
            course.prototypes.shape
        )
        for course in evolution.courses
    ]
    reach = float(np.quantile(np.abs(np.concatenate(values)), _REACH)) or 1.0
    arrays = {}
    for i, prototypes in enumerate(values):
        whole = np.zeros((*prototypes.shape[:2], len(pixels)), np.int8)
        whole[..., pixels] = np.rint(127 * np.clip(prototypes / reach, -1, 1))
        arrays[f"images{i}"] = whole
    return image_side(len(pixels)), arrays


def _frame(points, every, flat):
    """Return the square that shows all points and each way, less what flies far off."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, extent = (low + high) / 2, max(float((high - low).max()), 1e-9)
    far = 0.75 * extent  # a prototype beyond it is not waited for
    near = every[(np.abs(every - middle) <= far).all(axis=1)]
    low, high = near.min(axis=0), near.max(axis=0)
    x, y = (low + high) / 2
    half = _ROOM / 2 * max(float((high - low)[: 1 if flat else 2].max()), 1e-9)
    return {"left": x - half, "right": x + half, "bottom": y - half, "top": y + half}


def _plane_words(plane, features):
    """Say what the plane is, and whether the rows lie in it."""
    if len(features) == 1:
        return f"{features[0]} across; up and down points are spread only to be seen."
    if len(features) == 2:
        return f"{features[0]} across, {features[1]} up."
    return (
        f"A slice through {len(features)} features: the plane of the two directions of largest "
        f"spread, which holds {min(1.0, sum(plane.shares)):.0%} of it. Points and prototypes are "
        "shown where they project to and keep their own colours; the plane has those of its own "
        "points."
    )


def _figures(values):
    return [float(f"{value:.6g}") if np.isfinite(value) else None for value in values]


def _written(head, arrays):
    places, parts, at = {}, [], 0
    for name, array in arrays.items():
        kind = array.dtype.name
        content = np.ascontiguousarray(array, _KINDS[kind]).tobytes()
        content += bytes(-len(content) % 4)
        places[name] = [kind, at, list(array.shape)]
        parts.append(content)
        at += len(content)
    text = json.dumps({**head, "arrays": places}, ensure_ascii=False, allow_nan=False).encode()
    text += b" " * (-len(text) % 4)
    return b"".join([len(text).to_bytes(4, "little"), text, *parts])
