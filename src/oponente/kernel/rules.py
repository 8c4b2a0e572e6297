"""The rules contract: what a game module provides, and the functions through which every algorithm calls it.

A game module holds

``NAME``
    the game's name, lower case.
``State``
    NumPy record dtype of the whole state (:func:`record`): fixed layout, no pointers. A copy is one memcpy, a batch is
    an array, a save file is the bytes.
``Tables``
    named tuple whose first field is ``token: Token``; the other fields are the read-only numbers and arrays that the
    options decide. Kernels receive it as `game`.
``tables(options)``
    Python function that makes the `Tables` for an instance of ``Options``.
``Options``
    frozen dataclass of the game's options (:func:`oponente.kernel.options.option`); none if the game has no options.
``resolve(options)``
    Python function for a game whose options name files: turns the dict of texts that a user gives into one that depends
    on nothing outside, and leaves such a one as it is. Options that were kept are read without it. Absent: no files.
``resolved(options)``
    Python function for a game with ``resolve``: tells whether a dict of texts depends on nothing outside. Options that
    were kept and do not are refused, so that no record, wherever it comes from, lets a file be read.
``PLAYERS`` or ``players(options)``
    how many players, 1 to `MAX_PLAYERS`.
``MAX_ACTIONS``
    the largest number of actions that ``actions`` ever lists.
``MAX_CHANCE``
    the largest number of outcomes that ``chance`` ever lists (0, or absent: the game has no chance nodes).
``ENCODING``
    the length of the vector that ``encode`` fills (0, or absent: the game has none).
``UTILITY``
    the pair (least, greatest) that ``returns`` can give a player, (-1, 1) if absent.
``UTILITY_SUM``
    the greatest sum that ``returns`` can give all players together: 0 in a zero-sum game. Absent: not known. Searches
    for several players leave out more where it is known.
``BENCHMARK``
    dict of texts: the options with which ``oponente bench`` measures the game unless others are given. Absent: none.
``used(tables, states)``
    Python function for a game whose records are large and mostly unused: the parts of ``states[0]`` that are in use, as
    a list of (first byte, byte behind the last). The first part must be the same for all states, and must decide the
    others; all that is outside of them must not matter. Such a game has a ``copy_state`` of its own. Absent: all of it.
``OPEN_ACTIONS``, ``SAMPLED_CHANCE``, ``HIDDEN_INFORMATION``, ``SIMULTANEOUS``
    True where the game has actions that are legal but not listed; draws from a random stream inside its state; hides
    parts of the state from players; collects one hidden action per player before it applies them all. Absent: False.
    Where the options decide whether anything is hidden, ``hidden_information(options)`` tells it.
``symmetries(tables)``
    Python function that returns what turns or mirrors the board and leaves the game as it is, as a list of
    :class:`~oponente.kernel.symmetry.Symmetry`, without the one that moves nothing. Absent: nothing is known.
``real_time(options)``
    The clock of a game that does not wait for its players, a :class:`~oponente.kernel.real_time.RealTime`, or None.
    Absent: None.

and the functions below, compiled with :func:`~oponente.kernel.compilation.njit`. Those with a default may be left out.
Players are numbered from 0; actions are int32 identifiers, not negative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel.compilation import njit
from oponente.kernel.random import mix64, random_below, random_unit
from oponente.kernel.tokens import generic, token_module

MAX_PLAYERS = 6
CHANCE = -1
"""What ``player`` returns when a chance event is due."""
TERMINAL = -2
"""What ``player`` returns when the game is over."""
_HASH_SEED1, _HASH_SEED2 = np.uint64(0x243F6A8885A308D3), np.uint64(0x13198A2E03707344)
_HASH_FACTOR1, _HASH_FACTOR2 = np.uint64(0x9FB21C651E98DF25), np.uint64(0xD6E8FEB86659FD93)
_HASH_SHIFT = np.uint64(32)
PADDING = "_padding"
"""What the names of the fields that fill gaps in a record begin with."""


def _plain(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype as C aligns it: NumPy takes a record with attributes to have no alignment."""
    if dtype.fields is None:
        return dtype
    fields = [(name, dtype.fields[name][0]) for name in dtype.names or ()]
    return np.dtype([(name, _plain(field.base), field.shape) for name, field in fields], align=True)


def record(
    *fields: tuple[str, str | np.dtype[Any]] | tuple[str, str | np.dtype[Any], int | tuple[int, ...]],
) -> np.dtype[Any]:
    """Return the record dtype of a state: ``record(("stones", "u8", 2), ("ply", "i1"))``.

    The type of a field may be a record itself, as this function returns it.

    Fields are attributes in compiled and in interpreted code. They are laid out as in C; list wide fields first. The
    gaps that alignment leaves become fields of their own (``_padding0``, ...), because NumPy copies a record field by
    field: bytes that belong to no field would differ from copy to copy, and so would equality, hashes and save files.

    Raises:
        ValueError: a field has the name of a method of NumPy's records, which would hide it in interpreted code.
    """
    for field in fields:
        if hasattr(np.record, field[0]):
            raise ValueError(
                f"a field of a state can't be named {field[0]!r}: NumPy's records have a method of that name"
            )
    shaped = [(f[0], f[1], (f[2],) if isinstance(f[2], int) else f[2]) if len(f) == 3 else f for f in fields]
    aligned = np.dtype([(f[0], _plain(np.dtype(f[1])), *f[2:]) for f in shaped], align=True)
    laid_out: list[Any] = []
    end = 0
    for field in shaped:
        dtype, offset = aligned.fields[field[0]][:2]  # type: ignore[index]
        if offset > end:
            laid_out.append((f"{PADDING}{len(laid_out)}", "u1", (offset - end,)))
        laid_out.append(field)
        end = offset + dtype.itemsize
    if aligned.itemsize > end:
        laid_out.append((f"{PADDING}{len(laid_out)}", "u1", (aligned.itemsize - end,)))
    return np.dtype((np.record, np.dtype(laid_out, align=True)))


@generic(required=True)
def initial(game: Any, state: Any, rng: Any) -> None:
    """Write the start position to `state`, all bytes of which are 0; draw from `rng` what varies from game to game."""


@generic(required=True)
def player(game: Any, state: Any) -> int:
    """Return whose turn it is: a player's number, `CHANCE` or `TERMINAL`."""


@generic(required=True)
def actions(game: Any, state: Any, out: Any) -> int:
    """Write the listed legal actions of the player to move to `out` (int32), in a fixed order; return how many."""


@generic(required=False)
def legal(game: Any, state: Any, action: Any) -> bool:
    """Tell whether `action`, listed or open, is legal for the player to move."""
    if player(game, state) < 0:
        return False
    listed = np.empty(max_actions(game), np.int32)
    for i in range(actions(game, state, listed)):  # noqa: SIM110 (Numba compiles no generator expression)
        if listed[i] == action:
            return True
    return False


@generic(required=True)
def apply(game: Any, state: Any, action: Any) -> None:
    """Change `state` to the result of a legal action or of a chance outcome. Deterministic."""


@generic(required=False)
def chance(game: Any, state: Any, out_actions: Any, out_probs: Any) -> int:
    """At a chance node, write all outcomes and their probabilities; return how many."""
    return 0


@generic(required=False)
def sample_chance(game: Any, state: Any, rng: Any) -> int:
    """At a chance node, draw one outcome with its probability."""
    size = max_chance(game)
    outcomes, probs = np.empty(size, np.int32), np.empty(size, np.float64)
    count = chance(game, state, outcomes, probs)
    left = random_unit(rng)
    for i in range(count - 1):
        left -= probs[i]
        if left < 0.0:
            return outcomes[i]
    return outcomes[count - 1]


@generic(required=False)
def sample_action(game: Any, state: Any, rng: Any, buffer: Any) -> int:
    """Draw one of the listed legal actions, each equally likely. `buffer` is int32, `MAX_ACTIONS` long.

    A game may provide a faster way, which must draw from the same distribution.
    """
    return buffer[random_below(rng, actions(game, state, buffer))]


@generic(required=False)
def copy_state(game: Any, states: Any, to: Any, origin: Any) -> None:
    """Make record `to` of the array `states` the state that record `origin` is.

    A game whose records are large and mostly unused may copy only what the state uses.
    """
    states[to] = states[origin]


@njit
def begin_hash(out: Any) -> None:
    """Begin to hash words into `out` (uint64, 2), for a ``hash_state`` that takes parts of a record only."""
    out[0], out[1] = _HASH_SEED1, _HASH_SEED2


@njit
def hash_words(words: Any, begin: Any, end: Any, out: Any) -> None:
    """Hash the words from `begin` to before `end`."""
    first, second = out[0], out[1]
    for i in range(begin, end):
        word = np.uint64(words[i])
        first = (first ^ word) * _HASH_FACTOR1
        second = (second ^ word) * _HASH_FACTOR2
        first ^= first >> _HASH_SHIFT
        second ^= second >> _HASH_SHIFT
    out[0], out[1] = first, second


@njit
def end_hash(out: Any) -> None:
    """Finish: every bit of `out` now depends on all words."""
    out[0], out[1] = mix64(out[0]), mix64(out[1])


@generic(required=False)
def hash_state(game: Any, state: Any, words: Any, out: Any) -> None:
    """Write two words to `out` (uint64) by which a transposition table knows the state again.

    Equal states must get equal words; two different ones may get the same pair no more often than chance would have it.
    `words` are all bytes of the record, as unsigned integers. A game may provide a faster way, or one that leaves out
    what bears on neither the course of the game nor its value.
    """
    begin_hash(out)
    hash_words(words, 0, words.size, out)
    end_hash(out)


@generic(required=True)
def returns(game: Any, state: Any, out: Any) -> None:
    """At a terminal state, write the utility of each player to `out` (float64, one per player)."""


@generic(required=False)
def observed(game: Any, state: Any, action: Any, player: Any) -> int:
    """Return `action`, about to be applied to `state`, as `player` sees it (what that player can't see is masked)."""
    return action


@generic(required=False)
def determinize(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Overwrite all that `player` can't know with a sample that is consistent with all that `player` does know.

    What a player knows is part of the state, so the sample depends on that and never on what it overwrites.
    """


@generic(required=False)
def reseed(game: Any, state: Any, rng: Any) -> None:
    """Give the random stream inside the state of a game with sampled chance a new start, drawn from `rng`."""


@generic(required=False)
def encode(game: Any, state: Any, player: Any, out: Any) -> None:
    """Write the features of the state, as far as `player` knows it, to `out` (float32, ``ENCODING`` long)."""


def max_actions(game: Any) -> int:
    """Return the game's constant `MAX_ACTIONS`, in kernels a compile-time constant."""
    return int(game.token.module.MAX_ACTIONS)


def max_chance(game: Any) -> int:
    """Return the game's constant `MAX_CHANCE`, 0 if it has none; in kernels a compile-time constant."""
    return int(getattr(game.token.module, "MAX_CHANCE", 0))


def _constant_overload(name: str, default: int | None) -> Any:
    def choose(game: Any) -> Any:
        module = token_module(game)
        if module is None:
            return None
        value = int(getattr(module, name) if default is None else getattr(module, name, default))

        def body(game: Any) -> Any:
            return value

        return body

    return choose


def _register_constants() -> None:
    from numba.extending import overload

    overload(max_actions)(_constant_overload("MAX_ACTIONS", None))
    overload(max_chance)(_constant_overload("MAX_CHANCE", 0))


_register_constants()
