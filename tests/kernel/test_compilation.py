"""Entries: what decides which machine code runs, and announcements of compilation."""

from __future__ import annotations

from pathlib import Path

import numba
import numpy as np
import pytest

from oponente.kernel import COMPILED, compile_listener, entry, njit

compiled_only = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")


@njit
def one(x):
    return x + 1


@njit
def two(x):
    return x + 2


@entry
def through(function, x):
    return function(x)


@entry
def field(item):
    return item.a


@entry
def total(values):
    s = values[0] - values[0]
    for i in range(values.shape[0]):
        s += values[i]
    return s


def test_functions_as_arguments_are_told_apart() -> None:
    assert [through(one, 1), through(two, 1), through(one, 1)] == [2, 3, 2]


def test_records_of_different_layouts_are_told_apart() -> None:
    first = np.array([(7, 1)], np.dtype((np.record, [("a", "i8"), ("b", "i8")])))
    second = np.array([(1, 7)], np.dtype((np.record, [("b", "i8"), ("a", "i8")])))
    assert [field(first[0]), field(second[0]), field(first[0])] == [7, 7, 7]


def test_arrays_of_different_types_and_layouts_are_told_apart() -> None:
    for dtype in (np.int8, np.uint8, np.int64, np.float32):
        assert total(np.array([3, 4], dtype)) == 7
        assert total(np.array([3, 9, 4, 9], dtype)[::2]) == 7
    frozen = np.array([3, 4])
    frozen.flags.writeable = False
    assert total(frozen) == 7


@compiled_only
def test_compilation_is_announced_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPONENTE_CACHE_DIR", str(tmp_path))  # where a run before has kept nothing

    @entry
    def fresh(x):
        return x * 3

    heard = []
    with compile_listener(lambda name, seconds: heard.append((name, seconds))):
        assert fresh(2) == 6
        assert fresh(3) == 9
    assert [seconds is None for _, seconds in heard] == [True, False]
    assert heard[0][0].endswith("fresh")
    assert heard[1][1] > 0
    assert not numba.config.DISABLE_JIT
