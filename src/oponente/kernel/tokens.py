"""Tokens: how a compiled search knows which game, evaluator or playout policy it was given.

A *token* stands for a module whose functions implement a contract (the rules of a game, an evaluator, ...). Its Numba
type carries the module's name and a digest of its source closure, and no data, so passing one costs nothing at run
time while every function that receives it is compiled for that module.

A token never travels alone: it is the field ``token`` of a named tuple whose other fields are the module's *tables*,
read-only numbers and arrays (Risk's map, Catan's options, an evaluator's weights). All values of one named tuple class
share one specialisation of machine code, whatever is in their tables.

:func:`generic` makes a function that dispatches on such a named tuple::

    @generic(required=True)
    def player(game, state): ...          # calls `player` of the module of game.token

Compiled code resolves the call when it is compiled; interpreted code (``NUMBA_DISABLE_JIT=1``) when it is made.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any

from numba import types
from numba.extending import NativeValue, box, models, overload, register_model, typeof_impl, unbox

from oponente.kernel.compilation import njit
from oponente.kernel.inner import mark_inner, twin
from oponente.kernel.sources import closure_digest


class TokenType(types.Opaque):
    """The Numba type of a token: the module's name and the digest of its source closure."""

    def __init__(self, module: str, digest: str) -> None:
        self.token_module = module
        super().__init__(name=f"Token[{module}:{digest}]")


class Token:
    """Stands for the module whose functions a generic function calls.

    Args:
        module: name of the module, which must be imported by the time the token is used (``Token(__name__)``).
    """

    __slots__ = ("_type", "name")

    def __init__(self, module: str) -> None:
        self.name = module
        self._type: TokenType | None = None

    @property
    def module(self) -> Any:
        """The module itself."""
        return sys.modules[self.name]

    @property
    def numba_type(self) -> TokenType:
        """The Numba type, made at first use: the module is complete then."""
        if self._type is None:
            self._type = TokenType(self.name, closure_digest(self.name).hex()[:16])
        return self._type

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Token) and other.name == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __reduce__(self) -> tuple[type[Token], tuple[str]]:
        return Token, (self.name,)

    def __repr__(self) -> str:
        return f"Token({self.name!r})"


register_model(TokenType)(models.OpaqueModel)


@typeof_impl.register(Token)
def _typeof_token(value: Token, _context: Any) -> TokenType:
    return value.numba_type


@unbox(TokenType)
def _unbox_token(_type: TokenType, _value: Any, context: Any) -> NativeValue:
    return NativeValue(context.context.get_dummy_value())


@box(TokenType)
def _box_token(_type: TokenType, _value: Any, context: Any) -> Any:
    return context.pyapi.make_none()


def token_module(numba_type: Any) -> Any:
    """Return the module of the token in a named tuple's Numba type, or None where there is none."""
    fields = getattr(numba_type, "fields", ())
    if "token" not in fields:
        return None
    token = list(numba_type)[fields.index("token")]
    return sys.modules[token.token_module] if isinstance(token, TokenType) else None


def generic(*, required: bool) -> Callable[[Callable[..., Any]], Any]:
    """Make a function that dispatches on its first argument's token.

    A call goes to the function of the same name in the module of the token. Where the function is not `required`, a
    module may lack it and gets the body of the decorated stub, the contract's default.
    """
    return lambda stub: _make_generic(stub, required)


def _make_generic(stub: Callable[..., Any], required: bool) -> Any:
    name = stub.__name__
    parameters = ", ".join(inspect.signature(stub).parameters)
    first = parameters.partition(",")[0]
    default = None if required else njit(stub)

    def find(module: Any) -> Any:
        function = getattr(module, name, None)
        if function is None and default is None:
            raise TypeError(f"{module.__name__} lacks the function {name}({parameters})")
        return function or default

    def select(numba_type: Any) -> Any:
        module = token_module(numba_type)
        return None if module is None else find(module)

    def interpreted(*arguments: Any) -> Any:
        return find(arguments[0].token.module)(*arguments)

    # Numba compares the argument names of an overload with those of its body, so both are written for this stub.
    names = tuple(inspect.signature(stub).parameters)
    scope: dict[str, Any] = {
        "select": select,
        "mark_inner": mark_inner,
        "plain_function": lambda target: _plain_function(target, names),
    }
    source = (
        f"def choose({parameters}):\n"
        f"    target = select({first})\n"
        f"    if target is None:\n"
        f"        return None\n"
        f"    body = plain_function(target)\n"
        f"    if body is not None:\n"
        f"        return body\n"
        f"    def dispatched({parameters}):\n"
        f"        return target({parameters})\n"
        f"    return mark_inner(dispatched)\n"
    )
    exec(source, scope)
    interpreted.__name__ = interpreted.__qualname__ = name
    interpreted.__module__ = stub.__module__
    interpreted.__doc__ = stub.__doc__
    overload(interpreted, inline="never")(scope["choose"])
    return interpreted


def _plain_function(target: Any, names: tuple[str, ...]) -> FunctionType | None:
    """Return the Python function of a dispatcher, for Numba to compile in place: a call that need not be compiled too.

    None if its arguments have other names than the contract's. Annotations are left out, since Numba compares them.
    """
    function = getattr(target, "py_func", target)
    if not isinstance(function, FunctionType) or tuple(inspect.signature(function).parameters) != names:
        return None
    return mark_inner(twin(function))
