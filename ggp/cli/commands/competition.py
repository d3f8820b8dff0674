"""`ggp competition`: creates competitions on a running manager and administers them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import click

from ggp.cli.arguments import BadArgument, InOrder, json_option, parameter_option, parameters_from
from ggp.cli.game_texts import table_lines
from ggp.cli.manager_client import ManagerClient, on_a_manager, part
from ggp.terminal import safe_text

name_argument = click.argument("name", metavar="COMPETITION", help="Its name or number.")
player_argument = click.argument("player", metavar="PLAYER", help="The name of an entrant.")
reason_option = click.option("--reason", help="Told to the players concerned.")


@click.group(cls=InOrder)
def competition() -> None:
    """Create and administer competitions on a running game manager."""


@competition.command("list")
@on_a_manager
@json_option
def list_(client: ManagerClient, as_json: bool) -> None:
    """List the competitions of a manager."""
    found = client.every("/competitions")
    if as_json:
        _print_json(found)
        return
    rows = [
        (row["competition"], row["name"], row["state"], row["format"].replace("_", " "), ", ".join(row["games"]))
        for row in found
    ]
    _print_table(("number", "name", "state", "format", "games"), rows)


@competition.command()
@click.argument("name", metavar="NAME", help="What the competition is called.")
@click.option(
    "--game", "games", multiple=True, metavar="GAME", help="A library game or a rules file; may be given again."
)
@parameter_option
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="A setting; its value is JSON or text.")
@click.option(
    "--settings",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A JSON file with settings; `--set` adds to it.",
)
@on_a_manager
@json_option
def make(
    client: ManagerClient,
    name: str,
    games: tuple[str, ...],
    parameters: tuple[str, ...],
    settings: tuple[str, ...],
    file: Path | None,
    as_json: bool,
) -> None:
    """Create a competition; players can enter at once.

    `ggp competition make Spring --game goofspiel -p n=5 --set format=swiss --set entry=invitation`
    """
    body: dict[str, Any] = {"name": name, **_settings_of(file), **_pairs(settings)}
    if games:
        given = parameters_from(parameters)
        body["games"] = [_choice(game, _own(game, given, games)) for game in games]
    made = client.send("POST", "/competitions", body)
    if as_json:
        _print_json(made)
    else:
        print(f"created: {safe_text(made['name'])}, number {safe_text(made['competition'])}")
        _print_tokens(made["tokens"])


@competition.command()
@name_argument
@on_a_manager
@json_option
def show(client: ManagerClient, name: str, as_json: bool) -> None:
    """Show a competition: settings, state, progress, warnings for the host."""
    found = client.send("GET", f"/competitions/{part(name)}")
    if as_json:
        _print_json(found)
        return
    settings = found.pop("settings")
    found |= {key: value for key, value in settings.items() if key not in found}
    for choice in found["games"] if isinstance(found["games"], list) else []:
        if isinstance(choice, dict):
            choice.pop("rules", None)
    for key, value in found.items():
        for line in value if key == "warnings" else [value]:
            print(f"{key}: {safe_text(line if isinstance(line, str) else json.dumps(line, ensure_ascii=False), 2000)}")


@competition.command()
@name_argument
@on_a_manager
@json_option
def entrants(client: ManagerClient, name: str, as_json: bool) -> None:
    """List the entrants of a competition."""
    found = client.every(f"/competitions/{part(name)}/entrants")
    if as_json:
        _print_json(found)
        return
    _print_table(
        ("name", "state", "since", "reason"),
        [(row["name"], row["state"], row["entered_at"], row.get("reason") or "") for row in found],
    )


@competition.command()
@name_argument
@click.option(
    "--store", type=click.Path(path_type=Path), metavar="FILE", help="Read a store instead of asking a manager."
)
@click.option("--csv", "as_csv", is_flag=True, help="Print them as CSV.")
@on_a_manager
@json_option
def standings(client: ManagerClient, name: str, store: Path | None, as_csv: bool, as_json: bool) -> None:
    """Print the standings of a competition, from a running manager or a store."""
    import msgspec

    from ggp.cli.tournament_display import print_table
    from ggp.competition.standings import Standing, standings_csv

    if store is not None:
        table = _stored_table(store, name)
    else:
        found = client.every(f"/competitions/{part(name)}/standings")
        table = msgspec.convert(found, list[Standing])
    if as_csv:
        print(standings_csv(table), end="")
    elif as_json:
        _print_json(msgspec.to_builtins(table))
    else:
        print_table(table)


def _stored_table(store: Path, name: str) -> list[Any]:
    from server.competitions.table import competition_table
    from server.store import competition_records
    from server.store.store import read_store

    with read_store(store) as connection:
        if not competition_records.competitions(connection, id_=name):
            there = ", ".join(f"`{row.name}`" for row in competition_records.competitions(connection)) or "none"
            raise BadArgument(f"`{store}` has no competition `{name}`; it has {safe_text(there)}")
        return list(competition_table(connection, name))


def _state_command(action: str, help_: str) -> None:
    @competition.command(action, help=help_)
    @name_argument
    @reason_option
    @on_a_manager
    def command(client: ManagerClient, name: str, reason: str | None) -> None:
        done = client.send("POST", f"/competitions/{part(name)}/{action}", {"reason": reason})
        if action == "finish" and done["state"] == "running":
            print("no more matches begin; the competition is finished when those in play are over")
        else:
            print(f"the competition is {safe_text(done['state'])}")


_state_command("start", "Start a competition now, with the present entrants.")
_state_command("pause", "Start no more matches of a competition; those in play go on.")
_state_command("resume", "Resume a competition that was paused.")
_state_command("finish", "Finish a ladder: no more matches begin, and those in play count.")
_state_command("cancel", "End a competition; its matches in play are aborted, finished ones stay.")


@competition.command()
@name_argument
@click.argument("settings", nargs=-1, required=True, metavar="NAME=VALUE...", help="Settings; values are JSON or text.")
@on_a_manager
def change(client: ManagerClient, name: str, settings: tuple[str, ...]) -> None:
    """Change settings of a competition: `ggp competition change Spring play_clock_ms=2000 strikes=3`."""
    done = client.send("PATCH", f"/competitions/{part(name)}", _pairs(settings))
    print("changed")
    _print_tokens(done["tokens"])


def _print_tokens(tokens: dict[str, str]) -> None:
    """Print the tokens of reserved names, for the host to pass on."""
    for name, token in tokens.items():
        print(f"the token of {safe_text(name)}, for `ggp join --token-file`: {safe_text(token)}")


@competition.command()
@name_argument
@click.option("--count", type=click.IntRange(min=1, max=1000), default=1, help="How many invitations.")
@click.option("--note", default="", help="For whom; only hosts see it.")
@on_a_manager
def invite(client: ManagerClient, name: str, count: int, note: str) -> None:
    """Print invitations, each for one player: `ggp join URL PLAYER --competition NAME --invitation TOKEN`."""
    for _ in range(count):
        made = client.send("POST", f"/competitions/{part(name)}/invitations", {"note": note})
        print(safe_text(made["invitation"]))


@competition.command()
@click.option(
    "--older-than",
    type=click.FloatRange(min=0),
    default=30.0,
    metavar="DAYS",
    help="Journals of matches that ended before that.",
)
@on_a_manager
def archive(client: ManagerClient, older_than: float) -> None:
    """Move old journals out of the manager's store, to a folder beside it; results stay."""
    done = client.send("POST", "/archive", {"older_than_days": older_than})
    count = done["archived"]
    print(f"{count} {'journal is' if count == 1 else 'journals are'} in {safe_text(done['folder'])}")


@competition.command()
@on_a_manager
def backup(client: ManagerClient) -> None:
    """Copy the manager's store to a file beside it, while it runs."""
    done = client.send("POST", "/backup", {})
    print(f"copied to {safe_text(done['file'])}")


def _entrant_command(action: str, help_: str) -> None:
    @competition.command(action, help=help_)
    @name_argument
    @player_argument
    @reason_option
    @on_a_manager
    def command(client: ManagerClient, name: str, player: str, reason: str | None) -> None:
        path = f"/competitions/{part(name)}/entrants/{part(player)}/{action}"
        done = client.send("POST", path, {"reason": reason})
        print(f"{safe_text(done['name'])}: {safe_text(done['state'])}")


_entrant_command("approve", "Accept a player that asks to enter, or that did not qualify.")
_entrant_command("refuse", "Refuse a player that asks to enter.")
_entrant_command("withdraw", "Withdraw a player: it forfeits its matches in play, and may enter again.")
_entrant_command("kick", "Remove a player: it forfeits its matches in play, finished ones count.")
_entrant_command("disqualify", "Disqualify a player; none of its matches counts.")


def _own(game: str, parameters: dict[str, str], games: Sequence[str]) -> dict[str, str]:
    """Return which parameters are for one of several games: those that it has, or that none has, which is a mistake."""
    if len(games) == 1 or not parameters:
        return parameters
    from ggp.rules_compiler.loading import parameters as declared

    others = {name for each in games for name in declared(each)} - declared(game).keys()
    return {name: value for name, value in parameters.items() if name not in others}


def _choice(game: str, parameters: dict[str, str]) -> dict[str, Any]:
    """Return a game as the API expects it: the text of a local rules file, or the name of a library game.

    Raises:
        GgpError: the file's rules have errors.
    """
    if not game.endswith(".rules") and "/" not in game:
        return {"game": game, "parameters": parameters}
    from server.matches.library_games import LibraryGames

    source = LibraryGames([game]).find(game, parameters)
    return {
        "game": source.name,
        "parameters": dict(source.parameters),
        "rules": source.rules,
        "files": dict(source.files),
    }


def _pairs(settings: Sequence[str]) -> dict[str, Any]:
    """Return settings given as NAME=VALUE; a value that is not JSON is text, and `format` may be just a name.

    Raises:
        BadArgument: one has no `=`, or names no setting or format.
    """
    from ggp.competition.formats import Format
    from players.player_options import suggestion
    from server.competitions.settings import CompetitionSettings

    known = CompetitionSettings.__struct_fields__
    formats = [kind.__struct_config__.tag for kind in get_args(Format)]
    found: dict[str, Any] = {}
    for pair in settings:
        name, equals, text = pair.partition("=")
        if not equals:
            raise BadArgument(f"`{pair}` is not of the form NAME=VALUE, such as `strikes=3`")
        if name not in known:
            raise BadArgument(f"a competition has no setting `{name}`{suggestion(name, known)}")
        if name == "format" and text.isidentifier() and text not in formats:
            raise BadArgument(f"there is no format `{text}`{suggestion(text, formats)}")
        try:
            value = json.loads(text)
        except ValueError:
            value = text
        found[name] = {"kind": value} if name == "format" and isinstance(value, str) else value
    return found


def _settings_of(file: Path | None) -> dict[str, Any]:
    if file is None:
        return {}
    try:
        found = json.loads(file.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError) as error:
        raise BadArgument(f"cannot read the settings in `{file}`: {error}") from error
    if not isinstance(found, dict):
        raise BadArgument(f"`{file}` does not hold settings")
    return found


def _print_json(found: Any) -> None:
    print(json.dumps(found, indent=2))


def _print_table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    print("\n".join(table_lines(headings, [tuple(safe_text(str(cell)) for cell in row) for row in rows])))
