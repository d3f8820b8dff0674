"""Records of experiments: a file of finished parts, so that the same command continues with the remaining ones.

For named parts with one result each, or with several that continue from those recorded. Runs of curves are recorded
differently: see `curves.measure`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ggp.cli.progress import progress_bar
from ggp.competition.run_store import RunStore
from players.agents.processes import yielded

Facts = Any
"""The result of a part, as read from JSON."""


def recorded(
    path: Path,
    plan: Mapping[str, Any],
    names: Sequence[str],
    so_far: bool,
    do: Callable[[Sequence[str]], Iterator[tuple[str, Facts]]],
) -> dict[str, Facts]:
    """Return the results of named parts; parts not recorded yet are run and recorded.

    Args:
        path: of the record.
        plan: the settings of the experiment; a record with another plan is refused.
        names: of the parts wanted.
        so_far: run nothing, return only recorded results.
        do: runs parts and yields the name and result of each.

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
            found[name] = json.loads(json.dumps(result))  # as it will be read from the file
    return {name: found[name] for name in names if name in found}


def recorded_parts(
    options: argparse.Namespace,
    plan: Mapping[str, Any],
    wanted: Mapping[str, tuple[Any, ...]],
    do: Callable[..., Iterator[Facts]],
    unit: str,
    record: Path | None = None,
) -> dict[str, Facts]:
    """Return the results of parts as `recorded` does; missing ones are run in processes, with a progress bar.

    Args:
        options: as `read_options` returns them; `record`, `so_far` and `jobs` are read.
        plan: the settings of the experiment.
        wanted: arguments of `do` by the name of the part.
        do: runs a part and yields its result once.
        unit: the name of the parts in the progress bar.
        record: where they are recorded, if not in that of the options.

    Raises:
        RecordUnusable: the record holds something else, or cannot be read or written.
    """

    def do_missing(missing: Sequence[str]) -> Iterator[tuple[str, Facts]]:
        with progress_bar() as progress:
            task = progress.add_task(unit, total=len(missing))
            for number, facts in yielded(do, [wanted[name] for name in missing], options.jobs):
                progress.advance(task)
                yield missing[number], facts

    return recorded(record or options.record, plan, list(wanted), options.so_far, do_missing)


def continued_parts(
    options: argparse.Namespace,
    plan: Mapping[str, Any],
    wanted: Mapping[str, tuple[Any, ...]],
    do: Callable[..., Iterator[Facts]],
    seconds: float,
) -> dict[str, list[Facts]]:
    """Return the results of parts with several results each; every part continues from what is recorded of it.

    Args:
        options: as in `recorded_parts`.
        plan: what all results have in common; what a part may take, such as its time, is not part of it.
        wanted: arguments of `do` by the name of the part.
        do: called with these and the list of results recorded so far, yields further ones, each a mapping with `cpu_s`.
        seconds: that a part may take, for the progress bar.

    Raises:
        RecordUnusable: the record holds something else, or cannot be read or written.
    """
    options.record.parent.mkdir(parents=True, exist_ok=True)
    names = list(wanted)
    with RunStore(options.record, "experiment", plan) as store, progress_bar() as progress:
        found: dict[str, list[Facts]] = {name: [] for name in names}
        for _, one in store.records:
            found.setdefault(one["name"], []).append(one["result"])
        if not options.so_far:
            task = progress.add_task("seconds", total=seconds * len(names))
            for number, facts in yielded(do, [(*wanted[name], list(found[name])) for name in names], options.jobs):
                store.append({"name": names[number], "result": facts})
                found[names[number]].append(json.loads(json.dumps(facts)))
                progress.advance(task, facts["cpu_s"])
        return {name: found[name] for name in names}
