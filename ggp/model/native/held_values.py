"""How kernels hold arrays and tuples: as addresses, not as numba's own structures of seven words an array.

A kernel is handed tuples of dozens of arrays, and hands them to each of its parts. numba would take them to pieces and
put them together again at each call, hundreds of words, for LLVM to remove. So the wrapper that takes a kernel's
arguments from Python writes each tuple to memory once, and inside the kernel the tuple is its address. An array is the
address of its elements and its lengths; it is contiguous, and its indices are not negative.
"""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba import extending, types
from numba.core import cgutils, imputils
from numba.core.datamodel import models
from numba.core.typing import templates
from numba.np import arrayobj

# numba's modules are not typed
_TYPES: Any = types
_MODELS: Any = models
_GENERATE: Any = cgutils
_ARRAYS: Any = arrayobj
_EXTEND: Any = extending
_TEMPLATES: Any = templates
_CONVERSIONS: Any = imputils
WORD = ir.IntType(64)
ADDRESS = ir.IntType(8).as_pointer()
DATA_BYTE, DIMENSIONS_BYTE = 16, 32
"""Where numpy keeps the address of the elements, and that of the lengths, in an array object."""


class HeldArray(_TYPES.Array):  # type: ignore[misc]
    """The type of a contiguous array: numba's but for how it is held.

    Args:
        dtype: of the elements.
        ndim: how many dimensions.
    """

    def __init__(self, dtype: Any, ndim: int) -> None:
        super().__init__(dtype, ndim, "C", name=f"held({dtype}, {ndim})")

    @property
    def as_array(self) -> Any:
        """Numba's type of the same array."""
        return _TYPES.Array(self.dtype, self.ndim, "C")

    @property
    def iterator_type(self) -> Any:
        """Numba's type of an iterator over the same array."""
        return _TYPES.ArrayIterator(self.as_array)

    @property
    def mangling_args(self) -> tuple[str, list[Any]]:
        """Return what stands for the type in names of functions."""
        return "held", [self.dtype, self.ndim]


class HeldTuple(_TYPES.Type):  # type: ignore[misc]
    """The type of a named tuple that is held by its address.

    Args:
        content: the type of the tuple in memory.
    """

    def __init__(self, content: Any) -> None:
        self.content = content
        super().__init__(f"held({content.name})")

    @property
    def key(self) -> Any:
        """Return what tells the type from others: two classes of tuples may have the same name."""
        return self.content

    @property
    def mangling_args(self) -> tuple[str, list[Any]]:
        """Return what stands for the type in names of functions."""
        return "held", [self.content.instance_class.__name__, *self.content.types]


def held(kind: Any) -> Any:
    """Return the type in which a kernel holds an argument."""
    kind = held_in_place(kind)
    return HeldTuple(kind) if isinstance(kind, _TYPES.NamedTuple) else kind


def held_in_place(kind: Any) -> Any:
    """Return the type of a value that stands in registers, or within a tuple in memory."""
    if type(kind) is _TYPES.Array and kind.layout == "C" and kind.ndim > 0 and kind.mutable and kind.aligned:
        return HeldArray(kind.dtype, kind.ndim)
    if isinstance(kind, _TYPES.NamedTuple):
        return _TYPES.NamedTuple(tuple(map(held_in_place, kind.types)), kind.instance_class)
    if isinstance(kind, _TYPES.NamedUniTuple):
        return _TYPES.NamedUniTuple(held_in_place(kind.dtype), kind.count, kind.instance_class)
    if isinstance(kind, _TYPES.BaseAnonymousTuple):
        return _TYPES.BaseTuple.from_types(tuple(map(held_in_place, kind.types)))
    return kind


# --- what they are in LLVM's language ---------------------------------------------------------------------------------


class _ArrayModel(_MODELS.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: HeldArray) -> None:
        lengths = _TYPES.UniTuple(_TYPES.intp, kind.ndim)
        super().__init__(manager, kind, [("data", _TYPES.CPointer(kind.dtype)), ("shape", lengths)])


class _TupleModel(_MODELS.PointerModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: HeldTuple) -> None:
        self._pointee_model = manager.lookup(kind.content)
        self._pointee_be_type = self._pointee_model.get_data_type()
        _MODELS.PrimitiveModel.__init__(self, manager, kind, self._pointee_be_type.as_pointer())


# --- arrays -----------------------------------------------------------------------------------------------------------


def _numba_array(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    array = _ARRAYS.make_array(kind.as_array)(context, builder)
    lengths = _GENERATE.unpack_tuple(builder, builder.extract_value(value, 1), kind.ndim)
    item = context.get_abi_sizeof(context.get_data_type(kind.dtype))
    strides = [WORD(item)]
    for length in reversed(lengths[1:]):
        strides.insert(0, builder.mul(strides[0], length))
    _ARRAYS.populate_array(
        array,
        data=builder.extract_value(value, 0),
        shape=lengths,
        strides=strides,
        itemsize=WORD(item),
        meminfo=None,
    )
    return array._getvalue()


def _to_numba(context: Any, builder: Any, kind: Any, to: Any, value: Any) -> Any:
    return value if isinstance(to, HeldArray) else _numba_array(context, builder, kind, value)


def _from_numba(context: Any, builder: Any, kind: Any, to: Any, value: Any) -> Any:
    if isinstance(kind, HeldArray):
        return value
    array = _ARRAYS.make_array(kind)(context, builder, value)
    return _held_array(context, builder, to, array.data, array.shape)


def _held_array(context: Any, builder: Any, kind: Any, data: Any, lengths: Any) -> Any:
    empty = ir.Constant(context.get_value_type(kind), ir.Undefined)
    return builder.insert_value(builder.insert_value(empty, data, 0), lengths, 1)


def address_of_elements(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """Return the address of the first element of an array."""
    if isinstance(kind, HeldArray):
        return builder.extract_value(value, 0)
    return _ARRAYS.make_array(kind)(context, builder, value).data


def _element(context: Any, builder: Any, array: Any, value: Any, index: Any, given: Any) -> Any:
    """Return the address of an element, or None where the index does not name one."""
    kinds = index.types if isinstance(index, _TYPES.BaseTuple) else (index,)
    if len(kinds) != array.ndim:
        return None
    if not all(isinstance(kind, _TYPES.Integer) for kind in kinds):
        return None
    numbers = _GENERATE.unpack_tuple(builder, given, len(kinds)) if isinstance(index, _TYPES.BaseTuple) else [given]
    at = None
    for axis, (kind, number) in enumerate(zip(kinds, numbers, strict=True)):
        place = _position(context, builder, value, axis, kind, number)
        at = place if at is None else builder.add(builder.mul(at, builder.extract_value(value, (1, axis))), place)
    return builder.gep(builder.extract_value(value, 0), [at], inbounds=True)


def _position(context: Any, builder: Any, value: Any, axis: int, kind: Any, number: Any) -> Any:
    """Return an index into one axis, which counts from the front.

    numba would look at each index whether it is negative: a tenth of what a search executes.
    """
    place = context.cast(builder, number, kind, _TYPES.intp if kind.signed else _TYPES.uintp)
    if context.enable_boundscheck:
        _GENERATE.do_boundscheck(context, builder, place, builder.extract_value(value, (1, axis)), axis)
    return place


def _getitem(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    array, index = signature.args
    element = _element(context, builder, array, values[0], index, values[1])
    if element is not None:
        return _ARRAYS.load_item(context, builder, array, element)
    numba_s = _ARRAYS.getitem_array_tuple if isinstance(index, _TYPES.BaseTuple) else _ARRAYS.getitem_arraynd_intp
    return _by_numba(numba_s, context, builder, signature, values)


def _setitem(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    array, index, kind = signature.args
    element = _element(context, builder, array, values[0], index, values[1])
    if element is None:
        return _by_numba(_ARRAYS.setitem_array, context, builder, signature, values)
    _ARRAYS.store_item(context, builder, array, context.cast(builder, values[2], kind, array.dtype), element)
    return context.get_dummy_value()


def _by_numba(lower: Any, context: Any, builder: Any, signature: Any, values: Any) -> Any:
    """Generate code as numba does for an array of its own."""
    array, *rest = signature.args
    given = _numba_array(context, builder, array, values[0])
    return lower(context, builder, signature.replace(args=(array.as_array, *rest)), (given, *values[1:]))


def _getiter(context: Any, builder: Any, signature: Any, values: Any) -> Any:
    return _by_numba(_ARRAYS.getiter_array, context, builder, signature, values)


def _len(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ARG001
    return builder.extract_value(values[0], (1, 0))


def _shape(context: Any, builder: Any, kind: Any, value: Any) -> Any:  # noqa: ARG001
    return builder.extract_value(value, 1)


def _size(context: Any, builder: Any, kind: Any, value: Any) -> Any:  # noqa: ARG001
    size = builder.extract_value(value, (1, 0))
    for axis in range(1, kind.ndim):
        size = builder.mul(size, builder.extract_value(value, (1, axis)))
    return size


# --- tuples -----------------------------------------------------------------------------------------------------------


class _FieldsOfTuple(_TEMPLATES.AttributeTemplate):  # type: ignore[misc]
    key = HeldTuple

    def generic_resolve(self, kind: HeldTuple, name: str) -> Any:
        fields = kind.content.fields
        return held(kind.content.types[fields.index(name)]) if name in fields else None


def _field(context: Any, builder: Any, kind: HeldTuple, value: Any, name: str) -> Any:
    number = kind.content.fields.index(name)
    field = kind.content.types[number]
    at = builder.gep(value, [ir.IntType(32)(0), ir.IntType(32)(number)], inbounds=True)
    return at if isinstance(held(field), HeldTuple) else _unchanging(context, builder, field, at)


def _unchanging(context: Any, builder: Any, kind: Any, at: Any) -> Any:
    """Read a value of a tuple: it never changes while the kernel runs."""
    if not isinstance(kind, HeldArray):
        value = context.unpack_value(builder, kind, at)
        if isinstance(value, ir.LoadInstr):
            value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return value
    structure = context.get_value_type(kind)
    value = ir.Constant(structure, ir.Undefined)
    places = [(0,), *((1, axis) for axis in range(kind.ndim))]
    for place in places:
        part = builder.load(builder.gep(at, [ir.IntType(32)(step) for step in (0, *place)], inbounds=True))
        part.set_metadata("invariant.load", builder.module.add_metadata([]))
        value = builder.insert_value(value, part, place)
    return value


# --- from Python ------------------------------------------------------------------------------------------------------


def _unbox_array(kind: HeldArray, given: Any, c: Any) -> Any:
    """Read an array object; whether its type is right was found out when the kernel was chosen."""

    def word(at: Any, byte: int, what: Any) -> Any:
        place = c.builder.gep(c.builder.bitcast(at, ADDRESS), [WORD(byte)])
        return c.builder.load(c.builder.bitcast(place, what.as_pointer()))

    data = word(given, DATA_BYTE, c.context.get_data_type(kind.dtype).as_pointer())
    dimensions = word(given, DIMENSIONS_BYTE, ADDRESS)
    lengths = [word(dimensions, 8 * axis, WORD) for axis in range(kind.ndim)]
    packed = _GENERATE.pack_array(c.builder, lengths)
    return _EXTEND.NativeValue(_held_array(c.context, c.builder, kind, data, packed))


def _unbox_tuple(kind: HeldTuple, given: Any, c: Any) -> Any:
    memory = _GENERATE.alloca_once(c.builder, c.context.get_data_type(kind.content))
    failed = _GENERATE.alloca_once_value(c.builder, _GENERATE.false_bit)
    _write_tuple(kind.content, given, memory, failed, c)
    return _EXTEND.NativeValue(memory, is_error=c.builder.load(failed))


def _write_tuple(content: Any, given: Any, memory: Any, failed: Any, c: Any) -> None:
    for number, field in enumerate(content.types):
        item = c.pyapi.tuple_getitem(given, number)
        at = c.builder.gep(memory, [ir.IntType(32)(0), ir.IntType(32)(number)], inbounds=True)
        if isinstance(held(field), HeldTuple):
            _write_tuple(field, item, at, failed, c)
            continue
        native = c.unbox(field, item)
        c.context.pack_value(c.builder, field, native.value, at)
        if native.is_error is not _GENERATE.false_bit:
            c.builder.store(c.builder.or_(c.builder.load(failed), native.is_error), failed)


_EXTEND.register_model(HeldArray)(_ArrayModel)
_EXTEND.register_model(HeldTuple)(_TupleModel)
_CONVERSIONS.lower_cast(HeldArray, _TYPES.Array)(_to_numba)
_CONVERSIONS.lower_cast(_TYPES.Array, HeldArray)(_from_numba)
for _index in (_TYPES.Integer, _TYPES.BaseTuple, _TYPES.SliceType):
    _EXTEND.lower_builtin(operator.getitem, HeldArray, _index)(_getitem)
    _EXTEND.lower_builtin(operator.setitem, HeldArray, _index, _TYPES.Any)(_setitem)
_EXTEND.lower_builtin("getiter", HeldArray)(_getiter)
_EXTEND.lower_builtin(len, HeldArray)(_len)
_EXTEND.lower_getattr(HeldArray, "shape")(_shape)
_EXTEND.lower_getattr(HeldArray, "size")(_size)
_TEMPLATES.infer_getattr(_FieldsOfTuple)
_EXTEND.lower_getattr_generic(HeldTuple)(_field)
_EXTEND.unbox(HeldArray)(_unbox_array)
_EXTEND.unbox(HeldTuple)(_unbox_tuple)
