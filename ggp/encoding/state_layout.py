"""Where everything of a game lies in words: the state's variables, the numbers of actions and of chance outcomes.

Used by the generated code, by the interpreter, and wherever numbers are turned back into texts. The numbering itself is
described in docs/architecture.md, "Layout of a state" and "Actions and chance outcomes".
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import cached_property

from ggp.arithmetic.words import signed
from ggp.encoding.arrays_as_sets import as_sets, from_sets, kept_as_sets
from ggp.encoding.numbering import Block, action_blocks, outcome_block
from ggp.encoding.observation_encoding import Told, told_values
from ggp.faults import LimitExceeded
from ggp.language import typed
from ggp.language.limits import MAX_LEGAL_ACTIONS, MAX_OUTCOMES, MAX_STATE_WORDS
from ggp.language.typed.types import (
    ArrayType,
    MoveType,
    OptionType,
    ScalarType,
    SetType,
    TextType,
    Type,
    array_length,
    lowest,
    size,
)

FIRST_VARIABLE_WORD = 2

MAX_OBSERVATION_WORDS = 65_536
MANY_OUTCOMES = 64
"""Of more that are equally likely, native code also tells how probable a given one is."""
MAX_TEXTS_KEPT = 100_000
"""Texts of actions that are kept once made; a manager writes the same ones thousands of times a second."""


def set_words(element: ScalarType) -> int:
    """Return how many words a set of `element` takes."""
    return (size(element) + 63) // 64


def none_code(inner: ScalarType) -> int:
    """Return the word that stands for none in an option of `inner`."""
    return lowest(inner) - 1


def element_words(type_: Type) -> int:
    """Return how many words one value of a type without indices takes."""
    return set_words(type_.element) if isinstance(type_, SetType) else 1


def type_words(type_: Type) -> int:
    """Return how many words a value takes; an array row-major, element after element."""
    if isinstance(type_, ArrayType):
        return array_length(type_) * element_words(type_.element)
    return element_words(type_)


def word_ranges(type_: Type) -> list[tuple[int, int]]:
    """Return the lowest and the highest number that each word of a value can be, as `encode_value` writes them."""
    match type_:
        case ArrayType():
            return word_ranges(type_.element) * array_length(type_)
        case SetType(element):
            whole, rest = divmod(size(element), 64)
            return [(-(1 << 63), (1 << 63) - 1)] * whole + [(0, (1 << rest) - 1)] * (rest > 0)
        case OptionType(inner):
            return [(none_code(inner), lowest(inner) + size(inner) - 1)]
    assert isinstance(type_, ScalarType)
    return [(lowest(type_), lowest(type_) + size(type_) - 1)]


def encode_set(element: ScalarType, members: frozenset[int]) -> list[int]:
    """Return the signed words of a set of codes: bit `position` of the whole is set for each member."""
    mask = 0
    for member in members:
        mask |= 1 << (member - lowest(element))
    return [signed(mask >> (64 * word)) for word in range(set_words(element))]


def encode_value(type_: Type, value: typed.Value) -> list[int]:
    """Return the words of a value, see `decode_value`."""
    if isinstance(type_, ArrayType):
        assert isinstance(value, tuple)
        return [word for element in value for word in encode_value(type_.element, element)]
    if isinstance(type_, SetType):
        assert isinstance(value, frozenset)
        return encode_set(type_.element, value)
    if isinstance(type_, OptionType) and value is None:
        return [none_code(type_.inner)]
    assert isinstance(value, int), (type_, value)
    return [value]


def decode_value(type_: Type, words: Sequence[int]) -> typed.Value:
    """Return the value that begins in `words[0]`: scalars are codes, sets frozensets, arrays flat tuples."""
    if isinstance(type_, ArrayType):
        step = element_words(type_.element)
        return tuple(decode_value(type_.element, words[step * i :]) for i in range(array_length(type_)))
    if isinstance(type_, SetType):
        mask = sum((word & 0xFFFF_FFFF_FFFF_FFFF) << (64 * i) for i, word in enumerate(words[: element_words(type_)]))
        low = lowest(type_.element)
        return frozenset(low + i for i in range(size(type_.element)) if mask >> i & 1)
    if isinstance(type_, OptionType) and words[0] == none_code(type_.inner):
        return None
    return words[0]


class Layout:
    """The numbers of one game. Every attribute follows from the typed game alone."""

    def __init__(self, game: typed.Game) -> None:
        """Give every variable, action and outcome of a game its number.

        Raises:
            LimitExceeded: the state, or a list of actions, outcomes or observation words, would be too large.
        """
        self.game = game
        self.phase_index = {phase.name: i for i, phase in enumerate(game.phases)}
        self.end = len(game.phases)
        self.kept_as_sets = kept_as_sets(game)
        """The arrays that the state keeps as sets, each with the array of sets that stands for it."""
        self.offset: dict[typed.Variable, int] = {}
        """Where each variable begins, and each of those that stand for others."""
        at = FIRST_VARIABLE_WORD
        for variable in game.variables:
            stored = self.kept_as_sets.get(variable, variable)
            self.offset[variable] = self.offset[stored] = at
            at += type_words(stored.type)
        self.state_words = at
        _limit("words of state", at, MAX_STATE_WORDS)
        self.choice_blocks = action_blocks(game)
        """`[phase][chooser][kind]`; empty for a chance phase."""
        self.outcome_blocks: tuple[Block | None, ...] = tuple(
            None if phase.chance is None else outcome_block(phase.chance.components) for phase in game.phases
        )
        """`[phase]`; None where players act."""
        self.texts = tuple(dict.fromkeys(_texts(game)))
        """The constant texts that observations can show, numbered by position."""
        self.told = told_values(game, self.texts)
        """How what players are told is written, `[phase][sees][value]`."""
        self.headings = {told.heading: told for told in itertools.chain(*itertools.chain.from_iterable(self.told))}
        """How to read each value of an observation, by the tag before it."""
        self._action_texts: dict[int, str] = {}

    @cached_property
    def action_limit(self) -> int:
        """A: no player ever has more legal actions at once."""
        most = 1
        for blocks in itertools.chain.from_iterable(self.choice_blocks):
            most = max(most, sum(typed.combinations(block.components) for block in blocks))
        return _limit("legal actions at once", most, MAX_LEGAL_ACTIONS)

    def has_many_outcomes(self, phase: typed.Phase) -> bool:
        """Return whether a phase has many outcomes, equally likely and drawn part by part."""
        block, chance = self.outcome_blocks[self.phase_index[phase.name]], phase.chance
        if block is None or chance is None or chance.weight is not None:
            return False
        return block.count > MANY_OUTCOMES and (chance.successive or len(chance.components) == 1)

    @cached_property
    def outcome_limit(self) -> int:
        """C: chance never has more outcomes at once."""
        most = 1
        for phase, block in zip(self.game.phases, self.outcome_blocks, strict=True):
            if block is not None:
                what = f"chance outcomes at once in phase `{phase.name}`"
                most = max(most, _limit(what, typed.combinations(block.components), MAX_OUTCOMES))
        return most

    @cached_property
    def observation_limit(self) -> int:
        """O: no observation has more words."""
        most = max((sum(map(told_words, itertools.chain(*phase))) for phase in self.told), default=0)
        return _limit("words of observation", max(most, 1), MAX_OBSERVATION_WORDS)

    def initial_words(self) -> list[int]:
        """Return the initial state."""
        words = [0, 0]
        for variable in self.game.variables:
            words += self.variable_words(variable, variable.initial)
        return words

    def word_ranges(self, faults: int) -> list[tuple[int, int]]:
        """Return the lowest and the highest number that each word of a state can be, of a game with so many faults."""
        stored = (self.kept_as_sets.get(variable, variable).type for variable in self.game.variables)
        return [(0, self.end), (0, faults), *itertools.chain.from_iterable(map(word_ranges, stored))]

    def variable_words(self, variable: typed.Variable, value: typed.Value) -> list[int]:
        """Return the words of a variable's value in a state."""
        if (stored := self.kept_as_sets.get(variable)) is None:
            return encode_value(variable.type, value)
        assert isinstance(variable.type, ArrayType)
        return encode_value(stored.type, as_sets(variable.type, value))

    def variable_value(self, words: Sequence[int], variable: typed.Variable) -> typed.Value:
        """Return the value of a variable in a state."""
        offset, stored = self.offset[variable], self.kept_as_sets.get(variable, variable)
        value = decode_value(stored.type, words[offset : offset + type_words(stored.type)])
        if stored is variable:
            return value
        assert isinstance(variable.type, ArrayType)
        return from_sets(variable.type, value)

    def action_block(self, action: int) -> Block:
        """Return the block an action belongs to; KeyError if the game has no such action."""
        for blocks in itertools.chain.from_iterable(self.choice_blocks):
            for block in blocks:
                if block.base <= action < block.base + block.count:
                    return block
        raise KeyError(action)

    def action_text(self, action: int) -> str:
        """Return an action's text; an action without name and components is called as its phase is.

        Raises:
            KeyError: the game has no such action.
        """
        text = self._action_texts.get(action)
        if text is None:
            text = self.action_block(action).text(action)
            if len(self._action_texts) < MAX_TEXTS_KEPT:
                self._action_texts[action] = text
        return text

    def parse_action(self, text: str, phase: int) -> tuple[int, ...]:
        """Return the actions of a phase that a text names: none, or one."""
        found = [block.parse(text) for block in itertools.chain.from_iterable(self.choice_blocks[phase])]
        return tuple(dict.fromkeys(action for action in found if action is not None))

    def outcome_text(self, outcome: int, phase: int) -> str:
        """Return a chance outcome's text: the drawn values, blank-separated.

        Raises:
            LookupError: chance has no such outcome in this phase.
        """
        block = self.outcome_blocks[phase]
        if block is None or not block.base <= outcome < block.base + block.count:
            raise LookupError(outcome)
        return block.text(outcome)


def told_words(told: Told) -> int:
    """Return how many words of an observation one value takes, its heading included."""
    return 1 + type_words(told.type)


def encode_told(told: Told, type_: Type, value: typed.Value) -> list[int]:
    """Return the words of one value in an observation, its heading included; of a text or action its number.

    Args:
        told: how it is written.
        type_: the type of the expression that gave it.
        value: as in `ggp.language.typed.types`; an action's number, or -1 for none.
    """
    if told.places is not None:
        assert value is None or isinstance(value, int)
        return [told.heading, told.places[0 if value is None else value + isinstance(type_, OptionType)]]
    if isinstance(type_, (TextType, MoveType)):
        assert isinstance(value, int)
        return [told.heading, value]
    return [told.heading, *encode_value(told.type, value)]


def _limit(what: str, needed: int, limit: int) -> int:
    if needed > limit:
        raise LimitExceeded(what, needed, limit)
    return needed


def _texts(game: typed.Game) -> Iterator[str]:
    """Yield every constant text inside the values of `sees`."""
    for phase in game.phases:
        for sees in phase.sees:
            for value in sees.values:
                yield from _texts_in(value)


def _texts_in(value: typed.Expression) -> Iterator[str]:
    match value:
        case typed.Constant(text, TextType()):
            assert isinstance(text, str)
            yield text
        case typed.If(_, then, otherwise):
            yield from _texts_in(then)
            yield from _texts_in(otherwise)
