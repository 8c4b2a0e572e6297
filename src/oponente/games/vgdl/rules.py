"""VGDL: the rules contract for general video games.

A description and a level are compiled to a `Program` (:mod:`oponente.games.vgdl.compiler`), which the interpreter below
runs; see :mod:`oponente.games.vgdl.layout` for the records. What a tick is stands in :mod:`oponente.games.vgdl.tick`.

An action is NIL, UP, LEFT, DOWN, RIGHT or USE. With several players each chooses in turn, hidden from the others, and
the last choice lets the tick pass.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from oponente.games.vgdl import layout
from oponente.games.vgdl.avatars import is_possible
from oponente.games.vgdl.kinds import NIL
from oponente.games.vgdl.lcg import seeded
from oponente.games.vgdl.loading import OWN_GAMES, kept_text, load
from oponente.games.vgdl.tick import set_up, tick
from oponente.kernel import TERMINAL, RealTime, Token, build, next_u64, njit, option, random_below
from oponente.kernel.copying import copy_bytes
from oponente.kernel.rules import begin_hash, end_hash, hash_words

NAME = "vgdl"
MAX_ACTIONS = 6
SAMPLED_CHANCE = True
SIMULTANEOUS = True
HIDDEN = 6
"""An action that another player has chosen and that is not to be seen yet."""

WORD = 8
"""Bytes of the words that a state is hashed by."""

State = layout.State


@dataclass(frozen=True)
class Options:
    """Which game, and how."""

    game: str = option(OWN_GAMES[0], meaning="name of the game")
    level: int = option(0, low=0, high=999, meaning="number of the level")
    games: str = option("", meaning="folder with descriptions and levels; empty: the games of this package")
    text: str = option("", meaning="the description and the level themselves, as a record keeps them")
    ticks: int = option(2000, low=1, high=1_000_000, meaning="number of the tick after which a game is lost")
    nil: bool = option(True, meaning="whether doing nothing is listed among the actions (it is always possible)")
    clock: bool = option(
        False,
        meaning="real time, as in the competition: 1 s before the first tick and 40 ms for each; who takes longer does"
        " nothing, and who takes longer than 50 ms is disqualified",
    )
    compat: bool = option(True, meaning="whether what is judged to be a mistake of the framework is followed")
    strict: bool = option(False, meaning="whether what a description says in vain is an error")


def resolve(options: Mapping[str, str]) -> dict[str, str]:
    """Put what is in the files that the options name in place of their folder.

    So a game that was recorded can be replayed where the files are missing or have changed. The games of this package
    are known by their names.

    Raises:
        ValueError: the files can't be found or read; the message is one line.
    """
    if resolved(options):
        return dict(options)
    given = build(Options, options, f"game {NAME}")
    return {key: value for key, value in options.items() if key != "games"} | {"text": kept_text(given)}


def resolved(options: Mapping[str, str]) -> bool:
    """Tell whether options hold the game itself, or name one of this package.

    Raises:
        ValueError: an option is unknown or out of range.
    """
    given = build(Options, options, f"game {NAME}")
    return bool(given.text) or (given.game in OWN_GAMES and not given.games)


class Tables(NamedTuple):
    """A game that was compiled."""

    token: Token
    program: Any
    """One `Program` record."""


def tables(options: Options) -> Tables:
    """Return the compiled game.

    Raises:
        ValueError: it can't be found or used; the message is one line.
    """
    compiled = load(options)
    program = compiled.program.copy()
    program.list_nil = options.nil
    program.last_limit_only = options.compat
    return Tables(Token(__name__), program)


def real_time(options: Options) -> RealTime | None:
    """Return the clock of the competition, if it is wanted."""
    return RealTime(start=1.0, decision=0.04, latest=0.05, idle=NIL) if options.clock else None


def players(options: Options) -> int:
    """Return how many players the game has."""
    return int(load(options).program.players)


def used(tables: Tables, states: Any) -> list[tuple[int, int]]:
    """Return the parts of a state that are in use: what all games have, groups, fixed sprites, the others, events."""
    record, program = states[0], tables.program
    parts = ((0, layout.BEFORE_GROUPS),)
    lengths = (
        (layout.BEFORE_GROUPS, int(program.n_types) * layout.GROUP_BYTES),
        (layout.BEFORE_ALIVE, (int(program.n_mortal) + 63) // 64 * 8),
        (layout.BEFORE_SPRITES, int(record.slots) * layout.SPRITE_BYTES),
        (layout.BEFORE_EVENTS, int(record.n_events) * layout.EVENT_BYTES),
    )
    return [*parts, *((start, start + length) for start, length in lengths)]


@njit
def initial(game: Any, state: Any, rng: Any) -> None:
    """Place the sprites of the level; draw the seed of the game."""
    set_up(game, state)
    reseed(game, state, rng)


@njit
def reseed(game: Any, state: Any, rng: Any) -> None:
    """Give the random numbers of the game another start."""
    state.rng = seeded(next_u64(rng) >> np.uint64(16))


@njit
def player(game: Any, state: Any) -> int:
    """Choices are collected in the order of the players."""
    return TERMINAL if state.ended else np.int64(state.mover)


@njit
def actions(game: Any, state: Any, out: Any) -> int:
    """List what the class of the player's avatar can do, in the framework's order, then doing nothing."""
    p = game.program
    count = np.int64(0)
    slot = np.int64(state.avatar[np.int64(state.mover)])
    s = state.sprites[slot]
    if s.disabled == 0:
        t = p.types[s.type]
        for i in range(t.legal, t.legal + t.n_legal):
            if p.ints[i] != NIL:
                out[count] = p.ints[i]
                count += 1
    if p.list_nil or count == 0:
        out[count] = NIL
        count += 1
    return count


@njit
def legal(game: Any, state: Any, action: Any) -> bool:
    """Doing nothing is always possible."""
    if state.ended:
        return False
    s = state.sprites[np.int64(state.avatar[np.int64(state.mover)])]
    return action == NIL or (s.disabled == 0 and is_possible(game, s, action))


@njit
def apply(game: Any, state: Any, action: Any) -> None:
    """Note a choice; the last one lets the tick pass."""
    state.chosen[np.int64(state.mover)] = action
    state.mover += 1
    if state.mover == game.program.players:
        state.mover = 0
        tick(game, state)


@njit
def returns(game: Any, state: Any, out: Any) -> None:
    """1 for a win, -1 for a loss; a game may have several winners."""
    for player in range(game.program.players):
        out[player] = 1.0 if state.win[player] == 1 else -1.0 if state.win[player] == 0 else 0.0


@njit
def observed(game: Any, state: Any, action: Any, player: Any) -> int:
    """A choice is the chooser's secret until the tick passes."""
    return action if player == state.mover else HIDDEN


@njit
def determinize(game: Any, state: Any, player: Any, rng: Any) -> None:
    """Draw what others have chosen in this tick from all that they could choose."""
    mover = np.int64(state.mover)
    buffer = np.empty(MAX_ACTIONS, np.int32)
    for other in range(mover):
        if other != player:
            state.mover = other
            state.chosen[other] = buffer[random_below(rng, actions(game, state, buffer))]
    state.mover = mover


@njit
def copy_state(game: Any, states: Any, to: Any, origin: Any) -> None:
    """Copy what is in use of a state, the events of its last tick too."""
    if to == origin:
        return
    source = states[origin]
    groups = game.program.n_types * layout.GROUP_BYTES
    mortal = (game.program.n_mortal + 63) // 64 * 8
    copy_bytes(states, to, origin, 0, layout.BEFORE_GROUPS + groups)
    copy_bytes(states, to, origin, layout.BEFORE_ALIVE, mortal)
    copy_bytes(states, to, origin, layout.BEFORE_SPRITES, np.int64(source.slots) * layout.SPRITE_BYTES)
    if source.n_events > 0:
        copy_bytes(states, to, origin, layout.BEFORE_EVENTS, np.int64(source.n_events) * layout.EVENT_BYTES)


@njit
def hash_state(game: Any, state: Any, words: Any, out: Any) -> None:
    """Hash what is in use of a state, as far as the rest does not follow from it (groups) or bear on the course of the
    game (events of the last tick).
    """
    alive, sprites = layout.BEFORE_ALIVE // WORD, layout.BEFORE_SPRITES // WORD
    begin_hash(out)
    hash_words(words, 0, layout.BEFORE_GROUPS // WORD, out)
    hash_words(words, alive, alive + (game.program.n_mortal + 63) // 64, out)
    hash_words(words, sprites, sprites + np.int64(state.slots) * layout.SPRITE_BYTES // WORD, out)
    end_hash(out)
