"""A program that makes thousands of states and errors and prints what that did to the numbers of references.

A process of its own: in one that ran other tests, what those left behind is freed in the middle and spoils the count.
"""

from __future__ import annotations

import gc
import json
import sys
from random import Random

from small_game import GAME

from ggp.model.actions import Action
from ggp.model.faults import IllegalAction
from ggp.model.game import State
from ggp.model.makers.rules import game_of_rules


def main() -> None:
    """Print, as JSON, the references to None, two actions and the game, before and after."""
    game = game_of_rules(GAME)
    root, rng = game.initial(), Random(1)
    start = root.apply_outcome(1)
    one, two = start.legal(0)[0], start.legal(1)[1]
    make_thousands(root, start, one, two, rng)  # what is made once, such as compiled code, is not counted
    before = [sys.getrefcount(thing) for thing in (None, one, two, game)]
    make_thousands(root, start, one, two, rng)
    after = [sys.getrefcount(thing) for thing in (None, one, two, game)]
    print(json.dumps({"before": before, "after": after}))


def make_thousands(root: State, start: State, one: Action, two: Action, rng: Random) -> None:
    """Make thousands of states and some thousand errors, and forget them."""
    states = [start.apply([one, two]) for _ in range(1000)]
    del states
    for _ in range(1000):
        start.apply({0: one, 1: two}).apply("fold")
        root.apply_outcome(root.sample_outcome(rng))
        try:
            start.apply([one, 99])
        except IllegalAction:
            continue
        raise AssertionError("an illegal action was accepted")
    gc.collect()


if __name__ == "__main__":
    main()
