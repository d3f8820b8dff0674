"""What search and solvers know of a compiled game: eleven addresses, a few sizes, and some facts. Nothing else.

Signatures and meanings of the functions: docs/architecture.md, "Native functions". Code that makes native functions
(the code generator, or hand-written games in benchmarks) fills these in; `ggp.native.calls` calls through them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

TERMINAL = -1
"""What `actors` returns in a terminal state, and in one whose fault word is set."""

CHANCE = 0
"""What `actors` returns where chance acts; any other value is a bit mask of the players who act."""

PHASE_WORD = 0
"""The word of a state that says which phase it is in."""

FAULT_WORD = 1
"""The word of a state that says which fault the rules ran into; 0: none."""

SAME_FOR_ALL = 1 << 32
"""Added to what `observe` returns where all players are told the same words, or nothing."""


class NativeFunctions(NamedTuple):
    """Addresses of the native functions of one game with its parameters bound."""

    init: int
    actors: int
    legal: int
    chance: int
    sample_chance: int
    step: int
    observe: int
    utility: int
    estimate: int  # 0 where the rules give none
    playout: int
    outcome_probability: int = 0  # 0 where no phase has many equally likely outcomes


DEAD_END = -1
"""What stands in the place of a random action where there is no legal one, or finding one is a fault."""

GOES_ON, ENDED, FAULTED, CUT = 0, 1, 2, 3
"""How a game of a batch stands after its last transition."""


class BatchFunctions(NamedTuple):
    """Addresses of native functions for batches; 0 where a backend has none.

    They do what the methods of `ggp.game.batch_calls.OneByOne` do that have their names, and return nothing.
    Arguments are, with `first` and `last` behind them, of

    - `draw`: `states`, `acting`, `rng`, the actions;
    - `step`: the fields of `BatchArrays` in their order, the actions, `limit`;
    - `check`: `states`, `acting`, the actions, and where entry `first` is to say whether any is not legal;
    - `mask`: `states`, `acting`, the mask, the player;
    - `tensor`: the states, the tensor;
    - `told`: `before`, `states`, `ends`, `joint`, `status`, `lengths`, the tensor, the player;
    - `show`, which does what `step` does and then writes the mask of the first who acts, and tensors: the fields of
      `BatchArrays`, the mask, the tensor of states, or of what each player was told where something is hidden, the
      actions, `limit`.
    """

    draw: int = 0
    step: int = 0
    check: int = 0
    mask: int = 0
    tensor: int = 0
    told: int = 0
    show: int = 0


class GameShape(NamedTuple):
    """The sizes that callers of native functions allocate by; each at least 1."""

    players: int  # P
    state_words: int  # W, int64 words of a world state
    max_actions: int  # A, legal actions of one player in one state
    max_outcomes: int  # C, chance outcomes of one state
    max_observation_words: int  # O

    @property
    def lengths(self) -> dict[str, int]:
        """The same by the letters that stand for them in the shapes of arrays."""
        return dict(zip("PWACO", self, strict=True))


class NativeRules(NamedTuple):
    """What kernels need that only make transitions, and value nothing."""

    functions: NativeFunctions
    shape: GameShape


@dataclass(frozen=True, slots=True)
class NativeGame:
    """A compiled game, as kernels see it.

    `utility_low` and `utility_high` hold for every terminal state, one number a player; those of two players whose
    utilities have a constant sum agree with it: each lacks to the sum what the other has as its opposite bound.
    `utility_sum` is what the utilities of all players add up to in every terminal state, None where that differs;
    `perfect_information` says that every transition tells every player all that was chosen or drawn. `faults` says of
    each fault site, the first of them number 1, where in the rules it is and what fails there. `owner` keeps the
    machine code alive. Actions are numbered below `action_count`, 0 where that is not known; nothing but which actions
    are legal depends on the words `legality_words` of a state. Its last `history_words` words keep what was met before:
    searches that do without can tell that states are the same but for the way to them. `action_parts` says how actions
    are numbered that have parts, the first number and the sizes of the parts of each block; `sets` where sets are in a
    state, the first word and how many elements each may have.
    """

    functions: NativeFunctions
    shape: GameShape
    utility_low: tuple[float, ...]
    utility_high: tuple[float, ...]
    utility_sum: float | None
    perfect_information: bool
    faults: tuple[str, ...]
    owner: object = field(repr=False, compare=False)
    action_count: int = 0
    legality_words: tuple[int, ...] = ()
    history_words: int = 0
    action_parts: tuple[tuple[int, tuple[int, ...]], ...] = ()
    sets: tuple[tuple[int, int], ...] = ()

    @property
    def constant_sum(self) -> bool:
        """Whether the utilities of all players add up to the same number in every terminal state."""
        return self.utility_sum is not None
