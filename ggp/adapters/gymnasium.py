"""Many games at once as a vector environment of Gymnasium, `vector_env(game, 1024, opponent="random")`, or one game.

One player learns; the others are played inside the environment. A game that ends begins anew in the same step
(`AutoresetMode.SAME_STEP`); its last observation is in `info["final_obs"]`, where `info["_final_obs"]` is true. With
`autoreset=AutoresetMode.NEXT_STEP` it is the step's observation, and the game begins anew in the next step.
Rewards are the learner's utilities, at the end. Its actions are places in `Game.possible_actions`; for one that is not
legal see `WhenIllegal`. n games, C places.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from gymnasium import Env, spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ggp.adapters.action_places import PASS, WhenIllegal, draws_legal
from ggp.adapters.observations import ShownObservations
from ggp.errors import GgpError
from ggp.game.actions import PlayerName
from ggp.game.batch import CUT, ENDED, GOES_ON, Batch
from ggp.game.game import Game, check_is_game
from ggp.game.tensors import F32, I64, Bools, integers

__all__ = ["GameVectorEnv", "Opponent", "SingleGame", "single_env", "vector_env"]

Opponent: TypeAlias = "Callable[[Batch, int, Bools], I64]"
"""Chooses for a player in some games of a batch, `[n]` bool: `[n]` our action numbers, anything in the other games."""


def vector_env(
    game: Game,
    n: int,
    *,
    player: PlayerName = 0,
    opponent: str | Opponent = "random",
    rows: int | None = None,
    max_steps: int | None = None,
    seed: int = 0,
    autoreset: AutoresetMode = AutoresetMode.SAME_STEP,
    illegal: WhenIllegal = "error",
) -> GameVectorEnv:
    """Return n games in which one player learns.

    Args:
        game: any.
        n: how many.
        player: who learns.
        opponent: the others: `random`; one of our players, such as `mcts:c=0.7@200` with 200 iterations a move; or a
            function, see `Opponent`. Only `random` and functions play at the speed of batches.
        rows: of what a player knows, where something is hidden, see `ggp.adapters.observations`.
        max_steps: transitions after which a game is truncated; None: it is not.
        seed: of chance and of the opponents, until `reset` gives another.
        autoreset: whether a game that ended begins anew in the same step, or in the next one, in which its action does
            not count; Gymnasium's wrappers of observations need the latter.
        illegal: what becomes of the learner's action where the mask does not have it: an error, or a legal one, drawn
            by the seed, instead: for algorithms, and tests such as Gymnasium's `check_env`, that know no masks.

    Raises:
        UnknownPlayer: the game has no such player.
        GgpError: there is no such opponent, or it does not play this game; games are not begun anew.
    """
    if autoreset not in (AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP):
        raise GgpError("games begin anew by themselves: autoreset is SAME_STEP or NEXT_STEP")
    check_is_game(game)
    role = game.player(player)
    if not callable(opponent):
        opponent = choose_at_random if opponent == "random" else agents_of(game, n, role, opponent, seed)
    return GameVectorEnv(game, n, role, opponent, rows, max_steps, seed, autoreset, illegal)


def single_env(game: Game, **options: Any) -> SingleGame:
    """Return one game in which one player learns, for algorithms that know no vector environments.

    The options, and the errors, are those of `vector_env`, but for `autoreset`: `reset` begins anew.
    """
    return SingleGame(vector_env(game, 1, **options, autoreset=AutoresetMode.NEXT_STEP))


def agents_of(game: Game, n: int, learner: int, text: str, seed: int) -> Opponent:
    """Return one of our players, in all roles but the learner's."""
    # searches take a second to import
    from ggp.adapters.batch_opponents import AgentOpponents

    return AgentOpponents(game, n, [role for role in range(len(game.players)) if role != learner], text, seed)


def choose_at_random(batch: Batch, player: int, where: Bools) -> I64:  # noqa: ARG001 - a draw for all is quicker
    """Draw uniformly from the legal actions."""
    drawn = batch.random_actions()
    return (drawn if drawn.ndim == 1 else drawn[:, player]).copy()


class GameVectorEnv(VectorEnv[dict[str, Any], I64, np.ndarray[Any, np.dtype[Any]]]):
    """n games in which one player learns; see `vector_env`."""

    def __init__(
        self,
        game: Game,
        n: int,
        player: int,
        opponent: Opponent,
        rows: int | None,
        max_steps: int | None,
        seed: int,
        autoreset: AutoresetMode,
        illegal: WhenIllegal,
    ) -> None:
        shown = ShownObservations.of(game, rows)
        self.metadata = {"autoreset_mode": autoreset}
        self._next_step = autoreset is AutoresetMode.NEXT_STEP
        self.num_envs = n
        self.single_observation_space = shown.space
        self.single_action_space = spaces.Discrete(shown.actions.count)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self.batch = game.batch(n, seed=seed, limit=max_steps, remember=shown.rows)
        self._rows = shown.rows
        self._actions = shown.actions
        self._draws_legal = draws_legal(illegal)
        self._player = player
        self._others = [other for other in range(len(game.players)) if other != player]
        self._opponent = opponent
        self._shown_over: Bools = np.zeros(n, np.bool_)
        """Which games have begun anew without their learner having seen it."""

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin all games anew; with a seed, of chance too: one for all games, or one for each."""
        if isinstance(seed, list):
            for place, one in enumerate(seed):
                self.batch.reset([place], seed=one)
        else:
            self.batch.reset(seed=seed)
        self._shown_over[:] = False
        self._tell(np.ones(self.num_envs, np.bool_), begun=True)
        self._await_learner(_Finished(self.num_envs))
        return self._observation(), {}

    def step(self, actions: I64) -> tuple[dict[str, Any], F32, Bools, Bools, dict[str, Any]]:
        """Let the learner act in all games, and then the others until it acts again.

        Raises:
            IllegalAction: an action is not legal; no game has been changed.
            ValueError: there is not one action for each game.
        """
        if np.shape(actions) != (self.num_envs,):
            raise ValueError(f"actions of shape {np.shape(actions)}; one for each of {self.num_envs} games is wanted")
        finished = _Finished(self.num_envs)
        playing = ~self._shown_over
        if playing.any():
            self._transition(self._legal(self._actions.numbers(np.where(playing, actions, 0))), playing, finished)
            self._await_learner(finished)
        observation, info = self._observation(), dict[str, Any]()
        if self._next_step:
            self._shown_over = finished.at
            for name, values in finished.observations.items():
                observation[name][finished.at] = values[finished.at]
        elif finished.at.any():
            info = {"final_obs": finished.observations, "_final_obs": finished.at}
        return observation, finished.rewards, finished.ended, finished.cut, info

    def _legal(self, own: I64) -> I64:
        """Return the learner's choices; drawn where they are not legal, if that was asked for."""
        if not self._draws_legal:
            return own
        everywhere = np.ones(self.num_envs, np.bool_)
        legal = self.batch.legal_mask(self._player)[np.arange(self.num_envs), own]
        return np.where(legal, own, choose_at_random(self.batch, self._player, everywhere))

    def _await_learner(self, finished: _Finished) -> None:
        while (waiting := self.batch.acting >> self._player & 1 == 0).any():
            self._transition(np.zeros(self.num_envs, np.int64), waiting, finished)

    def _transition(self, own: I64, where: Bools, finished: _Finished) -> None:
        """Make a transition in some games; the learner acts as given where it acts."""
        batch, joint = self.batch, np.repeat(own[:, None], self.batch.game.shape.players, axis=1)
        for other in self._others:
            acting = where & (batch.acting >> other & 1 == 1)
            if acting.any():
                chosen = integers(self._opponent(batch, other, acting), "actions of an opponent")
                if chosen.shape != (self.num_envs,):
                    raise ValueError(f"an opponent gave actions of shape {chosen.shape} for {self.num_envs} games")
                joint[acting, other] = chosen[acting]
        if not batch.game.simultaneous:
            joint = joint[np.arange(self.num_envs), np.maximum(batch.player, 0)]
        batch.step(joint, where=where)
        self._tell(where, begun=False)
        if faults := batch.faults():
            raise GgpError(f"{batch.game.name}: {next(iter(faults.values()))}")
        new = where & (batch.status != GOES_ON) & ~finished.at
        if new.any():
            final = self._final_observation(new)
            finished.add(new, batch.status, batch.utilities[:, self._player], final)

    def _tell(self, where: Bools, begun: bool) -> None:
        tell = getattr(self._opponent, "tell", None)
        if tell is not None:
            tell(self.batch, where, begun)

    def _observation(self) -> dict[str, Any]:
        batch, player = self.batch, self._player
        tensor = batch.information_tensor(player) if self._rows else batch.state_tensor(player=player)
        return {"observation": tensor, "action_mask": self._actions.mask(batch.legal_mask(player))}

    def _final_observation(self, new: Bools) -> dict[str, Any]:
        """Return the last observations of games; the masks are of those that have just ended or were cut."""
        batch, player = self.batch, self._player
        tensor = batch.final_information_tensor(player) if self._rows else batch.final_tensor(player=player)
        mask = np.zeros((self.num_envs, self._actions.count), np.int8)
        mask[:, PASS] = 1  # where nothing is legal: nobody can draw from none
        for place in np.flatnonzero(new & (batch.status == CUT)).tolist():
            state = batch.game.state(batch.reached[place].tolist())
            if player in state.actors():
                mask[place] = self._actions.mask(state.mask(player))
        return {"observation": tensor, "action_mask": mask}


class SingleGame(Env[dict[str, Any], int]):
    """One game in which one player learns; see `single_env`."""

    def __init__(self, games: GameVectorEnv) -> None:
        self.metadata = {"render_modes": ["ansi"], "render_fps": 1}
        self.render_mode = "ansi"
        self.observation_space = games.single_observation_space
        self.action_space = games.single_action_space
        self._games = games

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; with a seed, of chance and the opponents, too."""
        super().reset(seed=seed, options=options)
        return self._one(self._games.reset(seed=seed)[0]), {}

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Let the learner act, and then the others until it acts again.

        Raises:
            IllegalAction: the action is not legal; the game has not been changed.
        """
        observation, rewards, ended, cut, _ = self._games.step(np.array([action]))
        return self._one(observation), float(rewards[0]), bool(ended[0]), bool(cut[0]), {}

    def _one(self, observation: dict[str, Any]) -> dict[str, Any]:
        one = {name: values[0] for name, values in observation.items()}
        self._mask: Bools = one["action_mask"].astype(np.bool_)
        return one

    def action_masks(self) -> Bools:
        """Return what is legal, `[C]`, under the name by which maskable algorithms ask for it."""
        return self._mask

    def render(self) -> str:
        """Return the state as text."""
        batch = self._games.batch
        return str(batch.game.state(batch.states[0].tolist()))


class _Finished:
    """The games that ended in a step of the environment: the first time, if twice before the learner acts."""

    def __init__(self, n: int) -> None:
        self.at: Bools = np.zeros(n, np.bool_)
        self.ended: Bools = np.zeros(n, np.bool_)
        self.cut: Bools = np.zeros(n, np.bool_)
        self.rewards: F32 = np.zeros(n, np.float32)
        self.observations: dict[str, Any] = {}

    def add(self, new: Bools, status: Any, utilities: Any, final: dict[str, Any]) -> None:
        """Add games that have just ended or were cut."""
        self.at |= new
        self.ended |= new & (status == ENDED)
        self.cut |= new & (status == CUT)
        self.rewards[new] = utilities[new]
        if not self.observations:
            self.observations = final
        else:
            for name, values in final.items():
                self.observations[name][new] = values[new]
