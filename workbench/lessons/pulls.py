"""Lesson 5: pulls that add and cancel."""

from workbench.lessons.lesson import Equation, Lesson, Prediction, Screen, Symbol, Touch
from workbench.toys import FIGURE_3_I, FIGURE_3_II, FIGURE_3_III


def _preset(preset, particle=True):
    """Return the state of one of the paper's cases."""
    return {
        "memories": [list(place) for place in preset.memories],
        "beta": preset.beta,
        "steps": preset.n_steps,
        "mode": "steps",
        "particle": list(preset.particle) if particle else None,
    }


LESSON = Lesson(
    key="pulls",
    number=5,
    title="Pulls that add and cancel",
    idea="The nearest memory need not win: pulls are arrows, and arrows add.",
    picture="plane",
    controls=("beta",),
    screens=(
        Screen(
            "Each numbered arrow is one memory's pull on the ball. The thick coloured arrow is "
            "their sum: where the ball goes.",
            _preset(FIGURE_3_I) | {"layers": ["way", "pulls"], "shown": []},
            Touch("Drag the ball's ring about.", "particle moved"),
            "A pull is the memory's share times the way to it. Far memories get small shares.",
        ),
        Screen(
            "A third memory joins.",
            _preset(FIGURE_3_II) | {"layers": ["ball"]},
            Prediction("Which memory gets the ball?", "choose", "memory of particle"),
            "Arrows that point the same way add. Two memories together can outdo a nearer one.",
            {"layers": ["basins", "voronoi", "way", "pulls"]},
        ),
        Screen(
            "No ball now. Dashed lines bound the Voronoi cells.",
            _preset(FIGURE_3_II, particle=False) | {"beta": 10, "layers": ["voronoi"]},
            Prediction("Sketch where the basin of memory 1 ends.", "sketch", "boundary"),
            "Memories that stand together push the border away from them, into the neighbour's "
            "cell.",
            {"layers": ["basins", "voronoi"]},
        ),
        Screen(
            "Look again at where the memories and the ball lie.",
            _preset(FIGURE_3_III) | {"layers": ["ball"]},
            Prediction("Which memory gets this ball?", "choose", "memory of particle"),
            "Arrows against each other cancel. What remains decides, however weak and far away.",
            {"layers": ["basins", "way", "pulls"]},
        ),
        Screen(
            "A balance is easily upset.",
            {"layers": ["basins", "way", "pulls"]},
            Touch("Move the ball until another memory gets it.", "end changed"),
            "Near a border a small step is enough.",
        ),
        Screen(
            "All of it in one sum. With a large β one share is nearly 1 and nothing is left to "
            "cancel.",
            {"shown": ["beta"]},
            Touch("Slide β beyond 60.", "beta above", 60),
            "Where pulls add or cancel, basins differ from Voronoi cells. That is what k-means "
            "cannot see.",
            equation=Equation(
                r"\dot{v} = \sum_\mu p_\mu (\rho_\mu - v)",
                "The ball's velocity is the sum of the ways to all memories, each by its share.",
                (
                    Symbol(r"\dot{v}", "the thick arrow: where the ball goes"),
                    Symbol("v", "where the ball is"),
                    Symbol(r"p_\mu", "share of memory μ, which β deals out", "beta"),
                    Symbol(r"\rho_\mu", "memory μ", "memories"),
                    Symbol(r"\sum_\mu", "the sum over all memories"),
                ),
            ),
        ),
    ),
)  # fmt: skip
