"""Matches in one process: seats, seeds, clocks, standings, and search against random play."""

from __future__ import annotations

import re

import pytest

import ggp
from players.agents.agent import Budget
from players.agents.registry import read_player
from players.evaluation.matches import (
    ALLOWANCE_S,
    GameEndless,
    GameResult,
    TimeControl,
    errors_line,
    faults_line,
    faults_told,
    play_game,
    play_games,
    points,
    seats_of,
    standings,
)
from players.player_options import NotApplicable
from tests.support.library import game_of, one_phase
from tests.support.players import SIMULTANEOUS_PLAYERS


@pytest.fixture(scope="module")
def goofspiel() -> ggp.Game:
    return ggp.load("goofspiel", n=4)


class Recorder:
    """Plays the first legal action and writes down what it is told; `delay` of a clock that it moves itself."""

    def __init__(self, clock: list[float], delay: float = 0.0, answer: str | None = None) -> None:
        self.clock, self.delay, self.answer = clock, delay, answer
        self.told: list[tuple] = []
        self.started: list[tuple] = []

    def start(self, game, role, seed) -> None:
        self.started.append((role, seed))
        self.told = []

    def observe(self, action, observation) -> None:
        self.told.append((action, tuple(observation)))

    def choose(self, legal, budget: Budget) -> str:
        self.clock[0] += self.delay
        return self.answer or legal[0]


@pytest.mark.long
def test_a_game_without_end_is_an_error() -> None:
    game = game_of(
        one_phase("each p chooses step in 0..1\nturns := (turns + step[ann]) mod 10\nnext go", "turns: 0..9 = 0")
    )
    agents = [read_player("random").make_agent() for _ in range(2)]
    with pytest.raises(GameEndless, match=r"one_phase was not over after 10,000 transitions"):
        play_game(game, agents, 0, 0, False, TimeControl(iterations=1))


def test_seats_go_round() -> None:
    assert [seats_of(number, 3, True) for number in range(4)] == [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 1, 2)]
    assert seats_of(5, 3, False) == (0, 1, 2)


def test_swapped_games_share_the_chance_seed(goofspiel: ggp.Game) -> None:
    clock = [0.0]
    players = [Recorder(clock), Recorder(clock)]
    prizes = []
    for number in range(4):
        result = play_game(goofspiel, players, number, 9, True, TimeControl(iterations=1))
        assert result.seats == ((0, 1) if number % 2 == 0 else (1, 0))
        assert players[0].started[-1][0] == number % 2
        prizes.append([observation for action, observation in players[0].told if action is None])
    assert prizes[0] == prizes[1]
    assert prizes[2] == prizes[3]
    assert prizes[0] != prizes[2]
    assert len({seed for player in players for _, seed in player.started}) == 8


def test_players_are_told_their_own_action_and_what_they_see(goofspiel: ggp.Game) -> None:
    players = [Recorder([0.0]), Recorder([0.0])]
    result = play_game(goofspiel, players, 0, 9, True, TimeControl(iterations=1))
    assert result.transitions == 8
    assert [action for action, _ in players[1].told] == [None, "1", None, "2", None, "3", None, "4"]
    assert all(observation for _, observation in players[1].told)


@pytest.mark.parametrize(
    ("delay", "answer", "errors", "told"),
    [
        (1.0 + ALLOWANCE_S / 2, None, 0, None),
        (1.0 + 2 * ALLOWANCE_S, None, 4, f"`row` moved {2 * ALLOWANCE_S:.3f} s late"),
        (0.0, "7", 4, "`row` chose `7`, which is not a legal action"),
    ],
    ids=["within the allowance", "late", "illegal"],
)
def test_late_and_illegal_moves_are_replaced(
    goofspiel: ggp.Game, delay: float, answer: str, errors: int, told: str | None
) -> None:
    clock = [0.0]
    players = [Recorder(clock), Recorder(clock, delay, answer)]
    result = play_game(goofspiel, players, 1, 9, True, TimeControl(play_clock_s=1.0), lambda: clock[0])
    assert result.errors == (0, errors)  # of the players, not of the roles
    assert result.first_error == told
    line = f"4 errors, each replaced by a random action; the first, in game 2: {told}"
    assert errors_line([result]) == (line if told else None)
    played = [action for action, _ in players[1].told if action]
    assert sorted(played) == ["1", "2", "3", "4"]


def test_iterations_make_games_reproducible(goofspiel: ggp.Game) -> None:
    players = [read_player("rm"), read_player("duct")]
    control = TimeControl(iterations=50)
    first, second = (list(play_games(goofspiel, players, range(6), 3, True, control)) for _ in range(2))
    alone = list(play_games(goofspiel, players, [4], 3, True, control))
    assert first == second
    assert alone[0] == first[4]


FEW_SWEEPS = {"cfr": "cfr:think=0.05", "rnr": "rnr:think=0.05,model_iterations=200"}


@pytest.mark.sweep
@pytest.mark.parametrize("player", [FEW_SWEEPS.get(name, name) for name in SIMULTANEOUS_PLAYERS])
def test_search_beats_chance(player: str) -> None:
    players = [read_player(player), read_player("random")]
    results = list(play_games(ggp.load("goofspiel", n=8), players, range(60), 1, True, TimeControl(iterations=2000)))
    first, second = standings(results)
    assert first.win_rate - first.ci95 > 0.5
    assert first.win_rate + second.win_rate == pytest.approx(1)
    assert first.mean_payoff == -second.mean_payoff
    assert first.errors == 0


def test_turns_three_players_and_points() -> None:
    game = ggp.load("kuhn_poker_three")
    assert len(game.players) == 3
    result = GameResult(0, (2, 0, 1), (5.0, 5.0, 1.0), (0, 0, 0), 7)
    assert [points(result.utilities, result.seats.index(player)) for player in range(3)] == [0.5, 0.0, 0.5]
    won = GameResult(1, (0, 1, 2), (1.0, 5.0, 2.0), (1, 0, 0), 7)
    table = standings([result, won])
    assert [standing.wins for standing in table] == [0, 1, 0]
    assert [standing.draws for standing in table] == [1, 0, 1]
    assert [standing.mean_payoff for standing in table] == [3.0, 3.0, 3.5]
    assert [standing.errors for standing in table] == [1, 0, 0]


def test_a_team_wins_together() -> None:
    teams = (0, 1, 0, 1)
    result = GameResult(0, (1, 2, 3, 0), (1.0, -1.0, 1.0, -1.0), (0, 0, 0, 0), 7)
    drawn = GameResult(1, (0, 1, 2, 3), (0.0, 0.0, 0.0, 0.0), (0, 0, 0, 0), 7)
    table = standings([result, drawn], teams)
    assert [standing.wins for standing in table] == [0, 1, 0, 1]
    assert [standing.draws for standing in table] == [1, 1, 1, 1]
    assert [standing.win_rate for standing in table] == [0.25, 0.75, 0.25, 0.75]
    assert [standing.draws for standing in standings([result], (0, 0, 0, 0))] == [0, 1, 0, 1], (
        "nobody beats its own team"
    )


@pytest.mark.parametrize(
    ("game", "player", "reason"),
    [
        ("kuhn_poker", "duct", "perfect information"),
        ("sealed_auction", "rm", "`rm` plays games of"),
    ],
)
def test_players_refuse_games_before_the_match(game: str, player: str, reason: str) -> None:
    loaded = ggp.load(game)
    with pytest.raises(NotApplicable, match=reason):
        read_player(player).make_agent().start(loaded, 0, 1)


def test_a_fault_of_the_rules_ends_a_game_and_is_told_with_its_place() -> None:
    phase, payoff = "ann chooses x in 1..3\nn := n + x\nnext end if n == 3 else go", "if p == ann then 1 else 0"
    game = game_of(one_phase(phase, "n: 0..3 = 0", payoff=payoff))
    players = [read_player("random"), read_player("random")]
    results = list(play_games(game, players, range(40), 1, False, TimeControl(iterations=1)))
    told = faults_told(results)
    assert 0 < told["faulted"] < 40
    assert told["faulted_share"] == told["faulted"] / 40
    assert re.fullmatch(r"test\.rules:7:10: `n` takes 0\.\.3, got [456]", told["first_fault"])
    for result in results:
        assert result.utilities == ((0.0, 0.0) if result.fault else (1.0, 0.0))
        assert result.transitions >= 1
    assert f"{told['faulted']} of 40 games" in str(faults_line(told, 40))
    assert faults_line(faults_told([result for result in results if not result.fault]), 3) is None
