"""Lesson 6: learning by completion."""

from workbench.lessons.clouds import three_groups
from workbench.lessons.lesson import Equation, Lesson, Prediction, Screen, Symbol, Touch

LESSON = Lesson(
    key="completion",
    number=6,
    title="Learning by completion",
    idea="Memories that learn to fill in what is hidden can find clusters on their own.",
    picture="training",
    controls=("epoch", "hide", "point", "misses", "basins"),
    page="completion",
    points=three_groups(),
    needs_frames=True,
    screens=(
        Screen(
            "Three memories wait in the middle. Nobody tells them which points belong together. "
            "Instead, points set them a puzzle: part of a point is hidden.",
            {"epoch": 0, "hide": "y", "point": None, "layers": [], "shown": ["point"]},
            Touch("Click a point, or step to one, to hide its height.", "point picked"),
            "Only the dashed line is known. Recall starts at the mean height and may move along "
            "the line. The thick bar is what it misses.",
        ),
        Screen(
            "A point has two coordinates, and either can be hidden.",
            {"shown": ["point", "hide"], "point": 0},
            Touch("Hide the left–right place instead.", "hide x"),
            "Memories in the middle say “the middle” to every puzzle, and miss.",
        ),
        Screen(
            "Square the misses and take their mean over all points, each coordinate hidden in "
            "turn. That mean is the loss.",
            {"hide": "y", "point": None, "shown": ["misses", "hide"]},
            Touch("Show all misses.", "misses shown"),
            "Learning moves the memories, a little each epoch, so that these bars shrink.",
            equation=Equation(
                r"\mathcal{L} = \sum_x \mathbb{E}_m \| \bar{m} \odot (x - x^T) \|^2",
                "Over all points and all ways of hiding, add up the squared miss of recall.",
                (
                    Symbol(r"\mathcal{L}", "the loss"),
                    Symbol(r"\sum_x", "the sum over all points x"),
                    Symbol(r"\mathbb{E}_m", "the mean over what is hidden"),
                    Symbol(r"\bar{m}", "1 where hidden, 0 elsewhere", "hide"),
                    Symbol(r"\odot", "multiplied coordinate by coordinate"),
                    Symbol("x", "a whole point"),
                    Symbol(r"x^T", "where T = 10 steps of recall end", "misses"),
                ),
            ),
        ),
        Screen(
            "Before they learn, a guess. Each memory will gather points. Think of their middles.",
            {"layers": [], "shown": []},
            Prediction(
                "Where will the memories end?", "choose", "where memories end",
                choices=("Short of the middles", "In the middles", "Beyond them"),
            ),
            "Crosses mark the middles. Recall stops with about a third of its way left (lesson 4). "
            "So where one coordinate tells of the other, a memory in the middle would fall short, "
            "and learning pushes it beyond.",
            {"epoch": "last", "layers": ["trails", "means"]},
        ),
        Screen(
            "Now watch them get there.",
            {"epoch": 0, "layers": ["misses", "trails"], "shown": ["epoch"]},
            Touch("Press Learn, or drag the epoch to its end.", "epoch above", 60),
            "Where one coordinate tells of the other, memories part, each takes on points that are "
            "alike, and bars shrink.",
        ),
        Screen(
            "The memories have learned. The heights of A and B are hidden.",
            {"epoch": "last", "layers": ["pair"], "shown": []},
            Prediction(
                "Which is completed better?", "choose", "better completed", choices=("A", "B"),
            ),
            "A memory knows what its points have in common. What strays from that is completed "
            "badly.",
            {"layers": ["pair", "misses"]},
        ),
        Screen(
            "Hide nothing, and recall takes each whole point towards a memory.",
            {"hide": "nothing", "layers": [], "shown": ["basins"]},
            Touch("Show the basins.", "basins shown"),
            "Points of one basin are a cluster. Nobody asked for clusters, only for completion.",
        ),
    ),
)  # fmt: skip
