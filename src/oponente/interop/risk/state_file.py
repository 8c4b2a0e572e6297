"""What the Risk program of Ferrari (UFSM 2022) tells a player: the content of ``Logs/player_n.json``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oponente.games.risk.world import classic
from oponente.interop.risk.commands import state_word
from oponente.interop.risk.names import TERRITORIES
from oponente.kernel import State

WINNER, LOSER = "winner", "loser"
"""The words with which a game ends. A draw has none of its own: both players have lost."""


def initial_order(state: State) -> list[int]:
    """Return the order in which the program lists all territories: the first player's first, in a new game as dealt."""
    order = [int(territory) for territory in state.record.order[: len(TERRITORIES)]]
    return sorted(order, key=lambda territory: int(state.record.owner[territory]))


def state_file(state: State, seat: int, count: int, order: Sequence[int]) -> dict[str, Any]:
    """Return what a player is told.

    Args:
        state: the position, of a game by the rules of the thesis.
        seat: the player.
        count: how often it was told a position, this one included.
        order: all territories, in the order in which ``countries_data`` has them.
    """
    record = state.record
    owner = [int(record.owner[territory]) for territory in range(len(TERRITORIES))]
    armies = [int(record.armies[territory]) for territory in range(len(TERRITORIES))]
    own = [int(territory) for territory in record.order[: len(TERRITORIES)] if owner[territory] == seat]
    neighbours = [territory.neighbours for territory in classic().territories]
    borders = {t: [TERRITORIES[n] for n in neighbours[t] if owner[n] != seat] for t in own}
    group = _groups(own, neighbours)
    return {
        "count": count,
        "id": seat + 1,
        "n_new_troops": int(record.pool[seat]),
        "n_total_troops": sum(armies[t] for t in own),
        "enemy_n_total_troops": sum(count for t, count in enumerate(armies) if owner[t] != seat),
        "state": state_word(state, seat),
        "countries_owned": [TERRITORIES[t] for t in own],
        "countries_data": {
            TERRITORIES[t]: {
                "neighbours": [TERRITORIES[n] for n in neighbours[t]],
                "owner": owner[t] + 1,
                "n_troops": armies[t],
            }
            for t in order
        },
        "border_countries": {TERRITORIES[t]: hostile for t, hostile in borders.items() if hostile},
        "connection_matrix": {
            TERRITORIES[t]: {TERRITORIES[other]: group[other] == group[t] for other in own if other != t} for t in own
        },
        "continents_data": _continents(owner),
    }


def _groups(own: Sequence[int], neighbours: Sequence[Sequence[int]]) -> dict[int, int]:
    """Return for each of some territories the first of those that it hangs together with."""
    group: dict[int, int] = {}
    for first in own:
        waiting = [first]
        while waiting:
            territory = waiting.pop()
            if territory in own and territory not in group:
                group[territory] = first
                waiting += neighbours[territory]
    return group


def _continents(owner: Sequence[int]) -> dict[str, Any]:
    continents = {}
    for continent in classic().continents:
        owners = {owner[territory] for territory in continent.territories}
        continents[continent.name] = {
            "owner": owners.pop() + 1 if len(owners) == 1 else None,
            "extra_armies": continent.bonus,
            "countries": [TERRITORIES[territory] for territory in continent.territories],
        }
    return continents
