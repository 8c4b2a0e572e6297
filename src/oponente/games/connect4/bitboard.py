"""Connect Four: bit tricks on the standard board of 7 columns and 6 rows.

The layout is that of :mod:`oponente.games.connect4.rules`: seven bits a column, lowest cell first, the top bit spare.
Rows count from 1, so that the first player's "odd threats" are winning cells in `ODD_ROWS`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from oponente.kernel import njit

COLUMNS, ROWS, HEIGHT, CELLS = 7, 6, 7, 42

_ALL_BOTTOM = sum(1 << column * HEIGHT for column in range(COLUMNS))
BOTTOM = np.uint64(_ALL_BOTTOM)
BOARD = np.uint64(_ALL_BOTTOM * ((1 << ROWS) - 1))
ODD_ROWS = np.uint64(_ALL_BOTTOM * 0b010101)
EVEN_ROWS = np.uint64(_ALL_BOTTOM * 0b101010)

ZERO, ONE, TWO, THREE, FOUR = (np.uint64(n) for n in range(5))
COLUMN = np.uint64((1 << ROWS) - 1)
WIDE_COLUMN = np.uint64((1 << HEIGHT) - 1)
D6, D7, D8, D12, D14, D16, D18, D21, D24 = (np.uint64(n) for n in (6, 7, 8, 12, 14, 16, 18, 21, 24))
D28, D42 = np.uint64(28), np.uint64(42)
_MIDDLE = np.uint64(((1 << HEIGHT) - 1) << 3 * HEIGHT)


@njit
def playable(full: Any) -> Any:
    """Return the lowest free cell of each column with room."""
    return (full + BOTTOM) & BOARD


@njit
def several(bits: Any) -> bool:
    """Tell whether more than one bit is set."""
    return bits & (bits - ONE) != ZERO


@njit
def has_four(stones: Any) -> bool:
    """Tell whether four of the stones lie in a row."""
    up = stones & (stones >> ONE)
    across = stones & (stones >> D7)
    falling = stones & (stones >> D6)
    rising = stones & (stones >> D8)
    found = (up & (up >> TWO)) | (across & (across >> D14)) | (falling & (falling >> D12)) | (rising & (rising >> D16))
    return found != ZERO


@njit
def winning_cells(stones: Any, full: Any) -> Any:
    """Return the free cells, reachable now or not, that complete four in a row."""
    cells = (stones << ONE) & (stones << TWO) & (stones << THREE)
    cells |= _completing(stones, D6, D12) | _completing(stones, D7, D14) | _completing(stones, D8, D16)
    return cells & (full ^ BOARD)


@njit
def _completing(stones: Any, step: Any, double: Any) -> Any:
    """Return the cells that complete a row in one direction: beside a pair that has a third stone on either side."""
    after, before = stones << step, stones >> step
    pair_before = after & (stones << double)
    pair_after = before & (stones >> double)
    return (pair_before & ((after << double) | before)) | (pair_after & (after | (before >> double)))


@njit
def mirrored(bits: Any) -> Any:
    """Swap left and right."""
    outer = ((bits & WIDE_COLUMN) << D42) | ((bits >> D42) & WIDE_COLUMN)
    second = ((bits & (WIDE_COLUMN << D7)) << D28) | ((bits >> D28) & (WIDE_COLUMN << D7))
    third = ((bits & (WIDE_COLUMN << D14)) << D14) | ((bits >> D14) & (WIDE_COLUMN << D14))
    return outer | second | third | (bits & _MIDDLE)


@njit
def position_key(mine: Any, full: Any) -> Any:
    """Return a number of 49 bits that only this position has: the mover's stones, and one bit above each column."""
    return mine + full + BOTTOM


@njit
def canonical_key(mine: Any, full: Any) -> Any:
    """Return the smaller key of the position and its mirror image."""
    return min(position_key(mine, full), position_key(mirrored(mine), mirrored(full)))


# --- memory --------------------------------------------------------------------------------------------------------


@intrinsic
def _prefetch(_context: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        array_type = signature.args[0]
        view = context.make_array(array_type)(context, builder, arguments[0])
        pointer = cgutils.get_item_pointer(context, builder, array_type, view, [arguments[1]], wraparound=False)
        int32, byte = ir.IntType(32), ir.IntType(8).as_pointer()
        function = builder.module.declare_intrinsic(
            "llvm.prefetch", [byte], ir.FunctionType(ir.VoidType(), [byte, int32, int32, int32])
        )
        read, keep_close, data = ir.Constant(int32, 0), ir.Constant(int32, 3), ir.Constant(int32, 1)
        builder.call(function, [builder.bitcast(pointer, byte), read, keep_close, data])
        return context.get_dummy_value()

    return types.void(array, types.intp), codegen


def prefetch(array: Any, index: Any) -> None:
    """Ask the processor to fetch ``array[index]``, which is read soon; changes nothing."""


@overload(prefetch)
def _overload_prefetch(array: Any, index: Any) -> Any:
    def body(array: Any, index: Any) -> None:
        _prefetch(array, index)

    return body
