"""Games of chance that are none of the library's: all who play such games do, or say why they do not.

A dice race with choices, a game of three who push their luck with a common deck, and bets on four dice, whose 1296
outcomes all count.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import ggp
from ggp.arithmetic.rng import seed_word
from players.agents import auto
from players.agents.candidate_trial import Verdict, random_decisions, strongest
from players.agents.candidates import plan_for
from players.agents.registry import read_player
from players.evaluation.matches import TimeControl, play_game
from players.player_options import NotApplicable
from tests.support.searches import star_search

RULES = Path(__file__).parents[3] / "support" / "chance_rules"
CLASSIC = ("expectimax", "star1", "star2")
SAMPLED = ("expss", "star1ss", "star2ss")
PLAYERS = ("auto", *CLASSIC, *SAMPLED, "mcts", "dpw", "mcts:threads=2", "auto:threads=2")


def load(name: str) -> ggp.Game:
    return ggp.load(str(RULES / f"{name}.rules"))


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["bigdice", "caravan", "kiln"])
def test_everybody_plays_to_the_end_or_says_why_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "TEST_S", 0.1)
    monkeypatch.setattr(auto, "MAX_SOLVE_S", 0.1)
    game = load(name)
    refused: dict[str, str] = {}
    for text in PLAYERS:
        spec = read_player(text)
        try:
            spec.kind.check(game)
        except NotApplicable as error:
            refused[text] = str(error)
            continue
        agents = [spec.make_agent() for _ in game.players]
        result = play_game(game, agents, 1, seed=2, swap=False, time_control=TimeControl(iterations=20))
        assert result.fault is None
        assert result.errors == (0,) * len(game.players)
    assert list(refused) == (list(CLASSIC + SAMPLED) if name == "kiln" else [])
    assert all("plays games of two players, and kiln has 3" in reason for reason in refused.values())


def test_an_estimate_is_not_asked_for_where_there_is_none() -> None:
    spec = read_player("mcts:leaf=estimate")
    spec.check(load("bigdice"))
    with pytest.raises(NotApplicable, match="needs an `estimate` in the rules, and kiln has none"):
        spec.check(load("kiln"))
    with pytest.raises(NotApplicable, match="`leaf=estimate`"):
        spec.make_agent().start(load("kiln"), 0, 1)


@pytest.mark.parametrize(("name", "depth"), [("caravan", 3), ("bigdice", 1)])
def test_pruning_changes_no_value_in_them(name: str, depth: int) -> None:
    game = load(name)
    for play in range(3):
        state = list(random_decisions(game, seed_word(5, play)))[play]
        for players in (CLASSIC, [f"{player}:samples=7" for player in SAMPLED]):
            options = f"depth={depth},table=1"
            made = [star_search(game, f"{player}{',' if ':' in player else ':'}{options}", state) for player in players]
            assert [one.value() for one in made] == pytest.approx([made[0].value()] * 3, abs=1e-9)
            assert made[2].iterations <= made[0].iterations


def compared(game: ggp.Game, players: Sequence[str], seconds: float, seed: int = 1) -> Verdict:
    searches = []
    for spec in map(read_player, players):
        searches.append(spec.kind.family.make_search(game.native(), replace(spec.settings, memory=4)))
        searches[-1].prepare(np.array(game.initial().words))
    return strongest(game, searches, seconds, seed, time.thread_time)


def test_an_estimate_is_tried_where_one_plays_alone() -> None:
    game = load("stairs")
    players = plan_for(game).players
    assert players == ("mcts", "mcts:leaf=estimate")
    verdict = compared(game, players, 0.6)
    points, games = verdict.results[1]
    assert verdict.best == 1
    assert points >= games - 1 >= 4


@pytest.mark.long
def test_candidates_are_compared_where_three_play() -> None:
    points, games = 0.0, 0
    for place, seed in product((0, 1), (1, 2, 3)):
        players = ["mcts:c=1000,final=mix"] * 2  # chooses as good as at random
        players[place] = "mcts"
        won, played = compared(load("kiln"), players, 0.3, seed).results[place]
        points, games = points + won, games + played
    assert games >= 48
    assert points > games / 2  # it wins three games of four
