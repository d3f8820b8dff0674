"""The methods of `State` in which Python loops spend their time, written in LLVM's language for each game.

Each game has a class of states of its own, derived from `State`. Its methods read the fields of a state where Python
keeps them. `apply` makes the next state in one go: its row, who acts, what is legal, and the object itself. Everything
but the usual case goes to the method of `State` with the same name: actions given as text, keywords, faults, illegal
actions. So the methods here never raise anything themselves.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, TypeVar

from llvmlite import binding

from ggp.model.native.advance import (
    POINTER,
    WORD,
    MethodDefinition,
    Uses,
    loaded,
    new_module,
)
from ggp.model.native.interface import CHANCE
from ggp.model.native.method_writer import Method, OfOneArgument
from ggp.model.native.transition_methods import Apply, ApplyOutcome, SampleOutcome

MAX_LISTED_PLAYERS = 8
"""With as many players or fewer, the tuples that `actors` returns lie in a table."""

Class = TypeVar("Class", bound=type[Any])


def class_with_methods(base: Class, uses: Uses, actors_in: Callable[[int], tuple[int, ...]]) -> Class:
    """Return a class of the states of one game, with compiled methods.

    Args:
        base: `State`; it says itself what each method does.
        uses: what the methods use of the game.
        actors_in: gives the players of a mask.
    """
    made: Any = type(base.__name__, (base,), {"__slots__": (), "__doc__": base.__doc__, "__module__": base.__module__})
    fields = _offsets(base)
    listed = 1 << uses.shape.players if uses.shape.players <= MAX_LISTED_PLAYERS else 0
    actors = tuple(actors_in(mask) for mask in range(listed))
    module = new_module()
    writers: dict[str, Method] = {
        "is_terminal": _Compares(module, "is_terminal", uses, made, fields, "<"),
        "is_chance": _Compares(module, "is_chance", uses, made, fields, "=="),
        "actors": _Actors(module, "actors", uses, made, fields, actors),
        "legal": _Legal(module, "legal", uses, made, fields),
        "apply": Apply(module, "apply", uses, made, fields),
        "sample_outcome": SampleOutcome(module, "sample_outcome", uses, made, fields),
        "apply_outcome": ApplyOutcome(module, "apply_outcome", uses, made, fields),
    }
    for writer in writers.values():
        writer.write()
    engine = loaded(module)
    made._kept = (engine, uses, actors, [_set_method(made, engine, name, one.flags) for name, one in writers.items()])
    return made  # type: ignore[no-any-return]


def _set_method(owner: Any, engine: binding.ExecutionEngine, name: str, flags: int) -> MethodDefinition:
    """Set a method of a class to a compiled function; the class has to keep what is returned."""
    definition = MethodDefinition(name.encode(), engine.get_function_address(name), flags, None)
    describe = ctypes.pythonapi.PyDescr_NewMethod
    describe.restype = ctypes.py_object
    describe.argtypes = [ctypes.py_object, ctypes.c_void_p]
    setattr(owner, name, describe(owner, ctypes.addressof(definition)))
    return definition


def _offsets(base: Any) -> dict[str, int]:
    """Return where Python keeps each field in an object of a class with slots, in bytes."""
    probe, marks = base.__new__(base), {}
    for name in base.__slots__:
        mark = object()
        setattr(probe, name, mark)
        marks[id(mark)] = name, mark
    words = (ctypes.c_void_p * (base.__basicsize__ // 8)).from_address(id(probe))
    found = {marks[word][0]: 8 * place for place, word in enumerate(words) if word in marks}
    assert found.keys() == set(base.__slots__), "CPython keeps slots as pointers in the object"
    return found


class _Compares(Method):
    """Writes a method that compares the mask of who acts with CHANCE."""

    def __init__(self, *arguments: Any) -> None:
        *rest, self.comparison = arguments
        super().__init__(*rest)

    def write(self) -> None:
        build = self.builder
        holds = build.icmp_signed(self.comparison, self.acting(), WORD(CHANCE))
        found = build.inttoptr(build.select(holds, WORD(id(True)), WORD(id(False))), POINTER)
        self.call("Py_IncRef", found)
        build.ret(found)


class _Actors(Method):
    """Writes `actors()`."""

    def __init__(self, *arguments: Any) -> None:
        *rest, self.listed = arguments
        super().__init__(*rest)

    def write(self) -> None:
        build, acting = self.builder, self.acting()
        self.plainly_if(build.icmp_unsigned(">=", acting, WORD(len(self.listed))))
        if self.listed:
            table = build.inttoptr(WORD(id(self.listed)), POINTER)
            found = build.load(self.item(table, acting))
            self.call("Py_IncRef", found)
            build.ret(found)
        else:
            build.unreachable()


class _Legal(OfOneArgument):
    """Writes `legal(player)`."""

    def write(self) -> None:
        build = self.builder
        player, known = self.only_argument(), self.known()
        number = self.call("PyLong_AsLongLong", player)
        wrong = build.icmp_unsigned(">=", number, WORD(self.shape.players))
        self.clear_and_plainly_if(wrong)
        found = build.load(self.item(known, number))
        self.call("Py_IncRef", found)
        build.ret(found)
