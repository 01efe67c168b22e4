"""What the Compare page says about a race and its outcome, made from its numbers."""

import numpy as np

from workbench.comparison import SCORES, common_k
from workbench.estimates import duration as about
from workbench.estimates import estimate
from workbench.race import NULL_DRAWS
from workbench.standings import NOISY
from workbench.words import count, listing

RULE_NAMES = {"own": "own objective", "silhouette": "silhouette"}
RULE_TOLD = {
    "own": "Of its starts each method keeps the one that is best by its own objective; no score "
    "of the table had a say in it.",
    "silhouette": "Of its starts each method keeps the one of the highest silhouette, so SC "
    "flatters all of them alike: it is what they were chosen by.",
}
_EQUAL = 0.005  # ARIs that read the same
_MARKS = {
    "waiting": ":material/hourglass_empty:",
    "running": ":material/directions_run:",
    "done": ":material/check_circle:",
    "cancelled": ":material/cancel:",
    "failed": ":material/error:",
    "too long": ":material/timer_off:",
}


def duration(seconds):
    """Write a time: "0.4 s", "12 s", "3 min", "2.5 h"."""
    if not np.isfinite(seconds):
        return "—"
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def expected(race):
    """Say how long the fits of a race will take, and which methods it will hold back.

    Parameters
    ----------
    race : workbench.race.Race
        That has not begun.

    Returns
    -------
    list of str
    """
    lanes = race.lanes()
    held = [lane for lane in lanes if lane.state == "too long"]
    n, d = race.dataset.X.shape
    by_time, total, timed = {}, 0.0, []
    for each in (lane for lane in lanes if lane not in held):
        own = [recipe for recipe in race.recipes if recipe.method == each.method]
        seconds = estimate(each.method, n, d, common_k(own), own[0].settings).seconds
        if np.isfinite(seconds):
            timed.append((seconds, each.name))
            total += seconds * (len(own) + race.null * min(len(own), NULL_DRAWS))
    for seconds, name in sorted(timed):
        by_time.setdefault(about(seconds), []).append(name)
    said = []
    if by_time:
        named = "; ".join(f"{time}: {', '.join(names)}" for time, names in by_time.items())
        said.append(f"One fit takes {named}. The whole race: {about(total)}.")
    return said + [
        f"{_MARKS['too long']} {each.name} will wait. {each.words} Run anyway stands beside it "
        "once the race has begun."
        for each in held
    ]


def lane(lane):
    """Say how far a method is, in one line."""
    time = f" · {duration(lane.seconds)}" if lane.seconds else ""
    return f"{_MARKS[lane.state]} **{lane.name}** · {lane.words.rstrip('.') or lane.state}{time}"


def race_going(counts, before, progress):
    """Say how a race stands.

    Parameters
    ----------
    counts : mapping of str to int
        Lanes by their state.
    before : int
        Jobs of the server that come first.
    progress : workbench.progress.Progress or None
    """
    if before:
        return f"Waiting: {count(before, 'job')} {'is' if before == 1 else 'are'} before yours …"
    if progress is not None and progress.phase == "comparing":
        share = progress.done / max(progress.planned, 1)
        return f"The methods have ended. Asking how many clusters there are: {share:.0%} …"
    ended = sum(counts[state] for state in ("done", "cancelled", "failed"))
    return f"**{ended} of {count(sum(counts.values()), 'method')}** have ended …"


def race_over(lanes):
    """Say how a race ended."""
    names = {"done": "done", "failed": "failed", "cancelled": "cancelled", "too long": "held back"}
    parts = [
        f"{sum(lane.state == state for lane in lanes)} {word}"
        for state, word in names.items()
        if any(lane.state == state for lane in lanes)
    ]
    seconds = duration(sum(lane.seconds for lane in lanes))
    return f"The race of {count(len(lanes), 'method')}: {listing(parts)}, in {seconds}"


def held_back(lane):
    """Say why a method was not begun."""
    return f"{_MARKS['too long']} **{lane.name}** · {lane.words}"


def out_of_date(asked, recipe, contest):
    """Say that the page has moved on since a race; nothing where it has not."""
    if asked.recipe.data != recipe.data:
        return f"Out of date: these results are of {asked.dataset.name}. Start the race to renew."
    if (asked.recipe, asked.contest) != (recipe, contest):
        return "Out of date: these results belong to earlier choices. Start the race to renew."
    return ""


def table(standings, n_seeds):
    """Say what the table of scores shows."""
    spread = (
        f"Mean ± standard deviation over {count(n_seeds, 'seed')}"
        if n_seeds > 1
        else "Of one seed, so without a spread"
    )
    return (
        f"{spread}. ★ marks the best of a column; {_lower()} are better when low. Rank is the mean "
        "of a method's places in all scores, those against reference labels too where there are "
        "any: 1 is first everywhere. Rows without a cluster are left out of all scores but E, "
        f"where they earn nothing; a method that leaves out more than {NOISY:.0%} of them comes "
        "last in those."
    )


def second_table(labelled):
    """Title of the table of what no method is told, and of costs."""
    return "Against the reference labels, and costs" if labelled else "Costs"


def _lower():
    return listing([score.short for score in SCORES.values() if not score.higher])


def null(found):
    """Say what scores come to without clusters.

    Parameters
    ----------
    found : mapping of str to (float, float)
        Of `workbench.standings.null_row`.
    """
    if "silhouette" not in found:
        return ""
    mean, best = found["silhouette"]
    return (
        "The last row is of as many rows drawn from the same box without any clusters, where the "
        f"methods still reach a silhouette of {mean:z.2f} on average and {best:z.2f} at best: "
        "what is no higher on your rows says nothing."
    )


def multiples(shown, n, layout, reference, seeds):
    """Say what the small pictures show.

    Parameters
    ----------
    shown, n : int
        Rows drawn, and all.
    layout : str
        How they are laid out, in words.
    reference : str
        Name of the method whose numbers the others follow.
    seeds : int
        Of each method.
    """
    of = " Each picture is of the first seed, SC and ARI are means." if seeds > 1 else ""
    which = f"{shown:,} of {n:,} rows, drawn evenly" if shown < n else f"All {count(n, 'row')}"
    return (
        f"{which}, {layout}, the same in every picture. Colours and numbers follow {reference}: "
        "each method's clusters have those of the ones that they overlap most. Grey rings lie in "
        f"no cluster.{of}"
    )


def overlap(found):
    """Say which methods find the same and which do not."""
    m = len(found.names)
    pairs = [(found.ari[i, j], i, j) for i in range(m) for j in range(i)]
    pairs = [pair for pair in pairs if np.isfinite(pair[0])]
    if not pairs:
        return "No two methods share a clustered row."
    said = [_pair(found, max(pairs), "Most alike are")]
    if max(pairs)[0] - min(pairs)[0] < _EQUAL:
        said = [f"All pairs agree equally (ARI {max(pairs)[0]:z.2f})"]
    elif len(pairs) > 1:
        said.append(_pair(found, min(pairs), "least alike are"))
    return (
        f"{'; '.join(said)}. NMI stands above the diagonal and ARI below it: 1 is the same "
        "clusters, and an ARI of 0 is chance."
    )


def _pair(found, pair, head):
    ari, i, j = pair
    return (
        f"{head} {found.names[j]} and {found.names[i]} (ARI {ari:z.2f}, NMI {found.nmi[i, j]:z.2f})"
    )


def disagreement(found, row_ids):
    """Say how many rows are disputed, and which most.

    Parameters
    ----------
    found : workbench.overlap.Overlap
    row_ids : ndarray of int, shape (n,)
    """
    n, m = len(found.agreement), len(found.names)
    same = int((found.agreement >= 1).sum())
    disputed = int((found.agreement < 0.5).sum())
    head = f"All {m} methods agree on {same:,} of {count(n, 'row')} ({same / n:.0%})"
    if not disputed:
        return f"{head}, and on no row do more than half of their pairs differ."
    worst = int(np.argmin(found.agreement))
    are = "there is" if disputed == 1 else "there are"
    return (
        f"{head}; {are} {count(disputed, 'row')} on which more than half of their "
        f"{count(m * (m - 1) // 2, 'pair')} differ, most on row {row_ids[worst]} "
        f"({1 - found.agreement[worst]:.0%} of them). Such rows lie between clusters, outside all "
        "of them, or in clusters that some methods split or join."
    )


def standing_error(standing):
    """Say why a method failed, or in part."""
    if standing.fits and standing.failed:
        return f"{standing.name}: {count(standing.failed, 'fit')} failed: {standing.error}"
    return f"{standing.name}: {standing.error or 'It was cancelled.'}"


def no_scores(standings, lanes):
    """Say why there are no scores: nothing has ended, or nothing was found.

    Parameters
    ----------
    standings : sequence of workbench.standings.Standing
    lanes : sequence of workbench.race.Lane
    """
    if any(lane.state in ("waiting", "running", "too long") for lane in lanes):
        return "Scores follow as soon as the first method has ended."
    told = [standing_error(each) for each in standings if each.error]
    return " ".join(["No method came to its end, so there are no scores.", *told])


def before(dataset, contest):
    """Say what a race will compare, before there is one."""
    able = contest.taking_part(dataset)
    return (
        f"{dataset.name}: {count(len(dataset.X), 'row')}, "
        f"{count(len(dataset.features), 'feature')}. {count(len(able), 'method')} will be fitted "
        f"from {count(contest.seeds, 'seed')} each. Start the race to compare them."
    )
