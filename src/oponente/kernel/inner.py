"""Inner functions: compiled only to be part of others, at a fraction of Numba's usual cost.

For every function Numba makes a wrapper for calls from Python and one for calls from C, optimises it together with all
that it calls, and turns it into machine code. For a function that is only ever compiled into its callers all of that is
wasted, because it is optimised once more as part of each of them; in a game of a hundred small functions it is most of
the time. An :class:`InnerFunction` skips it: what is left is type inference and the unoptimised code that callers link.

Numba also counts the references to every array that is handed on. A function whose arguments and results leave the
array nowhere to stay gives back each reference that it takes, so the counting is left out of it.

A call from Python goes to an ordinary Numba function of the same source.

Numba names each function after the types of its arguments in full, and the name of a record tells every field. Names of
many thousands of characters, once for each function and each call, are what a large game's code consists of for the
most part. So long names of types are shortened to a digest where they become part of such a name.

Numba has no switch for this, so four of its internal methods are replaced; they do what they did before for everything
that is not marked as inner here, and for short names.
"""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

import numba
from llvmlite import binding
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import codegen, cpu, dispatcher, types
from numba.extending import typeof_impl

from oponente.kernel import thrift
from oponente.kernel.internals import find

F = TypeVar("F", bound=Callable[..., Any])

_MARK = "_oponente_inner"
_APART = "_oponente_apart"
"""Marks functions that are called, not compiled into each place where they are called."""
_UNRESOLVED = ".numba.unresolved$"
"""What the names of Numba's stand-ins for functions begin with that are called before they are compiled."""
_compiling = threading.local()


def mark_inner(function: F) -> F:
    """Let Numba compile a Python function only into its callers. It must never be called as compiled from Python."""
    setattr(function, _MARK, True)
    return function


class InnerFunction:
    """A function that compiled functions call.

    Args:
        function: the Python function.
        in_place: whether its code is put in place of every call.
        apart: whether its machine code is there once and is called, not put into each place that calls it.
    """

    def __init__(self, function: Callable[..., Any], *, in_place: bool = False, apart: bool = False) -> None:
        if not isinstance(function, FunctionType):
            raise TypeError(f"only functions defined with def can be compiled; {function!r} is none")
        self.py_func = self.__wrapped__ = function
        self.__doc__, self.__name__, self.__module__ = function.__doc__, function.__name__, function.__module__
        self.__qualname__ = function.__qualname__
        source = mark_inner(twin(function))
        if apart:
            setattr(source, _APART, True)
        self.inner: Any = numba.njit(nogil=True, forceinline=in_place)(source)
        self._outer: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Run an ordinary Numba function of the same source."""
        if self._outer is None:
            self._outer = numba.njit(nogil=True)(self.py_func)
        return self._outer(*arguments)

    def __repr__(self) -> str:
        return f"<InnerFunction {self.__module__}.{self.__qualname__}>"


def twin(function: FunctionType) -> FunctionType:
    """Return another function of the same code, without annotations (Numba compares them where it overloads)."""
    other = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    other.__qualname__, other.__module__ = function.__qualname__, function.__module__
    other.__kwdefaults__ = function.__kwdefaults__
    return other


@typeof_impl.register(InnerFunction)
def _typeof_inner_function(value: InnerFunction, _context: Any) -> Any:
    return types.Dispatcher(value.inner)


_REFERENCES = r"(?m)^.*call.*@NRT_.*$"
"""Any call that has to do with references."""


def _counting(arguments: tuple[str, ...]) -> str:
    """Return the pattern of a call that counts a reference to an argument.

    Where a function has several ways out, LLVM joins what each of them holds of the variable of that name: the
    argument, or nothing any more.
    """
    variables = "|".join(re.escape(name) for name in arguments)
    held = rf"%\"?(?:arg\.[^)]*|(?:{variables})\.sroa\.[^)]*)" if variables else r"%\"?arg\.[^)]*"
    return rf"(?m)^\s*(?:tail )?call void @NRT_(?:incref|decref)\([^%)]*{held}\)\s*$"


def _leave_out_counting(library: Any, arguments: tuple[str, ...]) -> None:
    """Remove the counting of references to arguments, if that is all that a function does with references."""
    code = str(library._final_module)
    counting = _counting(arguments)
    if not re.search(counting, code):
        return
    without = re.sub(counting, "", code)
    if re.search(_REFERENCES, without) is None:
        name = library._final_module.name
        library._final_module = binding.parse_assembly(without)
        library._final_module.name = name


def _may_hold(numba_type: Any) -> bool:
    """Tell whether a value of the type may refer to an array."""
    if isinstance(numba_type, types.BaseTuple):
        elements: Any = numba_type
        return any(_may_hold(element) for element in elements)
    return not isinstance(numba_type, types.Number | types.Boolean | types.NoneType)


def _may_hold_more(numba_type: Any) -> bool:
    """Tell whether an argument of the type may come to refer to an array that it did not refer to before."""
    if isinstance(numba_type, types.BaseTuple):
        elements: Any = numba_type
        return any(_may_hold_more(element) for element in elements)
    plain = types.Number | types.Boolean | types.NoneType | types.Array | types.Record | types.Opaque
    return not isinstance(numba_type, plain)


_LONG, _SHORT = 120, 24
"""How long a type's name may be in a function's, and how much is left of a longer one in front of its digest."""


def _install() -> None:
    compiler: Any = find(dispatcher, "_FunctionCompiler")
    library_class: Any = find(codegen, "CPUCodeLibrary")
    context: Any = find(cpu, "CPUContext")
    named: Any = find(types, "Type")
    find(named, "mangling_args", "fget")
    for name in ("_compile_core", "_customize_flags"):
        find(compiler, name)
    for name in ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals"):
        find(library_class, name)
    find(context, "get_executable")
    find(_dynfunc, "make_function")
    compile_core = compiler._compile_core
    customize_flags = compiler._customize_flags
    get_executable = context.get_executable
    optimise = library_class._optimize_final_module
    finalise = library_class._finalize_final_module

    def compile_and_note(self: Any, *arguments: Any) -> Any:
        outer = getattr(_compiling, "inner", False), getattr(_compiling, "apart", False)
        _compiling.inner, _compiling.apart = hasattr(self.py_func, _MARK), hasattr(self.py_func, _APART)
        try:
            return compile_core(self, *arguments)
        finally:
            _compiling.inner, _compiling.apart = outer

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
        if not _may_hold(fndesc.restype) and not any(_may_hold_more(argument) for argument in fndesc.argtypes):
            _leave_out_counting(library, tuple(fndesc.args))
        if _compiling.apart:
            library._final_module.get_function(fndesc.llvm_func_name).add_function_attribute("noinline")
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

    mangling_args = named.mangling_args.fget

    def shortened(self: Any) -> Any:
        name, arguments = mangling_args(self)
        if len(name) > _LONG:
            name = f"{name[:_SHORT]}.{hashlib.blake2b(name.encode(), digest_size=12).hexdigest()}"
        return name, arguments

    named.mangling_args = property(shortened)
    compiler._compile_core = compile_and_note
    compiler._customize_flags = flags_without_wrappers
    context.get_executable = executable
    library_class._optimize_final_module = optimise_or_not
    library_class._finalize_final_module = finalise_or_not


_install()
thrift.install()
