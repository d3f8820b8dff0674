"""MMCTS: what it learns, and that what was learned is kept in a file and used as it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ggp
from ggp.native.information_states import key_of
from players.agents.agent import Budget
from players.search.information_sets.learned_search import LearnedSearch, UnusableStrategies
from tests.support.searches import belief_agent, information_search


def learned(game: ggp.Game, simulations: int, options: str = "") -> LearnedSearch:
    made = information_search(f"mmcts:memory=16{options}", game.native(), 7, simulations)
    assert isinstance(made, LearnedSearch)
    return made


def answers_to_a_bet(made: LearnedSearch, game: ggp.Game) -> list[float]:
    """Return, for each card of the second player in Kuhn poker, the probability of calling a bet."""
    calls = []
    for card in ("1", "2", "3"):
        start = game.initial()
        outcome = next(
            outcome for outcome, _ in start.chance_outcomes() if start.outcome_text(outcome).split()[1] == card
        )
        dealt = start.apply_outcome(outcome)
        after = dealt.apply({0: "bet"})
        keys = np.array([0, 0, *key_of([dealt.observation(1), after.observation(1)])], np.uint64)
        legal = after.legal(1)
        strategy = made.strategy(keys, 1, np.array([int(action) for action in legal], np.int64))
        calls.append(float(strategy[[str(action) for action in legal].index("bet")]))
    return calls


def test_learns_what_dominates() -> None:
    game = ggp.load("kuhn_poker")
    lowest, middle, highest = answers_to_a_bet(learned(game, 100_000, ",base=1.1"), game)
    assert lowest < 0.1
    assert highest > 0.9
    assert lowest < middle < highest


DRAW_OR_GAMBLE = """\
game gamble "A draw, or a win once in four games"
players one, two
type way = {safe, bold}
state
    held: -1..1 = 0
phase choose
    one chooses n in way
    next end if n == safe else throw
phase throw
    chance draws n in 1..4
    held := if n == 1 then 1 else -1
    next end
payoff[p] = if p == one then held else -held
"""


@pytest.mark.parametrize(("rewards", "liked"), [("utility", "safe"), ("wins", "bold")])
def test_rewards_are_utilities_or_wins_alone(rewards: str, liked: str) -> None:
    game = ggp.load_text(DRAW_OR_GAMBLE)
    strategy = learned(game, 20_000, f",rewards={rewards}").strategy(
        np.array([*key_of([]), 0, 0], np.uint64), 0, np.arange(2, dtype=np.int64)
    )
    assert str(game.initial().legal(0)[int(strategy.argmax())]) == liked
    assert strategy.max() > 0.8


def test_depth_is_that_of_the_game() -> None:
    assert learned(ggp.load("phantom_tic_tac_toe"), 1).options.longest == 9
    assert learned(ggp.load("kuhn_poker"), 1).options.longest == 2
    assert learned(ggp.load("kuhn_poker"), 1, ",depth=5").options.longest == 5


def test_is_kept_in_a_file(tmp_path: Path) -> None:
    game = ggp.load("kuhn_poker")
    made = learned(game, 20_000)
    path = tmp_path / "kuhn.npz"
    made.save(path)
    again = information_search(f"mmcts:memory=16,file={path}", game.native(), 3)
    assert again.iterations == 20_000
    assert answers_to_a_bet(made, game) == answers_to_a_bet(again, game)
    again.run(5000)
    assert again.iterations == 20_000, "what was loaded is fixed"


def test_plays_from_a_file(tmp_path: Path) -> None:
    game = ggp.load("kuhn_poker")
    path = tmp_path / "kuhn.npz"
    learned(game, 50_000, ",base=1.1").save(path)
    for card, best in ((3, "bet"), (1, "pass")):
        agent = belief_agent(f"mmcts:memory=16,final=max,file={path}", game, 1, 5)
        agent.observe(None, [("b", card)])
        agent.observe(None, [("move", "bet")])
        assert agent.choose(["pass", "bet"], Budget(lambda: 0.0, iterations=1)) == best


@pytest.mark.parametrize("spoil", ["other game", "other parameters", "torn", "no file of strategies"])
def test_what_cannot_be_used_is_refused(tmp_path: Path, spoil: str) -> None:
    path = tmp_path / "learned.npz"
    learned(ggp.load("kuhn_poker"), 1000).save(path)
    game = ggp.load("kuhn_poker")
    if spoil == "other game":
        game = ggp.load("liars_dice")
    elif spoil == "other parameters":
        game = ggp.load("kuhn_poker", cards=5)
    elif spoil == "torn":
        path.write_bytes(path.read_bytes()[:-40])
    else:
        path.write_text("not at all")
    with pytest.raises(UnusableStrategies, match="cannot use the strategies"):
        information_search(f"mmcts:memory=16,file={path}", game.native(), 3)
