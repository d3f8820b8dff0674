"""Checks of names of values, of their elements and attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn, TypeAlias, cast

from msgspec.structs import replace

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.coercion import described, expect, plain, set_of_directions
from ggp.language.check.expressions.arrays import index_values, limit_listed, listed_text
from ggp.language.check.expressions.cells import cell_named, cells_as_written, cells_meant, cells_named
from ggp.language.check.expressions.indices import (
    argument_types,
    array_indices,
    indices_of,
    invoke,
    of_vector,
    selected,
)
from ggp.language.check.expressions.sequence_functions import given_by
from ggp.language.check.expressions.sequences import as_sequence, kept, place_of
from ggp.language.check.expressions.sequences import attribute as of_sequence
from ggp.language.check.scope import (
    Damaged,
    Entry,
    Meaning,
    Meant,
    Recorded,
    Selection,
    SequenceFunction,
    SequenceValue,
    SequenceVariable,
    Vector,
)
from ggp.language.diagnostics import suggestions
from ggp.language.text.source import Span
from ggp.language.typed import Constant, Expression, Function, Symbol, Table, Variable
from ggp.language.typed.types import (
    BOOL,
    DIRECTION,
    ArrayType,
    CellType,
    EnumType,
    IntType,
    MoveType,
    OptionType,
    ScalarType,
    SetType,
    Type,
    codes,
    size,
    type_text,
)
from ggp.language.typed.walk import walk


def name(checking: Checking, node: syntax.Name, hint: Type | None) -> Expression:
    """Check a name that stands for a value."""
    entry = known(checking, node.text, node.span)
    if entry is None:
        return _member(checking, node, hint)
    match entry.meaning:
        case Meant(type_):
            return _whole_type(checking, node, type_)
        case Variable() as variable:
            _may_read_state(checking, node)
            return checking.make(typed.StateRead(variable, (), variable.type, node.span))
        case SequenceVariable(indices=()) as found:
            _may_read_state(checking, node)
            return kept(checking, found, (), node.span)
        case SequenceVariable(items=variable):
            # all of them, which can only be kept, told or compared as a whole
            _may_read_state(checking, node)
            return checking.make(typed.StateRead(variable, (), variable.type, node.span))
        case SequenceValue(kept=(SequenceFunction() as function, arguments)):
            return cast("Expression", given_by(checking, function, arguments, node.span))
        case SequenceFunction(size=function):
            _needs_indices(checking, node, function)
        case SequenceValue() as sequence:
            return cast("Expression", replace(sequence, span=node.span))
        case Table() as table:
            return checking.make(typed.TableRead(table, (), table.type, node.span))
        case Function() as function:
            if function.arguments:
                _needs_indices(checking, node, function)
            return invoke(checking, function, (), node.span)
        case Vector() as vector:
            shown = ", ".join(map(type_text, indices_of(vector)))
            checking.fail(
                node.span, f"`{node.text}` stands for one value for each {shown}", f"write `{node.text}[...]`"
            )
        case Selection(symbols):
            if isinstance(symbols[0].type, ArrayType):
                checking.fail(node.span, f"`{node.text}` stands for one set for each player", f"write `{node.text}[p]`")
            return selected(checking, symbols, None, node.span)
        case Recorded():
            checking.fail(node.span, f"`{node.text}` is a history, not a value", f"write `repeats({node.text})`")
        case Damaged():
            raise AssertionError("known() gives no damaged entries")
        case expression:
            if isinstance(expression, Constant):
                return checking.constant(expression.value, expression.type, node.span)
            if isinstance(expression, typed.Local | typed.Call):
                return checking.make(replace(expression, span=node.span))
            return expression  # an item of a sequence that is run over


def _needs_indices(checking: Checking, node: syntax.Name, function: Function) -> NoReturn:
    form = f"{node.text}[...]" if function.is_let else f"{node.text}(...)"
    each = ", ".join(type_text(argument.type) for argument in function.arguments)
    checking.fail(node.span, f"`{node.text}` stands for one value for each {each}", f"write `{form}`")


def known(checking: Checking, text: str, span: Span) -> Entry | None:
    """Return the entry of a name and mark it used; None if it has none. A damaged one gives up what contains it."""
    entry = checking.names.lookup(text)
    if entry is None:
        if text in checking.names.damaged:
            raise Invalid
        return None
    checking.names.use(entry, span)
    if isinstance(entry.meaning, Damaged):
        raise Invalid
    if entry.confined is not None and entry.confined != checking.kind:
        if entry.span in checking.misplaced:
            raise Invalid
        checking.misplaced.add(entry.span)
        kinds = (entry.confined, *entry.also)
        checking.fail(
            span,
            f"`{text}` has a value only where {' or '.join(f'`{kind}`' for kind in kinds)} was chosen",
            f"write what depends on it behind {' and '.join(f'`on {kind}:`' for kind in kinds)}",
            [(entry.span, f"`{text}` was declared here")],
        )
    return entry


def _member(checking: Checking, node: syntax.Name, hint: Type | None) -> Expression:
    """Check a name without a declaration: a member of an enumeration, a direction, `move`, `bool`, or a mistake."""
    if node.text == "move" and checking.choosers:
        return _move(checking, node, None)
    if node.text == "bool":
        return checking.full_set(BOOL, node.span)
    candidates = checking.names.members.get(node.text, [])
    wanted = _scalar(hint)
    for type_, code in candidates:
        if type_ == wanted:
            return _mentioned(checking, type_, code, node.span)
    cell = cell_named(checking, node.text, wanted)
    if cell is not None and (cell[0] == wanted or not candidates):
        return checking.constant(cell[1], cell[0], node.span)
    if len(candidates) == 1:
        return _mentioned(checking, *candidates[0], node.span)
    if candidates:
        types = [type_ for type_, _ in candidates]
        if not checking.names.confuse(*types):
            raise Invalid
        owners = " and ".join(f"`{type_text(type_)}`" for type_ in types)
        own = [type_ for type_ in types if type_ != DIRECTION]
        meant = [text for text in map(set_of_directions, own) if text and own != types]
        advice = meant[0] if meant else f"call it otherwise in `{type_text(own[-1])}`"
        checking.fail(node.span, f"`{node.text}` is a member of {owners}, and it is not clear which is meant", advice)
    if boards := cells_named(checking, node.text):
        owners = " and ".join(f"`{board.name}`" for board, _ in boards)
        forms = " or ".join(
            f"`{board.name}({code % board.width + 1}, {code // board.width + 1})`" for board, code in boards
        )
        checking.fail(
            node.span, f"`{node.text}` is a cell of {owners}, and it is not clear which is meant", f"write {forms}"
        )
    if node.text in checking.later:
        checking.fail_later(node.text, node.span)
    if node.text == "move":
        checking.fail(
            node.span,
            "`move` is not a value: it can only be told, with `sees`",
            "name the choice itself; what follows from one kind of move stands behind `on KIND:`",
        )
    if node.text in checking.kinds:
        checking.fail(
            node.span,
            f"`{node.text}` is a kind of move, not a value",
            "`sees ...: move` tells what was chosen"
            if checking.choosers
            else f"what follows from it stands behind `on {node.text}:`",
        )
    if node.text in checking.choice_indices:
        checking.fail(
            node.span,
            f"`{node.text}` stands for one value only in the set that is chosen or drawn from",
            f"all are chosen or drawn together; a condition of each is `all {node.text} in ...: ...`",
        )
    if node.text in checking.chosen:
        message = f"`{node.text}` has no value before it is chosen or drawn"
        checking.fail(node.span, message, "what reads it stands below that line")
    near = foreign_name(node.text) or cells_meant(checking, node.text) or meant_by(checking, node.text, hint)
    checking.fail(node.span, f"unknown name `{node.text}`", near)


_FOREIGN = {
    **dict.fromkeys(("true", "false", "True", "False"), "truth values are written `yes` and `no`"),
    **dict.fromkeys(("null", "None", "nil", "undefined"), "where there is no value, write `none`"),
    "empty": "the empty set is `{}`; where there is no value, write `none`",
    **dict.fromkeys(("opponent", "opp", "enemy"), "`other(p)` is the opponent of p"),
    **dict.fromkeys(("up", "down"), "directions are called `north`, `northeast`, `east` and so on"),
    "turn": "whose turn it is stands in the state: `turn: player = x`, if `x` begins",
}


def foreign_name(text: str) -> str | None:
    """Return what is written here for a name of other languages; None for other names."""
    return _FOREIGN.get(text)


def meant_by(checking: Checking, text: str, hint: Type | None = None) -> str | None:
    """Return a hint naming the values that an unknown name may have been meant for; None where nothing is near."""
    wanted = _scalar(hint)
    visible = [entry.name for entry in checking.names.visible() if not isinstance(entry.meaning, Meant | Damaged)]
    visible = [other for other in visible if _is_value(checking, other)]
    own = list(wanted.members) if isinstance(wanted, EnumType) else list(checking.names.members)
    return suggestions(text, [*visible, *own, *_VALUE_WORDS])


def is_unknown(checking: Checking, text: str) -> bool:
    """Return whether no declaration above or below, right or wrong, has a name, and no board a cell of it."""
    names = checking.names
    elsewhere = (names.members, names.damaged, names.reserved, checking.later)
    if names.lookup(text) is not None or any(text in place for place in elsewhere):
        return False
    return not any(cells_as_written(checking, text))


def _mentioned(checking: Checking, type_: EnumType, code: int, span: Span) -> Expression:
    checking.names.types_of_used_members.add(type_)
    checking.names.used_members.add((type_, code))
    checking.names.uses.setdefault(span, checking.names.member_places[type_, code])
    return checking.constant(code, type_, span)


_VALUE_WORDS = ("all", "none", "yes", "no")


def _is_value(checking: Checking, text: str) -> bool:
    entry = checking.names.lookup(text)
    return entry is not None and not (isinstance(entry.meaning, Function) and not entry.meaning.is_let)


def _scalar(hint: Type | None) -> Type | None:
    match hint:
        case OptionType(inner):
            return inner
        case SetType(element) | ArrayType(_, element):
            return _scalar(element)
    return hint


def _whole_type(checking: Checking, node: syntax.Name, type_: Type) -> Expression:
    """Check a type used as a value: the set of all its values."""
    if isinstance(type_, SetType | OptionType | ArrayType):
        checking.fail(node.span, f"`{node.text}` is a type, not a value")
    scalar = cast("ScalarType", type_)
    return checking.full_set(scalar, node.span)


def _may_read_state(checking: Checking, node: syntax.Name) -> None:
    if checking.mode == "constant":
        checking.fail(
            node.span,
            f"`{node.text}` is part of the state, and this must be known before play",
            "it may depend on parameters, types and tables",
        )


def _move(checking: Checking, node: syntax.Name, player: Expression | None) -> Expression:
    each = any(chooser.binder is not None for chooser in checking.choosers) or len(checking.choosers) > 1
    if each and player is None:
        checking.fail(node.span, "several players move here", "write `move[p]` for the move of player `p`")
    if not each and player is not None:
        checking.fail(node.span, "one player moves here", "write `move` alone")
    return checking.make(typed.MoveRead(player, MoveType(checking.phase or ""), node.span))


def indexed(checking: Checking, node: syntax.Indexed, hint: Type | None) -> Expression:
    """Check `base[i, j]`: an element of an array, or a `let` for one value of its indices."""
    base = node.base
    if isinstance(base, syntax.Name):
        entry = known(checking, base.text, base.span)
        if entry is None and base.text == "move" and checking.choosers and len(node.indices) == 1:
            assert checking.players is not None
            player = expect(checking, node.indices[0], checking.players, "whose move")
            return _move(checking, base, player)
        found = _elements(checking, base, entry.meaning) if entry is not None else None
        if found is not None:
            types, read = found
            return read(array_indices(checking, base.text, types, node.indices, node.span), node.span)
        if entry is not None and isinstance(entry.meaning, Function) and entry.meaning.arguments:
            checking.fail(node.span, f"`{base.text}` is a definition", f"write `{base.text}(...)`")
    array = checking.infer(base)
    sequence = as_sequence(array)
    if sequence is not None:
        return place_of(checking, node, sequence)
    if not isinstance(array.type, ArrayType):
        checking.fail(node.span, f"this is {described(array.type)}, and only arrays can be indexed")
    shown = base.text if isinstance(base, syntax.Name) else "this array"
    indices = array_indices(checking, shown, array.type.indices, node.indices, node.span)
    return checking.make(typed.Index(array, indices, array.type.element, node.span))


_Read: TypeAlias = Callable[[tuple[Expression, ...], Span], Expression]


def _elements(checking: Checking, node: syntax.Name, meaning: Meaning) -> tuple[tuple[ScalarType, ...], _Read] | None:
    """Return the types of the indices that a name is read with, and how; None where it has no elements."""
    if isinstance(meaning, Variable | SequenceVariable):
        _may_read_state(checking, node)
    match meaning:
        case Variable(type=ArrayType(types, element)):
            return types, lambda indices, span: checking.make(typed.StateRead(meaning, indices, element, span))
        case SequenceVariable(indices=(_, *_) as types):
            return types, lambda indices, span: kept(checking, meaning, indices, span)
        case Table(type=ArrayType(types, element)):
            return types, lambda indices, span: checking.make(typed.TableRead(meaning, indices, element, span))
        case Vector():
            return indices_of(meaning), lambda indices, span: of_vector(checking, node.text, meaning, indices, span)
        case Selection(symbols=(Symbol(type=ArrayType(types)), *_) as symbols):
            return types, lambda indices, span: selected(checking, symbols, indices[0], span)
        case SequenceFunction(size=Function(arguments=symbols)):
            return argument_types(symbols), lambda indices, span: cast(
                "Expression", given_by(checking, meaning, indices, span)
            )
        case Function(arguments=(_, *_) as symbols, is_let=True):
            return argument_types(symbols), lambda indices, span: invoke(checking, meaning, indices, span)
    return None


def row(
    checking: Checking, node: syntax.Expression, what: str
) -> tuple[tuple[ScalarType, ...], list[tuple[str, Expression]]]:
    """Return the elements of `a[i]` where `a` has more indices, or of a `let` `a`, each with the other indices' text.

    The types of those other indices come with them; of anything else there are none.

    Args:
        checking: the check under way.
        node: the expression.
        what: what takes the elements, for the error where there are too many.
    """
    base, given = (node.base, node.indices) if isinstance(node, syntax.Indexed) else (node, ())
    if not isinstance(base, syntax.Name):
        return (), []
    entry = known(checking, base.text, base.span)
    meaning = entry.meaning if entry is not None else None
    is_let = isinstance(meaning, Function) and not isinstance(meaning.type, ArrayType)
    if meaning is None or not (is_let or (given and isinstance(meaning, Variable | Table | Vector))):
        return (), []
    types, read = _elements(checking, base, meaning) or ((), None)
    others = types[len(given) :]
    if read is None or not others:
        return (), []
    first = array_indices(checking, base.text, types[: len(given)], given, node.span)
    limit_listed(checking, others, what, node.span)
    values = index_values(checking, others, node.span)
    return others, [(listed_text(rest), read((*first, *rest), node.span)) for rest in values]


def _part(checking: Checking, node: syntax.Attribute, base: Expression, product: EnumType) -> Expression:
    """Check `card.rank`: a part of a value of a product type."""
    types, names = checking.products[product]
    if node.name.text not in names:
        wanted = " and ".join(f"`.{name}`" for name in names if name)
        found = f"{described(product)} has no `.{node.name.text}`"
        checking.fail(node.name.span, found, f"it has {wanted}" if wanted else "name the types it is made of")
    part = checking.names.lookup(node.name.text)
    if part is not None:
        checking.names.use(part, node.name.span)
    place = names.index(node.name.text)
    type_, stride = types[place], size(types[1])
    values = (codes(type_)[code // stride if place == 0 else code % stride] for code in codes(product))
    name = f"{product.name}.{node.name.text}"
    return checking.looked_up(name, ArrayType((product,), type_), values, (base,), node.span)


def _number(checking: Checking, member: Expression, type_: EnumType, span: Span) -> Expression:
    """Return the place of a member of an enumeration in the order of its declaration, from 1."""
    numbers = ArrayType((type_,), IntType(1, size(type_)))
    return checking.looked_up(f"{type_text(type_)}.number", numbers, range(1, size(type_) + 1), (member,), span)


def old(checking: Checking, node: syntax.Old, hint: Type | None) -> Expression:
    """Check `old x`: in `next`, a value of the state before the updates."""
    if checking.kept is None:
        checking.fail(node.span, "`old` can only be used in `next`", "elsewhere everything is read before the updates")
    kept, checking.kept = checking.kept, None
    try:
        value = checking.infer(node.operand, hint)
    finally:
        checking.kept = kept
    if isinstance(value, Constant):
        return value
    if not isinstance(value.type, ScalarType | OptionType | SetType):
        better = "write `old count(s)`, `old s.top`" if as_sequence(value) else "write `old x[i]`"
        checking.fail(value.span, f"`old` takes one value, found {described(value.type)}", better)
    inside = list(walk(value))
    bound = {part.symbol for part in inside if isinstance(part, typed.Local) and part.symbol.kind == "bound"}
    own = {binder.symbol for part in inside for binder in getattr(part, "binders", ())}
    if bound - own:
        name = min(symbol.name for symbol in bound - own)
        checking.fail(
            value.span,
            f"`old` cannot depend on `{name}`",
            "name the whole with a `let`, and write `old` before that name",
        )
    symbol = Symbol(f"old_{len(kept) + 1}", value.type, "choice", node.span)
    kept.append(typed.Kept(symbol, value, checking.kind))
    return checking.local(symbol, node.span)


def attribute(checking: Checking, node: syntax.Attribute, hint: Type | None) -> Expression:
    """Check `cell.x` and `cell.y`, the parts of a value of a product type, and the number of any other member."""
    base = plain(checking, checking.infer(node.base), f"`.{node.name.text}` needs a value")
    sequence = as_sequence(base)
    if sequence is not None:
        return of_sequence(checking, node, sequence)
    if node.argument is not None:
        name = node.name.text
        advice = f"values have no methods: write `f(x)` or an operator instead of `x.{name}(...)`"
        checking.fail(node.span, f"`.{name}` takes no argument", advice)
    if isinstance(base.type, EnumType):
        if base.type in checking.products:
            return _part(checking, node, base, base.type)
        if node.name.text == "number":
            return _number(checking, base, base.type, node.span)
    if not isinstance(base.type, CellType) or node.name.text not in ("x", "y"):
        found = f"{described(base.type)} has no `.{node.name.text}`"
        checking.fail(node.name.span, found, "a cell has `.x` and `.y`, a member of an enumeration `.number`")
    side = base.type.width if node.name.text == "x" else base.type.height
    return checking.make(typed.CellCoordinate(base, "x" if node.name.text == "x" else "y", IntType(1, side), node.span))
