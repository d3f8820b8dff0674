"""`ggp replay`: shows a recorded match, and checks it against its rules and the hash of its seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ggp.cli.arguments import BadArgument, JsonOption

if TYPE_CHECKING:
    from server.journal import Event


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A match's journal, or a manager's store.")],
    match: Annotated[str | None, typer.Option("--match", help="Which match of a store.")] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Play it again by its rules and compare every event.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a recorded match. With --verify, exits with status 1 where it is not what its rules and seed give."""
    events = _read(file, match)
    facts: dict[str, Any] = {}
    if verify:
        facts = _verified(events)
    if as_json:
        print(json.dumps(facts if verify else _summary(events), indent=2))
    else:
        _show(events)
        if verify:
            print(_verdict(facts))
    if verify and not facts["ok"]:
        raise typer.Exit(1)


def _read(file: Path, match: str | None) -> list[Event]:
    """Return the events of a match.

    Raises:
        BadArgument: the file cannot be read, or the store has no such match.
        JournalUnreadable: a line is no event.
        StoreUnusable: the file is no store.
    """
    from server import records
    from server.journal import read_journal
    from server.store import read_store

    try:
        with file.open("rb") as lines:
            is_store = lines.read(16).startswith(b"SQLite format 3")
            lines.seek(0)
            if not is_store:
                return list(read_journal(lines))
    except OSError as error:
        raise BadArgument(f"cannot read `{file}`: {error.strerror}") from error
    with read_store(file) as connection:
        if match is None:
            known = [row.id for row in records.matches(connection)]
            some = ", ".join(known[:5]) + (", ..." if len(known) > 5 else "")
            raise BadArgument(f"`{file}` is a store; say which match with --match; it has {some or 'none'}")
        events = records.journal_of(connection, match)
    if not events:
        raise BadArgument(f"`{file}` has no match `{match}`")
    return events


def _verified(events: list[Event]) -> dict[str, Any]:
    from server.library_games import LibraryGames
    from server.replay import first_difference

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
    return f"NOT as its rules say, from line {place['line']} on\n{parting}"


def _summary(events: list[Event]) -> dict[str, Any]:
    from server.journal import Created, Ended, Recorded, Transition

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
        print(f"the match {'was aborted' if summary['result'] else 'is not over'}")
