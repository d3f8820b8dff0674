"""Blueprints: equilibria of small games, equities against all hands counted one by one, files, work of an iteration."""

from __future__ import annotations

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

import ggp
from experiments.small_programs import royal_strength, sets_of
from ggp.game.state import State
from players.agents.candidates import candidates_for
from players.agents.registry import read_player
from players.learning.blueprints import learned_blueprint
from players.player_options import NotApplicable
from players.search.blueprint.abstraction import SAMPLES, begin_path, equity, new_walk, step_path
from players.search.blueprint.blueprint_search import Blueprint, loaded_blueprint
from players.search.blueprint.external_sampling import BUDGET
from players.search.foundation.archives import ArchiveUnusable, head_of
from players.search.foundation.kernel_arguments import new_model

KUHN_VALUE = -1 / 18


def learned(game: ggp.Game, iterations: int) -> Blueprint:
    made = Blueprint(game.native(), 16 << 20, 7)
    made.make_buckets(100)
    made.learn(iterations)
    return made


def kuhn_strategies(made: Blueprint, game: ggp.Game) -> dict[tuple[int, str], float]:
    """Return the probability of betting, or calling, by card and by what was done before."""
    found = {}

    def walk(state: State, joints: list[tuple[int, ...]], done: str, cards: str) -> None:
        if state.is_terminal():
            return
        if state.is_chance():
            for outcome, _ in state.chance_outcomes():
                after = state.apply_outcome(outcome)
                walk(after, [*joints, (0, 0, int(outcome))], done, cards + state.outcome_text(outcome))
            return
        (role,) = state.actors()
        legal = state.legal(role)
        shares = made.strategy(np.array(joints, np.int64), role, np.array([int(one) for one in legal], np.int64))
        digits = [int(sign) for sign in cards if sign.isdigit()]
        bets = [place for place, one in enumerate(legal) if str(one) == "bet"]
        found[digits[role], done] = float(shares[bets[0]])
        for action in legal:
            joint = tuple(int(action) if player == role else 0 for player in range(2))
            walk(state.apply({role: action}), [*joints, (*joint, 0)], done + str(action)[0], cards)

    walk(game.initial(), [], "", "")
    return found


def kuhn_value(first: dict[tuple[int, str], float], second: dict[tuple[int, str], float]) -> float:
    """Return what the first player gets, by the rules of Kuhn poker as they stand in books."""
    total = 0.0
    for own, other in ((a, b) for a in (1, 2, 3) for b in (1, 2, 3) if a != b):
        won = 1 if own > other else -1
        bet, call, answer, bluff = first[own, ""], second[other, "b"], first[own, "pb"], second[other, "p"]
        after_bet = call * 2 * won + (1 - call)
        after_pass = bluff * (answer * 2 * won - (1 - answer)) + (1 - bluff) * won
        total += (bet * after_bet + (1 - bet) * after_pass) / 6
    return total


def pure_strategies(places: list[tuple[int, str]]) -> list[dict[tuple[int, str], float]]:
    return [dict(zip(places, choice, strict=True)) for choice in product((0.0, 1.0), repeat=len(places))]


def test_kuhn_poker_is_solved() -> None:
    game = ggp.load("kuhn_poker")
    found = kuhn_strategies(learned(game, 60_000), game)
    first = [(card, done) for card in (1, 2, 3) for done in ("", "pb")]
    second = [(card, done) for card in (1, 2, 3) for done in ("b", "p")]
    assert set(found) == {*first, *second}
    assert kuhn_value(found, found) == pytest.approx(KUHN_VALUE, abs=0.02)
    best = max(kuhn_value(pure, found) for pure in pure_strategies(first))
    worst = min(kuhn_value(found, pure) for pure in pure_strategies(second))
    assert best - worst < 0.04
    assert learned(game, 200).nodes == 12


@pytest.mark.filterwarnings("ignore:overflow encountered")
def test_an_equity_is_the_share_of_hands_that_lose() -> None:
    game = ggp.load("royal_holdem")
    model, path = new_model(game.native()), new_walk(game.native().shape)
    state, rng, depth = game.initial(), [12345], 0
    begin_path(model, path)
    while len(shared := game.codec.values(state.words)["shared"]) < 5 or not state.actors():
        actors = sum(1 << role for role in state.actors())
        joint = [0, 0, 0]
        if state.is_chance():
            joint[2] = int(state.sample_outcome(rng))
            state = state.apply_outcome(joint[2])
        else:
            (role,) = state.actors()
            action = next(one for one in state.legal(role) if str(one) in ("check", "call"))
            joint[role] = int(action)
            state = state.apply({role: action})
        path.joints[3 * depth : 3 * depth + 3] = joint
        step_path(model, path, depth, actors)
        depth += 1
    hands = sets_of(state, "hand")
    for player in range(2):
        rest = [card for card in range(20) if card not in hands[player] and card not in shared]
        mine = royal_strength([*hands[player], *shared])
        met = [royal_strength([*pair, *shared]) for pair in combinations(rest, 2)]
        exact = sum(1.0 if mine > one else 0.5 if mine == one else 0.0 for one in met) / len(met)
        assert equity(model, path, depth, player) == pytest.approx(exact, abs=2 / SAMPLES**0.5)


def test_an_iteration_of_a_long_game_ends() -> None:
    game = ggp.load("dark_hex")
    made = learned(game, 2)
    assert made.iterations == 2
    assert 0 < made.nodes <= 4 * BUDGET


def test_a_file_plays_as_what_was_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file = ggp.load("kuhn_poker"), tmp_path / "kuhn_poker.blueprint"
    made, about = learned_blueprint(game, 1.0, 3000, 1, lambda *_: None)
    again, _ = learned_blueprint(game, 1.0, 3000, 1, lambda *_: None)
    assert kuhn_strategies(made, game) == kuhn_strategies(again, game)
    made.save(file, head_of(game) | about | {"strength": {"gain95": [0.1, 0.2]}})
    told = kuhn_strategies(loaded_blueprint(game.native(), file), game)
    assert told == pytest.approx(kuhn_strategies(made, game), abs=1 / 255)
    player = f"blueprint:file={file}"
    read_player(player).check(game)
    with pytest.raises(NotApplicable, match="kuhn_poker with cards=3, not of poker"):
        read_player(player).check(ggp.load("poker"))
    monkeypatch.chdir(tmp_path)
    assert candidates_for(game).players == ("blueprint:file=kuhn_poker.blueprint",)
    made.save(file, head_of(game) | about | {"strength": {"gain95": [-0.1, 0.2]}})  # it is not known to be better
    assert candidates_for(game).players == ("ismcts",)
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(ArchiveUnusable):
        loaded_blueprint(game.native(), file)
    assert candidates_for(game).players == ("ismcts",)
