"""VGDL: the events of a tick: effects that are due, the edge of the screen, and pairs that touch."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.vgdl.contact import column_of, find_contacts, is_outside, kinds_at, row_of
from oponente.games.vgdl.effects import ELSE, KILLED, SCORED, execute
from oponente.games.vgdl.layout import EVENTS, EVENTS_BEGUN, FIXED
from oponente.games.vgdl.sprites import (
    NONE,
    free_slot,
    is_alive,
    is_dead,
    sprite_of,
    stand_in,
)
from oponente.games.vgdl.timers import queue
from oponente.kernel import njit, subroutine
from oponente.kernel.bits import lowest_bit

_0, _1 = np.uint64(0), np.uint64(1)
FIRST, SECOND, NOBODY = 0, 1, 3
"""Which of the stand-ins is used for what; 2 is the one of :mod:`oponente.games.vgdl.effects_on_all`."""


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


@subroutine
def run_effect(game: Any, state: Any, number: Any, h1: Any, s1: Any, h2: Any, s2: Any) -> None:
    """Run an effect, and let it count: scores, counters, the record of events."""
    e = game.program.effects[number]
    # Whatever the effect does to the sprites, the event is that of these two.
    outcome = execute(game, state, number, h1, s1, h2, s2)
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
    if h1 >= 0 and h2 >= 0:
        types = game.program.types
        if types[s1.type].avatar or s1.shot:
            record_event(game, state, s1, s2)
        elif types[s2.type].avatar or s2.shot:
            record_event(game, state, s2, s1)


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
            nobody = state.stand_in[NOBODY]
            run_effect(game, state, number, np.int64(NONE), nobody, np.int64(NONE), nobody)
        else:
            run_for_family(game, state, number, e.owner, False)
        if e.repeating:
            queue(game, state, number, state.tick + max(1, e.timer))


@subroutine
def run_for_family(game: Any, state: Any, number: Any, owner: Any, at_edge: Any) -> None:
    """Run an effect for all instances of a type and its subtypes, or for those beyond the edge."""
    p = game.program
    nobody = state.stand_in[NOBODY]
    none = np.int64(NONE)
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
            slot = np.int64(state.group[first].head)
            while slot >= 0 and state.sprites[slot].id < newcomers:
                s1 = state.sprites[slot]
                if (s1.met | state.moved) & pair.second_mask != _0:
                    run_effect_of_first(game, state, pair, number, slot, s1, newcomers)
                slot = np.int64(s1.next)


@subroutine
def list_candidates(game: Any, state: Any, pair: Any, first: Any, newcomers: Any) -> Any:
    """List the fixed sprites of a type in whose cells moving second sprites are, in order; return how many."""
    p = game.program
    mask = p.types[first].bit
    count = np.int64(0)
    for i in range(pair.seconds, pair.seconds + pair.n_seconds):
        second = np.int64(p.ints[i])
        if state.group[second].count == 0:
            continue
        slot = np.int64(state.group[second].head)
        while slot >= 0 and state.sprites[slot].id < newcomers:
            s = state.sprites[slot]
            if s.met & mask != _0:
                left, top, right, bottom = reach(game, s)
                for row in range(top, bottom + 1):
                    for c in range(row * p.stride + left, row * p.stride + right + 1):
                        count = add_candidates(game, state, c, first, count)
            slot = np.int64(s.next)
    return count


@njit
def reach(game: Any, s: Any) -> Any:
    """Return the columns and rows of cells that a sprite lies in: left, top, right, bottom."""
    from_x, from_y = column_of(game, s.x), row_of(game, s.y)
    return from_x, from_y, column_of(game, s.x + s.w - 1), row_of(game, s.y + s.h - 1)


@subroutine
def add_candidates(game: Any, state: Any, c: Any, first: Any, count: Any) -> Any:
    """Insert the fixed sprites of a type in a cell into the ordered list."""
    p = game.program
    cell = p.cells[c]
    listed = state.candidates
    for part in range(2):
        begin = np.int64(cell.mortal if part == 0 else cell.immortal)
        length = np.int64(cell.n_mortal if part == 0 else cell.n_immortal)
        for fixed in range(begin, begin + length):
            if p.fixed[fixed].type != first or not is_alive(game, state, fixed):
                continue
            at = count
            while at > 0 and listed[at - 1] > fixed:
                at -= 1
            if at > 0 and listed[at - 1] == fixed:
                continue
            for j in range(count, at, -1):
                listed[j] = listed[j - 1]
            listed[at] = fixed
            count += 1
    return count


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


@njit
def touch(s1: Any, s2: Any) -> bool:
    """Tell whether two rectangles overlap; touching edges do not."""
    return s1.x < s2.x + s2.w and s2.x < s1.x + s1.w and s1.y < s2.y + s2.h and s2.y < s1.y + s1.h


@subroutine
def collect_hits(game: Any, state: Any, pair: Any, h1: Any, s1: Any, newcomers: Any) -> Any:
    """List the second sprites that a first one touches, in order; return how many."""
    p = game.program
    count = np.int64(0)
    left, top, right, bottom = reach(game, s1)
    for i in range(pair.seconds, pair.seconds + pair.n_seconds):
        second = np.int64(p.ints[i])
        if state.group[second].fixed > 0:
            for row in range(top, bottom + 1):
                for c in range(row * p.stride + left, row * p.stride + right + 1):
                    cell = p.cells[c]
                    for part in range(2):
                        begin = np.int64(cell.mortal if part == 0 else cell.immortal)
                        length = np.int64(cell.n_mortal if part == 0 else cell.n_immortal)
                        for fixed in range(begin, begin + length):
                            if p.fixed[fixed].type == second and fixed + FIXED != h1 and is_alive(game, state, fixed):
                                state.hits[count] = fixed + FIXED
                                count += 1
        if state.group[second].count > 0:
            slot = np.int64(state.group[second].head)
            while slot >= 0 and state.sprites[slot].id < newcomers:
                s2 = state.sprites[slot]
                if slot != h1 and touch(s1, s2):
                    state.hits[count] = slot
                    count += 1
                slot = np.int64(s2.next)
    return count
