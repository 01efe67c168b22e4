"""Lesson 4: T, and recall that does not finish."""

from workbench.lessons.lesson import Equation, Lesson, Prediction, Screen, Symbol, Touch

LESSON = Lesson(
    key="unfinished",
    number=4,
    title="T, and unfinished recall",
    idea="T steps of 1/T stop short, and what is left of the start can decide.",
    picture="plane",
    controls=("steps", "mode"),
    screens=(
        Screen(
            "A computer lets the ball roll in T steps, each 1/T of the way to where the pulls "
            "lead. Dots mark the steps.",
            {"memories": [[0.2, 0.5], [0.8, 0.5]], "beta": 60, "steps": 1, "mode": "steps",
             "particle": [0.42, 0.78], "layers": ["way"], "shown": ["steps"]},
            Touch("Slide T from 1 to 20 or more.", "steps above", 20),
            "One full step goes to where the pulls lead. Many small ones stop short.",
        ),
        Screen(
            "T is 10, and the way is hidden.",
            {"steps": 10, "layers": ["ball"]},
            Prediction(
                "How much of the ball's way is left after 10 steps?", "number", "way left",
            ),
            "Where one memory does all the pulling, a step leaves 9/10 of what was left, and ten "
            "steps leave (9/10)¹⁰ = 35 %.",
            {"layers": ["way"]},
        ),
        Screen(
            "Now β is nearly 0: three memories pull alike, and every ball heads for the same star. "
            "It takes the colour of the memory nearest to where it stops.",
            {"memories": [[0.2, 0.25], [0.5, 0.8], [0.85, 0.3]], "beta": 0.1, "particle": None,
             "layers": ["attractors"]},
            Prediction(
                "How many colours will you see after 10 steps?", "choose", "colours",
                choices=("1", "2", "3", "4 or more"),
            ),
            "A ball keeps about a third of its start, and that third still tells where it came "
            "from.",
            {"layers": ["basins", "attractors"]},
        ),
        Screen(
            "Give the balls all the time they want.",
            {"layers": ["basins", "attractors"], "shown": ["steps", "mode"]},
            Touch("Press “Let the balls roll to rest”.", "mode pressed"),
            "All reach the star: one basin. The same memories make two pictures, one after T "
            "steps and one at rest.",
        ),
        Screen(
            "Would more steps do? T becomes 40, each step 1/40.",
            {"steps": 40, "mode": "steps", "layers": ["attractors"], "shown": ["steps"]},
            Prediction(
                "How many colours now?", "choose", "colours",
                choices=("1", "2", "3", "4 or more"),
            ),
            "More steps are smaller steps. What is left even grows: 35 % at T = 10, 36 % at 40, "
            "and towards 1/e, about 37 %.",
            {"layers": ["basins", "attractors"]},
        ),
        Screen(
            "The whole rule in one line.",
            {"memories": [[0.2, 0.5], [0.8, 0.5]], "beta": 60, "steps": 10,
             "particle": [0.42, 0.78], "layers": ["basins", "way"]},
            Touch("Slide T down to 3 or less, and count the dots.", "steps below", 3),
            "ClAM trains with this rule, so what it learns depends on T.",
            equation=Equation(
                r"v \leftarrow v + \frac{1}{T} \sum_\mu p_\mu (\rho_\mu - v)",
                "Move the ball by one T-th of the pulls' sum. Do so T times.",
                (
                    Symbol("v", "where the ball is"),
                    Symbol("T", "number of steps", "steps"),
                    Symbol(r"p_\mu", "share of memory μ; all sum to 1"),
                    Symbol(r"\rho_\mu", "memory μ", "memories"),
                    Symbol(r"\sum_\mu", "the sum over all memories"),
                ),
            ),
        ),
    ),
)  # fmt: skip
