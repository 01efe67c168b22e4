"""Lesson 1: what a basin is."""

from workbench.lessons.lesson import Equation, Lesson, Prediction, Screen, Symbol, Touch
from workbench.lessons.toys import blobs

_MEMORIES = [[0.2, 0.72], [0.5, 0.2], [0.85, 0.62]]

LESSON = Lesson(
    key="basin",
    number=1,
    title="What is a basin?",
    idea="A basin is every start that ends at the same place.",
    picture="plane",
    controls=("particle",),
    points=blobs(_MEMORIES, 8, 0.07, seed=0),
    screens=(
        Screen(
            "The numbered discs are memories: places that the system has stored. A ball put "
            "anywhere is pulled by all of them, and the near ones pull most.",
            {"memories": _MEMORIES, "beta": 14, "mode": "attractor", "layers": ["way"],
             "shown": ["particle"]},
            Touch("Click anywhere in the picture, or press “Drop a ball”.", "particle dropped"),
            "It rolled until nothing pulled it any further. The line is its way.",
        ),
        Screen(
            "Where a ball ends depends on where it starts.",
            {"particle": [0.3, 0.6]},
            Touch("Drag the ball's ring until it ends at another memory.", "end changed"),
            "Somewhere between the two starts runs a border.",
        ),
        Screen(
            "Here is a new ball, and its way is hidden.",
            {"particle": [0.56, 0.47], "layers": ["ball"], "shown": []},
            Prediction("Which memory gets it?", "choose", "memory of particle"),
            "Now every place has the colour of the memory that gets it. All the starts of one "
            "colour are one basin.",
            {"layers": ["basins", "way"]},
        ),
        Screen(
            "A basin belongs to its memory.",
            {"particle": None, "layers": ["basins"]},
            Touch("Drag a memory and watch the borders.", "memory moved"),
            "Every border moved that the memory has a share in.",
        ),
        Screen(
            "The colours are off again. Look where memory 1 lies now.",
            {"memories": [[0.06, 0.9], [0.5, 0.2], [0.85, 0.62]], "layers": []},
            Prediction(
                "How much of the picture does its basin cover?",
                "number", "share of memory 1", tolerance=6,
            ),
            "Count only what you see: the plane goes on beyond the picture.",
            {"layers": ["basins"]},
        ),
        Screen(
            "Put data on the plane, and basins become clusters: points that roll to the same "
            "memory belong together.",
            {"memories": _MEMORIES, "layers": ["basins", "points"],
             "shown": ["particle"]},
            Touch("Drag a memory to change the clusters.", "memory moved"),
            "That is clustering with associative memories.",
            equation=Equation(
                r"B_\mu = \{\, x : x \rightarrow \rho_\mu \,\}",
                "The basin of a memory is the set of all starts that roll to it.",
                (
                    Symbol(r"B_\mu", "the basin: one colour"),
                    Symbol("x", "a start: where the ball is dropped", "particle"),
                    Symbol(r"\rho_\mu", "a memory: disc number μ", "memories"),
                ),
            ),
        ),
    ),
)  # fmt: skip
