"""`ggp games`: lists the library of games."""

from __future__ import annotations

import json

import click

from ggp.cli.arguments import json_option
from ggp.cli.game_texts import table_lines, traits_of
from ggp.cli.rules_input import checked_game
from ggp.language.library import find_games


@click.command()
@click.argument("text", nargs=-1, metavar="[TEXT]", help="Words to look for in names, titles, sources and parameters.")
@json_option
def games(text: tuple[str, ...], as_json: bool) -> None:
    """List the library of games, or those that match TEXT: name, players, traits, title."""
    listed = []
    for name in find_games(" ".join(text)):
        game = checked_game(name, {})
        listed.append(
            {
                "name": name,
                "players": list(game.players.members),
                # the same words as in `ggp check`, without what only play can show; the number of players has a column
                "traits": traits_of(game)[1:],
                "title": game.title,
                "parameters": [parameter.name for parameter in game.parameters],
            }
        )
    if as_json:
        print(json.dumps(listed, indent=2))
        return
    if not listed:
        print("no game in the library matches; `ggp games` lists them all")
        return
    rows = [(str(one["name"]), str(len(one["players"])), ", ".join(one["traits"])) for one in listed]
    head, *lines = table_lines(("game", "players", "traits"), rows)
    print(head)
    for line, one in zip(lines, listed, strict=True):
        print(f"{line}   {one['title']}")
