"""Metrics of the manager, in the text format of Prometheus.

Source: https://prometheus.io/docs/instrumenting/exposition_formats/, version 0.0.4.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from server.matches.counters import Counters, Labels

HELP: Mapping[str, str] = {
    "matches_started": "Matches begun by this manager.",
    "matches_ended": "Matches over, by result.",
    "player_errors": "Recorded errors of players, by kind.",
    "connections": "Websockets accepted.",
    "refused": "Players that were refused, by code.",
    "unreadable": "What peers sent that is not HTTP, or text that is not UTF-8.",
    "limited": "Requests refused because of a limit, by limit.",
    "match_seconds": "Total length of finished matches.",
}


def exposition(counters: Counters, gauges: Iterable[tuple[str, str, Labels, float | None]]) -> str:
    """Return all metrics in the format of Prometheus.

    Args:
        counters: the counters.
        gauges: name, help, labels and value of each gauge; those with the value None are left out.
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
    """Return the memory of this process; None if the system does not report it."""
    statistics = Path("/proc/self/statm")
    return float(statistics.read_text().split()[1]) * mmap.PAGESIZE if statistics.exists() else None


def open_files() -> float | None:
    """Return how many files and sockets this process has open; None if the system does not report it."""
    folder = Path("/proc/self/fd")
    return float(len(os.listdir(folder))) if folder.exists() else None


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
