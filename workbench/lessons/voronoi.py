"""Lesson 2: Voronoi cells, and why k-means makes them."""

from workbench.lessons.lesson import Equation, Lesson, Prediction, Screen, Symbol, Touch
from workbench.lessons.toys import blobs

_NEAREST = {"beta": 1e6, "steps": 1, "mode": "steps"}  # one full step, to the nearest memory
_BAD_START = [[0.75, 0.8], [0.85, 0.72], [0.9, 0.6]]

LESSON = Lesson(
    key="voronoi",
    number=2,
    title="Voronoi cells, and why k-means makes them",
    idea="Nearest wins: every border is straight, and k-means draws no other.",
    picture="plane",
    controls=("lloyd",),
    page="cluster",
    points=blobs([(0.22, 0.3), (0.5, 0.78), (0.8, 0.35)], 14, 0.1, seed=3),
    screens=(
        Screen(
            "Take the simplest rule: every place belongs to its nearest memory. The regions are "
            "called Voronoi cells.",
            {**_NEAREST, "memories": [[0.2, 0.25], [0.45, 0.78], [0.85, 0.4]],
             "layers": ["basins"], "shown": []},
            Touch("Drag a memory. What do the borders never do?", "memory moved"),
            "They turn and shift, but they never bend.",
        ),
        Screen(
            "Only two memories, and the colours are off.",
            {"memories": [[0.25, 0.35], [0.75, 0.65]], "layers": []},
            Prediction("Sketch where the border runs.", "sketch", "boundary"),
            "It crosses the line between the memories in its middle, at a right angle: each of its "
            "places is equally far from both.",
            {"layers": ["basins"]},
        ),
        Screen(
            "Three memories again, and one point.",
            {"memories": [[0.2, 0.25], [0.45, 0.78], [0.85, 0.4]], "particle": [0.5, 0.46],
             "layers": ["ball"]},
            Prediction("In whose cell does it lie?", "choose", "memory of particle"),
            "Compare distances two by two. Each comparison is one straight border, so many "
            "memories make polygons.",
            {"layers": ["basins", "ball"]},
        ),
        Screen(
            "k-means clusters by two moves, again and again. Colour every point like its nearest "
            "centre; then move every centre to the mean of its points.",
            {"start": _BAD_START, "particle": None, "layers": ["basins", "points"],
             "shown": ["lloyd"]},
            Touch("Press the button under the picture once.", "lloyd pressed"),
            "The centres moved, so the borders moved, so some points may have a new colour.",
        ),
        Screen(
            "Back to the start. Press long enough, and nothing moves any more.",
            {},
            Prediction(
                "How many presses until then?", "number", "rounds",
                low=0, high=20, unit="presses", tolerance=1,
            ),
            "It always ends: each press brings points and centres closer together, or nothing "
            "moves.",
        ),
        Screen(
            "See for yourself.",
            {},
            Touch("Press until the button rests.", "lloyd settled"),
            "A point joins its nearest centre. So k-means always cuts the data by Voronoi cells, "
            "even where clusters are bent.",
            equation=Equation(
                r"\ell(x) = \operatorname{argmin}_\mu \, \| x - \rho_\mu \|",
                "The label of a point is the number of the memory at the least distance.",
                (
                    Symbol(r"\ell", "the label: a colour"),
                    Symbol("x", "a point"),
                    Symbol(r"\rho_\mu", "memory, or centre, number μ", "memories"),
                    Symbol(
                        r"\operatorname{argmin}_\mu", "the μ that makes what follows smallest"
                    ),
                ),
            ),
        ),
    ),
)  # fmt: skip
