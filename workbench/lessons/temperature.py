"""Lesson 3: beta from 0 to infinity."""

from workbench.lessons.lesson import Equation, Lesson, Prediction, Screen, Symbol, Touch

_MEMORIES = [[0.2, 0.72], [0.36, 0.5], [0.85, 0.35]]

LESSON = Lesson(
    key="temperature",
    number=3,
    title="β from 0 to infinity",
    idea="β says how far a memory's pull reaches: small β merges, large β separates.",
    picture="plane",
    controls=("beta",),
    screens=(
        Screen(
            "A pull fades with distance. β, the inverse temperature, says how fast: the larger, "
            "the shorter its reach. Dashed lines bound the Voronoi cells.",
            {"memories": _MEMORIES, "beta": 30, "mode": "attractor",
             "layers": ["basins", "voronoi"]},
            Touch("Slide β up, beyond 200.", "beta above", 200),
            "Only the nearest memory still reaches a ball. Basins have become Voronoi cells.",
        ),
        Screen(
            "Now the other end. Stars mark where balls come to rest.",
            {"layers": ["basins", "voronoi", "attractors"]},
            Touch("Slide β down, below 2.", "beta below", 2),
            "All memories pull almost alike, and every ball comes to rest at one star between "
            "them. One basin is left.",
        ),
        Screen(
            "In between, β = 15. The colours are off.",
            {"beta": 15, "layers": ["voronoi"]},
            Prediction(
                "How much of the picture is not with its nearest memory?",
                "number", "share leaving",
            ),
            "Hatching marks it. Memories that lie close together begin to act as one.",
            {"layers": ["basins", "voronoi", "disagreement", "attractors"]},
        ),
        Screen(
            "β falls to 8.",
            {"beta": 8, "layers": []},
            Prediction(
                "At how many places do balls come to rest?", "choose", "attractors",
                choices=("1", "2", "3", "4 or more"),
            ),
            "As β falls, resting places merge one after the other. So β also limits how "
            "many clusters there can be.",
            {"layers": ["basins", "attractors"]},
        ),
        Screen(
            "Two memories at β = 1 share one star.",
            {"memories": [[0.25, 0.5], [0.75, 0.5]], "beta": 1,
             "layers": ["basins", "attractors"]},
            Touch("Slide β up until they part.", "beta splits"),
            "Two memories at distance d part at β = 2/d²: these began 0.5 apart, so at β = 8. "
            "Twice as far apart, a quarter of β is enough.",
        ),
        Screen(
            "Here are the pulls on one ball, as arrows. The thick coloured one is their sum.",
            {"memories": _MEMORIES, "beta": 3, "particle": [0.5, 0.62],
             "layers": ["ball", "pulls"]},
            Touch("Slide β beyond 60 and see who still pulls.", "beta above", 60),
            "Shares always sum to 1. β decides how evenly they are dealt.",
            equation=Equation(
                r"p_\mu = \frac{e^{-\beta \| \rho_\mu - v \|^2}}"
                r"{\sum_\nu e^{-\beta \| \rho_\nu - v \|^2}}",
                "A memory's share shrinks with β times its squared distance, compared with all "
                "the others.",
                (
                    Symbol(r"p_\mu", "share of memory μ in the pull"),
                    Symbol(r"\beta", "inverse temperature", "beta"),
                    Symbol(r"\rho_\mu", "memory μ", "memories"),
                    Symbol("v", "where the ball is"),
                    Symbol(r"\sum_\nu", "the sum over all memories ν"),
                    Symbol("e", "2.718…, to a power"),
                ),
            ),
        ),
    ),
)  # fmt: skip
