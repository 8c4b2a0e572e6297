"""Small arrays on the stack of a compiled function: work space that costs nothing, in functions that get none.

What :func:`local_floats` returns is good until the function that asked for it returns. It must not be returned, kept in
a record or handed to anything that keeps it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np import arrayobj


@intrinsic(prefer_literal=True)
def _local_floats(_context: Any, size: Any) -> Any:
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value
    array_type = types.Array(types.float64, 1, "C")

    def codegen(context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        with builder.goto_entry_block():
            block = builder.alloca(ir.ArrayType(ir.DoubleType(), count))
        array = context.make_array(array_type)(context, builder)
        arrayobj.populate_array(
            array,
            data=builder.bitcast(block, ir.DoubleType().as_pointer()),
            shape=cgutils.pack_array(builder, [ir.Constant(ir.IntType(64), count)]),
            strides=cgutils.pack_array(builder, [ir.Constant(ir.IntType(64), 8)]),
            itemsize=ir.Constant(ir.IntType(64), 8),
            meminfo=None,
        )
        return array._getvalue()

    return array_type(types.literal(count)), codegen


def local_floats(size: int) -> Any:
    """Return float64 work space, its content undefined; the size must be a constant where the function is compiled."""
    return np.empty(size)


@overload(local_floats, prefer_literal=True)
def _overload_local_floats(size: Any) -> Any:
    if not isinstance(size, types.IntegerLiteral):
        return None
    count = size.literal_value

    def body(size: Any) -> Any:
        return _local_floats(count)

    return body
