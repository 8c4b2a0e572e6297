"""Bit boards: operations on 64-bit masks that processors have as one instruction."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload


@intrinsic
def _count_ones(_context: Any, mask: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), codegen


@intrinsic
def _trailing_zeros(_context: Any, mask: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), codegen


def popcount(mask: Any) -> int:
    """Return how many bits of a uint64 are set."""
    return int(mask).bit_count()


def lowest_bit(mask: Any) -> int:
    """Return the number of the lowest set bit of a uint64, 64 if there is none."""
    value = int(mask)
    return (value & -value).bit_length() - 1 if value else 64


def bit(index: Any) -> Any:
    """Return the uint64 in which only bit `index` is set."""
    return np.uint64(1) << np.uint64(index)


@overload(popcount)
def _overload_popcount(mask: Any) -> Any:
    def body(mask: Any) -> Any:
        return _count_ones(np.uint64(mask))

    return body


@overload(lowest_bit)
def _overload_lowest_bit(mask: Any) -> Any:
    def body(mask: Any) -> Any:
        return _trailing_zeros(np.uint64(mask))

    return body


@overload(bit)
def _overload_bit(index: Any) -> Any:
    def body(index: Any) -> Any:
        return np.uint64(1) << np.uint64(index)

    return body
