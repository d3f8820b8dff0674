"""What writers of compiled methods of `State` share: fields, arguments, and calls left to the method of `State`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from llvmlite import ir

from ggp.model.native.advance import NULL, POINTER, WORD, PythonFunction, Uses
from ggp.model.native.interface import CHANCE

METH_FASTCALL, METH_KEYWORDS, METH_NOARGS = 0x80, 0x02, 0x04


class Method(PythonFunction, ABC):
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

    @abstractmethod
    def write(self) -> None:
        """Write what the method does in the usual case."""

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


class OfOneArgument(Method):
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

    def only_argument_of_chance(self) -> ir.Value:
        """Return the argument where chance acts; elsewhere `State` is asked, which refuses."""
        found = self.only_argument()
        self.plainly_if(self.builder.icmp_signed("!=", self.acting(), WORD(CHANCE)))
        return found

    def known(self) -> ir.Value:
        """Return the legal actions of all players; where nobody acts, or they are not known, `State` is asked."""
        self.plainly_if(self.builder.icmp_signed("<=", self.acting(), WORD(CHANCE)))
        found = self.builder.load(self.field(self.function.args[0], "_known"))
        self.plainly_if(self.is_none(found))
        return found
