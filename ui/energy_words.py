"""What the energy page says, made from its numbers."""

import numpy as np

from workbench.ground import angles
from workbench.words import count, listing

_NAMED = 4  # valleys told one by one
_NOTHING = 1e-3  # of the heights shown
_EVEN = 1e-9  # of the largest height: rounding, neither a rise nor a fall
_BALANCED = "It stays there: all pulls cancel, and the least push would send it downhill."
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def valley_names(owners):
    """Name valleys by the memory nearest to each: "memory 1", or "memory 1 (a)" where it has two.

    Parameters
    ----------
    owners : ndarray of int, shape (a,)

    Returns
    -------
    list of str
    """
    names = []
    for place, owner in enumerate(owners):
        alike = np.flatnonzero(owners == owner)
        letter = f" ({_LETTERS[int(np.searchsorted(alike, place)) % 26]})"
        names.append(f"memory {owner + 1}{letter if len(alike) > 1 else ''}")
    return names


def picture(land, beta, top, by_height):
    """Say what the surface or the globe shows.

    Parameters
    ----------
    land : ui.energy_picture.Ground
    beta : str
        As the page writes it.
    top : float
        Height at which the picture ends.
    by_height : bool
        Whether heights colour it.

    Returns
    -------
    str
    """
    what = "The globe's colours are" if land.on_globe and by_height else "The surface is"
    if land.on_globe and not by_height:
        what = "The lines on the globe are those of equal"
        shown = f"{what} energy at β = {beta}, and its colours the basins"
    elif land.on_globe:
        shown = f"{what} the energy at β = {beta}"
    else:
        cut = f", cut at height {top:.3g}" if land.found.heights.max() > top else ""
        colours = "height" if by_height else "basin"
        shown = f"{what} the energy at β = {beta}{cut}, coloured by {colours}"
    return (
        f"{shown}: {_valleys(land)}. Heights count from its lowest point, where "
        f"{_floor(land, top)}."
    )


def _valleys(land):
    k, a = len(land.memories), len(land.found.attractors)
    if k == 1:
        return "a single memory has a single valley"
    if a == 1:
        return f"the {k} memories share one valley, and whatever is left alone ends at its bottom"
    if a == k:
        return f"each of the {k} memories has a valley of its own"
    if a < k:
        return f"the {k} memories share {a} valleys"
    return f"the {k} memories have {a} valleys: pulls that balance between them dig one more"


def _floor(land, top):
    """Write the lowest energy, and where it comes from where all memories pull alike."""
    floor, k = land.found.floor, len(land.memories)
    if abs(floor) < _NOTHING * top:
        return "E is all but 0"
    told = f"E = {signed(floor)}"
    common = np.log(k) / land.beta
    if k == 1 or land.kind == "weighted" or abs(floor + common) > 0.1 * common:
        return told
    return f"{told}, nearly all of it −(1/β) ln {k} = −{common:.4g}, the same everywhere"


def signed(number):
    """Write a number to four figures, with a true minus."""
    return f"{number:.4g}".replace("-", "−")


def depths(land):
    """Say how deep each valley is against the lowest pass out of it; empty where there is one."""
    found = land.found
    if len(found.attractors) == 1:
        return ""
    names = valley_names(found.owners)
    told = [
        f"{depth:.3g} for {name} (towards {names[other]})"
        for name, depth, other in zip(names, found.depths, found.neighbours, strict=True)
        if np.isfinite(depth)
    ]
    if not told:
        return "The valleys meet only outside the picture."
    if len(told) <= _NAMED:
        return f"From a valley's bottom up to the lowest pass out of it: {listing(told, 99)}."
    deep = np.where(np.isfinite(found.depths), found.depths, np.nan)
    low, high = int(np.nanargmin(deep)), int(np.nanargmax(deep))
    return (
        f"Of the {len(names)} valleys {names[high]}'s is the deepest, {deep[high]:.3g} below the "
        f"lowest pass out of it, and {names[low]}'s the shallowest, {deep[low]:.3g}."
    )


def place(land, point):
    """Write a place: of the plane (x, y), of the globe its longitude and latitude."""
    if land.on_globe:
        longitude, latitude = angles(point)
        return f"longitude {longitude:.0f}°, latitude {latitude:.0f}°"
    return f"({point[0]:.3g}, {point[1]:.3g})"


def fate(land, walk):
    """Say where the particle ended, and why.

    Parameters
    ----------
    land : ui.energy_picture.Ground
    walk : workbench.energy_surface.Way

    Returns
    -------
    str
    """
    steps = len(walk.iterates) - 1
    after = f"after T = {count(steps, 'step')}" if land.n_steps else f"after {_full(steps)}"
    told = (
        f"The particle starts at {place(land, walk.iterates[0])}, nearest to memory "
        f"{walk.nearest + 1}; {after} it is at {place(land, walk.iterates[-1])}, nearest to "
        f"memory {walk.label + 1}"
    )
    if len(land.memories) == 1:
        left = float(walk.heights[-1] - land.found.bottoms[0])
        balanced = not _moves(walk) and left > _EVEN * float(land.found.heights.max())
        return f"{told}: there is no other.{' ' + _BALANCED if balanced else ''}"
    if walk.label == walk.nearest:
        return f"{told}. {_rest(land, walk)}"
    return (
        f"{told}: it runs downhill, and the slope is where all memories pull together, which need "
        f"not be towards the nearest. {_rest(land, walk)}"
    )


def _full(steps):
    return "one full step" if steps == 1 else f"{steps} full steps"


def _rest(land, walk):
    """How far it is from the bottom of its valley."""
    name = valley_names(land.found.owners)[walk.valley]
    whose = f"{name}'s valley" if len(land.found.attractors) > 1 else "the one valley"
    left = float(walk.heights[-1] - land.found.bottoms[walk.valley])
    fall = float(walk.heights[0] - land.found.bottoms[walk.valley])
    if fall <= _EVEN * float(land.found.heights.max()) or left <= 1e-3 * fall:
        return f"There it rests, at the bottom of {whose}."
    if not _moves(walk):
        return _BALANCED
    why = "" if land.n_steps is None else ", since T steps of 1/T stop on the way"
    if land.step_size is not None:
        why = f", since {count(land.n_steps, 'step')} of {land.step_size:g} stop on the way"
    return f"{100 * left / fall:.0f} % of the fall to the bottom of {whose} is still to go{why}."


def fall(land, walk):
    """Say how the energy fell along the way."""
    moves = -np.diff(walk.heights)
    scale = max(float(np.abs(walk.heights).max()), np.finfo(float).tiny)
    lines = f"Lines: {listing([name.lower() for name in levels(land, walk)])}."
    if not _moves(walk):
        return f"The particle stays where it starts, at height {walk.heights[0]:.4g}. {lines}"
    if moves.min() < -_EVEN * scale:  # no step size up to 1 does that
        return f"The energy rises at step {int(np.argmin(moves)) + 1}, by {-moves.min():.3g}."
    most = int(np.argmax(moves))
    told = (
        f"Energy at the start and after each step: from {walk.heights[0]:.4g} to "
        f"{walk.heights[-1]:.4g}. It never rises, and falls most, by {moves[most]:.3g}, at step "
        f"{most + 1}."
    )
    return f"{told} {lines}"


def _moves(walk):
    """Whether the particle leaves its start, rounding aside."""
    reach = max(float(np.abs(walk.iterates).max()), np.finfo(float).tiny)
    return bool(np.abs(walk.iterates - walk.iterates[0]).max() > _EVEN * reach)


def levels(land, walk):
    """Heights that the fall is compared with, by their names."""
    found, valley = land.found, walk.valley
    lines = {"Bottom of its valley": float(found.bottoms[valley])}
    lowest = float(found.passes[valley].min())
    if np.isfinite(lowest):
        lines["Lowest pass out of it"] = lowest
    return lines


def velocity(land, walk):
    """Say what the velocity at the start is; on the globe, what becomes of the pull."""
    pull, along = (float(np.linalg.norm(part)) for part in (walk.pull, walk.tangent))
    if not land.on_globe:
        return ""
    if not _moves(walk):
        return (
            f"At the start the memories together pull with {pull:.2g}, straight in or out, and "
            "nothing along the globe: the particle stays."
        )
    turn = np.degrees(np.arccos(np.clip(walk.iterates[0] @ walk.iterates[1], -1, 1)))
    return (
        f"At the start the memories together pull with {pull:.2g}. Only the part along the globe, "
        f"{along:.2g} (the arrow), moves the particle: what points in or out is undone when it is "
        f"put back at distance 1 from the middle. The first step turns it by {turn:.2g}°, along a "
        "great circle."
    )


_STEP = r"v\leftarrow v+\frac1T\sum_{\mu}(\rho_\mu-v)\;p_\mu(v)"
EQUATIONS = {
    "euclidean": (
        r"E(v)=-\frac1\beta\,\log\sum_{\mu=1}^{k}e^{-\beta\,\lVert\rho_\mu-v\rVert^2}",
        _STEP,
    ),
    "weighted": (
        r"E(v)=-\frac1\beta\,\log\sum_{\mu=1}^{k}\varepsilon_\mu\,"
        r"e^{-\beta\,\lVert\rho_\mu-v\rVert^2}",
        _STEP,
    ),
    "spherical": (
        r"E(v)=-\frac1\beta\,\log\sum_{\mu=1}^{k}e^{\beta\,\langle\rho_\mu,v\rangle}",
        r"v\leftarrow\frac{v+\frac1T\sum_{\mu}\rho_\mu\,p_\mu(v)}"
        r"{\lVert v+\frac1T\sum_{\mu}\rho_\mu\,p_\mu(v)\rVert}",
    ),
}
"""Energy and step of each kind, in LaTeX (equations 1 and 4, 10 and 11, 12 of the ClAM paper)."""
_READINGS = {
    "euclidean": "Near a memory the sum has one large term and the energy is the squared distance "
    "to it; where several terms are alike, their valleys run together. A step goes a share of the "
    "way to the mean of all memories, each counted by its share p.",
    "weighted": "As without weights, but a memory of larger weight has a deeper and wider valley. "
    "A step goes a share of the way to the mean of all memories, each counted by its share p.",
    "spherical": "The nearer in angle, the lower: the sum counts each memory by its inner product "
    "with v. A step adds a share of what all memories recall together, and the length is then set "
    "back to 1.",
}


def reading(kind):
    """Read an energy in plain words, each symbol tied to what sets it on the page."""
    globed = kind == "spherical"
    symbols = [
        r"$v$: the particle, set by a click or under *Particle*",
        r"$\rho_\mu$: memory number μ, in *Memories, one by one*"
        + (", at length 1" if globed else ""),
        r"$\beta$: the slider *β, inverse temperature*"
        + (", here without a unit" if globed else ""),
        r"$T$: the slider *T, steps of recall*; *at its attractor* takes full steps instead",
        r"$p_\mu(v)$: share of memory μ in the sum; nothing sets it but v, β and the memories",
    ]
    if kind == "weighted":
        symbols.insert(2, r"$\varepsilon_\mu$: its *weight*, in the same table")
    return f"{_READINGS[kind]}\n\n" + "\n".join(f"- {line}" for line in symbols)
