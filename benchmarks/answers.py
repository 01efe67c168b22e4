"""What is asked of a child process, and the answers kept on disk; no benchmark."""

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / ".cache" / "tables"
VERSION = 1
"""To be raised whenever a method or a score changes: older answers are then asked for again."""


@dataclass(frozen=True)
class Question:
    """One fit: a set, an entrant (a method with settings), a rule of selection and a seed."""

    dataset: str
    entrant: str
    method: str
    settings: dict[str, Any] = field(default_factory=dict)
    rule: str = "own"
    seed: int = 0

    @property
    def place(self) -> str:
        """Where its answer lies: readable, and a legal name of a file everywhere."""
        words = f"{self.dataset}/{self.entrant}--{self.rule}--{self.seed}".replace(" ", "_")
        return "".join(c for c in words if c.isalnum() or c in "/-_.,") + ".json"


class Answers:
    """Answers on disk, one file each, whole or absent whenever the run is cut off."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.folder = folder

    def get(self, question: Question) -> dict | None:
        """Return the answer, unless there is none or it was given to another question."""
        path = self.folder / question.place
        if not path.exists():
            return None
        kept = json.loads(path.read_text(encoding="utf-8"))
        return kept["answer"] if kept["asked"] == asked(question) else None

    def keep(self, question: Question, answer: dict) -> None:
        """Write an answer beside its place, then put it there in one step."""
        path = self.folder / question.place
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_suffix(".part")
        beside.write_text(json.dumps({"asked": asked(question), "answer": answer}), "utf-8")
        os.replace(beside, path)

    def of_one_method(self, question: Question) -> Iterator[dict]:
        """Answers of the same entrant on the same set, by any rule and seed."""
        path = self.folder / question.place
        for other in path.parent.glob(f"{path.name.split('--')[0]}--*.json"):
            yield json.loads(other.read_text(encoding="utf-8"))["answer"]

    def describe(self, about: dict) -> None:
        """Keep what computed the answers: versions, cores."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "about.json").write_text(json.dumps(about), "utf-8")

    def description(self) -> dict:
        """Return what computed the answers."""
        path = self.folder / "about.json"
        return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}

    def all(self) -> Iterator[tuple[Question, dict]]:
        """Every answer of this version that is kept, with its question."""
        for path in sorted(self.folder.glob("*/*.json")):
            kept = json.loads(path.read_text(encoding="utf-8"))
            said = dict(kept["asked"])
            if said.pop("version") == VERSION:
                yield Question(**said), kept["answer"]


def asked(question: Question) -> dict:
    """Return the question as JSON gives it back."""
    return json.loads(json.dumps(asdict(question) | {"version": VERSION}))
