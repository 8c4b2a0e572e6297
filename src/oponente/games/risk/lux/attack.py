"""Risk: how the Lux agents attack: step after step of what their profiles list, each from territory to territory."""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.games.risk.board import NO_TERRITORIES, ONE, armies_at
from oponente.games.risk.lux.common import (
    ANYWHERE,
    ATTACKS_BEGUN,
    CHANGED,
    CURSOR,
    EVERYWHERE,
    HUNTING,
    JOINED,
    LOOKED,
    LOOP_AT,
    NOWHERE,
    ORIGIN,
    RESTLESS,
    STEP,
    TARGET,
    WON,
    begin,
    outnumbers_all,
    own_armies,
    strongest,
    weakest,
)
from oponente.games.risk.lux.expand import (
    area,
    consolidate,
    expand,
    expand_one,
    fill_out,
    fill_out_else,
    may_split,
    split_up,
    sweep,
)
from oponente.games.risk.lux.look import look
from oponente.games.risk.lux.paths import follow, towards_dominator
from oponente.games.risk.lux.profiles import (
    AGAIN,
    ANY_WEAKER,
    BREAK,
    CARD,
    CONSOLIDATE,
    DOMINATOR,
    END,
    EXPAND,
    EXPAND_ONE,
    FILL_OUT,
    FILL_OUT_ELSE,
    FREELY,
    HOG_WILD,
    HUNT,
    LOOP,
    MUCH_WEAKER,
    ONE_ATTACK,
    PREY,
    SPLIT_UP,
    SPLIT_UP_ALL,
    SPLIT_UP_AT_NEED,
    SURE_CONTINENTS,
    SWEEP,
    WANTED_CONTINENTS,
)
from oponente.games.risk.lux.wanted import break_continents, prey, take_wanted
from oponente.games.risk.moves import DONE
from oponente.games.risk.state import NONE
from oponente.games.risk.thesis.common import attack_with, enemies, is_own
from oponente.kernel import njit
from oponente.kernel.bits import lowest_bit

STALEMATE = 1500
"""With more armies agents go wild though others have more together."""
MANY_ARMIES = 300
"""With more Stinky attacks with everything."""
SPLIT_RATIO, ANY_RATIO = 1.2, 0.01


@njit
def attack_step(game: Any, state: Any, profile: Any, memory: Any, work: Any, rng: Any) -> int:
    """Return the attack that goes on, or that of the path that is noted, or else the next of the steps; or the end."""
    origin, target = memory[ORIGIN] - 1, memory[TARGET] - 1
    if origin != NONE:
        if is_own(state, target):
            memory[WON] = memory[CHANGED] = 1
        elif is_own(state, origin) and armies_at(state, origin) >= 2:
            return attack_with(origin, target)
    memory[ORIGIN] = memory[TARGET] = 0
    if memory[LOOKED] == 0:  # the game begins here, in the middle of a turn
        look(game, state, profile, memory, work, rng)
    memory[LOOKED] = ATTACKS_BEGUN
    action = follow(state, profile, memory)
    while action == DONE and profile.steps[memory[STEP]] != END:
        step = np.int64(profile.steps[memory[STEP]])
        action = try_step(game, state, profile, memory, work, step)
        if action == DONE:
            next_step(game, state, profile, memory, step)
    return action


@njit
def next_step(game: Any, state: Any, profile: Any, memory: Any, step: Any) -> None:
    """Go on behind a step in which nothing is left to attack, or begin it anew."""
    again = memory[RESTLESS] or (memory[WON] and (step in (EXPAND, CONSOLIDATE, SPLIT_UP)))
    memory[CURSOR] = memory[JOINED] = memory[WON] = memory[RESTLESS] = 0
    if again:
        return
    if step == AGAIN and memory[CHANGED]:
        memory[STEP] = memory[LOOP_AT]
    if step == HUNT and memory[HUNTING]:
        while profile.steps[memory[STEP] + 1] != HOG_WILD:
            memory[STEP] += 1
    memory[STEP] += 1
    if step == HOG_WILD:
        wild = outnumbers_all(game, state) or own_armies(state) > STALEMATE
        memory[EVERYWHERE] = ANYWHERE if wild else NOWHERE
    if step in (LOOP, HOG_WILD):
        memory[LOOP_AT] = memory[STEP] - 1
    if step in (LOOP, HOG_WILD, AGAIN):
        memory[CHANGED] = 0


@njit
def try_step(game: Any, state: Any, profile: Any, memory: Any, work: Any, step: Any) -> int:
    """Return the next attack of a step, or DONE."""
    if step == DOMINATOR:
        return towards_dominator(game, state, profile, memory, work)
    if step == WANTED_CONTINENTS:
        return take_wanted(game, state, profile, memory, False)
    if step == SURE_CONTINENTS:
        return take_wanted(game, state, profile, memory, True)
    if step == BREAK:
        return break_continents(game, state, profile, memory)
    if step == PREY:
        return prey(game, state, memory)
    if step == ANY_WEAKER:
        return each_on_weakest(game, state, memory, 1.0, True)
    if step == MUCH_WEAKER:
        all_out = memory[RESTLESS] > 0 if memory[CURSOR] > 0 else own_armies(state) > MANY_ARMIES
        return each_on_weakest(game, state, memory, 0.0 if all_out else 1.5, all_out)
    if step == ONE_ATTACK:
        return one_attack(game, state, memory)
    if step == CARD:
        return for_a_card(game, state, profile, memory)
    return try_expansion(game, state, memory, step)


@njit
def try_expansion(game: Any, state: Any, memory: Any, step: Any) -> int:
    """Return the next attack of a step that Cluster's kin take, or DONE."""
    territories = area(game, state, memory)
    under_way = memory[CURSOR] > 0 or memory[JOINED] > 0
    if step == EXPAND:
        return expand(game, state, memory, territories)
    if step == EXPAND_ONE:
        return expand_one(game, state, memory, territories)
    if step == FILL_OUT:
        return fill_out(game, state, memory, territories)
    if step == FILL_OUT_ELSE:
        return fill_out_else(game, state, memory, territories)
    if step == CONSOLIDATE:
        return consolidate(game, state, memory, territories)
    if step == SPLIT_UP or (step == SPLIT_UP_AT_NEED and (under_way or may_split(game, state))):
        return split_up(game, state, memory, territories, SPLIT_RATIO)
    if step == SPLIT_UP_ALL:
        return split_up(game, state, memory, territories, ANY_RATIO)
    if step == SWEEP:
        return sweep(game, state, memory, territories)
    return np.int64(DONE)


@njit
def each_on_weakest(game: Any, state: Any, memory: Any, ratio: Any, restless: Any) -> int:
    """Return the attack of the next own territory on its weakest neighbour, if so many times as strong."""
    for origin in range(memory[CURSOR], game.rules.territories):
        target = weakest(state, enemies(game, state, origin)) if is_own(state, origin) else np.int64(NONE)
        armies = armies_at(state, origin)
        if target != NONE and armies >= 2 and armies > ratio * armies_at(state, target):
            memory[CURSOR] = origin + 1
            memory[RESTLESS] = restless
            return begin(memory, origin, target, FREELY)
    return np.int64(DONE)


@njit
def one_attack(game: Any, state: Any, memory: Any) -> int:
    """Return the attack on the weakest of all hostile neighbours, if a neighbour of it is stronger; once."""
    if memory[CURSOR] > 0:
        return np.int64(DONE)
    own = state.held[state.mover]
    near, left = NO_TERRITORIES, own
    while left:
        near |= enemies(game, state, lowest_bit(left))
        left &= left - ONE
    target = weakest(state, near)
    if target == NONE:
        return np.int64(DONE)
    origin = strongest(state, game.rules.neighbours[target] & own)
    if armies_at(state, origin) < 2 or armies_at(state, origin) <= armies_at(state, target):
        return np.int64(DONE)
    memory[CURSOR] = 1
    return begin(memory, origin, target, FREELY)


@njit
def for_a_card(game: Any, state: Any, profile: Any, memory: Any) -> int:
    """Return the attack with the best ratio of armies, if the player is stronger by the agent's factor and has taken
    nothing; once.
    """
    if memory[CURSOR] > 0 or state.conquered or not game.rules.cards:
        return np.int64(DONE)
    best, best_target, best_ratio = np.int64(NONE), np.int64(NONE), profile.card_ratio
    left = state.held[state.mover]
    while left:
        origin = lowest_bit(left)
        left &= left - ONE
        target = weakest(state, enemies(game, state, origin))
        if target != NONE and armies_at(state, origin) >= 2:
            ratio = armies_at(state, origin) / armies_at(state, target)
            if ratio > best_ratio:
                best, best_target, best_ratio = origin, target, ratio
    if best == NONE:
        return np.int64(DONE)
    memory[CURSOR] = 1
    return begin(memory, best, best_target, np.int64(profile.card_moves))
