"""Small games with hidden information are played by an equilibrium."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, ClassVar

import pytest

import ggp
from ggp.errors import GgpError
from ggp.linear_programs import ProgramUnsolved
from ggp.solvers.sequence_form.linear_program import solve_linear_program
from ggp.solvers.sequence_form.unfolding import information_tree
from players.agents import solved_hidden_agent
from players.agents.agent import Budget, RandomAgent
from players.agents.auto import AutoAgent, choose_player
from players.agents.belief_agent import BeliefAgent
from players.agents.solved_agent import TooLong
from players.agents.solved_hidden_agent import HiddenSolution, HiddenSolvedAgent
from players.beliefs.records import Records
from players.evaluation.matches import TimeControl, play_game

ONCE = TimeControl(iterations=1)


class Recorded(HiddenSolvedAgent):
    """Keeps what it was told and chose."""

    chosen: ClassVar[Counter[tuple[Any, ...]]] = Counter()

    def start(self, game: ggp.Game, role: int, seed: int) -> None:
        super().start(game, role, seed)
        self.known: list[Any] = []

    def observe(self, action: str | None, observation: Sequence[Any]) -> None:
        super().observe(action, observation)
        self.known += [action, *(value for _, value in observation)] if observation or action else []

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        action = super().choose(legal, budget)
        self.chosen[self._role, *self.known, action] += 1
        return action


@pytest.mark.long
def test_in_kuhn_poker_every_equilibrium_folds_the_jack_and_calls_with_the_king() -> None:
    game = ggp.load("kuhn_poker")
    solution = HiddenSolution(game)
    assert solution.equilibrium.value == pytest.approx(-1 / 18)
    Recorded.chosen = Counter()
    for number in range(400):
        play_game(game, [Recorded(solution), Recorded(solution)], number, 3, False, ONCE)
    chosen = Recorded.chosen
    told_of_a_bet = {(known[2], known[-1]) for known in chosen if known[3:-1] == ("pass", "pass", None, "bet")}
    assert (1, "pass") in told_of_a_bet
    assert not {(1, "bet"), (3, "pass")} & told_of_a_bet
    # the second player bets with the king, and bluffs with the jack in one case of three
    answers = {known[2:]: count for known, count in chosen.items() if known[0] == 1 and known[3:-1] == (None, "pass")}
    assert (3, None, "pass", "pass") not in answers
    bluffs, passes = answers[1, None, "pass", "bet"], answers[1, None, "pass", "pass"]
    assert abs(bluffs / (bluffs + passes) - 1 / 3) < 4 * (2 / 9 / (bluffs + passes)) ** 0.5


def test_auto_solves_leduc_poker_and_earns_the_value_against_its_own_kind() -> None:
    game = ggp.load("poker")
    choice = choose_player(game)
    assert choice.why == "the game has 288 information states and is solved"
    for number in range(20):
        assert play_game(game, [AutoAgent(), RandomAgent()], number, 5, True, ONCE).errors == (0, 0)


@pytest.mark.long
def test_what_is_too_large_is_not_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GgpError, match="histories"):
        HiddenSolution(ggp.load("phantom_tic_tac_toe"))
    with pytest.raises(GgpError, match="two"):
        HiddenSolution(ggp.load("oh_hell"))
    monkeypatch.setattr(solved_hidden_agent, "MAX_SEQUENCES", 2000)
    with pytest.raises(GgpError, match="information states"):
        HiddenSolution(ggp.load("liars_dice", faces=4))


def test_time_is_up_while_histories_are_found_and_while_the_program_is_solved() -> None:
    readings = iter(range(1000))
    with pytest.raises(TooLong, match="takes too long"):
        HiddenSolution(ggp.load("liars_dice", faces=3), 2, lambda: next(readings))
    tree = information_tree(ggp.load("liars_dice", faces=4).native())
    assert solve_linear_program(tree, 60.0).nash_conv < 1e-9
    for seconds in (0.0, 1e-9):
        with pytest.raises(ProgramUnsolved, match="time limit"):
            solve_linear_program(tree, seconds)


def test_a_state_that_fits_says_how_to_read_what_the_player_was_told(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ggp.load("kuhn_poker")
    solution = HiddenSolution(game)
    monkeypatch.setattr(Records, "key", lambda records: None)
    Recorded.chosen = Counter()
    for number in range(40):
        play_game(game, [Recorded(solution), Recorded(solution)], number, 3, False, ONCE)
    answers = {(known[2], known[-1]) for known in Recorded.chosen if known[3:-1] == ("pass", "pass", None, "bet")}
    assert answers
    assert not {(1, "bet"), (3, "pass")} & answers


def test_auto_goes_on_with_a_search_where_its_solution_fails(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = ggp.load("kuhn_poker")

    def fails(solution: HiddenSolution, role: int, key: tuple[int, int]) -> list[float]:
        raise GgpError("unknown")

    monkeypatch.setattr(HiddenSolution, "strategy", fails)
    agent = AutoAgent()
    for number in range(4):
        control = TimeControl(iterations=200)
        assert play_game(game, [agent, RandomAgent()], number, 5, True, control).errors == (0, 0)
        assert isinstance(agent._agent, BeliefAgent)
    assert "auto goes on with a search" in caplog.text
