"""What the completion page says, in sentences made from its numbers."""

import numpy as np

from workbench.masking import hidden_number
from workbench.words import count, listing, numbered

RIVALS = {
    "mean": "column mean",
    "memory": "nearest memory",
    "neighbours": "nearest rows",
}
FILLS = {
    "recall": "recall (ClAM)",
    "mean": "column mean",
    "median": "column median",
    "neighbours": "nearest rows (KNN)",
}
EQUATIONS = (
    r"\mathcal{L}=\sum_x\mathbb{E}_m\,\bigl\lVert(1-m)\odot(x-x^{T})\bigr\rVert^2",
    r"x^{0}=m\odot x+(1-m)\odot\bar{x}",
    r"x^{t+1}=x^{t}+\tfrac{\mathrm{d}t}{\tau}(1-m)\odot\sum_{\mu}p_\mu\,(\rho_\mu-x^{t})",
    r"p_\mu=\underset{\mu}{\mathrm{softmax}}\bigl(-\beta\lVert\rho_\mu-x^{t}\rVert^2\bigr)",
)
"""Equations 9 and 4 of the ClAM paper: loss, start, step, and how much each memory pulls."""
_AUTO_MASKS = 4  # values of a row, from which ClAM hides some while it learns
_CLOSE = 0.01  # of the larger error: below it two fills are as good as each other


def _number(value):
    return f"{value:.4g}"


def row_sentence(found, row):
    """Say how far off the completion of a row is, beside simple fills.

    Parameters
    ----------
    found : workbench.completion.Completion
    row : int
        Its number in the table.

    Returns
    -------
    str
    """
    n_scored = int(found.scored.sum())
    if not found.hidden.any():
        return f"Nothing of row {row} is hidden, so nothing moves: hide some values."
    if not n_scored:
        return (
            f"All that is hidden of row {row} are gaps of the table: recall fills them, and nobody "
            "knows the truth."
        )
    errors = {"recall": found.loss} | {name: found.error(f) for name, f in found.rivals.items()}
    others = [f"{RIVALS[name]} {_number(errors[name])}" for name in found.rivals]
    start = (
        "" if np.isclose(errors["mean"], found.losses[0])
        else f", from {_number(found.losses[0])} at the start"
    )  # fmt: skip
    return (
        f"On {count(n_scored, 'hidden value')} of row {row} recall ends with a squared error "
        f"of {_number(found.loss)}{start}; {listing(others)}. {_best(errors)}"
    )


def _best(errors):
    least = min(errors, key=errors.__getitem__)
    if least == "recall":
        return "Here recall is nearest to the truth."
    if errors["recall"] - errors[least] <= _CLOSE * errors["recall"]:
        return f"Here recall is as near to the truth as the {RIVALS[least]}."
    return f"Here the {RIVALS[least]} come nearer to the truth than recall." if (
        least == "neighbours"
    ) else f"Here the {RIVALS[least]} comes nearer to the truth than recall."  # fmt: skip


def destination(found):
    """Say which memory a completion went to, and whether it is that of the row's own cluster."""
    first, last = (int(found.went_to[at]) + 1 for at in (0, -1))
    own = found.own + 1
    if found.hidden.all():
        why = "but by chance, for nothing is visible", "nothing is visible that could tell"
    else:
        why = "what stays visible is enough to tell it", "what stays visible points elsewhere"
    whose = (
        f"the memory of the row's own cluster: {why[0]}"
        if last == own
        else f"while the complete row belongs to cluster {own}: {why[1]}"
    )
    moved = "" if first == last else f" Its start was nearest to memory {first}."
    return f"It ends nearest to memory {last}, {whose}.{moved}"


def loss_sentence(found, settings):
    """Say that this number is what training makes small, or what these memories learned instead.

    Parameters
    ----------
    found : workbench.completion.Completion
    settings : mapping
        Of the ClAM that was trained.

    Returns
    -------
    str
        Empty where nothing is scored.
    """
    if not found.scored.any():
        return ""
    told = (
        "That squared error, in prepared units, is ClAM's loss (equation 9) for this row and this "
        "mask, computed by the engine that trains"
    )
    instead = _instead(settings, len(found.hidden))
    if instead:
        return f"{told}. These memories, though, were trained {instead}."
    return (
        f"{told}: learning has moved the memories so that the sum of it over all rows, this one "
        "among them, and many masks gets small."
    )


def _instead(settings, d):
    """What training made small in place of equation 9; empty where it was that."""
    told = [] if _masks(settings, d) else ["without masks"]
    if settings["loss"] == "absolute":
        told.append("on absolute errors")
    return listing(told)


def _masks(settings, d):
    """Whether training hides values of rows with d of them."""
    corruption = settings["corruption"]
    return corruption == "mask" and d > 1 or corruption == "auto" and d >= _AUTO_MASKS


def gap_note(found, names):
    """Say which hidden values are gaps of the table; nothing where there are none.

    Parameters
    ----------
    found : workbench.completion.Completion
    names : sequence of str
        Columns of the table that the row lacks.
    """
    if not names:
        return ""
    are = "is a gap" if len(names) == 1 else "are gaps"
    return f"{listing(names)} {are} of the table: always hidden, filled, and in no error."


def reading(run, found, row, masking):
    """Read the equation symbol by symbol, each tied to what is on the page.

    Parameters
    ----------
    run : workbench.run.Run
    found : workbench.completion.Completion
    row : int
    masking : workbench.masking.Masking

    Returns
    -------
    list of str
        Markdown, one line for each symbol.
    """
    settings = run.recipe.settings
    d, n_hidden = len(found.hidden), int(found.hidden.sum())
    n_steps = settings["n_steps"]
    step = settings["step_size"]
    size = f"1/T = {1 / n_steps:.3g}" if step == "1/T" else f"{step:.3g}"
    share = found.losses[-1] / found.losses[0] if found.losses[0] else 1.0
    return [
        f"$x$: the row, here row {row}, as {count(d, 'prepared value')}.",
        f"$m$: the mask, 1 where a value is visible ({d - n_hidden} here) and 0 where it is "
        f"hidden ({n_hidden}); $\\odot$ multiplies value by value, so that only hidden values "
        "move and only they are scored.",
        f"$\\bar{{x}}$: what hidden values start at, the {_START[masking.start]} of each column.",
        f"$\\rho_\\mu$: the memories, {len(run.prototypes)} of them; $p_\\mu$ says how much "
        f"each pulls{_weighed(settings)}, and $\\beta$ = {run.beta:.4g} how strongly the nearest "
        f"prevails.{_left_to_go(settings)}",
        f"$t$: the step of the player, up to $T$ = {n_steps}; $\\mathrm{{d}}t/\\tau$ = {size}: "
        "how far a step goes.",
        f"$\\lVert\\cdot\\rVert^2$: the squared error, {_number(found.losses[0])} at $x^0$ and "
        f"{_number(found.losses[-1])} at $x^T$ ({share:.0%} of it). $\\mathbb{{E}}_m$: in training "
        f"the mask {_mask_drawn(settings, d)}.",
    ]


def _weighed(settings):
    if settings["energy"] != "weighted":
        return ""
    return " (here $e$ to its power counts times the memory's weight, equation 10)"


def _left_to_go(settings):
    """Why a memory's own value is often a worse fill than where recall ends."""
    n_steps, step = settings["n_steps"], settings["step_size"]
    left = (1 - (1 / n_steps if step == "1/T" else step)) ** n_steps
    if left < 0.01:
        return ""
    return (
        f" Where one memory takes all, {left:.0%} of the way to it is still to go after {n_steps} "
        "steps; training lays memories farther out to make up for that, so that the end of recall, "
        "not the memory, is the estimate."
    )


_START = {"mean": "mean", "min": "minimum", "max": "maximum"}


def _mask_drawn(settings, d):
    if not _masks(settings, d):
        return "would be drawn anew for each batch; these memories were trained without masks"
    return f"is drawn anew for each batch ({hidden_number(settings['mask_rate'], d)} of {d} values)"


def filling_sentence(filling):
    """Say how many gaps were filled and which were not.

    Parameters
    ----------
    filling : workbench.imputation.Filling

    Returns
    -------
    str
    """
    told = []
    if filling.cells:
        n_rows = len(np.unique(filling.rows))
        told.append(f"Recall fills {count(len(filling.cells), 'gap')} in {count(n_rows, 'row')}.")
    if filling.overwritten:
        what = count(filling.overwritten, "cell")
        told.append(f"{what} held something that is no value of its column; it is replaced.")
    if filling.left:
        left = [f"{number:,} in {name}" for name, number in filling.left.items()]
        told.append(
            f"Left as they are: {listing(left)}, since the column is not used or the row is left "
            "out."
        )
    return " ".join(told)


def verdict(errors, k):
    """Say which fill comes nearest, and whether recall is worth it here.

    Parameters
    ----------
    errors : workbench.imputation.Errors
    k : int
        Memories.

    Returns
    -------
    str
    """
    told = []
    for values, what in ((errors.prepared, "numbers"), (errors.wrong, "categories")):
        measured = in_measured_repeats(values)
        if measured.size:
            told.append(_verdict(measured, what))
    if not told:
        return "No known value could be hidden in this pattern, so there is no error to tell."
    return " ".join([*told, _coarse(errors, k)])


def in_measured_repeats(values):
    """Leave out the repeats in which nothing of a kind was hidden: errors (4, r) that are known."""
    return values[:, np.isfinite(values).all(axis=0)]


def _verdict(values, what):
    means, spreads = values.mean(axis=1), values.std(axis=1, ddof=1 if values.shape[1] > 1 else 0)
    write = (lambda x: f"{x:.0%}") if what == "categories" else (lambda x: f"{x:.3g}")
    named = dict(zip(FILLS, zip(means, spreads, strict=True), strict=True))
    parts = [f"{FILLS[name]} {write(mean)} ± {write(sd)}" for name, (mean, sd) in named.items()]
    unit = "wrong" if what == "categories" else "in prepared units, root mean square"
    best = list(FILLS)[int(means.argmin())]
    head = f"On hidden {what} the error is, {unit}: {listing(parts)}."
    if best == "recall":
        second = list(FILLS)[int(np.argsort(means)[1])]
        won = int((values[0] < values[list(FILLS).index(second)]).sum())
        return (
            f"{head} Recall comes nearest on average, nearer than {FILLS[second]} in {won} of "
            f"{values.shape[1]} repeats."
        )
    lost = int((values[list(FILLS).index(best)] < values[0]).sum())
    come = "come" if best == "neighbours" else "comes"
    return (
        f"{head} Recall is not the best on average: {FILLS[best]} {come} nearer, in {lost} of "
        f"{values.shape[1]} repeats."
    )


def _coarse(errors, k):
    numbers, words = map(in_measured_repeats, (errors.prepared, errors.wrong))
    values = (numbers if numbers.size else words).mean(axis=1)
    memories = f"{k} {'memory' if k == 1 else 'memories'}"
    if values[0] > values[1]:
        return (
            f"Filling by {memories} does not even beat the column's mean on this table: do not "
            "fill it so."
        )
    return (
        f"A fill by {memories} is coarse: whatever a row's own detail is, it is drawn to what is "
        "typical of one of them."
    )


def how_measured(errors, repeats, n_held):
    """Say how the errors were measured.

    Parameters
    ----------
    errors : workbench.imputation.Errors
    repeats : int
    n_held : int
        Rows held out in each.
    """
    pattern = (
        "hidden in the columns that a row with gaps, drawn at random, lacks"
        if errors.patterned
        else "hidden in a share of their columns, drawn at random"
    )
    few, many = int(errors.n_hidden.min()), int(errors.n_hidden.max())
    values = f"{few:,}" if few == many else f"{few:,} to {many:,}"
    return (
        f"{count(repeats, 'repeat')}: {count(n_held, 'row')} held out, {pattern} ({values} values "
        "each time). ClAM was trained on the other rows only, which also gave means, medians and "
        "neighbours; scales are those of the whole table. ± is the standard deviation of repeats."
    )


def dropped_note(dataset):
    """Say that rows with gaps are not there to be filled, where the preparation drops them."""
    if dataset.preparation.impute != "drop" or dataset.complete:
        return ""
    rows = np.setdiff1d(np.arange(len(dataset.source.frame)) + 1, dataset.row_ids)
    return (
        f"The preparation leaves out rows with gaps ({numbered('row', rows)}), so they cannot be "
        "filled: choose “Left to the method” for missing values."
    )
