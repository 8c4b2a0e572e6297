"""What is spared of Numba's compiler: the replacements do what they replace, and the garbage collector goes on."""

import gc
import threading

import numpy as np
import pytest
from numba.core import compiler, ir
from numba.core.compiler import Flags
from numba.core.registry import cpu_target

from oponente.kernel.compilation import COMPILED, Entry
from oponente.kernel.thrift import collector


def example(values, limit):
    total, pair = 0, (limit, 2)
    for value in values:
        if value > pair[0]:
            total += max(value, *pair)
    return [total, limit], {"limit": limit}


def reference(value):
    """All variables in an instruction's field, the plain way."""
    if isinstance(value, ir.Var):
        return [value]
    if isinstance(value, ir.Inst):
        return value.list_vars()
    if isinstance(value, (list, tuple)):
        return [variable for element in value for variable in reference(element)]
    if isinstance(value, dict):
        return reference(list(value.values()))
    return []


def test_variables_of_instructions_are_those_of_a_plain_walk():
    function = compiler.run_frontend(example)
    statements = [statement for block in function.blocks.values() for statement in block.body]
    assert len(statements) > 30
    for statement in statements:
        assert [id(found) for found in statement._rec_list_vars(statement.__dict__)] == [
            id(found) for found in reference(statement.__dict__)
        ]
    assert any(len(statement.list_vars()) > 2 for statement in statements)
    assert statements[0]._rec_list_vars([{"a": 1}, "text", None]) == []


def test_options_are_equal_if_all_are():
    first, second = Flags(), Flags()
    assert first == second
    assert hash(first) == hash(second)
    first.nrt = second.nrt  # set to what it is anyway
    assert first == second
    assert hash(first) == hash(second)
    second.boundscheck = not second.boundscheck
    assert first != second
    assert first.values() != second.values()
    assert first.copy() == first
    assert first != "text"


def test_nobody_listens_to_calls_of_llvm():
    from llvmlite.binding import ffi

    assert cpu_target is not None  # the module that would register a listener is imported
    assert ffi.lib._lock._cblist == []


def test_the_collector_rests_till_the_last_is_done():
    assert gc.isenabled()
    inside, leave = threading.Event(), threading.Event()

    def wait() -> None:
        with collector.resting():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=wait)
    with collector.resting():
        thread.start()
        assert inside.wait(10)
        assert not gc.isenabled()
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert gc.isenabled()
    gc.disable()
    try:
        with collector.resting():
            pass
        assert not gc.isenabled(), "was off before"
    finally:
        gc.enable()
    with pytest.raises(RuntimeError), collector.resting():
        raise RuntimeError
    assert gc.isenabled()


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_the_collector_rests_while_an_entry_is_compiled(monkeypatch):
    enabled = []

    def doubled(values):
        return values * 2

    made = Entry(doubled)
    compile_it = made.dispatcher.compile
    monkeypatch.setattr(made.dispatcher, "compile", lambda kinds: enabled.append(gc.isenabled()) or compile_it(kinds))
    assert made(np.arange(3)).tolist() == [0, 2, 4]
    assert enabled == [False]
    assert gc.isenabled()
