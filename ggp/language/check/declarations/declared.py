"""Checks of the statements of a file, phases apart: players, types, tables, state, definitions, payoff."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.coercion import coerce, constant_integer, is_finite, number
from ggp.language.check.declarations.table_files import ReadText, values_from_file
from ggp.language.check.expressions.arrays import whole_value
from ggp.language.check.expressions.definitions import declare_symbols
from ggp.language.check.expressions.sequences import sequences
from ggp.language.check.scope import Meant
from ggp.language.check.type_names import index_type, meant_type, most_declared
from ggp.language.limits import MAX_ARRAY, MAX_BOARD_SIDE, MAX_PLAYERS, MAX_SET, MAX_TABLES
from ggp.language.text.source import Span
from ggp.language.typed import Constant, Expression, Symbol
from ggp.language.typed.types import (
    DIRECTION,
    ArrayType,
    CellType,
    EnumType,
    IntType,
    OptionType,
    RealType,
    ScalarType,
    SequenceType,
    SetType,
    Type,
    array_length,
    codes,
    size,
)

Made = TypeVar("Made")


def players(checking: Checking, node: syntax.Players) -> None:
    """Make the players known: an enumeration called `player`."""
    if checking.players is not None:
        checking.fail(node.span, "the players are declared twice")
    words = [word for declared in node.declared for word in _player_names(checking, declared)]
    names = tuple(word.text for word in words)
    if len(names) > MAX_PLAYERS:
        checking.fail(node.span, f"a game has at most {MAX_PLAYERS} players, not {len(names)}")
    for position, word in enumerate(words):
        if word.text in names[:position]:
            checking.fail(word.span, f"two players are called `{word.text}`")
    checking.players = EnumType("player", names, "player")
    word = syntax.Word(node.span, "player")
    checking.names.declare(word, "type", Meant(checking.players)).used = True
    checking.names.declare_members(checking.players, tuple(words))


def _player_names(checking: Checking, node: syntax.DeclaredPlayers) -> tuple[syntax.Word, ...]:
    """Return the names of `seat[n]`: seat1, seat2, ...; without a number, the name alone."""
    if node.count is None:
        return (node.name,)
    count = constant_integer(checking, node.count, "the number of players")
    if not 1 <= count <= MAX_PLAYERS:
        checking.fail(node.count.span, f"a game has 1 to {MAX_PLAYERS} players, not {count}")
    return tuple(syntax.Word(node.name.span, f"{node.name.text}{number}") for number in range(1, count + 1))


def type_declaration(checking: Checking, node: syntax.TypeDeclaration) -> None:
    """Make the name of a type known."""
    checking.names.declare(node.name, "type", Meant(meant_type(checking, node.type, node.name.text)))


def board(checking: Checking, node: syntax.Board) -> None:
    """Make the type of a board's cells known, and with it the directions."""
    width, height = checking.several(
        lambda: constant_integer(checking, node.width, "the width of a board"),
        lambda: constant_integer(checking, node.height, "the height of a board"),
    )
    for side, at in ((width, node.width), (height, node.height)):
        if not 1 <= side <= MAX_BOARD_SIDE:
            checking.fail(at.span, f"the sides of a board are 1..{MAX_BOARD_SIDE} long, and this is {side}")
    if width * height > MAX_SET:
        checking.fail(node.span, f"a board of {width * height} cells is too large; the limit is {MAX_SET}")
    if not any(type_ == DIRECTION for known in checking.names.members.values() for type_, _ in known):
        words = tuple(syntax.Word(node.span, name) for name in DIRECTION.members)
        checking.names.declare_members(DIRECTION, words)
        checking.names.declare(syntax.Word(node.span, "direction"), "type", Meant(DIRECTION)).used = True
    checking.names.declare(node.name, "board", Meant(CellType(node.name.text, width, height)))


def table(checking: Checking, node: syntax.Table, read_text: ReadText) -> typed.Table:
    """Make a table known."""
    indices, symbols, words = _indices(checking, node.indices)
    element = meant_type(checking, node.element)
    if isinstance(element, SequenceType):
        checking.fail(node.element.span, "only variables are sequences", "write a table with the place as an index")
    type_ = _array(checking, node, indices, element)
    what = f"`{node.name.text}`"
    _count_elements(checking, node.span, array_length(type_))
    if node.file is not None:
        values = values_from_file(checking, node.file, type_, read_text)
    else:
        assert node.value is not None
        with checking.names.inner():
            declare_symbols(checking, words, symbols)
            values = cast("tuple[typed.Value, ...]", whole_value(checking, node.value, type_, what, symbols))
    members = sum(len(value) for value in values if isinstance(value, frozenset))
    _count_elements(checking, node.span, members)
    made = typed.Table(node.name.text, type_, values, node.name.span)
    checking.names.declare(node.name, "table", made)
    checking.tables[made.name] = made
    return made


def _count_elements(checking: Checking, span: Span, count: int) -> None:
    checking.table_elements += count
    if checking.table_elements > MAX_TABLES:
        checking.fail_once(
            span, f"the tables up to here have {checking.table_elements} elements; the limit is {MAX_TABLES}"
        )


def variable(checking: Checking, node: syntax.Variable) -> tuple[typed.Variable, ...]:
    """Make a variable of the state known, and return it; a sequence is kept in two."""
    indices, symbols, words = _indices(checking, node.indices)
    element = meant_type(checking, node.type)
    if isinstance(element, SequenceType):
        _array(checking, node, (*indices, IntType(1, element.most)), element.element)
    type_: Type = _array(checking, node, indices, cast("ScalarType", element)) if indices else element
    try:
        with checking.names.inner():
            declare_symbols(checking, words, symbols)
            initial = whole_value(checking, node.initial, type_, f"`{node.name.text}`", symbols)
            most = most_declared(checking, node.type)
            _check_sizes(checking, node, initial, most)
    except Invalid:
        # Its type is known, so that what uses it can be checked all the same.
        if isinstance(element, SequenceType):
            sequences(checking, node, indices, element, None)
            raise
        checking.names.declare(node.name, "variable", typed.Variable(node.name.text, type_, None, node.name.span))
        raise
    if isinstance(element, SequenceType):
        kept = sequences(checking, node, indices, element, initial)
        return kept.items, kept.size
    made = typed.Variable(node.name.text, type_, initial, node.name.span, most)
    checking.names.declare(node.name, "variable", made)
    return (made,)


def _check_sizes(checking: Checking, node: syntax.Variable, initial: typed.Value, most: int | None) -> None:
    """Report an initial set that is larger than its variable allows."""
    values = initial if isinstance(initial, tuple) else (initial,)
    largest = max((len(value) for value in values if isinstance(value, frozenset)), default=0)
    if most is not None and largest > most:
        checking.fail(node.initial.span, f"`{node.name.text}` has at most {most} members, and this has {largest}")


def state_words(type_: Type) -> int:
    """Return how many words of a state a variable takes."""
    match type_:
        case ArrayType(_, element):
            return array_length(type_) * state_words(element)
        case SetType(element):
            return -(-size(element) // 64)
    return 1


def _indices(
    checking: Checking, nodes: tuple[syntax.IndexDeclaration, ...]
) -> tuple[tuple[ScalarType, ...], tuple[Symbol, ...], tuple[syntax.Word | None, ...]]:
    if nodes:
        checking.limit_binders(nodes[0].span.to(nodes[-1].span), len(nodes), "indices")
    types = tuple(checking.each(lambda node: index_type(checking, node.type), nodes))
    words = tuple(node.name for node in nodes)
    symbols = tuple(
        Symbol(word.text if word else "", type_, "bound", node.span)
        for node, word, type_ in zip(nodes, words, types, strict=True)
    )
    return types, symbols, words


def _array(
    checking: Checking,
    node: syntax.Table | syntax.Variable,
    indices: tuple[ScalarType, ...],
    element: ScalarType | OptionType | SetType,
) -> ArrayType:
    type_ = ArrayType(indices, element)
    if array_length(type_) > MAX_ARRAY:
        checking.fail(node.span, f"`{node.name.text}` has {array_length(type_)} elements; the limit is {MAX_ARRAY}")
    return type_


def payoff(checking: Checking, node: syntax.Payoff) -> tuple[Expression, ...]:
    """Return a payoff or estimate: one real expression for each player."""
    if checking.players is None:
        raise Invalid
    if node.player.text in checking.players.members:
        if node.kind in checking.written_by_player:
            raise Invalid
        checking.written_by_player.add(node.kind)
        one = node.player.text
        checking.fail(
            node.player.span,
            f"the `{node.kind}` is written once for all players, not for `{one}`",
            f"write `{node.kind}[p] = if p == {one} then ... else ...`, in which `p` stands for each player",
        )

    def for_one() -> Expression:
        value = number(checking, node.body)
        type_ = cast("RealType", value.type)
        real = RealType(float(type_.low), float(type_.high))
        if not is_finite(real):
            checking.fail(
                node.body.span,
                f"no bounds can be proven for the `{node.kind}`",
                "bound it with `tanh`, or with `min` and `max`",
            )
        return coerce(checking, value, real, f"`{node.kind}` is a number")

    return for_each_player(checking, node.player, for_one)


def for_each_player(checking: Checking, word: syntax.Word, backend: Callable[[], Made]) -> tuple[Made, ...]:
    """Return what a backend makes while a name stands for each player in turn."""
    players_ = checking.players
    if players_ is None:
        raise Invalid

    def make(code: int) -> Made:
        with checking.names.inner():
            checking.names.declare(word, "name", checking.constant(code, players_, word.span)).used = True
            return backend()

    return tuple(checking.each(make, codes(players_)))


def payoff_sum(checking: Checking, node: syntax.PayoffSum) -> typed.StatedSum:
    """Return the stated sum of all payoffs."""
    value = number(checking, node.sum)
    if not isinstance(value, Constant):
        checking.fail(
            value.span, "the sum of the payoffs must be known before play", "it may depend on parameters alone"
        )
    return typed.StatedSum(float(cast("float", value.value)), node.span)
