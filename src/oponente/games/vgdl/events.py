"""VGDL: the events of a tick: effects that are due, the edge of the screen, and pairs that touch."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.contact import find_contacts, is_outside, kinds_at
from oponente.games.vgdl.continuous_events import run_effect_freely
from oponente.games.vgdl.layout import EVENTS_BEGUN, FIXED
from oponente.games.vgdl.running import run_effect, run_without_sprites
from oponente.games.vgdl.sprites import (
    FIRST,
    NOBODY,
    NONE,
    SECOND,
    TIME_HAS_COME,
    free_slot,
    is_alive,
    is_dead,
    sprite_of,
    stand_in,
)
from oponente.games.vgdl.timers import queue
from oponente.games.vgdl.touching import collect_hits, list_candidates, touch
from oponente.kernel import njit, subroutine
from oponente.kernel.bits import lowest_bit

_0, _1 = np.uint64(0), np.uint64(1)


@njit
def run_events(game: Any, state: Any) -> None:
    """Run all events of a tick."""
    state.visiting = EVENTS_BEGUN
    state.n_shields = 0
    find_contacts(game, state)
    if state.timers >= 0:
        run_timers(game, state)
    if state.outside:
        run_edges(game, state)
    run_pairs(game, state)


# --- time ------------------------------------------------------------------------------------------------------------


@subroutine
def run_timers(game: Any, state: Any) -> None:
    """Run the effects that are due."""
    while state.timers >= 0 and state.sprites[state.timers].begun <= state.tick:
        slot = np.int64(state.timers)
        number = np.int64(state.sprites[slot].made)
        state.timers = state.sprites[slot].next
        free_slot(state, slot)
        e = game.program.effects[number]
        if e.owner < 0:
            run_without_sprites(game, state, number)
        else:
            run_for_family(game, state, number, e.owner, False)
        if e.repeating:
            queue(game, state, number, state.tick + max(1, e.timer))


@subroutine
def run_for_family(game: Any, state: Any, number: Any, owner: Any, at_edge: Any) -> None:
    """Run an effect for all instances of a type and its subtypes, or for those beyond the edge."""
    p = game.program
    nobody = state.stand_in[NOBODY]
    none = np.int64(NONE if at_edge else TIME_HAS_COME)
    newcomers = state.next_id
    t = p.types[owner]
    for i in range(t.subtypes, t.subtypes + t.n_subtypes):
        sub = p.types[p.ints[i]]
        if not at_edge:
            for j in range(sub.fixed, sub.fixed + sub.n_fixed):
                fixed = np.int64(p.by_type[j])
                if is_alive(game, state, fixed) and not is_dead(state, fixed + FIXED):
                    run_effect(game, state, number, fixed + FIXED, stand_in(game, state, fixed, FIRST), none, nobody)
        if state.group[p.ints[i]].count == 0:
            continue
        slot = np.int64(state.group[p.ints[i]].head)
        while slot >= 0 and state.sprites[slot].id < newcomers:
            s = state.sprites[slot]
            if not s.dead and not s.disabled and (not at_edge or is_outside(game, s)):
                run_effect(game, state, number, slot, s, none, nobody)
            slot = np.int64(s.next)


@subroutine
def run_edges(game: Any, state: Any) -> None:
    """Run the effects of the edge of the screen."""
    p = game.program
    for i in range(p.n_edges):
        run_for_family(game, state, np.int64(p.ints[p.edges + 2 * i + 1]), p.ints[p.edges + 2 * i], True)


# --- pairs -----------------------------------------------------------------------------------------------------------


@subroutine
def run_pairs(game: Any, state: Any) -> None:
    """Run the effects of the pairs that are active, in the order of the description."""
    for word in range((game.program.n_pairs + 63) >> 6):
        rest = state.active[word]
        while rest != _0:
            low = lowest_bit(rest)
            run_pair(game, state, word * 64 + low)
            # What became active meanwhile counts if it comes later.
            rest = state.active[word] & ~(((_1 << np.uint64(low)) - _1) | (_1 << np.uint64(low)))


@njit
def run_pair(game: Any, state: Any, index: Any) -> None:
    """Run the effects of a pair, one after the other."""
    p = game.program
    pair = p.pairs[index]
    for i in range(pair.effects, pair.effects + pair.n_effects):
        number = np.int64(p.pair_effects[i])
        if state.n_shields == 0 or not is_shielded(state, pair, p.effects[number].kind):
            run_effect_of_pair(game, state, pair, number)


@njit
def is_shielded(state: Any, pair: Any, kind: Any) -> bool:
    """Tell whether a pair is shielded from a kind of effects in this tick."""
    for i in range(0, state.n_shields, 3):
        if state.shields[i] == pair.first and state.shields[i + 1] == pair.second and state.shields[i + 2] == kind:
            return True
    return False


@subroutine
def run_effect_of_pair(game: Any, state: Any, pair: Any, number: Any) -> None:
    """Run an effect for each first sprite and the second ones that it touches."""
    p = game.program
    newcomers = np.int64(state.next_id)
    for i in range(pair.firsts, pair.firsts + pair.n_firsts):
        first = np.int64(p.ints[i])
        t = p.types[first]
        if state.group[first].fixed > 0:
            if pair.thorough:
                for j in range(t.fixed, t.fixed + t.n_fixed):
                    run_effect_of_fixed(game, state, pair, number, np.int64(p.by_type[j]), newcomers)
            else:
                count = list_candidates(game, state, pair, first, newcomers)
                for j in range(count):
                    run_effect_of_fixed(game, state, pair, number, np.int64(state.candidates[j]), newcomers)
        if state.group[first].count > 0:
            if pair.free:
                run_effect_freely(game, state, pair, number, first, newcomers)
                continue
            slot = np.int64(state.group[first].head)
            while slot >= 0 and state.sprites[slot].id < newcomers:
                s1 = state.sprites[slot]
                if (s1.met | state.moved) & pair.second_mask != _0:
                    run_effect_of_first(game, state, pair, number, slot, s1, newcomers)
                slot = np.int64(s1.next)


@njit
def run_effect_of_fixed(game: Any, state: Any, pair: Any, number: Any, fixed: Any, newcomers: Any) -> None:
    """Run an effect for a fixed first sprite."""
    if is_alive(game, state, fixed):
        s1 = stand_in(game, state, fixed, FIRST)
        run_effect_of_first(game, state, pair, number, fixed + FIXED, s1, newcomers)


@subroutine
def run_effect_of_first(game: Any, state: Any, pair: Any, number: Any, h1: Any, s1: Any, newcomers: Any) -> None:
    """Run an effect for a first sprite and those that it touches now, as far as it still does when their turn comes."""
    if is_dead(state, h1):
        return
    if s1.met & pair.second_mask == _0 and kinds_at(game, state, s1, pair.second_mask) == _0:
        return
    count = collect_hits(game, state, pair, h1, s1, newcomers)
    for i in range(count):
        h2 = np.int64(state.hits[i])
        s2 = sprite_of(game, state, h2, SECOND)
        if touch(s1, s2):
            run_effect(game, state, number, h1, s1, h2, s2)
            if is_dead(state, h1):
                return
