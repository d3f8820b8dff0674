"""A backend of games that are no rules: a Python class says what happens, and its methods are called from native code.

`Duel` is a game made this way. Chance draws a prize from 1, 2, ... `coins`; then two players each take one of their
coins of the same numbers, at the same time, and the higher one wins the prize. Where the game is `hidden`, chance draws
a second number, told to the first player only, which that player wins by taking its lowest coin.
"""

from __future__ import annotations

from collections.abc import Sequence

from ggp.encoding.features import Feature, SeenFeatures, placed
from ggp.encoding.readable import Readable
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.game.python_machine import PythonBackend
from ggp.native.interface import GameShape
from ggp.scene.scene import Entry, Item, Row, Scene

DRAW, TAKE, END = range(3)
"""The phases of the duel."""
FIRST_COINS, PRIZE, HIDDEN, SCORE, STATE_WORDS = 2, 4, 5, 6, 7
"""Words of its states: the coins left to each player as bits, the last prize, the hidden number, the first's lead."""


class Fault(GgpError):
    """The game failed."""


class Duel(PythonBackend):
    """The game itself, and its backend."""

    name, title, parameters, players = "duel", "coins for prizes", {"coins": "3"}, ("ann", "bob")
    utility_sum, simultaneous, chance, teams = 0.0, True, True, (0, 1)
    traits = ("two players", "constant sum")

    def __init__(self, coins: int, hidden: bool, failing_prize: int) -> None:
        """Make the game; drawing `failing_prize` is a fault."""
        self.coins = coins
        self.perfect_information = not hidden
        self.revealed_actions = [[not hidden] * 2] * 2
        self.numbers = 2 if hidden else 1
        self.failing_prize = failing_prize
        self.shape = GameShape(2, STATE_WORDS, coins, coins * self.numbers, 3)
        most = float(coins * coins)
        self.utility_bounds = ((-most, most), (-most, most))
        self.codec = self

    # --- what the native functions say, on lists ----------------------------------------------------------------------

    def init(self) -> list[int]:
        return [DRAW, 0, (1 << self.coins) - 1, (1 << self.coins) - 1, 0, 0, 0]

    def actors(self, state: Sequence[int]) -> int:
        return {DRAW: 0, TAKE: 3, END: -1}[state[0]] if not state[1] else -1

    def legal(self, state: Sequence[int], player: int) -> list[int]:
        held = state[FIRST_COINS + player]
        return [coin for coin in range(self.coins) if held >> coin & 1] if state[0] == TAKE else []

    def outcomes(self, state: Sequence[int]) -> list[tuple[int, float]]:
        count = self.coins * self.numbers
        return [(outcome, 1.0 / count) for outcome in range(count)] if state[0] == DRAW else []

    def step(self, old: Sequence[int], joint: Sequence[int]) -> list[int]:
        new = list(old)
        if old[0] == DRAW:
            new[PRIZE], new[HIDDEN] = 1 + joint[2] // self.numbers, joint[2] % self.numbers
            new[0] = TAKE
            if new[PRIZE] == self.failing_prize:
                new[1] = 1
            return new
        for player in range(2):
            new[FIRST_COINS + player] &= ~(1 << joint[player])
        new[SCORE] += old[PRIZE] * ((joint[0] > joint[1]) - (joint[0] < joint[1])) + old[HIDDEN] * (joint[0] == 0)
        new[0] = DRAW if new[FIRST_COINS] else END
        return new

    def observe(self, old: Sequence[int], new: Sequence[int], joint: Sequence[int], player: int) -> list[int]:
        if old[0] == DRAW:
            return [0, new[PRIZE], new[HIDDEN]] if player == 0 and self.numbers > 1 else [1, new[PRIZE]]
        return [2, joint[0], joint[1]]

    def utility(self, state: Sequence[int]) -> list[float]:
        return [float(state[SCORE]), -float(state[SCORE])]

    # --- codec --------------------------------------------------------------------------------------------------------

    def phase_name(self, phase: int) -> str | None:
        return ("draw", "take", None)[phase]

    def action_text(self, action: int) -> str:
        if not 0 <= action < self.coins:
            raise KeyError(action)
        return f"coin {action + 1}"

    def parse_action(self, text: str, phase: int) -> list[int]:
        return [action for action in range(self.coins) if phase == TAKE and self.action_text(action) == text]

    def actions_called(self, text: str) -> list[int]:
        return self.parse_action(text, TAKE)

    def outcome_text(self, outcome: int, phase: int) -> str:
        return f"prize {1 + outcome // self.numbers}"

    def choice_labels(self, phase: int) -> frozenset[str]:
        return frozenset({"ann", "bob"}) if phase == TAKE else frozenset()

    def readable_observation(self, words: Sequence[int]) -> list[tuple[str, Readable]]:
        if words[0] == 2:
            return [("ann", self.action_text(words[1])), ("bob", self.action_text(words[2]))]
        return list(zip(("prize", "hidden"), words[1:], strict=False))

    def observation_words(self, observation: Sequence[tuple[str, Readable]]) -> list[tuple[int, ...]]:
        told = dict(observation)
        if "ann" in told:
            return [(2, self.parse_action(str(told["ann"]), TAKE)[0], self.parse_action(str(told["bob"]), TAKE)[0])]
        numbers = [value for value in told.values() if isinstance(value, int)]
        return [(2 - len(numbers), *numbers)]

    def number_parts(self) -> list[tuple[int | None, int, Sequence[int]]]:
        return [(0, 0, (self.coins, self.numbers))]

    def state_features(self) -> tuple[Feature, ...]:
        return placed(iter([Feature("phase", "one_hot", 0, 0, 3), Feature("bob", "bits", 3, 0, self.coins)]), 0)

    def observation_features(self) -> tuple[SeenFeatures, ...]:
        prize = Feature("prize", "one_hot", 0, 1, self.coins, 1)
        return (SeenFeatures("prize", 1, 1, 0, (prize,)),)

    def values(self, words: Sequence[int]) -> dict[str, int]:
        return {"prize": words[PRIZE], "score": words[SCORE]}

    has_views = False

    def scene(self, words: Sequence[int], player: int | None = None) -> Scene:
        values = ((label, str(value)) for label, value in self.values(words).items())
        return Scene((), (), tuple(Entry("line", label, text, (Row((Item(text),)),)) for label, text in values))

    # --- faults -------------------------------------------------------------------------------------------------------

    def fault_texts(self) -> tuple[str, ...]:
        return ("the prize that fails",)

    def failing(self, error: Exception) -> int:
        raise AssertionError from error

    def fault(self, number: int) -> Fault:
        return Fault(self.fault_texts()[number - 1])

    def dead_end(self, words: Sequence[int], player: int) -> Fault:
        return Fault(f"{self.players[player]} has no coin")


def duel(coins: int = 3, hidden: bool = False, failing_prize: int = 0) -> Game:
    """Return the duel as a game."""
    return Game(Duel(coins, hidden, failing_prize))
