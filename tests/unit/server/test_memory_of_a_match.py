"""A match takes about as much memory as its journal has bytes, which is what bounds it."""

from __future__ import annotations

import gc
import random
import tracemalloc

import pytest

from ggp.protocol.messages import Act, Move, Ready
from server.matches.library_games import LibraryGames
from server.referee.game_interface import Game, Player
from server.referee.journal import Begun, Event, Received, Sent, encode_event
from server.referee.referee import Referee
from tests.support.tiny_games import created

MOVES = 300


def play(game: Game) -> tuple[Referee, int]:
    """Play at random; return the referee, and the bytes of the journal."""
    referee = Referee(game, created(game, transition_limit=10_000), LibraryGames.faults)
    rng, asked, size = random.Random(1), {}, 0

    def take(events: list[Event]) -> None:
        nonlocal size
        for event in events:
            size += len(encode_event(event))
            if isinstance(event, Sent) and isinstance(event.message, Act):
                asked[event.player] = event.message

    take(referee.apply(Begun(0)))
    for player in range(len(game.players)):
        take(referee.apply(Received(0, Player(player), Ready("m1"))))
    for _ in range(MOVES):
        if referee.ended is not None:
            break
        player, act = asked.popitem()
        take(referee.apply(Received(0, Player(player), Move("m1", act.step, rng.choice(act.legal)))))
    return referee, size


@pytest.mark.parametrize("name", ["chess", "dark_chess"])
def test_a_match_takes_no_more_memory_than_its_journal(name: str) -> None:
    games = LibraryGames()
    game = games.load(games.find(name, {}))
    play(game)  # what the game keeps is no match's
    gc.collect()
    tracemalloc.start()
    try:
        referee, size = play(game)
        gc.collect()
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert size > 50_000
    assert taken < 1.2 * size
    assert referee.recap(Player(0), 0)
