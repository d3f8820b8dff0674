"""Measures everything: `python -m benchmarks [--quick] [--pgx PYTHON] [--json FILE] [--markdown FILE] [PART...]`.

`--quick` measures two games for short times, to check that it works. `--pgx` names a Python that has Pgx, for the part
`batch`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from benchmarks import (
    batch_speed,
    hidden_search_speed,
    library_playouts,
    page_speed,
    python_speed,
    search_speed,
    sequence_form_speed,
    starting,
    style_playouts,
    turn_search_speed,
)
from benchmarks.machine import machine_facts

INTRODUCTION = """# Measured speed

Measured by `python -m benchmarks`. Rates are per second of processor time on one thread, so that other work on the
machine matters little, except for its effect on caches and clock frequencies."""
PARTS: dict[str, Callable[[bool], tuple[Any, str]]] = {
    "playouts": library_playouts.part,
    "styles": style_playouts.part,
    "searches": search_speed.part,
    "turns": turn_search_speed.part,
    "hidden": hidden_search_speed.part,
    "solvers": sequence_form_speed.part,
    "first": starting.part,
    "python": python_speed.part,
    "batch": partial(batch_speed.part, pgx=None),
    "pages": page_speed.part,
}
"""Each returns its figures and its section of the page."""


def run(parts: Sequence[str], quick: bool, pgx: Path | None = None) -> tuple[dict[str, Any], str]:
    """Measure some parts; return the figures as plain data, and the Markdown page."""
    facts = machine_facts()
    print(", ".join(facts.values()), flush=True)
    figures: dict[str, Any] = {"machine": facts}
    sections = [INTRODUCTION, f"Measured on: {', '.join(f'{key} {value}' for key, value in facts.items())}."]
    for name in parts:
        measure = partial(batch_speed.part, pgx=pgx) if name == "batch" else PARTS[name]
        figures[name], section = measure(quick)
        sections.append(section)
    return msgspec.to_builtins(figures, enc_hook=float), "\n\n".join(sections) + "\n"


def main(arguments: list[str] | None = None) -> None:
    """Read the arguments, measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure speed.")
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}; all by default")
    parser.add_argument("--quick", action="store_true", help="two games, short times")
    parser.add_argument("--pgx", type=Path, metavar="PYTHON", help="a Python that has Pgx, for the part `batch`")
    parser.add_argument("--json", type=Path, help="write the figures")
    parser.add_argument("--markdown", type=Path, help="write the page")
    given = parser.parse_args(arguments)
    unknown = [part for part in given.parts if part not in PARTS]
    if unknown:
        parser.error(f"there is no part `{unknown[0]}`; parts: {', '.join(PARTS)}")
    figures, page = run(given.parts or list(PARTS), given.quick, given.pgx)
    print(page)
    if given.json:
        given.json.write_text(json.dumps(figures, indent=2) + "\n")
    if given.markdown:
        given.markdown.write_text(page)


if __name__ == "__main__":
    main()
