"""OpenSpiel's own search as a player: its C++ MCTS bot on goofspiel, Oshi-Zumo and rock-paper-scissors.

    python docs/examples/openspiel_mcts.py ws://localhost:8000/play

The bot searches games of turns. So OpenSpiel makes simultaneous choices into turns first (`convert_to_turn_based`): the
first role moves, then the second, and in the search tree the second knows what the first has chosen. In play it cannot
know. As the first role the bot plays its most visited action. As the second it searches from where nobody has chosen
yet too: it takes the first's most visited action for what the first will do, and answers with the most visited action
behind it. Either way it plays one action, not a mixture.

It needs `pip install open_spiel`. Nothing here reads the rules: the games are known by name, and followed by what the
manager tells of them. One match at a time: while the bot searches, this process does nothing else.
"""

import argparse
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pyspiel

from players.client import MatchPlayer, Turn, join

EXPLORATION = 2.0
"""UCT's constant for utilities in [-1, 1], as in OpenSpiel's `mcts_example`; scaled to the utilities of the game."""
MAX_MEMORY_MB = 500
NO_LIMIT = 2**30
LEAST_RESERVE_S, RESERVED_SHARE = 0.01, 0.1
"""What is kept back of each play clock, for the way to the manager too. `turn.round_trip_s` is of no use here: the bot
does not let go of Python's lock while it searches, so that the client's pings wait for it."""


class UnknownGame(Exception):
    """OpenSpiel has no game like this one."""


@dataclass(frozen=True)
class Translation:
    """A game of ours in OpenSpiel.

    Attributes:
        game: OpenSpiel's, with simultaneous moves.
        code: OpenSpiel's number of an action or a chance outcome, given as our text.
        has_chance: whether what is drawn is a chance node there.
        is_repeated: whether it is a single round, which is played again and again.
    """

    game: pyspiel.Game
    code: Callable[[str], int]
    has_chance: bool = False
    is_repeated: bool = False


def translate(name: str, parameters: Mapping[str, str]) -> Translation:
    """Return OpenSpiel's game for one of ours.

    Raises:
        UnknownGame: it has none, or none with these parameters.
    """
    try:
        return TRANSLATIONS[name](parameters)
    except KeyError:
        raise UnknownGame(f"no translation of {name} with {dict(parameters)}") from None


def goofspiel(parameters: Mapping[str, str]) -> Translation:
    if parameters["lowest"] != "1" or parameters["bids"] != "shown":
        raise KeyError
    shuffled = parameters["prizes"] == "shuffled"
    options = {
        "num_cards": int(parameters["n"]),
        "imp_info": False,
        "points_order": "random" if shuffled else parameters["prizes"],
        "returns_type": {"most_points": "win_loss", "point_difference": "point_difference"}[parameters["winner"]],
    }
    return Translation(pyspiel.load_game("goofspiel", options), lambda card: int(card) - 1, has_chance=shuffled)


def oshi_zumo(parameters: Mapping[str, str]) -> Translation:
    names = {"coins": "coins", "size": "half", "min_bid": "least"}
    options = {theirs: int(parameters[ours]) for theirs, ours in names.items()}
    return Translation(pyspiel.load_game("oshi_zumo", options), int)


def rock_paper_scissors(parameters: Mapping[str, str]) -> Translation:
    gains = {
        "even": [[0, -1, 1], [1, 0, -1], [-1, 1, 0]],
        "biased": [[50, 25, 100], [75, 50, 45], [0, 55, 50]],
    }[parameters["payoffs"]]
    throws = ["rock", "paper", "scissors"]
    columns = [list(column) for column in zip(*gains, strict=True)]
    game = pyspiel.create_matrix_game("rock_paper_scissors", "", throws, throws, gains, columns)
    return Translation(game, throws.index, is_repeated=True)


TRANSLATIONS = {"goofspiel": goofspiel, "oshi_zumo": oshi_zumo, "rock_paper_scissors": rock_paper_scissors}


class OpenSpielPlayer(MatchPlayer):
    """Follows a match on a state of OpenSpiel's, and lets the bot think about each decision."""

    def __init__(self, seed):
        self._random = random.Random(seed)

    def start(self, start, deadline):
        self._translation = translate(start.game, start.parameters)
        self._game = pyspiel.convert_to_turn_based(self._translation.game)
        self._state = self._game.new_initial_state()
        self._role = start.roles.index(start.role)
        self._roles = start.roles
        self._play_clock_s = start.play_clock_ms / 1000

    def observe(self, observe):
        for seen in observe.observation:
            # OpenSpiel plays the last round of goofspiel by itself, so what is told of it is news no more
            if self._state.is_terminal():
                return
            if not isinstance(seen.value, Mapping):
                if self._translation.has_chance:
                    self._state.apply_action(self._translation.code(str(seen.value)))
                continue
            for role in self._roles:
                self._state.apply_action(self._translation.code(str(seen.value[role])))
            if self._translation.is_repeated:
                self._state = self._game.new_initial_state()

    def choose(self, turn: Turn) -> str:
        reserve = max(LEAST_RESERVE_S, RESERVED_SHARE * self._play_clock_s)
        seconds = turn.seconds_left - reserve
        if len(turn.legal) == 1 or seconds <= 0:
            return self._random.choice(turn.legal)
        decision = self._bot(seconds).mcts_search(self._state)
        if self._role == 1:
            decision = decision.best_child()
        wanted = decision.best_child().action if decision is not None and decision.children else None
        # nothing is wanted where there was no time for a single playout behind the first's action
        known = [text for text in turn.legal if self._translation.code(text) == wanted]
        return self._random.choice(known or turn.legal)

    def _bot(self, seconds: float) -> pyspiel.MCTSBot:
        half_range = (self._game.max_utility() - self._game.min_utility()) / 2
        evaluator = pyspiel.RandomRolloutEvaluator(1, self._random.randrange(2**31))
        return pyspiel.MCTSBot(
            self._game,
            evaluator,
            EXPLORATION * half_range,
            NO_LIMIT,
            MAX_MEMORY_MB,
            True,  # proves wins and losses where it can (MCTS-Solver)
            self._random.randrange(2**31),
            False,
            pyspiel.ChildSelectionPolicy.UCT,
            seconds,
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Play with OpenSpiel's MCTS bot.")
    parser.add_argument("url", help="of the manager, such as ws://localhost:8000/play")
    parser.add_argument("--name", default="openspiel-mcts")
    parser.add_argument("--seed", type=int, default=0, help="of playouts and ties")
    parser.add_argument("--competition", help="to enter")
    parser.add_argument("--token-file", type=Path, help="keeps the player's identity between runs")
    arguments = parser.parse_args()
    entering = None if arguments.competition is None else (arguments.competition, None)
    seeds = random.Random(arguments.seed)
    farewell = join(
        arguments.url,
        lambda: OpenSpielPlayer(seeds.randrange(2**31)),
        name=arguments.name,
        entering=entering,
        token_file=arguments.token_file,
    )
    print(farewell)
