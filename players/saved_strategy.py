"""Plays a strategy from a file, which `ggp solve --save` or the `save` of a strategy wrote."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from ggp.arithmetic.rng import draw, seed_word
from ggp.errors import GgpError
from players.agents.solved_hidden_agent import StrategyAgent
from players.beliefs import Tracker
from players.player_options import NotApplicable

if TYPE_CHECKING:
    from ggp.encoding.readable import Readable
    from ggp.game.game import Game
    from players.agents.agent import Budget

ENDING = ".json"
"""Of the names of files with strategies; a player of such a name is a file."""

Place: TypeAlias = "str | tuple[int, ...]"
"""The key of an information state, or the words of a world state."""
Shares: TypeAlias = dict[tuple[str, Place], dict[str, float]]
"""The probabilities of actions by the name of the player and the place."""


class SavedStrategySettings(Struct, frozen=True):
    """Where the strategy is."""

    file: str


def saved_shares(file: str, game: Game) -> tuple[bool, Shares]:
    """Return whether a file has strategies over world states, and its strategies.

    A file that has not changed is read once for several matches: some take half a minute, and gigabytes.

    Raises:
        NotApplicable: the file cannot be read, or has strategies of another game.
    """
    try:
        changed = Path(file).stat().st_mtime_ns
    except OSError:
        changed = 0  # reading it tells why
    return _shares(Path(file), changed, game)


@lru_cache(2)
def _shares(path: Path, changed: int, game: Game) -> tuple[bool, Shares]:  # noqa: ARG001 - the key
    from ggp.solvers.sequence_form.strategy_files import StrategyFileUnusable, read_strategies

    try:
        saved = read_strategies(path, game)
        if saved.by_states:
            return True, {(str(one["player"]), tuple(one["state"])): one["strategy"] for one in saved.records}
        return False, {(str(one["player"]), str(one["key"])): one["strategy"] for one in saved.records}
    except StrategyFileUnusable as error:
        raise NotApplicable(str(error)) from error


def _probabilities(game: Game, role: int, shares: Shares, place: Place, actions: Sequence[int]) -> list[float]:
    """Return the probabilities of actions, uniform where a file says nothing."""
    played = shares.get((game.players[role], place))
    if played is None:
        return [1.0 / len(actions)] * len(actions)
    return [float(played.get(game.action_text(action), 0.0)) for action in actions]


class SavedStrategyAgent:
    """Plays by a file, uniformly at random where it says nothing."""

    def __init__(self, settings: SavedStrategySettings) -> None:
        self._settings = settings

    def start(self, game: Game, role: int, seed: int) -> None:
        """Read the file, and begin at the initial state.

        Raises:
            NotApplicable: the file cannot be read, or has strategies of another game.
        """
        by_states, shares = saved_shares(self._settings.file, game)
        self._agent = _ByStates(shares) if by_states else _ByInformationStates(shares)
        self._agent.start(game, role, seed)

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        """Note a transition."""
        self._agent.observe(action, observation)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:
        """Draw an action from the strategy.

        Raises:
            GgpError: the player's observations are not possible by the rules.
        """
        return self._agent.choose(legal, budget)


class _ByInformationStates(StrategyAgent):
    def __init__(self, shares: Shares) -> None:
        self._shares = shares

    def _strategy(self, key: tuple[int, int], actions: Sequence[int]) -> list[float]:
        return _probabilities(self._game, self._role, self._shares, f"{key[0]:016x}{key[1]:016x}", actions)


class _ByStates:
    """Plays where nothing is hidden, so that the world state is known."""

    def __init__(self, shares: Shares) -> None:
        self._shares = shares

    def start(self, game: Game, role: int, seed: int) -> None:
        self._game, self._role, self._rng = game, role, [seed_word(seed, role)]
        self._tracker = Tracker(game, role)

    def observe(self, action: str | None, observation: Sequence[tuple[str, Readable]]) -> None:
        self._tracker.tell(action, observation)

    def choose(self, legal: Sequence[str], budget: Budget) -> str:  # noqa: ARG002 - nothing is searched
        words = self._tracker.words
        actions = self._game.state(words).legal(self._role)
        if len(actions) != len(legal):
            raise GgpError("the player's state does not have the legal actions that it was told")
        shares = _probabilities(self._game, self._role, self._shares, words, actions)
        return self._game.action_text(actions[draw(self._rng, shares)])
