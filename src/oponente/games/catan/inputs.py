"""Catan: 48 numbers that sum up a position for one seat: the inputs of the linear evaluation and of the network.

They follow Skoric (FER 2022), who evaluates positions by "48 inputs" aggregated to 25 weighted values, but does not
print the list: the choice of them is ours. A seat knows all of them for certain: they are read off its own cards and
off what is public, so no sample of what is hidden is needed to work them out. (`encode` of the game is the full
picture, for learners that aggregate by themselves.)

========  ======  ====================================================================================================
name      offset  inputs
========  ======  ====================================================================================================
POINTS    0       own victory points, hidden ones included
CITIES    1       own cities
TOWNS     2       own settlements
ROAD      3       length of the own longest road
KNIGHTS   4       own knights played
MAKES     5       5: cards of each resource that a roll of the dice brings on average, the robber's hex left out
PORTS     10      6: whether the own buildings reach a harbour, by kind: of each resource, of any three
NODES     16      nodes to which own roads lead and where a settlement may be built
EDGES     17      edges where an own road may be built
HAND      18      5: own resource cards
FULL      23      1 if these are more than the discard limit, else 0
CARDS     24      5: own development cards in hand, by kind
HOLDS     29      2: whether the seat holds the longest road, the largest army
POINTS_   31      victory points of the opponents that all see, added up
CITIES_   32      cities of the opponents
TOWNS_    33      settlements of the opponents
ROAD_     34      length of the longest road of an opponent
KNIGHTS_  35      most knights played by an opponent
MAKES_    36      5: as MAKES, of all opponents together
TYPES_    41      resources that opponents get by the dice, counted for each opponent and added up
NODES_    42      as NODES, added up over the opponents
EDGES_    43      as EDGES, added up over the opponents
HAND_     44      resource cards of the opponents
CARDS_    45      development cards of the opponents
LEADER_   46      victory points that all see of the opponent who has most
DECK      47      development cards left
========  ======  ====================================================================================================

Nodes and edges count as long as a piece for them is left, whether it can be paid or not.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from oponente.games.catan.board import (
    ACROSS_FROM,
    DOWN_FROM,
    ISLAND,
    NONE,
    TILE_NODES,
    TILES,
    across_at,
    down_at,
    neighbours,
    touched,
)
from oponente.games.catan.building import ROADS, SETTLEMENTS
from oponente.games.catan.cards import KNIGHT, VICTORY_POINT, count_of, total
from oponente.games.catan.development import deck_size
from oponente.games.catan.knowledge import hand, hand_size
from oponente.kernel import Token, local_floats, njit
from oponente.kernel.bits import popcount

POINTS, CITIES, TOWNS, ROAD, KNIGHTS, MAKES = 0, 1, 2, 3, 4, 5
PORTS, NODES, EDGES, HAND, FULL, CARDS, HOLDS = 10, 16, 17, 18, 23, 24, 29
POINTS_, CITIES_, TOWNS_, ROAD_, KNIGHTS_, MAKES_ = 31, 32, 33, 34, 35, 36
TYPES_, NODES_, EDGES_, HAND_, CARDS_, LEADER_, DECK = 41, 42, 43, 44, 45, 46, 47
INPUTS = 48

CHANCE_OF = np.array([0.0 if n < 2 or n == 7 else (n - 1 if n < 7 else 13 - n) / 36.0 for n in range(13)])
"""How likely a roll of two dice shows a number; 0 for those that bring nothing."""


@njit
def fill_inputs(game: Any, state: Any, seat: Any, out: Any) -> None:
    """Write the inputs of a seat to `out` (float64, `INPUTS` long)."""
    players = game.rules.players
    for i in range(INPUTS):
        out[i] = 0.0
    fill_hand(game, hand(state, seat), out)
    for card in range(5):
        out[CARDS + card] = np.float64(state.cards[seat, card])
    out[POINTS] = np.float64(state.points[seat]) + np.float64(state.cards[seat, VICTORY_POINT])
    out[CITIES] = np.float64(popcount(state.cities[seat]))
    out[TOWNS] = np.float64(popcount(state.settlements[seat]))
    out[ROAD] = np.float64(state.road_length[seat])
    out[KNIGHTS] = np.float64(state.played[seat, KNIGHT])
    for kind in range(6):
        out[PORTS + kind] = np.float64(np.int64(state.reach[seat]) >> kind & 1)
    out[HOLDS] = 1.0 if state.road_holder == seat else 0.0
    out[HOLDS + 1] = 1.0 if state.army_holder == seat else 0.0
    out[DECK] = np.float64(deck_size(state))
    fill_places(state, seat, players, out)
    fill_production(state, seat, players, out)
    road, knights, leader = np.int64(0), np.int64(0), np.int64(0)
    for other in range(players):
        if other == seat:
            continue
        points = np.int64(state.points[other])
        out[POINTS_] += points
        out[CITIES_] += popcount(state.cities[other])
        out[TOWNS_] += popcount(state.settlements[other])
        out[HAND_] += hand_size(state, other)
        road = max(road, np.int64(state.road_length[other]))
        knights = max(knights, np.int64(state.played[other, KNIGHT]))
        leader = max(leader, points)
        for card in range(5):
            out[CARDS_] += np.float64(state.cards[other, card])
    out[ROAD_], out[KNIGHTS_], out[LEADER_] = np.float64(road), np.float64(knights), np.float64(leader)


@njit
def fill_hand(game: Any, cards: Any, out: Any) -> None:
    """Write what depends on the own resource cards only."""
    for resource in range(5):
        out[HAND + resource] = np.float64(count_of(cards, resource))
    out[FULL] = 1.0 if total(cards) > game.rules.discard_limit else 0.0


@njit
def fill_places(state: Any, seat: Any, players: Any, out: Any) -> None:
    """Write where the seat and its opponents may build."""
    built = state.settlements[0] | state.settlements[1] | state.settlements[2] | state.settlements[3]
    built |= state.cities[0] | state.cities[1] | state.cities[2] | state.cities[3]
    free_nodes = ISLAND & ~(built | neighbours(built))
    free_across = ACROSS_FROM & ~(state.across[0] | state.across[1] | state.across[2] | state.across[3])
    free_down = DOWN_FROM & ~(state.down[0] | state.down[1] | state.down[2] | state.down[3])
    for other in range(players):
        across, down = state.across[other], state.down[other]
        ends = touched(across, down)
        own = state.settlements[other] | state.cities[other]
        nodes, edges = 0, 0
        if popcount(state.settlements[other]) < SETTLEMENTS:
            nodes = popcount(ends & free_nodes)
        if popcount(across) + popcount(down) < ROADS:
            heads = (ends | own) & ~(built & ~own)
            edges = popcount(across_at(heads) & free_across) + popcount(down_at(heads) & free_down)
        if other == seat:
            out[NODES], out[EDGES] = np.float64(nodes), np.float64(edges)
        else:
            out[NODES_] += nodes
            out[EDGES_] += edges


@njit
def fill_production(state: Any, seat: Any, players: Any, out: Any) -> None:
    """Write what the dice bring the seat and its opponents."""
    own_towns, own_cities = state.settlements[seat], state.cities[seat]
    towns, cities = NONE, NONE
    for other in range(players):
        if other != seat:
            towns |= state.settlements[other]
            cities |= state.cities[other]
    buildings = own_towns | own_cities | towns | cities
    types = np.int64(0)  # eight bits for each seat, one for each resource
    for tile in range(TILES):
        corners = TILE_NODES[tile]
        terrain = np.int64(state.terrain[tile])
        if corners & buildings == NONE or terrain < 0 or tile == state.robber:
            continue
        chance = CHANCE_OF[state.number[tile]]
        out[MAKES + terrain] += chance * (popcount(own_towns & corners) + 2 * popcount(own_cities & corners))
        theirs = popcount(towns & corners) + 2 * popcount(cities & corners)
        if theirs and chance > 0.0:
            out[MAKES_ + terrain] += chance * theirs
            for other in range(players):
                if other != seat and (state.settlements[other] | state.cities[other]) & corners:
                    types |= np.int64(1) << (8 * other + terrain)
    out[TYPES_] = np.float64(popcount(np.uint64(types)))


class Inputs(NamedTuple):
    """The inputs as features for learning."""

    token: Token


INPUT_FEATURES = Inputs(Token(__name__))
FEATURES = INPUTS
"""How many features there are."""


@njit
def features(kind: Any, game: Any, state: Any, seat: Any, out: Any) -> None:
    """Write the inputs of a seat as features for learning (float32)."""
    inputs = local_floats(INPUTS)
    fill_inputs(game, state, seat, inputs)
    for i in range(INPUTS):
        out[i] = inputs[i]
