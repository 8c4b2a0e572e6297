"""Copying parts of records: for games whose records are large and mostly unused."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload


@intrinsic
def _copy_bytes(_context: Any, array: Any, to: Any, origin: Any, start: Any, length: Any) -> Any:
    signature = types.void(array, types.intp, types.intp, types.intp, types.intp)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        array = context.make_array(array_type)(context, builder, arguments[0])
        byte = ir.IntType(8).as_pointer()

        def pointer(index: Any) -> Any:
            record = cgutils.get_item_pointer(context, builder, array_type, array, [index], wraparound=False)
            return builder.gep(builder.bitcast(record, byte), [arguments[3]])

        cgutils.raw_memcpy(builder, pointer(arguments[1]), pointer(arguments[2]), arguments[4], 1)
        return context.get_dummy_value()

    return signature, codegen


def copy_bytes(array: Any, to: Any, origin: Any, start: Any, length: Any) -> None:
    """Copy some bytes of record `origin` of an array to the same place in record `to`. Indices are not checked.

    Args:
        array: one-dimensional array of records.
        to, origin: numbers of the records, which must not be the same.
        start: first byte, counted from the beginning of the record.
        length: how many bytes.
    """
    raw = array.view(np.uint8).reshape(array.size, array.itemsize)
    raw[to, start : start + length] = raw[origin, start : start + length]


@overload(copy_bytes)
def _overload_copy_bytes(array: Any, to: Any, origin: Any, start: Any, length: Any) -> Any:
    def body(array: Any, to: Any, origin: Any, start: Any, length: Any) -> Any:
        _copy_bytes(array, to, origin, start, length)

    return body
