"""Between histories that a player cannot tell apart, every byte and every time of what it is told is the same.

Each game of the library with hidden information is played at random by a referee on a clock that is only counted. Every
player answers after a time that depends on what it knows alone. Whenever two plays give a player the same information
state, what it was told until then, and when, is compared.
"""

from __future__ import annotations

import random
from functools import cache

import pytest

from ggp.protocol.codec import encode
from ggp.protocol.messages import Act, MatchMessage, Move, Ready
from ggp.static_analysis.traits import is_of_perfect_information
from server.matches.library_games import LibraryGames
from server.referee.game_interface import Game, Player
from server.referee.journal import Announced, Begun, Event, Received, Sent, Ticked
from server.referee.referee import Referee
from tests.support.library import HIDDEN_GAMES, library_games, load_typed
from tests.support.tiny_games import created

PLAYS = 24
STEPS = 14
"""Of each play: the beginning is where plays agree."""
CLOCK_MS, ALLOWANCE_MS = 1000, 50


class Listener:
    """A player that answers after a time that only what it was told decides, and remembers what it was told when."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int]] = []
        self.waiting: tuple[int, Act] | None = None

    def hear(self, message: MatchMessage, now_ms: int) -> None:
        self.told.append((encode(message), now_ms))
        if isinstance(message, Act):
            draw = random.Random(repr(self.told[-1][0]) + str(len(self.told)))
            self.waiting = (now_ms + draw.choice([1, 40, 400]), message)


def play(game_name: str, number: int, *, hide_times: bool) -> list[list[tuple[str, int]]]:
    """Play one game at random; return what each player was told, and when."""
    game = loaded(game_name)
    clocks = {"play_clock_ms": CLOCK_MS, "allowance_ms": ALLOWANCE_MS, "hide_times": hide_times}
    first = created(game, transition_limit=10_000, seed=str(number % 3), **clocks)
    draw = random.Random(f"{game_name} {number}")
    referee = Referee(game, first, LibraryGames.faults)
    listeners = [Listener() for _ in game.players]
    now_ms = 0

    def tell(events: list[Event]) -> None:
        for event in events:
            if isinstance(event, Sent) and event.message.__struct_config__.tag != "error":
                listeners[event.player].hear(event.message, now_ms)  # type: ignore[arg-type]
        referee.apply(Announced(now_ms))

    tell(referee.apply(Begun(0)))
    for player in range(len(game.players)):
        tell(referee.apply(Received(0, Player(player), Ready("m1"))))
    for _ in range(STEPS * 4):
        if referee.ended is not None or max(len(one.told) for one in listeners) > STEPS:
            break
        answers = [(one.waiting[0], player) for player, one in enumerate(listeners) if one.waiting is not None]
        at_ms, player = min(answers, default=(1 << 60, -1))
        deadline_ms = referee.deadline_ms
        if deadline_ms is not None and deadline_ms < at_ms:
            now_ms = deadline_ms + 1
            tell(referee.apply(Ticked(now_ms)))
            continue
        assert player >= 0, "nobody is asked, and no clock runs"
        waiting = listeners[player].waiting
        assert waiting is not None
        listeners[player].waiting = None
        now_ms = max(now_ms, at_ms)
        action = draw.choice(waiting[1].legal)
        tell(referee.apply(Received(now_ms, Player(player), Move("m1", waiting[1].step, action))))
    return [one.told for one in listeners]


@cache
def loaded(name: str) -> Game:
    return LibraryGames().load(LibraryGames().find(name, {}))


def leaks(game_name: str, *, hide_times: bool) -> tuple[int, list[str]]:
    """Return how many times were compared, and those that tell histories apart that nothing else does."""
    known: dict[tuple[object, ...], tuple[int, int]] = {}
    compared, found = 0, []
    for number in range(PLAYS):
        for player, told in enumerate(play(game_name, number, hide_times=hide_times)):
            # Where the match began is the same for all; what was told since is the player's information state.
            state: tuple[object, ...] = (player, number % 3 if player < 0 else None)
            before_ms = 0
            for frame, at_ms in told:
                key = (*state, frame)
                if key in known:
                    compared += 1
                    if known[key][0] != at_ms - before_ms:
                        found.append(f"player {player}: {known[key]} or {at_ms - before_ms} ms until {frame[:200]}")
                known.setdefault(key, (at_ms - before_ms, number))
                state, before_ms = (hash(key),), at_ms
    return compared, found


@pytest.mark.sweep
@pytest.mark.parametrize("name", HIDDEN_GAMES)
def test_no_time_tells_what_is_hidden(name: str) -> None:
    compared, found = leaks(name, hide_times=True)
    assert compared > 20
    assert not found, found[:3]


@pytest.mark.long
def test_all_games_that_hide_something_are_known() -> None:
    hidden = {name for name in library_games() if not is_of_perfect_information(load_typed(name))}
    assert hidden == set(HIDDEN_GAMES)


def test_without_hidden_times_phantom_tic_tac_toe_tells_how_often_the_other_tried() -> None:
    assert leaks("phantom_tic_tac_toe", hide_times=False)[1]


def test_the_observations_compared_are_real() -> None:
    (told, *_) = play("phantom_tic_tac_toe", 0, hide_times=True)
    assert any('"type":"observe"' in frame for frame, _ in told)
