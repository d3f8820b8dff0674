"""Phases without actors and chance: agents skip them until the next decision, wherever they are."""

from __future__ import annotations

import pytest

import ggp
from players.agents.registry import PLAYERS, read_player
from players.beliefs import Tracker
from players.evaluation.matches import TimeControl, play_game
from players.player_options import NotApplicable
from tests.support.library import game_of

BEFORE_AND_BETWEEN = """\
game automatic "automatic phases before, between and behind decisions"
players a, b
state
    n: 0..9 = 0
    total: 0..99 = 0
phase before
    n := n
    next before_too
phase before_too
    n := n
    next go
phase go
    each p chooses x in 1..3
    total := total + x[a] - x[b] + 2
    next more
phase more
    n := n + 1
    next announced
phase announced
    sees all: n
    next one if n == 2 else end if n == 4 else go
phase one
    a chooses y in 0..1
    total := total + y
    next more
payoff[p] = if p == a then total else -total
"""
GAME = game_of(BEFORE_AND_BETWEEN)


@pytest.mark.sweep
@pytest.mark.parametrize("player", sorted(PLAYERS))
def test_play_goes_on_behind_automatic_phases(player: str) -> None:
    spec = read_player(player)
    try:
        spec.kind.check(GAME)
    except NotApplicable:
        return
    result = play_game(GAME, [spec.make_agent(), spec.make_agent()], 0, 1, False, TimeControl(iterations=20))
    assert result.errors == (0, 0)


def test_the_tree_begins_where_somebody_decides_and_is_kept() -> None:
    agent = read_player("duct").make_agent()
    agent.start(GAME, 0, 1)
    agent.search.run(500)
    before = agent.search.root_visits
    state = GAME.initial()
    while state.phase != "announced":
        state = state.apply_outcome(0) if state.is_chance() else state.apply({0: "3", 1: "3"})
        if state.phase == "more":
            agent.observe("3", state.readable_observation(0))
    state = state.apply_outcome(0)
    agent.observe(None, state.readable_observation(0))
    assert 0 < agent.search.root_visits < before  # the part of the tree below what was played, not a new tree


def test_a_tracker_follows_what_is_certain_and_nothing_else() -> None:
    assert GAME.state(Tracker(GAME, 0).words).phase == "go"
    pig = ggp.load("pig")
    assert Tracker(pig, 0).words == pig.initial().words


def test_rules_that_go_round_for_ever_do_not_hang_the_player() -> None:
    rules = "\n".join(
        ("players a", "state", "    n: 0..1 = 0", "phase go", "    n := 1 - n", "    next end if n > 1 else go")
    )
    game = game_of(f'game round "goes round"\n{rules}\npayoff[p] = n\n')
    assert not game.state(Tracker(game, 0).words).is_terminal()
