"""`ggp replay`: shows a recorded match, and verifies it against its rules and its seed."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ggp.cli.arguments import BadArgument, json_option

if TYPE_CHECKING:
    from server.referee.journal import Event
    from server.store.records import MatchRow


@click.command()
@click.argument(
    "file", type=click.Path(path_type=Path), metavar="FILE", help="The journal of a match (or .gz of it), or a store."
)
@click.option("--match", help="Which match of a store.")
@click.option("--verify", is_flag=True, help="Replay it by its rules and compare every event.")
@json_option
def replay(file: Path, match: str | None, verify: bool, as_json: bool) -> None:
    """Show a recorded match, or list the matches of a store.

    With --verify, exits with status 1 if a match does not follow from its rules and seed; of a store without --match,
    all finished matches are verified.
    """
    if match is None and _is_store(file):
        _show_store(file, verify, as_json)
        return
    events = _read(file, match)
    facts = _verified(events) if verify else {}
    if as_json:
        print(json.dumps(facts if verify else _summary(events), indent=2))
    else:
        _show(events)
        if verify:
            print(_verdict(facts))
    if verify and not facts["ok"]:
        raise click.exceptions.Exit(1)


def _is_store(file: Path) -> bool:
    """Return whether a file is a database.

    Raises:
        BadArgument: it cannot be read.
    """
    try:
        with file.open("rb") as content:
            return content.read(16).startswith(b"SQLite format 3")
    except OSError as error:
        raise BadArgument(f"cannot read `{file}`: {error.strerror}") from error


def _show_store(file: Path, verify: bool, as_json: bool) -> None:
    """List the matches of a store; with `verify`, replay the finished ones.

    Raises:
        click.exceptions.Exit: with status 1, if one does not follow from its rules and seed.
        StoreUnusable: the file is not a store.
    """
    from rich.console import Console
    from rich.progress import track

    from server.store import records
    from server.store.store import read_store

    console = Console(stderr=True)
    with read_store(file) as connection:
        rows = records.matches(connection)
        verdicts = {}
        over = [row.id for row in rows if row.state != "running" and not row.pruned] if verify else []
        for id_ in track(over, "verifying", console=console, transient=True, disable=not console.is_terminal):
            verdicts[id_] = _verified(records.journal_of(connection, id_))
    if as_json:
        print(json.dumps([_facts(row) | verdicts.get(row.id, {}) for row in rows], indent=2))
    else:
        for row in rows:
            verdict = "" if row.id not in verdicts else "  verified" if verdicts[row.id]["ok"] else "  NOT VERIFIED"
            print(_line(row) + verdict)
    if not all(verdict["ok"] for verdict in verdicts.values()):
        raise click.exceptions.Exit(1)


def _facts(row: MatchRow) -> dict[str, Any]:
    return {
        "match": row.id,
        "game": row.game,
        "parameters": row.parameters,
        "players": dict(zip(row.roles, row.names, strict=True)),
        "result": None if row.state == "running" else row.state,
        "reason": row.outcome and row.outcome.reason,
        "utilities": dict(zip(row.roles, row.outcome.utilities, strict=True))
        if row.outcome and row.outcome.utilities
        else None,
    }


def _line(row: MatchRow) -> str:
    utilities = (row.outcome and row.outcome.utilities) or (None,) * len(row.names)
    seats = [name if u is None else f"{name} {u:g}" for name, u in zip(row.names, utilities, strict=True)]
    state = f"aborted: {row.outcome.reason}" if row.outcome and row.state == "aborted" else row.state
    return f"{row.id}  {row.game}  {', '.join(seats)}" + ("" if row.state == "finished" else f"  ({state})")


def _read(file: Path, match: str | None) -> list[Event]:
    """Return the events of a match.

    Raises:
        BadArgument: the file cannot be read, a line of it is not an event, or the store has no such match.
        StoreUnusable: the file is not a store.
    """
    from server.referee.journal import JournalUnreadable, read_journal
    from server.store import records
    from server.store.store import read_store

    if match is None or not _is_store(file):
        try:
            with gzip.open(file, "rb") if file.suffix == ".gz" else file.open("rb") as lines:
                return list(read_journal(lines))
        except JournalUnreadable as error:
            raise BadArgument(f"`{file}`, {error}") from error
        except (OSError, EOFError, zlib.error) as error:
            raise BadArgument(f"cannot read `{file}`: {error}") from error
    with read_store(file) as connection:
        events = records.journal_of(connection, match)
    if not events:
        raise BadArgument(f"`{file}` has no match `{match}`")
    return events


def _verified(events: list[Event]) -> dict[str, Any]:
    from server.matches.library_games import LibraryGames
    from server.referee.replay import first_difference

    difference = first_difference(events, LibraryGames().load_created, LibraryGames.faults)
    if difference is None:
        return {"ok": True, "first_difference": None}
    place = {"line": difference.line, "expected": difference.expected, "found": difference.found}
    return {"ok": False, "first_difference": place}


def _verdict(facts: dict[str, Any]) -> str:
    if facts["ok"]:
        return "verified: every event follows from the rules, the seed and the players' messages"
    place = facts["first_difference"]
    parting = f"  expected: {place['expected']}\n  found:    {place['found']}"
    return f"NOT VERIFIED: differs from its rules and seed from line {place['line']} on\n{parting}"


def _summary(events: list[Event]) -> dict[str, Any]:
    from server.referee.journal import Created, Ended, Recorded, Transition

    created = events[0]
    assert isinstance(created, Created)
    ended = next((event for event in events if isinstance(event, Ended)), None)
    return {
        "match": created.match,
        "game": created.game,
        "parameters": created.parameters,
        "players": dict(zip(created.roles, created.names, strict=True)),
        "transitions": [
            {"actions": event.actions, "outcome": event.outcome} for event in events if isinstance(event, Transition)
        ],
        "errors": [
            {"role": event.error.role, "kind": event.error.kind, "detail": event.error.detail}
            for event in events
            if isinstance(event, Recorded)
        ],
        "result": ended.result if ended else None,
        "reason": ended.reason if ended else None,
        "utilities": dict(zip(created.roles, ended.utilities, strict=True)) if ended and ended.utilities else None,
    }


def _show(events: list[Event]) -> None:
    summary = _summary(events)
    parameters = ", ".join(f"{name}={value}" for name, value in summary["parameters"].items())
    print(f"match {summary['match']}: {summary['game']}({parameters})")
    print(", ".join(f"{role}: {name}" for role, name in summary["players"].items()))
    for number, transition in enumerate(summary["transitions"], 1):
        chosen = ", ".join(f"{role} {action}" for role, action in transition["actions"].items())
        print(f"{number:4d}  " + (chosen or f"chance: {transition['outcome']}"))
    for error in summary["errors"]:
        print(f"error of {error['role']}: {error['kind']}: {error['detail']}")
    if summary["utilities"] is not None:
        print("utilities: " + ", ".join(f"{role} {utility:g}" for role, utility in summary["utilities"].items()))
    else:
        print(f"the match was aborted: {summary['reason']}" if summary["result"] else "the match is not over")
