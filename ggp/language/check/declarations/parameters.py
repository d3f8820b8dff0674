"""Parameters: their declarations, and the values given for them from outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast

from msgspec import Struct

from ggp.language import syntax, typed
from ggp.language.check.checking import Checking, Invalid
from ggp.language.check.coercion import expect
from ggp.language.check.type_names import meant_type
from ggp.language.diagnostics import suggestions
from ggp.language.text.source import SourceFile
from ggp.language.typed.types import BoolType, EnumType, IntType, ScalarType, codes, lowest, scalar_text, type_text

Given: TypeAlias = "Mapping[str, str | int | bool]"
"""Values for parameters by name: as text, or as what they are in Python."""


class ParameterDeclaration(Struct, frozen=True):
    """A parameter as declared: for help texts and forms."""

    name: str
    type: ScalarType
    default: str
    comment: str


def parameter(checking: Checking, node: syntax.Parameter, given: Given, source: SourceFile) -> typed.Parameter:
    """Return a parameter bound to the value given for it, or to its default, and make its name known."""
    type_ = meant_type(checking, node.type)
    if not isinstance(type_, BoolType | IntType | EnumType):
        checking.fail(node.type.span, f"a parameter cannot be `{type_text(type_)}`", "a range, `{a, b}` or `bool`")
    try:
        default = expect(checking, node.default, type_, f"`{node.name.text}` takes {type_text(type_)}")
    except Invalid:
        # Its type is known, so that what uses it can be checked all the same.
        checking.names.declare(node.name, "parameter", checking.constant(lowest(type_), type_, node.name.span))
        raise
    if not isinstance(default, typed.Constant):
        # It reads nothing of the state, or that would have been reported.
        checking.fail_once(node.default.span, "this default takes too long to work out", "write it as a number")
    code = cast("int", default.value)
    value = code
    if node.name.text in given:
        # With a wrong value the check goes on with the default, so that one mistake stays one.
        with checking.attempt():
            value = _read(checking, node.name.text, type_, given[node.name.text], code)
    checking.names.declare(node.name, "parameter", checking.constant(value, type_, node.name.span))
    return typed.Parameter(node.name.text, type_, value, code, _comment(node, source))


def declaration(bound: typed.Parameter) -> ParameterDeclaration:
    """Return a parameter's declaration, without the value it is bound to."""
    return ParameterDeclaration(bound.name, bound.type, scalar_text(bound.type, bound.default), bound.comment)


def _read(checking: Checking, name: str, type_: ScalarType, given: str | int | bool, default: int) -> int:
    """Return the code of a value given from outside."""
    text = ("yes" if given else "no") if isinstance(given, bool) else str(given).strip()
    values_text = "yes or no" if isinstance(type_, BoolType) else type_text(type_)
    shown = f"parameter `{name}` takes {values_text}, and `{text}` is not one of them"
    match type_:
        case BoolType():
            values = {"yes": 1, "no": 0, "true": 1, "false": 0}
            if text.lower() in values:
                return values[text.lower()]
        case EnumType(_, members, _):
            if text in members:
                return members.index(text)
            checking.fail_outside(shown, suggestions(text, members) or f"its default is `{members[default]}`")
        case IntType():
            digits = text.removeprefix("-")
            if digits.isascii() and digits.isdigit() and len(digits) < 20 and int(text) in codes(type_):
                return int(text)
    checking.fail_outside(shown, f"its default is `{scalar_text(type_, default)}`")


def check_given(checking: Checking, given: Given, declared: tuple[str, ...], damaged: frozenset[str]) -> None:
    """Report values given for parameters that the game does not have."""
    for name in given:
        if name not in declared and name not in damaged:
            known = suggestions(name, declared)
            if known is None:
                known = "it has " + ", ".join(f"`{other}`" for other in declared) if declared else "it has none"
            checking.found.error(None, f"the game has no parameter `{name}`", known)


def _comment(node: syntax.Parameter, source: SourceFile) -> str:
    """Return the comment behind a parameter's declaration."""
    lines = source.text.split("\n")
    rest = lines[node.span.end_line - 1][node.span.end_column - 1 :].strip()
    return rest.lstrip("#").strip() if rest.startswith("#") else ""
