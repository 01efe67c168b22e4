"""Lesson 8: density modes, graphs and lambda."""

from workbench.lessons.clouds import two_moons
from workbench.lessons.lesson import Equation, Lesson, Prediction, Screen, Symbol, Touch

LESSON = Lesson(
    key="graphs",
    number=8,
    title="Modes, graphs and λ",
    idea="A graph of neighbours lets clusters bend where prototypes alone would cut.",
    picture="graph",
    controls=("lam", "edges", "density", "changed", "point"),
    page="laplacian",
    points=two_moons(),
    needs_frames=True,
    screens=(
        Screen(
            "A prototype stands for a cluster. It need not be a mean: the two discs are modes.",
            {"units": 0, "point": None, "layers": ["modes"], "shown": ["density"]},
            Touch("Show the density.", "density shown"),
            "A mode is the point around which its cluster is densest, so it never lies in empty "
            "space.",
        ),
        Screen(
            "A kernel is 1 at its mode and falls with the distance. For now, a point joins the "
            "mode whose kernel is larger there.",
            {"point": "contested", "layers": ["modes"], "shown": []},
            Prediction(
                "Which cluster does the ringed point join?", "choose", "cluster of point at 0",
                choices=("Cluster 1", "Cluster 2"),
            ),
            "The nearer mode wins. That cuts the plane straight, whatever shape the points have.",
            {"layers": ["modes", "clusters"]},
        ),
        Screen(
            "Points know something that modes do not: who is next to whom.",
            {"point": None, "layers": ["modes", "clusters"], "shown": ["edges"]},
            Touch("Show the edges to the nearest neighbours.", "edges shown"),
            "A dashed edge is cut: it joins neighbours in different clusters.",
        ),
        Screen(
            "So let each point hear both the modes and its neighbours; λ makes these louder.",
            {"layers": ["modes", "clusters", "edges"], "shown": ["point"]},
            Touch("Pick a point, and read below what it hears.", "point picked"),
            "Its neighbours' shares change as its own does, so this goes round until nothing "
            "moves.",
            equation=Equation(
                r"z_p = \operatorname{softmax}( a_p + 2 \lambda b_p )",
                "What point p hears from modes and neighbours, turned into shares.",
                (
                    Symbol(r"z_p", "its share in each cluster; they sum to 1"),
                    Symbol(r"a_p", "its kernel to each mode", "modes"),
                    Symbol(r"b_p", "its neighbours' shares, added up", "edges"),
                    Symbol(r"\lambda", "how much neighbours count", "lam"),
                    Symbol(r"\operatorname{softmax}", "the largest gets most"),
                ),
            ),
        ),
        Screen(
            "λ is 0 here. Its unit, c(2) for two clusters, is about where neighbours begin to "
            "decide; the default is 1.25 of it.",
            {"point": None, "shown": []},
            Prediction(
                "How many points will be in another cluster at 1.25?",
                "number", "share changed at 1.25", tolerance=8,
            ),
            "A ring marks each point that its neighbours have brought over.",
            {"units": 1.25, "layers": ["modes", "clusters", "edges", "changed"]},
        ),
        Screen(
            "How does it happen?",
            {
                "units": 0, "layers": ["modes", "clusters", "edges", "changed"],
                "shown": ["lam", "changed"],
            },
            Touch("Slide λ up to 1.25 and watch the dashed edges.", "lam above", 1.25),
            "Cut edges cost more and more, so the border moves to where there are few.",
        ),
        Screen(
            "Is more always better?",
            {"units": 1.25, "shown": ["lam", "changed"]},
            Touch("Raise λ to 3.", "lam above", 3),
            "When neighbours drown the modes, one cluster can swallow part of another. The toy was "
            "picked so that 1.25 fits it. Other points may want another λ: it holds the balance.",
        ),
    ),
)  # fmt: skip
