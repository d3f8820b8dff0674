"""Any rules file as a game of OpenSpiel: `pyspiel.load_game("ggp(game=tron,width=7)")` after `register()`.

Players keep their numbers; actions are places in `Game.possible_actions`. Transitions of chance with a single outcome
are made at once: OpenSpiel takes games for deterministic where nothing is drawn. Where only some players act at once,
the others have one action, 0, at an information state of its own; with `in_turns=1` players who act at once choose one
after the other, unseen, and the others are not asked. OpenSpiel keeps its own histories, so its serialisation works.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from math import prod
from typing import Any, TypeAlias

import numpy as np
import pyspiel

from ggp.adapters.action_places import PASS, ActionPlaces
from ggp.adapters.openspiel_games import OpenSpielBackend
from ggp.errors import GgpError
from ggp.faults import IllegalAction
from ggp.game.fitting_histories import fitting_histories
from ggp.game.game import Game, check_is_game
from ggp.game.history import History
from ggp.game.state import State
from ggp.game.tensors import F32
from ggp.language import library_names
from ggp.language.typed.types import BoolType, IntType
from ggp.native.interface import FAULT_WORD, PHASE_WORD
from ggp.rules_compiler.loading import load, parameters
from ggp.solvers.sequence_form.best_responses import BadProbabilities
from ggp.solvers.sequence_form.information_state_texts import InformationStateReader
from ggp.solvers.state_strategies import StateStrategy
from ggp.solvers.strategies import Strategy, name_of, strategy_of

__all__ = ["OpenSpielGame", "OpenSpielState", "load_openspiel", "register", "strategy_of_policy", "tabular_policy"]

NAME = "ggp"
NOT_GIVEN = -(2**31)
"""OpenSpiel has one list of parameters for all rules, and completes what is given by the defaults in it."""
UNBOUNDED_LENGTH = 1_000_000
"""Told to OpenSpiel of a game whose longest play is not known; it wants a number."""

MAX_ENTRIES = 100_000
"""Of information-state tensors whose rows nobody gave: OpenSpiel copies them one entry at a time."""

Parameters: TypeAlias = "dict[str, str | int | bool]"
OWN: Parameters = {"game": "", "more": "", "information_rows": 0, "in_turns": 0}
"""The adapter's own parameters."""


def register() -> None:
    """Make OpenSpiel load rules by `ggp(game=NAME_OR_PATH,...)`.

    Parameters of the rules are OpenSpiel's parameters, as far as all library games that have one of the name agree on
    its type. All others go into `more`, as in `more=size:5/goal:money`. `information_rows` is the length of
    information-state tensors where `Game.max_length` is not known or large; without it such games have none. With
    `in_turns=1` players who act at once choose one after the other, unseen, for algorithms that know no other games.
    """
    pyspiel.register_game(_game_type(None, _specification()), OpenSpielGame)


def load_openspiel(game: Game, information_rows: int = 0, in_turns: bool = False) -> OpenSpielGame:
    """Return a game of ours as OpenSpiel's, without a name by which OpenSpiel could load it again."""
    check_is_game(game)
    return OpenSpielGame(
        {"game": game.name, "information_rows": information_rows, "in_turns": int(in_turns)}, game=game
    )


@cache
def _specification() -> Parameters:
    """Return OpenSpiel's parameters: those of all library games, but for names with several types."""
    found: dict[str, set[type]] = {}
    for name in library_names():
        for one in parameters(name).values():
            kind = int if isinstance(one.type, IntType) else bool if isinstance(one.type, BoolType) else str
            found.setdefault(one.name, set()).add(kind)
    told: Parameters = dict(OWN)
    for name, kinds in found.items():
        if kinds == {int}:
            told[name] = NOT_GIVEN
        elif kinds == {str}:
            told[name] = ""
    return told


def _given(found: Mapping[str, Any]) -> dict[str, str]:
    """Return the parameters of the rules that OpenSpiel was given.

    Raises:
        GgpError: `more` is not a list of names and values.
    """
    given = {name: str(value) for name, value in found.items() if name not in OWN and value not in ("", NOT_GIVEN)}
    for pair in filter(None, str(found.get("more", "")).split("/")):
        name, colon, value = pair.partition(":")
        if not colon:
            raise GgpError(f"`more={found['more']}` is not of the form `more=name:value/name:value`")
        given[name] = value
    return given


@lru_cache(64)
def _loaded(name: str, given: tuple[tuple[str, str], ...]) -> Game:
    return load(name, **dict(given))


def _game_type(
    game: Game | None, specification: Mapping[str, object], tensor: bool = True, in_turns: bool = False
) -> pyspiel.GameType:
    """Return what OpenSpiel wants to know of a game before it plays; of None, what may be."""
    at_once = game is not None and game.simultaneous
    kinds = pyspiel.GameType
    players = len(game.players) if game else 0
    utility = kinds.Utility.GENERAL_SUM
    if game and game.constant_sum:
        utility = kinds.Utility.CONSTANT_SUM if game.utility_sum else kinds.Utility.ZERO_SUM
    return kinds(
        short_name=NAME,
        long_name=game.title if game else "Games in rule files",
        dynamics=kinds.Dynamics.SIMULTANEOUS if at_once and not in_turns else kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if not game or game.chance else kinds.ChanceMode.DETERMINISTIC,
        information=(
            kinds.Information.PERFECT_INFORMATION
            if game and game.perfect_information and not (at_once and in_turns)
            else kinds.Information.IMPERFECT_INFORMATION
        ),
        utility=utility,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=players or 10,
        min_num_players=players or 1,
        provides_information_state_string=True,
        provides_information_state_tensor=tensor,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(specification),
    )


class OpenSpielGame(pyspiel.Game):  # type: ignore[misc]
    """A game of ours as OpenSpiel's.

    Attributes:
        game: ours.
        information_rows: of information-state tensors; 0: it has none.
        in_turns: whether players who act at once choose one after the other.
        first: who then chooses first; the others follow in their order.
        actions: which of OpenSpiel's actions are which of ours.
    """

    first = 0

    def __init__(self, params: Mapping[str, Any] | None = None, game: Game | None = None) -> None:
        """Load a game as OpenSpiel's parameters say, or take one.

        Raises:
            GgpError: there are no such rules, they have errors, or do not take the parameters.
        """
        found = dict(params or {})
        given = _given(found)
        name = str(found.get("game", ""))
        if game is None and not name:
            raise GgpError(f"which game? `{NAME}(game=tic_tac_toe)`, or the path of a rules file")
        self.game = game or _loaded(name, tuple(given.items()))
        rows = self.game.max_length or 0
        small = rows * self.game.information_features.width <= MAX_ENTRIES
        self.information_rows = int(found.get("information_rows", 0)) or (rows if small else 0)
        self.in_turns = bool(found.get("in_turns", 0))
        self.actions = ActionPlaces(self.game)
        low, high = zip(*self.game.utility_bounds, strict=True)
        length = self.game.max_length or UNBOUNDED_LENGTH
        info = pyspiel.GameInfo(
            num_distinct_actions=self.actions.count,
            max_chance_outcomes=_outcome_numbers(self.game) if self.game.chance else 0,
            num_players=len(self.game.players),
            min_utility=min(low),
            # where nothing can be won or lost OpenSpiel's tests still want an interval
            max_utility=max(high) if max(high) > min(low) else min(low) + 1.0,
            utility_sum=self.game.utility_sum,
            max_game_length=length * (len(self.game.players) if self.in_turns else 1),
        )
        specification = _specification()
        kept = {name: value for name, value in found.items() if value != specification.get(name) or name == "game"}
        super().__init__(_game_type(self.game, specification, self.information_rows > 0, self.in_turns), info, kept)

    def new_initial_state(self) -> OpenSpielState:
        """Return the state in which play begins."""
        return OpenSpielState(self, self._begun)

    @cached_property
    def _begun(self) -> History:
        """Where play begins: OpenSpiel makes an initial state for each copy of a state."""
        return self.game.history().after_forced()

    def max_chance_nodes_in_history(self) -> int:
        """Return a bound on the draws of chance in a play."""
        return self.game.max_length or UNBOUNDED_LENGTH

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | None:
        """Return what observes states: as information states, or as what the last transition told.

        None, as OpenSpiel has it, where the public or the private part of these is wanted: rules do not part them.
        """
        if params:
            raise GgpError(f"observers of {self.game.name} take no parameters")
        parts = pyspiel.PrivateInfoType
        if iig_obs_type and not (iig_obs_type.public_info and iig_obs_type.private_info == parts.SINGLE_PLAYER):
            return None
        recall = iig_obs_type is not None and iig_obs_type.perfect_recall
        return Observer(self, recall)


class OpenSpielState(pyspiel.State):  # type: ignore[misc]
    """A history of ours as OpenSpiel's state.

    Attributes:
        ours: the history, behind all transitions that were forced.
        chosen: our actions of players who act at once, where they choose one after the other, by player.
    """

    def __init__(self, game: OpenSpielGame, ours: History) -> None:
        """Begin at a history; OpenSpiel's own history begins there, too."""
        super().__init__(game)
        self.ours = ours
        self._in_turns = game.in_turns
        self._actions = game.actions
        self.chosen: dict[int, int] = {}

    @property
    def state(self) -> State:
        """Our state."""
        return self.ours.state

    def current_player(self) -> int:
        """Return who acts, as OpenSpiel says it."""
        if self.state.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        actors = self.state.actors()
        if not actors:
            return int(pyspiel.PlayerId.CHANCE)
        if len(actors) == 1:
            return actors[0]
        if self._in_turns:
            return min((p for p in actors if p not in self.chosen), key=lambda p: (p != self.get_game().first, p))
        return int(pyspiel.PlayerId.SIMULTANEOUS)

    def passes(self, player: int) -> bool:
        """Return whether a player has nothing to do where others act at once."""
        actors = self.state.actors()
        return not self._in_turns and len(actors) > 1 and player not in actors

    def is_terminal(self) -> bool:
        """Return whether the game has ended."""
        return self.state.is_terminal()

    def returns(self) -> list[float]:
        """Return the utilities at the end, zeros before."""
        return list(self.state.utilities()) if self.state.is_terminal() else [0.0] * len(self.ours.game.players)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of chance with their probabilities."""
        return self.state.chance_outcomes()

    def _legal_actions(self, player: int) -> list[int]:
        if player == pyspiel.PlayerId.SIMULTANEOUS:
            return list(range(prod(map(len, self._legal_of_all()))))
        if self.passes(player):
            return [PASS]
        return [] if player in self.chosen else [self._actions.place(action) for action in self.state.legal(player)]

    def _apply_action(self, action: int) -> None:
        if self.state.is_chance():
            self.ours = self.ours.apply_outcome(action).after_forced()
            return
        player = self.current_player()
        if player == pyspiel.PlayerId.TERMINAL:
            raise IllegalAction("the game is over")
        if player == pyspiel.PlayerId.SIMULTANEOUS:
            self._apply_actions(self._joint(action))
            return
        self.chosen[player] = self._actions.number(action)
        if len(self.chosen) == len(self.state.actors()):
            self.ours = self.ours.apply(self.chosen).after_forced()
            self.chosen = {}

    def _legal_of_all(self) -> list[list[int]]:
        return [self._legal_actions(player) for player in range(len(self.ours.game.players))]

    def _joint(self, flat: int) -> list[int]:
        """Return the actions that OpenSpiel's number of a joint action stands for: the first player's changes first."""
        joint = []
        for legal in self._legal_of_all():
            flat, place = divmod(flat, len(legal))
            joint.append(legal[place])
        return joint

    def _apply_actions(self, actions: Sequence[int]) -> None:
        numbers = {player: self._actions.number(actions[player]) for player in self.state.actors()}
        self.ours = self.ours.apply(numbers).after_forced()

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return self.state.outcome_text(action)
        if player == pyspiel.PlayerId.SIMULTANEOUS:
            return ", ".join(self._action_to_string(one, part) for one, part in enumerate(self._joint(action)))
        if self.passes(player):
            return "pass"
        return self.ours.game.action_text(self._actions.number(action))

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> OpenSpielState:
        """Return a state that a player cannot tell from this one, see `InformationState.sample`.

        Args:
            player: whose information state is kept.
            sampler: draws from [0, 1).

        Raises:
            NothingFits: none was found.
        """
        fitting, rng = fitting_histories(self.ours.information_state(player)), random.Random(sampler())
        state: OpenSpielState = self.get_game().new_initial_state()
        replayed = self.ours.game.initial()
        for joint in fitting.draw_joints(rng):
            if replayed.is_chance():
                if replayed.forced_outcome() is None:
                    state.apply_action(joint[-1])
            elif state.is_simultaneous_node():
                state.apply_actions(
                    [
                        PASS if state.passes(actor) else self._actions.place(action)
                        for actor, action in enumerate(joint[:-1])
                    ]
                )
            else:
                for actor in replayed.actors():
                    state.apply_action(self._actions.place(joint[actor]))
            replayed = replayed.successor(joint)
        for actor, action in self.chosen.items():
            state.apply_action(self._actions.place(action) if actor == player else rng.choice(state.legal_actions()))
        return state

    def __str__(self) -> str:
        return "\n".join([_shown(self.state), *(f"chosen: {action}" for action in self.chosen.items())])


def _shown(state: State) -> str:
    """Return a text that tells states apart."""
    return f"{state}\n{state.phase or 'end'} {list(state.words[max(FAULT_WORD, PHASE_WORD) + 1 :])}"


class Observer:
    """Observes states for OpenSpiel.

    Attributes:
        tensor: flat, written by `set_from`; None for information states in a game that has no tensors of them.
        dict: the same by OpenSpiel's name and in its form.
    """

    def __init__(self, game: OpenSpielGame, recall: bool) -> None:
        """Make room.

        Args:
            game: what is observed.
            recall: whether information states are wanted: all that a player knows. Else the state is told, in games of
                perfect information, or what the last transition told.
        """
        self._game = game.game
        self._rows = game.information_rows if recall else 0
        self._recall = recall
        shape = (self._rows, self._game.information_features.width) if recall else (self._told_width(),)
        self.tensor: F32 | None = None
        self.dict: dict[str, F32] = {}
        if shape[0]:
            self.tensor = np.zeros(int(np.prod(shape)), np.float32)
            self.dict = {"info_state" if recall else "observation": self.tensor.reshape(shape)}

    def _told_width(self) -> int:
        if self._game.perfect_information:
            return sum(feature.width for feature in self._game.state_features)
        return self._game.information_features.width

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Write what a player has to `tensor`."""
        if self.tensor is None:
            return
        if self._recall:
            self.tensor[:] = state.ours.information_tensor(player, self._rows).reshape(-1)
        elif self._game.perfect_information:
            self.tensor[:] = state.state.tensor()
        else:
            self.tensor[:] = state.ours.information_tensor(player, 1).reshape(-1)

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return the same as text."""
        known = state.ours.information_state(player)
        if self._recall:
            return f"{self._game.players[player]}: {known}{'; passes' if state.passes(player) else ''}"
        if self._game.perfect_information:
            return _shown(state.state)
        lines = known.lines()
        return f"{self._game.players[player]}: {lines[-1] if lines else ''}"


def _outcome_numbers(game: Game) -> int:
    """Return a number that is greater than that of every outcome of chance."""
    blocks = [base + int(np.prod(sizes)) for phase, base, sizes in game.codec.number_parts() if phase is not None]
    return max([game.shape.max_outcomes, *blocks])


def tabular_policy(strategy: Strategy | StateStrategy) -> pyspiel.TabularPolicy:
    """Return a strategy as OpenSpiel's table, where players act at once also for `in_turns=1`.

    Of one for a game of OpenSpiel, `openspiel:NAME`, the table is for that game.

    Raises:
        TypeError: it is no strategy; `ggp.strategy_of` makes one.
        GameTooLarge: the game has too many histories for memory.
    """
    if not isinstance(strategy, Strategy | StateStrategy):
        raise TypeError(f"{strategy!r} is no strategy; `ggp.strategy_of` makes one")
    game, table = strategy.game, strategy_of(strategy.game, strategy)
    place, reader = ActionPlaces(game).place, InformationStateReader(game, table.tree)
    found, theirs = {}, game.backend if isinstance(game.backend, OpenSpielBackend) else None
    for number in reader.neighbourly(range(table.tree.information_states)):
        known = reader.information_state(number)
        name = name_of(known)
        if theirs:
            name = theirs.state_of(reader.history(number).state.words).information_state_string(known.player)
        found[name] = [(place(action), share) for action, share in table.at(known).items()]
    return pyspiel.TabularPolicy(found)


def strategy_of_policy(game: OpenSpielGame | Game, policy: Any) -> Strategy:
    """Return a policy of OpenSpiel as a strategy of ours.

    Args:
        game: that the policy is for: made by this module, such as `load_openspiel(game)`, or the game of ours that this
            is made of; `ggp.load("openspiel:NAME")` for a game of OpenSpiel.
        policy: of Python or C++, with `action_probabilities`: a table, or any other that is defined everywhere.

    Raises:
        BadProbabilities: it gives no distribution somewhere, as one for another game does.
        GgpError: it is no policy, or the game is another one.
    """
    theirs = load_openspiel(game) if isinstance(game, Game) else game
    if not isinstance(theirs, OpenSpielGame):
        raise GgpError(
            f"`{theirs}` is no game of ours: policies for one of OpenSpiel are strategies of ggp.load('openspiel:...')"
        )
    if not hasattr(policy, "action_probabilities"):
        raise GgpError(f"a policy of OpenSpiel has `action_probabilities`, and {type(policy).__name__} has not")
    of_openspiel = game.backend if isinstance(game, Game) and isinstance(game.backend, OpenSpielBackend) else None

    def choice(history: History, player: int) -> dict[int, float]:
        words = history.state.words
        state = of_openspiel.state_of(words) if of_openspiel else OpenSpielState(theirs, history)
        while theirs.in_turns and state.current_player() != player:
            state.apply_action(state.legal_actions()[0])
        try:
            if not state.is_simultaneous_node():
                shares = policy.action_probabilities(state)
            elif isinstance(policy, pyspiel.Policy):
                shares = policy.action_probabilities(state.information_state_string(player))
            else:
                shares = policy.action_probabilities(state, player)
        except KeyError as error:
            raise BadProbabilities(f"the policy has nothing for the information state {error}") from error
        return {theirs.actions.number(int(action)): float(share) for action, share in dict(shares).items()}

    return strategy_of(theirs.game, choice)
