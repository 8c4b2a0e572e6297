"""Inner functions: compiled only to be part of others, at a fraction of Numba's usual cost.

For every function Numba makes a wrapper for calls from Python and one for calls from C, optimises it together with all
that it calls, and turns it into machine code. For a function that is only ever compiled into its callers all of that is
wasted, because it is optimised once more as part of each of them; in a game of a hundred small functions it is most of
the time. An :class:`InnerFunction` skips it: what is left is type inference and the unoptimised code that callers link.

A call from Python goes to an ordinary Numba function of the same source.

Numba has no switch for this, so three of its internal methods are replaced; they do what they did before for everything
that is not marked as inner here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numba
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import codegen, cpu, dispatcher, types
from numba.extending import typeof_impl

F = TypeVar("F", bound=Callable[..., Any])

_MARK = "_oponente_inner"
_UNRESOLVED = ".numba.unresolved$"
"""What the names of Numba's stand-ins for functions begin with that are called before they are compiled."""
_compiling = threading.local()


def mark_inner(function: F) -> F:
    """Let Numba compile a Python function only into its callers. It must never be called as compiled from Python."""
    setattr(function, _MARK, True)
    return function


class InnerFunction:
    """A function that compiled functions call."""

    def __init__(self, function: Callable[..., Any]) -> None:
        assert isinstance(function, FunctionType)
        self.py_func = self.__wrapped__ = function
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self.__qualname__ = function.__qualname__
        self.inner: Any = numba.njit(nogil=True)(mark_inner(_twin(function)))
        self._outer: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Run an ordinary Numba function of the same source."""
        if self._outer is None:
            self._outer = numba.njit(nogil=True)(self.py_func)
        return self._outer(*arguments)

    def __repr__(self) -> str:
        return f"<InnerFunction {self.__module__}.{self.__qualname__}>"


def _twin(function: FunctionType) -> FunctionType:
    twin = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    twin.__qualname__, twin.__module__ = function.__qualname__, function.__module__
    twin.__kwdefaults__ = function.__kwdefaults__
    return twin


@typeof_impl.register(InnerFunction)
def _typeof_inner_function(value: InnerFunction, _context: Any) -> Any:
    return types.Dispatcher(value.inner)


def _install() -> None:
    compiler: Any = vars(dispatcher)["_FunctionCompiler"]
    library_class: Any = codegen.CPUCodeLibrary
    context: Any = cpu.CPUContext
    compile_core = compiler._compile_core
    customize_flags = compiler._customize_flags
    get_executable = context.get_executable
    optimise = library_class._optimize_final_module
    finalise = library_class._finalize_final_module

    def compile_and_note(self: Any, *arguments: Any) -> Any:
        outer = getattr(_compiling, "inner", False)
        _compiling.inner = hasattr(self.py_func, _MARK)
        try:
            return compile_core(self, *arguments)
        finally:
            _compiling.inner = outer

    def flags_without_wrappers(self: Any, flags: Any) -> Any:
        if hasattr(self.py_func, _MARK):
            flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return customize_flags(self, flags)

    def executable(self: Any, library: Any, fndesc: Any, env: Any) -> Any:
        if not getattr(_compiling, "inner", False):
            return get_executable(self, library, fndesc, env)
        if any(variable.name.startswith(_UNRESOLVED) for variable in library._final_module.global_variables):
            raise TypeError(
                f"{fndesc.qualname} calls itself by way of another function; compiled functions can only call "
                "themselves directly"
            )
        setattr(library, _MARK, True)
        # Numba wants an object to know the function by. It is never called: 1 is the address of nothing.
        return _dynfunc.make_function(fndesc.lookup_module(), fndesc.qualname, "", 1, env, (library,))

    def optimise_or_not(self: Any) -> None:
        if not hasattr(self, _MARK):
            optimise(self)

    def finalise_or_not(self: Any) -> None:
        if not hasattr(self, _MARK):
            finalise(self)
        else:
            self._finalize_dynamic_globals()
            self._finalized = True

    compiler._compile_core = compile_and_note
    compiler._customize_flags = flags_without_wrappers
    context.get_executable = executable
    library_class._optimize_final_module = optimise_or_not
    library_class._finalize_final_module = finalise_or_not


_install()
