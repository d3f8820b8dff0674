"""Games as environments of PettingZoo: `aec_env(game)`, one agent after the other, and `parallel_env(game)`.

Agents are the players, `cross_0` and `nought_1`. Chance is drawn by the environment. Rewards are the utilities, at the
end. An action is a place in `Game.possible_actions`; the mask in each observation says which are legal, and
`WhenIllegal` what becomes of others.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv

from ggp.adapters.action_places import PASS, WhenIllegal, draws_legal
from ggp.adapters.observations import Shown, ShownObservations, after_chance
from ggp.errors import GgpError
from ggp.faults import IllegalAction
from ggp.game.game import Game
from ggp.game.tensors import F32

__all__ = ["AecEnv", "ParallelGame", "aec_env", "parallel_env"]

METADATA = {"render_modes": ["ansi"], "is_parallelizable": False}


def aec_env(
    game: Game, *, rows: int | None = None, max_steps: int | None = None, illegal: WhenIllegal = "error"
) -> AecEnv:
    """Return a game as an environment in which one agent acts after the other.

    Players who act at once do so in turn, without seeing what the others chose.

    Args:
        game: any.
        rows: of what players know, where something is hidden, see `ggp.adapters.observations`.
        max_steps: transitions of players after which a game is truncated; None: it is not.
        illegal: what becomes of an action that is not legal: an error, or a legal one, drawn by the seed, instead.
    """
    return AecEnv(Play(game, rows, max_steps, illegal))


def parallel_env(
    game: Game, *, rows: int | None = None, max_steps: int | None = None, illegal: WhenIllegal = "error"
) -> ParallelGame:
    """Return a game as an environment in which all agents act in each step; actions of those who do not are ignored.

    Their masks have one action, 0: nobody can draw from none.

    The arguments are those of `aec_env`.
    """
    return ParallelGame(Play(game, rows, max_steps, illegal))


def agents_of(game: Game) -> list[str]:
    """Return the names of a game's agents, of the form that PettingZoo wants: `cross_0`."""
    return [f"{re.sub('[^a-z]', '', name.lower())}_{player}" for player, name in enumerate(game.players)]


class Play:
    """A play of a game, as both kinds of environment lead it.

    Attributes:
        game: the game.
        history: so far; behind all draws of chance.
        shown: what players are shown.
    """

    def __init__(self, game: Game, rows: int | None, max_steps: int | None, illegal: WhenIllegal) -> None:
        """Begin at the initial state."""
        self.game = game
        self.shown = ShownObservations.of(game, rows)
        self._draws_legal = draws_legal(illegal)
        if max_steps is not None and max_steps < 1:
            raise ValueError(f"{max_steps} steps are no play")
        self._max_steps = max_steps
        self._rng = Random(0)
        self.begin(None)

    def begin(self, seed: int | None) -> None:
        """Begin a new play; with a seed, of chance too."""
        if seed is not None:
            self._rng = Random(seed)
        self.history = after_chance(self.game.history(), self._rng)
        self._steps = 0

    def legal(self, player: int, action: int) -> int:
        """Return our number of a player's action, of a drawn one where it is not legal and that was asked for.

        Raises:
            IllegalAction: it is not legal, and that was not asked for.
        """
        number, legal = self.shown.actions.number(action), self.history.state.legal(player)
        if number in legal:
            return number
        if self._draws_legal:
            return self._rng.choice(legal)
        raise IllegalAction(f"action {action} is not legal for {self.game.players[player]}: see its `action_mask`")

    def apply(self, joint: Mapping[int, int]) -> None:
        """Make a transition by our numbers of the actions of all who act."""
        self.history = after_chance(self.history.apply(joint), self._rng)
        self._steps += 1

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.history.state.is_terminal()

    @property
    def is_truncated(self) -> bool:
        """Whether it was cut before its end."""
        return not self.is_over and self._max_steps is not None and self._steps >= self._max_steps

    @property
    def rewards(self) -> tuple[float, ...]:
        """The utilities at the end, zeros before."""
        return self.history.state.utilities() if self.is_over else (0.0,) * len(self.game.players)

    def observation(self, player: int) -> Shown:
        """Return what a player is shown."""
        return self.shown.shown(self.history, player)


class GameEnvironment:
    """What both kinds of environment of a game have.

    Attributes:
        possible_agents: the players' names as agents.
        play: the play that is going on.
    """

    def __init__(self, play: Play) -> None:
        super().__init__()
        game = play.game
        self.metadata = {**METADATA, "name": game.name}
        self.render_mode = "ansi"
        self.possible_agents = agents_of(game)
        self.play = play
        self.agents: list[str] = []
        self.observation_spaces = dict.fromkeys(self.possible_agents, play.shown.space)
        width = sum(feature.width for feature in game.state_features)
        self.state_space = spaces.Box(0.0, 1.0, (width,), np.float32)
        self.action_spaces = {agent: spaces.Discrete(play.shown.actions.count) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of tensor and mask."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of all actions that can be legal."""
        return self.action_spaces[agent]

    def _playing(self) -> list[str]:
        if not self.agents:
            raise GgpError("no game goes on: `reset` begins one")
        return self.agents

    def state(self) -> F32:
        """Return the whole state, for critics who may see what the agents do not."""
        return self.play.history.state.tensor()

    def render(self) -> str:
        """Return the state as text."""
        return str(self.play.history.state)

    def close(self) -> None:
        """Do nothing: nothing is open."""


class AecEnv(GameEnvironment, AECEnv[str, Shown, int]):  # type: ignore[misc]
    """A game in which one agent acts after the other; see `aec_env`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """Begin a new game; with a seed, of chance too."""
        self.play.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._chosen: dict[int, int] = {}
        self._select()

    def _select(self) -> None:
        waiting = [player for player in self.play.history.state.actors() if player not in self._chosen]
        self.agent_selection = self.possible_agents[waiting[0]] if waiting else self.agents[0]

    def observe(self, agent: str) -> Shown:
        """Return what an agent is shown."""
        return self.play.observation(self.possible_agents.index(agent))

    def step(self, action: int | None) -> None:
        """Take the action of the agent whose turn it is; None of one whose game is over.

        Raises:
            IllegalAction: it is not legal; nothing has changed.
            GgpError: it is None of one who has to act, or no game goes on.
        """
        self._playing()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        player = self.possible_agents.index(agent)
        if action is None:
            raise GgpError(f"{agent} has to act: its game goes on")
        number = self.play.legal(player, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        chosen = {**self._chosen, player: number}
        if len(chosen) < len(self.play.history.state.actors()):
            self._chosen = chosen
        else:
            self.play.apply(chosen)
            self._chosen = {}
            self.rewards = dict(zip(self.possible_agents, self.play.rewards, strict=True))
            self.terminations = dict.fromkeys(self.agents, self.play.is_over)
            self.truncations = dict.fromkeys(self.agents, self.play.is_truncated)
        self._select()
        self._accumulate_rewards()


class ParallelGame(GameEnvironment, ParallelEnv[str, Shown, int]):  # type: ignore[misc]
    """A game in which all agents act in each step; see `parallel_env`."""

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[str, Shown], dict[str, dict[str, Any]]]:
        """Begin a new game; with a seed, of chance too."""
        self.play.begin(seed)
        self.agents = list(self.possible_agents)
        return self._observations(), {agent: {} for agent in self.agents}

    def _observations(self) -> dict[str, Shown]:
        return {agent: self._observation(player) for player, agent in enumerate(self.possible_agents)}

    def _observation(self, player: int) -> Shown:
        shown = self.play.observation(player)
        if player not in self.play.history.state.actors():
            shown["action_mask"][PASS] = 1
        return shown

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Shown], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Make a transition by the actions of those who act.

        Raises:
            IllegalAction: one is not legal; nothing has changed.
            GgpError: an agent who acts has none, or no game goes on.
        """
        agents = self._playing()
        acting = {agents[player]: player for player in self.play.history.state.actors()}
        if missing := [agent for agent in acting if agent not in actions]:
            raise GgpError(f"no action is given for {', '.join(missing)}")
        self.play.apply({player: self.play.legal(player, actions[agent]) for agent, player in acting.items()})
        over, cut = self.play.is_over, self.play.is_truncated
        if over or cut:
            self.agents = []
        return (
            self._observations(),
            dict(zip(agents, self.play.rewards, strict=True)),
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, cut),
            {agent: {} for agent in agents},
        )
