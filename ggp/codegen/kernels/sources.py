"""The source of a function as a tree, and errors that point into it."""

from __future__ import annotations
import __future__

import ast
import linecache
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any

from ggp.codegen.kernels.types import NoType, Type, type_of_annotation

FUTURE = __future__.annotations.compiler_flag


class KernelError(Exception):
    """A function cannot be compiled as a kernel.

    Attributes:
        reason: what is wrong.
        file: where.
        line: where in it, from 1.
    """

    def __init__(self, reason: str, file: str, line: int) -> None:
        super().__init__(reason, file, line)
        self.reason, self.file, self.line = reason, file, line

    def __str__(self) -> str:
        source = linecache.getline(self.file, self.line).strip()
        return f"{self.file}:{self.line}: {self.reason}\n    {source}"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a kernel; `type` is None where its annotation leaves it to the argument."""

    name: str
    type: Type | None


@dataclass(frozen=True, slots=True)
class Signature:
    """The parameters of a kernel, and what it returns."""

    parameters: tuple[Parameter, ...]
    result: Type


def refused(function: Callable[..., Any], node: ast.AST | None, reason: str) -> KernelError:
    """Return the error that a place in a function cannot be compiled."""
    code = function.__code__
    return KernelError(reason, code.co_filename, getattr(node, "lineno", code.co_firstlineno))


@cache
def signature_of(function: Callable[..., Any]) -> Signature:
    """Return the parameters of a kernel, from its annotations.

    Raises:
        KernelError: an annotation is missing, or is of no type that kernels have.
    """
    code = function.__code__
    names = code.co_varnames[: code.co_argcount]
    if code.co_kwonlyargcount or code.co_flags & 0x0C:
        raise refused(function, None, "a kernel takes positional parameters only")
    if code.co_freevars:
        raise refused(
            function, None, f"a kernel has no variables of a function around it: {', '.join(code.co_freevars)}"
        )
    return Signature(tuple(Parameter(name, _annotated(function, name)) for name in names), _result_of(function))


def _result_of(function: Callable[..., Any]) -> Type:
    found = _annotated(function, "return")
    if found is None:
        raise refused(function, None, "the type of the result is left open")
    return found


def _annotated(function: Callable[..., Any], name: str) -> Type | None:
    if name not in function.__annotations__:
        raise refused(function, None, f"`{name}` has no annotation")
    annotation = function.__annotations__[name]
    try:
        if isinstance(annotation, str):
            annotation = eval(annotation, function.__globals__)
        return type_of_annotation(annotation)
    except NameError as error:
        raise refused(function, None, f"the annotation of `{name}` cannot be evaluated: {error}") from error
    except NoType as error:
        raise refused(function, None, f"the annotation of `{name}`: {error}") from error


def tree_of(function: Callable[..., Any]) -> ast.FunctionDef:
    """Return the source of a function as a tree.

    Raises:
        KernelError: there is no source, or it was changed after the function was loaded.
    """
    code = function.__code__
    source = _source_of(code.co_filename)
    node = source.functions.get(code.co_firstlineno)
    if node is None or not _same_code(source, node, code):
        raise refused(function, None, "the source is not there, or was changed since it was loaded")
    return node


@dataclass(frozen=True, slots=True)
class _Source:
    """A file: its functions by the line where each begins, with its decorators, and its imports."""

    functions: dict[int, ast.FunctionDef]
    imports: tuple[ast.stmt, ...]


@cache
def _source_of(file: str) -> _Source:
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError):
        return _Source({}, ())
    functions = {
        min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]): node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    }
    imports = tuple(node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
    return _Source(functions, imports)


def _same_code(source: _Source, node: ast.FunctionDef, code: CodeType) -> bool:
    """Return whether a function that was loaded comes from a tree: the file may have changed in between."""
    alone = ast.copy_location(ast.FunctionDef(**{**dict(ast.iter_fields(node)), "decorator_list": []}), node)
    # what is imported is called by other instructions
    module = ast.Module([*source.imports, alone], [])
    compiled = compile(module, code.co_filename, "exec", FUTURE, dont_inherit=True)
    constants = (constant for constant in compiled.co_consts if isinstance(constant, CodeType))
    found = next(constant for constant in constants if constant.co_name == code.co_name)  # not `__annotate__`
    return (found.co_code, found.co_consts, found.co_names) == (code.co_code, code.co_consts, code.co_names)
