"""What the manager does as numbers, in the text format of Prometheus.

Source: https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.
"""

from __future__ import annotations

import mmap
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

Labels = tuple[tuple[str, str], ...]


class Counters:
    """Numbers that only grow, by name and labels."""

    def __init__(self) -> None:
        self.values: Counter[tuple[str, Labels]] = Counter()

    def add(self, name: str, amount: float = 1, **labels: str) -> None:
        """Add to a number; `name` without the prefix and `_total`."""
        self.values[name, tuple(sorted(labels.items()))] += amount  # type: ignore[assignment]


HELP: Mapping[str, str] = {
    "matches_started": "Matches begun by this manager.",
    "matches_ended": "Matches over, by result.",
    "player_errors": "Errors of players on record, by kind.",
    "connections": "Websockets accepted.",
    "refused": "Players that were refused, by code.",
    "limited": "What strangers were denied by a limit, by limit.",
    "match_seconds": "Time of matches that are over.",
}


def exposition(counters: Counters, gauges: Iterable[tuple[str, str, Labels, float | None]]) -> str:
    """Return all numbers as Prometheus reads them.

    Args:
        counters: what has been counted.
        gauges: name, help, labels and value of what goes up and down; one that is None is left out.
    """
    lines: list[str] = []
    told: set[str] = set()

    def tell(name: str, kind: str, help_: str, labels: Labels, value: float) -> None:
        if name not in told:
            told.add(name)
            lines.extend((f"# HELP {name} {help_}", f"# TYPE {name} {kind}"))
        shown = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels)
        lines.append(f"{name}{'{' + shown + '}' if shown else ''} {value:g}")

    for (name, labels), amount in sorted(counters.values.items()):
        tell(f"ggp_{name}_total", "counter", HELP.get(name, name), labels, amount)
    for name, help_, labels, value in gauges:
        if value is not None:
            tell(f"ggp_{name}", "gauge", help_, labels, value)
    return "\n".join(lines) + "\n"


def resident_bytes() -> float | None:
    """Return the memory that this process takes; None where the system does not tell."""
    statistics = Path("/proc/self/statm")
    return float(statistics.read_text().split()[1]) * mmap.PAGESIZE if statistics.exists() else None


def open_files() -> float | None:
    """Return how many files and sockets this process has open; None where the system does not tell."""
    folder = Path("/proc/self/fd")
    return float(len(os.listdir(folder))) if folder.exists() else None


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
