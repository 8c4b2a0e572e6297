"""VGDL: running one effect: what it does, scores and counters, the record of events."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.effects import execute
from oponente.games.vgdl.kinds import ELSE, KILLED, SCORED
from oponente.games.vgdl.layout import EVENTS
from oponente.games.vgdl.sprites import NOBODY, NONE
from oponente.kernel import njit, subroutine


@subroutine
def run_effect(game: Any, state: Any, number: Any, h1: Any, s1: Any, h2: Any, s2: Any) -> None:
    """Run an effect, and let it count: scores, counters, the record of events."""
    # Whatever the effect does to the sprites, the event is that of these two.
    outcome = execute(game, state, number, h1, s1, h2, s2)
    settle(game, state, number, outcome)
    if h1 >= 0 and h2 >= 0:
        types = game.program.types
        if types[s1.type].avatar or s1.shot:
            record_event(game, state, s1, s2)
        elif types[s2.type].avatar or s2.shot:
            record_event(game, state, s2, s1)


@subroutine
def run_without_sprites(game: Any, state: Any, number: Any) -> None:
    """Run an effect that was queued. Its scoreChange counts whatever comes of it, as there is no sprite to ask."""
    nobody = state.stand_in[NOBODY]
    none = np.int64(NONE)
    execute(game, state, number, none, nobody, none, nobody)
    settle(game, state, number, SCORED)


@njit
def settle(game: Any, state: Any, number: Any, outcome: Any) -> None:
    """Let what came of an effect count: scores, counters."""
    e = game.program.effects[number]
    if e.scores:
        if outcome == SCORED:
            for player in range(game.program.players):
                state.score[player] += e.score[player]
        elif outcome == KILLED:
            for player in range(game.program.players):
                state.score[player] += e.killed_score[player]
    if e.counts:
        for i in range(game.program.n_counters):
            state.counters[i] += e.counter_else[i] if outcome == ELSE else e.counter[i]


@subroutine
def record_event(game: Any, state: Any, active: Any, passive: Any) -> None:
    """Record an event in which an avatar, or a sprite that one has made, takes part; each kind once a tick."""
    shot = np.int32(0 if game.program.types[active.type].avatar else 1)
    for i in range(state.n_events):
        event = state.events[i]
        if event.active == active.type and event.passive == passive.type and event.shot == shot:
            return
    if state.n_events < EVENTS:
        event = state.events[state.n_events]
        state.n_events += 1
        event.active_id, event.passive_id = active.id, passive.id
        event.x, event.y = active.x, active.y
        event.active, event.passive, event.shot = active.type, passive.type, shot
