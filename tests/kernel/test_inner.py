"""Functions that are only compiled into others."""

import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import numba
import numpy as np
import pytest

from oponente.kernel import entry, njit
from oponente.kernel.compilation import COMPILED
from oponente.kernel.internals import SUPPORTED

pytestmark = pytest.mark.skipif(not COMPILED, reason="about compiled functions")


@njit
def double(x):
    return 2 * x


@njit
def factorial(n):
    return 1 if n <= 1 else n * factorial(n - 1)


@njit
def is_even(n):
    return True if n == 0 else is_odd(n - 1)


@njit
def is_odd(n):
    return False if n == 0 else is_even(n - 1)


@entry
def quadruple(x):
    return double(double(x))


@entry
def factorial_plus(n, more):
    return factorial(n) + more


@entry
def parity(n):
    return is_even(n)


@numba.njit
def plain_half(x):
    return x / 2


@entry
def through_plain(x):
    return plain_half(double(x))


def test_a_function_runs_within_others_and_by_itself():
    assert quadruple(3) == 12
    assert quadruple(1.5) == 6.0
    assert double(5) == 10  # after it was compiled into others
    assert double(2.5) == 5.0


def test_numbas_own_functions_stay_callable_after_they_were_compiled_into_ours():
    assert through_plain(3) == 3.0
    assert plain_half(3) == 1.5


def test_a_function_may_call_itself():
    assert factorial_plus(5, 1) == 121


def test_functions_that_call_each_other_are_refused():
    with pytest.raises(TypeError, match=r"is_(odd|even) calls itself by way of another function"):
        parity(4)


@njit
def first_of(values):
    return values[0]


@njit
def tail_of(values):
    return values[1:]


@njit
def same(values):
    return values


@njit
def kept(values):
    return [values, values[1:]]


@entry
def hands_arrays_on(values):
    return first_of(tail_of(values)) + first_of(same(values)) + first_of(kept(values)[1])


def test_arrays_that_are_handed_on_keep_their_references():
    values = np.arange(1000.0)
    before = sys.getrefcount(values)
    for _ in range(1000):
        assert hands_arrays_on(values) == 2.0
        # Memory that was given back too often would be taken by this.
        assert np.full(1000, 7.0)[0] == 7.0
    assert sys.getrefcount(values) == before
    assert values[999] == 999.0


def test_recursion_comes_back_from_the_cache(tmp_path):
    module = tmp_path / "recursive.py"
    module.write_text(
        textwrap.dedent("""
        from oponente.kernel import entry, njit
        from oponente.kernel.compilation import compile_listener

        @njit
        def climb(n, steps):
            return 1 if n == 0 else 0 if n < 0 else climb(n - 1, steps) + climb(n - steps, steps)

        @entry
        def ways(n):
            return climb(n, 2)

        @entry
        def more_ways(n):
            return climb(n, 3) + 100

        def main():
            compiled = []
            with compile_listener(lambda name, seconds: compiled.append(name)):
                print(ways(10), more_ways(10), len(compiled))

        main()
        """)
    )
    outputs = []
    for _ in range(3):
        run = subprocess.run(
            [sys.executable, str(module)],
            env={**os.environ, "OPONENTE_CACHE_DIR": str(tmp_path / "cache")},
            capture_output=True,
            text=True,
            check=True,
        )
        outputs.append(run.stdout.split())
    assert [output[:2] for output in outputs] == [["89", "128"]] * 3
    assert outputs[0][2] != "0"
    assert outputs[2][2] == "0"  # the first run keeps nothing, if the file is too new


@pytest.mark.parametrize("thing", [42, int, print])
def test_only_functions_can_be_compiled(thing) -> None:
    from oponente.kernel import entry

    for decorator in (njit, entry):
        with pytest.raises(TypeError, match="defined with def"):
            decorator(thing)


def test_a_numba_that_lacks_what_is_replaced_is_refused() -> None:
    from oponente.kernel import inner, internals

    with pytest.raises(ImportError, match=r"Numba \S+ has no .*\._no_such_thing: oponente works with Numba"):
        internals.find(inner.dispatcher, "_no_such_thing")


@njit
def last_of(values):
    return values[len(values) - 1]


@njit
def sum_of_ends(values, others):
    return last_of(values) + last_of(others)


def test_the_counting_of_references_to_arguments_is_left_out(monkeypatch):
    """The pattern fits what this version of Numba writes: else nothing is left out, and nothing else would tell."""
    from oponente.kernel import inner

    code = {}
    leave_out = inner._leave_out_counting

    def watched(library, arguments):
        before = str(library._final_module)
        leave_out(library, arguments)
        code[library.name] = before, str(library._final_module)

    monkeypatch.setattr(inner, "_leave_out_counting", watched)
    # Through another dispatcher than Entry's, so that the machine-code cache does not answer.
    assert numba.njit(lambda values: sum_of_ends(values, values))(np.arange(3.0)) == 4.0
    before, after = next(both for name, both in code.items() if "sum_of_ends" in name)
    assert "call void @NRT_incref" in before, "Numba counts no references to arguments any more: nothing to leave out"
    assert [line for line in after.splitlines() if "call" in line and "@NRT_" in line] == []


def test_supported_versions_of_numba_are_those_of_the_package():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    (wanted,) = (line for line in project["dependencies"] if line.startswith("numba"))
    low, high = re.fullmatch(r"numba>=0\.(\d+),<0\.(\d+)", wanted).groups()
    assert f"0.{low} to 0.{int(high) - 1}" == SUPPORTED
