"""What everything else stands on: compiled rules, random streams, clock, machine-code cache; no game, no search."""

from oponente.kernel.atomics import atomic_add, volatile_load
from oponente.kernel.clock import Control, expired, monotonic_ns
from oponente.kernel.compilation import COMPILED, compile_listener, entry, njit
from oponente.kernel.evaluation import evaluate, playout_action
from oponente.kernel.game import Game, RulesError
from oponente.kernel.options import Declared, build, changed, declared, format_value, option
from oponente.kernel.random import (
    Stream,
    derive_seed,
    mix64,
    next_u64,
    random_below,
    random_unit,
    spawn,
    stream,
)
from oponente.kernel.rules import (
    CHANCE,
    MAX_PLAYERS,
    TERMINAL,
    actions,
    apply,
    chance,
    copy_state,
    determinize,
    encode,
    initial,
    legal,
    observed,
    player,
    record,
    reseed,
    returns,
    sample_action,
    sample_chance,
)
from oponente.kernel.standard import OUTCOME, UNIFORM
from oponente.kernel.state import IllegalActionError, LegalActions, State
from oponente.kernel.tokens import Token, generic
from oponente.kernel.userfile import UserFileError, load_user_file

__all__ = [
    "CHANCE",
    "COMPILED",
    "MAX_PLAYERS",
    "OUTCOME",
    "TERMINAL",
    "UNIFORM",
    "Control",
    "Declared",
    "Game",
    "IllegalActionError",
    "LegalActions",
    "RulesError",
    "State",
    "Stream",
    "Token",
    "UserFileError",
    "actions",
    "apply",
    "atomic_add",
    "build",
    "chance",
    "changed",
    "compile_listener",
    "copy_state",
    "declared",
    "derive_seed",
    "determinize",
    "encode",
    "entry",
    "evaluate",
    "expired",
    "format_value",
    "generic",
    "initial",
    "legal",
    "load_user_file",
    "mix64",
    "monotonic_ns",
    "next_u64",
    "njit",
    "observed",
    "option",
    "player",
    "playout_action",
    "random_below",
    "random_unit",
    "record",
    "reseed",
    "returns",
    "sample_action",
    "sample_chance",
    "spawn",
    "stream",
    "volatile_load",
]
