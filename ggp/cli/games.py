"""`ggp games`: the library of games, a line each."""

from __future__ import annotations

import json

from ggp.cli.arguments import JsonOption
from ggp.cli.game_texts import table_lines, traits_of
from ggp.cli.rules_input import checked_game
from ggp.language.library import library_names
from ggp.model.checked_play import play_checked

SAMPLE = 20
"""Random games from which it is seen whether utilities are zero-sum."""
SAMPLE_TRANSITIONS = 2_000


def games(as_json: JsonOption = False) -> None:
    """List the library of games: name, players, traits, title."""
    listed = []
    for name in library_names():
        game = checked_game(name, {})
        report = play_checked(game, 0, SAMPLE, SAMPLE_TRANSITIONS)
        listed.append(
            {
                "name": name,
                "players": list(game.players.members),
                "traits": traits_of(game, report)[1:],
                "title": game.title,
                "parameters": [parameter.name for parameter in game.parameters],
            }
        )
    if as_json:
        print(json.dumps(listed, indent=2))
        return
    rows = [(str(one["name"]), str(len(one["players"])), ", ".join(one["traits"])) for one in listed]
    for line in table_lines(("game", "players", "traits"), rows):
        print(line)
