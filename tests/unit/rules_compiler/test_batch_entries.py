"""The functions of a game for batches do what its functions for single states do, in every library game."""

from __future__ import annotations

import random

import numpy as np
import pytest

import ggp
from ggp.game.batch import CUT, ENDED, GOES_ON, Batch
from ggp.game.batch_calls import CompiledPlay, OneByOne
from ggp.game.batch_play import BatchArrays
from ggp.game.game import Game
from ggp.language import library_names
from ggp.rules_compiler.emit.module import GameModule
from ggp.rules_compiler.entry_points.batch_entries import generate_for_batches
from ggp.rules_compiler.entry_points.batch_views import Shown
from ggp.rules_compiler.rules_backend import rules_of
from tests.support.checked_batches import compare_checks
from tests.support.library import game_of

GAMES, STEPS, LIMIT = 140, 18, 13
"""More games than a block has."""


def one_by_one(batch: Batch) -> Batch:
    batch._play = OneByOne(batch.game, batch._arrays)
    return batch


def generated(game: Game) -> GameModule:
    """Return the module of a game that batches use."""
    backend = rules_of(game)
    shown = Shown(game.num_actions, game.state_features, game.observation_features)
    return generate_for_batches(backend.rules, backend.layout, shown, backend.plain.module)


def assert_same_views(one: Batch, two: Batch) -> None:
    """Compare what both show; what is written to holds something else before."""
    for player in (None, *one.game.players):
        one.legal_mask(player)[:] = True
        assert np.array_equal(one.legal_mask(player), two.legal_mask(player)), player
    shape = one.state_tensor().shape
    mine, theirs = (np.full(shape, 7.0, np.float32) for _ in range(2))
    assert np.array_equal(one.state_tensor(out=mine), two.state_tensor(out=theirs))
    assert np.array_equal(one.final_tensor(), two.final_tensor())
    for player in one.game.players:
        mine, theirs = (np.full(one.observation_tensor(player).shape, 7.0, np.float32) for _ in range(2))
        assert np.array_equal(one.observation_tensor(player, mine), two.observation_tensor(player, theirs)), player


def assert_shown(one: Batch, two: Batch) -> None:
    """Compare what a step has shown by itself with what is shown on request."""
    tensors = [("state_tensor", ())] if one.game.perfect_information else []
    tensors = tensors or [("observation_tensor", (player,)) for player in one.game.players]
    for name, arguments in [("legal_mask", ()), *tensors]:
        shown = getattr(one, name)(*arguments)
        assert not shown.flags.writeable  # it is what the step wrote
        assert np.array_equal(shown, getattr(two, name)(*arguments)), (name, arguments)


@pytest.mark.sweep
@pytest.mark.parametrize("name", library_names())
def test_transitions_are_those_of_single_games(name: str) -> None:
    game = ggp.load(name)
    one = game.batch(GAMES, seed=4, limit=LIMIT, threads=1)
    two = one_by_one(game.batch(GAMES, seed=4, limit=LIMIT, threads=1))
    three = game.batch(GAMES, seed=4, limit=LIMIT, threads=1, show=True)
    assert isinstance(one._play, CompiledPlay)
    statuses: set[int] = set()
    chosen = random.Random(name)
    for _ in range(STEPS):
        compare_checks(one, chosen, 6)
        actions = one.random_actions()
        # drawn by other means, but with the same generators afterwards
        rng = two._arrays.rng[:] = one._arrays.rng.copy()
        one.step(actions)  # which checks that they are legal
        two.step(actions, check=False)
        three._arrays.rng[:] = rng
        three.step(actions, check=False)
        assert_shown(three, one)
        for field, mine, theirs in zip(BatchArrays._fields, one._arrays, two._arrays, strict=True):
            if field in ("acted", "acting", "lengths", "rng", "states", "status"):
                assert np.array_equal(mine, theirs), field
        for player in game.players:  # which reads the states before the transitions
            for mine, theirs in zip(one.observations(player), two.observations(player), strict=True):
                assert np.array_equal(mine, theirs)
        assert_same_views(one, two)
        assert np.array_equal(one.joint, two.joint)
        assert np.array_equal(one.utilities, two.utilities)
        assert np.array_equal(one.reached, two.reached)
        statuses.update(one.status.tolist())
    assert statuses in ({GOES_ON, ENDED}, {GOES_ON, CUT}, {GOES_ON, ENDED, CUT}, {ENDED})


LARGE = """game large "Long arrays of all kinds of values"
players a, b
type place = 1..SIZE
state
    first: 0..4 = 2
    counted[place]: 2..9 = 3
    marked[place]: bool = no
    scaled[place]: 0..99 = 0
    found[place]: set of 1..70 = {}
    owned[place]: player or none = none
    few[1..130]: set of 1..100 = {}
    last: bool = yes
phase go
    each p chooses x in 1..SIZE
    counted[x[a]] := 9
    marked[x[b]] := yes
    scaled[i] := (if i in {x[a], x[b]} then i mod 100 else scaled[i])  for i in place
    found[i] := {i mod 7 + 1, i mod 70 + 1}  for i in {x[a], x[b]}
    owned[i] := (if i == x[a] then a else b)  for i in {x[a], x[b]}
    few[i mod 130 + 1] := {i mod 97 + 1}  for i in {x[a], x[b]}
    sees a: counted, marked, few
    sees b: scaled, found, owned
    next go
payoff[p] = 0
"""


@pytest.mark.long
def test_long_arrays_are_written_in_loops() -> None:
    game = game_of(LARGE.replace("SIZE", "520"))
    one, two = game.batch(3, seed=1), one_by_one(game.batch(3, seed=1))
    for _ in range(4):
        actions = one.random_actions()
        one.step(actions)
        two.step(actions)
    for player in (None, 0, 1):
        shown, expected = (
            batch.state_tensor() if player is None else batch.observation_tensor(player) for batch in (one, two)
        )
        assert np.array_equal(shown, expected)
        assert len(np.unique(shown[:, 1:])) > (5 if player != 0 else 1)
    short, long = (generated(game_of(LARGE.replace("SIZE", size))).statements for size in ("520", "1040"))
    assert long - short < 100


def test_faults_have_the_numbers_of_the_other_module() -> None:
    game = ggp.load("chess")
    own = rules_of(game).plain.module
    module = generated(game)
    assert own.sites
    assert module.sites == own.sites
