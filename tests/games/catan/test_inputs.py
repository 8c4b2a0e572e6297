"""Catan: the inputs of a seat, compared with a plain recomputation; what a seat can't know does not change them."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oponente.games.catan import inputs, rules
from oponente.games.catan.board import EDGES, HARBOUR_ENDS, NODES, bits, edge_ends, edges_in, tile_corners
from oponente.games.catan.cards import unpack
from oponente.games.catan.inputs import INPUTS, fill_inputs
from oponente.kernel import Game, derive_seed, stream

GAMES = {players: Game(rules, {"players": str(players), "trade": "false"}) for players in (2, 3, 4)}


def random_state(seed: int, plies: int, players: int = 4):
    """Return a state after some random actions, not at the end."""
    state = GAMES[players].start(seed)
    for ply in range(plies):
        if state.is_terminal:
            break
        if state.is_chance:
            state.apply_chance(stream(seed, "chance", ply))
        else:
            actions = state.legal_actions
            building = [a for a in actions if 192 <= a < 448]
            choices = building or actions
            state.apply(int(choices[derive_seed(seed, ply) % len(choices)]))
    return state


def inputs_of(state, seat):
    out = np.full(INPUTS, np.nan)
    fill_inputs(state.game.tables, state.array[0], seat, out)
    return out.tolist()


def plain(state, seat):
    """Work the inputs out from pieces, one by one."""
    record, players = state.record, state.game.num_players
    others = [other for other in range(players) if other != seat]
    towns = {s: bits(record.settlements[s]) for s in range(players)}
    cities = {s: bits(record.cities[s]) for s in range(players)}
    roads = {s: [edge_ends(e) for e in edges_in(record.across[s], record.down[s])] for s in range(players)}
    built = {node: s for s in range(players) for node in (*towns[s], *cities[s])}
    all_roads = {road for s in range(players) for road in roads[s]}
    near = {node: {a + b - node for a, b in map(edge_ends, EDGES) if node in (a, b)} for node in range(NODES)}

    def makes(s):
        result = [0.0] * 5
        for tile in range(19):
            number, terrain = int(record.number[tile]), int(record.terrain[tile])
            if terrain >= 0 and tile != record.robber:
                ways = sum(a + b == number for a in range(1, 7) for b in range(1, 7))
                corners = tile_corners(tile)
                amount = sum(n in corners for n in towns[s]) + 2 * sum(n in corners for n in cities[s])
                result[terrain] += amount * ways / 36
        return result

    def nodes(s):
        ends = {end for road in roads[s] for end in road}
        free = {n for n in range(NODES) if n not in built and not near[n] & set(built)}
        return len(ends & free) if len(towns[s]) < 5 else 0

    def edges(s):
        if len(roads[s]) >= 15:
            return 0
        heads = {end for road in roads[s] for end in road} | set(towns[s]) | set(cities[s])
        heads = {n for n in heads if built.get(n, s) == s}
        return sum(ends not in all_roads and bool(set(ends) & heads) for ends in map(edge_ends, EDGES))

    reach = [0] * 6
    for place, ends in enumerate(HARBOUR_ENDS):
        if any(built.get(end) == seat for end in ends):
            reach[int(record.harbour[place])] = 1
    hand = unpack(record.known[seat, seat])
    cards = [int(n) for n in record.cards[seat]]
    theirs = [makes(other) for other in others]
    return [
        int(record.points[seat]) + cards[4],
        len(cities[seat]),
        len(towns[seat]),
        int(record.road_length[seat]),
        int(record.played[seat, 0]),
        *makes(seat),
        *reach,
        nodes(seat),
        edges(seat),
        *hand,
        float(sum(hand) > 7),
        *cards,
        float(record.road_holder == seat),
        float(record.army_holder == seat),
        sum(int(record.points[o]) for o in others),
        sum(len(cities[o]) for o in others),
        sum(len(towns[o]) for o in others),
        max(int(record.road_length[o]) for o in others),
        max(int(record.played[o, 0]) for o in others),
        *(sum(column) for column in zip(*theirs, strict=True)),
        sum(sum(value > 0 for value in row) for row in theirs),
        sum(nodes(o) for o in others),
        sum(edges(o) for o in others),
        sum(sum(unpack(record.known[o, o])) for o in others),
        sum(int(n) for o in others for n in record.cards[o]),
        max(int(record.points[o]) for o in others),
        int(record.deck.sum()),
    ]


@given(st.integers(0, 10**6), st.sampled_from([0, 3, 16, 60, 200, 500]), st.sampled_from([2, 3, 4]))
def test_inputs_are_what_a_plain_recomputation_gives(seed, plies, players):
    state = random_state(seed, plies, players)
    for seat in range(players):
        assert inputs_of(state, seat) == pytest.approx(plain(state, seat))


@given(st.integers(0, 10**6), st.sampled_from([60, 200, 500]))
def test_inputs_do_not_depend_on_what_a_seat_cannot_know(seed, plies):
    state = random_state(seed, plies)
    for seat in range(4):
        sample = state.determinize(seat, stream(seed, "sample", seat), state.history)
        assert inputs_of(sample, seat) == inputs_of(state, seat)


def test_the_table_of_inputs_is_that_of_the_code():
    documented = re.findall(r"^([A-Z]+_?) +(\d+) +(?:(\d+): )?", inputs.__doc__, re.MULTILINE)
    at = 0
    for name, offset, length in documented:
        assert getattr(inputs, name) == at == int(offset)
        at += int(length or 1)
    assert at == INPUTS
