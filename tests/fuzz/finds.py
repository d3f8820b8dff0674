"""The folder of a search for disagreements: what was found, and how far each seed was searched."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path

from .comparisons import Failure


@dataclass
class Searched:
    """How far the texts of a seed were compared, and what became of them."""

    texts: int = 0
    refused: int = 0
    seconds: float = 0.0
    finds: dict[str, int] = field(default_factory=dict)
    """By the name of its file, how often each sort of failure was met."""


class Finds:
    """The saved state of a search. Files are written whole, so that a search may be ended at any time."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.state = folder / f"seed_{seed}.json"
        self.seed = seed
        folder.mkdir(parents=True, exist_ok=True)
        known = json.loads(self.state.read_text(encoding="utf-8")) if self.state.exists() else {}
        self.searched = Searched(**known)

    def save(self) -> None:
        temporary = self.state.with_suffix(".new")
        temporary.write_text(json.dumps(asdict(self.searched), indent=2) + "\n", encoding="utf-8")
        temporary.replace(self.state)

    def path(self, failure: Failure) -> Path:
        """Return the file of a sort of failure."""
        words = "_".join(part for part in failure.sort if part)
        return self.folder / ("".join(one if one.isalnum() else "_" for one in words) + ".rules")

    def is_new(self, failure: Failure) -> bool:
        """Count a failure, and return whether there is no file of its sort."""
        path = self.path(failure)
        self.searched.finds[path.name] = self.searched.finds.get(path.name, 0) + 1
        return not path.exists()

    def keep(self, failure: Failure, text: str, number: int) -> Path:
        """Save a text with what fails on it."""
        about = f"Text {number} of seed {self.seed}. The comparison that fails: {failure.comparison}.\n\n{failure.text}"
        comment = "\n".join(f"# {line}".rstrip() for line in about.rstrip().split("\n"))
        path = self.path(failure)
        path.write_text(f"{comment}\n\n{text}", encoding="utf-8")
        return path
