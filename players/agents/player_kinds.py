"""What a player is: its name, settings, searches, kernels, and its requirements of a game. Kernels load late."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from players.agents.requirements import Requirement, perfect_information
from players.player_options import NotApplicable
from players.search.foundation.settings import AutoSettings

if TYPE_CHECKING:
    from ggp.codegen.kernels import AnyKernel
    from ggp.game.game import Game
    from players.search.foundation.searches import SearchFamily
    from players.search.information_sets.information_search import HiddenFamily


@dataclass(frozen=True, slots=True)
class NoSettings:
    """A player without options."""


@dataclass(frozen=True, slots=True)
class PlayerKind:
    """A player that can be named.

    Attributes:
        name: as written before the colon.
        summary: one line for help and documentation.
        source: where the algorithm is defined.
        settings: its settings dataclass.
        module: the module of its search family, `FAMILY` or the name after a colon; empty for a player without
            a search from a known state.
        requirements: what it requires of a game.
        hidden_module: the same for searches from a belief; empty if it has none. A player with
            both searches from the state if nothing is hidden.
    """

    name: str
    summary: str
    source: str
    settings: type[Any]
    module: str = ""
    requirements: tuple[Requirement, ...] = ()
    hidden_module: str = ""

    @property
    def searches(self) -> bool:
        """Whether it searches."""
        return bool(self.module or self.hidden_module or self.settings is AutoSettings)

    @property
    def hidden_family(self) -> HiddenFamily:
        """The family of its searches from a belief; imports its kernels."""
        family: HiddenFamily = _named(self.hidden_module)
        return family

    def kernels(self, settings: Any, hidden: bool) -> Iterator[AnyKernel]:
        """Yield its kernels for games with hidden information, or for games of perfect information.

        Args:
            settings: its own.
            hidden: which of the two; a player with one search for both has the same kernels for both.
        """
        if self.module and not (hidden and self.hidden_module):
            from players.beliefs.native_transitions import find_fitting

            yield from self.family.kernels(settings)
            yield find_fitting
        if self.hidden_module and (hidden or not self.module):
            from ggp.native.information_states import write_keys
            from players.beliefs.preparation import belief_kernels

            yield from self.hidden_family.kernels(settings)
            yield from belief_kernels()
            yield write_keys

    @property
    def family(self) -> SearchFamily:
        """The family of its searches from a known state; imports its kernels."""
        family: SearchFamily = _named(self.module)
        return family

    def check(self, game: Game, open_cards: bool = False) -> None:
        """Refuse a game that this player cannot play.

        Args:
            game: any.
            open_cards: whether it would play the game with nothing hidden.

        Raises:
            NotApplicable: it cannot.
        """
        for requirement in self.requirements:
            reason = None if open_cards and requirement is perfect_information else requirement(game)
            if reason is not None:
                raise NotApplicable(f"`{self.name}` plays {reason}")


def _named(text: str) -> Any:
    """Return the family of a module, `FAMILY` or the name after a colon."""
    module, _, name = text.partition(":")
    return getattr(import_module(module), name or "FAMILY")
