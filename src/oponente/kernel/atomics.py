"""Operations on shared arrays that stay right when several threads run without the interpreter lock."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload


@intrinsic
def _atomic_add(_context: Any, array: Any, index: Any, value: Any) -> Any:
    signature = array.dtype(array, types.intp, array.dtype)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _item_pointer(context, builder, signature.args[0], arguments)
        operation = "fadd" if isinstance(signature.args[0].dtype, types.Float) else "add"
        return builder.atomic_rmw(operation, pointer, arguments[2], "monotonic")

    return signature, codegen


@intrinsic
def _volatile_load(_context: Any, array: Any, index: Any) -> Any:
    signature = array.dtype(array, types.intp)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _item_pointer(context, builder, signature.args[0], arguments)
        bytes_ = context.get_abi_sizeof(context.get_value_type(signature.args[0].dtype))
        return builder.load_atomic(pointer, "monotonic", bytes_)

    return signature, codegen


@intrinsic
def _publish(_context: Any, array: Any, index: Any, value: Any) -> Any:
    signature = types.void(array, types.intp, array.dtype)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _item_pointer(context, builder, signature.args[0], arguments)
        bytes_ = context.get_abi_sizeof(context.get_value_type(signature.args[0].dtype))
        builder.store_atomic(arguments[2], pointer, "release", bytes_)
        return context.get_dummy_value()

    return signature, codegen


@intrinsic
def _observe(_context: Any, array: Any, index: Any) -> Any:
    signature = array.dtype(array, types.intp)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _item_pointer(context, builder, signature.args[0], arguments)
        bytes_ = context.get_abi_sizeof(context.get_value_type(signature.args[0].dtype))
        return builder.load_atomic(pointer, "acquire", bytes_)

    return signature, codegen


def _item_pointer(context: Any, builder: Any, array_type: Any, arguments: Any) -> ir.Value:
    array = context.make_array(array_type)(context, builder, arguments[0])
    return cgutils.get_item_pointer(context, builder, array_type, array, [arguments[1]], wraparound=False)


def atomic_add(array: Any, index: Any, value: Any) -> Any:
    """Add to ``array[index]`` as one indivisible step and return the old value.

    Args:
        array: one-dimensional array of integers or floats.
        index: int, not negative; not checked.
        value: what to add.
    """
    old = array[index]
    array[index] = old + value
    return old


def volatile_load(array: Any, index: Any) -> Any:
    """Read ``array[index]`` from memory now, however the loop around is optimised (another thread may write it)."""
    return array[index]


def publish(array: Any, index: Any, value: Any) -> None:
    """Write ``array[index]`` so that whoever sees it sees all that this thread wrote before.

    Args:
        array: one-dimensional array of integers.
        index: int, not negative; not checked.
        value: what to write.
    """
    array[index] = value


def observe(array: Any, index: Any) -> Any:
    """Read ``array[index]``; what its :func:`publish` was preceded by can be read after this."""
    return array[index]


# Numba wants the body's signature to equal the overload's, annotations included.


@overload(atomic_add)
def _overload_atomic_add(array: Any, index: Any, value: Any) -> Any:
    def body(array: Any, index: Any, value: Any) -> Any:
        return _atomic_add(array, index, value)

    return body


@overload(volatile_load)
def _overload_volatile_load(array: Any, index: Any) -> Any:
    def body(array: Any, index: Any) -> Any:
        return _volatile_load(array, index)

    return body


@overload(publish)
def _overload_publish(array: Any, index: Any, value: Any) -> Any:
    def body(array: Any, index: Any, value: Any) -> Any:
        _publish(array, index, value)

    return body


@overload(observe)
def _overload_observe(array: Any, index: Any) -> Any:
    def body(array: Any, index: Any) -> Any:
        return _observe(array, index)

    return body


# --- fields of records ---------------------------------------------------------------------------------------------


def field_adder(field: str, *, ordering: bool = False) -> Any:
    """Return a function ``add(array, index, value)``: :func:`atomic_add` to a field of an array of records.

    With `ordering`, as for a lock, what the thread wrote before is seen by whoever sees the addition, and what it does
    after happens after.
    """
    order = "acq_rel" if ordering else "monotonic"

    @intrinsic
    def add_in_kernel(_context: Any, array: Any, index: Any, value: Any) -> Any:
        kind = array.dtype.typeof(field)

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = _field_pointer(context, builder, signature.args[0], arguments, field)
            operation = "fadd" if isinstance(kind, types.Float) else "add"
            return builder.atomic_rmw(operation, pointer, arguments[2], order)

        return kind(array, types.intp, kind), codegen

    def add(array: Any, index: Any, value: Any) -> Any:
        record = array[index]
        old = getattr(record, field)
        setattr(record, field, old + value)
        return old

    @overload(add)
    def _overload_add(array: Any, index: Any, value: Any) -> Any:
        def body(array: Any, index: Any, value: Any) -> Any:
            return add_in_kernel(array, index, value)

        return body

    return add


def field_loader(field: str) -> Any:
    """Return a function ``load(array, index)``: :func:`observe` for a field of an array of records."""

    @intrinsic
    def load_in_kernel(_context: Any, array: Any, index: Any) -> Any:
        kind = array.dtype.typeof(field)

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = _field_pointer(context, builder, signature.args[0], arguments, field)
            return builder.load_atomic(pointer, "acquire", context.get_abi_sizeof(context.get_value_type(kind)))

        return kind(array, types.intp), codegen

    def load(array: Any, index: Any) -> Any:
        return getattr(array[index], field)

    @overload(load)
    def _overload_load(array: Any, index: Any) -> Any:
        def body(array: Any, index: Any) -> Any:
            return load_in_kernel(array, index)

        return body

    return load


def field_publisher(field: str) -> Any:
    """Return a function ``publish(array, index, value)``: :func:`publish` to a field of an array of records."""

    @intrinsic
    def publish_in_kernel(_context: Any, array: Any, index: Any, value: Any) -> Any:
        kind = array.dtype.typeof(field)

        def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            pointer = _field_pointer(context, builder, signature.args[0], arguments, field)
            bytes_ = context.get_abi_sizeof(context.get_value_type(kind))
            builder.store_atomic(arguments[2], pointer, "release", bytes_)
            return context.get_dummy_value()

        return types.void(array, types.intp, kind), codegen

    def store(array: Any, index: Any, value: Any) -> None:
        setattr(array[index], field, value)

    @overload(store)
    def _overload_store(array: Any, index: Any, value: Any) -> Any:
        def body(array: Any, index: Any, value: Any) -> Any:
            publish_in_kernel(array, index, value)

        return body

    return store


def _field_pointer(context: Any, builder: Any, array_type: Any, arguments: Any, field: str) -> ir.Value:
    record = builder.bitcast(_item_pointer(context, builder, array_type, arguments), ir.IntType(8).as_pointer())
    place = builder.gep(record, [ir.Constant(ir.IntType(32), array_type.dtype.offset(field))])
    return builder.bitcast(place, context.get_value_type(array_type.dtype.typeof(field)).as_pointer())
