"""A table at which a game is played: everything that happened, and what each role may know of it. No clocks, no I/O."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ggp.arithmetic.rng import seed_word
from ggp.display.actors import shows_actor
from ggp.encoding.readable import Readable, element_names, index_values
from ggp.errors import GgpError
from ggp.game.game import Game
from ggp.game.history import History, plain_parts
from ggp.game.state import State
from ggp.rules_compiler.rules_backend import RulesBackend
from ggp.scene.scene import Scene
from ggp.static_analysis.payoffs import is_shared
from studio.knowledge import Knowledge

CHANCE_SEED = 7


class NotPossible(GgpError):
    """What was asked for is not possible at this table now."""


@dataclass(frozen=True, slots=True)
class Made:
    """A transition: the text of each role's action, or of what chance drew."""

    actions: Mapping[int, str]
    outcome: str | None = None

    def text(self, names: Sequence[str]) -> str:
        """Return it as a line of a record, which `Table.replay` reads."""
        if self.outcome is not None:
            return f"chance: {self.outcome}"
        return "; ".join(f"{names[role]}: {action}" for role, action in sorted(self.actions.items()))


@dataclass(slots=True)
class Table:
    """A game in play, every position of it.

    Attributes:
        game: that is played.
        seed: of chance; the same seed draws the same at the same place.
        positions: all histories so far, the initial one included.
        made: what led from each position to the next.
        chosen: actions chosen for the next transition, by role.
    """

    game: Game
    seed: int
    positions: list[History] = field(default_factory=list)
    made: list[Made] = field(default_factory=list)
    chosen: dict[int, str] = field(default_factory=dict)
    _known: dict[int, tuple[Knowledge, int]] = field(default_factory=dict)
    _scenes: dict[tuple[int, int], tuple[Scene | None, bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self.positions:
            self.positions.append(self.game.history())

    @property
    def history(self) -> History:
        """Where the game is."""
        return self.positions[-1]

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.history.state.is_terminal()

    @property
    def has_shared_result(self) -> bool:
        """Whether all players always get the same, as the rules say."""
        backend = self.game.backend
        return isinstance(backend, RulesBackend) and is_shared(backend.rules)

    def waiting(self) -> tuple[int, ...]:
        """Return the roles that have yet to choose."""
        return tuple(role for role in self.history.state.actors() if role not in self.chosen)

    def choose(self, role: int, action: str) -> None:
        """Choose an action for a role; once all have chosen, the game goes on.

        Raises:
            NotPossible: the role is not to act.
            IllegalAction: the action is not legal.
        """
        if role not in self.waiting():
            raise NotPossible(f"`{self.game.players[role]}` is not to act now")
        state = self.history.state
        self.chosen[role] = str(state.parse_action(role, action))
        if not self.waiting():
            chosen, self.chosen = self.chosen, {}
            joint = {actor: state.parse_action(actor, text) for actor, text in chosen.items()}
            self._add(self.history.apply(joint), Made(chosen))

    def draw(self) -> bool:
        """Make a transition of chance or of nobody, if one is due; return whether there was one."""
        state = self.history.state
        if state.is_terminal() or not state.is_chance():
            return False
        outcome = state.sample_outcome([seed_word(self.seed, CHANCE_SEED, len(self.made))])
        self._add(self.history.apply_outcome(outcome), Made({}, state.outcome_text(outcome)))
        return True

    def _add(self, history: History, made: Made) -> None:
        self.positions.append(history)
        self.made.append(made)

    def back(self, to: int) -> None:
        """Take back what followed a position.

        Raises:
            NotPossible: there is no such position.
        """
        if not 0 <= to < len(self.positions):
            raise NotPossible(f"there is no position {to}")
        del self.positions[to + 1 :], self.made[to:]
        self.chosen.clear()
        self._known.clear()
        self._scenes = {key: scene for key, scene in self._scenes.items() if key[1] <= to}

    def replay(self, lines: Sequence[str]) -> None:
        """Make the transitions of a record, as `Made.text` writes them.

        Raises:
            NotPossible: a line names no possible transition.
        """
        for number, line in enumerate(lines, start=1):
            try:
                self._replay(line)
            except (GgpError, ValueError) as error:
                raise NotPossible(f"line {number} of the record, `{line}`: {error}") from error

    def _replay(self, line: str) -> None:
        state = self.history.state
        if not line:  # nobody acts, and nothing is to be told
            if not self.draw():
                raise NotPossible("somebody has to act")
            return
        if state.is_chance():
            text = line.removeprefix("chance: ")
            self._add(self.history.apply_outcome(state.parse_outcome(text)), Made({}, text))
            return
        for part in line.split("; "):
            name, _, action = part.partition(": ")
            self.choose(self.game.player(name), action)

    def scene(self, role: int | None, at: int) -> tuple[Scene | None, bool]:
        """Return what a role may see of a position, and whether it is certain, see `Knowledge`.

        Args:
            role: whose eyes; None: who may see all.
            at: the number of the position.
        """
        state = self.positions[at].state
        if role is None or self.game.perfect_information or state.is_terminal():
            return state.scene(), True
        if self.game.codec.has_views or at == 0:
            return state.scene(role), True
        if (role, at) not in self._scenes:
            legal = [str(one) for one in state.legal(role)] if role in state.actors() else None
            known = self._known_at(role, at)
            self._scenes[role, at] = known.scene(legal), known.certain
        return self._scenes[role, at]

    def _known_at(self, role: int, at: int) -> Knowledge:
        """Return what a role knows at a position; worked out from the last one asked for."""
        known, begin = self._known.get(role, (None, 0))
        if known is None or begin > at:
            known, begin = Knowledge(self.game, role), 0
        for history in self.positions[begin + 1 : at + 1]:
            if (told := lived(history.state, role)) is not None:
                known.tell(*told)
        self._known[role] = known, at
        return known

    def actors_known(self, role: int, at: int) -> tuple[int, ...] | None:
        """Return who acted in the transition to a position, if the role knows that.

        It does where it was shown who was to act, and where all states that are possible for it agree, if these are not
        too many (`Knowledge.actors`).
        """
        before, backend, reached = self.positions[at - 1].state, self.game.backend, self.positions[at].state
        if isinstance(backend, RulesBackend) and before.phase and shows_actor(backend.rules, before.phase, role):
            return before.actors()
        if lived(reached, role) is None:
            return None
        return self._known_at(role, at).actors()

    def told(self, role: int, at: int) -> list[str]:
        """Return what a role did and was told up to a position, a text each."""
        found = []
        for known in self.positions[at].information_state(role).known:
            if isinstance(known, int):
                found.append(f"you chose {self.game.action_text(known)}")
            else:
                parts = self.plain(self.game.readable_observation(known))
                # a letter, as of a card `c` that was drawn, says nothing to a person
                are_letters = all(part[1:3] == ": " for part in parts)
                found.append("you saw " + ", ".join(part[3:] if are_letters else part for part in parts))
        return found

    def plain(self, observation: Sequence[tuple[str, Readable]]) -> list[str]:
        """Return what an observation says to people."""
        backend = self.game.backend
        if not isinstance(backend, RulesBackend):
            return plain_parts(observation)
        return plain_parts(observation, element_names(backend.rules), index_values(backend.rules))


def lived(state: State, role: int) -> tuple[str | None, Sequence[tuple[str, Readable]]] | None:
    """Return what a role did and saw in the transition to a state; None if that is nothing."""
    action, observation = state.action_taken(role), state.readable_observation(role)
    if action is None and not observation:
        return None
    return None if action is None else str(action), observation


def result_text(names: Sequence[str], utilities: Sequence[float], *, shared: bool = False) -> str:
    """Return who won, in words; where the result is `shared` by all, what it is."""
    best = max(utilities)
    winners = [name for name, utility in zip(names, utilities, strict=True) if utility == best]
    numbers = ", ".join(f"{name} {utility:g}" for name, utility in zip(names, utilities, strict=True))
    if len(names) == 1 or shared:
        return f"the result is {utilities[0]:g}"
    if len(winners) == len(names):
        return "a draw" if best == 0 else f"a draw: {numbers}"
    plain = len(names) == 2 and sorted(utilities) == [-1, 1]
    return f"{listed(winners)} won" + ("" if plain else f": {numbers}")


def listed(names: Sequence[str]) -> str:
    """Return names in words: `ann, bob and cat`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
