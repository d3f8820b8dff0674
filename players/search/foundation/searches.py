"""The interfaces of searches from a known state and of their families, as agents and commands use them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from ggp.codegen.kernels import F64, I64, AnyKernel
from ggp.native.interface import NativeGame
from players.player_options import NotApplicable

if TYPE_CHECKING:
    from ggp.solvers.worlds.state_graph import GameGraph
    from ggp.solvers.worlds.strategy_trees import StrategyTree

NO_CHILD = 0
"""No node of the tree."""


class Search(Protocol):
    """Searches one game from one root; call `seed` and `set_root` first."""

    @property
    def iterations(self) -> int:
        """Iterations since `seed`."""

    @property
    def root_visits(self) -> int:
        """The number of iterations through the root."""

    @property
    def settled(self) -> bool:
        """Whether more search would change nothing, for example because the root's value is proven."""
        return False

    def seed(self, word: int) -> None:
        """Seed the random generator with a 64-bit word that is not 0; iterations and utilities met count anew."""

    def prepare(self, state: I64) -> None:
        """Load every kernel, and touch the first memory, before a clock runs; root and generator stay unset.

        Args:
            state: `[W]` a world state that is not terminal.
        """

    def touch_memory(self) -> None:
        """Write to all memory of the tree, since the system provides it only then. Call it before `seed`."""

    def take_role(self, role: int) -> None:  # noqa: ARG002 - a default
        """Search for this role from now on; for most searches the role makes no difference."""
        return

    def set_root(self, state: I64) -> None:
        """Forget the tree and begin at a world state, `[W]` words."""

    def advance(self, key: int, state: I64) -> bool:
        """Make the child that a transition led to the new root, or start over if the tree has no such child.

        Args:
            key: number of the joint action (row-major over the positions of the players' actions), or chance outcome.
            state: `[W]` the words of the world state after the transition.

        Returns:
            Whether the tree had the child.
        """

    def run(self, iterations: int) -> None:
        """Search."""

    def run_units(self, units: int) -> None:
        """Search for a number of units of work, each of about the same time, into which a clock is divided."""
        self.run(units)

    def strategy(self, player: int) -> tuple[I64, F64]:
        """Return the legal actions of a player at the root, and the probability of each in its final strategy."""


class ReadableSearch(Search, Protocol):
    """A search whose strategies can be read at all nodes of its tree; nodes are numbers."""

    @property
    def root_node(self) -> int:
        """The root."""

    @property
    def root_state(self) -> I64:
        """`[W]` words of the root's world state; a view, not to be changed."""

    def has_strategies(self, node: int) -> bool:
        """Return whether a decision node has strategies."""

    def visits_of(self, node: int) -> int:
        """Return the number of iterations through a node."""

    def children_of(self, node: int, keys: I64) -> I64:
        """Return `[n]` the nodes that transitions lead to, NO_CHILD if the tree has none.

        Args:
            node: any node.
            keys: `[n]` numbers of joint actions, as in `advance`, or chance outcomes.
        """

    def strategy_at(self, node: int, player: int, actions: int) -> F64:
        """Return `[actions]` the final strategy of a player at a decision node."""

    def strategies_in(self, game: GameGraph) -> StrategyTree:
        """Return the strategies at all nodes that have some; of a search for one role, only its own count."""


class SearchFamily(Protocol):
    """Makes the searches of one player.

    Attributes:
        for_one_role: whether a search finds a strategy only for the role that it took.
    """

    for_one_role: ClassVar[bool] = False

    def make_search(self, native: NativeGame, settings: Any) -> Search:
        """Return a search."""
        return self.make_readable(native, settings)

    def make_readable(self, native: NativeGame, settings: Any) -> ReadableSearch:  # noqa: ARG002 - a default
        """Return a search whose strategies can be read, for both roles or for the one that it searches for.

        Raises:
            NotApplicable: there is no such search with these settings.
        """
        raise NotApplicable(
            "the strategies of this player cannot be read, since it plays one action at a time: measure `duct` instead"
        )

    def kernels(self, settings: Any) -> Iterator[AnyKernel]:
        """Yield the kernels that its searches call."""


@dataclass(frozen=True)
class UnreadableSearches(SearchFamily):
    """A family of searches that play one action at a time.

    Attributes:
        make: makes a search by the player's settings.
        called: the kernels that its searches call.
    """

    make: Callable[[NativeGame, Any], Search]
    called: tuple[AnyKernel, ...]

    def make_search(self, native: NativeGame, settings: Any) -> Search:
        """Return a search."""
        return self.make(native, settings)

    def kernels(self, settings: Any) -> Iterator[AnyKernel]:  # noqa: ARG002
        """Yield the kernels that its searches call."""
        yield from self.called
