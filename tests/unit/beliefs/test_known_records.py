"""What a player knows as records: histories are repaired where an observation may be of the transition before."""

from __future__ import annotations

from random import Random

from ggp.beliefs.consistent_histories import ConsistentHistories
from ggp.beliefs.known_records import KnownRecords
from ggp.game.history import History, InformationState
from ggp.native.infoset_table import new_infoset_table
from tests.support.told_now_or_later import told_now_or_later


def repaired(known: InformationState) -> list[History]:
    """Return histories found by changing one choice after the other of any, not by following what was told."""
    game = known.game
    held = ConsistentHistories(game.native(), game.revealed_actions, game.codec.number_parts(), 50, 0, 1.0, equal=False)
    held.follow(1, known.player, KnownRecords(known.known))
    held.lost = True
    held.catch_up(new_infoset_table(0, 1), lambda: held.transitions / 1e6, 0.02)
    found = []
    for node in held.nodes.tolist():
        joints = []
        while node > 0:
            joints.append(held.histories.joint[node].tolist())
            node = int(held.histories.parent[node])
        history = game.history()
        for joint in joints[::-1]:
            history = history.after_joint(joint)
        found.append(history)
    return found


def test_histories_are_repaired_whether_what_was_told_came_at_once_or_later() -> None:
    game = told_now_or_later(4)
    times = set()
    for seed in range(40):
        rng, history = Random(seed), game.history()
        while not history.state.is_terminal():
            state = history.state
            history = (
                history.apply_outcome(state.sample_outcome(rng))
                if state.is_chance()
                else history.apply([rng.choice(state.legal(actor)) for actor in state.actors()])
            )
        known = history.information_state(0)
        found = repaired(known)
        assert found, str(known)
        assert all(one.information_state(0) == known for one in found)
        told = sum(isinstance(one, tuple) for one in known.known)
        times.add(told)
        coins = {game.codec.values(one.state.words)["coin"] for one in found}
        assert coins >= {1, 2} if told == 4 else 3 in coins and 1 not in coins
    assert times >= {1, 2, 3, 4}


def test_an_action_says_what_may_be_told_with_it_and_what_not() -> None:
    records = KnownRecords((7, (1, 2), (3,), 8)).in_arrays()
    kinds, later = records.records[:, 0].tolist(), records.records[:, -1].tolist()
    assert kinds == [1, 0, 0, 1, 3, 2]
    assert [bool(one) for one in later] == [True, True, False, False, False, False]
    assert len(KnownRecords(())) == 0
