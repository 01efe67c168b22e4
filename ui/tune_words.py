"""What the Tune page says of a tuning, made from its numbers."""

import numpy as np

from ui import cluster_words
from workbench.trials import ROWS
from workbench.words import count

MEASURES = {"silhouette": "silhouette (SC)", "nmi": "NMI", "loss": "loss"}
RULES = {"silhouette": "Silhouette", "loss": "Loss"}
LABELS = {
    "beta": "β (1/length²)",
    "learning_rate": "learning rate",
    "mask_rate": "share of features hidden",
    "mask_value": "hidden features start at",
}
_SHORT = {
    "beta": "β = {}", "learning_rate": "learning rate {}", "mask_rate": "mask rate {}",
    "mask_value": "mask value {}",
}  # fmt: skip
_THOUSANDTH = 0.0005  # differences below are not told


def going(snapshot, before, *, stopping=False):
    """Say how far a job is.

    Parameters
    ----------
    snapshot : ui.jobs.Snapshot
        Of an active job.
    before : int
        Jobs that come before it.
    stopping : bool, default False
        Whether it was cancelled and keeps what it has.

    Returns
    -------
    share : float
    text : str
    """
    told = snapshot.progress
    if snapshot.state == "waiting":
        return 0.0, cluster_words.waiting(before)
    if told is None or told.phase == "preparing":
        return 0.0, "The default and k-means …"
    share = min(told.done / told.planned, 1.0) if told.planned else 0.0
    if stopping:
        return share, "Cancelled; ends at its next look …"
    text = f"{int(told.done)} of {count(int(told.planned), 'configuration')}"
    if snapshot.seconds_left is not None and share < 1:
        text += f", about {max(1, round(snapshot.seconds_left))} s left"
    return share, text


def outcome(tuning):
    """Say in one short line how a tuning ended."""
    done = len(tuning.trials)
    if tuning.ended == "whole":
        return f"Done: {count(done, 'configuration')} in {tuning.seconds:.0f} s."
    why = "Cancelled" if tuning.ended == "cancelled" else "The budget ended"
    return (
        f"{why}: {done} of {count(tuning.planned, 'configuration')} are trained, spread over the "
        "whole range, and kept."
    )


def named(tuning, place):
    """Name a configuration: "β = 0.82, T = 10"."""
    value = tuning.values[place[0]]
    shown = value if isinstance(value, str) else f"{value:.3g}"
    return f"{_SHORT[tuning.plan.kind.setting].format(shown)}, T = {tuning.plan.steps[place[1]]}"


def sentence(tuning, rule, measure):
    """Say what the picture shows: the best, beside k-means and the default.

    Parameters
    ----------
    tuning : workbench.tuning.Tuning
    rule : {"silhouette", "loss"}
        By which restarts are kept and the best is chosen.
    measure : {"silhouette", "nmi", "loss"}
        What is shown.

    Returns
    -------
    str
    """
    place = tuning.best(rule)
    if place is None:
        return "The default and k-means are done; the first configurations are on their way."
    name = MEASURES[measure]
    value = tuning.trials[place].value(measure, rule)
    others = [f"the default {_number(tuning.default.value(measure, rule))}"]
    if tuning.rival is not None and measure != "loss":
        others.insert(0, f"k-means {_number(tuning.rival.value(measure, rule))}")
    return (
        f"**{named(tuning, place)}** has the {_among(tuning, rule, place)}. "
        f"Its {name} is **{_number(value)}**; {' and '.join(others)}."
    )


def _among(tuning, rule, place):
    """What the best is the best of."""
    done = count(len(tuning.trials), "configuration")
    if rule == "loss":
        return f"lowest loss of {done}"
    most = tuning.trials[place].n_found(rule)
    alike = sum(trial.n_found(rule) == most for trial in tuning.trials.values())
    if alike == len(tuning.trials):
        return f"highest silhouette of {done}"
    filled = f"all {most}" if not tuning.trials[place].empty(rule) else f"{most}"
    if alike == 1:
        return f"highest silhouette with {filled} clusters filled, as no other of {done} has"
    return f"highest silhouette of the {alike} (of {done}) that fill {filled} clusters"


def cautions(tuning, rule):
    """Say how far the best is to be believed, one sentence each.

    Parameters
    ----------
    tuning : workbench.tuning.Tuning
    rule : {"silhouette", "loss"}

    Returns
    -------
    list of str
    """
    place = tuning.best(rule)
    if place is None:
        return []
    told = [_against_default(tuning, place, rule), _edge(tuning, place), _optimism(tuning, rule)]
    told += [_against_rival(tuning, rule), _empty(tuning, rule)]
    return [each for each in told if each]


def _against_default(tuning, place, rule):
    """Whether the best is more than the luck of a start."""
    gain = tuning.trials[place].value("silhouette", rule) - tuning.default.value("silhouette", rule)
    spread = tuning.default.spread()
    if not np.isfinite(gain):
        return ""
    if gain < _THOUSANDTH:
        return "Its silhouette is no higher than the default's: keep the default."
    if gain <= spread:
        return (
            f"It is within the spread of the default's own restarts (±{spread:.3f}): here tuning "
            "has shown no gain, and the default is as good a choice."
        )
    return (
        f"Its silhouette is {gain:.3f} above the default's, whose restarts spread by ±{spread:.3f}."
    )


def _optimism(tuning, rule):
    if rule != "silhouette":
        return (
            "The loss knows nothing of silhouettes, so this choice is not flattered by them; but "
            "losses of different T or masks are of different tasks and compare poorly."
        )
    starts = tuning.recipe.settings["n_init"]
    tries = len(tuning.trials) * starts
    return (
        f"The best of {tries:,} tries, chosen by the score it is shown with, is optimistic: "
        f"k-means was given {count(starts, 'start')}."
    )


def _edge(tuning, place):
    if tuning.plan.kind.scale == "choice" or place[0] not in (0, len(tuning.values) - 1):
        return ""
    return "It lies at the edge of the range: what is beyond was not tried."


def _empty(tuning, rule):
    hollow = int((tuning.empty(rule) > 0).sum())
    if not hollow:
        return "Every configuration fills all its clusters."
    done = len(tuning.trials)
    return (
        f"{hollow} of {count(done, 'configuration')} leave clusters empty (hollow marks; circles "
        "on a map): their silhouettes are of fewer clusters."
    )


def _against_rival(tuning, rule):
    """How many configurations beat k-means, which says more than the best of them."""
    if tuning.rival is None:
        return "There is no k-means here: its rows have fewer distinct ones than clusters."
    line, fills = tuning.rival.value("silhouette", rule), tuning.rival.n_found(rule)
    rivals = [trial for trial in tuning.trials.values() if trial.n_found(rule) >= fills]
    above = sum(trial.value("silhouette", rule) > line + _THOUSANDTH for trial in rivals)
    many = {0: "none is", 1: "1 is"}.get(above, f"{above} are")
    return (
        f"Of {count(len(rivals), 'configuration')} that fill as many clusters as k-means, {many} "
        f"above its silhouette by more than {_THOUSANDTH:g}."
    )


def conditions(tuning):
    """Say what was trained and scored, and in which convention beta counts."""
    rows = f"all {tuning.n:,} rows" if tuning.rows == tuning.n else f"{ROWS:,} of {tuning.n:,} rows"
    settings = tuning.recipe.settings
    beta = ""
    if tuning.plan.kind.setting == "beta":
        beta = (
            " β counts as in equation 1; the paper's figures are of a program whose β is twice "
            "that."
        )
    return (
        f"{count(settings['n_init'], 'restart')} each, scored on {rows}, which k-means is scored "
        f"on too. The default is the settings at the left, β = {tuning.beta:.3g}, T = "
        f"{settings['n_steps']}.{beta}"
    )


def _number(value):
    if not np.isfinite(value):
        return "undefined"
    return f"{value:.4g}" if value > 1 else f"{value:z.3f}"
