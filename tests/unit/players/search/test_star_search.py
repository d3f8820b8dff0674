"""*-Minimax on games of the library and on small rules: exact values, automatic phases, settings, what it refuses."""

from __future__ import annotations

import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from ggp.native.interface import GameShape
from ggp.solvers.worlds.backward_induction import optimal_values
from ggp.solvers.worlds.exploration import explore_game
from players.agents.registry import read_player
from players.player_options import BadPlayer, NotApplicable
from players.search.star.options import STAR2, Options
from players.search.star.search_loop import absorb_outcome, child_alpha, child_beta
from players.search.star.stack import CHOOSE, PROBING, RETURN, SEARCHING, new_stack
from players.search.star.star_search import StarSearch
from tests.support.library import game_of
from tests.support.searches import search_at

ONE_THROW = """\
game one_throw "One decision, one throw, automatic phases between"
players a, b
type call = {one, two}
state
    dice: 0..2 = 0
    sum: 0..12 = 0
phase go
    a chooses c in call
    dice := if c == one then 1 else 2
    next hurry
phase hurry
    dice := dice
    next throw
phase throw
    chance draws x in 1..6, y in 1..6
    sum := if dice == 1 then x else max(x + y - 5, 0)
    next rest
phase rest
    sum := sum
    next end
payoff[p] = if p == a then sum else -sum
""".replace("sum", "total")


def search_from(game: ggp.Game, player: str, state: ggp.State | None = None, seed: int = 5) -> StarSearch:
    return search_at(StarSearch, game.native(), player, (state or game.initial()).words, seed_word(seed, 1))


@pytest.mark.parametrize("player", ["expectimax", "star1", "star2", "star1ss", "star2ss"])
def test_a_game_without_chance_is_searched_to_its_end(player: str) -> None:
    game = ggp.load("tic_tac_toe")
    values = optimal_values(explore_game(game.native()))
    rng = [3]
    for moves in (0, 2, 3):
        state = game.initial()
        for _ in range(moves):
            (role,) = state.actors()
            state = state.apply({role: state.legal(role)[rng[0] % 3]})
        for options in ("", ":reduce=off"):
            search = search_from(game, f"{player}{options}", state)
            search.run(10_000_000)
            assert search.settled
            assert 2 * search.value() - 1 == values.value[values.game.find(state.words)]
        assert search.found[-1].depth <= 9  # searched less deep, late actions reach the end later


def test_one_decision_and_a_throw_with_automatic_phases() -> None:
    game = game_of(ONE_THROW)
    two = sum(max(x + y - 5, 0) for x in range(1, 7) for y in range(1, 7)) / 36
    for player in ("expectimax", "star1", "star2"):
        search = search_from(game, player)
        search.run(10_000)
        assert search.settled
        assert len(search.found) == 1
        assert search.value() == pytest.approx((max(3.5, two) - search.model.low[0]) * search.model.scale[0])
        actions, strategy = search.strategy(0)
        assert game.action_text(int(actions[strategy.argmax()])) == ("one" if two < 3.5 else "two")
    thrown = search_from(game, "star2", game.initial().apply({0: "one"}))
    thrown.run(100)  # of pure chance from here
    assert thrown.value() == pytest.approx((3.5 - thrown.model.low[0]) * thrown.model.scale[0])


def test_a_probe_is_not_searched_again_behind_an_automatic_phase() -> None:
    game = ggp.load("ra")  # whatever is drawn, a phase without a decision follows
    search = {name: search_from(game, f"{name}:depth=3,table=0") for name in ("expectimax", "star1", "star2")}
    for one in search.values():
        one.run(10_000_000)
    assert search["star2"].value() == pytest.approx(search["expectimax"].value(), abs=1e-9)
    assert search["star2"].iterations < 1.1 * search["star1"].iterations


def test_sampling_costs_as_many_states_as_are_drawn() -> None:
    game = ggp.load("cant_stop")
    state = game.initial()
    assert len(state.chance_outcomes()) == 126 or len(state.chance_outcomes()) == 1296
    full, sampled = search_from(game, "expectimax:depth=1"), search_from(game, "expss:depth=1,samples=7")
    for search in (full, sampled):
        search.run(100_000)
        assert search.settled
    assert full.stack.frames.children[0] == len(state.chance_outcomes())
    assert sampled.stack.frames.children[0] <= 7
    assert 20 * sampled.iterations < full.iterations


def test_the_windows_of_outcomes_by_hand() -> None:
    # Three outcomes of probabilities 1/2, 1/4, 1/4: the first is known to be worth 0.5, the second from 0.4 to 0.8,
    # nothing is known of the third. The whole lies from 0.25 + 0.1 + 0 = 0.35 to 0.25 + 0.2 + 0.25 = 0.7.
    stack = new_stack(GameShape(2, 1, 3, 3, 1), 3)
    stack.probability[:3] = 0.5, 0.25, 0.25
    stack.low[:3] = 0.5, 0.4, 0.0
    stack.high[:3] = 0.5, 0.8, 1.0
    stack.frames.low[0], stack.frames.high[0] = 0.35, 0.7
    stack.frames.alpha[0], stack.frames.beta[0] = 0.6, 0.65
    # To rise above 0.6 the third must be worth more than (0.6 - 0.45) / 0.25, and to stay below 0.65 less than
    # (0.65 - 0.35) / 0.25, which it always is.
    assert child_alpha(stack, 0, 2) == pytest.approx(0.6)
    assert child_beta(stack, 0, 2) == 1.0
    stack.frames.alpha[0], stack.frames.beta[0] = 0.4, 0.5
    assert child_alpha(stack, 0, 2) == 0.0
    assert child_beta(stack, 0, 2) == pytest.approx(0.6)
    # The second: what is known of it itself does not count, (0.6 - 0.5) / 0.25 and (0.5 - 0.25) / 0.25.
    stack.frames.alpha[0] = 0.6
    assert child_alpha(stack, 0, 1) == pytest.approx(0.4)
    assert child_beta(stack, 0, 1) == 1.0
    stack.frames.beta[0] = 0.45
    assert child_beta(stack, 0, 1) == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("stage", "result", "low", "high", "status"),
    [
        (PROBING, (0.2, 1.0), 0.40, 0.70, CHOOSE),  # a lower bound of a decision of the first player
        (PROBING, (0.0, 0.4), 0.35, 0.55, RETURN),  # an upper bound, of the second's: cut below alpha = 0.56
        (SEARCHING, (0.9, 1.0), 0.575, 0.70, CHOOSE),
        (SEARCHING, (1.0, 1.0), 0.60, 0.70, RETURN),  # cut above beta = 0.6
    ],
)
def test_what_is_found_of_an_outcome_narrows_its_chance_node(
    stage: int, result: tuple[float, float], low: float, high: float, status: int
) -> None:
    stack = new_stack(GameShape(2, 1, 3, 3, 1), 3)
    stack.probability[:3] = 0.5, 0.25, 0.25
    stack.low[:3] = 0.5, 0.0, 0.4
    stack.high[:3] = 0.5, 1.0, 0.8
    stack.frames.child[0], stack.frames.children[0], stack.frames.stage[0] = 1, 3, stage
    stack.frames.low[0], stack.frames.high[0] = 0.35, 0.7
    stack.frames.alpha[0], stack.frames.beta[0] = 0.56, 0.6
    stack.result_low[0], stack.result_high[0] = result
    options = Options(STAR2, 0, 1, 0, 3, 1, 1)
    absorb_outcome(stack, options, 0)
    assert stack.frames.low[0] == pytest.approx(low)
    assert stack.frames.high[0] == pytest.approx(high)
    assert stack.status[0] == status
    assert stack.frames.child[0] == 2


def test_an_unfinished_iteration_counts_once_its_first_action_is_searched() -> None:
    game = ggp.load("breakthrough")
    search = search_from(game, "star1")
    seen = set()
    for _ in range(400):
        search.run(97)
        actions, strategy = search.strategy(0)
        assert sorted(strategy)[-1] == 1.0 or not search.found
        seen.add((len(search.found), int(actions[strategy.argmax()])))
    assert len({depth for depth, _ in seen}) >= 3


def test_what_is_no_duel_in_turns_is_refused() -> None:
    for name in ("goofspiel", "kuhn_poker", "twenty_one"):
        with pytest.raises(NotApplicable):
            read_player("star1").kind.check(ggp.load(name))
    with pytest.raises(BadPlayer):
        read_player("rnr:model=star1")
