"""A child process that answers one question after the other: fits, and scores; no benchmark.

Started as ``python -m benchmarks.fitter DIR``: a question a line comes in, an answer a line goes
out. What libraries print goes to standard error. Its memory is limited, where the system can.
"""

import json
import os
import sys
import time
import warnings
from functools import lru_cache
from pathlib import Path

from benchmarks.answers import Question
from benchmarks.report import one_thread

MEMORY = 8 * 2**30  # bytes of address space
EMPTY = 2  # clusters without a row that a choice among settings may leave
SCORED = 10_000  # rows; above, the silhouette is of a stratified sample of as many


def serve(folder: Path) -> None:
    """Answer until there are no more questions."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    warnings.simplefilter("ignore")
    for line in sys.stdin:
        said, seconds = json.loads(line)
        limit(seconds)
        out.write(json.dumps(answered(Question(**said), folder)) + "\n")
        out.flush()


def limit(seconds: float) -> None:
    """Let a method that asks for too much memory fail, and end the process after these seconds.

    The seconds are the processor's. Where the system has no such limits, there are none.
    """
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + seconds) + 1, hard))


def answered(question: Question, folder: Path) -> dict:
    """Return the answer, or the error in a sentence."""
    from workbench.threads import one_thread as in_libraries

    in_libraries()
    try:
        if question.method == "energies":
            from benchmarks.energies import energies

            return energies(*rows_of(question.dataset, folder), question.settings, question.seed)
        return fitted(*rows_of(question.dataset, folder), question)
    except Exception as error:
        text = str(error).strip() or type(error).__name__
        if isinstance(error, MemoryError) or "allocate" in text or "bad_alloc" in text:
            text = f"needs more than {MEMORY // 2**30} GiB of memory"
            return {"error": text, "too much": MEMORY}
        return {"error": text.splitlines()[0]}


@lru_cache(maxsize=1)
def rows_of(name: str, folder: Path):
    """Rows and classes, read once."""
    from benchmarks.sets import SETS, read

    return read(SETS[name], folder)


def fitted(X, y, question: Question) -> dict:
    """Fit one method, and return its labels, scores and the processor's seconds.

    Of a "grid", a list of settings, the one with the highest silhouette is kept, and said, of
    those with at most `EMPTY` empty clusters where there are any.
    """
    shared = dict(question.settings)
    grid = shared.pop("grid", [{}])
    answers = [once(X, y, question, shared | point) | {"at": point} for point in grid]
    enough = shared.get("n_clusters", 0) - EMPTY
    best = max(answers, key=lambda each: (each["found"] >= enough, each["SC"] or -1.0))
    return best | {"seconds": sum(each["seconds"] for each in answers)}


def once(X, y, question: Question, chosen: dict) -> dict:
    """Fit with one choice of settings, or look again at the starts of the fit before."""
    from benchmarks.outcomes import outcomes
    from workbench.methods import METHODS

    method = METHODS[question.method]
    settings = dict(method.complete(chosen))
    rows = method.rows(X)
    either = chosen.get("selection") in ("loss", "silhouette")
    key = settings | {"selection": "", "of": (question.dataset, question.method, question.seed)}
    if not either or LAST.get("key") != key or not LAST["found"].whole:
        LAST.update(key=key, found=outcomes(rows, question.method, settings, question.seed))
    found = LAST["found"]
    return {"seconds": found.seconds} | scored(X, y, found.chosen(rows, question.rule))


LAST: dict = {}
"""The outcomes of the fit before: two rules judge the same starts."""


def scored(X, y, labels) -> dict:
    """Return labels and scores; a number that is not defined is None."""
    import numpy as np

    from workbench.metrics import accuracy, ari, nmi, silhouette

    scores = {
        "SC": silhouette(X, labels, sample=SCORED),
        "NMI": nmi(labels, y),
        "ARI": ari(labels, y),
        "ACC": accuracy(labels, y),
    }
    return {
        **{name: None if value != value else round(value, 6) for name, value in scores.items()},
        "found": len(np.unique(labels[labels >= 0])),
        "noise": float((labels < 0).mean()),
        "labels": labels.tolist(),
    }


if __name__ == "__main__":
    one_thread()
    serve(Path(sys.argv[1]))
