"""VGDL: one tick of a game, and the start."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.avatars import update_avatars
from oponente.games.vgdl.behaviour import update_sprites
from oponente.games.vgdl.ending import UNDECIDED, check_endings
from oponente.games.vgdl.events import run_events
from oponente.games.vgdl.layout import EVENTS_BEGUN, WARNINGS
from oponente.games.vgdl.sprites import NONE, clear, create_anyway
from oponente.games.vgdl.timers import queue
from oponente.kernel import subroutine


@subroutine
def set_up(game: Any, state: Any) -> None:
    """Place the sprites of the level and queue the effects of time.

    All bytes of the state are 0. What is left to do is to seed its random numbers.
    """
    p = game.program
    state.tick = -1
    state.free = state.timers = NONE
    for i in range((p.n_mortal + 63) >> 6):
        state.alive[i] = ~np.uint64(0)
    if p.n_mortal & 63:
        state.alive[p.n_mortal >> 6] = (np.uint64(1) << np.uint64(p.n_mortal & 63)) - np.uint64(1)
    for number in range(p.n_types):
        state.group[number].fixed = p.types[number].n_fixed
    state.count = p.n_fixed
    # What is created now is as old as the level.
    state.visiting = EVENTS_BEGUN - 1
    for i in range(p.n_start):
        begin = p.start[i]
        state.next_id = begin.id
        create_anyway(game, state, np.int64(begin.type), begin.x, begin.y)
    state.next_id = p.n_fixed + p.n_start
    for player in range(p.players):
        state.win[player] = UNDECIDED
        # Nothing was removed yet, so slots are taken in the order of the sprites.
        state.avatar[player] = p.avatars[player]
        state.sprites[np.int64(p.avatars[player])].player = player
    for i in range(p.n_times):
        effect = np.int64(p.ints[p.times + i])
        queue(game, state, effect, np.int64(p.effects[effect].due))


@subroutine
def tick(game: Any, state: Any) -> None:
    """Let a tick pass with the actions in `state.chosen`: avatars, other sprites, events, removal, terminations."""
    state.tick += 1
    state.n_events = 0
    state.draws = state.n_killed = state.killed_again = 0
    for i in range((game.program.n_mortal + 63) >> 6):
        state.dying[i] = np.uint64(0)
    update_avatars(game, state)
    update_sprites(game, state)
    run_events(game, state)
    clear(game, state)
    check_endings(game, state)
    for player in range(game.program.players):
        state.last[player] = state.chosen[player]
        state.chosen[player] = 0
    if state.failed or state.refused > WARNINGS:
        state.ended = 1
