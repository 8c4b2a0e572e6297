"""Tokens and generic functions: dispatch, defaults, and clear errors."""

from __future__ import annotations

import pickle
import sys
import types
from typing import Any, NamedTuple

import numpy as np
import pytest

from oponente.kernel import COMPILED, Token, entry, evaluate, generic, njit, sample_action, stream
from oponente.kernel.rules import max_actions, max_chance


class Tables(NamedTuple):
    token: Token
    factor: int


@generic(required=True)
def scaled(game, value):
    """Scale a value."""


@generic(required=False)
def shifted(game, value):
    """Add one, unless a module does something else."""
    return value + 1


@entry
def both(game, value):
    """Call both generic functions."""
    return scaled(game, value), shifted(game, value)


@entry
def constants(game):
    """Return a game's constants."""
    return max_actions(game), max_chance(game)


@entry
def draw(game, state, rng, buffer):
    """Draw by the default `sample_action`."""
    return sample_action(game, state, rng, buffer)


def module(name: str, **functions: Any) -> Tables:
    """Register a module of functions and return tables with its token."""
    made = types.ModuleType(name)
    vars(made).update(functions)
    sys.modules[name] = made
    return Tables(Token(name), 3)


def test_dispatch_and_default() -> None:
    @njit
    def scaled(game, value):
        return game.factor * value

    @njit
    def shifted(game, value):
        return value - 1

    plain = module("token_test_plain", scaled=scaled)
    own = module("token_test_own", scaled=scaled, shifted=shifted)
    assert both(plain, 5) == (15, 6)
    assert both(own, 5) == (15, 4)
    assert both(own._replace(factor=10), 5) == (50, 4)


def test_missing_function_is_named() -> None:
    lacking = module("token_test_lacking")
    with pytest.raises(Exception, match="token_test_lacking lacks the function scaled") as caught:
        both(lacking, 5)
    if not COMPILED:
        assert isinstance(caught.value, TypeError)


def test_missing_evaluator_is_named() -> None:
    lacking = module("token_test_no_evaluator")
    with pytest.raises(Exception, match=r"lacks the function evaluate\(evaluator, game, state, out\)"):
        evaluate(lacking, lacking, 0, np.zeros(1)) if not COMPILED else _evaluate(lacking)


@entry
def _evaluate(evaluator):
    evaluate(evaluator, evaluator, 0, np.zeros(1))


def test_constants_of_the_contract() -> None:
    assert constants(module("token_test_constants", MAX_ACTIONS=7)) == (7, 0)
    assert constants(module("token_test_chance", MAX_ACTIONS=7, MAX_CHANCE=3)) == (7, 3)


def test_default_sample_action() -> None:
    @njit
    def actions(game, state, out):
        out[0], out[1] = 4, 9
        return 2

    game = module("token_test_sample", actions=actions, MAX_ACTIONS=2)
    rng, buffer = stream(1), np.zeros(2, np.int32)
    assert {draw(game, 0, rng, buffer) for _ in range(50)} == {4, 9}


def test_tokens_are_values() -> None:
    token = Token("token_test_plain")
    assert token == Token("token_test_plain")
    assert token != Token("other")
    assert hash(token) == hash(Token("token_test_plain"))
    assert pickle.loads(pickle.dumps(token)) == token
    assert repr(token) == "Token('token_test_plain')"
