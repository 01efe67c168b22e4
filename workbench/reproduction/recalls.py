"""ClAM's Figures 2, 3, 4, 11 and 12: a point that is recalled, and basins against Voronoi cells."""

from functools import partial

import numpy as np

from workbench.figures import palette
from workbench.figures.attraction import attraction_figure
from workbench.figures.captions import percent
from workbench.figures.raster import pixel_centres
from workbench.recipe import Memories, Recipe, View
from workbench.reproduction.item import BasinsPanel, Claim, Compared, Outcome, Panel
from workbench.toys import FIGURE_3_I, FIGURE_3_II, FIGURE_3_III, Preset

FIGURE_2 = Preset(
    "figure-2", "Figure 2", ((0.25, 0.75), (0.85, 0.6), (0.45, 0.1)), 15.0, (15.0,),
    "Three memories pull a point, which rolls to the nearest of them.",
    particle=(0.45, 0.55),
)  # fmt: skip
_GRID = 160  # points along each side, by which shares of a picture are measured
_RECURSION = {"n_steps": 40, "step_size": 0.2}  # by which a point comes to rest
_ALIKE = 0.005  # of the picture


def figure_2(asked, report, stop):
    """Pulls on a point, and its way to a memory."""
    preset = FIGURE_2
    path, energies, shares = _way(preset)
    rest, _, _ = _way(preset, **_RECURSION)
    nearest = int(np.argmin(np.linalg.norm(np.subtract(preset.memories, path[0]), axis=1)))
    end = np.array(preset.memories[nearest])
    left = np.linalg.norm(path[-1] - end) / np.linalg.norm(path[0] - end)
    apart = float(np.linalg.norm(rest[-1] - end))
    expected = (1 - 1 / preset.n_steps) ** preset.n_steps
    falls = bool((np.diff(energies) <= 1e-12).all())
    claims = (
        Claim(
            "The energy falls at each step of equation 4.",
            f"From {energies[0]:.4f} to {energies[-1]:.4f} in {preset.n_steps} steps, "
            + ("never upwards." if falls else "with a step upwards."),
            falls,
        ),
        Claim(
            "Repeated, the steps take the point to a memory.",
            f"{_RECURSION['n_steps']} steps of {_RECURSION['step_size']:g} take it to a distance "
            f"of {apart:.3f} from memory {nearest + 1}. T = {preset.n_steps} of 1/T each leave "
            f"{left:.0%} of the way to it: {expected:.0%} would be left if it pulled alone.",
            apart < 0.1,
        ),
    )
    strongest = int(shares.argmax())
    words = (
        f"Coloured arrows: the pull of each memory; the strongest is memory {strongest + 1}'s, "
        f"{shares[strongest]:.0%} of the softmax. Thick arrow: their sum. Line: the way of the "
        f"point in T = {preset.n_steps} steps."
    )
    return Outcome(
        claims=claims,
        panels=(
            _attraction("Attraction and update", words, preset, path, shares),
            _basins(
                preset,
                "Recursion to a fixed point",
                f"The way of the point in {_RECURSION['n_steps']} steps of "
                f"{_RECURSION['step_size']:g}, among the basins of the three memories.",
                **_RECURSION,
            ),
        ),
        notes=("The positions are ours: the paper prints none.",),
    )


def figure_3(asked, report, stop):
    """Three cases of collective attraction."""
    cases = (
        (FIGURE_3_I, 0, "Case I: of two memories the nearest wins.", True),
        (FIGURE_3_II, 1, "Case II: two memories pull the same way and beat the nearest.", False),
        (FIGURE_3_III, 0, "Case III: two near memories cancel out, and the farthest wins.", False),
    )
    claims, panels = [], []
    for preset, winner, told, by_distance in cases:
        path, _, shares = _way(preset)
        label = _label(path[-1], preset)
        nearest = _label(path[0], preset)
        holds = label == winner and (label == nearest) == by_distance
        claims.append(
            Claim(
                told,
                f"Memory {nearest + 1} is nearest, and the point ends nearest to memory "
                f"{label + 1} (β = {preset.beta:g} of equation 1).",
                holds,
            )
        )
        words = (
            f"The point starts nearest to memory {nearest + 1} and ends nearest to memory "
            f"{label + 1}. Arrows: the pull of each memory and, thick, their sum."
        )
        panels.append(_attraction(told.split(":")[0], words, preset, path, shares))
    return Outcome(
        claims=tuple(claims),
        panels=tuple(panels),
        notes=("Positions and β are ours: the paper draws the cases without numbers.",),
    )


def partitions(preset, asked, report, stop):
    """Basins against Voronoi cells for each temperature of a figure.

    Parameters
    ----------
    preset : workbench.toys.Preset
    asked, report, stop
        Unused: it takes no time.

    Returns
    -------
    Outcome
    """
    leaving = [_leaving(preset, beta) for beta in preset.betas]
    rows = tuple(
        Compared(
            f"β = {2 * beta:g}",
            f"leaves its cell (β / 2 = {beta:g})",
            ours=share,
            why="The paper draws the picture and prints no number for it.",
        )
        for beta, share in zip(preset.betas, leaving, strict=True)
    )
    most = int(np.argmax(leaving))
    claims = (
        Claim(
            "At the smallest β the basins do not match the Voronoi cells.",
            f"{percent(leaving[0])} of the picture belongs to another memory than its nearest.",
            leaving[0] > _ALIKE,
        ),
        Claim(
            "As β grows the basins come to match the Voronoi cells.",
            f"From {percent(leaving[most])} at printed β = {2 * preset.betas[most]:g} to "
            f"{percent(leaving[-1])} at {2 * preset.betas[-1]:g}.",
            leaving[-1] < _ALIKE,
        ),
    )
    panels = tuple(
        _basins(
            preset,
            f"β = {2 * beta:g}",
            f"{percent(share)} of the picture leaves its Voronoi cell.",
            beta=beta,
        )
        for beta, share in zip(preset.betas, leaving, strict=True)
    )
    return Outcome(
        rows=rows,
        claims=claims,
        panels=panels,
        notes=(
            "Printed values of β are of the published program, exp(−(β/2) d²): equation 1's are "
            "half. T = 10, and a point belongs to the memory nearest to where 10 steps take it.",
            "Colour and large number say to which memory a point goes. Discs are memories, stars "
            "attractors: where whole steps end. Dashed are the Voronoi edges.",
            "The positions of the memories are read off the picture: the paper prints none.",
        ),
    )


def _tensors(preset):
    import torch

    import clam_core

    memories = torch.tensor(preset.memories, dtype=torch.float64)
    return torch, clam_core, memories, clam_core.make_energy("euclidean")


def _way(preset, n_steps=None, step_size=None):
    """Iterates (t + 1, 2) of a preset's particle, their energies, and the softmax at the start."""
    torch, core, memories, energy = _tensors(preset)
    x = torch.tensor([preset.particle], dtype=torch.float64)
    path = core.recall_path(
        x, memories, energy=energy, beta=preset.beta, n_steps=n_steps or preset.n_steps,
        step_size=step_size,
    )[:, 0]  # fmt: skip
    energies = energy.value(path, memories, preset.beta).numpy()
    shares = torch.softmax(energy.log_affinity(x, memories, preset.beta), -1)[0].numpy()
    return path.numpy(), energies, shares


def _label(point, preset):
    return int(np.argmin(np.linalg.norm(np.subtract(preset.memories, point), axis=1)))


def _leaving(preset, beta):
    """Share of a box around the memories, as the Basins page draws it, that leaves its cell."""
    torch, core, memories, energy = _tensors(preset)
    places = np.array(preset.memories)
    low, high = places.min(axis=0), places.max(axis=0)
    middle, half = (low + high) / 2, 0.8 * (high - low).max()
    box = (middle[0] - half, middle[0] + half, middle[1] - half, middle[1] + half)
    x = torch.from_numpy(pixel_centres(box, _GRID))
    labels = core.assign(x, memories, energy=energy, beta=beta, n_steps=preset.n_steps)
    cells = core.voronoi(x, memories, energy=energy)
    return float((labels != cells).double().mean())


def _attraction(title, words, preset, path, shares):
    memories = np.array(preset.memories)
    pulls = shares[:, None] * (memories - path[0])
    draw = partial(attraction_figure, memories, pulls, path, colours=palette.colours(len(memories)))
    return Panel(title, words, lambda dark: draw(dark=dark))


def _basins(preset, title, words, **changed):
    settings = {"beta": preset.beta, "n_steps": preset.n_steps} | changed
    recipe = Recipe(data=Memories(positions=preset.memories), method="recall", settings=settings)
    return BasinsPanel(title, words, recipe, View(particle=preset.particle, convention="published"))


def of(preset):
    """Return the run of a preset's figure, see :func:`partitions`."""
    return partial(partitions, preset)
