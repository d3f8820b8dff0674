"""Records of experiments: a file of finished parts, so that the same command continues with the remaining ones.

For named parts with one result each, or with several that continue from those recorded.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from ggp.cli.progress import progress_bar
from ggp.competition.run_store import RunStore
from players.agents.processes import workers_kept, yielded

Result = TypeVar("Result")


def recorded_parts(
    options: argparse.Namespace,
    wanted: Mapping[str, tuple[Any, ...]],
    do: Callable[..., Iterator[Result]],
    kind: type[Result],
    unit: str,
    record: Path | None = None,
) -> dict[str, Result]:
    """Return the results of named parts; those not recorded yet are done in processes and recorded.

    Args:
        options: as `read_options` returns them: `record`, `plan` and `so_far` are read, and `jobs`, without which all
            parts are done in this process.
        wanted: arguments of `do` by the name of the part.
        do: does a part and yields its result once.
        kind: the type of results, as msgspec reads it.
        unit: the name of the parts in the progress bar.
        record: where they are recorded, if not in that of the options.

    Returns:
        Results by name, in the order of `wanted`.

    Raises:
        RecordUnusable: the record holds something else, or cannot be read or written.
    """
    return {
        name: results[0]
        for name, results in _recorded(options, wanted, do, kind, unit, record, more=False).items()
        if results
    }


def continued_parts(
    options: argparse.Namespace,
    wanted: Mapping[str, tuple[Any, ...]],
    do: Callable[..., Iterator[Result]],
    kind: type[Result],
    unit: str,
) -> dict[str, list[Result]]:
    """Return the results of parts with several results each; every part continues from what is recorded of it.

    Args:
        options: as in `recorded_parts`.
        wanted: arguments of `do` by the name of the part.
        do: called with these and the list of results recorded so far, yields further ones.
        kind: the type of results.
        unit: their name in the progress bar.

    Raises:
        RecordUnusable: the record holds something else, or cannot be read or written.
    """
    return _recorded(options, wanted, do, kind, unit, None, more=True)


def _recorded(
    options: argparse.Namespace,
    wanted: Mapping[str, tuple[Any, ...]],
    do: Callable[..., Iterator[Result]],
    kind: type[Result],
    unit: str,
    record: Path | None,
    more: bool,
) -> dict[str, list[Result]]:
    path = record or options.record
    path.parent.mkdir(parents=True, exist_ok=True)
    with RunStore(path, "experiment", options.plan) as store, progress_bar() as progress, workers_kept():
        found: dict[str, list[Result]] = {name: [] for name in wanted}
        for _, one in store.records:
            if one["name"] in found:
                found[one["name"]].append(msgspec.convert(one["result"], kind))
        open_ = [] if options.so_far else [name for name in wanted if more or not found[name]]
        arguments = [(*wanted[name], *((list(found[name]),) if more else ())) for name in open_]
        task = progress.add_task(unit, total=None if more else len(open_))
        for number, result in yielded(do, arguments, getattr(options, "jobs", 1)) if open_ else ():
            store.append({"name": open_[number], "result": msgspec.to_builtins(result)})
            found[open_[number]].append(result)
            progress.advance(task)
        return found
