"""One transition in one call from Python: the next state, who acts there, and their legal actions or the utilities.

Functions of CPython's C interface, written in LLVM's language and compiled for each game: called through `ctypes`,
native functions would cost more than a whole transition in a loop over `State` may. They take rows as `bytes`, make the
next row, and hand back Python objects. Actions are looked up by number in a table of those made before. Whatever they
use of the interface is stable, but for the place of a tuple's entries, which Python itself tells. The methods of states
that are made the same way are in `ggp.model.native.state_methods`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from llvmlite import binding, ir

from ggp.codegen.machine_code import target_machine
from ggp.model.native.interface import CHANCE, TABLE_SIZE, GameShape, NativeFunctions

if TYPE_CHECKING:
    from ggp.model.actions import Action
    from ggp.model.makers.interface import After

MAX_ON_STACK = 4096
"""Legal actions that lie on the stack; more are given memory by the C library."""
METH_FASTCALL = 0x80

WORD = ir.IntType(64)
REAL = ir.DoubleType()
BIT = ir.IntType(1)
POINTER = ir.IntType(8).as_pointer()
NULL = POINTER(None)

INTERFACE: dict[str, tuple[ir.Type, list[ir.Type]]] = {
    "PyBytes_AsString": (POINTER, [POINTER]),
    "PyBytes_FromStringAndSize": (POINTER, [POINTER, WORD]),
    "PyErr_Clear": (ir.VoidType(), []),
    "PyFloat_FromDouble": (POINTER, [REAL]),
    "PyLong_AsLongLong": (WORD, [POINTER]),
    "PyLong_AsUnsignedLongLong": (WORD, [POINTER]),
    "PyLong_FromLongLong": (POINTER, [WORD]),
    "PyMem_Free": (ir.VoidType(), [POINTER]),
    "PyMem_Malloc": (POINTER, [WORD]),
    "PyObject_GetItem": (POINTER, [POINTER, POINTER]),
    "PyObject_Type": (POINTER, [POINTER]),
    "PyObject_Vectorcall": (POINTER, [POINTER, POINTER.as_pointer(), WORD, POINTER]),
    "PyObject_Size": (WORD, [POINTER]),
    "PyObject_VectorcallMethod": (POINTER, [POINTER, POINTER.as_pointer(), WORD, POINTER]),
    "PyTuple_New": (POINTER, [WORD]),
    "PyTuple_SetItem": (ir.IntType(32), [POINTER, WORD, POINTER]),
    "PyTuple_Size": (WORD, [POINTER]),
    "PyType_GenericAlloc": (POINTER, [POINTER, WORD]),
    "Py_DecRef": (ir.VoidType(), [POINTER]),
    "Py_IncRef": (ir.VoidType(), [POINTER]),
}


class MethodDefinition(ctypes.Structure):
    """`PyMethodDef`."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


def advance_function(uses: Uses) -> Callable[[bytes, bytes], After]:
    """Compile the function that takes the rows of a state and of a joint action; see `Steps.advance`."""
    module = new_module()
    _Advance(module, "advance", uses).write()
    engine = loaded(module)
    definition = MethodDefinition(b"advance", engine.get_function_address("advance"), METH_FASTCALL, None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype = ctypes.py_object
    make.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    # a function keeps its `self` until it is gone itself, and so everything that it uses
    made: Callable[..., Any] = make(ctypes.addressof(definition), (definition, engine, uses), None)
    return made


def new_module() -> ir.Module:
    """Return a module to write functions to."""
    module = ir.Module(name="transitions")
    module.triple = binding.get_default_triple()
    return module


def loaded(module: ir.Module) -> binding.ExecutionEngine:
    """Compile a module; its functions live as long as what is returned."""
    parsed = binding.parse_assembly(str(module))
    parsed.verify()
    # they do little but call functions: better code takes twice as long to make and is no faster
    engine = binding.create_mcjit_compiler(parsed, target_machine(opt=0))
    engine.finalize_object()
    return engine


class Uses:
    """What the functions of a game use, and keep alive; addresses are constants in their code.

    Attributes:
        functions: of the game.
        shape: of the game.
        actions: address of the dictionary that gives an action by its number, and keeps those below TABLE_SIZE.
        table: address of a table of these.
    """

    def __init__(self, functions: NativeFunctions, owner: object, shape: GameShape, actions: dict[int, Action]) -> None:
        """Keep what a game's functions use; `owner` is what keeps its native functions alive."""
        table = (ctypes.c_void_p * TABLE_SIZE)()
        self.functions = functions
        self.shape = shape
        self.actions = id(actions)
        self.table = ctypes.addressof(table)
        self._kept = (table, actions, owner)


class PythonFunction:
    """Writes a function of Python's C interface."""

    parameters: ClassVar[list[ir.Type]] = [POINTER, POINTER.as_pointer(), WORD]
    """`self`, the arguments, their number."""

    def __init__(self, module: ir.Module, name: str, uses: Uses) -> None:
        self.uses = uses
        self.shape = uses.shape
        self.function = ir.Function(module, ir.FunctionType(POINTER, self.parameters), name)
        self.builder = ir.IRBuilder(self.function.append_basic_block("entry"))

    def argument(self, place: int) -> ir.Value:
        """Return an argument, a Python object."""
        return self.builder.load(self.builder.gep(self.function.args[1], [WORD(place)]))

    def native(self, address: int, returns: ir.Type, *arguments: ir.Value) -> ir.Value:
        """Call a function by its address."""
        kind = ir.FunctionType(returns, [argument.type for argument in arguments])
        return self.builder.call(self.builder.inttoptr(WORD(address), kind.as_pointer()), arguments)

    def call(self, name: str, *arguments: ir.Value) -> ir.Value:
        """Call a function of Python's interface."""
        address = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
        assert address is not None
        return self.native(address, INTERFACE[name][0], *arguments)

    def on_stack(self, element: ir.Type, length: int = 1) -> ir.Value:
        """Return room for elements on the stack."""
        with self.builder.goto_entry_block():
            return self.builder.alloca(element, length)

    def is_null(self, pointer: ir.Value) -> ir.Value:
        """Return whether a pointer points nowhere."""
        return self.builder.icmp_unsigned("==", self.builder.ptrtoint(pointer, WORD), WORD(0))

    def item(self, made: ir.Value, at: ir.Value) -> ir.Value:
        """Return where an entry of a tuple stands; of a new one it is empty, and takes a reference."""
        first = self.builder.gep(made, [WORD(tuple.__basicsize__)])
        return self.builder.gep(self.builder.bitcast(first, POINTER.as_pointer()), [at])

    def none(self) -> ir.Value:
        """Return a new reference to None."""
        none = self.builder.inttoptr(WORD(id(None)), POINTER)
        self.call("Py_IncRef", none)
        return none

    def while_less(self, place: ir.Value, limit: ir.Value, body: Callable[[ir.Value], None]) -> None:
        """Run a body, which gets and changes what stands at `place`, while that is less than a limit."""
        test, inside, after = (self.function.append_basic_block(name) for name in ("test", "inside", "after"))
        self.builder.branch(test)
        self.builder.position_at_end(test)
        value = self.builder.load(place)
        self.builder.cbranch(self.builder.icmp_signed("<", value, self.builder.load(limit)), inside, after)
        self.builder.position_at_end(inside)
        body(value)
        self.builder.branch(test)
        self.builder.position_at_end(after)

    # --- the transition, and what is known of the next state ----------------------------------------------------------

    def transition(self, old: ir.Value, joint: ir.Value) -> tuple[ir.Value, ir.Value, ir.Value]:
        """Make a transition; return NULL from the function where there is no memory, with Python's exception set.

        Args:
            old: the words of the state that it leaves.
            joint: the words of the joint action.

        Returns:
            New references: to the row of the new state as `bytes`, to the mask of who acts there, and to what else is
            known of it, None where there is a fault or a dead end.
        """
        build, functions = self.builder, self.uses.functions
        row = self.call("PyBytes_FromStringAndSize", NULL, WORD(8 * self.shape.state_words))
        with build.if_then(self.is_null(row)):
            build.ret(NULL)
        new = self.call("PyBytes_AsString", row)
        self.native(functions.step, ir.VoidType(), old, new, joint)
        acting = self.native(functions.actors, WORD, new)
        known = self.on_stack(POINTER)
        build.store(self.none(), known)
        with build.if_then(build.icmp_signed("==", acting, WORD(CHANCE))):
            self.replace_none(known, self.call("PyTuple_New", WORD(0)))
        with build.if_then(build.icmp_signed("<", acting, WORD(CHANCE))):
            self.write_utilities(new, known)
        with build.if_then(build.icmp_signed(">", acting, WORD(CHANCE))):
            self.write_legal(new, acting, known)
        return row, self.call("PyLong_FromLongLong", acting), build.load(known)

    def write_utilities(self, state: ir.Value, known: ir.Value) -> None:
        """Write the utilities to `known`, unless there is a fault."""
        build, players = self.builder, self.shape.players
        utilities = self.on_stack(REAL, players)
        fault = self.native(self.uses.functions.utility, WORD, state, build.bitcast(utilities, POINTER))
        with build.if_then(build.icmp_signed("==", fault, WORD(0))):
            values = self.call("PyTuple_New", WORD(players))
            for player in range(players):
                value = self.call("PyFloat_FromDouble", build.load(build.gep(utilities, [WORD(player)])))
                self.call("PyTuple_SetItem", values, WORD(player), value)
            self.replace_none(known, values)

    def write_legal(self, state: ir.Value, acting: ir.Value, known: ir.Value) -> None:
        """Write the legal actions of all players to `known`, unless there is a fault or a dead end."""
        build, shape = self.builder, self.shape
        large = shape.max_actions > MAX_ON_STACK
        if large:
            buffer = self.call("PyMem_Malloc", WORD(8 * shape.max_actions))
        else:
            buffer = build.bitcast(self.on_stack(WORD, shape.max_actions), POINTER)
        fine, count = self.on_stack(BIT), self.on_stack(WORD)
        build.store(BIT(1), fine)
        by_player = self.call("PyTuple_New", WORD(shape.players))
        for player in range(shape.players):
            build.store(WORD(0), count)
            with build.if_then(build.icmp_signed("!=", build.and_(acting, WORD(1 << player)), WORD(0))):
                found = self.native(self.uses.functions.legal, WORD, state, WORD(player), buffer)
                some = build.icmp_signed(">", found, WORD(0))
                build.store(build.select(some, found, WORD(0)), count)
                build.store(build.and_(some, build.load(fine)), fine)
            actions = self.call("PyTuple_New", build.load(count))
            self.write_actions(build.bitcast(buffer, WORD.as_pointer()), count, actions, fine)
            self.call("PyTuple_SetItem", by_player, WORD(player), actions)
        if large:
            self.call("PyMem_Free", buffer)
        with build.if_else(build.load(fine)) as (all_fine, faulty):
            with all_fine:
                self.replace_none(known, by_player)
            with faulty:
                self.call("Py_DecRef", by_player)

    def write_actions(self, numbers: ir.Value, count: ir.Value, actions: ir.Value, fine: ir.Value) -> None:
        """Write the actions of some numbers to a tuple; not `fine` is where one has no text."""
        place = self.on_stack(WORD)
        self.builder.store(WORD(0), place)

        def write_action(at: ir.Value) -> None:
            action = self.action(self.builder.load(self.builder.gep(numbers, [at])), fine)
            self.builder.store(action, self.item(actions, at))
            self.builder.store(self.builder.add(at, WORD(1)), place)

        self.while_less(place, count, write_action)

    def action(self, number: ir.Value, fine: ir.Value) -> ir.Value:
        """Return a new reference to the action of a number."""
        build = self.builder
        found = self.on_stack(POINTER)
        build.store(NULL, found)
        in_table = build.icmp_unsigned("<", number, WORD(TABLE_SIZE))
        table = build.inttoptr(WORD(self.uses.table), POINTER.as_pointer())
        with build.if_then(in_table):
            build.store(build.load(build.gep(table, [number])), found)
        with build.if_else(self.is_null(build.load(found))) as (missing, kept):
            with missing:
                key = self.call("PyLong_FromLongLong", number)
                action = self.call("PyObject_GetItem", build.inttoptr(WORD(self.uses.actions), POINTER), key)
                self.call("Py_DecRef", key)
                build.store(action, found)
                with build.if_then(in_table):
                    build.store(action, build.gep(table, [number]))
                with build.if_then(self.is_null(action)):
                    self.call("PyErr_Clear")
                    build.store(BIT(0), fine)
            with kept:
                self.call("Py_IncRef", build.load(found))
        return build.load(found)

    def replace_none(self, known: ir.Value, value: ir.Value) -> None:
        """Write a new reference where one to None stands."""
        self.call("Py_DecRef", self.builder.load(known))
        self.builder.store(value, known)


class _Advance(PythonFunction):
    """Writes `advance(row, joint_row)`."""

    def write(self) -> None:
        joint_row = self.argument(1)
        old = self.call("PyBytes_AsString", self.argument(0))
        made = self.transition(old, self.call("PyBytes_AsString", joint_row))
        self.call("Py_IncRef", joint_row)
        result = self.call("PyTuple_New", WORD(4))
        for place, value in enumerate((*made, joint_row)):
            self.call("PyTuple_SetItem", result, WORD(place), value)
        self.builder.ret(result)
