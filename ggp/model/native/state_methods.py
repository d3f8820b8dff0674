"""The methods of `State` in which Python loops spend their time, written in LLVM's language for each game.

Each game has a class of states of its own, derived from `State`. Its methods read the fields of a state where Python
keeps them. `apply` makes the next state in one go: its row, who acts, what is legal, and the object itself. Everything
but the usual case goes to the method of `State` with the same name: actions given as text, keywords, faults, illegal
actions. So the methods here never raise anything themselves.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

from llvmlite import binding, ir

from ggp.model.native.advance import (
    BIT,
    MAX_ON_STACK,
    NULL,
    POINTER,
    WORD,
    MethodDefinition,
    PythonFunction,
    Uses,
    loaded,
    new_module,
)
from ggp.model.native.interface import CHANCE

METH_FASTCALL, METH_KEYWORDS, METH_NOARGS = 0x80, 0x02, 0x04
MAX_LISTED_PLAYERS = 8
"""With as many players or fewer, the tuples that `actors` returns lie in a table."""

BITS, GETRANDBITS = 64, "getrandbits"
"""What a generator of Python's is asked for."""

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
    writers: dict[str, _Method] = {
        "is_terminal": _Compares(module, "is_terminal", uses, made, fields, "<"),
        "is_chance": _Compares(module, "is_chance", uses, made, fields, "=="),
        "actors": _Actors(module, "actors", uses, made, fields, actors),
        "legal": _Legal(module, "legal", uses, made, fields),
        "apply": _Apply(module, "apply", uses, made, fields),
        "sample_outcome": _SampleOutcome(module, "sample_outcome", uses, made, fields),
        "apply_outcome": _ApplyOutcome(module, "apply_outcome", uses, made, fields),
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


class _Method(PythonFunction):
    """Writes a method: what it is, where the fields are, and how to leave a call to the method of `State`."""

    flags = METH_NOARGS
    parameters: ClassVar[list[ir.Type]] = [POINTER, POINTER]

    def __init__(self, module: ir.Module, name: str, uses: Uses, owner: Any, fields: dict[str, int]) -> None:
        super().__init__(module, name, uses)
        self.owner = owner
        self.fields = fields
        self.plainly = self.function.append_basic_block("plainly")
        with self.builder.goto_block(self.plainly):
            self.write_plain_call(self.builder.inttoptr(WORD(id(getattr(owner.__base__, name))), POINTER))

    def write(self) -> None:
        """Write what the method does in the usual case."""
        raise NotImplementedError

    def write_plain_call(self, method: ir.Value) -> None:
        """Hand the call on to a function that has `self` as its only argument."""
        arguments = self.on_stack(POINTER)
        self.builder.store(self.function.args[0], arguments)
        self.builder.ret(self.call("PyObject_Vectorcall", method, arguments, WORD(1), NULL))

    def field(self, state: ir.Value, name: str) -> ir.Value:
        """Return the place of a field of a state."""
        place = self.builder.gep(state, [WORD(self.fields[name])])
        return self.builder.bitcast(place, POINTER.as_pointer())

    def plainly_if(self, condition: ir.Value) -> None:
        """Leave the call to the method of `State` where a condition holds; nothing may be held then."""
        going_on = self.builder.append_basic_block("going_on")
        self.builder.cbranch(condition, self.plainly, going_on)
        self.builder.position_at_end(going_on)

    def clear_and_plainly_if(self, condition: ir.Value) -> None:
        """As `plainly_if`, where a function may have set an exception."""
        with self.builder.if_then(condition):
            self.call("PyErr_Clear")
        self.plainly_if(condition)

    def is_none(self, value: ir.Value) -> ir.Value:
        """Return whether an object is None."""
        return self.builder.icmp_unsigned("==", self.builder.ptrtoint(value, WORD), WORD(id(None)))

    def acting(self) -> ir.Value:
        """Return the mask of who acts; if it is not known, the method of `State` finds it out."""
        kept = self.builder.load(self.field(self.function.args[0], "_acting"))
        # a state that was made without `__init__` has nothing there
        self.plainly_if(self.builder.or_(self.is_null(kept), self.is_none(kept)))
        return self.call("PyLong_AsLongLong", kept)

    def kept(self, value: Any) -> ir.Value:
        """Return a new reference to an object that lives as long as the function."""
        found = self.builder.inttoptr(WORD(id(value)), POINTER)
        self.call("Py_IncRef", found)
        return found


class _Compares(_Method):
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


class _Actors(_Method):
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


class _OfOneArgument(_Method):
    """Writes a method with one argument, which may be given by keyword."""

    flags = METH_FASTCALL | METH_KEYWORDS
    parameters: ClassVar[list[ir.Type]] = [POINTER, POINTER.as_pointer(), WORD, POINTER]

    def write_plain_call(self, method: ir.Value) -> None:
        """Hand on the call with all its arguments."""
        build = self.builder
        state, given, count, names = self.function.args
        named = self.on_stack(WORD)
        build.store(WORD(0), named)
        with build.if_then(build.not_(self.is_null(names))):
            build.store(self.call("PyTuple_Size", names), named)
        total = self.on_stack(WORD)
        build.store(build.add(count, build.load(named)), total)
        arguments = build.alloca(POINTER, build.add(build.load(total), WORD(1)))
        build.store(state, arguments)
        place = self.on_stack(WORD)
        build.store(WORD(0), place)

        def copy(at: ir.Value) -> None:
            after = build.add(at, WORD(1))
            build.store(build.load(build.gep(given, [at])), build.gep(arguments, [after]))
            build.store(after, place)

        self.while_less(place, total, copy)
        build.ret(self.call("PyObject_Vectorcall", method, arguments, build.add(count, WORD(1)), names))

    def only_argument(self) -> ir.Value:
        """Return the argument, if it is given without its name."""
        build = self.builder
        _, given, count, names = self.function.args
        alone = build.and_(build.icmp_signed("==", count, WORD(1)), self.is_null(names))
        self.plainly_if(build.not_(alone))
        return build.load(given)

    def known(self) -> ir.Value:
        """Return the legal actions of all players; where nobody acts, or they are not known, `State` is asked."""
        self.plainly_if(self.builder.icmp_signed("<=", self.acting(), WORD(CHANCE)))
        found = self.builder.load(self.field(self.function.args[0], "_known"))
        self.plainly_if(self.is_none(found))
        return found


class _Legal(_OfOneArgument):
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


class _Transition(_OfOneArgument):
    """Writes a method that makes a transition."""

    def empty_joint(self) -> ir.Value:
        """Return a joint action in which nobody acts."""
        length = self.shape.players + 1
        joint = self.on_stack(WORD, length)
        for place in range(length):
            self.builder.store(WORD(0), self.builder.gep(joint, [WORD(place)]))
        return joint

    def return_next(self, joint: ir.Value) -> None:
        """Return the state that a joint action leads to."""
        build, state = self.builder, self.function.args[0]
        joint_words = build.bitcast(joint, POINTER)
        before = build.load(self.field(state, "_row"))
        row, acts, known = self.transition(self.call("PyBytes_AsString", before), joint_words)
        # a fault, or a dead end: `State` makes the transition again and tells
        failed = self.is_none(known)
        with build.if_then(failed):
            for held in (row, acts, known):
                self.call("Py_DecRef", held)
        self.plainly_if(failed)
        new = self.call("PyType_GenericAlloc", build.inttoptr(WORD(id(self.owner)), POINTER), WORD(0))
        game = build.load(self.field(state, "game"))
        for kept in (before, game):
            self.call("Py_IncRef", kept)
        values = {
            "game": game,
            "_row": row,
            "_acting": acts,
            "_known": known,
            "_joint": self.call("PyBytes_FromStringAndSize", joint_words, WORD(8 * (self.shape.players + 1))),
            "_before": before,
            "_drawn": self.none(),
        }
        for name, value in values.items():
            build.store(value, self.field(new, name))
        build.ret(new)


class _SampleOutcome(_OfOneArgument):
    """Writes `sample_outcome(rng)` for Python's generators."""

    def write(self) -> None:
        build, state = self.builder, self.function.args[0]
        rng = self.only_argument()
        self.plainly_if(build.icmp_signed("!=", self.acting(), WORD(CHANCE)))
        kind = self.call("PyObject_Type", rng)
        self.call("Py_DecRef", kind)
        self.plainly_if(build.icmp_unsigned("==", build.ptrtoint(kind, WORD), WORD(id(list))))
        arguments = self.on_stack(POINTER, 2)
        build.store(rng, arguments)
        build.store(build.inttoptr(WORD(id(BITS)), POINTER), build.gep(arguments, [WORD(1)]))
        method = build.inttoptr(WORD(id(GETRANDBITS)), POINTER)
        drawn = self.call("PyObject_VectorcallMethod", method, arguments, WORD(2), NULL)
        self.clear_and_plainly_if(self.is_null(drawn))
        word = self.on_stack(WORD)
        build.store(self.call("PyLong_AsUnsignedLongLong", drawn), word)
        self.call("Py_DecRef", drawn)
        with build.if_then(build.icmp_signed("==", build.load(word), WORD(0))):
            build.store(WORD(1), word)
        row = self.call("PyBytes_AsString", build.load(self.field(state, "_row")))
        outcome = self.native(self.uses.functions.sample_chance, WORD, row, build.bitcast(word, POINTER))
        self.plainly_if(build.icmp_signed("<", outcome, WORD(0)))  # a fault: `State` tells
        found = self.call("PyLong_FromLongLong", outcome)
        place = self.field(state, "_drawn")
        before = build.load(place)
        self.call("Py_IncRef", found)
        build.store(found, place)
        self.call("Py_DecRef", before)
        build.ret(found)


class _ApplyOutcome(_Transition):
    """Writes `apply_outcome(outcome)`."""

    def write(self) -> None:
        build, state = self.builder, self.function.args[0]
        given = self.only_argument()
        self.plainly_if(build.icmp_signed("!=", self.acting(), WORD(CHANCE)))
        outcome = self.call("PyLong_AsLongLong", given)
        self.clear_and_plainly_if(build.icmp_signed("<", outcome, WORD(0)))
        drawn = build.load(self.field(state, "_drawn"))
        possible = self.on_stack(BIT)
        build.store(BIT(0), possible)
        with build.if_then(build.not_(self.is_none(drawn))):
            number = self.call("PyLong_AsLongLong", drawn)
            build.store(build.icmp_signed("==", number, outcome), possible)
        if self.shape.max_outcomes <= MAX_ON_STACK:
            with build.if_then(build.not_(build.load(possible))):
                self.look_for(outcome, possible)
        self.plainly_if(build.not_(build.load(possible)))
        joint = self.empty_joint()
        build.store(outcome, build.gep(joint, [WORD(self.shape.players)]))
        self.return_next(joint)

    def look_for(self, outcome: ir.Value, possible: ir.Value) -> None:
        """Write whether an outcome is among those of positive probability."""
        build, shape = self.builder, self.shape
        outcomes = self.on_stack(WORD, shape.max_outcomes)
        probabilities = self.on_stack(WORD, shape.max_outcomes)
        row = self.call("PyBytes_AsString", build.load(self.field(self.function.args[0], "_row")))
        buffers = [build.bitcast(buffer, POINTER) for buffer in (outcomes, probabilities)]
        place, count = self.on_stack(WORD), self.on_stack(WORD)
        build.store(self.native(self.uses.functions.chance, WORD, row, *buffers), count)
        build.store(WORD(0), place)

        def compare(at: ir.Value) -> None:
            same = build.icmp_signed("==", build.load(build.gep(outcomes, [at])), outcome)
            build.store(build.or_(build.load(possible), same), possible)
            build.store(build.add(at, WORD(1)), place)

        self.while_less(place, count, compare)


class _Apply(_Transition):
    """Writes `apply(joint)` for an action of the only one who acts, or the actions of all players, if all act."""

    def write(self) -> None:
        build = self.builder
        chosen, known, acting = self.only_argument(), self.known(), self.acting()
        joint = self.empty_joint()
        alone = build.icmp_signed("==", build.and_(acting, build.sub(acting, WORD(1))), WORD(0))
        with build.if_else(alone) as (one, several):
            with one:
                player = build.cttz(acting, BIT(1))
                self.write_choice(chosen, build.load(self.item(known, player)), build.gep(joint, [player]))
            with several:
                self.write_choices(acting, chosen, known, joint)
        self.return_next(joint)

    def write_choices(self, acting: ir.Value, chosen: ir.Value, known: ir.Value, joint: ir.Value) -> None:
        """Write the numbers of all players' actions."""
        build, players = self.builder, self.shape.players
        self.plainly_if(build.icmp_signed("!=", acting, WORD((1 << players) - 1)))
        self.clear_and_plainly_if(build.icmp_signed("!=", self.call("PyObject_Size", chosen), WORD(players)))
        for player in range(players):
            # Python keeps small numbers for good
            key = build.inttoptr(WORD(id(player)), POINTER)
            choice = self.call("PyObject_GetItem", chosen, key)
            self.clear_and_plainly_if(self.is_null(choice))
            legal = build.load(self.item(known, WORD(player)))
            # whoever was asked for it keeps it; a choice made only now is an object of its own
            self.write_choice(choice, legal, build.gep(joint, [WORD(player)]), owned=True)

    def write_choice(self, choice: ir.Value, legal: ir.Value, place: ir.Value, owned: bool = False) -> None:
        """Write the number of an action to `place`, if it is one of the legal ones, which are in order."""
        build = self.builder
        number = self.call("PyLong_AsLongLong", choice)
        if owned:
            self.call("Py_DecRef", choice)
        low, high = self.on_stack(WORD), self.on_stack(WORD)
        build.store(WORD(0), low)
        length = self.call("PyTuple_Size", legal)
        build.store(length, high)

        def halve(first: ir.Value) -> None:
            middle = build.lshr(build.add(first, build.load(high)), WORD(1))
            there = self.call("PyLong_AsLongLong", build.load(self.item(legal, middle)))
            with build.if_else(build.icmp_signed("<", there, number)) as (below, above):
                with below:
                    build.store(build.add(middle, WORD(1)), low)
                with above:
                    build.store(middle, high)

        self.while_less(low, high, halve)
        at = build.load(low)
        self.clear_and_plainly_if(build.icmp_signed(">=", at, length))
        there = self.call("PyLong_AsLongLong", build.load(self.item(legal, at)))
        self.clear_and_plainly_if(build.icmp_signed("!=", there, number))
        build.store(number, place)
