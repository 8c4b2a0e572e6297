"""VGDL: the framework's simple heuristic, which goes for portals, and where there are none for NPCs.

Source: the sample controller that looks one step ahead (D. Perez-Liebana et al., "The 2014 general video game playing
competition", IEEE TCIAIG 2016).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from oponente.kernel import njit

PER_NPC, NPC_SCALE, PORTAL_SCALE = 100.0, 100.0, 10.0


@njit
def nearness(game: Any, state: Any, player: Any) -> Any:
    """Return what is added to the score for how near portals and NPCs are to a player's avatar.

    Without portals: less 100 for each NPC, and a hundredth of the squared distance of the nearest of the last type of
    NPCs. With portals: less 10 times the squared distance of the nearest.
    """
    own = state.sprites[np.int64(state.avatar[player])]
    npcs, nearest_npc, nearest_portal = np.int64(0), -1.0, -1.0
    for number in range(game.program.n_types):
        t = game.program.types[number]
        if t.kind < 0 or t.avatar or t.is_resource or (t.hidden >> player & 1) or not (t.portal or t.npc):
            continue
        count, nearest = nearest_of(game, state, number, own.x, own.y)
        if count == 0:
            continue
        if t.portal:
            nearest_portal = nearest if nearest_portal < 0.0 else min(nearest_portal, nearest)
        else:
            npcs += count
            nearest_npc = nearest
    if nearest_portal >= 0.0:
        return -PORTAL_SCALE * nearest_portal
    return -nearest_npc / NPC_SCALE - PER_NPC * npcs if nearest_npc >= 0.0 else 0.0


@njit
def nearest_of(game: Any, state: Any, number: Any, x: Any, y: Any) -> Any:
    """Return how many instances of a type there are, and the squared distance in pixels of the nearest, -1 if none."""
    p, t = game.program, game.program.types[number]
    count, nearest = np.int64(0), -1.0
    for position in range(t.fixed, t.fixed + t.n_fixed):
        fixed = np.int64(p.by_type[position])
        if fixed < p.n_mortal and not (state.alive[fixed >> 6] >> np.uint64(fixed & 63)) & np.uint64(1):
            continue
        dx, dy = np.float64(p.fixed[fixed].x - x), np.float64(p.fixed[fixed].y - y)
        distance = dx * dx + dy * dy
        nearest = distance if count == 0 else min(nearest, distance)
        count += 1
    group = state.group[number]
    slot = np.int64(group.head) if group.count > 0 else np.int64(-1)
    while slot >= 0:
        s = state.sprites[slot]
        if s.disabled == 0:
            dx, dy = np.float64(s.x - x), np.float64(s.y - y)
            distance = dx * dx + dy * dy
            nearest = distance if count == 0 else min(nearest, distance)
            count += 1
        slot = np.int64(s.next)
    return count, nearest
