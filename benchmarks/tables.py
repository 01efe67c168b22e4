"""``paper --all``: asks every method on every set, keeps each answer, writes docs/results.md.

No benchmark by itself: `benchmarks.paper` hands over to it.
"""

import os
import platform
import time
from pathlib import Path

from benchmarks.answers import Answers, Question
from benchmarks.desk import Desk, TooLong
from benchmarks.entrants import questions
from benchmarks.fitter import MEMORY
from benchmarks.report import Report
from benchmarks.results import written
from workbench.versions import versions

RESULTS = Path(__file__).parents[1] / "docs" / "results.md"
LIMIT = 20.0
"""Minutes of the processor for one fit, without ``--limit``."""
HOURS = 12
"""Of a run without ``--minutes``."""


def main(
    report: Report, data: Path | None, minutes: float | None, limit: float | None = None
) -> None:
    """Ask what has no answer yet; without data, only write down the answers that there are."""
    answers = Answers()
    wanted = questions()
    if data is None:
        print("Without --data DIR nothing is computed.")
    else:
        answers.describe(about())
        deadline = time.monotonic() + 60 * (minutes or 60 * HOURS)
        ask(wanted, answers, Desk(data), deadline, 60 * (limit or LIMIT))
    RESULTS.write_text(written(answers), encoding="utf-8")
    missing = [question for question in wanted if pending(question, answers, 60 * (limit or LIMIT))]
    report.figure("answers", len(wanted) - len(missing))
    if missing:
        print(f"{len(missing)} are missing, the first is {missing[0].place}; run again to go on.")
        report.missed.append("unfinished")


def ask(wanted: list[Question], answers: Answers, desk: Desk, deadline: float,
        limit: float = 60 * LIMIT) -> None:  # fmt: skip
    """Get the answers that are missing until the deadline; each is kept at once.

    A method that was too long or too large for a set is not tried there again with other seeds or
    rules.
    """
    last = ""
    try:
        for question in wanted:
            if not pending(question, answers, limit):
                continue
            left = deadline - time.monotonic()
            if left <= 0:
                return
            if question.dataset != last:  # what one set left in memory should not weigh on others
                desk.close()
                last = question.dataset
            try:
                answer = desk.ask(question, limit, left)
            except TooLong:
                if time.monotonic() >= deadline:
                    return
                text = f"not done after {limit / 60:g} minutes of the processor's time"
                answer = {"error": text, "too long": limit}
            answers.keep(question, answer)
            print(line(question, answer), flush=True)
    finally:
        desk.close()


def about() -> dict:
    """What computed the answers, in general words."""
    return {"versions": versions(), "cores": os.cpu_count(), "machine": platform.machine()}


def pending(question: Question, answers: Answers, limit: float = 60 * LIMIT) -> bool:
    """Whether it should be asked.

    An error is asked again, for its cause may have been mended; what was too long or needed too
    much memory, only where there is more of it now.
    """
    answer = answers.get(question)
    if answer is not None and "error" not in answer:
        return False
    others = list(answers.of_one_method(question))
    return all(
        other.get("too long", 0) < limit and other.get("too much", 0) < MEMORY for other in others
    )


def line(question: Question, answer: dict) -> str:
    """One answer on one line."""
    if "error" in answer:
        return f"{question.place}: {answer['error']}"
    if "SC" not in answer:
        return f"{question.place}: " + ", ".join(
            f"{name} E {told['E']:.5g}" for name, told in answer.items()
        )
    return (
        f"{question.place}: SC {answer['SC']}, NMI {answer['NMI']}, found {answer['found']}, "
        f"{answer['seconds']:.1f} s"
    )
