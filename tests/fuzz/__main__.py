"""`python -m tests.fuzz`: compare random rules files until the time is over, and save what fails, reduced."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from tests.support.random_rules import random_text

from .comparisons import Failure
from .finds import Finds
from .isolated import compared_apart
from .search import Search


def compare_files(paths: list[Path]) -> int:
    """Compare given files, such as earlier finds; return how many fail."""
    failed = 0
    for path in paths:
        result = compared_apart(path.read_text(encoding="utf-8"), seed=1)
        failed += isinstance(result, Failure)
        print(f"{path}: {result}" if isinstance(result, str) else f"{path}: {result.comparison}\n{result.text}")
    return failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="rules files to compare instead of random ones")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to search")
    parser.add_argument("--seed", type=int, default=1, help="of all texts; a seed goes on where it stopped")
    parser.add_argument("--folder", type=Path, default=Path("results/fuzz"), help="of what is found")
    parser.add_argument("--reduce-minutes", type=float, default=2.0, help="how long to make a find smaller, at most")
    given = parser.parse_args()
    os.environ["GGP_CACHE"] = str((given.folder / "cache").resolve())
    if given.files:
        return 1 if compare_files(given.files) else 0
    search = Search(Finds(given.folder, given.seed), given.minutes, given.reduce_minutes)
    try:
        compared_apart(random_text(0, 0), seed=1)  # compiles kernels, once a folder
        search.run()
    except KeyboardInterrupt:
        search.finds.save()
    searched = search.finds.searched
    print(
        f"\r{search.texts:,} texts compared ({searched.texts:,} of seed {given.seed} in all), "
        f"{searched.refused:,} of all refused, {len(search.new)} new finds"
    )
    for path in search.new:
        print(path)
    return 1 if search.new else 0


if __name__ == "__main__":
    sys.exit(main())
