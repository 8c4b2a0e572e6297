"""Waiting for another thread in a loop that looks at what that thread will write.

Where every thread has a processor, looking again and again is fastest. Where there are fewer processors, the thread
that is waited for may need the very one on which the loop runs: then it must be given away, or each wait lasts until
the operating system takes it, milliseconds later.
"""

from __future__ import annotations

import time
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from oponente.kernel.compilation import njit

#: So often a loop looks again before it gives the processor away: longer than a thread of its own would let it wait.
_PATIENCE = 4096


@intrinsic
def _sched_yield(_context: Any) -> Any:
    def codegen(_context: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        function = builder.module.globals.get("sched_yield") or ir.Function(
            builder.module, ir.FunctionType(ir.IntType(32), []), "sched_yield"
        )
        return builder.call(function, [])

    return types.int32(), codegen


def yield_processor() -> None:
    """Let another thread have the processor, if one waits for it; in kernels too."""
    time.sleep(0)


@overload(yield_processor)
def _overload_yield_processor() -> Any:
    def body() -> None:
        _sched_yield()

    return body


@njit
def wait_turn(turns: Any) -> Any:
    """Count a turn of a loop that waits for another thread, and give the processor away if there have been many.

    Args:
        turns: how many turns there were before.

    Returns:
        How many there are now.
    """
    if turns >= _PATIENCE:
        yield_processor()
        return turns
    return turns + 1
