"""Records of experiments: a file of finished parts, so that the same command continues with the others.

For named parts with one result each. Runs of curves have several results, and another kind of record: see
`curves.measure`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ggp.cli.progress import progress_bar
from ggp.competition.run_store import RunStore
from players.processes import yielded

Facts = Any
"""The result of a part, as JSON reads it."""


def recorded(
    path: Path,
    plan: Mapping[str, Any],
    names: Sequence[str],
    so_far: bool,
    do: Callable[[Sequence[str]], Iterator[tuple[str, Facts]]],
) -> dict[str, Facts]:
    """Return the results of named parts: recorded ones, and the others, run now and recorded.

    Args:
        path: of the record.
        plan: the settings of the experiment; a record with another plan is refused.
        names: of the parts wanted.
        so_far: do nothing, return what is recorded.
        do: yields name and result of parts.

    Returns:
        Results by name, in the order of `names`.

    Raises:
        RecordUnusable: the file records something else, or cannot be read or written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with RunStore(path, "experiment", plan) as store:
        found = {one["name"]: one["result"] for _, one in store.records}
        missing = [name for name in names if name not in found]
        for name, result in () if so_far or not missing else do(missing):
            store.append({"name": name, "result": result})
            found[name] = json.loads(json.dumps(result))  # in the form in which it will be read
    return {name: found[name] for name in names if name in found}


def recorded_parts(
    options: argparse.Namespace,
    plan: Mapping[str, Any],
    wanted: Mapping[str, tuple[Any, ...]],
    do: Callable[..., Iterator[Facts]],
    unit: str,
) -> dict[str, Facts]:
    """Return the results of parts as `recorded` does; the missing ones are done in processes, under a progress bar.

    Args:
        options: as `read_options` returns them; `record`, `so_far` and `jobs` are read.
        plan: what makes the experiment what it is.
        wanted: arguments of `do` for each part, by its name.
        do: yields the result of a part once.
        unit: what the parts are called.

    Raises:
        RecordUnusable: the record holds something else, or cannot be read or written.
    """

    def do_missing(missing: Sequence[str]) -> Iterator[tuple[str, Facts]]:
        with progress_bar() as progress:
            task = progress.add_task(unit, total=len(missing))
            for number, facts in yielded(do, [wanted[name] for name in missing], options.jobs):
                progress.advance(task)
                yield missing[number], facts

    return recorded(options.record, plan, list(wanted), options.so_far, do_missing)
