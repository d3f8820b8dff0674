"""Entry points that write what the games of a batch show: masks of legal actions, tensors of states and observations.

Nearly all entries are 0 or 1. They are gathered as bits of words, and the words are written as bytes or floats by
vectors. `ggp.game.batch_views` has kernels that do the same for any game, by tables.

The layouts are those of `Feature` and `SeenFeatures`; N action numbers, T entries of a tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import Literal

from msgspec import Struct

from ggp.codegen.ir import build as ir
from ggp.codegen.ir.nodes import Call, Effect, Expression, Kind, Name
from ggp.encoding.features import Feature, SeenFeatures, tensor_width
from ggp.encoding.numbering import Block
from ggp.encoding.observation_encoding import Told
from ggp.language import typed
from ggp.language.typed.types import lowest
from ggp.native.interface import FAULTED, GOES_ON
from ggp.rules_compiler.emit import choices
from ggp.rules_compiler.emit.builder import Builder
from ggp.rules_compiler.emit.choices import PLAYER, Choice
from ggp.rules_compiler.emit.module import FAULT, GameModule, identifier
from ggp.rules_compiler.emit.observations import Write, write_observation
from ggp.rules_compiler.emit.operands import Bits, Memory, Operand, flat
from ggp.rules_compiler.emit.sets import bits
from ggp.rules_compiler.entry_points.batch_blocks import AT, FIRST, LAST, Games, part, phases_of
from ggp.rules_compiler.entry_points.entries import JOINT, NEW, OLD, EntryBuilder, finish_entry, settle
from ggp.rules_compiler.entry_points.playouts import STATE
from ggp.rules_compiler.size import known_codes

WORD = 64
MANY, WIDE = 512, 8192
"""Elements of an array, or entries of all of them, that are written in a loop: LLVM takes minutes for ten thousands of
statements in a row."""
STATES, ACTING, BEFORE, ENDS = ir.words("states"), ir.words("acting"), ir.words("before"), ir.words("ends")
JOINTS, STATUS, LENGTHS = ir.words("joint"), ir.words("status"), ir.words("lengths")
SHOWN = ir.words("shown")
"""The mask or tensor that is written, of bytes or floats."""
BEGIN = Name("begin", Kind.INT)
"""Where the entries of a game begin in it."""
FOUND = Name("found", Kind.INT)
"""The bits found so far, where a word holds all."""

MASK_PARAMETERS = (STATES, ACTING, SHOWN, PLAYER, FIRST, LAST)
TENSOR_PARAMETERS = (STATES, SHOWN, FIRST, LAST)
TOLD_PARAMETERS = (BEFORE, STATES, ENDS, JOINTS, STATUS, LENGTHS, SHOWN, PLAYER, FIRST, LAST)


class Shown(Struct, frozen=True):
    """What tensors and masks of a game hold.

    Attributes:
        actions: N.
        state: the features of a state, one behind the other.
        seen: the values that players can be told.
    """

    actions: int
    state: tuple[Feature, ...]
    seen: tuple[SeenFeatures, ...]


def write_views(module: GameModule, shown: Shown) -> None:
    """Write `mask`, `tensor` and `told`."""
    _write_mask(module, shown.actions)
    write_tensor(module, shown.state)
    _write_told(module, shown.seen)


class _Entries(Struct, frozen=True):
    """A game's entries: bytes (`flags`) or floats, how many, and whether they are gathered in `FOUND`."""

    kind: Literal["flags", "floats"]
    count: int
    in_word: bool

    def clear(self, b: Builder, begin: Expression, games: ir.Given = 1) -> None:
        """Write zeros, to the entries of some games."""
        b.effect(f"clear_{self.kind}", SHOWN, begin, ir.multiply(games, self.count))

    @contextmanager
    def marked(self, b: Builder) -> Iterator[None]:
        """Write what stands around the code that marks entries: after a fault none is marked."""

        def unmark() -> None:
            if self.in_word:
                b.set(FOUND, 0)
            else:
                self.clear(b, BEGIN)

        unmark()
        yield
        if FAULT in b.needs:
            with b.when(b.has_failed):
                unmark()
        if self.in_word:
            b.effect(f"put_{self.kind}", SHOWN, BEGIN, FOUND, self.count)


def _each(
    b: Builder, states: Name, functions: Mapping[int, str], entries: _Entries
) -> Iterator[tuple[str, Name, Name]]:
    """Write a loop over games: yield their phase's function, the game and where its entries begin; or write zeros."""
    phases: Sequence[int] = phases_of(b.module)
    at_once = entries.in_word and len(functions) < len(phases)
    with Games(b, sorted(functions) if at_once else phases, states).in_blocks() as games:
        if at_once:  # few entries: clearing them all takes less time than finding out whose have to be
            begin, behind = games.block
            entries.clear(b, ir.multiply(begin, entries.count), ir.subtract(behind, begin))
        for phase in games.phases:
            with games.in_phase(phase) as game:
                begin = b.start("begin", ir.multiply(game, entries.count))
                if phase in functions:
                    yield functions[phase], game, begin
                else:
                    entries.clear(b, begin)


# --- masks ------------------------------------------------------------------------------------------------------------


def _write_mask(module: GameModule, actions: int) -> None:
    """Write `mask`: the legal actions of a player, of the first who acts for -1, as N bytes a game."""
    entries = _Entries("flags", actions, in_word=actions <= WORD)
    phases = enumerate(module.game.phases)
    functions = {number: _write_mask_in(module, phase, entries) for number, phase in phases if phase.chance is None}
    b, words = Builder(module, "mask"), module.layout.state_words
    for function, game, begin in _each(b, STATES, functions, entries):
        acting = b.start("mask", ir.operation("larger", ir.entry(ACTING, game), 0))
        asked = ir.chosen(ir.compare("less", PLAYER, 0), ir.operation("lowest_bit", acting), PLAYER)
        who = b.start("who", asked)
        with b.when(ir.as_truth(ir.both(ir.operation("logical_right", acting, who), 1))):
            b.add(Effect(Call(function, (part(b, STATES, game, words), who, SHOWN, begin), None)))
        with b.otherwise():
            entries.clear(b, begin)
    module.finish("mask", MASK_PARAMETERS, [], b.body)


def _write_mask_in(module: GameModule, phase: typed.Phase, entries: _Entries) -> str:
    """Write the function that writes the mask of a player who acts in a phase; return its name."""
    b = EntryBuilder(module, module.unique(f"mask_{identifier(phase.name)}"))
    with entries.marked(b):
        for choice in choices.each_acting(b, phase):
            _mark_actions(b, choice, entries.in_word)
    finish_entry(b, [STATE, PLAYER, SHOWN, BEGIN], [], STATE)
    return b.name


def _mark_actions(b: Builder, choice: Choice, in_word: bool) -> None:
    """Write the marks of all legal actions of a chooser."""
    for kind, block in zip(choice.chooser.kinds, choice.blocks, strict=True):
        alone = sum(other.base == block.base for other in choice.blocks) == 1
        if alone and (domain := _whole_domain(kind, block)) is not None:
            first = block.base + lowest(kind.components[0].type) - lowest(block.types[0])
            for number, word in enumerate(bits(b, domain).words):
                left = block.base + block.count - first - WORD * number
                if in_word:
                    b.include(FOUND, ir.shift_left(word, first))
                else:
                    b.effect("put_flags", SHOWN, ir.add(BEGIN, first + WORD * number), word, min(WORD, left))
            continue

        def mark(block: Block = block) -> None:
            number = choices.number_of(b, block)
            if in_word:
                b.include(FOUND, ir.bit(number))
            else:
                b.effect("put_flags", SHOWN, ir.add(BEGIN, number), 1, 1)

        choices.each_action(b, kind, mark)


def _whole_domain(kind: typed.ActionKind, block: Block) -> typed.Expression | None:
    """Return the set of the only component's values, where all of them are legal and numbered in its order."""
    if kind.where is not None or len(kind.components) != 1 or block.places[0] is not None:
        return None
    domain = kind.components[0].domain
    return domain if isinstance(domain, typed.Expression) and known_codes(domain) is None else None


# --- tensors of states ------------------------------------------------------------------------------------------------


def write_tensor(module: GameModule, features: Sequence[Feature]) -> None:
    """Write `tensor`: each state as T floats, its features in the order given."""
    b, words, game = Builder(module, "tensor"), module.layout.state_words, Name("game", Kind.INT)
    width, players = sum(feature.width for feature in features), len(module.game.players.members)
    with b.repeat(game, FIRST, LAST):
        state, begin = part(b, STATES, game, words), b.start("begin", ir.multiply(game, width))
        stream = _BitStream(b, begin)
        for first, count in _runs(features):
            if count == 1:
                stream.put_feature(partial(ir.entry, state), first, players)
                continue
            start = stream.skip(first.width * count)
            with b.repeat(AT, 0, count):
                element = part(b, state, AT, _words_in(first))
                inner = _BitStream(b, b.start("begin", ir.add(start, ir.multiply(AT, first.width))))
                inner.put_feature(partial(ir.entry, element), first, players)
                inner.flush()
        stream.flush()
    module.finish("tensor", TENSOR_PARAMETERS, [], b.body)


def _runs(features: Iterable[Feature]) -> Iterator[tuple[Feature, int]]:
    """Yield features, each with how many it stands for: elements of a large array are written in a loop."""
    for _, numbered in groupby(enumerate(features), _alike):
        run = [feature for _, feature in numbered]
        if len(run) >= MANY or (len(run) > 1 and len(run) * run[0].width >= WIDE):
            yield run[0], len(run)
        else:
            yield from ((feature, 1) for feature in run)


def _words_in(feature: Feature) -> int:
    """Return how many words a feature's value has, where it is not kept as sets."""
    return (feature.size + WORD - 1) // WORD if feature.kind == "bits" else 1


def _alike(numbered: tuple[int, Feature]) -> tuple[object, ...]:
    """Return what elements of one array have in common, and no others that follow each other."""
    number, feature = numbered
    begin = feature.word - number * _words_in(feature)
    return feature.kind, feature.low, feature.size, feature.apart, begin, feature.turned


def _is_real(feature: Feature) -> bool:
    """Return whether a feature's entry may be other than 0 and 1."""
    return feature.kind == "scaled" and feature.size > 2


def _share(word: Callable[[int], Expression], feature: Feature) -> Expression:
    return ir.operation("real_over", ir.as_real(_value(word, feature)), ir.real(feature.size - 1))


def _value(word: Callable[[int], Expression], feature: Feature, done: int = 0) -> Expression:
    """Return up to 64 of a feature's entries, from one on; of a `scaled` one its value."""
    if feature.kind == "bits":
        return word(feature.word + done // WORD)
    if feature.apart:
        flags = [
            ir.both(ir.operation("logical_right", word(feature.word + number * feature.apart), feature.low), 1)
            for number in range(feature.sets)
        ]
        # without a set it is the first value
        first = feature.size - feature.sets
        value = ir.total(ir.multiply(flag, first + number) for number, flag in enumerate(flags))
    else:
        value = ir.subtract(word(feature.word), feature.low)
    if feature.kind != "one_hot":
        return value
    here = ir.subtract(value, done)
    if feature.size <= WORD:
        return ir.bit(here)
    inside = ir.conjunction([ir.compare("greater_equal", here, 0), ir.compare("less", here, WORD)])
    return ir.chosen(inside, ir.bit(here), 0)


class _BitStream:
    """Gathers entries of a tensor in a word, and writes the word when it is full.

    Args:
        b: the function that is being written.
        begin: where the entries begin.
    """

    def __init__(self, b: Builder, begin: Expression) -> None:
        self._b, self._begin = b, begin
        self._word: Expression = ir.ZERO
        self._count = self._written = 0

    def put(self, value: Expression, count: int) -> None:
        """Add the lowest bits of a word, at most 64; others may be set."""
        if count < WORD:
            value = ir.both(value, (1 << count) - 1)
        value = self._b.assign(value, "entries")
        self._word = ir.either(self._word, ir.shift_left(value, self._count))
        self._count += count
        if self._count >= WORD:
            left = self._count - WORD
            self._count = WORD
            self.flush()
            self._word = ir.shift_right(value, count - left) if left else ir.ZERO
            self._count = left

    def put_feature(self, word: Callable[[int], Expression], feature: Feature, players: int) -> None:
        """Add all entries of a feature of some words, in a game of so many players."""
        if _is_real(feature):
            self.put_real(_share(word, feature))
            return
        for done in range(0, feature.width, WORD):
            value = _value(word, feature, done)
            if feature.turned:
                value = self._turned(value, feature.width - players, players, feature.turned)
            self.put(value, min(WORD, feature.width - done))

    def _turned(self, value: Expression, before: int, players: int, first: int) -> Expression:
        """Return a word whose entries of players, behind some others, begin with those of one player."""
        value = self._b.assign(value, "entries")
        seats = self._b.assign(ir.both(ir.shift_right(value, before), (1 << players) - 1), "entries")
        seats = ir.either(ir.shift_right(seats, first), ir.shift_left(seats, players - first))
        seats = ir.both(seats, (1 << players) - 1)
        return ir.either(ir.both(value, (1 << before) - 1), ir.shift_left(seats, before))

    def skip(self, count: int) -> Expression:
        """Leave out entries, and return where they begin."""
        self.flush()
        self._written += count
        return ir.add(self._begin, self._written - count)

    def put_real(self, value: Expression) -> None:
        """Add an entry that may be any number."""
        self.flush()
        self._b.effect("put_float", SHOWN, ir.add(self._begin, self._written), value)
        self._written += 1

    def flush(self) -> None:
        """Write what has been gathered."""
        if self._count:
            self._b.effect("put_floats", SHOWN, ir.add(self._begin, self._written), self._word, self._count)
        self._written += self._count
        self._word, self._count = ir.ZERO, 0


# --- tensors of observations ------------------------------------------------------------------------------------------


def _write_told(module: GameModule, seen: Sequence[SeenFeatures]) -> None:
    """Write `told`: what each last transition told a player, as T floats."""
    width, by_heading = tensor_width(seen), {value.heading: value for value in seen}
    in_word = width <= WORD and not any(_is_real(feature) for value in seen for feature in value.features)
    entries, tell = _Entries("floats", width, in_word), _told_in_word if in_word else _told_in_memory

    def write(b: Builder, told: Told, result: Operand) -> None:
        tell(b, by_heading[told.heading], result)

    phases = enumerate(module.game.phases)
    functions = {number: _write_told_in(module, phase, entries, write) for number, phase in phases if phase.sees}
    b, words, players = Builder(module, "told"), module.layout.state_words, len(module.game.players.members)
    for function, game, begin in _each(b, BEFORE, functions, entries):
        goes_on = ir.equal(ir.entry(STATUS, game), GOES_ON)
        began = ir.conjunction([goes_on, ir.equal(ir.entry(LENGTHS, game), 0)])
        with b.when(ir.disjunction([ir.equal(ir.entry(STATUS, game), FAULTED), began])):
            entries.clear(b, begin)
        with b.otherwise():
            old, new, end = (part(b, row, game, words) for row in (BEFORE, STATES, ENDS))
            b.set(new, ir.chosen(goes_on, new, end))
            joint = part(b, JOINTS, game, players + 1)
            b.add(Effect(Call(function, (old, new, joint, PLAYER, SHOWN, begin), None)))
    module.finish("told", TOLD_PARAMETERS, [], b.body)


def _write_told_in(module: GameModule, phase: typed.Phase, entries: _Entries, write: Write) -> str:
    """Write the function that writes what a player is told after a phase, each value by `write`; return its name."""
    b = EntryBuilder(module, module.unique(f"told_{identifier(phase.name)}"), state=OLD)
    kind_tests = settle(b, phase, moves=True)
    with entries.marked(b):
        write_observation(b, phase, kind_tests, write)
    finish_entry(b, [OLD, NEW, JOINT, PLAYER, SHOWN, BEGIN], [], OLD)
    return b.name


def _memory_of(result: Operand) -> Memory | None:
    """Return where a value lies, if all its words lie there one after the other."""
    place = result.place if isinstance(result, Bits) else result
    return place if isinstance(place, Memory) else None


def _words_of(result: Operand) -> Callable[[int], Expression]:
    """Return what gives the words of a value."""
    if (memory := _memory_of(result)) is not None:
        return memory.entry
    parts = flat(result)
    return lambda at: ir.as_integer(parts[at])


def _told_in_word(b: Builder, seen: SeenFeatures, result: Operand) -> None:
    """Write that a value was told, and the value, as bits; told again, the last counts, of `one_hot` features all."""
    word = _words_of(result)
    b.include(FOUND, ir.word(1 << seen.at))
    for feature in seen.features:
        value = _value(word, feature)
        if feature.kind != "one_hot":
            b.set(FOUND, ir.both(FOUND, ir.word(~((1 << feature.width) - 1 << feature.at))))
            value = ir.both(value, ir.word((1 << feature.width) - 1))
        b.include(FOUND, ir.shift_left(value, feature.at))


def _told_in_memory(b: Builder, seen: SeenFeatures, result: Operand) -> None:
    """Write that a value was told, and the value, to the tensor."""
    b.effect("put_float", SHOWN, ir.add(BEGIN, seen.at), ir.real(1))
    memory = _memory_of(result)
    for first, count in ((feature, 1) for feature in seen.features) if memory is None else _runs(seen.features):
        if count == 1:
            _put_feature(b, _words_of(result), first, ir.add(BEGIN, first.at))
            continue
        assert memory is not None
        with b.repeat(AT, 0, count):
            element = memory.at(ir.multiply(AT, _words_in(first)))
            _put_feature(b, element.entry, first, ir.add(ir.add(BEGIN, first.at), ir.multiply(AT, first.width)))


def _put_feature(b: Builder, word: Callable[[int], Expression], feature: Feature, place: Expression) -> None:
    """Write the entries of a feature of some words, which are zeros, from a place on."""
    if feature.kind == "one_hot":
        b.effect("put_float", SHOWN, ir.add(place, ir.subtract(word(feature.word), feature.low)), ir.real(1))
    elif _is_real(feature):
        b.effect("put_float", SHOWN, place, _share(word, feature))
    else:
        for done in range(0, feature.width, WORD):
            value, left = _value(word, feature, done), feature.width - done
            b.effect("put_floats", SHOWN, ir.add(place, done), value, min(WORD, left))
