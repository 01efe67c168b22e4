"""Lesson 7: weights and spheres."""

from workbench.lessons.clouds import rays
from workbench.lessons.lesson import Equation, Lesson, Prediction, Screen, Symbol, Touch

_MEMORIES = [[0.9, 0.2], [-0.6, 0.8], [-0.5, -0.9]]

LESSON = Lesson(
    key="weights",
    number=7,
    title="Weights and spheres",
    idea="Change the energy, and basins change: weights favour a memory, spheres keep directions.",
    picture="circle",
    controls=("weight", "beta", "press", "particle"),
    page="energy",
    points=rays(),
    screens=(
        Screen(
            "These three memories pull alike. A weight makes one of them pull more.",
            {
                "space": "plane", "memories": _MEMORIES, "weights": [1, 1, 1],
                "angles": [30, 120, 165],
                "beta": 1, "steps": 10, "particle": None, "press": 0, "selected": 1,
                "layers": ["basins"], "shown": ["weight"],
            },
            Touch("Raise the weight of memory 2 above 4.", "weight above", 4),
            "Its basin grew, and no memory moved.",
        ),
        Screen(
            "All weights are 1 again, and the basins hidden. The ball is a little nearer to memory "
            "1 than to memory 2.",
            {"between": [0, 1, 0.43], "layers": [], "shown": []},
            Prediction(
                "Memory 2's weight will be tripled. Which memory gets the ball?",
                "choose", "memory of particle if weight 2 is 3",
                choices=("Memory 1", "Memory 2", "Memory 3"),
            ),
            "A memory of weight 3 pulls like three memories at one place.",
            {"weights": [1, 3, 1], "layers": ["basins", "way"]},
        ),
        Screen(
            "How far a weight reaches depends on β.",
            {
                "weights": [1, 3, 1], "between": None, "particle": None, "layers": ["basins"],
                "shown": ["weight", "beta"],
            },
            Touch("Raise β above 20.", "beta above", 20),
            "The same weight hardly moves a border now: with large β distance decides.",
            equation=Equation(
                r"E(v) = -\frac{1}{\beta} \log \sum_\mu "
                r"\varepsilon_\mu e^{-\beta \| \rho_\mu - v \|^2}",
                "Balls roll where the energy is low: near memories, the more so the more they "
                "weigh.",
                (
                    Symbol("E", "energy"),
                    Symbol(r"\log", "natural logarithm"),
                    Symbol("e", "2.718…, to a power"),
                    Symbol("v", "where the ball is"),
                    Symbol(r"\sum_\mu", "the sum over all memories"),
                    Symbol(r"\varepsilon_\mu", "weight of memory μ", "weight"),
                    Symbol(r"\beta", "inverse temperature", "beta"),
                    Symbol(r"\rho_\mu", "memory μ", "memories"),
                ),
            ),
        ),
        Screen(
            "Sometimes only a direction matters: which words a text uses, not how long it is.",
            {
                "space": "circle", "weights": [1, 1, 1], "beta": 8, "layers": ["points"],
                "shown": ["press"],
            },
            Touch("Press all points to length 1.", "press above", 0.95),
            "Every point is on the unit circle now. Its direction is all that is left.",
        ),
        Screen(
            "Memories are directions too, and near means a small angle.",
            {"press": 1, "layers": ["basins", "points", "way"], "shown": ["particle", "beta"]},
            Touch("Click the circle, or the button, to drop a ball.", "particle dropped"),
            "After each step the ball is put back to length 1. So it runs along the circle, and "
            "basins are arcs.",
        ),
        Screen(
            "β is small now, and the arcs are hidden. Mind the neighbours.",
            {"beta": 1, "particle": None, "layers": [], "shown": []},
            Prediction(
                "Where is the border between memories 1 and 2?", "choose", "border side 1 2",
                choices=("Nearer to 1", "Halfway", "Nearer to 2"),
            ),
            "With small β a close neighbour pulls along with a memory, and their side of the "
            "border grows. The curve outside is the energy: far out is high.",
            {"layers": ["basins", "energy"]},
        ),
        Screen(
            "On the circle the energy needs angles only.",
            {"layers": ["basins", "points", "energy"], "shown": ["beta"]},
            Touch("Raise β above 20 and watch the borders.", "beta above", 20),
            "The larger β, the more memories have a valley of their own, and the closer borders "
            "come to halfway.",
            equation=Equation(
                r"E(v) = -\frac{1}{\beta} \log \sum_\mu e^{\beta \langle \rho_\mu , v \rangle}",
                "In angle brackets: the inner product, here the cosine of the angle between memory "
                "and ball.",
                (
                    Symbol("E", "energy"),
                    Symbol(r"\log", "natural logarithm"),
                    Symbol("e", "2.718…, to a power"),
                    Symbol(r"\sum_\mu", "the sum over all memories"),
                    Symbol("v", "the ball, of length 1"),
                    Symbol(r"\beta", "inverse temperature", "beta"),
                    Symbol(r"\rho_\mu", "memory μ, of length 1", "memories"),
                ),
            ),
        ),
    ),
)  # fmt: skip
