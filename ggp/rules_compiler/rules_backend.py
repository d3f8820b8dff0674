"""The backend of games from rules files: generated code, and a codec that reads the rules' layout."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, TypeAlias

from ggp.display.scenes import Scenes
from ggp.encoding.features import seen_from
from ggp.encoding.state_layout import Layout, type_words
from ggp.errors import GgpError
from ggp.faults import RulesFault
from ggp.game.backend import Machine, TransitionResult
from ggp.game.game import Game
from ggp.interpreter.interpreter import Interpreter
from ggp.language import SourceFile, check, render_all, typed
from ggp.language.typed.types import scalar_text
from ggp.native.interface import FAULT_WORD, PHASE_WORD, BatchFunctions, GameShape
from ggp.rules_compiler.code_index import IndexEntry, entry_file, read_entry, source_digest, write_entry
from ggp.rules_compiler.legality import legality_variables
from ggp.rules_compiler.rules_codec import RulesCodec
from ggp.static_analysis.payoffs import check_sum, known_sum, proven_bounds, proven_teams
from ggp.static_analysis.traits import (
    has_chance,
    has_simultaneous_actions,
    is_of_perfect_information,
    revealed_actions,
    static_traits,
)

if TYPE_CHECKING:
    from ggp.codegen.ir.nodes import Module
    from ggp.codegen.machine_code import MachineCode
    from ggp.rules_compiler.native_code import Compilation
    from ggp.rules_compiler.plain_module import PlainGame


class NoRules(GgpError):
    """What was asked for needs the rules of a game, and this game has none."""


class RulesBackend:
    """A game of checked rules. Equal to another of the same rules text, files and parameters.

    Attributes:
        rules: the typed tree, parameters bound.
        layout: where everything lies in words.
    """

    def __init__(self, rules: typed.Game, files: Mapping[str, str] | None = None) -> None:
        """Generate the game's code, unless it was compiled before.

        Args:
            rules: the typed tree, parameters bound.
            files: the texts of the files that the rules read, by name.

        Raises:
            LimitExceeded: the game needs more words, actions or code than this implementation allows.
        """
        self.rules = rules
        self._files = dict(files or {})
        self.layout = Layout(rules)
        self.shape = GameShape(
            players=len(rules.players.members),
            state_words=self.layout.state_words,
            max_actions=self.layout.action_limit,
            max_outcomes=self.layout.outcome_limit,
            max_observation_words=self.layout.observation_limit,
        )
        self.codec = RulesCodec(self)
        self._entry_file = entry_file(rules, "game")
        self._entry = read_entry(self._entry_file)
        if self._entry is None:
            _ = self.plain  # refuses games that are too large; of others there is an entry once they were compiled

    @cached_property
    def _identity(self) -> tuple[object, ...]:
        return self.rules.source_text, *sorted(self._files.items()), *self.parameters.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RulesBackend) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __reduce__(self) -> tuple[Callable[..., RulesBackend], tuple[object, ...]]:
        parameters, files = tuple(self.parameters.items()), tuple(self._files.items())
        return _backend_again, (self.rules.source_name, self.rules.source_text, parameters, files)

    # --- facts --------------------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The game's name."""
        return self.rules.name

    @property
    def title(self) -> str:
        """What the rules say of the game in one line."""
        return self.rules.title

    @property
    def parameters(self) -> dict[str, str]:
        """The bound parameters, as a caller would write them."""
        return {parameter.name: scalar_text(parameter.type, parameter.value) for parameter in self.rules.parameters}

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        return self.rules.players.members

    @cached_property
    def utility_bounds(self) -> tuple[tuple[float, float], ...]:
        """The lowest and highest utility of each player, as proven on the rules."""
        return proven_bounds(self.rules)

    @cached_property
    def utility_sum(self) -> float | None:
        """What the utilities add up to in every terminal state, proven or stated in the rules; None otherwise."""
        return known_sum(self.rules)

    @cached_property
    def teams(self) -> tuple[int, ...]:
        """The number of each player's team, as proven on the rules."""
        return proven_teams(self.rules)

    @cached_property
    def perfect_information(self) -> bool:
        """Whether every transition tells every player all that was chosen or drawn."""
        return is_of_perfect_information(self.rules)

    @cached_property
    def revealed_actions(self) -> tuple[tuple[bool, ...], ...]:
        """By phase and player, whether the player is always told all that the others, or chance, chose there."""
        return revealed_actions(self.rules)

    @cached_property
    def simultaneous(self) -> bool:
        """Whether several players may act at once."""
        return has_simultaneous_actions(self.rules)

    @cached_property
    def chance(self) -> bool:
        """Whether chance acts."""
        return has_chance(self.rules)

    @cached_property
    def traits(self) -> tuple[str, ...]:
        """Words for what kind of game it is."""
        return (*static_traits(self.rules), *(["constant sum"] if self.utility_sum is not None else []))

    # --- code ---------------------------------------------------------------------------------------------------------

    @cached_property
    def plain(self) -> PlainGame:
        """The generated code as plain Python."""
        # the generator takes a tenth of a second to import, and is not needed where all of a game is in the cache
        from ggp.rules_compiler.plain_module import PlainGame

        return PlainGame(self.rules, self.layout)

    @property
    def is_in_cache(self) -> bool:
        """Whether the game was compiled before, so that its native functions are there at once."""
        return self._entry is not None

    @cached_property
    def entry(self) -> IndexEntry:
        """What the cache keeps of the generated code."""
        if self._entry is None:
            self._entry = IndexEntry(source_digest(self.plain.source), tuple(self.plain.fault_texts()))
            write_entry(self._entry_file, self._entry)
        return self._entry

    @cached_property
    def native_names(self) -> tuple[str, ...]:
        """The names of the native functions."""
        from ggp.rules_compiler.native_code import FUNCTIONS

        estimate = () if self.rules.estimate is None else ("estimate",)
        has_many = any(map(self.layout.has_many_outcomes, self.rules.phases))
        return *FUNCTIONS, *estimate, *(("outcome_probability",) if has_many else ())

    @cached_property
    def compilation(self) -> Compilation:
        """The machine code, compiled or loaded from the cache at the first use."""
        # LLVM takes a tenth of a second to import, and who only plays by the rules does not need it
        from ggp.rules_compiler.native_code import load_native

        return load_native(self.entry.source_digest, self.native_names, lambda: self.plain.code)

    @property
    def machine(self) -> Machine:
        """The native functions."""
        return Machine(self.compilation.functions, self.compilation.code)

    @cached_property
    def batch_machine(self) -> tuple[BatchFunctions, object]:
        """The extra functions of batches, and the object that keeps them alive."""

        @cache
        def generated() -> Module:
            from ggp.rules_compiler.entry_points.batch_entries import generate_for_batches
            from ggp.rules_compiler.entry_points.batch_views import Shown

            codec = self.codec
            shown = Shown(codec.action_count, codec.state_features(), codec.observation_features())
            return generate_for_batches(self.rules, self.layout, shown, self.plain.module).code

        loaded = self._code_of("batches", BatchFunctions._fields, generated)
        return BatchFunctions(**loaded.addresses), loaded

    def seat_tensor(self, player: int) -> tuple[int, object]:
        """Return the address of a `tensor` that writes states as a player has them, and what keeps it alive."""

        @cache
        def generated() -> Module:
            from ggp.rules_compiler.entry_points.batch_entries import generate_for_seat

            features = seen_from(self.codec.state_features(), player, self.shape.players)
            return generate_for_seat(self.rules, self.layout, features)

        loaded = self._code_of(f"tensor of seat {player}", ("tensor",), generated)
        return loaded.addresses["tensor"], loaded

    def _code_of(self, module: str, names: tuple[str, ...], generated: Callable[[], Module]) -> MachineCode:
        """Return a module's machine code, compiled or loaded from the cache."""
        from ggp.rules_compiler.native_code import load_code

        path = entry_file(self.rules, module)
        entry = read_entry(path)
        if entry is None:
            from ggp.codegen.python.printer import module_text

            entry = IndexEntry(source_digest(module_text(generated())), ())
            write_entry(path, entry)
        loaded, _ = load_code(entry.source_digest, names, generated)
        return loaded

    @cached_property
    def scenes(self) -> Scenes:
        """Draws the states."""
        return Scenes(self.interpreter)

    @cached_property
    def interpreter(self) -> Interpreter:
        """The reference interpreter of the same rules."""
        return Interpreter(self.rules)

    def calls_in_python(self) -> PlainSteps:
        """Return the generated code as plain Python, on rows."""
        return PlainSteps(self.plain, self.shape)

    # --- faults -------------------------------------------------------------------------------------------------------

    @cached_property
    def legality_words(self) -> tuple[int, ...]:
        """Words of a state on which nothing depends but which actions are legal; looked for where much is hidden."""
        if self.perfect_information:
            return ()
        places = list[int]()
        for variable in legality_variables(self.rules):
            begin, stored = self.layout.offset[variable], self.layout.kept_as_sets.get(variable, variable)
            places += range(begin, begin + type_words(stored.type))
        return tuple(sorted(places))

    transitions_looked_at = 100_000

    @cached_property
    def length_bound(self) -> int | None:
        """A number of transitions that no play exceeds, by the rules alone; None where none was found."""
        # numpy takes a tenth of a second to import
        from ggp.static_analysis.play_bounds import bound_on_plays

        return bound_on_plays(self.rules)

    @cached_property
    def history_words(self) -> int:
        """How many words at the end of a state keep histories."""
        ends = [
            begin + type_words(self.layout.kept_as_sets.get(variable, variable).type)
            for variable, begin in self.layout.offset.items()
            if not variable.is_kept
        ]
        return self.shape.state_words - max(ends, default=PHASE_WORD + 1)

    def fault_texts(self) -> tuple[str, ...]:
        """Return, for each fault site, where in the rules it is and what fails there."""
        return self.entry.faults

    def fault(self, number: int) -> RulesFault:
        """Return the fault of a site's number."""
        site = self.plain.sites[number - 1]
        return RulesFault(site.kind, site.span, site.reason, None, self.rules.source_name)

    def check_utilities(self, utilities: Sequence[float]) -> None:
        """Compare the sum of utilities with what the rules state of it."""
        check_sum(self.rules, utilities)

    def dead_end(self, words: Sequence[int], player: int) -> RulesFault:
        """Return the fault of a player who is to act and has no legal action."""
        phase = self.rules.phases[words[PHASE_WORD]]
        reason = f"`{self.players[player]}` is to act in phase `{phase.name}` and has no legal action"
        return RulesFault("dead_end", phase.choosers[0].span, reason, None, self.rules.source_name)


def game_of_rules(rules: typed.Game, files: Mapping[str, str] | None = None) -> Game:
    """Return the game of checked rules; see `RulesBackend`.

    Raises:
        LimitExceeded: it needs more words, actions or code than this implementation allows.
    """
    return Game(RulesBackend(rules, files))


Texts: TypeAlias = "tuple[tuple[str, str], ...]"
"""Texts by name: values of parameters, or files."""


@lru_cache(64)
def _backend_again(name: str, text: str, parameters: Texts, files: Texts) -> RulesBackend:
    """Return the backend that was pickled.

    Raises:
        GgpError: this version of ggp does not accept the rules.
    """
    result = check(SourceFile(name, text), dict(parameters), dict(files).__getitem__)
    if result.game is None:
        raise GgpError(render_all(result.diagnostics, SourceFile(name, text)).rstrip())
    return RulesBackend(result.game, dict(files))


def rules_of(game: Game) -> RulesBackend:
    """Return the rules that a game was made of.

    Raises:
        NoRules: it was made otherwise.
    """
    if not isinstance(game.backend, RulesBackend):
        raise NoRules(f"{game.name} was not made from a rules file")
    return game.backend


class PlainSteps:
    """The generated code as plain Python, for callers who keep rows of words as `bytes`."""

    def __init__(self, plain: PlainGame, shape: GameShape) -> None:
        self._plain = plain
        self._unpack_state: Callable[[bytes], tuple[int, ...]] = struct.Struct(f"{shape.state_words}q").unpack
        self._pack_state: Callable[..., bytes] = struct.Struct(f"{shape.state_words}q").pack
        self._unpack_joint: Callable[[bytes], tuple[int, ...]] = struct.Struct(f"{shape.players + 1}q").unpack

    def initial(self) -> bytes:
        """Return the initial state."""
        return self._pack_state(*self._plain.initial())

    def actors(self, state: bytes) -> int:
        """Return who acts.

        Raises:
            RulesFault: the rules fail in finding it, or failed in the transition to this state.
        """
        words = self._unpack_state(state)
        if words[FAULT_WORD]:
            self._plain.raise_fault(words[FAULT_WORD])
        return self._plain.actors(words)

    def legal(self, state: bytes, player: int) -> tuple[int, ...]:
        """Return a player's legal actions in ascending order."""
        return tuple(self._plain.legal(self._unpack_state(state), player))

    def chance(self, state: bytes) -> list[tuple[int, float]]:
        """Return the chance outcomes with their probabilities."""
        return self._plain.chance(self._unpack_state(state))

    def outcome_probability(self, state: bytes, outcome: int) -> None:
        """Return None: plain Python lists the outcomes."""

    def sample_chance(self, state: bytes, rng: list[int]) -> int:
        """Draw a chance outcome."""
        return self._plain.sample_chance(self._unpack_state(state), rng)

    def advance(self, old: bytes, joint: bytes, /) -> TransitionResult:
        """Return the state after a joint action, of which nothing is known yet.

        Raises:
            RulesFault: the rules fail in this transition.
        """
        words = self._plain.step(self._unpack_state(old), self._unpack_joint(joint))
        return self._pack_state(*words), None, ()

    def observe(self, old: bytes, new: bytes, joint: bytes, player: int) -> tuple[int, ...]:
        """Return the words of what a transition tells a player."""
        before, after = self._unpack_state(old), self._unpack_state(new)
        return tuple(self._plain.observe(before, after, self._unpack_joint(joint), player))

    def utility(self, state: bytes) -> tuple[float, ...]:
        """Return the utilities of a terminal state."""
        return tuple(self._plain.utility(self._unpack_state(state)))

    def estimate(self, state: bytes) -> tuple[float, ...] | None:
        """Return the rules' estimate of a state."""
        estimate = self._plain.estimate(self._unpack_state(state))
        return None if estimate is None else tuple(estimate)
